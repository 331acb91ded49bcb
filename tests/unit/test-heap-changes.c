/* test-heap-changes.c -- heap snapshots compared: objects that move, series, leaks; computed by
 * hand.
 */
#include "config.h"

#include "decoder/heap/heap-changes.h"
#include "decoder/mlpd/analyses/heap-builder.h"
#include "decoder/mlpd/query/leaks.h"
#include "tests/unit/summary-test.h"

#include <string.h>

enum {
  NODE = 0x1000,
  LEAF = 0x2000,
  HOLDER = 0x3000,
  OTHER = 0x4000,
  A = 0x70000,
  B = 0x70100,
  C = 0x70200,
  D = 0x70300,
  E = 0x70400,
  FAR = 0x80000,
  FIRST = 0x100000,
  SECOND = 1000000000,
};

static void
add_classes (void)
{
  script_class (&script, 1000, NODE, "Node");
  script_class (&script, 1000, LEAF, "Leaf");
  script_class (&script, 1000, HOLDER, "Holder");
}

static void
begin (void)
{
  summary_test_begin ();
  add_classes ();
}

/* In a data version that has roots. */
static void
begin_with_roots (void)
{
  script_begin_version (&script, 3);
  script_buffer (&script, 1, 1000);
  add_classes ();
}

static struct heap_graph *
make (guint index)
{
  struct heap_graph *graph = summary_build_heap (&summary, index);
  assert_non_null (graph);
  return graph;
}

static void
object (uint64_t address, uint64_t klass, uint64_t bytes)
{
  script_shot_object (&script, address, klass, bytes, NULL, 0);
}

/* One event. */
static void
moves (const uint64_t *addresses, size_t n)
{
  const union mlpd_payload move = { .gc_move = { .time = 2000, .objects = { addresses, n } } };
  script_event (&script, MLPD_GC_MOVE, &move);
}

static const struct heap_change *
change_of (const struct heap_diff *d, const char *name)
{
  for (guint i = 0; i < d->classes->len; i++) {
    const struct heap_change *c = &g_array_index (d->classes, struct heap_change, i);
    if (strcmp (c->name, name) == 0)
      return c;
  }
  fail_msg ("no class %s", name);
  return NULL;
}

/* A and B change places in one event, C goes far away, something unknown comes to D, E grows; then
 * another object is where C was. */
TEST_WITH (test_diff, begin, summary_test_end)
{
  static const guint pair[] = { 1, 2 };
  static const struct shot_selection selection = { .indexes = pair, .n_indexes = 2, .moves = true };
  const struct scan_options options = { .graphs = &selection };
  script_move (&script, 1001, A, FAR); /* before the first snapshot: does not matter */
  script_shot_start (&script, 1010);
  object (A, NODE, 16);
  object (B, NODE, 16);
  object (C, LEAF, 24);
  object (D, NODE, 16);
  object (E, NODE, 16);
  script_shot_end (&script, 1020);
  moves ((const uint64_t[]){ A, B, B, A }, 4);
  script_move (&script, 2001, C, FAR);
  script_move (&script, 2002, 0x90000, D);
  script_shot_start (&script, 2010);
  object (A, NODE, 16);
  object (B, NODE, 16);
  object (C, NODE, 16);
  object (D, NODE, 16);
  object (E, NODE, 32);
  object (FAR, LEAF, 24);
  script_shot_end (&script, 2020);
  script_move (&script, 2030, A, FAR + 0x1000); /* after the second */
  script_summarize_with (&script, &summary, &options);

  struct heap_graph *before = make (1), *now = make (2);
  struct heap_dominators *d1 = heap_dominators_new (before), *d2 = heap_dominators_new (now);
  struct heap_diff diff;
  uint32_t moved;
  uint32_t *objects = heap_moves_follow (&STATE (heap_builder)->moves, before, now, &moved);
  static const uint32_t expected[] = { 1, 0, 5, HEAP_NONE, 4 };
  assert_memory_equal (objects, expected, sizeof expected);
  assert_int_equal (moved, 3);
  g_free (objects);

  heap_diff_init (&diff, &STATE (heap_builder)->moves, before, d1, now, d2);
  assert_int_equal (diff.followed, 4);
  assert_int_equal (diff.moved, 3);
  const struct heap_change *node = change_of (&diff, "Node"), *leaf = change_of (&diff, "Leaf");
  assert_int_equal (node->before.objects, 4);
  assert_int_equal (node->before.bytes, 64);
  assert_int_equal (node->now.objects, 5);
  assert_int_equal (node->now.bytes, 96);
  assert_int_equal (node->come.objects, 2);
  assert_int_equal (node->come.bytes, 32);
  assert_int_equal (node->gone.objects, 1);
  assert_int_equal (node->gone.bytes, 16);
  assert_int_equal (node->other_size.objects, 1);
  assert_int_equal (node->other_size.bytes, 16);
  assert_int_equal (node->retained_before, 64);
  assert_int_equal (node->retained_now, 96);
  assert_int_equal (leaf->before.objects, 1);
  assert_int_equal (leaf->now.objects, 1);
  assert_int_equal (leaf->come.objects + leaf->gone.objects, 0);
  heap_diff_clear (&diff);
  heap_dominators_free (d1);
  heap_dominators_free (d2);
  heap_graph_free (before);
  heap_graph_free (now);
}

