/* halves.h -- two halves of some work, the second in a thread of its own. */
#ifndef PROFLOG_HALVES_H
#define PROFLOG_HALVES_H

#include <stdbool.h>

/* Calls the function with both, at the same time if `is_large` and there is a thread to be had.
 * Returns after both. */
void run_halves (void *(*work) (void *half), void *first, void *second, bool is_large);

#endif
