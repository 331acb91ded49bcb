/* section-parts.h -- parts of sections that logs of both formats have. */
#ifndef PROFLOG_SECTION_PARTS_H
#define PROFLOG_SECTION_PARTS_H

#include "decoder/core/durations.h"
#include "decoder/core/heap-sizes.h"
#include "decoder/core/marks.h"
#include "decoder/views/result.h"
#include "decoder/views/section.h"

/* ---- results ---- */

/* The shapes that a section has of the table (transfer container); none: the table is of another
 * section. */
GPtrArray *section_shapes (const struct section *section, const struct result_table *table);

/* The rate per second of `sum` in the selected time of a Mono log, of at most three digits in text;
 * unknown in a log of no time. */
void section_put_rate (const struct report *report, enum result result, bool is_shown,
                       uint64_t sum);

/* States that a sum in the open object was too large for 64 bits, if it is at its maximum. */
void section_put_overflow (const struct report *report, enum result result, uint64_t sum);

/* ---- estimates from samples ---- */

/* The bounds of 95 % of a part of a whole, of `samples` samples of one weight (chance.h). */
struct section_interval {
  uint64_t low, high;
  char error[16]; /* for people: half of it, in percents of the whole; empty: less than a tenth of
                   * the part */
};
struct section_interval section_interval (uint64_t part, uint64_t whole, double samples);

/* The same of an amount that was estimated with this variance; the error is in percents of it. */
struct section_interval section_estimate (uint64_t amount, double variance);

/* Its columns beside that of the part, NAME or NAME_UNIT; RAW: for programs only. */
#define SECTION_INTERVAL_RAW(name, unit, type)                                                     \
  { name "_low" unit, NULL, type },                                                                \
  {                                                                                                \
    name "_high" unit, NULL, type                                                                  \
  }
#define SECTION_INTERVAL(name, unit, type)                                                         \
  { NULL, "±", EMIT_TEXT }, SECTION_INTERVAL_RAW (name, unit, type)
#define SECTION_INTERVAL_CELLS(interval)                                                           \
  { .text = (interval).error[0] != 0 ? (interval).error : NULL }, { .number = (interval).low },    \
  {                                                                                                \
    .number = (interval).high                                                                      \
  }

/* ---- histograms of durations ---- */

/* The columns that such tables end with; the last is a bar for people. */
/* clang-format off */
#define HISTOGRAM_COLUMNS                                                                          \
  { "from_ns", "From ms", EMIT_NS }, { "to_ns", "Below ms", EMIT_NS },                             \
  { "count", "Count", EMIT_NUMBER }, { "total_ns", "Total ms", EMIT_NS }, { NULL, "Share", EMIT_TEXT }
/* clang-format on */

/* Adds a row for each step from the shortest duration to the longest.  Rows begin with the cell
 * `first`; NULL: with the columns above. */
void section_add_histogram (struct table *table, const union emitter_value *first,
                            const struct durations *durations);

/* Puts the sum of all pauses, their percentiles and the longest: values for programs. */
void section_put_pause_values (struct emitter *emitter, const struct durations *pauses);

/* ---- the size of the heap before and after collections, by generation ---- */

extern const struct table_shape section_heap_sizes_shape;

/* A row for a generation (an EMIT_ANY cell), unless there is nothing to report. */
void section_add_heap_sizes (struct table *table, const struct emitter_any *generation,
                             const struct heap_sizes *sizes);

/* ---- the section "damage" ---- */

/* The values of the section. */
struct report_damage {
  uint64_t damages;
  bool truncated;
  uint64_t missing_bytes, skipped_bytes, lost_events;
  GPtrArray *messages;                                      /* of char * */
  void (*put_more) (const struct report *report, bool any); /* NULL: nothing */
};

void section_put_damage (const struct report *report, const struct report_damage *damage);

/* ---- the section "marks" ---- */

extern const struct table_shape section_mark_names_shape;
extern const struct table_shape section_mark_intervals_shape;

/* Writes the figures of threads with intervals (of struct mark_thread). */
typedef void section_put_mark_threads (const struct report *report, const GArray *threads);

/* Rates are for this duration; times count from `zero`.  `put_threads` may be NULL. */
void section_put_marks (const struct report *report, struct marks *marks, uint64_t duration_ns,
                        uint64_t zero, section_put_mark_threads *put_threads);

#endif