/* The first snapshot is recorded by another thread, while the world runs: what moves in its own
 * collection moves before it, and what moves in the next one after it, though its END comes later.
 */
TEST_WITH (test_moves_while_recorded, begin, summary_test_end)
{
  static const guint pair[] = { 1, 2 };
  static const struct shot_selection selection = { .indexes = pair, .n_indexes = 2, .moves = true };
  const struct scan_options options = { .graphs = &selection };
  script_gc (&script, 1005, MLPD_GC_EVENT_PRE_STOP_WORLD, 1);
  script_buffer (&script, 2, 1010);
  script_shot_start (&script, 1010);
  script_buffer (&script, 1, 1011);
  script_move (&script, 1011, FAR, A);
  script_buffer (&script, 2, 1012);
  object (A, NODE, 16);
  script_buffer (&script, 1, 1020);
  script_gc (&script, 1020, MLPD_GC_EVENT_PRE_STOP_WORLD, 0);
  script_move (&script, 1021, A, C);
  script_move (&script, 1021, B, FAR);
  script_buffer (&script, 2, 1030);
  object (B, LEAF, 24);
  script_shot_end (&script, 1031);
  script_shot_start (&script, 2000);
  object (C, NODE, 16);
  object (FAR, LEAF, 24);
  script_shot_end (&script, 2010);
  script_summarize_with (&script, &summary, &options);

  struct heap_graph *before = make (1), *now = make (2);
  uint32_t moved;
  uint32_t *objects = heap_moves_follow (&STATE (heap_builder)->moves, before, now, &moved);
  static const uint32_t expected[] = { 0, 1 };
  assert_memory_equal (objects, expected, sizeof expected);
  assert_int_equal (moved, 2);
  g_free (objects);
  heap_graph_free (before);
  heap_graph_free (now);
}

/* ---- series ---- */

static void
objects (uint64_t first, uint64_t klass, uint64_t bytes, guint n)
{
  for (guint i = 0; i < n; i++)
    object (first + 64 * i, klass, bytes);
}

