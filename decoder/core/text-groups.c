/* text-groups.c -- texts by group, in memory and in a temporary file. */
#include "config.h"

#include "decoder/core/text-groups.h"
#include "decoder/core/temporary-file.h"

#include <unistd.h>

/* Bytes of the file that are read at once. */
#define PART_BYTES ((size_t) 1 << 20)

/* A text in the file. */
struct extent {
  uint64_t offset, length;
};

struct group {
  uint64_t key;
  GString *waiting; /* text that is not in the file */
  GArray *extents;  /* of struct extent: text before that, in order; NULL: none */
};

struct text_groups {
  GHashTable *by_key; /* struct group, whose key is the key */
  size_t memory, waiting;
  int fd; /* -1: none yet */
  uint64_t size;
  GError *error; /* NULL: none; texts are lost after one */
};

static void
free_group (gpointer data)
{
  struct group *group = data;
  g_string_free (group->waiting, TRUE);
  g_clear_pointer (&group->extents, g_array_unref);
  g_free (group);
}

struct text_groups *
text_groups_new (size_t memory)
{
  struct text_groups *g = g_new0 (struct text_groups, 1);
  g->by_key = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, free_group);
  g->memory = memory;
  g->fd = -1;
  return g;
}

void
text_groups_free (struct text_groups *g)
{
  g_hash_table_unref (g->by_key);
  if (g->fd >= 0)
    close (g->fd);
  g_clear_error (&g->error);
  g_free (g);
}

/* ---- the file ---- */

/* Whether that was done: 0 is no error. */
static bool
check (struct text_groups *g, const char *problem, int error)
{
  if (error != 0)
    g->error = temporary_file_error (problem, error);
  return error == 0;
}

static bool
spill_group (struct text_groups *g, struct group *group)
{
  const struct extent extent = { g->size, group->waiting->len };
  if (extent.length == 0)
    return true;
  if (!check (g, "written",
              temporary_file_write (g->fd, extent.offset, group->waiting->str, extent.length)))
    return false;
  if (group->extents == NULL)
    group->extents = g_array_new (FALSE, FALSE, sizeof (struct extent));
  g_array_append_val (group->extents, extent);
  g->size += extent.length;
  /* A new one: memory goes to the groups that have texts next. */
  g_string_free (group->waiting, TRUE);
  group->waiting = g_string_new (NULL);
  return true;
}

static bool
spill (struct text_groups *g)
{
  GHashTableIter iter;
  gpointer group;
  if (g->fd < 0)
    g->fd = temporary_file_open (&g->error);
  g_hash_table_iter_init (&iter, g->by_key);
  while (g->error == NULL && g_hash_table_iter_next (&iter, NULL, &group))
    spill_group (g, group);
  g->waiting = 0;
  return g->error == NULL;
}

/* ---- groups ---- */

static struct group *
find_group (struct text_groups *g, uint64_t key)
{
  struct group *group = g_hash_table_lookup (g->by_key, &key);
  if (group != NULL)
    return group;
  group = g_new0 (struct group, 1);
  group->key = key;
  group->waiting = g_string_new (NULL);
  g_hash_table_insert (g->by_key, &group->key, group);
  return group;
}

bool
text_groups_add (struct text_groups *g, uint64_t key, const char *text, size_t length)
{
  if (g->error != NULL)
    return false;
  g_string_append_len (find_group (g, key)->waiting, text, (gssize) length);
  g->waiting += length;
  return g->waiting <= g->memory || spill (g);
}

static bool
put_extent (struct text_groups *g, const struct extent *extent, char *part,
            bool (*put) (void *data, const char *text, size_t length), void *data)
{
  for (uint64_t done = 0; done < extent->length;) {
    const size_t n = MIN (extent->length - done, PART_BYTES);
    if (!check (g, "read", temporary_file_read (g->fd, extent->offset + done, part, n))
        || !put (data, part, n))
      return false;
    done += n;
  }
  return true;
}

static bool
put_group (struct text_groups *g, const struct group *group, char *part,
           bool (*put) (void *data, const char *text, size_t length), void *data)
{
  for (guint i = 0; group->extents != NULL && i < group->extents->len; i++)
    if (!put_extent (g, &g_array_index (group->extents, struct extent, i), part, put, data))
      return false;
  return group->waiting->len == 0 || put (data, group->waiting->str, group->waiting->len);
}

static int
compare_groups (const void *a, const void *b)
{
  const struct group *x = *(struct group *const *) a, *y = *(struct group *const *) b;
  return x->key < y->key ? -1 : x->key > y->key;
}

bool
text_groups_each (struct text_groups *g, void (*begin) (void *data, uint64_t key),
                  bool (*put) (void *data, const char *text, size_t length), void *data,
                  GError **error)
{
  g_autofree char *part = g->fd >= 0 ? g_malloc (PART_BYTES) : NULL;
  g_autoptr (GPtrArray) groups = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer group;
  bool goes_on = g->error == NULL;
  g_hash_table_iter_init (&iter, g->by_key);
  while (g_hash_table_iter_next (&iter, NULL, &group))
    g_ptr_array_add (groups, group);
  if (groups->len != 0)
    qsort (groups->pdata, groups->len, sizeof groups->pdata[0], compare_groups);
  for (guint i = 0; goes_on && i < groups->len; i++) {
    const struct group *next = g_ptr_array_index (groups, i);
    begin (data, next->key);
    goes_on = put_group (g, next, part, put, data);
  }
  if (g->error == NULL)
    return true;
  g_propagate_error (error, g_error_copy (g->error));
  return false;
}
