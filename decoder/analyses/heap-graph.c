/* heap-graph.c -- see heap-graph.h. */
#include "decoder/analyses/heap-graph.h"
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LARGE_PAGE ((size_t) 2 << 20)

void *
heap_array (size_t n, size_t size)
{
  const size_t bytes = MAX (n, 1) * size;
  void *items = NULL;
  if (bytes < LARGE_PAGE)
    items = malloc (bytes);
  else if (posix_memalign (&items, LARGE_PAGE, bytes) != 0)
    items = NULL;
  if (items == NULL)
    g_error ("no memory for %" G_GSIZE_FORMAT " bytes", bytes); /* as GLib has it */
  if (bytes >= LARGE_PAGE)
    madvise (items, bytes, MADV_HUGEPAGE); /* where there are none, small ones do */
  return items;
}

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
  g_free (g->class_list);
  g_free (g->roots);
  g_string_chunk_free (g->names);
  g_free (g);
}

/* ---- from arrays ---- */

static void *
copy (const void *items, size_t n, size_t size)
{
  void *to = heap_array (n, size);
  if (n != 0)
    memcpy (to, items, n * size);
  return to;
}

static void
fill (struct heap_graph *g, const struct heap_graph_arrays *a)
{
  for (uint32_t i = 0; i < g->n_objects; i++) {
    g->addresses[i] = a->addresses != NULL ? a->addresses[i] : 0x1000 + 8 * (uint64_t) i;
    g->bytes[i] = a->bytes != NULL ? a->bytes[i] : 8;
    g->classes[i] = a->classes != NULL ? a->classes[i] : 0;
    g->generations[i] = 0;
    g->total_bytes += g->bytes[i];
  }
}

struct heap_graph *
heap_graph_new (const struct heap_graph_arrays *a)
{
  static const char *const one_class[] = { "C" };
  const char *const *names = a->n_classes != 0 ? a->class_names : one_class;
  struct heap_graph *g = g_new0 (struct heap_graph, 1);
  g->n_objects = a->n_objects;
  g->n_references = a->first[a->n_objects];
  g->n_classes = MAX (a->n_classes, 1);
  g->n_roots = a->n_roots;
  g->state = HEAPSHOT_COMPLETE;
  g->names = g_string_chunk_new (4096);
  g->addresses = heap_array (g->n_objects, sizeof *g->addresses);
  g->bytes = heap_array (g->n_objects, sizeof *g->bytes);
  g->classes = heap_array (g->n_objects, sizeof *g->classes);
  g->generations = heap_array (g->n_objects, sizeof *g->generations);
  fill (g, a);
  g->first = copy (a->first, (size_t) g->n_objects + 1, sizeof *g->first);
  g->targets = copy (a->targets, g->n_references, sizeof *g->targets);
  if (a->offsets != NULL)
    g->offsets = copy (a->offsets, g->n_references, sizeof *g->offsets);
  g->class_list = g_new0 (struct heap_class, g->n_classes);
  for (uint32_t i = 0; i < g->n_classes; i++)
    g->class_list[i].name = g_string_chunk_insert_const (g->names, names[i]);
  g->roots = g_memdup2 (a->roots, a->n_roots * sizeof *a->roots);
  for (uint32_t i = 0; i < g->n_roots; i++)
    if (g->roots[i].name != NULL)
      g->roots[i].name = g_string_chunk_insert_const (g->names, g->roots[i].name);
  return g;
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
struct way {
  uint32_t *objects;
  uint32_t *next;
  size_t n, room;
};

static void
way_push (struct way *w, const struct heap_graph *g, uint32_t object)
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
follow (const struct heap_graph *g, uint32_t object, uint8_t *marks, struct way *w, uint32_t *done)
{
  if (!mark (marks, object))
    return done;
  way_push (w, g, object);
  while (w->n != 0) {
    const uint32_t top = w->objects[w->n - 1];
    if (w->next[w->n - 1] < g->first[top + 1]) {
      const uint32_t target = g->targets[w->next[w->n - 1]++];
      if (mark (marks, target))
        way_push (w, g, target);
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
 * it is again after taking away all that this leads to (as in Kosaraju's algorithm). */
static void
assume_cycles (const struct heap_graph *g, const uint8_t *reached, GArray *roots)
{
  const size_t bytes = (size_t) g->n_objects / 8 + 1;
  uint8_t *marks = g_memdup2 (reached, bytes);
  uint32_t *done = heap_array (g->n_objects, sizeof *done), *end = done;
  struct way w = { 0 };
  for (uint32_t i = 0; i < g->n_objects; i++)
    end = follow (g, i, marks, &w, end);
  const size_t n = (size_t) (end - done);
  uint32_t *again = heap_array (n, sizeof *again);
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
  uint32_t *done = heap_array (g->n_objects, sizeof *done), *end = done;
  struct way w = { 0 };
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
