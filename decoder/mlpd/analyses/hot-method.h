/* hot-method.h -- the program's own method that used the processor most.
 *
 * A hit belongs to the innermost method of its stack that is the program's own: the time of the
 * library and of native code that it called is its own, too.
 */
#ifndef PROFLOG_HOT_METHOD_H
#define PROFLOG_HOT_METHOD_H

#include "decoder/mlpd/analyses/samples.h"

struct hot_method {
  guint method;
  uint64_t hits;   /* of running threads that belong to it */
  uint64_t of;     /* hits of the program in all */
  bool has_caller; /* another method of the program called it in most of them */
  guint caller;
};

/* The hits of running threads by the method that they belong to, by its symbol (transfer full),
 * after samples_resolve; *others: those that belong to none.  Together they are the program's own
 * hits. */
uint64_t *hot_method_hits (const struct samples *samples, const struct symbols *symbols,
                           uint64_t *others);

/* The method that most hits belong to, after samples_resolve.  False if none has a hit. */
bool hot_method_find (const struct samples *samples, const struct symbols *symbols,
                      struct hot_method *hot);

#endif
