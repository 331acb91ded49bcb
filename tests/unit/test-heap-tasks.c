/* test-heap-tasks.c -- operations, their tasks and what waits for these, in graphs made by hand. */
#include "config.h"

#include "decoder/heap/heap-contents.h"
#include "decoder/heap/heap-fields.h"
#include "decoder/heap/heap-tasks.h"
#include "tests/unit/graph-arrays.h"
#include "tests/unit/test.h"

/* Classes, and the offsets of their fields. */
enum { LOAD, READ, TASK, DELAY, ACTION, RUNNER, LIST, ARRAY, OWN, CLASSES };
enum { BUILDER_TASK = 16, CONTINUATION = 24, LINK = 32 };

static const char *const names[CLASSES] = { "Shop.Catalog.<Load>d__3",
                                            "Shop.Catalog.<Read>c__async0<System.Int32>",
                                            "System.Threading.Tasks.Task<System.Int32>",
                                            "System.Threading.Tasks.Task.DelayPromise",
                                            "System.Action",
                                            "System.MoveNextRunner",
                                            "System.Collections.Generic.List<System.Object>",
                                            "System.Object[]",
                                            "Shop.Own" };

/* A reference. */
struct link {
  uint32_t from, to, offset;
};

/* Objects of these classes, with references in order of their objects; all are roots. */
static struct heap_graph *
make_graph (const uint32_t *classes, uint32_t n, const struct link *links, uint32_t n_links)
{
  uint32_t first[32] = { 0 }, targets[64], offsets[64];
  struct heap_root roots[32] = { { .object = 0 } };
  for (uint32_t i = 0; i < n; i++)
    roots[i] = (struct heap_root){ .object = i, .kind = "static" };
  for (uint32_t i = 0; i < n_links; i++) {
    targets[i] = links[i].to;
    offsets[i] = links[i].offset;
    for (uint32_t at = links[i].from + 1; at <= n; at++)
      first[at] = i + 1;
  }
  struct heap_graph *g = graph_from_arrays (&(const struct graph_arrays){ .n_objects = n,
                                                                          .classes = classes,
                                                                          .first = first,
                                                                          .targets = targets,
                                                                          .offsets = offsets,
                                                                          .class_names = names,
                                                                          .n_classes = CLASSES,
                                                                          .roots = roots,
                                                                          .n_roots = n });
  g->has_fields = true;
  heap_class_add_field (&g->class_list[LOAD], BUILDER_TASK, "<>t__builder.m_task");
  heap_class_add_field (&g->class_list[READ], BUILDER_TASK, "$builder.m_builder.m_task");
  heap_class_add_field (&g->class_list[TASK], CONTINUATION, "m_continuationObject");
  heap_class_add_field (&g->class_list[DELAY], CONTINUATION, "m_continuationObject");
  heap_class_add_field (&g->class_list[ACTION], LINK, "m_target");
  heap_class_add_field (&g->class_list[RUNNER], LINK, "m_stateMachine");
  heap_class_add_field (&g->class_list[LIST], LINK, "_items");
  heap_class_add_field (&g->class_list[OWN], LINK, "m_target");
  return g;
}

static void
expect (const struct heap_tasks *t, const struct heap_graph *g, guint nth, uint64_t count,
        const char *operation, const char *innermost, const char *wait)
{
  assert_true (nth < t->operations->len);
  const struct heap_operations *o = &g_array_index (t->operations, struct heap_operations, nth);
  g_autofree char *operation_text = heap_operation_text (g, o->klass),
                  *innermost_text = heap_wait_innermost_text (t, g, o->wait),
                  *wait_text = heap_wait_text (t, g, o->wait);
  assert_int_equal (o->count, count);
  assert_string_equal (operation_text, operation);
  assert_int_equal (g_strcmp0 (innermost_text, innermost), 0);
  assert_int_equal (g_strcmp0 (wait_text, wait), 0);
}

/* Two loads (0, 1) wait for one read (2), by a list; its task (3) is in its builder.  It waits for
 * a delay (4), whose continuation is an action (5). */
static const uint32_t chain[] = { LOAD, LOAD, READ, TASK, DELAY, ACTION, RUNNER, LIST, ARRAY };
static const struct link chain_links[]
    = { { 2, 3, BUILDER_TASK }, { 3, 7, CONTINUATION }, { 4, 5, CONTINUATION }, { 5, 6, LINK },
        { 6, 2, LINK },         { 7, 8, LINK },         { 8, 0, 32 },           { 8, 1, 40 } };

