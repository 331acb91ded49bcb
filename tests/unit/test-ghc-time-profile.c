/* test-ghc-time-profile.c -- ticks by stack and cost centre. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-time-profile.h"
#include "tests/unit/ghc-events.h"
#include "tests/unit/test.h"

#include <string.h>

static void
expect_node (const struct ghc_time_profile *p, const GArray *tree, guint at, uint32_t centre,
             uint32_t depth, uint64_t self, uint64_t total)
{
  assert_true (at < tree->len);
  const struct ghc_time_node *node
      = &g_array_index (p->nodes, struct ghc_time_node, g_array_index (tree, guint, at));
  assert_int_equal (node->frame, centre);
  assert_int_equal (node->depth, depth);
  assert_int_equal (node->self, self);
  assert_int_equal (node->total, total);
}

static void
expect_centre (const GArray *all, guint at, uint32_t centre, uint64_t self, uint64_t total)
{
  const struct ghc_time_frame *c = &g_array_index (all, struct ghc_time_frame, at);
  assert_true (at < all->len);
  assert_int_equal (c->frame, centre);
  assert_int_equal (c->self, self);
  assert_int_equal (c->total, total);
}

/* 1 calls 2, which calls itself; 3 calls 2.  Innermost first. */
TEST (test_tree)
{
  const struct ghc_item *const items[] = { PROF_BEGIN (1000),
                                           TICK (10, 0, 1),
                                           TICK (20, 0, 2, 1),
                                           TICK (20, 1, 2, 3),
                                           TICK (30, 0, 2, 2, 1),
                                           TICK (30, 1, 2, 3),
                                           TICK (40, 0, 2, 1),
                                           TICK (50, 0, 2, 2, 1),
                                           TICK (60, 0, 9, 2, 3),
                                           TICK (99, 0, 5),
                                           NULL };
  struct ghc_time_profile p;
  ghc_time_profile_init (&p, 0, 99, NULL);
  for (size_t i = 0; items[i] != NULL; i++)
    ghc_time_profile_item (&p, items[i]);
  /* A stack of nothing is MAIN. */
  ghc_time_profile_item (&p, GHC_EVENT_ITEM (GHC_NO_CAP, 70, GHC_PROF_SAMPLE_COST_CENTRE,
                                             .prof_sample_cost_centre = { .cap = 1 }));
  ghc_time_profile_finish (&p);
  assert_int_equal (p.samples, 9);
  assert_int_equal (p.interval, 1000);
  assert_int_equal (*(uint64_t *) g_hash_table_lookup (p.caps, GUINT_TO_POINTER (0)), 6);
  assert_int_equal (*(uint64_t *) g_hash_table_lookup (p.caps, GUINT_TO_POINTER (1)), 3);
  assert_int_equal (g_array_index (p.nodes, struct ghc_time_node, 0).self, 1);
  assert_int_equal (g_array_index (p.nodes, struct ghc_time_node, 0).total, 9);
  GArray *tree = ghc_time_profile_tree (&p);
  assert_int_equal (tree->len, 6);
  expect_node (&p, tree, 0, 1, 1, 1, 5);
  expect_node (&p, tree, 1, 2, 2, 2, 4);
  expect_node (&p, tree, 2, 2, 3, 2, 2);
  expect_node (&p, tree, 3, 3, 1, 0, 3);
  expect_node (&p, tree, 4, 2, 2, 2, 3);
  expect_node (&p, tree, 5, 9, 3, 1, 1);
  g_array_unref (tree);
  GArray *centres = ghc_time_profile_frames (&p);
  assert_int_equal (centres->len, 4);
  expect_centre (centres, 0, 1, 1, 5);
  expect_centre (centres, 1, 2, 6, 7);
  expect_centre (centres, 2, 3, 0, 3);
  expect_centre (centres, 3, 9, 1, 1);
  g_array_unref (centres);
  ghc_time_profile_clear (&p);
}

TEST (test_empty)
{
  struct ghc_time_profile p;
  ghc_time_profile_init (&p, 0, UINT64_MAX, NULL);
  ghc_time_profile_finish (&p);
  GArray *tree = ghc_time_profile_tree (&p), *centres = ghc_time_profile_frames (&p);
  assert_int_equal (tree->len + centres->len, 0);
  g_array_unref (tree);
  g_array_unref (centres);
  ghc_time_profile_clear (&p);
}

/* Each sample has its time, capability and node, as they come. */
TEST (test_order)
{
  const struct ghc_item *const items[] = { PROF_BEGIN (1000), TICK (10, 0, 1), TICK (20, 1, 2),
                                           TICK (20, 0, 2),   TICK (30, 0, 1), NULL };
  static const struct ghc_time_sample wanted[]
      = { { 10, 0, 1 }, { 20, 1, 2 }, { 20, 0, 2 }, { 30, 0, 1 } };
  struct ghc_time_profile p;
  ghc_time_profile_init (&p, 0, 99, NULL);
  ghc_time_profile_keep_order (&p);
  for (size_t i = 0; items[i] != NULL; i++)
    ghc_time_profile_item (&p, items[i]);
  ghc_time_profile_finish (&p);
  assert_int_equal (p.order->len, G_N_ELEMENTS (wanted));
  for (guint i = 0; i < p.order->len; i++) {
    const struct ghc_time_sample *sample = &g_array_index (p.order, struct ghc_time_sample, i);
    assert_int_equal (sample->time, wanted[i].time);
    assert_int_equal (sample->cap, wanted[i].cap);
    assert_int_equal (sample->node, wanted[i].node);
  }
  ghc_time_profile_clear (&p);
}
