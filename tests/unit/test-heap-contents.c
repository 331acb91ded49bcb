/* test-heap-contents.c -- what a log states about strings and collections; also one that is
 * damaged.
 */
#include "config.h"

#include "decoder/heap/heap-contents.h"
#include "decoder/heap/heap-collections.h"
#include "decoder/heap/heap-strings.h"
#include "decoder/mlpd/analyses/heap-builder.h"
#include "tests/unit/summary-test.h"
#include <string.h>

enum { STRING = 0x1000, LIST = 0x2000, ARRAY = 0x3000, FIRST = 0x70000 };

static struct heap_graph *graph;

static void
begin (void)
{
  script_begin_version (&script, MLPD_VERSION_LAST);
  script_buffer (&script, 1, 1000);
}

static void
end (void)
{
  heap_graph_free (graph);
  graph = NULL;
  summary_test_end ();
}

static void
put (const struct mlpd_counter_value *items, size_t count)
{
  const union mlpd_payload p = { .sample_counters = { .time = 1020, .values = { items, count } } };
  script_event (&script, MLPD_SAMPLE_COUNTERS, &p);
}

static struct mlpd_counter_value
number (uint64_t index, uint64_t value)
{
  return (struct mlpd_counter_value){ .index = index,
                                      .type = index == MLPD_CONTENTS_INDEX
                                                  ? MLPD_COUNTER_TYPE_LONG
                                                  : MLPD_COUNTER_TYPE_ULONG,
                                      .number = value };
}

/* A string of a text, by the number of the object. */
static void
put_string (uint64_t nth, uint64_t id, const char *text)
{
  struct mlpd_counter_value items[4]
      = { number (MLPD_CONTENTS_INDEX, (FIRST + 0x100 * nth) / MLPD_CONTENTS_STEP),
          number (MLPD_CONTENTS_TEXT_ID_INDEX, id) };
  if (text != NULL) {
    items[2] = number (MLPD_CONTENTS_LENGTH_INDEX, strlen (text));
    items[3] = (struct mlpd_counter_value){ .index = MLPD_CONTENTS_TEXT_INDEX,
                                            .type = MLPD_COUNTER_TYPE_STRING,
                                            .text = { text, strlen (text) } };
  }
  put (items, text != NULL ? 4 : 2);
}

static void
put_objects (unsigned n)
{
  script_shot_start (&script, 1010);
  for (unsigned i = 0; i < n; i++) {
    const uint64_t address = FIRST + 0x100 * (uint64_t) i;
    const union mlpd_payload p
        = { .heap_object = { .time = 1010, .object = address, .vtable = STRING, .size = 32 } };
    script_event (&script, MLPD_HEAP_OBJECT, &p);
  }
}

static void
take (void)
{
  static const struct shot_selection selection = { .all = true };
  const struct scan_options options = { .graphs = &selection };
  const struct mlpd_counter_value totals[]
      = { number (MLPD_CONTENTS_STRINGS_INDEX, 9), number (MLPD_CONTENTS_TEXTS_INDEX, 6),
          number (MLPD_CONTENTS_UNREAD_INDEX, 1), number (MLPD_CONTENTS_COLLECTIONS_INDEX, 0) };
  put (totals, G_N_ELEMENTS (totals));
  script_shot_end (&script, 1030);
  script_summarize_with (&script, &summary, &options);
  graph = summary_build_heap (&summary, 1);
  assert_non_null (graph);
}

TEST_WITH (test_log, begin, end)
{
  struct heap_strings strings;
  put_objects (6);
  put_string (1, 2, "second");
  put_string (2, 1, "first");
  put_string (3, 1, NULL);
  put_string (4, 2, NULL);
  put_string (5, 2, NULL);
  take ();
  const struct heap_contents *c = graph->contents;
  assert_non_null (c);
  assert_true (c->has_strings && c->has_collections);
  assert_int_equal (c->strings, 9);
  assert_int_equal (c->different, 6);
  assert_int_equal (c->unread, 1);
  heap_strings_init (&strings, graph);
  assert_int_equal (strings.all->len, 2);
  const struct heap_string *all = (const struct heap_string *) (const void *) strings.all->data;
  assert_string_equal (all[0].text->text, "first");
  assert_int_equal (all[0].count, 2);
  assert_int_equal (all[0].wasted, 32);
  assert_string_equal (all[1].text->text, "second");
  assert_int_equal (all[1].text->length, 6);
  assert_int_equal (all[1].count, 3);
  assert_int_equal (all[1].bytes, 96);
  assert_int_equal (strings.wasted, 96);
  heap_strings_clear (&strings);
}

/* Values outside of a snapshot are of none. */
TEST_WITH (test_outside, begin, end)
{
  put_string (1, 2, "before");
  put_objects (2);
  script_shot_end (&script, 1030);
  script_shot_start (&script, 1040);
  take ();
  assert_null (graph->contents);
}

/* Texts that are stated twice or never, strings where there is no object. */
TEST_WITH (test_faults, begin, end)
{
  struct heap_strings strings;
  put_objects (4);
  put_string (0, 5, "one");
  put_string (1, 5, "two");
  put_string (1, 5, NULL);
  put_string (2, 6, NULL);
  put_string (3, 6, NULL);
  put_string (99, 5, NULL);
  take ();
  heap_strings_init (&strings, graph);
  assert_int_equal (strings.all->len, 1);
  const struct heap_string *one = &g_array_index (strings.all, struct heap_string, 0);
  assert_string_equal (one->text->text, "one");
  assert_int_equal (one->count, 2);
  heap_strings_clear (&strings);
}

/* Anything in any order: nothing is read beyond an end. */
TEST_WITH (test_random_values, begin, end)
{
  static const uint64_t numbers[] = { 0, 1, 3, FIRST / 8, 0x20, UINT64_MAX, UINT64_MAX / 8 };
  struct heap_strings strings;
  struct heap_collections collections;
  GRand *random = g_rand_new_with_seed (46);
  put_objects (8);
  for (int event = 0; event < 2000; event++) {
    struct mlpd_counter_value items[12];
    for (size_t i = 0; i < G_N_ELEMENTS (items); i++) {
      const uint64_t index = (uint64_t) g_rand_int_range (random, MLPD_CONTENTS_INDEX - 1,
                                                          MLPD_CONTENTS_COLLECTIONS_INDEX + 2);
      items[i]
          = number (index, numbers[g_rand_int_range (random, 0, (gint32) G_N_ELEMENTS (numbers))]);
      if (index == MLPD_CONTENTS_TEXT_INDEX && g_rand_boolean (random)) {
        items[i].type = MLPD_COUNTER_TYPE_STRING;
        items[i].text = (struct mlpd_string){ "text", 4 };
      }
    }
    put (items, (size_t) g_rand_int_range (random, 1, G_N_ELEMENTS (items) + 1));
  }
  g_rand_free (random);
  take ();
  assert_true (graph->contents->texts->len <= G_N_ELEMENTS (numbers));
  heap_strings_init (&strings, graph);
  heap_collections_init (&collections, graph, NULL, NULL);
  assert_true (collections.all->len <= 8);
  heap_collections_clear (&collections);
  heap_strings_clear (&strings);
}
