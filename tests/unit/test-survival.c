/* test-survival.c -- which objects survived which collections, by the events of a simulated heap.
 */
#include "config.h"

#include "decoder/mlpd/analyses/survival.h"
#include "tests/unit/test.h"

#define NURSERY UINT64_C (0x10000000)
#define OLD UINT64_C (0x20000000)
#define OBJECTS(n) ((struct type_sum){ (n), 100 * (n) })

static struct symbols symbols;

/* Rows 0 to 3 are of a class each. */
static void
begin (struct survival *s)
{
  survival_init (s);
  symbols_init (&symbols);
  for (guint row = 0; row < 4; row++)
    assert_int_equal (survival_row_of (s, symbols_use (&symbols, SYMBOL_CLASS, 100 + row), 7), row);
  assert_int_equal (survival_row_of (s, 2, 7), 2);
}

static void
end (struct survival *s)
{
  survival_clear (s);
  symbols_clear (&symbols);
}

static void
collect (struct survival *s, unsigned generation)
{
  survival_collect (
      s, &(struct mlpd_gc_event){ .event = MLPD_GC_EVENT_START, .generation = generation });
  survival_collect (
      s, &(struct mlpd_gc_event){ .event = MLPD_GC_EVENT_END, .generation = generation });
}

static void
allocate (struct survival *s, uint64_t object, guint row)
{
  survival_allocate (s, object, 16, row, OBJECTS (1));
}

static void
move (struct survival *s, uint64_t from, uint64_t to)
{
  const uint64_t addresses[] = { from, to };
  survival_move (s, (struct mlpd_list){ .count = 2, .items = addresses });
}

static const struct survival_row *
row_at (const struct survival *s, guint row)
{
  return &g_array_index (s->rows, struct survival_row, row);
}

static uint64_t
lived (const struct survival *s, guint collections)
{
  return collections < s->lived->len
             ? g_array_index (s->lived, struct type_sum, collections).objects
             : 0;
}

/* Row 0 is moved, 1 is not, 2 is pinned in the first collection, 3 comes after the last one. */
TEST (new_objects)
{
  struct survival s;
  begin (&s);
  for (guint row = 0; row < 3; row++)
    allocate (&s, NURSERY + 16 * row, row);
  collect (&s, 0);
  move (&s, NURSERY, OLD);
  collect (&s, 0);
  move (&s, NURSERY + 32, OLD + 32);
  allocate (&s, NURSERY, 3);
  survival_finish (&s, &symbols);
  assert_int_equal (row_at (&s, 0)->live.bytes, 100);
  assert_int_equal (row_at (&s, 1)->temporary.bytes, 100);
  assert_int_equal (row_at (&s, 1)->live.bytes, 0);
  assert_int_equal (row_at (&s, 2)->live.bytes, 100);
  assert_int_equal (row_at (&s, 3)->live.bytes, 100);
  assert_int_equal (s.temporary.objects, 1);
  assert_int_equal (s.live.objects, 3);
  assert_int_equal (lived (&s, 0), 1);
  /* Most live at the end. */
  assert_int_equal (s.peak.objects, 3);
  end (&s);
}

/* Any object may be at the address of one that was sampled. */
TEST (sampled_objects)
{
  struct survival s;
  begin (&s);
  s.is_sampled = true;
  survival_allocate (&s, NURSERY, 16, 0, OBJECTS (2 * OBJECT_PARTS));
  collect (&s, 0);
  collect (&s, 0);
  move (&s, NURSERY, OLD);
  survival_finish (&s, &symbols);
  assert_int_equal (s.live.objects, 0);
  assert_int_equal (s.temporary.objects, 2);
  end (&s);
}

/* Row 0 is replaced after two collections that it survived, and row 1 lives through them; row 2
 * replaces it.  Elsewhere than in the nursery an object that is not moved is not dead: row 3. */
TEST (old_objects)
{
  struct survival s;
  begin (&s);
  allocate (&s, NURSERY, 0);
  allocate (&s, NURSERY + 16, 1);
  allocate (&s, OLD + 1024, 3);
  collect (&s, 0);
  move (&s, NURSERY, OLD);
  move (&s, NURSERY + 16, OLD + 16);
  collect (&s, 0);
  collect (&s, 1); /* row 0 dies here */
  allocate (&s, NURSERY, 2);
  collect (&s, 0);
  move (&s, NURSERY, OLD);
  survival_finish (&s, &symbols);
  assert_int_equal (row_at (&s, 0)->live.bytes, 0);
  assert_int_equal (row_at (&s, 0)->temporary.bytes, 0);
  assert_int_equal (lived (&s, 2), 1);
  assert_int_equal (row_at (&s, 1)->live.bytes, 100);
  assert_int_equal (row_at (&s, 2)->live.bytes, 100);
  assert_int_equal (row_at (&s, 3)->live.bytes, 100);
  end (&s);
}

/* Three survive the first collection, the snapshot has one of them, and two come later: the peak is
 * after the first collection.  Objects after the snapshot's collection are not missed. */
TEST (peak_and_snapshot)
{
  struct survival s;
  begin (&s);
  for (guint i = 0; i < 4; i++)
    allocate (&s, NURSERY + 16 * i, 0);
  collect (&s, 0);
  for (guint i = 0; i < 4; i++)
    move (&s, NURSERY + 16 * i, OLD + 16 * i);
  collect (&s, 1);
  allocate (&s, NURSERY, 1);
  survival_begin_shot (&s); /* without objects: nothing is missing in it */
  survival_end_shot (&s);
  survival_begin_shot (&s);
  survival_find_in_shot (&s, OLD + 32);
  survival_end_shot (&s);
  allocate (&s, NURSERY + 16, 1);
  survival_finish (&s, &symbols);
  assert_int_equal (row_at (&s, 0)->live.objects, 1);
  assert_int_equal (row_at (&s, 1)->live.objects, 2);
  assert_int_equal (s.live.objects, 3);
  assert_int_equal (s.peak.objects, 4);
  assert_int_equal (s.peak_after, 1);
  assert_int_equal (row_at (&s, 0)->peak.objects, 4);
  assert_int_equal (row_at (&s, 1)->peak.objects, 0);
  end (&s);
}

/* A large object is never moved; the next one at its place ends it, also where that begins before.
 */
TEST (large_objects)
{
  struct survival s;
  begin (&s);
  survival_allocate (&s, OLD + 4096, 10000, 0, OBJECTS (1));
  collect (&s, 1);
  survival_allocate (&s, OLD, 20000, 1, OBJECTS (1));
  survival_finish (&s, &symbols);
  assert_int_equal (s.live.objects, 1);
  assert_int_equal (row_at (&s, 1)->live.objects, 1);
  assert_int_equal (row_at (&s, 0)->temporary.objects, 1);
  end (&s);
}

/* The last place of the address space ends with the greatest address; size 15 has one more multiple
 * of 8 in it. */
TEST (object_at_the_last_address)
{
  struct survival s;
  begin (&s);
  survival_allocate (&s, NURSERY, 15, 0, OBJECTS (1));
  allocate (&s, NURSERY + 16, 1);
  collect (&s, 0);
  move (&s, NURSERY + 16, UINT64_MAX - 7);
  collect (&s, 0);
  move (&s, NURSERY, UINT64_MAX - 15);
  survival_finish (&s, &symbols);
  assert_int_equal (row_at (&s, 0)->live.objects, 1);
  assert_int_equal (row_at (&s, 1)->live.objects, 0);
  end (&s);
}
