/* test-live-order.c -- lines of several writers, held for a bounded time.  Times are by hand: ms.
 */
#include "config.h"

#include "decoder/live/follow.h"
#include "tests/unit/test.h"

#include <string.h>

#define DELAY 1000
#define SETTLE 20

static void
add (struct live_order *o, uint64_t id, uint64_t time, uint64_t now, const char *text)
{
  const struct live_writer writer = { .id = id };
  live_order_add (o, writer, time, now, text, strlen (text) + 1);
}

/* All that is given now, as one text. */
static void
gives (struct live_order *o, uint64_t now, bool all, const char *expected)
{
  GString *text = g_string_new (NULL);
  struct live_line line;
  while (live_order_pop (o, now, all, &line)) {
    g_string_append (text, line.text);
    if (line.late_ns != 0)
      g_string_append_printf (text, "(%u)", (unsigned) line.late_ns);
    g_free (line.text);
  }
  assert_string_equal (text->str, expected);
  g_string_free (text, TRUE);
}

/* Lines up to the time that both writers have reached are given at once, the rest when nothing came
 * for a moment. */
TEST (test_watermarks)
{
  struct live_order o;
  live_order_init (&o, DELAY, SETTLE);
  add (&o, 1, 10, 100, "a");
  add (&o, 1, 30, 100, "c");
  add (&o, 2, 20, 101, "b");
  gives (&o, 101, false, "a"); /* writer 2 may report 20 once more */
  add (&o, 2, 40, 102, "d");
  gives (&o, 102, false, "b");
  assert_int_equal (live_order_next (&o), 102 + SETTLE);
  gives (&o, 102 + SETTLE - 1, false, "");
  gives (&o, 102 + SETTLE, false, "cd");
  assert_true (live_order_next (&o) == UINT64_MAX);
  assert_int_equal (o.late, 0);
  assert_int_equal (o.held_max_ns, 22);
  live_order_clear (&o);
}

/* While others go on, a silent writer is waited for no longer than is allowed. */
TEST (test_delay)
{
  struct live_order o;
  live_order_init (&o, DELAY, SETTLE);
  add (&o, 1, 5, 0, "x");
  gives (&o, SETTLE, false, "x");
  for (uint64_t now = 30; now < 2000; now += 10) {
    add (&o, 2, now, now, ".");
    struct live_line line;
    while (live_order_pop (&o, now, false, &line)) {
      assert_true (now - line.came <= DELAY);
      g_free (line.text);
    }
  }
  assert_true (o.held_max_ns >= DELAY - 50); /* until writer 1 is waited for no more */
  add (&o, 1, 500, 2000, "late");
  struct live_line line;
  assert_true (live_order_pop (&o, 2000, true, &line));
  assert_string_equal (line.text, "late");
  assert_true (line.late_ns > 0);
  g_free (line.text);
  assert_int_equal (o.late, 1);
  gives (&o, 3000, true, ".");
  live_order_clear (&o);
}

/* A writer's own order stays; that of the next log has no other part in it. */
TEST (test_order)
{
  struct live_order o;
  live_order_init (&o, DELAY, SETTLE);
  add (&o, 1, 50, 0, "a");
  add (&o, 1, 40, 0, "b"); /* as the end of a collection of GHC */
  add (&o, 2, 45, 0, "c");
  live_order_forget (&o, 0);
  add (&o, 1, 47, 0, "d");
  gives (&o, 0, true, "cdab");
  assert_int_equal (o.late, 0);
  live_order_clear (&o);
}

/* Writers of the same number in two logs; one of them is waited for until its log ends. */
TEST (test_logs)
{
  const struct live_writer other = { .id = 1, .log = 1 };
  struct live_order o;
  live_order_init (&o, DELAY, DELAY); /* one log is no evidence for the other */
  add (&o, 1, 10, 0, "a");
  live_order_add (&o, other, 20, 5, "b", sizeof "b");
  add (&o, 1, 30, 6, "c");
  gives (&o, 200, false, "a");
  live_order_reached (&o, other, 25, 300);
  gives (&o, 300, false, "b");
  live_order_forget (&o, 1);
  add (&o, 1, 31, 301, "d");
  gives (&o, 301, false, "c");
  assert_int_equal (o.late, 0);
  gives (&o, 302, true, "d");
  live_order_clear (&o);
}

/* While not all logs have reported, a line waits for those that have not. */
TEST (test_silent_logs)
{
  const struct live_writer other = { .id = 1, .log = 1 };
  struct live_order o;
  live_order_init (&o, DELAY, DELAY);
  o.hold_until = DELAY;
  add (&o, 1, 50, 0, "b");
  add (&o, 1, 60, 1, "c");
  gives (&o, 1, false, "");
  live_order_add (&o, other, 40, 2, "a", sizeof "a");
  live_order_reached (&o, other, 55, 3);
  gives (&o, 3, false, "");
  o.hold_until = 0;
  gives (&o, 3, false, "ab");
  o.hold_until = 2 * DELAY; /* no longer than any line */
  gives (&o, 1 + DELAY - 1, false, "");
  gives (&o, 1 + DELAY, false, "c");
  assert_int_equal (o.late, 0);
  live_order_clear (&o);
}

/* Too many lines are not held. */
TEST (test_memory)
{
  enum { LINE = 1 << 20, LINES = 40 };
  struct live_order o;
  struct live_line line;
  char *text = g_malloc0 (LINE);
  unsigned given = 0;
  live_order_init (&o, DELAY, SETTLE);
  add (&o, 2, 0, 0, "");
  for (unsigned i = 1; i <= LINES; i++) {
    live_order_add (&o, (struct live_writer){ .id = 1 }, i, 0, text, LINE);
    for (; live_order_pop (&o, 0, false, &line); given++)
      g_free (line.text);
    assert_true (o.bytes <= LIVE_ORDER_BYTES_MAX);
  }
  assert_true (given >= LINES - LIVE_ORDER_BYTES_MAX / LINE);
  g_free (text);
  live_order_clear (&o);
}
