/* peer-graph.c -- makes a graph of a shape and writes it as an export, or our findings in it.
 *
 * Usage: peer-graph SHAPE COUNT SEED FORMAT, or peer-graph LOG nodes
 * FORMAT is one of `proflog export`, or `nodes`: a line for each object with its number, address,
 * bytes, retained bytes, immediate dominator (a number, "roots" or "none"), the steps of a shortest
 * path to it from a root (0: that holds it) and class.
 */
#include "config.h"

#include "decoder/heap/heap-paths.h"
#include "decoder/mlpd/analyses/heap-builder.h"
#include "decoder/mlpd/query/scan-log.h"
#include "decoder/exports/export.h"
#include "tests/unit/graph-arrays.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A graph while it is made. */
struct plan {
  GArray *bytes;   /* of uint64_t, by object */
  GArray *classes; /* of uint32_t, by object */
  GArray *from;    /* of uint32_t: references ... */
  GArray *to;
  GArray *offset;
  GArray *roots; /* of struct heap_root */
  uint64_t state;
};

/* Sizes and the purpose of a class.  Objects of the first have one size each. */
enum {
  CLASS_LEAF,
  CLASS_PAIR,
  CLASS_FOUR,
  CLASS_ARRAY,
  CLASS_STRING,
  CLASS_EMPTY,
  CLASSES,
};
static const char *const class_names[CLASSES]
    = { "Peer.Leaf",   "Peer.Pair",     "Peer.Four`1[System.\"Int32\"]",
        "Peer.Leaf[]", "System.String", "Peer.Empty" };
static const uint64_t class_bytes[CLASSES] = { 24, 32, 56, 0, 0, 0 };

enum {
  HEAD = 16,
  ARRAY_HEAD = 32,
};

/* ---- making ---- */

/* xorshift64*: the same numbers everywhere. */
static uint64_t
random_below (struct plan *p, uint64_t bound)
{
  p->state ^= p->state >> 12;
  p->state ^= p->state << 25;
  p->state ^= p->state >> 27;
  return (p->state * UINT64_C (2685821657736338717) >> 16) % bound;
}

static uint32_t
add_sized (struct plan *p, uint32_t klass, uint64_t bytes)
{
  g_array_append_val (p->bytes, bytes);
  g_array_append_val (p->classes, klass);
  return p->bytes->len - 1;
}

static uint32_t
add (struct plan *p, uint32_t klass)
{
  return add_sized (p, klass, class_bytes[klass]);
}

/* References of an object are to be added in order of their offsets. */
static void
refer (struct plan *p, uint32_t from, uint32_t offset, uint32_t to)
{
  g_array_append_val (p->from, from);
  g_array_append_val (p->to, to);
  g_array_append_val (p->offset, offset);
}

static void
add_root (struct plan *p, uint32_t object, const char *kind, bool is_weak)
{
  const struct heap_root root
      = { .object = object, .kind = kind, .is_weak = is_weak, .name = is_weak ? NULL : "a root" };
  g_array_append_val (p->roots, root);
}

/* Objects of all classes with references to any others; some have none that keeps them. */
static void
make_random (struct plan *p, uint32_t count)
{
  static const char *const kinds[] = { "stack", "static", "GC handle", "ephemeron" };
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t klass = (uint32_t) random_below (p, CLASS_STRING + 1);
    const uint64_t n = random_below (p, 9);
    add_sized (p, klass, class_bytes[klass] != 0 ? class_bytes[klass] : ARRAY_HEAD + 8 * n);
  }
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t klass = g_array_index (p->classes, uint32_t, i);
    const uint64_t bytes = g_array_index (p->bytes, uint64_t, i);
    const uint32_t first = klass == CLASS_ARRAY ? ARRAY_HEAD : HEAD;
    for (uint32_t at = first; klass != CLASS_STRING && at + 8 <= bytes; at += 8)
      if (random_below (p, 3) != 0) /* mostly to near ones, so that there is something to find */
        refer (p, i, at,
               random_below (p, 8) == 0 ? (uint32_t) random_below (p, count)
                                        : (uint32_t) ((i + random_below (p, 64)) % count));
  }
  /* Nothing else refers to a root: VisualVM counts one to its only referrer, too. */
  for (uint32_t i = 0; i < count / 200 + 1; i++) {
    const uint32_t root = add (p, CLASS_PAIR);
    refer (p, root, HEAD, (uint32_t) random_below (p, count));
    refer (p, root, HEAD + 8, (uint32_t) random_below (p, count));
    add_root (p, root, kinds[random_below (p, G_N_ELEMENTS (kinds))], i % 10 == 9);
  }
}

