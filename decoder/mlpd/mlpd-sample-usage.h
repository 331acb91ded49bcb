/* mlpd-sample-usage.h -- the event after a hit that states whether its thread ran, and the source
 * lines of its frames. */
#ifndef PROFLOG_MLPD_SAMPLE_USAGE_H
#define PROFLOG_MLPD_SAMPLE_USAGE_H

#include <proflog/mlpd.h>
#include <stdbool.h>

/* Of the thread of a hit, since the thread's previous hit. */
struct mlpd_sample_usage {
  uint64_t elapsed_ns;      /* 0: the log does not state it */
  uint64_t cpu_ns;          /* of these */
  struct mlpd_string lines; /* of the frames of the hit; empty: the log does not state them */
};

/* The usage that the event states.  False if it is another event. */
bool mlpd_sample_usage_of (enum mlpd_kind kind, const union mlpd_payload *payload,
                           struct mlpd_sample_usage *usage);

/* Whether values of this index are of such an event, or of one about a lock, a span or native
 * memory: they are no counter. */
bool mlpd_is_sample_usage (uint64_t index);

#endif