/* The last snapshot may be as the one before; one that falls does not grow. */
TEST_WITH (test_growth, begin, summary_test_end)
{
  static const guint nodes[] = { 10, 30, 50, 70, 70 }, leaves[] = { 50, 10, 20, 30, 20 };
  struct heap_growth growth;
  for (guint i = 0; i < G_N_ELEMENTS (nodes); i++) {
    script_shot_start (&script, (uint64_t) (i + 1) * SECOND);
    objects (FIRST, NODE, 16, nodes[i]);
    objects (FIRST + 0x10000, LEAF, 24, leaves[i]);
    script_shot_end (&script, (uint64_t) (i + 1) * SECOND + 10);
  }
  script_shot_start (&script, UINT64_C (7) * SECOND); /* cut: does not count */
  object (A, NODE, 16);
  script_summarize (&script, &summary);
  heap_growth_init (&growth, &summary, 0);
  assert_int_equal (growth.n_shots, 5);
  const struct heap_series *node = heap_growth_find (&growth, "Node", NULL);
  const struct heap_series *leaf = heap_growth_find (&growth, "Leaf", NULL);
  assert_null (heap_growth_find (&growth, "Holder", NULL));
  assert_int_equal (node->shots[0].objects, 10);
  assert_int_equal (node->shots[4].bytes, 1120);
  assert_int_equal (node->since, 0);
  assert_int_equal (leaf->since, HEAP_NOT_GROWING);
  /* 160, 480, 800, 1120, 1120 bytes at 0 to 4 s: the sum of the products of distances from the
   * means, 2 s and 736 bytes, is 2560, that of the squares of times 10. */
  assert_true (node->slope > 255.999 && node->slope < 256.001);
  assert_int_equal (growth.all.shots[1].bytes, 30 * 16 + 10 * 24);
  heap_growth_clear (&growth);
}

/* Threads record heap snapshots, so these need not be in the order of their times: 160 bytes more a
 * second. */
TEST_WITH (test_growth_of_several_threads, begin, summary_test_end)
{
  static const guint seconds[] = { 2, 1, 3 };
  struct heap_growth growth;
  for (guint i = 0; i < G_N_ELEMENTS (seconds); i++) {
    const uint64_t time = (uint64_t) seconds[i] * SECOND;
    script_buffer (&script, 10 + i, time);
    script_shot_start (&script, time);
    objects (FIRST, NODE, 16, 10 * seconds[i]);
    script_shot_end (&script, time + 10);
  }
  script_summarize (&script, &summary);
  heap_growth_init (&growth, &summary, 0);
  assert_int_equal (growth.n_shots, 3);
  const struct heap_series *node = heap_growth_find (&growth, "Node", NULL);
  assert_true (node->slope > 159.999 && node->slope < 160.001);
  heap_growth_clear (&growth);
}

/* Of nodes that there are this many of in each snapshot. */
static guint
since_of (const guint *nodes, guint n_shots)
{
  struct heap_growth growth;
  for (guint i = 0; i < n_shots; i++) {
    script_shot_start (&script, (uint64_t) (i + 1) * SECOND);
    object (A, HOLDER, 24);
    objects (FIRST, NODE, 16, nodes[i]);
    script_shot_end (&script, (uint64_t) (i + 1) * SECOND + 10);
  }
  script_summarize (&script, &summary);
  heap_growth_init (&growth, &summary, 0);
  const guint since = heap_growth_find (&growth, "Node", NULL)->since;
  heap_growth_clear (&growth);
  return since;
}

/* What it begins from does not count as growth, however long that was so. */
TEST_WITH (test_growth_begins_late, begin, summary_test_end)
{
  static const guint nodes[] = { 20, 20, 20, 20, 60, 100, 140 };
  assert_int_equal (since_of (nodes, G_N_ELEMENTS (nodes)), 3);
}

TEST_WITH (test_growth_begins_from_none, begin, summary_test_end)
{
  static const guint nodes[] = { 0, 0, 40, 80, 120 };
  assert_int_equal (since_of (nodes, G_N_ELEMENTS (nodes)), 1);
}

TEST_WITH (test_growth_begins_after_fall, begin, summary_test_end)
{
  static const guint nodes[] = { 0, 40, 80, 120, 119, 160, 200, 240, 280 };
  assert_int_equal (since_of (nodes, G_N_ELEMENTS (nodes)), 4);
}

/* Two snapshots may have the same: growth goes on.  In the beginning that is a beginning, too. */
TEST_WITH (test_growth_halts, begin, summary_test_end)
{
  static const guint nodes[] = { 20, 20, 60, 60, 100, 140, 180, 180 };
  assert_int_equal (since_of (nodes, G_N_ELEMENTS (nodes)), 1);
}

