/* test-object-search.c -- objects found and tracked in logs in files, by as many scans as it takes.
 */
#include "config.h"

#include "decoder/filter/filter-options.h"
#include "decoder/mlpd/analyses/objects.h"
#include "decoder/mlpd/query/object-queries.h"
#include "tests/unit/fixtures.h"
#include "tests/unit/log-script.h"
#include "tests/unit/test.h"

#include <sys/resource.h>

enum { NODE = 0x100, LEAF = 0x200, A = 0x1000, B = 0x2000, C = 0x3000, D = 0x4000 };

struct search {
  struct selection selection;
  struct object_filter filter;
  struct summary summary;
  guint items;
};

static void
count_item (void *data, const struct mlpd_item *item)
{
  ((struct search *) data)->items += item->type == MLPD_ITEM_FILE_HEADER;
}

/* Ends the script and searches for the selected objects in a log of this many times its buffers. */
static void
search_repeated (struct search *x, struct script *s, guint times)
{
  GByteArray *log = script_end (s);
  GByteArray *file = g_byte_array_new ();
  const guint end = log->len - MLPD_BUFFER_HEADER_SIZE; /* of the buffers before the end mark */
  g_byte_array_append (file, log->data, MLPD_FILE_HEADER_SIZE);
  for (guint i = 0; i < times; i++)
    g_byte_array_append (file, log->data + MLPD_FILE_HEADER_SIZE,
                         (i + 1 < times ? end : log->len) - MLPD_FILE_HEADER_SIZE);
  g_byte_array_unref (log);

  object_filter_init (&x->filter, &x->selection);
  const struct scan_options options = { .objects = &x->filter };
  const struct log_scan_watch watch = { .item = count_item, .data = x };
  summary_init (&x->summary, &options);
  struct log_input *input = fixture_input (file->data, file->len);
  g_byte_array_unref (file);
  assert_true (select_objects (&x->summary, input, 2, &x->selection, &x->filter, &watch, NULL));
  summary_finish (&x->summary);
  log_input_close (input);
  assert_int_equal (x->items, 1); /* reported once, whatever was read again */
}

static void
search (struct search *x, struct script *s)
{
  search_repeated (x, s, 1);
}

static void
clear (struct search *x)
{
  summary_clear (&x->summary);
  object_filter_clear (&x->filter);
  selection_clear (&x->selection);
}

static void
find (struct search *x, const char *text)
{
  assert_true (selection_find (&x->selection, text, NULL));
}

static void
expect_found (const struct search *x, guint i, uint64_t time, uint64_t object, uint64_t bytes,
              const char *name)
{
  const struct objects *objects = SUMMARY_STATE (&x->summary, objects);
  assert_true (i < objects->found->len);
  const struct object_found *f = &g_array_index (objects->found, struct object_found, i);
  assert_int_equal (f->time, time);
  assert_int_equal (f->object, object);
  assert_int_equal (f->bytes, bytes);
  char *found = symbols_name (&x->summary.symbols, SYMBOL_CLASS, f->type);
  assert_string_equal (found, name);
  g_free (found);
}

/* The class is announced by another thread, whose buffer comes last; and it comes to be another
 * class's address. */
static void
write_types (struct script *s)
{
  script_begin (s);
  script_buffer (s, 1, 1000);
  script_alloc (s, 1010, NODE, A, 24);
  script_alloc (s, 1020, LEAF, B, 48);
  script_alloc (s, 1030, NODE, C, 56);
  script_buffer (s, 2, 1000);
  script_class (s, 1005, NODE, "My.Node");
  script_class (s, 1006, LEAF, "My.Leaf");
  script_buffer (s, 1, 1100);
  script_class (s, 1100, NODE, "My.Other");
  script_alloc (s, 1110, NODE, D, 64);
}

TEST (test_find)
{
  struct search x = { 0 };
  struct script s;
  write_types (&s);
  find (&x, "T:Node");
  search (&x, &s);
  assert_int_equal (SUMMARY_STATE (&x.summary, objects)->n_found, 2);
  assert_true (SUMMARY_STATE (&x.summary, objects)->complete);
  expect_found (&x, 0, 1010, A, 24, "My.Node");
  expect_found (&x, 1, 1030, C, 56, "My.Node");
  /* Sums are of the log once. */
  assert_int_equal (x.summary.allocations.objects, 4);
  clear (&x);

  x = (struct search){ 0 };
  write_types (&s);
  find (&x, "S:48");
  search (&x, &s);
  assert_int_equal (SUMMARY_STATE (&x.summary, objects)->n_found, 3);
  expect_found (&x, 0, 1020, B, 48, "My.Leaf");
  clear (&x);

  x = (struct search){ 0 };
  write_types (&s);
  find (&x, "S:48");
  assert_true (selection_exclude (&x.selection, "Node", NULL));
  assert_true (selection_min_bytes (&x.selection, "50", NULL));
  search (&x, &s);
  assert_int_equal (SUMMARY_STATE (&x.summary, objects)->n_found, 1);
  expect_found (&x, 0, 1110, D, 64, "My.Other");
  clear (&x);

  x = (struct search){ 0 };
  write_types (&s);
  find (&x, "S:48");
  assert_true (selection_min_bytes (&x.selection, "50", NULL));
  search (&x, &s);
  assert_int_equal (SUMMARY_STATE (&x.summary, objects)->n_found, 2);
  expect_found (&x, 0, 1030, C, 56, "My.Node");
  clear (&x);

  x = (struct search){ 0 };
  write_types (&s);
  find (&x, "S:48");
  assert_true (selection_time_range (&x.selection, "0~100ns", NULL));
  search (&x, &s);
  assert_int_equal (SUMMARY_STATE (&x.summary, objects)->n_found, 2);
  clear (&x);
}

