/* test-object-history.c -- objects followed through addresses. */
#include "config.h"

#include "decoder/filter/filter-options.h"
#include "decoder/mlpd/analyses/object-history.h"
#include "decoder/mlpd/model/traces.h"
#include "tests/unit/test.h"

enum { A = 0x1000, B = 0x2000, C = 0x3000, D = 0x4000, X = 0x9000 };

struct world {
  struct selection selection;
  struct object_filter filter;
  GArray *events;
  GPtrArray *lifetimes;
};

/* Objects at this address are requested. */
static void
begin (struct world *w, const char *tracked)
{
  *w = (struct world){ .events = g_array_new (FALSE, FALSE, sizeof (struct object_event)) };
  assert_true (selection_track (&w->selection, tracked, NULL));
  object_filter_init (&w->filter, &w->selection);
}

static void
end (struct world *w)
{
  g_array_unref (w->events);
  g_ptr_array_unref (w->lifetimes);
  object_filter_clear (&w->filter);
  selection_clear (&w->selection);
}

/* The time is the place in the log, too, unless the test states otherwise. */
#define ADD(w, t, k, ...)                                                                          \
  g_array_append_vals (                                                                            \
      (w)->events,                                                                                 \
      &(struct object_event){ .time = (t), .offset = (t), .kind = OBJECT_##k, __VA_ARGS__ }, 1)

static void
follow (struct world *w)
{
  w->lifetimes = object_lifetimes_build (w->events, &w->filter);
}

static const struct object_lifetime *
life_at (const struct world *w, guint i)
{
  assert_true (i < w->lifetimes->len);
  return g_ptr_array_index (w->lifetimes, i);
}

/* The event is this one, of an object that was at this address. */
static void
expect_event (const struct object_lifetime *lifetime, guint i, enum object_event_kind kind,
              uint64_t time, uint64_t address)
{
  assert_true (i < lifetime->events->len);
  const struct object_event *event = &g_array_index (lifetime->events, struct object_event, i);
  assert_int_equal (event->kind, kind);
  assert_int_equal (event->time, time);
  assert_int_equal (event->object, address);
}

TEST (test_moves)
{
  struct world w;
  begin (&w, "0x1000");
  ADD (&w, 10, ALLOCATED, .object = A, .type = 7, .number = 24);
  ADD (&w, 20, MOVED, .object = A, .other = B);
  ADD (&w, 30, ALLOCATED, .object = A, .type = 8, .number = 32);
  ADD (&w, 40, ROOT, .object = B);
  ADD (&w, 50, MOVED, .object = B, .other = C);
  follow (&w);
  assert_int_equal (w.lifetimes->len, 2);
  const struct object_lifetime *first = life_at (&w, 0), *second = life_at (&w, 1);
  assert_int_equal (first->first, A);
  assert_int_equal (first->address, C);
  assert_int_equal (first->type, 7);
  assert_int_equal (first->bytes, 24);
  assert_int_equal (first->events->len, 4);
  expect_event (first, 0, OBJECT_ALLOCATED, 10, A);
  expect_event (first, 1, OBJECT_MOVED, 20, A);
  expect_event (first, 2, OBJECT_ROOT, 40, B);
  expect_event (first, 3, OBJECT_MOVED, 50, B);
  assert_int_equal (second->address, A);
  assert_int_equal (second->type, 8);
  assert_int_equal (second->events->len, 1);
  /* All addresses that they had are to be inspected. */
  assert_true (object_lifetimes_extend_filter (w.lifetimes, &w.filter));
  assert_true (object_filter_has (&w.filter, B) && object_filter_has (&w.filter, C));
  assert_int_equal (g_hash_table_size (w.filter.addresses), 3);
  assert_false (object_lifetimes_extend_filter (w.lifetimes, &w.filter));
  end (&w);
}

/* Where an object came from is its past, but other objects there are not. */
TEST (test_origin)
{
  struct world w;
  begin (&w, "0x1000");
  ADD (&w, 10, ALLOCATED, .object = X, .type = 1);
  ADD (&w, 20, MOVED, .object = X, .other = B);
  ADD (&w, 30, ALLOCATED, .object = X, .type = 2);
  ADD (&w, 40, MOVED, .object = X, .other = A);
  ADD (&w, 50, ALLOCATED, .object = X, .type = 3);
  follow (&w);
  assert_int_equal (w.lifetimes->len, 1);
  assert_int_equal (life_at (&w, 0)->type, 2);
  assert_int_equal (life_at (&w, 0)->first, X);
  expect_event (life_at (&w, 0), 0, OBJECT_ALLOCATED, 30, X);
  expect_event (life_at (&w, 0), 1, OBJECT_MOVED, 40, X);
  assert_true (object_lifetimes_extend_filter (w.lifetimes, &w.filter));
  assert_true (object_filter_has (&w.filter, X));
  assert_false (object_filter_has (&w.filter, B));
  end (&w);
}

/* The buffers of threads come in any order. */
TEST (test_order)
{
  struct world w;
  begin (&w, "0x1000");
  ADD (&w, 20, MOVED, .object = A, .other = B);
  ADD (&w, 30, REFERENCED, .object = B, .other = X);
  ADD (&w, 10, ALLOCATED, .object = A);
  follow (&w);
  assert_int_equal (w.lifetimes->len, 1);
  expect_event (life_at (&w, 0), 0, OBJECT_ALLOCATED, 10, A);
  expect_event (life_at (&w, 0), 1, OBJECT_MOVED, 20, A);
  expect_event (life_at (&w, 0), 2, OBJECT_REFERENCED, 30, B);
  end (&w);
}

/* The objects of one event move at once: from A to B the object at A, from B to C the one at B. */
TEST (test_at_once)
{
  struct world w;
  begin (&w, "0x1000,0x2000");
  ADD (&w, 1, ALLOCATED, .object = A, .type = 1);
  ADD (&w, 2, ALLOCATED, .object = B, .type = 2);
  ADD (&w, 10, MOVED, .object = A, .other = B);
  ADD (&w, 10, MOVED, .object = B, .other = C);
  follow (&w);
  assert_int_equal (w.lifetimes->len, 2);
  assert_int_equal (life_at (&w, 0)->address, B);
  assert_int_equal (life_at (&w, 0)->events->len, 2);
  assert_int_equal (life_at (&w, 1)->address, C);
  assert_int_equal (life_at (&w, 1)->events->len, 2);
  end (&w);
}

TEST (test_replaced)
{
  struct world w;
  begin (&w, "0x1000");
  ADD (&w, 10, ALLOCATED, .object = A, .thread = 5);
  ADD (&w, 20, ALLOCATED, .object = A, .thread = 6);
  ADD (&w, 30, MOVED, .object = X, .other = A);
  follow (&w);
  assert_int_equal (w.lifetimes->len, 3);
  expect_event (life_at (&w, 0), 1, OBJECT_REPLACED, 20, A);
  expect_event (life_at (&w, 1), 1, OBJECT_REPLACED, 30, A);
  assert_int_equal (life_at (&w, 2)->first, X);
  assert_int_equal (life_at (&w, 2)->type, OBJECT_NO_TYPE);
  assert_int_equal (life_at (&w, 2)->events->len, 1);
  end (&w);
}

/* A handle is destroyed without stating its object, which may have moved by then. */
TEST (test_handles)
{
  struct world w;
  begin (&w, "0x1000");
  ADD (&w, 5, HANDLE_DESTROYED, .number = 11, .detail = 2); /* of another object */
  ADD (&w, 10, HANDLE_CREATED, .object = A, .number = 11, .detail = 2);
  ADD (&w, 20, MOVED, .object = A, .other = D);
  ADD (&w, 30, HANDLE_DESTROYED, .number = 11, .detail = 3); /* another kind */
  ADD (&w, 40, HANDLE_DESTROYED, .number = 11, .detail = 2);
  ADD (&w, 50, HANDLE_DESTROYED, .number = 11, .detail = 2); /* of another object again */
  follow (&w);
  assert_int_equal (w.lifetimes->len, 1);
  assert_int_equal (life_at (&w, 0)->events->len, 3);
  expect_event (life_at (&w, 0), 0, OBJECT_HANDLE_CREATED, 10, A);
  expect_event (life_at (&w, 0), 2, OBJECT_HANDLE_DESTROYED, 40, D);
  assert_true (object_lifetimes_extend_filter (w.lifetimes, &w.filter));
  const uint64_t key = object_handle_key (2, 11);
  assert_true (g_hash_table_contains (w.filter.handles, &key));
  end (&w);
}

/* Objects that a whole snapshot does not have are gone, unless they came later; a cut one shows
 * nothing. */
TEST (test_shots)
{
  struct world w;
  begin (&w, "0x1000,0x2000,0x3000");
  ADD (&w, 10, ALLOCATED, .object = A, .type = 1, .number = 16);
  ADD (&w, 11, ALLOCATED, .object = B, .type = 1, .number = 16);
  ADD (&w, 20, SHOT_STARTS, .shot = 1);
  ADD (&w, 21, IN_SHOT, .object = A, .type = 1, .number = 24, .shot = 1);
  ADD (&w, 22, SHOT_ENDS, .shot = 1, .detail = 0);
  ADD (&w, 30, SHOT_STARTS, .shot = 2);
  ADD (&w, 31, IN_SHOT, .object = A, .type = 1, .number = 24, .shot = 2);
  ADD (&w, 32, ALLOCATED, .object = C, .type = 1, .number = 16, .shot = 2);
  ADD (&w, 33, SHOT_ENDS, .shot = 2, .detail = 1);
  follow (&w);
  assert_int_equal (w.lifetimes->len, 3);
  assert_int_equal (life_at (&w, 0)->events->len, 3);
  assert_int_equal (life_at (&w, 0)->bytes, 24);
  assert_int_equal (life_at (&w, 1)->events->len, 2);
  expect_event (life_at (&w, 1), 1, OBJECT_MISSED, 33, B);
  assert_int_equal (life_at (&w, 2)->events->len, 1);
  end (&w);
}

/* In a collection roots may come before the moves to their addresses. */
TEST (test_early_roots)
{
  struct world w;
  begin (&w, "0x1000,0x2000");
  ADD (&w, 5, ALLOCATED, .object = A, .type = 1);
  ADD (&w, 6, ROOT, .object = A);
  ADD (&w, 10, GC_STARTS, .object = 0);
  ADD (&w, 11, ROOT, .object = A);
  ADD (&w, 12, ROOT, .object = B);
  ADD (&w, 13, MOVED, .object = C, .other = A);
  ADD (&w, 13, MOVED, .object = D, .other = B);
  follow (&w);
  assert_int_equal (w.lifetimes->len, 3);
  assert_int_equal (life_at (&w, 0)->first, A);
  assert_int_equal (life_at (&w, 0)->events->len, 3);
  expect_event (life_at (&w, 0), 1, OBJECT_ROOT, 6, A);
  expect_event (life_at (&w, 0), 2, OBJECT_REPLACED, 13, A);
  for (guint i = 1; i < 3; i++) {
    assert_int_equal (life_at (&w, i)->first, i == 1 ? C : D);
    assert_int_equal (life_at (&w, i)->events->len, 2);
    expect_event (life_at (&w, i), 1, OBJECT_ROOT, 10 + i, i == 1 ? A : B);
  }
  end (&w);
}

/* Of those at the same address only the one that was found is requested. */
TEST (test_found)
{
  struct world w;
  begin (&w, "0x9000");
  ADD (&w, 10, ALLOCATED, .object = A, .type = 1);
  ADD (&w, 20, ALLOCATED, .object = A, .type = 2);
  ADD (&w, 30, ALLOCATED, .object = A, .type = 3);
  object_filter_add_found (&w.filter, 20);
  follow (&w);
  assert_int_equal (w.lifetimes->len, 1);
  assert_int_equal (life_at (&w, 0)->type, 2);
  assert_true (life_at (&w, 0)->is_found);
  expect_event (life_at (&w, 0), 1, OBJECT_REPLACED, 30, A);
  end (&w);
}
