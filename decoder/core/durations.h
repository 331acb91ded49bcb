/* durations.h -- how long things last, such as pauses and waits: percentiles and a histogram.
 *
 * Durations are counted in classes, so memory does not grow with their number.
 */
#ifndef PROFLOG_DURATIONS_H
#define PROFLOG_DURATIONS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct duration_counts;

struct durations {
  uint64_t count;
  uint64_t total_ns;
  uint64_t max_ns;
  struct duration_counts *counts; /* NULL: there is none */
};

void durations_clear (struct durations *durations);
void durations_add (struct durations *durations, uint64_t ns);
void durations_merge (struct durations *to, const struct durations *from);

/* The duration that this many thousandths of all do not exceed, in ns: exact below 256 ns and at
 * 1000, else at most 0.8 % too long.  0 if there is none. */
uint64_t durations_at (const struct durations *durations, unsigned thousandths);

/* 0 if there is none. */
uint64_t durations_mean (const struct durations *durations);

/* Steps of a histogram: below 1 us, then three steps to each power of ten (1, 2 and 5), and all
 * from 1000 s on. */
enum { DURATION_STEPS = 29 };

struct duration_step {
  uint64_t from_ns, to_ns; /* from <= duration < to; the last step ends after the longest */
  uint64_t count;
  uint64_t total_ns;
};

struct duration_step durations_step (const struct durations *durations, unsigned step);

/* The first step that has any, and the one after the last; false if there is none. */
bool durations_steps (const struct durations *durations, unsigned *first, unsigned *end);

#endif
