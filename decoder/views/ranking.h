/* ranking.h -- which rows a table shows, and in what order: the largest first. */
#ifndef PROFLOG_RANKING_H
#define PROFLOG_RANKING_H

#include <glib.h>
#include <stdint.h>

struct rank {
  guint index; /* of what is ranked, in its own array */
  uint64_t key, second_key;
};

struct ranking {
  GArray *ranks; /* of struct rank */
  guint shown;   /* of them, after ranking_sort */
};

void ranking_init (struct ranking *ranking);
void ranking_clear (struct ranking *ranking);
void ranking_add (struct ranking *ranking, guint index, uint64_t key, uint64_t second_key);

/* Sorts by key, then second key, both the largest first, then index.  At most `limit` are to be
 * shown, 0 for all. */
void ranking_sort (struct ranking *ranking, guint limit);

/* The index at a place below `shown`. */
guint ranking_at (const struct ranking *ranking, guint place);

/* How many are not shown. */
guint ranking_more (const struct ranking *ranking);

#endif
