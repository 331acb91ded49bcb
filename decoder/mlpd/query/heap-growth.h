/* heap-growth.h -- how the objects of each class come and go from heap snapshot to heap snapshot.
 */
#ifndef PROFLOG_HEAP_GROWTH_H
#define PROFLOG_HEAP_GROWTH_H

#include "decoder/mlpd/analyses/summary.h"

/* Objects of a class in each snapshot that is whole, in order. */
struct heap_series {
  char *name;
  const char *image; /* NULL: unknown; the symbols' */
  struct type_sum *shots;
  double slope; /* bytes a second, of the straight line that fits best; 0 with one snapshot */
  /* If there are more and more of them for HEAP_GROWTH_SPAN: place of the last snapshot before that
   * began, since which no snapshot has fewer than the one before, nor do three in a row have the
   * same; else HEAP_NOT_GROWING. */
  guint since;
};
#define HEAP_NOT_GROWING G_MAXUINT

struct heap_growth {
  guint n_shots;
  guint left_out;         /* snapshots that are not complete */
  guint *indexes;         /* of the snapshots */
  uint64_t *times;        /* of their starts */
  struct heap_series all; /* of all classes */
  GPtrArray *classes;     /* of struct heap_series */
  GHashTable *by_name;    /* name and image -> struct heap_series; borrowed */
};

/* Of a summary that is finished, which must stay as long: of its whole snapshots up to the one with
 * an index; 0: of all. */
void heap_growth_init (struct heap_growth *growth, const struct summary *summary, guint last);
void heap_growth_clear (struct heap_growth *growth);

/* Nanoseconds.  What grows for less may be a program that fetches its data, however many snapshots
 * are taken meanwhile. */
#define HEAP_GROWTH_SPAN 250000000

/* Nanoseconds from a snapshot, by its place, to the last one. */
int64_t heap_growth_span (const struct heap_growth *growth, guint since);

/* Snapshots before the last one in which growth has to go on: the one before may be as the last. */
#define HEAP_GROWTH_END 2

/* Does growth from `before` to `now` in `steps` steps go on in the last `late_steps`, since there
 * were `late`?  A collection that is full by then grows no more. */
bool heap_growth_goes_on (uint64_t before, uint64_t late, uint64_t now, guint steps,
                          guint late_steps);

/* The series of a class; NULL if there is none. */
const struct heap_series *heap_growth_find (const struct heap_growth *growth, const char *name,
                                            const char *image);

#endif