static void
make_chain (struct plan *p, uint32_t links, bool is_kept)
{
  uint32_t before = add (p, CLASS_PAIR);
  if (is_kept)
    add_root (p, before, "stack", false);
  for (uint32_t i = 1; i < links; i++) {
    const uint32_t next = add (p, CLASS_PAIR);
    refer (p, before, HEAD, next);
    before = next;
  }
}

/* An array of this many, all of which refer to one more object. */
static void
make_fan (struct plan *p, uint32_t width)
{
  const uint32_t all = add_sized (p, CLASS_ARRAY, ARRAY_HEAD + 8 * (uint64_t) width);
  const uint32_t shared = add (p, CLASS_LEAF);
  add_root (p, all, "static", false);
  for (uint32_t i = 0; i < width; i++) {
    const uint32_t each = add (p, CLASS_PAIR);
    refer (p, all, ARRAY_HEAD + 8 * i, each);
    refer (p, each, HEAD, shared);
  }
}

/* A ring of this many, each of which has a leaf. */
static uint32_t
make_ring (struct plan *p, uint32_t length)
{
  const uint32_t first = add (p, CLASS_PAIR);
  uint32_t last = first;
  for (uint32_t i = 1; i <= length; i++) {
    const uint32_t next = i == length ? first : add (p, CLASS_PAIR);
    refer (p, last, HEAD, next);
    refer (p, last, HEAD + 8, add (p, CLASS_LEAF));
    last = next;
  }
  return first;
}

/* Rings that a root leads to, and rings that none does but that lead to one. */
static void
make_rings (struct plan *p, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t ring = make_ring (p, 1 + i % 10);
    const uint32_t other = add (p, CLASS_FOUR);
    refer (p, other, HEAD, ring);
    if (i % 2 == 0)
      add_root (p, ring, "GC handle", false);
    else
      add_root (p, other, "GC handle", i % 4 == 1);
  }
}

/* The same object twice and more, from two places and from one; itself; nothing but a size of 0. */
static void
make_twice (struct plan *p, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t owner = add (p, CLASS_FOUR);
    const uint32_t leaf = add (p, CLASS_LEAF), empty = add (p, CLASS_EMPTY);
    add_root (p, owner, "stack", false);
    if (i % 3 == 0)
      add_root (p, owner, "static", false);
    refer (p, owner, HEAD, leaf);
    refer (p, owner, HEAD + 8, leaf);
    refer (p, owner, HEAD + 16, owner);
    refer (p, owner, HEAD + 24, empty);
    refer (p, owner, HEAD + 32, empty);
    refer (p, empty, 0, add (p, CLASS_LEAF));
  }
}

/* All of them side by side. */
static void
make_shapes (struct plan *p, uint32_t count)
{
  make_chain (p, count, true);
  make_fan (p, count / 10);
  make_rings (p, count / 100);
  make_chain (p, count / 100, false);
  make_twice (p, count / 100);
}

/* ---- the graph ---- */

static struct heap_graph *
make_graph (struct plan *p)
{
  const uint32_t n = p->bytes->len, references = p->from->len;
  uint32_t *first = g_new0 (uint32_t, n + 2);
  uint32_t *targets = g_new (uint32_t, references + 1), *offsets = g_new (uint32_t, references + 1);
  uint64_t *addresses = g_new (uint64_t, n + 1);
  uint64_t address = UINT64_C (0x7f0000001000);
  for (uint32_t i = 0; i < n; i++) {
    addresses[i] = address;
    address += (MAX (g_array_index (p->bytes, uint64_t, i), 8) + 7) & ~UINT64_C (7);
  }
  for (uint32_t i = 0; i < references; i++)
    first[g_array_index (p->from, uint32_t, i) + 2]++;
  for (uint32_t i = 2; i < n + 2; i++)
    first[i] += first[i - 1];
  for (uint32_t i = 0; i < references; i++) {
    const uint32_t at = first[g_array_index (p->from, uint32_t, i) + 1]++;
    targets[at] = g_array_index (p->to, uint32_t, i);
    offsets[at] = g_array_index (p->offset, uint32_t, i);
  }
  const struct graph_arrays arrays = {
    .n_objects = n,
    .addresses = addresses,
    .bytes = &g_array_index (p->bytes, uint64_t, 0),
    .classes = &g_array_index (p->classes, uint32_t, 0),
    .first = first,
    .targets = targets,
    .offsets = offsets,
    .class_names = class_names,
    .n_classes = CLASSES,
    .roots = &g_array_index (p->roots, struct heap_root, 0),
    .n_roots = p->roots->len,
  };
  struct heap_graph *graph = graph_from_arrays (&arrays);
  g_free (first);
  g_free (targets);
  g_free (offsets);
  g_free (addresses);
  return graph;
}

