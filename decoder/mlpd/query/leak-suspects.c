/* leak-suspects.c -- folds leaks of one shape. */
#include "config.h"

#include "decoder/core/library-names.h"
#include "decoder/mlpd/query/leaks.h"
#include <string.h>

/* The part of the suspect that the program's own class must retain to be the one that is named. */
#define OWN_SHARE 0.05

static void
suspect_free (void *data)
{
  struct leak_suspect *suspect = data;
  g_ptr_array_unref (suspect->alike);
  g_array_unref (suspect->classes);
  g_free (suspect);
}

static const struct leak_class *
class_at (const GArray *classes, guint i)
{
  return &g_array_index (classes, struct leak_class, i);
}

/* ---- the shape of a leak ---- */

/* Two leaks with one key are alike.  Steps from a class to the same class, as in lists, are one
 * (transfer full). */
static char *
name_shape (const struct leak *leak, const struct heap_graph *g)
{
  const struct heap_root *root = &g->roots[leak->root];
  GString *key = g_string_new (root->kind);
  g_string_append_printf (key, "\n%s\n%u", root->name != NULL ? root->name : "",
                          leak->classes->len > 0 ? class_at (leak->classes, 0)->klass : HEAP_NONE);
  uint32_t before = HEAP_NONE;
  for (guint i = 0; i < leak->way->len; i++) {
    const uint32_t klass = g->classes[g_array_index (leak->way, uint32_t, i)];
    if (klass != before)
      g_string_append_printf (key, ",%u", klass);
    before = klass;
  }
  return g_string_free (key, FALSE);
}

/* A leak below a holder of the suspect, as in a list, is in that one's bytes already. */
static bool
is_on_way (const struct leak *below, uint32_t holder)
{
  for (guint i = 0; i < below->way->len; i++)
    if (g_array_index (below->way, uint32_t, i) == holder)
      return true;
  return false;
}

static bool
overlaps (const struct leak_suspect *suspect, const struct leak *leak)
{
  for (guint i = 0; i < suspect->alike->len; i++) {
    const struct leak *other = g_ptr_array_index (suspect->alike, i);
    if (is_on_way (leak, other->holder) || is_on_way (other, leak->holder))
      return true;
  }
  return false;
}

/* ---- the sums ---- */

static void
add_class (GArray *classes, const struct leak_class *more)
{
  for (guint i = 0; i < classes->len; i++) {
    struct leak_class *c = &g_array_index (classes, struct leak_class, i);
    if (c->klass != more->klass)
      continue;
    c->objects += more->objects;
    c->retained += more->retained;
    return;
  }
  g_array_append_val (classes, *more);
}

static void
add_leak (struct leak_suspect *suspect, struct leak *leak)
{
  g_ptr_array_add (suspect->alike, leak);
  suspect->bytes += leak->bytes;
  suspect->grown += leak->grown;
  for (guint i = 0; i < leak->classes->len; i++)
    add_class (suspect->classes, class_at (leak->classes, i));
}

/* ---- the program's own class ---- */

/* Is it a class of the runtime's libraries?  An unknown image is replaced by the namespace. */
static bool
is_of_library (const struct heap_class *klass)
{
  char *name = klass->image != NULL ? g_path_get_basename (klass->image) : g_strdup (klass->name);
  if (klass->image != NULL && (g_str_has_suffix (name, ".dll") || g_str_has_suffix (name, ".exe")))
    name[strlen (name) - strlen (".dll")] = 0;
  const bool is_library = is_library_name (name, strlen (name));
  g_free (name);
  return is_library;
}

static guint
find_own (const struct leak_suspect *suspect, const struct heap_graph *g)
{
  for (guint i = 0; i < suspect->classes->len; i++) {
    const struct leak_class *c = class_at (suspect->classes, i);
    const struct heap_class *klass = &g->class_list[c->klass];
    if ((double) c->retained >= OWN_SHARE * (double) suspect->bytes && !is_of_library (klass)
        && !g_str_has_suffix (klass->name, "[]"))
      return i;
  }
  return 0;
}

/* ---- all ---- */

static gint
compare_classes (gconstpointer a, gconstpointer b)
{
  const struct leak_class *x = a, *y = b;
  if (x->retained != y->retained)
    return x->retained < y->retained ? 1 : -1;
  return (x->klass > y->klass) - (x->klass < y->klass);
}

static gint
compare_suspects (gconstpointer a, gconstpointer b)
{
  const struct leak_suspect *x = *(const struct leak_suspect *const *) a;
  const struct leak_suspect *y = *(const struct leak_suspect *const *) b;
  return (x->grown < y->grown) - (x->grown > y->grown);
}

GPtrArray *
leak_suspects_new (const struct heap_leaks *leaks, const struct heap_graph *g)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (suspect_free);
  GHashTable *by_shape = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < leaks->all->len; i++) {
    struct leak *leak = g_ptr_array_index (leaks->all, i);
    char *shape = name_shape (leak, g);
    struct leak_suspect *suspect = g_hash_table_lookup (by_shape, shape);
    if (suspect == NULL || leak->holder == HEAP_NONE || overlaps (suspect, leak)) {
      suspect = g_new0 (struct leak_suspect, 1);
      suspect->alike = g_ptr_array_new ();
      suspect->classes = g_array_new (FALSE, FALSE, sizeof (struct leak_class));
      g_ptr_array_add (all, suspect);
      if (leak->holder != HEAP_NONE)
        g_hash_table_insert (by_shape, g_strdup (shape), suspect);
    }
    add_leak (suspect, leak);
    g_free (shape);
  }
  for (guint i = 0; i < all->len; i++) {
    struct leak_suspect *suspect = g_ptr_array_index (all, i);
    g_array_sort (suspect->classes, compare_classes);
    suspect->own = find_own (suspect, g);
  }
  g_ptr_array_sort (all, compare_suspects);
  g_hash_table_destroy (by_shape);
  return all;
}

const struct leak_class *
leak_suspect_own (const struct leak_suspect *suspect)
{
  return suspect->classes->len > 0
             ? &g_array_index (suspect->classes, struct leak_class, suspect->own)
             : NULL;
}
