/* heap-growth.h -- how the objects of each class come and go from heap shot to heap shot. */
#ifndef PROFLOG_HEAP_GROWTH_H
#define PROFLOG_HEAP_GROWTH_H

#include "decoder/analyses/summary.h"

/* Objects of a class in each shot that is whole, in order. */
struct heap_series {
  char *name;
  const char *image; /* NULL: not told; the symbols' */
  struct type_sum *shots;
  double slope; /* bytes a second, of the straight line that fits best; 0 with one shot */
  /* If there are more and more of them: place of the last shot before that began, since which no
   * shot has fewer than the one before, nor do three in a row have the same; else
   * HEAP_NOT_GROWING. */
  guint since;
};
#define HEAP_NOT_GROWING G_MAXUINT

struct heap_growth {
  guint n_shots;
  guint left_out;         /* shots that are not complete */
  guint *indexes;         /* of the shots */
  uint64_t *times;        /* of their starts */
  struct heap_series all; /* of all classes */
  GPtrArray *classes;     /* of struct heap_series */
  GHashTable *by_name;    /* key: heap_series_key; borrowed */
};

/* Of a summary that is finished, which must stay as long: of its whole shots up to the one with an
 * index; 0: of all. */
void heap_growth_init (struct heap_growth *growth, const struct summary *summary, guint last);
void heap_growth_clear (struct heap_growth *growth);

/* The series of a class; NULL if there is none. */
const struct heap_series *heap_growth_find (const struct heap_growth *growth, const char *name,
                                            const char *image);

#endif