/* Three do not. */
TEST_WITH (test_growth_halts_long, begin, summary_test_end)
{
  static const guint nodes[] = { 20, 40, 60, 60, 60, 100, 140, 180 };
  assert_int_equal (since_of (nodes, G_N_ELEMENTS (nodes)), 4);
}

/* ---- leaks ---- */

/* A snapshot with a holder that refers to all nodes, or to the first of a list of them. */
static void
shot_of_holder (uint64_t time, guint nodes, bool is_list)
{
  uint64_t *addresses = g_new0 (uint64_t, nodes + 1);
  for (guint i = 0; i < nodes; i++)
    addresses[i] = FIRST + 64 * (uint64_t) i;
  script_shot_start (&script, time);
  script_shot_object (&script, A, HOLDER, 24, addresses, is_list ? 1 : nodes);
  for (guint i = 0; i < nodes; i++)
    script_shot_object (&script, addresses[i], NODE, 16, &addresses[i + 1],
                        is_list && i + 1 < nodes ? 1 : 0);
  object (B, LEAF, 776);
  script_shot_end (&script, time + 10);
  g_free (addresses);
}

/* As `proflog heap leaks` does; the index of the snapshot that is inspected before the end, 0:
 * none. */
static guint
search (struct shot_leaks *s)
{
  static const struct shot_selection selection = { .last = true, .peak = true };
  const struct scan_options options = { .graphs = &selection };
  script_summarize_with (&script, &summary, &options);
  assert_true (shot_leaks_init (s, &summary, 0));
  return s->skipped_shot != NULL ? s->graph->index : 0;
}

/* A suspect that is held at an address, and its only class. */
static const struct leak *
check_suspect (const struct shot_leaks *s, guint number, uint64_t holder, const char *class_name)
{
  const struct leak *leak = g_ptr_array_index (s->leaks.all, number);
  const struct leak_class *klass = &g_array_index (leak->classes, struct leak_class, 0);
  assert_int_equal (leak->holder, heap_graph_find (s->graph, holder));
  assert_int_equal (leak->classes->len, 1);
  assert_string_equal (s->graph->class_list[klass->klass].name, class_name);
  return leak;
}

static void
check_leak (const guint *nodes, guint n_shots, bool is_list, bool is_leak)
{
  struct shot_leaks s;
  for (guint i = 0; i < n_shots; i++)
    shot_of_holder ((uint64_t) (i + 1) * SECOND, nodes[i], is_list);
  search (&s);
  assert_int_equal (s.leaks.all->len, is_leak);
  if (is_leak) {
    const struct leak *leak = check_suspect (&s, 0, A, "Node");
    const struct leak_class *klass = &g_array_index (leak->classes, struct leak_class, 0);
    assert_int_equal (leak->bytes, 24 + 300 * 16);
    assert_int_equal (leak->grown, 200 * 16);
    assert_int_equal (leak->way->len, 1);
    assert_int_equal (klass->objects, 300);
    assert_int_equal (klass->retained, 300 * 16);
    assert_int_equal (klass->series->since, 0);
  }
  shot_leaks_clear (&s);
}

TEST_WITH (test_leak_wide, begin, summary_test_end)
{
  check_leak ((const guint[]){ 100, 200, 300 }, 3, false, true);
}

TEST_WITH (test_leak_list, begin, summary_test_end)
{
  check_leak ((const guint[]){ 100, 200, 300 }, 3, true, true);
}

/* Two snapshots show nothing, nor does what stays as it is, or comes and goes. */
TEST_WITH (test_no_leak_two, begin, summary_test_end)
{
  check_leak ((const guint[]){ 100, 300 }, 2, false, false);
}

TEST_WITH (test_no_leak_steady, begin, summary_test_end)
{
  check_leak ((const guint[]){ 100, 300, 300, 300 }, 4, false, false);
}