/* Of a log's last whole heap snapshot; NULL if there is none. */
static struct heap_graph *
read_graph (const char *path)
{
  const struct shot_selection selection = { .last = true };
  const struct scan_options options = { .graphs = &selection };
  struct heap_graph *graph = NULL;
  struct summary summary;
  GError *error = NULL;
  struct log_input *input = log_input_open (path, &error);
  if (input == NULL)
    return NULL;
  summary_init (&summary, &options);
  if (log_scan (&summary, input, 0, NULL, &error)) {
    summary_finish (&summary);
    graph = summary_build_heap (&summary, 0);
  }
  summary_clear (&summary);
  log_input_close (input);
  return graph;
}

/* Steps to each object, by object (transfer full).  Peers know no roots that pass: to them, all
 * ways are alike. */
static uint32_t *
find_steps (const struct heap_graph *g)
{
  struct heap_graph lasting = *g;
  g_autofree struct heap_root *roots = g_memdup2 (g->roots, g->n_roots * sizeof *roots);
  for (uint32_t i = 0; i < g->n_roots; i++)
    roots[i].kind = "other";
  lasting.roots = roots;
  struct heap_paths paths;
  uint32_t *steps = g_new0 (uint32_t, g->n_objects + 1);
  heap_paths_init (&paths, &lasting);
  for (uint32_t i = 0; i < paths.n_reached; i++) {
    const uint32_t object = paths.order[i], parent = paths.parents[object];
    steps[object] = parent == HEAP_PATH_ROOT ? 0 : steps[parent] + 1;
  }
  heap_paths_clear (&paths);
  return steps;
}

static void
print_nodes (const struct heap_graph *g, const struct heap_dominators *d)
{
  uint32_t *steps = find_steps (g);
  for (uint32_t i = 0; i < g->n_objects; i++) {
    printf ("%u\t%#" G_GINT64_MODIFIER "x\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\t", i,
            g->addresses[i], g->bytes[i], d->retained[i]);
    if (d->dominators[i] == HEAP_UNREACHED)
      printf ("none");
    else if (d->dominators[i] == HEAP_ROOTS)
      printf ("roots");
    else
      printf ("%u", d->dominators[i]);
    printf ("\t%u\t%s\n", steps[i], g->class_list[g->classes[i]].name);
  }
  g_free (steps);
}

static bool
put (void *data, const GString *bytes)
{
  return fwrite (bytes->str, 1, bytes->len, data) == bytes->len;
}

/* The graph of a shape; NULL if there is no such shape. */
static struct heap_graph *
make_shape (const char *name, uint32_t count, uint64_t seed)
{
  static const struct {
    const char *name;
    void (*make) (struct plan *plan, uint32_t count);
  } shapes[] = { { "random", make_random }, { "shapes", make_shapes } };
  struct plan p = { .bytes = g_array_new (FALSE, FALSE, sizeof (uint64_t)),
                    .classes = g_array_new (FALSE, FALSE, sizeof (uint32_t)),
                    .from = g_array_new (FALSE, FALSE, sizeof (uint32_t)),
                    .to = g_array_new (FALSE, FALSE, sizeof (uint32_t)),
                    .offset = g_array_new (FALSE, FALSE, sizeof (uint32_t)),
                    .roots = g_array_new (FALSE, FALSE, sizeof (struct heap_root)),
                    .state = seed * 2 + 1 };
  struct heap_graph *graph = NULL;
  for (size_t i = 0; i < G_N_ELEMENTS (shapes); i++)
    if (strcmp (name, shapes[i].name) == 0) {
      shapes[i].make (&p, count);
      graph = make_graph (&p);
    }
  g_array_unref (p.bytes);
  g_array_unref (p.classes);
  g_array_unref (p.from);
  g_array_unref (p.to);
  g_array_unref (p.offset);
  g_array_unref (p.roots);
  return graph;
}

int
main (int argc, char **argv)
{
  struct heap_graph *graph = NULL;
  if (argc == 3)
    graph = read_graph (argv[1]);
  else if (argc == 5)
    graph = make_shape (argv[1], (uint32_t) strtoul (argv[2], NULL, 10),
                        strtoull (argv[3], NULL, 10));
  if (graph == NULL)
    return 2;
  struct heap_dominators *dominators = heap_dominators_new (graph);
  const struct export_format *format = export_find (argv[argc - 1]);
  if (format == NULL || format->write_shot == NULL) {
    print_nodes (graph, dominators);
  } else {
    const struct export_shot shot
        = { .graph = graph, .dominators = dominators, .pid = 4711, .program = "peer" };
    struct export_out out = { .bytes = g_string_new (NULL), .put = put, .data = stdout };
    format->write_shot (&shot, &out);
    g_string_free (out.bytes, TRUE);
  }
  heap_dominators_free (dominators);
  heap_graph_free (graph);
  return ferror (stdout) || fflush (stdout) != 0;
}
