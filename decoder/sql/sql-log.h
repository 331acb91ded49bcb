/* sql-log.h -- the logs that a connection queries, and the facts that are known of them.
 */
#ifndef PROFLOG_SQL_LOG_H
#define PROFLOG_SQL_LOG_H

#include "decoder/exports/export-stacks.h"
#include "decoder/ghc/index/ghc-block-index.h"
#include "decoder/heap/heap-dominators.h"
#include "decoder/input/log-input.h"
#include "decoder/mlpd/index/buffers.h"
#include "decoder/mlpd/model/symbols.h"
#include "decoder/views/compare/runs.h"

/* A heap snapshot. */
struct sql_heap {
  unsigned references;
  guint shot;
  struct heap_graph *graph;
  struct heap_dominators *dominators;
};

/* Takes the graph. */
struct sql_heap *sql_heap_new (struct heap_graph *graph, guint shot);
struct sql_heap *sql_heap_ref (struct sql_heap *heap);
void sql_heap_unref (struct sql_heap *heap);

/* The functions of the logs' owner. */
struct sql_log_source {
  /* Opens the log from its beginning; NULL with an error. */
  struct log_input *(*open) (void *data, const char *name, GError **error);
  /* The figures of its report; NULL with an error. */
  struct run_figures *(*figures) (void *data, const char *name, bool is_eventlog, GError **error);
  /* The stacks of a kind, or of all (NULL): of struct export_named_stacks (transfer full).  NULL
   * with an error. */
  GPtrArray *(*stacks) (void *data, const char *name, bool is_eventlog, const char *kind,
                        GError **error);
  /* A cursor has read this many bytes of the log that was opened last.  NULL: not needed. */
  void (*progress) (void *data, uint64_t bytes);
  void *data;
};

struct sql_log {
  char *name;
  bool is_eventlog;
  const struct sql_log_source *source;
  /* Of Mono, when it was needed: */
  bool has_names, names_change; /* an address was announced with two names */
  struct symbols names;         /* all of the log */
  bool has_blocks;
  struct ghc_block_index *blocks; /* of an eventlog; NULL: there is no file of one beside it */
  bool has_index, has_cached;     /* there was a search for it: all of it, the file of one */
  struct buffer_index *index;     /* NULL: it cannot be read anywhere */
  struct sql_heap *heap;          /* the latest snapshot */
  bool has_shots;
  guint shots;        /* how many the log has */
  guint missing_shot; /* one that it does not have whole; 0: none is known */
  /* When it was needed: */
  struct run_figures *figures;
  uint64_t damages;   /* found by the cursor that found most */
  char *first_damage; /* that was found; NULL: none was */
};

/* Detects the format; NULL with an error if it cannot be opened. */
struct sql_log *sql_log_new (const char *name, const struct sql_log_source *source, GError **error);
void sql_log_free (struct sql_log *log);

/* A cursor found this as its damage number `n`, from 1 on. */
void sql_log_add_damage (struct sql_log *log, uint64_t n, const char *message);

/* Frees all that was read of the log and can be read again.  No cursor may be on it. */
void sql_log_forget (struct sql_log *log);

/* Opens the log.  NULL with an error. */
struct log_input *sql_log_open (struct sql_log *log, GError **error);

/* Reports how far reading a log is. */
void sql_log_progress (const struct sql_log *log, uint64_t bytes);

/* The figures of its report, once.  NULL with an error. */
struct run_figures *sql_log_figures (struct sql_log *log, GError **error);

#endif