TEST_WITH (test_no_leak_waves, begin, summary_test_end)
{
  check_leak ((const guint[]){ 100, 200, 150, 250, 300 }, 5, false, false);
}

/* 16 new nodes, 256 bytes, are less than a twentieth of 24 + 4800 + 776. */
TEST_WITH (test_no_leak_little, begin, summary_test_end)
{
  check_leak ((const guint[]){ 284, 292, 300 }, 3, false, false);
}

/* A holder of this many objects of 16 bytes, and of others. */
static void
holder_of (uint64_t address, uint64_t first, uint64_t klass, guint n, const uint64_t *more,
           guint n_more)
{
  uint64_t *addresses = g_new0 (uint64_t, n + n_more + 1);
  for (guint i = 0; i < n; i++)
    addresses[i] = first + 64 * (uint64_t) i;
  for (guint i = 0; i < n_more; i++)
    addresses[n + i] = more[i];
  script_shot_object (&script, address, HOLDER, 24, addresses, n + n_more);
  objects (first, klass, 16, n);
  g_free (addresses);
}

/* A large node that was there from the beginning is no growth, although nodes grow: of 301 of them
 * 200 came, so of the 300 small ones 200 / 301.  Beside those it may be one that came, with 16
 * bytes. */
static void
check_large_node (bool is_beside, uint64_t bytes, uint64_t grown)
{
  struct shot_leaks s;
  for (guint i = 0; i < 3; i++) {
    script_shot_start (&script, (uint64_t) (i + 1) * SECOND);
    holder_of (A, FIRST, NODE, 100 * (i + 1), &(uint64_t){ C }, is_beside);
    object (C, NODE, 5000);
    script_shot_end (&script, (uint64_t) (i + 1) * SECOND + 10);
  }
  search (&s);
  assert_int_equal (s.leaks.all->len, 1);
  const struct leak *leak = check_suspect (&s, 0, A, "Node");
  assert_int_equal (leak->bytes, bytes);
  assert_int_equal (leak->grown, grown);
  shot_leaks_clear (&s);
}

TEST_WITH (test_large_object_alone, begin, summary_test_end)
{
  check_large_node (false, 24 + 300 * 16, 3189);
}

TEST_WITH (test_large_object_beside, begin, summary_test_end)
{
  check_large_node (true, 24 + 300 * 16 + 5000, 3200);
}

/* One owner, at A, of two holders, each with its own objects, and of objects of its own: 4800 bytes
 * of nodes, 2400 bytes of leaves and `others`. */
static void
search_branches (struct shot_leaks *s, guint others)
{
  script_class (&script, 1000, OTHER, "Other");
  for (guint i = 1; i <= 3; i++) {
    script_shot_start (&script, i * (uint64_t) SECOND);
    holder_of (A, FIRST, OTHER, others * i, (const uint64_t[]){ C, D }, 2);
    holder_of (C, FIRST + 0x10000, NODE, 100 * i, NULL, 0);
    holder_of (D, FIRST + 0x20000, LEAF, 50 * i, NULL, 0);
    script_shot_end (&script, i * (uint64_t) SECOND + 10);
  }
  search (s);
}

TEST_WITH (test_branches, begin, summary_test_end)
{
  struct shot_leaks s;
  search_branches (&s, 0);
  assert_int_equal (s.leaks.all->len, 2);
  assert_int_equal (check_suspect (&s, 0, C, "Node")->grown, 3200);
  assert_int_equal (check_suspect (&s, 1, D, "Leaf")->grown, 1600);
  shot_leaks_clear (&s);
}

/* What the owner itself holds, 1440 bytes, 960 of which came, is more than a twentieth of 8712. */
TEST_WITH (test_branches_and_rest, begin, summary_test_end)
{
  struct shot_leaks s;
  search_branches (&s, 30);
  assert_int_equal (s.leaks.all->len, 3);
  assert_int_equal (check_suspect (&s, 0, C, "Node")->grown, 3200);
  assert_int_equal (check_suspect (&s, 1, D, "Leaf")->grown, 1600);
  const struct leak *rest = check_suspect (&s, 2, A, "Other");
  assert_int_equal (rest->grown, 960);
  assert_int_equal (rest->bytes, 3 * 24 + 4800 + 2400 + 1440);
  shot_leaks_clear (&s);
}

