/* leak-path.c -- the steps from a root to what accumulates. */
#include "config.h"

#include "decoder/heap/heap-fields.h"
#include "decoder/views/heap/heap-views.h"
#include <string.h>

#define WAY_MAX 8

#define N G_GUINT64_FORMAT

struct path {
  const struct heap_graph *g;
  const struct heap_dominators *dominators;
  const struct leak_suspect *suspect;
  const struct leak *leak;      /* the first of those that are alike */
  const struct leak_class *own; /* the class that is named; NULL: none grows at the place itself */
};

/* A class without namespaces: "List<Player>" of "System.Collections.Generic.List<Game.Player>". */
static void
append_short_name (GString *text, const char *name)
{
  gsize word = text->len;
  for (; *name != 0; name++) {
    if (*name == '.')
      g_string_truncate (text, word);
    else
      g_string_append_c (text, *name);
    if (strchr ("<,[ ", *name) != NULL)
      word = text->len;
  }
}

/* From the root to the holder, then, as the holder dominates them, to an object of the class. */
static GArray *
list_steps (const struct path *t)
{
  const uint32_t *dominators = t->dominators->dominators;
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  g_array_append_vals (steps, t->leak->way->data, t->leak->way->len);
  if (t->own == NULL || t->leak->holder == HEAP_NONE)
    return steps;
  const guint holder = steps->len;
  for (uint32_t at = t->own->example; at != t->leak->holder; at = dominators[at]) {
    if (at >= t->g->n_objects) { /* several paths lead to it, and not all through the holder */
      g_array_set_size (steps, holder);
      g_array_append_val (steps, t->own->example);
      break;
    }
    g_array_insert_val (steps, holder, at);
  }
  return steps;
}

/* "static Cache.entries" */
static void
append_root (GString *text, const struct heap_root *root)
{
  if (root->field == NULL) {
    g_autofree char *name = heap_root_text (root);
    g_string_append (text, name);
    return;
  }
  g_string_append_printf (text, "%s ", root->kind);
  append_short_name (text, root->holder);
  g_string_append_printf (text, ".%s", root->field);
}

/* "Entry[12].key": an object, with the field that refers to the next one.  Of what holds many, one
 * element stands for all. */
static void
append_step (GString *text, const struct path *t, uint32_t object, uint32_t next)
{
  const uint32_t reference = next != HEAP_NONE ? heap_field_find (t->g, object, next) : HEAP_NONE;
  GString *name = g_string_new (NULL);
  append_short_name (name, t->g->class_list[t->g->classes[object]].name);
  g_autofree char *field = reference != HEAP_NONE ? heap_field_name (t->g, object, reference,
                                                                     object != t->leak->holder)
                                                  : NULL;
  g_autofree char *step = heap_field_of_class (name->str, field);
  g_string_append (text, step);
  g_string_free (name, TRUE);
}

char *
leak_path_text (const struct heap_graph *graph, const struct heap_dominators *dominators,
                const struct leak_suspect *suspect)
{
  const struct path t = { graph, dominators, suspect, g_ptr_array_index (suspect->alike, 0),
                          leak_suspect_own (suspect) };
  GArray *steps = list_steps (&t);
  const struct heap_root *root = &t.g->roots[t.leak->root];
  GString *text = g_string_new (NULL);
  append_root (text, root);
  for (guint i = 0; i < steps->len; i++) {
    if (steps->len > WAY_MAX && i == WAY_MAX / 2) {
      g_string_append_printf (text, " -> (%u more)", steps->len - WAY_MAX);
      i += steps->len - WAY_MAX;
    }
    const uint32_t object = g_array_index (steps, uint32_t, i);
    g_string_append (text, " -> ");
    append_step (text, &t, object,
                 i + 1 < steps->len ? g_array_index (steps, uint32_t, i + 1) : HEAP_NONE);
    if (object == t.leak->holder && t.suspect->alike->len > 1)
      g_string_append_printf (text, " x%u", t.suspect->alike->len);
    if (t.own != NULL && i + 1 == steps->len && t.g->classes[object] == t.own->klass)
      g_string_append_printf (text, " x%" N, t.own->objects);
  }
  g_array_unref (steps);
  return g_string_free (text, FALSE);
}
