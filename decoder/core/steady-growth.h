/* steady-growth.h -- whether a size grows, and goes on to do so. */
#ifndef PROFLOG_STEADY_GROWTH_H
#define PROFLOG_STEADY_GROWTH_H

#include <stdbool.h>

/* Sizes that growth is seen in, at least; more than STEADY_GROWTH_PARTS need not be compared. */
enum { STEADY_GROWTH_MIN = 3, STEADY_GROWTH_PARTS = 8 };

/* Sizes at even distances of time, or their means in parts of one length: do they grow to the last
 * one? They do not if they are as before at the end (a cache that is full), fell, grew mostly in
 * the first half (a program that fetches its data), or once more than once shrank. */
bool steady_growth (const double *sizes, unsigned n);

#endif
