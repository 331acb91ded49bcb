/* log-passes.h -- the passes over a log that a summary needs. */
#ifndef PROFLOG_LOG_PASSES_H
#define PROFLOG_LOG_PASSES_H

#include "decoder/log/log-command.h"
#include "decoder/mlpd/analyses/summary.h"
#include "decoder/mlpd/analyses/survival.h"
#include "decoder/mlpd/model/traces.h"
#include "decoder/mlpd/query/leaks.h"

/* ---- suspected leaks of a log ---- */

/* For the page of its report, and where their objects were allocated.
 *
 * A class may be allocated in many places, so a log is read again, and the objects of each suspect
 * are followed from their allocations to the heap snapshot that has them. */

/* The names of growing classes, and how roots lead to their objects (char * to char *; transfer
 * full). The summary is that of the log, which is read again if it has classes that grow; NULL: it
 * is damaged, a pipe, or its last snapshot has too many objects for a report. */
GHashTable *log_suspects_of (struct log_command *command, const char *path,
                             const struct summary *summary);

/* Those of each suspect, in the order of leak_suspects_new (of struct leak_site; transfer full).
 * NULL: the log is damaged, a pipe or a part of one, its allocations are sampled, or each class was
 * allocated in one place alone. */
GArray *log_leak_sites (struct log_command *command, const char *path, struct summary *summary,
                        const struct shot_leaks *leaks);

/* Objects of a class that were allocated in one place. */
struct object_sites {
  guint klass; /* of the graph */
  guint trace; /* a backtrace of the summary */
  guint count;
};

/* Those of a heap snapshot whose allocations are in the log (of struct object_sites; transfer
 * full); NULL as of log_leak_sites. */
GArray *log_object_sites (struct log_command *command, const char *path, struct summary *summary,
                          const struct heap_graph *graph);

/* ---- allocated objects of a Mono log, in order of time ---- */

/* The symbols and sums that a log is read into, or was before. */
struct survival_model {
  struct symbols *symbols;
  struct traces *traces;
  bool has_names; /* the symbols have those of the log already */
  /* NULL, or of the log: where its scan had bins, the buffers are known, and the log is read once
   * less. */
  struct summary *summary;
  /* NULL, or called for each object of a heap snapshot whose allocation is known. */
  void (*in_shot) (void *data, guint shot, uint64_t object, guint row);
  void *in_shot_data;
};

/* Reads a log.  The allocations that the command selects count; they are followed over all of the
 * log.  Returns the exit status; with another one than CLI_OK there was a message.  The survival is
 * to be cleared in any case. */
int log_survival_read (struct log_command *command, const char *path,
                       const struct survival_model *model, struct survival *survival);

/* ---- spans of the program, in order of time ---- */

/* Reads a log again whose summary, which is finished, has spans that are requested (scan_options),
 * for their costs: of the threads and times that the command selects.  The costs are the summary's.
 * Nothing is read if it has none, or cannot be read twice.  Returns the exit status. */
int log_spans_read (struct log_command *command, const char *path, struct summary *summary);

#endif
