/* histogram-rows.h -- histograms of durations, in tables of both formats. */
#ifndef PROFLOG_HISTOGRAM_ROWS_H
#define PROFLOG_HISTOGRAM_ROWS_H

#include "decoder/core/durations.h"
#include "decoder/views/section.h"

/* The columns that such tables end with; the last is a bar for people. */
/* clang-format off */
#define HISTOGRAM_COLUMNS                                                                          \
  { "from_ns", "From ms", EMIT_NS }, { "to_ns", "Below ms", EMIT_NS },                             \
  { "count", "Count", EMIT_NUMBER }, { "total_ns", "Total ms", EMIT_NS }, { NULL, "Share", EMIT_TEXT }
/* clang-format on */

/* Adds a row for each step from the shortest duration to the longest.  Rows begin with the cell
 * `first`; NULL: with the columns above. */
void histogram_add_rows (struct table *table, const union emitter_value *first,
                         const struct durations *durations);

/* Puts the sum of all pauses, their percentiles and the longest: values for programs. */
void histogram_put_pauses (struct emitter *emitter, const struct durations *pauses);

#endif
