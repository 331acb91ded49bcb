/* test-heap-parts.c -- objects and references of a snapshot that is large enough for two threads.
 */
#include "config.h"

#include "decoder/heap/heap-parts.h"
#include "decoder/heap/heap-records.h"
#include "tests/unit/test.h"

#include <stdlib.h>

/* Each object's neighbour in the log is far away in memory, so that both halves of them take turns;
 * the last few come where the rest is described again. */
enum { OBJECTS = 40000, LAST = 12, STRIDE = 7919, PARTS = 3, BASE = 0x100000, SIZE = 48 };

/* What is expected of an object. */
struct wanted {
  GArray *targets; /* of uint32_t */
  GArray *offsets; /* of uint32_t */
};

static struct wanted wanted[OBJECTS];
static struct heap_records records[PARTS];
static uint64_t dangling, duplicates;

static uint64_t
address_of (uint32_t object)
{
  return BASE + (uint64_t) SIZE * object;
}

/* Writes a record of `n` references to objects `step` from each other; some are to addresses that
 * no object is at.  If it is to be taken they are expected. */
static void
put_object (struct heap_records *to, uint32_t object, uint32_t size, uint32_t n, uint32_t step,
            bool taken)
{
  uint64_t items[8], offsets[8];
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t target = (object * 31 + (i + 1) * step) % OBJECTS, offset = 8 * i + step % 8;
    const bool dangles = (object + i) % 97 == 0;
    items[i] = address_of (target) + (dangles ? 8 : 0);
    offsets[i] = offset;
    dangling += taken && dangles;
    if (taken && !dangles) {
      g_array_append_val (wanted[object].targets, target);
      g_array_append_val (wanted[object].offsets, offset);
    }
  }
  const struct mlpd_heap_object event = { .object = address_of (object),
                                          .size = size,
                                          .generation = (uint8_t) (object % 2),
                                          .references = { items, offsets, n } };
  heap_records_add (to, object % 3, &event);
}

static void
put_all (void)
{
  for (uint32_t i = 0; i < OBJECTS - LAST; i++) {
    const uint32_t object = (uint32_t) ((uint64_t) i * STRIDE % (OBJECTS - LAST));
    struct heap_records *to = &records[(uint64_t) i * PARTS / OBJECTS];
    put_object (to, object, 24 + object % 7, object % 5, 12345, true);
    if (object % 11 == 0)
      put_object (to, object, 0, 2, 777, true);
  }
  struct heap_records *to = &records[PARTS - 1];
  for (uint32_t object = 0; object < OBJECTS - LAST; object += 13) {
    put_object (to, object, 99, 3, 5, false);
    duplicates++;
    put_object (to, object, 0, 3, 6, false);
  }
  /* What follows the description of another object, of whichever half, is taken again. */
  for (uint32_t i = 0; i < LAST; i++) {
    const uint32_t object = (2 * i + 1) * (OBJECTS / 2 / LAST);
    put_object (to, object, 99, 3, 5, false);
    duplicates++;
    put_object (to, OBJECTS - LAST + i, 24 + (OBJECTS - LAST + i) % 7, 1, 4321, true);
    put_object (to, object, 0, 2, 99, true);
  }
}

TEST (test_halves)
{
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (struct heap_part));
  guint classes[] = { 7, 5, 6 };
  for (uint32_t i = 0; i < OBJECTS; i++)
    wanted[i] = (struct wanted){ g_array_new (FALSE, FALSE, sizeof (uint32_t)),
                                 g_array_new (FALSE, FALSE, sizeof (uint32_t)) };
  for (int i = 0; i < PARTS; i++)
    records[i].bytes = g_byte_array_new ();
  put_all ();
  for (int i = 0; i < PARTS; i++) {
    const struct heap_part part = { records[i].bytes, classes, G_N_ELEMENTS (classes) };
    g_array_append_val (parts, part);
  }
  struct heap_graph *g = g_new0 (struct heap_graph, 1);
  g->names = g_string_chunk_new (16);
  assert_true (heap_parts_read (parts, g));
  assert_int_equal (g->n_objects, OBJECTS);
  assert_int_equal (g->dangling_references, dangling);
  assert_int_equal (g->duplicate_objects, duplicates);
  assert_in_range (dangling, 100, OBJECTS);
  uint64_t bytes = 0, references = 0;
  for (uint32_t i = 0; i < OBJECTS; i++) {
    const uint32_t first = g->first[i], n = g->first[i + 1] - first;
    assert_int_equal (g->addresses[i], address_of (i));
    assert_int_equal (g->bytes[i], 24 + i % 7);
    assert_int_equal (g->classes[i], classes[i % 3]);
    assert_int_equal (g->generations[i], i % 2);
    assert_int_equal (n, wanted[i].targets->len);
    assert_memory_equal (&g->targets[first], wanted[i].targets->data, n * sizeof *g->targets);
    assert_memory_equal (&g->offsets[first], wanted[i].offsets->data, n * sizeof *g->offsets);
    bytes += 24 + i % 7;
    references += n;
    g_array_unref (wanted[i].targets);
    g_array_unref (wanted[i].offsets);
  }
  assert_int_equal (g->total_bytes, bytes);
  assert_int_equal (g->n_references, references);
  heap_graph_free (g);
  for (int i = 0; i < PARTS; i++)
    g_byte_array_unref (records[i].bytes);
  g_array_unref (parts);
}
