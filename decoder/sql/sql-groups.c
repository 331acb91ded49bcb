/* sql-groups.c -- a hash table of rows, with open addressing. */
#include "config.h"

#include "decoder/sql/sql-groups.h"
#include <glib.h>
#include <string.h>

struct group {
  uint64_t hash, count;
  struct sql_value values[]; /* their bytes follow */
};

struct sql_groups {
  unsigned columns;
  bool is_once;
  struct group **places; /* NULL: free */
  size_t room, used;     /* of these; a power of 2 */
  bool is_sorted;        /* they are in order from the first place on */
  size_t at;             /* if sorted: the place of the row */
  uint64_t left;         /* if sorted: the number of places after it */
};

struct sql_groups *
sql_groups_new (unsigned columns, bool is_once)
{
  struct sql_groups *g = sqlite3_malloc (sizeof *g);
  if (g != NULL)
    *g = (struct sql_groups){ .columns = columns, .is_once = is_once };
  return g;
}

void
sql_groups_free (struct sql_groups *g)
{
  if (g == NULL)
    return;
  for (size_t i = 0; i < g->room; i++)
    sqlite3_free (g->places[i]);
  sqlite3_free (g->places);
  sqlite3_free (g);
}

/* ---- rows ---- */

static uint64_t
mix (uint64_t hash, uint64_t value)
{
  hash = (hash ^ value) * UINT64_C (0x9E3779B97F4A7C15);
  return hash ^ hash >> 32;
}

static uint64_t
hash_bytes (uint64_t hash, const uint8_t *bytes, size_t length)
{
  uint64_t part = 0;
  for (; length >= sizeof part; length -= sizeof part, bytes += sizeof part) {
    memcpy (&part, bytes, sizeof part);
    hash = mix (hash, part);
  }
  part = 0;
  if (length != 0)
    memcpy (&part, bytes, length);
  return mix (hash, part);
}

static uint64_t
hash_row (const struct sql_groups *g, const struct sql_value *row)
{
  uint64_t hash = 0;
  for (unsigned i = 0; i < g->columns; i++) {
    hash = mix (hash, row[i].type);
    if (row[i].type >= SQL_TEXT)
      hash = hash_bytes (hash, row[i].bytes, row[i].length);
    else if (row[i].type != SQL_NULL)
      hash = mix (hash, (uint64_t) row[i].number); /* a real one by its bits */
  }
  return hash;
}

static bool
is_same (const struct sql_groups *g, const struct sql_value *a, const struct sql_value *b)
{
  for (unsigned i = 0; i < g->columns; i++)
    if (a[i].type != b[i].type || sql_value_compare (&a[i], &b[i]) != 0)
      return false;
  return true;
}

static struct group *
new_group (const struct sql_groups *g, const struct sql_value *row, uint64_t hash)
{
  const size_t head = sizeof (struct group) + g->columns * sizeof *row;
  size_t bytes = head;
  for (unsigned i = 0; i < g->columns; i++)
    bytes += row[i].type >= SQL_TEXT ? row[i].length : 0;
  struct group *group = sqlite3_malloc64 (bytes);
  if (group == NULL)
    return NULL;
  char *at = (char *) group + head;
  group->hash = hash;
  group->count = 0;
  for (unsigned i = 0; i < g->columns; i++) {
    struct sql_value *value = &group->values[i];
    *value = row[i];
    value->owned = NULL;
    if (value->type < SQL_TEXT)
      continue;
    if (value->length != 0)
      memcpy (at, row[i].bytes, value->length);
    value->bytes = at;
    at += value->length;
  }
  return group;
}

/* ---- the table ---- */

/* That of the row, or a free one. */
static struct group **
find_place (const struct sql_groups *g, const struct sql_value *row, uint64_t hash)
{
  size_t i = hash & (g->room - 1);
  while (g->places[i] != NULL
         && (g->places[i]->hash != hash || !is_same (g, g->places[i]->values, row)))
    i = (i + 1) & (g->room - 1);
  return &g->places[i];
}

static bool
grow (struct sql_groups *g)
{
  struct sql_groups larger = *g;
  larger.room = MAX (64, 2 * g->room);
  larger.places = sqlite3_malloc64 (larger.room * sizeof *larger.places);
  if (larger.places == NULL)
    return false;
  memset (larger.places, 0, larger.room * sizeof *larger.places);
  for (size_t i = 0; i < g->room; i++)
    if (g->places[i] != NULL)
      *find_place (&larger, g->places[i]->values, g->places[i]->hash) = g->places[i];
  sqlite3_free (g->places);
  *g = larger;
  return true;
}

bool
sql_groups_add (struct sql_groups *g, const struct sql_value *row)
{
  if (2 * g->used >= g->room && !grow (g))
    return false;
  const uint64_t hash = hash_row (g, row);
  struct group **place = find_place (g, row, hash);
  if (*place == NULL) {
    *place = new_group (g, row, hash);
    if (*place == NULL)
      return false;
    g->used++;
  }
  (*place)->count++;
  return true;
}

/* ---- handing out ---- */

static int
compare_groups (const void *a, const void *b, void *data)
{
  const struct sql_groups *g = data;
  const struct group *const *x = a, *const *y = b;
  int order = 0;
  for (unsigned i = 0; i < g->columns && order == 0; i++)
    order = sql_value_compare (&(*x)->values[i], &(*y)->values[i]);
  return order;
}

static void
sort (struct sql_groups *g)
{
  size_t n = 0;
  for (size_t i = 0; i < g->room; i++)
    if (g->places[i] != NULL)
      g->places[n++] = g->places[i];
  g->room = n;
  if (n > 1)
    g_qsort_with_data (g->places, (gint) n, sizeof *g->places, compare_groups, g);
  g->is_sorted = true;
}

bool
sql_groups_next (struct sql_groups *g)
{
  const bool is_first = !g->is_sorted;
  if (is_first)
    sort (g);
  else if (g->left != 0) {
    g->left--;
    return true;
  } else if (g->at < g->room) {
    g->at++;
  }
  if (g->at >= g->room)
    return false;
  g->left = g->is_once ? 0 : g->places[g->at]->count - 1;
  return true;
}

const struct sql_value *
sql_groups_value (const struct sql_groups *g, unsigned column)
{
  return &g->places[g->at]->values[column];
}
