/* test-line-merge.c -- lines of several makers in one stream. */
#include "config.h"

#include "decoder/output/line-merge.h"
#include "tests/unit/string-sinks.h"
#include "tests/unit/test.h"

#include <stdlib.h>

/* A maker of `count` lines "NAME TIME\n", one each `step`, with this many handed over at once. */
struct counting {
  char name;
  uint64_t count, step, at_once;
  uint64_t made; /* until no more were requested */
};

static void
make (void *data, struct line_queue *queue)
{
  struct counting *c = data;
  GString *lines = g_string_new (NULL);
  bool is_needed = true;
  for (c->made = 0; c->made < c->count && is_needed; c->made++) {
    const uint64_t time = c->made * c->step;
    const size_t begun = line_begin (lines, time);
    g_string_append_printf (lines, "%c %" G_GUINT64_FORMAT "\n", c->name, time);
    line_end (lines, begun);
    line_end (lines, line_begin (lines, time)); /* nothing */
    if ((c->made + 1) % c->at_once == 0)
      is_needed = line_queue_push (queue, lines);
  }
  line_queue_push (queue, lines);
  g_string_free (lines, TRUE);
}

static bool
stop (void *data, GString *text)
{
  guint *times = data;
  (*times)++;
  g_string_truncate (text, 0);
  return false;
}

/* c every 6, b every 3, and nothing; of one time the first maker's comes first. */
TEST (test_order)
{
  struct counting b = { .name = 'b', .count = 4, .step = 3, .at_once = 3 };
  struct counting none = { .name = 'n', .at_once = 1 };
  struct counting c = { .name = 'c', .count = 3, .step = 6, .at_once = 1 };
  struct line_source makers[] = { { .make = make, .data = &c },
                                  { .make = make, .data = &none },
                                  { .make = make, .data = &b } };
  GString *text = g_string_new (NULL);
  assert_true (line_merge (makers, G_N_ELEMENTS (makers), move_text, text, NULL));
  assert_string_equal (text->str, "c 0\nb 0\nb 3\nc 6\nb 6\nb 9\nc 12\n");
  assert_int_equal (makers[0].lines, 3);
  assert_int_equal (makers[1].lines, 0);
  assert_int_equal (makers[2].lines, 4);
  g_string_free (text, TRUE);
}

/* Many more lines than are written at once, by makers of different speed. */
TEST (test_many)
{
  enum { MAKERS = 4, LINES = 20000 };
  struct counting counting[MAKERS];
  struct line_source makers[MAKERS];
  GString *text = g_string_new (NULL);
  guint64 before = 0, lines = 0;
  for (guint i = 0; i < MAKERS; i++) {
    counting[i] = (struct counting){
      .name = (char) ('a' + i), .count = LINES, .step = 2 * i + 1, .at_once = 1 + 500 * i
    };
    makers[i] = (struct line_source){ .make = make, .data = &counting[i] };
  }
  assert_true (line_merge (makers, MAKERS, move_text, text, NULL));
  for (char *line = text->str; *line != '\0'; lines++) {
    const guint64 time = g_ascii_strtoull (line + 2, &line, 10);
    assert_true (time >= before);
    before = time;
    line++;
  }
  assert_int_equal (lines, MAKERS * LINES);
  g_string_free (text, TRUE);
}

/* A reader that has enough: makers that wait are let go, and make no more. */
TEST (test_stop)
{
  struct counting a = { .name = 'a', .count = G_MAXUINT64, .step = 1, .at_once = 100 };
  struct counting b = { .name = 'b', .count = 1000000, .step = 1000000, .at_once = 1 };
  struct line_source makers[] = { { .make = make, .data = &a }, { .make = make, .data = &b } };
  guint times = 0;
  assert_false (line_merge (makers, G_N_ELEMENTS (makers), stop, &times, NULL));
  assert_int_equal (times, 1);
  assert_true (a.made < a.count && b.made < b.count);
}
