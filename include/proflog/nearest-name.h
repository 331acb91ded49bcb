/* nearest-name.h -- the known name that a word is a misspelling of.
 *
 * Nothing here allocates or depends on the locale.
 */
#ifndef PROFLOG_NEAREST_NAME_H
#define PROFLOG_NEAREST_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Longer words are not compared: they are no misspelling of a name. */
#define PROFLOG_NEAREST_LENGTH_MAX 32

/* A beginning has at least this many characters. */
#define PROFLOG_NEAREST_PREFIX_MIN 3

static inline unsigned
proflog_least_of_3 (unsigned a, unsigned b, unsigned c)
{
  const unsigned least = a < b ? a : b;
  return least < c ? least : c;
}

/* Insertions, deletions, replacements and swaps of neighbours that make b of a; both have at most
 * PROFLOG_NEAREST_LENGTH_MAX characters. */
static inline unsigned
proflog_edit_distance (const char *a, const char *b)
{
  unsigned rows[3][PROFLOG_NEAREST_LENGTH_MAX + 1];
  unsigned *before = rows[0], *last = rows[1], *row = rows[2];
  const size_t length = strlen (b);
  for (unsigned j = 0; j <= length; j++)
    last[j] = j;
  for (unsigned i = 1; a[i - 1] != 0; i++) {
    row[0] = i;
    for (unsigned j = 1; j <= length; j++) {
      row[j] = proflog_least_of_3 (last[j] + 1, row[j - 1] + 1,
                                   last[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]
          && before[j - 2] + 1 < row[j])
        row[j] = before[j - 2] + 1;
    }
    unsigned *const oldest = before;
    before = last;
    last = row;
    row = oldest;
  }
  return last[length];
}

/* The name that `word` is a misspelling or the only beginning of; NULL if none is near. */
static inline const char *
proflog_nearest_name (const char *word, const char *const *names, size_t count)
{
  const size_t length = strlen (word);
  const char *nearest = NULL, *longer = NULL;
  unsigned least = 1 + (unsigned) length / 4;
  bool is_only = true;
  if (length < 2 || length > PROFLOG_NEAREST_LENGTH_MAX)
    return NULL;
  for (size_t i = 0; i < count; i++) {
    const char *const name = names[i];
    if (strlen (name) > PROFLOG_NEAREST_LENGTH_MAX)
      continue;
    if (length >= PROFLOG_NEAREST_PREFIX_MIN && strncmp (name, word, length) == 0) {
      is_only = is_only && (longer == NULL || strcmp (longer, name) == 0);
      longer = name;
    }
    const unsigned distance = proflog_edit_distance (word, name);
    if (distance < least || (distance == least && nearest == NULL)) {
      least = distance;
      nearest = name;
    }
  }
  return nearest != NULL ? nearest : is_only ? longer : NULL;
}

#ifdef __cplusplus
}
#endif

#endif
