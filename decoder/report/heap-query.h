/* heap-query.h -- a query about the heap snapshots of a log: requested, run, printed. */
#ifndef PROFLOG_HEAP_QUERY_H
#define PROFLOG_HEAP_QUERY_H

#include "decoder/log/log-command.h"
#include "decoder/views/heap/heap-views.h"

/* How many more bytes there may be before the status is CLI_TRUE. */
struct heap_threshold {
  bool is_set;
  bool is_percent;
  double number; /* bytes, or percent */
};

struct heap_subcommand;

/* The command line of a query. */
struct heap_request {
  const struct heap_subcommand *subcommands; /* all, up to one without a name */
  const struct heap_subcommand *subcommand;
  const char *log;
  const char *subject; /* address or class; NULL: none */
  bool has_number;     /* of a snapshot, or of a sample in an eventlog */
  guint shot;          /* 0: the last, if that is not so */
  const char *newer;   /* of diff: the log to compare with; NULL: it is of one log */
  guint pair[2];       /* of diff, in order; 0 as the second: the last one */
  struct heap_threshold threshold;
  enum heap_by by;
  bool is_dot; /* the output is a graph for Graphviz */
};

/* Two numbers were given: the later one is above 0. */
static inline bool
heap_request_has_pair (const struct heap_request *r)
{
  return r->pair[1] != 0;
}

/* A query that runs: its request, and the figures that the view prints. */
struct heap_query {
  struct log_command *command;
  const struct heap_request *request;
  const struct view *view;
  struct heap_result result;
  struct heap_graph *graph;
  struct heap_dominators *dominators;
  uint8_t *selected; /* of each object: whether it is of the subject's class */
  bool is_true;      /* the requested condition */
};

/* Options that only some subcommands accept. */
enum {
  HEAP_ACCEPTS_BY = 1,
  HEAP_ACCEPTS_FAIL_ABOVE = 2,
  HEAP_ACCEPTS_EXIT_CODE = 4,
  HEAP_ACCEPTS_NAMES = 8,  /* --filter, --exclude */
  HEAP_ACCEPTS_CLASS = 16, /* as its subject, besides an address */
  HEAP_ACCEPTS_DOT = 32,
};

struct heap_subcommand {
  const char *name;
  const char *parameters; /* after its name, for the help */
  const char *summary;
  const char *schema;
  const struct section *section;
  const struct section *bands; /* of an eventlog; NULL: it is not for them */
  unsigned accepts;
  /* Parses the arguments besides the log, up to NULL.  NULL: there are none. */
  bool (*parse) (struct heap_request *request, char ***words, GError **error);
  /* Selects the snapshots to be built.  NULL: none. */
  void (*select) (const struct heap_request *request, struct shot_selection *shots,
                  struct scan_options *options);
  /* Prints its result; returns the exit status. */
  int (*run) (struct heap_query *query, struct summary *summary);
};

/* `select` of the subcommands: the snapshot of the request; both of a pair; the first and
 * the one of the request; for leaks. */
void heap_select_shot (const struct heap_request *request, struct shot_selection *shots,
                       struct scan_options *options);
void heap_select_pair (const struct heap_request *request, struct shot_selection *shots,
                       struct scan_options *options);
void heap_select_first_and_shot (const struct heap_request *request, struct shot_selection *shots,
                                 struct scan_options *options);
void heap_select_peak (const struct heap_request *request, struct shot_selection *shots,
                       struct scan_options *options);

/* `run` of the subcommands. */
int heap_run_list (struct heap_query *query, struct summary *summary);
int heap_run_shot (struct heap_query *query, struct summary *summary); /* without dominators */
int heap_run_dominated_shot (struct heap_query *query, struct summary *summary);
int heap_run_strings (struct heap_query *query, struct summary *summary);
int heap_run_collections (struct heap_query *query, struct summary *summary);
int heap_run_tasks (struct heap_query *query, struct summary *summary);
int heap_run_diff (struct heap_query *query, struct summary *summary);
int heap_run_growth (struct heap_query *query, struct summary *summary);
int heap_run_leaks (struct heap_query *query, struct summary *summary);

/* Parses an address such as 0x7f0a1c0012c0. */
bool heap_parse_address (const char *text, guint64 *address);

/* Reads the log of a request, one of Mono, and prints the result; returns the exit status. */
int heap_query_run (struct log_command *command, const struct heap_request *request,
                    const struct view *view);

#endif
