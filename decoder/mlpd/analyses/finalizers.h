/* finalizers.h -- how often and how long finalizers ran, by thread.
 *
 * A phase lasts from FINALIZE_START to FINALIZE_END on one thread, an object's finalizer from
 * FINALIZE_OBJECT_START to the next FINALIZE_OBJECT_END there.
 */
#ifndef PROFLOG_FINALIZERS_H
#define PROFLOG_FINALIZERS_H

#include <glib.h>
#include <proflog/mlpd.h>
#include <stdbool.h>

/* Counted where it starts; one that does not end has no time. */
struct finalizer_span {
  uint64_t count;
  uint64_t total_ns;
  uint64_t max_ns;
  bool running;
  uint64_t start;
};

struct finalizer_sum {
  uint64_t thread; /* 0: of all threads */
  struct finalizer_span phases;
  struct finalizer_span objects;
};

struct finalizers {
  struct finalizer_sum all; /* its spans are never running */
  GPtrArray *threads;       /* of struct finalizer_sum *, in the order they come first */
  GHashTable *by_id;        /* uint64_t id -> struct finalizer_sum */
};

extern const struct analysis finalizers_analysis;

void finalizers_init (struct finalizers *finalizers);
void finalizers_clear (struct finalizers *finalizers);

void finalizers_start (struct finalizers *finalizers, uint64_t thread, uint64_t time);
void finalizers_end (struct finalizers *finalizers, uint64_t thread, uint64_t time);
void finalizers_object_start (struct finalizers *finalizers, uint64_t thread, uint64_t time);
void finalizers_object_end (struct finalizers *finalizers, uint64_t thread, uint64_t time);

#endif
