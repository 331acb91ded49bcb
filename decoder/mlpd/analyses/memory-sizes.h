/* memory-sizes.h -- the parts of the process's memory over time, as counters of our module state
 * them (proflog/memory-parts.h).
 *
 * A reading is the state from its time on.  Their number is bounded: when there are too many, two
 * neighbours become one, which has the parts of the one with more memory.
 */
#ifndef PROFLOG_MEMORY_SIZES_H
#define PROFLOG_MEMORY_SIZES_H

#include <glib.h>
#include <proflog/memory-parts.h>
#include <proflog/mlpd.h>
#include <stdbool.h>

#define MEMORY_READINGS_MAX 4096

/* Quarters of the time from the first reading to the last. */
#define MEMORY_QUARTERS 4

struct memory_parts {
  uint64_t bytes[MEMORY_PART_COUNT];
};

struct memory_reading {
  uint64_t time;
  uint64_t least;            /* resident, of those that became one */
  struct memory_parts parts; /* of the one that had most resident */
};

struct memory_sizes {
  GHashTable *counters; /* uint64_t index -> enum memory_part + 1 */
  struct memory_parts now;
  GArray *readings;         /* of struct memory_reading */
  struct memory_parts last; /* of the last one */
  uint64_t last_time;
  guint stride, added; /* readings that become one; of the newest, so far */
};

extern const struct analysis memory_sizes_analysis;

void memory_sizes_init (struct memory_sizes *sizes);
void memory_sizes_clear (struct memory_sizes *sizes);

/* Counters that may be parts. */
void memory_sizes_describe (struct memory_sizes *sizes,
                            const struct mlpd_sample_counters_desc *event);

/* Values of counters.  `counts`: they are in the selected part of the log; `repeated`: they are no
 * differences. */
void memory_sizes_update (struct memory_sizes *sizes, const struct mlpd_sample_counters *event,
                          uint64_t time, bool counts, bool repeated);

/* The memory that is none of the parts.  Parts that the runtime has, but not used yet, are not
 * resident: so it is the least that it can be. */
uint64_t memory_sizes_rest (const struct memory_parts *parts);

/* The heap of the runtime: all generations. */
uint64_t memory_sizes_heap (const struct memory_parts *parts);

/* The time at which a quarter begins; that of quarter 4 is the end. */
uint64_t memory_sizes_quarter (const struct memory_sizes *sizes, guint quarter);

/* The least and the most resident within the times, and the parts when it was most; the state at
 * the first of them counts.  False: it is not known. */
bool memory_sizes_in (const struct memory_sizes *sizes, uint64_t from, uint64_t to,
                      struct memory_reading *range);

#endif
