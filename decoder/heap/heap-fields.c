/* heap-fields.c -- finds the fields of references by their offsets. */
#include "config.h"

#include "decoder/heap/heap-fields.h"
#include <string.h>

static const struct heap_field *
field_at (const struct heap_class *klass, guint i)
{
  return &g_array_index (klass->fields, struct heap_field, i);
}

/* How many fields are before this offset. */
static guint
count_before (const struct heap_class *klass, uint32_t offset)
{
  guint low = 0, high = klass->fields->len;
  while (low < high) {
    const guint middle = low + (high - low) / 2;
    if (field_at (klass, middle)->offset < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const char *
heap_class_find_field (const struct heap_class *klass, uint32_t offset)
{
  if (klass->fields == NULL)
    return NULL;
  const guint i = count_before (klass, offset);
  return i < klass->fields->len && field_at (klass, i)->offset == offset ? field_at (klass, i)->name
                                                                         : NULL;
}

void
heap_class_add_field (struct heap_class *klass, uint32_t offset, const char *name)
{
  const struct heap_field field = { offset, name };
  if (klass->fields == NULL)
    klass->fields = g_array_new (FALSE, FALSE, sizeof field);
  if (heap_class_find_field (klass, offset) == NULL)
    g_array_insert_val (klass->fields, count_before (klass, offset), field);
}

/* Arrays of values are described; others have references only. */
static char *
element_name (const struct heap_class *klass, uint32_t offset, bool index)
{
  if (offset < HEAP_ARRAY_HEAD)
    return NULL;
  const uint32_t bytes = klass->element_bytes != 0 ? klass->element_bytes : 8;
  const uint32_t element = (offset - HEAP_ARRAY_HEAD) / bytes;
  const char *const name = heap_class_find_field (klass, (offset - HEAP_ARRAY_HEAD) % bytes);
  GString *text = g_string_new ("[");
  if (index)
    g_string_append_printf (text, "%u", element);
  g_string_append_c (text, ']');
  if (name != NULL)
    g_string_append_printf (text, ".%s", name);
  return g_string_free (text, FALSE);
}

const char *
heap_field_plain (const struct heap_graph *g, uint32_t object, uint32_t reference)
{
  const struct heap_class *const klass = &g->class_list[g->classes[object]];
  return g->offsets != NULL && !heap_class_is_array (klass)
             ? heap_class_find_field (klass, g->offsets[reference])
             : NULL;
}

char *
heap_field_name (const struct heap_graph *g, uint32_t object, uint32_t reference, bool index)
{
  const struct heap_class *const klass = &g->class_list[g->classes[object]];
  if (!g->has_fields || g->offsets == NULL || g->offsets[reference] == UINT32_MAX)
    return NULL;
  if (heap_class_is_array (klass))
    return element_name (klass, g->offsets[reference], index);
  return g_strdup (heap_field_plain (g, object, reference));
}

char *
heap_field_of_reference (const struct heap_graph *g, uint32_t reference)
{
  uint32_t low = 0, high = g->n_objects; /* the first object whose references end after it */
  if (reference >= g->n_references)
    return NULL;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (g->first[middle + 1] <= reference)
      low = middle + 1;
    else
      high = middle;
  }
  return heap_field_name (g, low, reference, true);
}

uint32_t
heap_field_find (const struct heap_graph *g, uint32_t object, uint32_t target)
{
  for (uint32_t r = g->first[object]; r < g->first[object + 1]; r++)
    if (g->targets[r] == target)
      return r;
  return HEAP_NONE;
}

char *
heap_field_of_class (const char *klass, const char *field)
{
  if (field == NULL)
    return g_strdup (klass);
  if (*field != '[')
    return g_strdup_printf ("%s.%s", klass, field);
  const size_t length = strlen (klass) - (g_str_has_suffix (klass, "[]") ? strlen ("[]") : 0);
  return g_strdup_printf ("%.*s%s", (int) length, klass, field);
}

char *
heap_root_text (const struct heap_root *root)
{
  if (root->field != NULL)
    return g_strdup_printf ("%s %s.%s", root->kind, root->holder, root->field);
  return root->name != NULL ? g_strdup_printf ("%s: %s", root->kind, root->name)
                            : g_strdup (root->kind);
}
