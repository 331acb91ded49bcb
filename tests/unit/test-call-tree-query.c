/* test-call-tree-query.c -- trees from the other end, and around methods. */
#include "config.h"

#include "decoder/mlpd/model/call-tree-query.h"
#include "tests/unit/test.h"

enum { MAIN = 1, WORK, SORT, LOCK };

static struct call_tree tree, made;

/* A stack, outermost first up to 0, that was sampled `hits` times. */
static void
add (const guint *stack, uint64_t hits)
{
  guint node = CALL_TREE_ROOT;
  for (; *stack != 0; stack++)
    node = call_tree_enter (&tree, node, *stack, hits);
}

#define STACK(...) ((const guint[]){ __VA_ARGS__, 0 })

/* Main 1, Main-Work 2, Main-Work-Sort 4, Main-Work-Sort-Work 8, Main-Lock 16, Sort 32. */
static void
begin (void)
{
  call_tree_init (&tree, CALL_TIMES_NONE);
  call_tree_init (&made, CALL_TIMES_NONE);
  add (STACK (MAIN), 1);
  add (STACK (MAIN, WORK), 2);
  add (STACK (MAIN, WORK, SORT), 4);
  add (STACK (MAIN, WORK, SORT, WORK), 8);
  add (STACK (MAIN, LOCK), 16);
  add (STACK (SORT), 32);
}

static void
end (void)
{
  call_tree_clear (&tree);
  call_tree_clear (&made);
}

/* The count of the node of this path; 0: there is none. */
static uint64_t
count_of (const struct call_tree *t, const guint *path)
{
  guint node = CALL_TREE_ROOT;
  for (; *path != 0; path++) {
    guint next = CALL_TREE_ROOT;
    for (guint i = 1; i < t->nodes->len; i++) {
      const struct call_node *n = &g_array_index (t->nodes, struct call_node, i);
      if (n->parent == node && n->method == *path)
        next = i;
    }
    if (next == CALL_TREE_ROOT)
      return 0;
    node = next;
  }
  return g_array_index (t->nodes, struct call_node, node).calls;
}

TEST_WITH (test_invert, begin, end)
{
  call_tree_invert (&tree, 0, &made);
  assert_int_equal (count_of (&made, STACK (MAIN)), 1);
  assert_int_equal (count_of (&made, STACK (WORK)), 2 + 8);
  assert_int_equal (count_of (&made, STACK (WORK, SORT)), 8);
  assert_int_equal (count_of (&made, STACK (WORK, MAIN)), 2);
  assert_int_equal (count_of (&made, STACK (SORT)), 4 + 32);
  assert_int_equal (count_of (&made, STACK (SORT, WORK, MAIN)), 4);
  assert_int_equal (count_of (&made, STACK (LOCK, MAIN)), 16);
}

/* The inner call of a recursion is not one more: its hits are in those of the outermost one. */
TEST_WITH (test_callers, begin, end)
{
  const guint8 wanted[] = { 0, 0, 1 };
  GByteArray *methods = g_byte_array_new ();
  g_byte_array_append (methods, wanted, sizeof wanted);
  call_tree_find_callers (&tree, methods, 0, &made);
  assert_int_equal (count_of (&made, STACK (WORK)), 14);
  assert_int_equal (count_of (&made, STACK (WORK, MAIN)), 14);
  assert_int_equal (made.nodes->len, 1 + 2);
  g_byte_array_unref (methods);
}

TEST_WITH (test_callees, begin, end)
{
  const guint8 wanted[] = { 0, 0, 0, 1 };
  GByteArray *methods = g_byte_array_new ();
  g_byte_array_append (methods, wanted, sizeof wanted);
  call_tree_find_callees (&tree, methods, &made);
  assert_int_equal (count_of (&made, STACK (SORT)), 12 + 32);
  assert_int_equal (count_of (&made, STACK (SORT, WORK)), 8);
  assert_int_equal (made.nodes->len, 1 + 2);
  g_byte_array_unref (methods);
}

static int
by_number (const void *data, uint64_t method, uint64_t other)
{
  (void) data;
  return (method > other) - (method < other);
}

static void
expect_row (const GArray *rows, guint i, guint method, guint depth)
{
  const struct call_tree_row *row = &g_array_index (rows, struct call_tree_row, i);
  assert_int_equal (g_array_index (tree.nodes, struct call_node, row->node).method, method);
  assert_int_equal (row->depth, depth);
}

/* Those of the highest counts are a tree. */
TEST_WITH (test_rows, begin, end)
{
  GArray *rows = call_tree_rows (&tree, 0, by_number, NULL);
  assert_int_equal (rows->len, 6);
  expect_row (rows, 0, SORT, 0); /* 32 */
  expect_row (rows, 1, MAIN, 0); /* 31 */
  expect_row (rows, 2, LOCK, 1); /* 16 */
  expect_row (rows, 3, WORK, 1); /* 14 */
  expect_row (rows, 4, SORT, 2);
  expect_row (rows, 5, WORK, 3);
  g_array_unref (rows);
  rows = call_tree_rows (&tree, 3, by_number, NULL);
  assert_int_equal (rows->len, 3);
  expect_row (rows, 2, LOCK, 1);
  g_array_unref (rows);
}

TEST_WITH (test_self, begin, end)
{
  uint64_t *self = call_tree_self (&tree), sum = 0;
  for (guint i = 1; i < tree.nodes->len; i++)
    sum += self[i];
  assert_int_equal (sum, 1 + 2 + 4 + 8 + 16 + 32);
  assert_int_equal (self[1], 1);
  g_free (self);
}

