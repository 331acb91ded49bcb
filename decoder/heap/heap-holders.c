/* heap-holders.c -- finds the field of the program that holds an object. */
#include "config.h"

#include "decoder/heap/heap-holders.h"
#include "decoder/heap/heap-fields.h"

/* Collections within collections. */
#define STEPS_MAX 12

/* Is it of a class that only contains what others have put there? */
static bool
is_container (const struct heap_graph *g, uint32_t object)
{
  const struct heap_class *const klass = &g->class_list[g->classes[object]];
  return heap_class_is_array (klass) || g_str_has_prefix (klass->name, "System.Collections.")
         || g_str_has_prefix (klass->name, "System.Text.StringBuilder");
}

/* Of roots, a static field is a name that tells more than that of a collection; a stack is not. */
struct heap_holder
heap_holder_of (const struct heap_paths *p, uint32_t object)
{
  struct heap_holder holder = { p->parents[object], p->through[object] };
  for (int i = 0; i < STEPS_MAX && holder.object != HEAP_PATH_ROOT
                  && holder.object != HEAP_PATH_NONE && is_container (p->graph, holder.object);
       i++) {
    const struct heap_holder next = { p->parents[holder.object], p->through[holder.object] };
    if (next.object == HEAP_PATH_NONE
        || (next.object == HEAP_PATH_ROOT && p->graph->roots[next.reference].field == NULL))
      break;
    holder = next;
  }
  return holder;
}

/* Roots that are called alike are one: their texts are the graph's, each there once. */
static uint64_t
root_key (const struct heap_root *root)
{
  const void *const texts[] = { root->kind, root->field != NULL ? NULL : root->name, root->field,
                                root->field != NULL ? root->holder : NULL };
  uint64_t key = 0;
  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
    key = (key ^ (uint64_t) (uintptr_t) texts[i]) * UINT64_C (0x9E3779B97F4A7C15);
    key ^= key >> 29;
  }
  return key | UINT64_C (1) << 63;
}

/* Offsets of elements of arrays are left out. */
uint64_t
heap_holder_key (const struct heap_graph *g, struct heap_holder h)
{
  if (h.object == HEAP_PATH_NONE)
    return UINT64_MAX;
  if (h.object == HEAP_PATH_ROOT)
    return root_key (&g->roots[h.reference]);
  const uint32_t klass = g->classes[h.object];
  const struct heap_class *const c = &g->class_list[klass];
  uint32_t offset = g->offsets != NULL ? g->offsets[h.reference] : 0;
  if (heap_class_is_array (c))
    offset = offset < HEAP_ARRAY_HEAD || c->element_bytes == 0
                 ? 0
                 : (offset - HEAP_ARRAY_HEAD) % c->element_bytes;
  return (uint64_t) klass << 32 | offset;
}

char *
heap_holder_text (const struct heap_graph *g, struct heap_holder h)
{
  if (h.object == HEAP_PATH_NONE)
    return NULL;
  if (h.object == HEAP_PATH_ROOT)
    return heap_root_text (&g->roots[h.reference]);
  g_autofree char *field = heap_field_name (g, h.object, h.reference, false);
  return heap_field_of_class (g->class_list[g->classes[h.object]].name, field);
}