/* More than are listed are counted, those of the name alone. */
TEST (test_many)
{
  struct search x = { 0 };
  struct script s;
  script_begin (&s);
  for (guint i = 0; i < OBJECTS_FOUND_MAX + 7; i++) {
    if (i % 1000 == 0)
      script_buffer (&s, 1, 1000 + i);
    script_alloc (&s, 1000 + i, NODE, A + 8 * i, 24);
    if (i % 100 == 0)
      script_alloc (&s, 1000 + i, LEAF, B, 24);
  }
  script_class (&s, 1000000, NODE, "Node");
  script_class (&s, 1000000, LEAF, "Leaf");
  find (&x, "T:Node");
  search (&x, &s);
  assert_int_equal (SUMMARY_STATE (&x.summary, objects)->found->len, OBJECTS_FOUND_MAX);
  assert_int_equal (SUMMARY_STATE (&x.summary, objects)->n_unlisted, 7);
  assert_int_equal (SUMMARY_STATE (&x.summary, objects)->n_found, OBJECTS_FOUND_MAX + 7);
  assert_int_equal (SUMMARY_STATE (&x.summary, objects)->lifetimes->len, 0);
  clear (&x);
}

static uint64_t
peak_bytes (void)
{
  struct rusage usage;
  assert_int_equal (getrusage (RUSAGE_SELF, &usage), 0);
  return (uint64_t) usage.ru_maxrss * 1024;
}

/* Memory does not grow with the number of objects found: there are 12 million, of which less than
 * 1 in 100 is listed. */
TEST (test_memory)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
  skip (); /* a sanitizer's memory is beyond that */
#endif
  enum { OBJECTS = 40000, TIMES = 300 };
  struct search x = { 0 };
  struct script s;
  script_begin (&s);
  for (guint i = 0; i < OBJECTS; i++) {
    if (i % 4000 == 0)
      script_buffer (&s, 1, 1000 + i);
    script_alloc (&s, 1000 + i, NODE, A + 8 * (i % 1000), 24);
  }
  find (&x, "S:1");
  const uint64_t before = peak_bytes ();
  search_repeated (&x, &s, TIMES);
  assert_int_equal (SUMMARY_STATE (&x.summary, objects)->n_found, OBJECTS * TIMES);
  assert_in_range (peak_bytes () - before, 0, 100 << 20);
  clear (&x);
}

/* A to B to C to D; each step is known by the scan before, as are earlier objects and one that
 * reports it too late. */
TEST (test_track)
{
  static const uint64_t to_object[] = { D };
  struct search x = { 0 };
  struct script s;
  script_begin (&s);
  script_buffer (&s, 2, 1000);
  script_class (&s, 1001, NODE, "Node");
  script_move (&s, 1100, A, B);
  script_move (&s, 1200, B, C);
  script_move (&s, 1300, C, D);
  script_shot_start (&s, 1400);
  script_shot_object (&s, D, NODE, 24, NULL, 0);
  script_shot_object (&s, A, LEAF, 48, to_object, 1);
  script_shot_end (&s, 1410);
  script_buffer (&s, 1, 1000);
  script_alloc (&s, 1010, NODE, A, 24);
  script_throw (&s, 1150, B);
  script_monitor (&s, 1250, MLPD_MONITOR_EVENT_CONTENTION, C);
  script_alloc (&s, 1160, LEAF, A, 48);
  assert_true (selection_track (&x.selection, "0x3000", NULL));
  search (&x, &s);
  assert_true (SUMMARY_STATE (&x.summary, objects)->complete);
  assert_int_equal (SUMMARY_STATE (&x.summary, objects)->lifetimes->len, 1);
  const struct object_lifetime *lifetime
      = g_ptr_array_index (SUMMARY_STATE (&x.summary, objects)->lifetimes, 0);
  static const struct {
    enum object_event_kind kind;
    uint64_t time;
    uint64_t object;
  } expected[] = {
    { OBJECT_ALLOCATED, 1010, A }, { OBJECT_MOVED, 1100, A },      { OBJECT_THROWN, 1150, B },
    { OBJECT_MOVED, 1200, B },     { OBJECT_LOCK, 1250, C },       { OBJECT_MOVED, 1300, C },
    { OBJECT_IN_SHOT, 1400, D },   { OBJECT_REFERENCED, 1400, D },
  };
  assert_int_equal (lifetime->events->len, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    const struct object_event *event = &g_array_index (lifetime->events, struct object_event, i);
    assert_int_equal (event->kind, expected[i].kind);
    assert_int_equal (event->time, expected[i].time);
    assert_int_equal (event->object, expected[i].object);
  }
  assert_int_equal (g_array_index (lifetime->events, struct object_event, 7).other, A);
  assert_int_equal (lifetime->bytes, 24);
  clear (&x);
}

/* A snapshot of which something is lost does not state that an object is gone. */
TEST (test_damage)
{
  for (int damaged = 0; damaged < 2; damaged++) {
    struct search x = { 0 };
    struct script s;
    script_begin (&s);
    script_buffer (&s, 1, 1000);
    script_alloc (&s, 1010, NODE, A, 24);
    script_shot_start (&s, 1400);
    if (damaged)
      script_bytes (&s, "\xff\xff", 2);
    script_buffer (&s, 1, 1500);
    script_shot_end (&s, 1510);
    assert_true (selection_track (&x.selection, "0x1000", NULL));
    search (&x, &s);
    assert_int_equal (SUMMARY_STATE (&x.summary, objects)->lifetimes->len, 1);
    const struct object_lifetime *lifetime
        = g_ptr_array_index (SUMMARY_STATE (&x.summary, objects)->lifetimes, 0);
    assert_int_equal (lifetime->events->len, damaged ? 1 : 2);
    clear (&x);
  }
}
