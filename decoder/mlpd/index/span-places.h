/* span-places.h -- on which threads and when spans of the program were. */
#ifndef PROFLOG_SPAN_PLACES_H
#define PROFLOG_SPAN_PLACES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct span_places;

struct span_places *span_places_new (void);
void span_places_free (struct span_places *places);

/* One was on the thread: from <= time <= to.  In any order. */
void span_places_add (struct span_places *places, uint64_t thread, uint64_t from, uint64_t to);

/* After the last one. */
void span_places_sort (struct span_places *places);

/* After that, from any thread. */
bool span_places_has (const struct span_places *places, uint64_t thread, uint64_t time);

#endif
