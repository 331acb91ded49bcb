/* waits.h -- on what threads waited.
 *
 * Samples of the wall clock state it of all threads.  The kind of a wait follows from the innermost
 * frame, or from the name of the native function, by the rules of wait-kinds.c.  The method is the
 * innermost one that no rule is about: the one that called what waits.  Wrappers are no methods.
 * Where contention was recorded, too, the object of a lock is that of the wait that the hit is in.
 *
 * Without such samples, the waits are those of contention alone: for locks, as the section monitors
 * has them.
 */
#ifndef PROFLOG_WAITS_H
#define PROFLOG_WAITS_H

#include "decoder/mlpd/analyses/summary.h"
#include "decoder/mlpd/model/wait-kinds.h"

struct wait {
  enum wait_kind kind;
  const char *method; /* the waits'; NULL: the log has no backtrace */
  const char *object; /* the class of the lock, likewise; NULL: unknown */
  uint64_t thread;
  uint64_t ns;
  uint64_t count; /* hits that found the thread waiting; waits for locks */
};

struct waits {
  const char *source; /* "samples" or "monitors"; NULL: the log has neither */
  uint64_t total_ns;
  GArray *all; /* of struct wait, one of each kind, method, object and thread */
  GStringChunk *names;
};

/* The waits of a log, after summary_finish. */
void waits_init (struct waits *waits, const struct summary *summary);
void waits_clear (struct waits *waits);

#endif
