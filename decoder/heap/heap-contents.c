/* heap-contents.c -- retains what strings and collections contain. */
#include "config.h"

#include "decoder/heap/heap-contents.h"

static void
clear_text (void *data)
{
  g_free (((struct heap_text *) data)->text);
}

struct heap_contents *
heap_contents_new (void)
{
  struct heap_contents *c = g_new0 (struct heap_contents, 1);
  c->texts = g_array_new (FALSE, FALSE, sizeof (struct heap_text));
  g_array_set_clear_func (c->texts, clear_text);
  c->collections = g_array_new (FALSE, FALSE, sizeof (struct heap_collection));
  c->members = g_array_new (FALSE, FALSE, sizeof (struct heap_text_member));
  c->states = g_array_new (FALSE, FALSE, sizeof (struct heap_operation_state));
  return c;
}

void
heap_contents_free (struct heap_contents *c)
{
  if (c == NULL)
    return;
  g_array_unref (c->texts);
  g_array_unref (c->collections);
  g_array_unref (c->members);
  g_array_unref (c->states);
  g_free (c);
}

/* ---- while it is read ---- */

void
heap_contents_add_string (struct heap_contents *c, uint64_t address, uint64_t id)
{
  const struct heap_text_member member = { address, id };
  g_array_append_val (c->members, member);
}

void
heap_contents_add_text (struct heap_contents *c, uint64_t id, uint64_t length, const char *text,
                        size_t bytes)
{
  const struct heap_text added
      = { .id = id, .length = length, .text = text != NULL ? g_strndup (text, bytes) : NULL };
  g_array_append_val (c->texts, added);
}

void
heap_contents_add_collection (struct heap_contents *c, const struct heap_collection *collection)
{
  g_array_append_val (c->collections, *collection);
}

void
heap_contents_add_state (struct heap_contents *c, uint64_t address, int64_t state)
{
  const struct heap_operation_state added = { address, state };
  g_array_append_val (c->states, added);
}

/* ---- in order ---- */

static int
compare (uint64_t a, uint64_t b)
{
  return a < b ? -1 : a > b;
}

static int
compare_texts (const void *a, const void *b)
{
  return compare (((const struct heap_text *) a)->id, ((const struct heap_text *) b)->id);
}

static int
compare_collections (const void *a, const void *b)
{
  return compare (((const struct heap_collection *) a)->address,
                  ((const struct heap_collection *) b)->address);
}

static int
compare_states (const void *a, const void *b)
{
  return compare (((const struct heap_operation_state *) a)->address,
                  ((const struct heap_operation_state *) b)->address);
}

/* Those of a damaged log may be there twice. */
void
heap_contents_finish (struct heap_contents *c)
{
  guint kept = 0;
  g_array_sort (c->states, compare_states);
  g_array_sort (c->texts, compare_texts);
  for (guint i = 0; i < c->texts->len; i++) {
    struct heap_text *const all = (struct heap_text *) (void *) c->texts->data;
    if (kept != 0 && all[kept - 1].id == all[i].id)
      continue;
    const struct heap_text other = all[kept];
    all[kept] = all[i];
    all[i] = other;
    kept++;
  }
  g_array_set_size (c->texts, kept);
  kept = 0;
  g_array_sort (c->collections, compare_collections);
  for (guint i = 0; i < c->collections->len; i++) {
    struct heap_collection *const all = (struct heap_collection *) (void *) c->collections->data;
    if (kept == 0 || all[kept - 1].address != all[i].address)
      all[kept++] = all[i];
  }
  g_array_set_size (c->collections, kept);
}

guint
heap_contents_find_text (const struct heap_contents *c, uint64_t id)
{
  guint low = 0, high = c->texts->len;
  while (low < high) {
    const guint middle = low + (high - low) / 2;
    if (g_array_index (c->texts, struct heap_text, middle).id < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < c->texts->len && g_array_index (c->texts, struct heap_text, low).id == id ? low + 1
                                                                                         : 0;
}

bool
heap_contents_find_state (const struct heap_contents *c, uint64_t address, int64_t *state)
{
  const struct heap_operation_state wanted = { .address = address };
  guint place;
  if (!g_array_binary_search (c->states, &wanted, compare_states, &place))
    return false;
  *state = g_array_index (c->states, struct heap_operation_state, place).state;
  return true;
}
