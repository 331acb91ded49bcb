/* heap-groups.c -- adds objects up by class, assembly or size. */
#include "config.h"

#include "decoder/core/large-array.h"
#include "decoder/heap/heap-groups.h"
#include <stdlib.h>
#include <string.h>

/* Sizes from 2^(n - 1) up to 2^n, without that, are group n; 0 is 0. */
#define SIZE_GROUPS 65

static uint32_t
size_group (uint64_t bytes)
{
  return bytes == 0 ? 0 : 64 - (uint32_t) __builtin_clzll (bytes);
}

static char *
name_sizes (uint32_t group)
{
  if (group < 2)
    return g_strdup_printf ("%u", group);
  const uint64_t smallest = UINT64_C (1) << (group - 1);
  return g_strdup_printf ("%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT, smallest,
                          2 * (smallest - 1) + 1);
}

static char *
name_assembly (const char *image)
{
  if (image == NULL)
    return g_strdup ("(unknown)");
  char *name = g_path_get_basename (image);
  char *end = strrchr (name, '.');
  if (end != NULL && (strcmp (end, ".dll") == 0 || strcmp (end, ".exe") == 0))
    *end = '\0';
  return name;
}

static struct heap_group *
make_groups (struct heap_groups *groups, uint32_t n)
{
  groups->n = n;
  return groups->all = g_new0 (struct heap_group, n);
}

/* A group for each class. */
static void
name_classes (struct heap_groups *groups, const struct heap_graph *g)
{
  struct heap_group *all = make_groups (groups, g->n_classes);
  for (uint32_t i = 0; i < g->n_classes; i++) {
    all[i].name = g_strdup (g->class_list[i].name);
    all[i].image = g->class_list[i].image;
  }
}

/* The assembly of each class (transfer full). */
static uint32_t *
name_assemblies (struct heap_groups *groups, const struct heap_graph *g)
{
  uint32_t *of_class = g_new (uint32_t, g->n_classes);
  GHashTable *known = g_hash_table_new (g_str_hash, g_str_equal); /* borrows names */
  GPtrArray *names = g_ptr_array_new ();
  for (uint32_t i = 0; i < g->n_classes; i++) {
    char *name = name_assembly (g->class_list[i].image);
    gpointer number;
    if (!g_hash_table_lookup_extended (known, name, NULL, &number)) {
      number = GUINT_TO_POINTER (names->len);
      g_hash_table_insert (known, name, number);
      g_ptr_array_add (names, name);
    } else {
      g_free (name);
    }
    of_class[i] = GPOINTER_TO_UINT (number);
  }
  struct heap_group *all = make_groups (groups, names->len);
  for (guint i = 0; i < names->len; i++)
    all[i].name = g_ptr_array_index (names, i);
  g_ptr_array_free (names, TRUE);
  g_hash_table_destroy (known);
  return of_class;
}

static void
name_size_groups (struct heap_groups *groups)
{
  struct heap_group *all = make_groups (groups, SIZE_GROUPS);
  for (uint32_t i = 0; i < SIZE_GROUPS; i++)
    all[i].name = name_sizes (i);
}

/* The group of each object: the graph's own where these are classes, else to be freed. */
static const uint32_t *
group_objects (struct heap_groups *groups, const struct heap_graph *g, enum heap_by by,
               uint32_t **own)
{
  *own = NULL;
  if (by == HEAP_BY_CLASS) {
    name_classes (groups, g);
    return g->classes;
  }
  uint32_t *of_class = NULL, *of = *own = large_array (g->n_objects, sizeof *of);
  if (by == HEAP_BY_ASSEMBLY)
    of_class = name_assemblies (groups, g);
  else
    name_size_groups (groups);
  for (uint32_t i = 0; i < g->n_objects; i++)
    of[i] = of_class != NULL ? of_class[g->classes[i]] : size_group (g->bytes[i]);
  g_free (of_class);
  return of;
}

void
heap_groups_init (struct heap_groups *groups, const struct heap_graph *g,
                  const struct heap_dominators *d, enum heap_by by, enum heap_part part)
{
  uint32_t *own;
  const uint32_t *of = group_objects (groups, g, by, &own);
  uint64_t *retained = heap_dominators_by_group (d, of, groups->n);
  for (uint32_t i = 0; i < g->n_objects; i++) {
    if (part == HEAP_UNREACHED_ONLY && d->dominators[i] != HEAP_UNREACHED)
      continue;
    groups->all[of[i]].objects++;
    groups->all[of[i]].bytes += g->bytes[i];
  }
  for (uint32_t i = 0; i < groups->n; i++)
    groups->all[i].retained = retained[i];
  g_free (retained);
  free (own);
}

void
heap_groups_clear (struct heap_groups *groups)
{
  for (uint32_t i = 0; i < groups->n; i++)
    g_free (groups->all[i].name);
  g_free (groups->all);
}