/* The owner's own 24, of which 16 came, 256 bytes, are less than a twentieth. */
TEST_WITH (test_branches_and_little, begin, summary_test_end)
{
  struct shot_leaks s;
  search_branches (&s, 8);
  assert_int_equal (s.leaks.all->len, 2);
  check_suspect (&s, 0, C, "Node");
  check_suspect (&s, 1, D, "Leaf");
  shot_leaks_clear (&s);
}

/* ---- suspects ---- */

/* Two holders of one class below one object, each with as many of a class that holds a node each:
 * 24 + 300 * (24 + 16) bytes, of which two thirds of the latter came. */
static void
search_alike (struct shot_leaks *s, uint64_t second_holder)
{
  script_class (&script, 1000, OTHER, "System.Other");
  for (guint i = 1; i <= 3; i++) {
    script_shot_start (&script, i * (uint64_t) SECOND);
    script_shot_object (&script, A, LEAF, 24, (const uint64_t[]){ C, D }, 2);
    for (guint side = 0; side < 2; side++) {
      const uint64_t base = FIRST + 0x100000 * (uint64_t) side;
      uint64_t addresses[300];
      for (guint n = 0; n < 100 * i; n++) {
        addresses[n] = base + 128 * (uint64_t) n;
        script_shot_object (&script, addresses[n], OTHER, 24,
                            (const uint64_t[]){ addresses[n] + 64 }, 1);
        object (addresses[n] + 64, NODE, 16);
      }
      script_shot_object (&script, side == 0 ? C : D, side == 0 ? HOLDER : second_holder, 24,
                          addresses, 100 * i);
    }
    script_shot_end (&script, i * (uint64_t) SECOND + 10);
  }
  search (s);
}

TEST_WITH (test_suspects_alike, begin, summary_test_end)
{
  struct shot_leaks s;
  search_alike (&s, HOLDER);
  assert_int_equal (s.leaks.all->len, 2);
  GPtrArray *suspects = leak_suspects_new (&s.leaks, s.graph);
  assert_int_equal (suspects->len, 1);
  const struct leak_suspect *suspect = g_ptr_array_index (suspects, 0);
  assert_int_equal (suspect->alike->len, 2);
  assert_int_equal (suspect->bytes, 2 * (24 + 300 * 40));
  assert_int_equal (suspect->grown, 2 * 200 * 40);
  assert_int_equal (suspect->classes->len, 2);
  /* System.Other retains more, but is a class of a library. */
  const struct leak_class *own = &g_array_index (suspect->classes, struct leak_class, suspect->own);
  assert_string_equal (s.graph->class_list[own->klass].name, "Node");
  assert_int_equal (own->objects, 600);
  assert_int_equal (own->retained, 600 * 16);
  g_ptr_array_unref (suspects);
  shot_leaks_clear (&s);
}

TEST_WITH (test_suspects_not_alike, begin, summary_test_end)
{
  struct shot_leaks s;
  search_alike (&s, LEAF);
  assert_int_equal (s.leaks.all->len, 2);
  GPtrArray *suspects = leak_suspects_new (&s.leaks, s.graph);
  assert_int_equal (suspects->len, 2);
  const struct leak_suspect *suspect = g_ptr_array_index (suspects, 0);
  assert_int_equal (suspect->alike->len, 1);
  assert_int_equal (suspect->bytes, 24 + 300 * 40);
  g_ptr_array_unref (suspects);
  shot_leaks_clear (&s);
}

