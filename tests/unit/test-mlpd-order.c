/* test-mlpd-order.c -- events of buffers in order of time. */
#include "config.h"

#include "decoder/mlpd/query/mlpd-order.h"
#include "tests/unit/fixtures.h"
#include "tests/unit/log-script.h"
#include "tests/unit/test.h"

#include <string.h>

enum { METHOD = 0x5000 };

static void
note_damage (void *data, const struct mlpd_item *item)
{
  guint *damages = data;
  *damages += item->type == MLPD_ITEM_DAMAGE;
}

static void
watch_progress (void *data, uint64_t bytes)
{
  (void) data;
  (void) bytes;
}

static bool
note_event (void *data, const struct mlpd_item *item, uint64_t time)
{
  g_string_append_printf (data, "%" G_GUINT64_FORMAT "@%" G_GUINT64_FORMAT " ", time, item->offset);
  return true;
}

/* The events of a log as "TIME@OFFSET ", in order. */
static char *
order_of (const guint8 *bytes, gsize length, struct mlpd_order *order, guint *damages)
{
  GError *error = NULL;
  const struct mlpd_order_watch watch
      = { .item = note_damage, .progress = watch_progress, .data = damages };
  struct log_input *input = fixture_input (bytes, length);
  assert_true (mlpd_order_init (order, input, &watch, &error));
  GString *events = g_string_new (NULL);
  assert_true (mlpd_order_events (order, input, note_event, events));
  log_input_close (input);
  return g_string_free (events, FALSE);
}

/* Three threads.  An enter has 3 bytes: event byte, time, method; the difference of time has 2
 * bytes from 128 on and 10 if it is negative.
 *
 *   32  buffer of 1 at 1000:  80 1010   83 1100   86 1050, which is late   98 1200
 *
 *  102  buffer of 2 at 1040: 150 1050  153 1100
 *
 *  156  buffer of 3 at 1300: 204 1310
 *
 *  207  buffer of 2 at 1105: 255 1105  258 1205
 *
 *  261  the end mark */
static GByteArray *
make_log (void)
{
  struct script log;
  script_begin (&log);
  script_buffer (&log, 1, 1000);
  script_enter (&log, 1010, METHOD);
  script_enter (&log, 1100, METHOD);
  script_enter (&log, 1050, METHOD);
  script_enter (&log, 1200, METHOD);
  script_buffer (&log, 2, 1040);
  script_enter (&log, 1050, METHOD);
  script_enter (&log, 1100, METHOD);
  script_buffer (&log, 3, 1300);
  script_enter (&log, 1310, METHOD);
  script_buffer (&log, 2, 1105);
  script_enter (&log, 1105, METHOD);
  script_enter (&log, 1205, METHOD);
  return script_end (&log);
}

static void
check_order (const guint8 *bytes, gsize length, const char *expected, guint expected_damages)
{
  struct mlpd_order order;
  guint damages = 0;
  char *events = order_of (bytes, length, &order, &damages);
  assert_string_equal (events, expected);
  assert_int_equal (damages, expected_damages);
  g_free (events);
  mlpd_order_clear (&order);
}

TEST (test_buffers)
{
  GByteArray *log = make_log ();
  check_order (log->data, log->len,
               "1010@80 1050@150 1100@83 1050@86 1100@153 1105@255 1200@98 1205@258 1310@204 ", 0);
  g_byte_array_unref (log);
}

/* A buffer that begins with an event before its time base, a call (at 2000) or another one (at
 * 3000), as the stock profiler's writer has names in it, comes from that time on; the rest keeps
 * its order. */
TEST (test_early_events)
{
  struct script script;
  struct mlpd_order order;
  guint damages = 0;
  unsigned last = 0;
  script_begin (&script);
  script_buffer (&script, 1, 1000);
  script_enter (&script, 1010, METHOD);
  script_enter (&script, 1900, METHOD);
  script_buffer (&script, 2, 2000);
  script_enter (&script, 1100, METHOD);
  script_enter (&script, 2010, METHOD);
  script_buffer (&script, 3, 3000);
  script_jit (&script, 1200, METHOD, 0x4000, 10, "early");
  script_enter (&script, 1300, METHOD);
  GByteArray *log = script_end (&script);
  char *events = order_of (log->data, log->len, &order, &damages);
  g_auto (GStrv) words = g_strsplit (g_strchomp (events), " ", -1);
  for (char **word = words; *word != NULL; word++) {
    const unsigned time = (unsigned) g_ascii_strtoull (*word, NULL, 10);
    assert_true (time > last);
    last = time;
  }
  assert_int_equal (g_strv_length (words), 6);
  assert_int_equal (order.earliest, 1000);
  g_free (events);
  g_byte_array_unref (log);
  mlpd_order_clear (&order);
}

/* Readable events come all the same: without the last event; with one that the data version does
 * not have, which ends the first buffer at 83. */
TEST (test_damage)
{
  GByteArray *log = make_log ();
  check_order (log->data, 260,
               "1010@80 1050@150 1100@83 1050@86 1100@153 1105@255 1200@98 1310@204 ", 1);
  log->data[83] = 0xff;
  check_order (log->data, log->len, "1010@80 1050@150 1100@153 1105@255 1205@258 1310@204 ", 1);
  g_byte_array_unref (log);
}

/* Up to major version 2 the earliest buffer begins at the start; then the header states. */
TEST (test_clock)
{
  struct mlpd_order order = { .header = { .major = 2, .start_ms = 7 }, .earliest = 1000 };
  assert_int_equal (mlpd_order_clock (&order, 1500), 7000500);
  assert_int_equal (mlpd_order_clock (&order, 900), 6999900);
  order.header.major = 3;
  order.header.start_ns = 400;
  assert_int_equal (mlpd_order_clock (&order, 1500), 7001100);
}

/* Many buffers at a time, of random times: events come in order, and all. */
TEST (test_many)
{
  GRand *random = g_rand_new_with_seed (1);
  struct script log;
  struct mlpd_order order;
  guint damages = 0, events = 0;
  guint64 before = 0;
  script_begin (&log);
  for (guint i = 0; i < 300; i++) {
    guint64 time = 1000 + (guint64) g_rand_int_range (random, 0, 2000);
    script_buffer (&log, i, time);
    for (guint k = 0; k < 20; k++)
      script_enter (&log, time += (guint64) g_rand_int_range (random, 0, 100), METHOD);
  }
  GByteArray *bytes = script_end (&log);
  char *text = order_of (bytes->data, bytes->len, &order, &damages);
  for (char *event = text; *event != '\0'; events++) {
    const guint64 time = g_ascii_strtoull (event, &event, 10);
    assert_true (time >= before);
    before = time;
    event = strchr (event, ' ') + 1;
  }
  assert_int_equal (events, 300 * 20);
  assert_int_equal (damages, 0);
  g_free (text);
  mlpd_order_clear (&order);
  g_byte_array_unref (bytes);
  g_rand_free (random);
}
