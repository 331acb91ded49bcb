/* waits.h -- on what the threads waited that samples of the wall clock found waiting.
 *
 * The kind of a wait follows from the innermost frame, or from the name of the native function, by
 * the rules of wait-rules.def.  The method is the innermost one that no rule is about: the one that
 * called what waits.  Wrappers are no methods.
 */
#ifndef PROFLOG_WAITS_H
#define PROFLOG_WAITS_H

#include "decoder/mlpd/analyses/summary.h"
#include "decoder/mlpd/model/wait-kinds.h"

struct wait {
  enum wait_kind kind;
  const char *method; /* the waits' */
  uint64_t thread;
  uint64_t ns;
  uint64_t count; /* hits that found the thread waiting */
};

struct waits {
  GArray *all; /* of struct wait, one of each kind, method and thread */
  GStringChunk *names;
};

/* The waits of a log, after summary_finish. */
void waits_init (struct waits *waits, const struct summary *summary);
void waits_clear (struct waits *waits);

#endif