/* Of methods with little weight, no callers are entered. */
TEST_WITH (test_invert_largest, begin, end)
{
  call_tree_invert (&tree, 2, &made); /* the second is Lock: 16 */
  assert_int_equal (count_of (&made, STACK (SORT)), 36);
  assert_int_equal (count_of (&made, STACK (LOCK, MAIN)), 16);
  assert_int_equal (count_of (&made, STACK (WORK)), 10);
  assert_int_equal (count_of (&made, STACK (WORK, SORT)), 0);
}

/* ---- calls ---- */

static void
begin_calls (void)
{
  call_tree_init (&tree, CALL_TIMES_CALLS);
  call_tree_init (&made, CALL_TIMES_CALLS);
}

/* A call from this node; returns its own. */
static guint
add_call (guint from, guint method, uint64_t start, uint64_t ns)
{
  const guint node = call_tree_enter (&tree, from, method, 1);
  call_times_add (call_tree_times (&tree, node), start, ns);
  return node;
}

/* Main 100..200 calls Work 110..150, which calls itself 120..130 and Lock 130..145; Main calls Work
 * again 150..170 and Lock 170..185, as long as before. */
static void
add_calls (void)
{
  const guint root = add_call (CALL_TREE_ROOT, MAIN, 100, 100);
  const guint work = add_call (root, WORK, 110, 40);
  add_call (work, WORK, 120, 10);
  add_call (work, LOCK, 130, 15);
  add_call (root, WORK, 150, 20);
  add_call (root, LOCK, 170, 15);
}

static guint
node_of (const struct call_tree *t, const guint *path)
{
  guint node = CALL_TREE_ROOT;
  for (; *path != 0; path++)
    node = 1 + id_map_find (&t->children, (uint64_t) node << 32 | *path);
  return node;
}

static void
expect_times (const struct call_tree *t, const guint *path, uint64_t calls, uint64_t total_ns,
              uint64_t start, uint64_t end)
{
  const guint node = node_of (t, path);
  assert_in_range (node, 1, t->nodes->len - 1);
  const struct call_times *times = call_tree_times (t, node);
  assert_int_equal (g_array_index (t->nodes, struct call_node, node).calls, calls);
  assert_int_equal (times->total_ns, total_ns);
  assert_int_equal (times->start, start);
  assert_int_equal (times->end, end);
}

TEST_WITH (test_call_times, begin_calls, end)
{
  add_calls ();
  uint64_t *self = call_tree_self (&tree);
  expect_times (&tree, STACK (MAIN), 1, 100, 100, 200);
  expect_times (&tree, STACK (MAIN, WORK), 2, 60, 110, 150);
  expect_times (&tree, STACK (MAIN, WORK, WORK), 1, 10, 120, 130);
  assert_int_equal (self[node_of (&tree, STACK (MAIN))], 100 - 60 - 15);
  assert_int_equal (self[node_of (&tree, STACK (MAIN, WORK))], 60 - 10 - 15);
  g_free (self);
}

/* Self times, and of calls of equal length the earliest. */
TEST_WITH (test_invert_calls, begin_calls, end)
{
  add_calls ();
  call_tree_invert (&tree, 0, &made);
  expect_times (&made, STACK (MAIN), 1, 25, 100, 200);
  expect_times (&made, STACK (WORK), 3, 35 + 10, 110, 150);
  expect_times (&made, STACK (WORK, WORK, MAIN), 1, 10, 120, 130);
  expect_times (&made, STACK (LOCK), 2, 30, 130, 145);
  expect_times (&made, STACK (LOCK, MAIN), 1, 15, 170, 185);
}

/* Of a recursion all calls count, and the time of the outermost one. */
TEST_WITH (test_callers_of_calls, begin_calls, end)
{
  const guint8 wanted[] = { 0, 0, 1 };
  GByteArray *methods = g_byte_array_new ();
  add_calls ();
  g_byte_array_append (methods, wanted, sizeof wanted);
  call_tree_find_callers (&tree, methods, 0, &made);
  expect_times (&made, STACK (WORK), 3, 60, 110, 150);
  expect_times (&made, STACK (WORK, MAIN), 3, 60, 110, 150);
  assert_int_equal (made.nodes->len, 1 + 2);
  g_byte_array_unref (methods);
}

TEST_WITH (test_callees_of_calls, begin_calls, end)
{
  const guint8 wanted[] = { 0, 0, 1 };
  GByteArray *methods = g_byte_array_new ();
  add_calls ();
  g_byte_array_append (methods, wanted, sizeof wanted);
  call_tree_find_callees (&tree, methods, &made);
  expect_times (&made, STACK (WORK), 2, 60, 110, 150);
  expect_times (&made, STACK (WORK, WORK), 1, 10, 120, 130);
  expect_times (&made, STACK (WORK, LOCK), 1, 15, 130, 145);
  assert_int_equal (made.nodes->len, 1 + 3);
  g_byte_array_unref (methods);
}

/* A stack as deep as a log can make it. */
TEST_WITH (test_deep, begin_calls, end)
{
  enum { DEPTH = 200000 };
  guint node = CALL_TREE_ROOT;
  for (guint i = 0; i < DEPTH; i++)
    node = add_call (node, WORK, i, 2 * DEPTH - i);
  GArray *rows = call_tree_rows (&tree, 0, by_number, NULL);
  assert_int_equal (rows->len, DEPTH);
  assert_int_equal (g_array_index (rows, struct call_tree_row, DEPTH - 1).depth, DEPTH - 1);
  g_array_unref (rows);
  call_tree_invert (&tree, 0, &made);
  assert_int_equal (made.nodes->len, 1 + CALL_TREE_FRAMES_MAX);
  expect_times (&made, STACK (WORK), DEPTH, 2 * DEPTH, 0, 2 * DEPTH);
}
