/* counter-state.h -- what a log knows of counters, so that the next one can be told of them.
 *
 * Events of counters say by how much these changed.  A file that follows another begins with what
 * they had come to.
 */
#ifndef PROFLOG_COUNTER_STATE_H
#define PROFLOG_COUNTER_STATE_H

#include <proflog/mlpd.h>
#include <stddef.h>

/* One piece of malloc, with all texts of values; the descriptions stay for ever. */
struct counter_state {
  size_t count;
  const struct mlpd_counter *described;
  struct mlpd_counter_value values[]; /* of these, in turn: what they are, not how they changed */
};

#endif
