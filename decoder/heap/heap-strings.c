/* heap-strings.c -- adds up the strings of each text, and finds what holds most of them. */
#include "config.h"

#include "decoder/heap/heap-strings.h"

/* By object: its text's place + 1; 0: none that another string has (transfer full). */
static uint32_t *
find_texts (const struct heap_graph *g)
{
  uint32_t *texts = g_new0 (uint32_t, (gsize) g->n_objects + 1);
  const GArray *members = g->contents->members;
  for (guint i = 0; i < members->len; i++) {
    const struct heap_text_member *m = &g_array_index (members, struct heap_text_member, i);
    const uint32_t object = heap_graph_find (g, m->address);
    if (object != HEAP_NONE)
      texts[object] = heap_contents_find_text (g->contents, m->id);
  }
  return texts;
}

/* A string, and what holds it. */
struct held_string {
  uint32_t text;
  uint64_t key; /* of the holder */
  struct heap_holder holder;
};

static int
compare_held (const void *a, const void *b)
{
  const struct held_string *x = a, *y = b;
  if (x->text != y->text)
    return x->text < y->text ? -1 : 1;
  return x->key < y->key ? -1 : x->key > y->key;
}

/* Finds the most frequent holder of each text; of two the first. */
static void
find_holders (struct heap_string *all, const struct heap_graph *g, const uint32_t *texts)
{
  struct heap_paths p;
  GArray *held = g_array_new (FALSE, FALSE, sizeof (struct held_string));
  heap_paths_init (&p, g);
  for (uint32_t i = 0; i < g->n_objects; i++) {
    if (texts[i] == 0)
      continue;
    struct held_string one = { .text = texts[i] - 1, .holder = heap_holder_of (&p, i) };
    one.key = heap_holder_key (g, one.holder);
    g_array_append_val (held, one);
  }
  g_array_sort (held, compare_held);
  for (guint i = 0, end; i < held->len; i = end) {
    const struct held_string *const one = &g_array_index (held, struct held_string, i);
    for (end = i + 1; end < held->len
                      && compare_held (one, &g_array_index (held, struct held_string, end)) == 0;)
      end++;
    if (end - i <= all[one->text].held)
      continue;
    all[one->text].held = end - i;
    all[one->text].holder = one->holder;
  }
  g_array_unref (held);
  heap_paths_clear (&p);
}

void
heap_strings_init (struct heap_strings *s, const struct heap_graph *g)
{
  const struct heap_contents *const c = g->contents;
  const guint n = c->texts->len;
  uint32_t *texts = find_texts (g);
  struct heap_string *all = g_new0 (struct heap_string, (gsize) n + 1);
  *s = (struct heap_strings){ .all = g_array_new (FALSE, FALSE, sizeof (struct heap_string)) };
  for (uint32_t i = 0; i < g->n_objects; i++) {
    if (texts[i] == 0)
      continue;
    struct heap_string *const one = &all[texts[i] - 1];
    one->wasted += one->count++ != 0 ? g->bytes[i] : 0;
    one->bytes += g->bytes[i];
  }
  find_holders (all, g, texts);
  for (guint i = 0; i < n; i++) {
    all[i].text = &g_array_index (c->texts, struct heap_text, i);
    if (all[i].count > 1) {
      g_array_append_val (s->all, all[i]);
      s->wasted += all[i].wasted;
    }
  }
  g_free (all);
  g_free (texts);
}

void
heap_strings_clear (struct heap_strings *s)
{
  g_array_unref (s->all);
}
