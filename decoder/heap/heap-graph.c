/* heap-graph.c -- finds objects in a graph, and assumes roots where the log has none. */
#include "config.h"

#include "decoder/core/large-array.h"
#include "decoder/heap/heap-contents.h"
#include "decoder/heap/heap-graph.h"
#include <stdlib.h>
#include <string.h>

void
heap_graph_free (struct heap_graph *g)
{
  if (g == NULL)
    return;
  free (g->addresses);
  free (g->bytes);
  free (g->classes);
  free (g->generations);
  free (g->first);
  free (g->targets);
  free (g->offsets);
  for (uint32_t i = 0; i < g->n_classes; i++)
    if (g->class_list[i].fields != NULL)
      g_array_unref (g->class_list[i].fields);
  g_free (g->class_list);
  g_free (g->roots);
  heap_contents_free (g->contents);
  g_string_chunk_free (g->names);
  g_free (g);
}

/* ---- addresses ---- */

/* How many objects are at this address or below. */
static uint32_t
count_up_to (const struct heap_graph *g, uint64_t address)
{
  uint32_t low = 0, high = g->n_objects;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (g->addresses[middle] <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

uint32_t
heap_graph_find (const struct heap_graph *g, uint64_t address)
{
  const uint32_t n = count_up_to (g, address);
  return n != 0 && g->addresses[n - 1] == address ? n - 1 : HEAP_NONE;
}

uint32_t
heap_graph_find_inside (const struct heap_graph *g, uint64_t address)
{
  const uint32_t n = count_up_to (g, address);
  if (n == 0)
    return HEAP_NONE;
  const uint64_t inside = address - g->addresses[n - 1];
  return inside == 0 || inside < g->bytes[n - 1] ? n - 1 : HEAP_NONE;
}

/* ---- roots that are assumed ---- */

/* Objects on a way, each with the reference to go on with. */
struct graph_path {
  uint32_t *objects;
  uint32_t *next;
  size_t n, room;
};

static void
path_push (struct graph_path *w, const struct heap_graph *g, uint32_t object)
{
  if (w->n == w->room) {
    w->room = MAX (2 * w->room, 1024);
    w->objects = g_renew (uint32_t, w->objects, w->room);
    w->next = g_renew (uint32_t, w->next, w->room);
  }
  w->objects[w->n] = object;
  w->next[w->n++] = g->first[object];
}

static bool
mark (uint8_t *marks, uint32_t object)
{
  const bool is_new = (marks[object / 8] >> object % 8 & 1) == 0;
  marks[object / 8] |= (uint8_t) (1 << object % 8);
  return is_new;
}

/* Marks all that an object leads to.  Each is written to `done` when all that it leads to was:
 * returns the next place of that. */
static uint32_t *
follow (const struct heap_graph *g, uint32_t object, uint8_t *marks, struct graph_path *w,
        uint32_t *done)
{
  if (!mark (marks, object))
    return done;
  path_push (w, g, object);
  while (w->n != 0) {
    const uint32_t top = w->objects[w->n - 1];
    if (w->next[w->n - 1] < g->first[top + 1]) {
      const uint32_t target = g->targets[w->next[w->n - 1]++];
      if (mark (marks, target))
        path_push (w, g, target);
    } else {
      *done++ = top;
      w->n--;
    }
  }
  return done;
}

static void
assume_root (GArray *roots, uint32_t object)
{
  const struct heap_root root = { .object = object, .kind = "assumed" };
  g_array_append_val (roots, root);
}

/* Of what is left, the object whose way was done last is of a cycle that nothing else leads to: so
 * it is again after removing all that this leads to (as in Kosaraju's algorithm). */
static void
assume_cycles (const struct heap_graph *g, const uint8_t *reached, GArray *roots)
{
  const size_t bytes = (size_t) g->n_objects / 8 + 1;
  uint8_t *marks = g_memdup2 (reached, bytes);
  uint32_t *done = large_array (g->n_objects, sizeof *done), *end = done;
  struct graph_path w = { 0 };
  for (uint32_t i = 0; i < g->n_objects; i++)
    end = follow (g, i, marks, &w, end);
  const size_t n = (size_t) (end - done);
  uint32_t *again = large_array (n, sizeof *again);
  memcpy (marks, reached, bytes);
  for (size_t i = n; i-- > 0;) {
    const uint32_t object = done[i];
    if ((marks[object / 8] >> object % 8 & 1) != 0)
      continue;
    assume_root (roots, object);
    follow (g, object, marks, &w, again);
  }
  free (again);
  free (done);
  g_free (marks);
  g_free (w.objects);
  g_free (w.next);
}

void
heap_graph_assume_roots (struct heap_graph *g)
{
  GArray *roots = g_array_new (FALSE, FALSE, sizeof (struct heap_root));
  uint8_t *referred = g_new0 (uint8_t, (size_t) g->n_objects / 8 + 1);
  uint8_t *reached = g_new0 (uint8_t, (size_t) g->n_objects / 8 + 1);
  uint32_t *done = large_array (g->n_objects, sizeof *done), *end = done;
  struct graph_path w = { 0 };
  for (uint32_t i = 0; i < g->n_objects; i++)
    for (uint32_t r = g->first[i]; r < g->first[i + 1]; r++)
      if (g->targets[r] != i)
        mark (referred, g->targets[r]);
  for (uint32_t i = 0; i < g->n_objects; i++)
    if ((referred[i / 8] >> i % 8 & 1) == 0) {
      assume_root (roots, i);
      end = follow (g, i, reached, &w, end);
    }
  if ((size_t) (end - done) < g->n_objects)
    assume_cycles (g, reached, roots);
  g_free (w.objects);
  g_free (w.next);
  free (done);
  g_free (reached);
  g_free (referred);
  g_free (g->roots);
  g->n_roots = roots->len;
  g->roots = (struct heap_root *) (void *) g_array_free (roots, FALSE);
  g->roots_are_assumed = true;
}

/* "T[]", "T[,]"; but "List`1[T]" is none. */
bool
heap_class_is_array (const struct heap_class *klass)
{
  size_t length = strlen (klass->name);
  if (length == 0 || klass->name[--length] != ']')
    return false;
  while (length > 0 && klass->name[length - 1] == ',')
    length--;
  return length > 0 && klass->name[length - 1] == '[';
}
