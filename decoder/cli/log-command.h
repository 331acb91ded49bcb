/* log-command.h -- what the commands that read logs share: their options, the way of the items,
 * the output. */
#ifndef PROFLOG_LOG_COMMAND_H
#define PROFLOG_LOG_COMMAND_H

#include "decoder/analyses/buffer-choice.h"
#include "decoder/analyses/ghc-choice.h"
#include "decoder/analyses/ghc-summary.h"
#include "decoder/analyses/summary.h"
#include "decoder/cli/output.h"
#include "decoder/cli/progress.h"
#include "decoder/views/emitter.h"
#include <glib.h>
#include <proflog/mlpd-reader.h>

/* What tells a command from the others. */
struct log_command_sort {
  const char *name;
  const char *summary, *description; /* for --help */
  const GOptionEntry *own;           /* its own options; NULL: none */
  unsigned selects;                  /* the options of the selection that it has */
  const char *parameters;            /* NULL: "LOG..." */
  bool is_lines;                     /* prints lines, of which Markdown makes nothing */
  bool is_text;                      /* prints text only */
  bool is_log;                       /* writes a log: there is no --format */
  bool takes_spool;                  /* behind its one log, or before it */
  char **format;                     /* takes the text of --format, of its own; NULL: as others */
};

/* Sets of options of the selection. */
enum {
  SELECTS_PARTS = 1, /* --thread, --time-range */
  SELECTS_NAMES = 2, /* --filter, --exclude */
  SELECTS_DEPTH = 4,
  SELECTS_TIMES = 8,  /* --min-time */
  SELECTS_BYTES = 16, /* --min-bytes */
  SELECTS_ALL = 31,
  SELECTS_CAPS = 32,       /* of eventlogs */
  SELECTS_TIME_RANGE = 64, /* --time-range without --thread */
};

struct log_command {
  const char *name;
  const struct log_command_sort *sort; /* while the command line is read */
  /* The options. */
  enum emitter_format format;
  char *path; /* of the output; NULL: standard output */
  gboolean force;
  gboolean strict;
  gboolean quiet;
  struct selection selection;
  struct buffer_choice choice; /* what it means in the log that is read, if it chooses events */
  char **logs;                 /* at least one */
  const char *spool;           /* one of these, of the first; NULL: what lies beside that */
  struct output output;
  bool tells_damage; /* in the output: no warnings are needed */
  bool damaged;      /* some log */
  struct progress progress;
  struct log_input *input; /* that was looked at and is to be read; NULL: none */
};

/* In which order a command prints events. */
enum log_order {
  LOG_ORDER_FILE,
  LOG_ORDER_TIME,
};

/* What a log is of. */
enum log_format {
  LOG_FORMAT_NONE, /* it cannot be opened; that was told */
  LOG_FORMAT_MONO, /* or no log at all */
  LOG_FORMAT_GHC,
};

/* Reads the command line.  Options of the selection that the command has no use for are refused.
 * False with the exit status in *status if that was all: help, or a mistake that was told. */
bool log_command_parse (struct log_command *command, const struct log_command_sort *sort, int argc,
                        char **argv, int *status);

/* Takes the value of --order, NULL for none, in which *order stays; frees it.  False, too, if that
 * was all. */
bool log_command_order (struct log_command *command, char **name, enum log_order *order,
                        int *status);

/* Opens the output, when all options are found good.  False with the exit status in *status when
 * it cannot be written; that was told, and the command is finished. */
bool log_command_open (struct log_command *command, int *status);

/* Tells of an option that makes no sense and finishes the command; returns the exit status.  Takes
 * the error. */
int log_command_refuse (struct log_command *command, GError *error);

/* Opens a log and looks at what it is; it is to be read next. */
enum log_format log_command_look (struct log_command *command, const char *path);

/* Tells why nothing can be made of the eventlog that was looked at, and gives it up.  Returns the
 * exit status. */
int log_command_refuse_eventlog (struct log_command *command, const char *path, const char *why);

/* The same for a log of Mono, or what is no log. */
int log_command_refuse_mono (struct log_command *command, const char *path, const char *why);

/* Do the options that choose mean something in the log that was looked at?  If not, it is refused
 * like that. */
bool log_command_can_choose (struct log_command *command, const char *path, enum log_format format);

/* What reading a log calls for every item, and, if there is any, for damage of the compression.
 * `text` is for output: what it holds is written out after the call.  False stops. */
struct log_handler {
  void (*item) (void *data, const struct mlpd_item *item, GString *text);
  void (*damage) (void *data, bool truncated, const char *message, GString *text);
};

/* Reads one log and warns of damage on stderr.  Returns the exit status so far. */
int log_command_read (struct log_command *command, const char *path,
                      const struct log_handler *handler, void *data);

/* What is called for the events of an eventlog in order of time: see log_command_order_eventlog. */
struct ghc_order_handler {
  void (*choice) (void *data, const struct ghc_choice *choice); /* before anything else */
  void (*begin) (void *data, const struct ghc_header *header, GString *text);
  void (*item) (void *data, const struct ghc_item *item, GString *text);
  void (*end) (void *data, uint64_t events, GString *text);
  /* Gets the texts in order, from the caller's thread; false stops.  NULL: they are output. */
  bool (*take) (void *data, const GString *text);
  bool all_times; /* not only those that are chosen */
};

/* The same for an eventlog.  The choice is made for the log. */
struct ghc_handler {
  void (*choice) (void *data, struct ghc_choice *choice); /* before the first item; NULL: none */
  void (*item) (void *data, const struct ghc_item *item, GString *text);
  void (*damage) (void *data, bool truncated, const char *message, GString *text);
  /* Takes events of a block at once, and tells how many bytes they are; NULL: items come alone. */
  void (*span) (void *data, struct ghc_span *span);
  /* Gets all events once more, in order of time, when the log was read; its `choice` is not called.
   * NULL: they are not wanted. */
  const struct ghc_order_handler *ordered;
};
int log_command_read_eventlog (struct log_command *command, const char *path,
                               const struct ghc_handler *handler, void *data);

/* Reads an eventlog and calls for its events in order of time, on all cores: `item` comes from any
 * thread, each with a text of its own, which is written out in order.  `end` gets the number of
 * events that `begin`'s log has; a file may hold several logs. */
int log_command_order_eventlog (struct log_command *command, const char *path,
                                const struct ghc_order_handler *handler, void *data);

/* Reads a Mono log into a summary, what is selected of it, on all cores: nothing is called for
 * items.  The summary is not finished.  `objects` is its option of this name. */
int log_command_summarize (struct log_command *command, const char *path, struct summary *summary,
                           struct object_filter *objects);

/* The same for an eventlog; `wants`: see ghc_summary_init.  The summary is made, and is to be
 * cleared in any case. */
int log_command_summarize_eventlog (struct log_command *command, const char *path,
                                    struct ghc_summary *summary, unsigned wants);

/* Tells on stderr that of so many `things` nothing was chosen. */
void log_command_tell_nothing (const struct log_command *command, const char *log_name,
                               uint64_t count, const char *things);

/* Tells of damage of a log on stderr. */
void log_command_warn (struct log_command *command, const char *log_name, const char *message);

/* Ends the output and frees the command.  `status` is what the logs came to. */
int log_command_finish (struct log_command *command, int status);

#endif
