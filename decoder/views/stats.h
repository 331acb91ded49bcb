/* stats.h -- lines of a summary as GHC programs print it with +RTS -s, for logs of both
 * runtimes.
 */
#ifndef PROFLOG_STATS_H
#define PROFLOG_STATS_H

#include "decoder/views/section.h"

void stats_line (const struct report *report, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* With commas (transfer full). */
char *stats_number (uint64_t number);

/* A number to the right, as wide as +RTS -s has it, and a phrase. */
void stats_put_number (const struct report *report, uint64_t number, const char *phrase);

/* The memory in use at most. */
void stats_put_memory (const struct report *report, uint64_t bytes);

/* The titles of the columns of generations, after an empty line. */
void stats_put_generation_titles (const struct report *report);

/* "0.002s     0.0001s    0.0002s": the sum of pauses, their average and the longest (transfer
 * full). */
char *stats_pauses (uint64_t total_ns, uint64_t count, uint64_t max_ns);

/* Times in the program and in the collector, `note` behind one of them (NULL: none). */
void stats_put_time (const struct report *report, const char *name, uint64_t ns, const char *note);

/* Bytes allocated in a second of the program's time, and the share that this has. */
void stats_put_rate (const struct report *report, uint64_t allocated, uint64_t mutator_ns);
void stats_put_productivity (const struct report *report, uint64_t mutator_ns, uint64_t total_ns);

#endif
