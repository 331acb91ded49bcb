/* heap-compare.c -- adds up the holders of objects, and the places of their allocation. */
#include "config.h"

#include "decoder/heap/heap-compare.h"
#include "decoder/heap/heap-fields.h"
#include "decoder/heap/heap-paths.h"

enum { HOLDERS, SITES };

#define NO_ROOT "(no root leads there)"

/* The sums of a class in a place, new if they are the first. */
static struct heap_place *
find_place (struct heap_compare *c, int list, const char *name, const char *place)
{
  GArray *const all = list == HOLDERS ? c->holders : c->sites;
  g_autofree char *key = g_strdup_printf ("%s\n%s", name, place);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (c->numbers[list], key));
  if (number == 0) {
    const struct heap_place added = { .name = g_string_chunk_insert_const (c->names, name),
                                      .place = g_string_chunk_insert_const (c->names, place) };
    g_array_append_val (all, added);
    number = all->len;
    g_hash_table_insert (c->numbers[list], g_steal_pointer (&key), GUINT_TO_POINTER (number));
  }
  return &g_array_index (all, struct heap_place, number - 1);
}

static void
add (struct heap_compare *c, bool is_now, int list, const char *name, const char *place,
     struct heap_sum sum)
{
  struct heap_place *const found = find_place (c, list, name, place);
  struct heap_sum *const to = is_now ? &found->now : &found->before;
  to->objects += sum.objects;
  to->bytes += sum.bytes;
}

/* What refers to an object on its way from the roots (transfer full). */
static char *
name_holder (const struct heap_paths *p, uint32_t object)
{
  const struct heap_graph *const g = p->graph;
  const uint32_t parent = p->parents[object];
  if (parent == HEAP_PATH_NONE)
    return g_strdup (NO_ROOT);
  if (parent == HEAP_PATH_ROOT)
    return heap_root_text (&g->roots[p->through[object]]);
  g_autofree char *field = heap_field_name (g, parent, p->through[object], false);
  return heap_field_of_class (g->class_list[g->classes[parent]].name, field);
}

static void
add_holders (struct heap_compare *c, const struct heap_graph *g, bool is_now)
{
  struct heap_paths p;
  heap_paths_init (&p, g);
  for (uint32_t i = 0; i < g->n_objects; i++) {
    g_autofree char *holder = name_holder (&p, i);
    add (c, is_now, HOLDERS, g->class_list[g->classes[i]].name, holder,
         (struct heap_sum){ 1, g->bytes[i] });
  }
  heap_paths_clear (&p);
}

void
heap_compare_init (struct heap_compare *c, const struct heap_graph *before,
                   const struct heap_graph *now)
{
  *c = (struct heap_compare){ .holders = g_array_new (FALSE, FALSE, sizeof (struct heap_place)),
                              .sites = g_array_new (FALSE, FALSE, sizeof (struct heap_place)),
                              .names = g_string_chunk_new (4096) };
  for (int list = HOLDERS; list <= SITES; list++)
    c->numbers[list] = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  add_holders (c, before, false);
  add_holders (c, now, true);
}

void
heap_compare_clear (struct heap_compare *c)
{
  g_array_unref (c->holders);
  g_array_unref (c->sites);
  g_string_chunk_free (c->names);
  for (int list = HOLDERS; list <= SITES; list++)
    g_hash_table_destroy (c->numbers[list]);
}

void
heap_compare_add_site (struct heap_compare *c, bool is_now, const char *name, const char *site,
                       uint64_t objects)
{
  add (c, is_now, SITES, name, site, (struct heap_sum){ objects, 0 });
}