TEST (test_chain)
{
  struct heap_graph *g
      = make_graph (chain, G_N_ELEMENTS (chain), chain_links, G_N_ELEMENTS (chain_links));
  struct heap_tasks t;
  heap_tasks_init (&t, g, NULL, NULL);
  assert_int_equal (t.count, 3);
  assert_int_equal (t.operations->len, 2);
  expect (&t, g, 0, 2, "Shop.Catalog:Load (async)", "Shop.Catalog:Read (async)",
          "Shop.Catalog:Read (async) -> Task.Delay");
  expect (&t, g, 1, 1, "Shop.Catalog:Read (async)", "Task.Delay", "Task.Delay");
  assert_int_equal (
      heap_wait_steps (&t, g_array_index (t.operations, struct heap_operations, 0).wait), 2);
  heap_tasks_clear (&t);
  heap_graph_free (g);
}

/* Loads in two states are apart; of the read none is known. */
TEST (test_states)
{
  struct heap_graph *g
      = make_graph (chain, G_N_ELEMENTS (chain), chain_links, G_N_ELEMENTS (chain_links));
  struct heap_tasks t;
  g->contents = heap_contents_new ();
  heap_contents_add_state (g->contents, g->addresses[1], -2);
  heap_contents_add_state (g->contents, g->addresses[0], 7);
  heap_contents_finish (g->contents);
  heap_tasks_init (&t, g, NULL, NULL);
  assert_int_equal (t.operations->len, 3);
  const struct heap_operations *o = (const void *) t.operations->data;
  assert_int_equal (o[0].klass, LOAD);
  assert_true (o[0].has_state && o[1].has_state && !o[2].has_state);
  assert_int_equal (o[0].state, -2);
  assert_int_equal (o[1].state, 7);
  assert_int_equal (o[1].count, 1);
  heap_tasks_clear (&t);
  heap_graph_free (g);
}

/* The first load was there before, the second was not. */
TEST (test_new)
{
  static const uint32_t first_load[] = { LOAD };
  struct heap_graph *before = make_graph (first_load, 1, NULL, 0);
  struct heap_graph *g
      = make_graph (chain, G_N_ELEMENTS (chain), chain_links, G_N_ELEMENTS (chain_links));
  struct heap_moves moves;
  struct heap_tasks t;
  before->index = 1;
  g->index = 2;
  heap_moves_init (&moves);
  heap_tasks_init (&t, g, before, &moves);
  assert_int_equal (g_array_index (t.operations, struct heap_operations, 0).came, 1);
  assert_int_equal (g_array_index (t.operations, struct heap_operations, 1).came, 1);
  heap_tasks_clear (&t);
  heap_moves_clear (&moves);
  heap_graph_free (before);
  heap_graph_free (g);
}

/* A load and a read wait for each other's task, one load for its own; one for nothing that is
 * known: an object of the program is no link. */
TEST (test_odd)
{
  static const uint32_t classes[] = { LOAD, TASK, READ, TASK, LOAD, TASK, LOAD, TASK, OWN };
  static const struct link links[]
      = { { 0, 1, BUILDER_TASK }, { 1, 2, CONTINUATION }, { 2, 3, BUILDER_TASK },
          { 3, 0, CONTINUATION }, { 4, 5, BUILDER_TASK }, { 5, 4, CONTINUATION },
          { 7, 8, CONTINUATION }, { 8, 6, LINK } };
  struct heap_graph *g = make_graph (classes, G_N_ELEMENTS (classes), links, G_N_ELEMENTS (links));
  struct heap_tasks t;
  heap_tasks_init (&t, g, NULL, NULL);
  assert_int_equal (t.count, 4);
  assert_int_equal (t.operations->len, 4);
  bool has_unknown = false;
  for (guint i = 0; i < t.operations->len; i++)
    has_unknown |= g_array_index (t.operations, struct heap_operations, i).wait == HEAP_WAIT_NONE;
  assert_true (has_unknown);
  heap_tasks_clear (&t);
  heap_graph_free (g);
}

/* Of a damaged log: an action that is its own target, and lists of each other. */
TEST (test_cycles)
{
  static const uint32_t classes[] = { TASK, ACTION, TASK, LIST, ARRAY };
  static const struct link links[]
      = { { 0, 1, CONTINUATION }, { 1, 1, LINK }, { 2, 3, CONTINUATION },
          { 3, 4, LINK },         { 4, 3, 32 },   { 4, 4, 40 } };
  struct heap_graph *g = make_graph (classes, G_N_ELEMENTS (classes), links, G_N_ELEMENTS (links));
  struct heap_tasks t;
  heap_tasks_init (&t, g, NULL, NULL);
  assert_int_equal (t.count, 0);
  heap_tasks_clear (&t);
  heap_graph_free (g);
}