/* Snapshots of this many nodes: which is inspected before the end, and if there is a suspect. */
static void
check_end (const guint *nodes, guint n_shots, guint peak, guint suspects)
{
  struct shot_leaks s;
  for (guint i = 0; i < n_shots; i++)
    shot_of_holder ((uint64_t) (i + 1) * SECOND, nodes[i], false);
  assert_int_equal (search (&s), peak);
  assert_int_equal (s.leaks.all->len, suspects);
  if (suspects != 0 && peak != 0) {
    const struct leak *leak = check_suspect (&s, 0, A, "Node");
    assert_int_equal (s.growth.n_shots, peak);
    assert_int_equal (leak->bytes, 24 + 16 * nodes[peak - 1]);
  }
  shot_leaks_clear (&s);
}

/* What grew up to the end, and is gone in the last snapshot, or in the last two. */
TEST_WITH (test_end, begin, summary_test_end)
{
  check_end ((const guint[]){ 100, 200, 300, 400, 10 }, 5, 4, 1);
}

TEST_WITH (test_end_of_two, begin, summary_test_end)
{
  check_end ((const guint[]){ 100, 200, 300, 400, 20, 10 }, 6, 4, 1);
}

/* Fewer, but not by half: 202 objects against 402, 4000 bytes against 7200. */
TEST_WITH (test_end_half, begin, summary_test_end)
{
  check_end ((const guint[]){ 100, 200, 300, 400, 200 }, 5, 0, 0);
}

/* What has gone for longer, stayed as it was, or came and went before. */
TEST_WITH (test_end_long_ago, begin, summary_test_end)
{
  check_end ((const guint[]){ 100, 200, 300, 400, 10, 10, 10 }, 7, 0, 0);
}

TEST_WITH (test_end_steady, begin, summary_test_end)
{
  check_end ((const guint[]){ 100, 400, 400, 400, 390, 10 }, 6, 0, 0);
}

TEST_WITH (test_end_saw, begin, summary_test_end)
{
  check_end ((const guint[]){ 100, 200, 300, 400, 0, 100, 200, 300, 410, 10 }, 10, 0, 0);
}

/* Large garbage is in all snapshots but the last, which has the most nodes. */
TEST_WITH (test_end_without_garbage, begin, summary_test_end)
{
  struct shot_leaks s;
  for (guint i = 1; i <= 4; i++) {
    script_shot_start (&script, i * (uint64_t) SECOND);
    holder_of (A, FIRST, NODE, 100 * i, NULL, 0);
    object (B, LEAF, i < 4 ? 1000000 : 776);
    script_shot_end (&script, i * (uint64_t) SECOND + 10);
  }
  assert_int_equal (search (&s), 0);
  assert_int_equal (s.leaks.all->len, 1);
  assert_int_equal (check_suspect (&s, 0, A, "Node")->bytes, 24 + 16 * 400);
  shot_leaks_clear (&s);
}

/* Likewise, and the last has a few objects less, as other garbage is gone, too. */
TEST_WITH (test_end_after_garbage, begin_with_roots, summary_test_end)
{
  struct shot_leaks s;
  const struct mlpd_root root = { .object = A };
  const union mlpd_payload roots = { .heap_root = { .roots = { &root, 1, 0 } } };
  for (guint i = 1; i <= 4; i++) {
    script_shot_start (&script, i * (uint64_t) SECOND);
    script_event (&script, MLPD_HEAP_ROOT, &roots);
    holder_of (A, FIRST, NODE, 100 * i, NULL, 0);
    if (i == 3)
      objects (FIRST + 0x1000000, LEAF, 5000, 200);
    script_shot_end (&script, i * (uint64_t) SECOND + 10);
  }
  assert_int_equal (search (&s), 0);
  assert_int_equal (s.leaks.all->len, 1);
  assert_int_equal (check_suspect (&s, 0, A, "Node")->bytes, 24 + 16 * 400);
  shot_leaks_clear (&s);
}

/* The last snapshot's own growth counts where the heap once was larger. */
TEST_WITH (test_growth_after_peak, begin, summary_test_end)
{
  check_end ((const guint[]){ 900, 900, 10, 50, 100, 200, 300 }, 7, 0, 1);
}
