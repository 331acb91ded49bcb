/* test-ghc-merge.c -- events of several logs in one: of different writers, and with numbers that
 * there is no room for. */
#include "config.h"

#include "decoder/ghc/edit/ghc-merge.h"
#include "tests/unit/ghc-items.h"
#include "tests/unit/test.h"

#include <string.h>

#define N GHC_NUMBER

typedef void (*handle_item) (struct ghc_merge *m, size_t nth, const struct ghc_item *item,
                             void *data);

/* Reads a log and calls `take` with each of its items. */
static void
read_log (struct ghc_merge *m, size_t nth, GByteArray *log, handle_item take, void *data)
{
  struct ghc_reader *reader = ghc_reader_new ();
  const struct ghc_item *item;
  g_byte_array_append (log, (const guint8 *) "\xff\xff", 2); /* the end mark */
  ghc_reader_push (reader, log->data, log->len);
  while (ghc_reader_next (reader, &item) == PROFLOG_EVENT) {
    assert_int_not_equal (item->type, GHC_ITEM_DAMAGE);
    take (m, nth, item, data);
  }
  g_byte_array_set_size (log, log->len - 2);
  ghc_reader_free (reader);
}

static void
survey (struct ghc_merge *m, size_t nth, const struct ghc_item *item, void *data)
{
  (void) data;
  ghc_merge_survey (m, nth, item);
}

static void
write_event (struct ghc_merge *m, size_t nth, const struct ghc_item *item, void *data)
{
  struct ghc_writer *writer = data;
  if (item->type != GHC_ITEM_EVENT)
    return;
  const struct ghc_event event = ghc_merge_event (m, nth, item);
  assert_true (ghc_writer_event (writer, &event, NULL));
}

static gboolean
plan (struct ghc_merge *m, GByteArray **logs, guint n, GError **error)
{
  ghc_merge_init (m, n);
  for (guint i = 0; i < n; i++)
    read_log (m, i, logs[i], survey, NULL);
  return ghc_merge_plan (m, error);
}

/* All logs, one after the other, have these events; "CAP KIND FIELDS", markers left out. */
static void
expect_events (GByteArray **logs, guint n, ...)
{
  struct ghc_merge m;
  assert_true (plan (&m, logs, n, NULL));
  struct ghc_writer *writer = ghc_writer_new ();
  assert_true (
      ghc_writer_header (writer, (const struct ghc_event_type *) (const void *) m.types.types->data,
                         m.types.types->len, NULL));
  for (guint i = 0; i < n; i++)
    read_log (&m, i, logs[i], write_event, writer);
  ghc_writer_end (writer, false);
  size_t length;
  const uint8_t *bytes = ghc_writer_take (writer, &length);
  struct ghc_items *items = ghc_items_read (bytes, length, 0, 0);
  va_list args;
  va_start (args, n);
  for (guint i = 0; i < items->items->len; i++) {
    const struct ghc_noted *item = &ghc_items_nth (items, i);
    assert_int_not_equal (item->type, GHC_ITEM_DAMAGE);
    if (item->type != GHC_ITEM_EVENT || g_str_has_prefix (item->event, "block-marker"))
      continue;
    const char *expected = va_arg (args, const char *);
    assert_non_null (expected);
    assert_string_equal (strchr (item->line, ' ') + 1, expected);
  }
  assert_null (va_arg (args, const char *));
  va_end (args);
  ghc_items_free (items);
  ghc_writer_free (writer);
  ghc_merge_clear (&m);
  for (guint i = 0; i < n; i++)
    g_byte_array_unref (logs[i]);
}

/* A log whose header declares block markers and these tags with these sizes, up to a tag of -1. */
static GByteArray *
new_log (int tag, ...)
{
  GByteArray *log = g_byte_array_new ();
  va_list args;
  va_start (args, tag);
  ghc_put_header_begin (log);
  ghc_put_type (log, 18, 14, "Block marker");
  for (; tag >= 0; tag = va_arg (args, int))
    ghc_put_type (log, (guint) tag, va_arg (args, guint), "some event");
  ghc_put_header_end (log);
  va_end (args);
  return log;
}

/* A block on a capability with one event of this many bytes after its time; they follow. */
static void
put_in_block (GByteArray *log, guint cap, guint tag, guint bytes)
{
  ghc_put_block (log, 24 + 10 + bytes, 100, 200, cap);
  ghc_put_event (log, tag, 150);
}

/* Statistics of a collection with 50 bytes, of GHC before 8.4, and with 58. */
TEST (test_longer_form)
{
  GByteArray *logs[] = { new_log (53, 50, -1), new_log (53, 58, -1) };
  for (guint i = 0; i < 2; i++) {
    put_in_block (logs[i], 0, 53, i == 0 ? 50 : 58);
    ghc_put (logs[i], 0, 4);
    ghc_put (logs[i], 1, 2);
    for (guint64 k = 10; k < 13; k++)
      ghc_put (logs[i], k, 8);
    ghc_put (logs[i], 2, 4);
    ghc_put (logs[i], 13, 8);
    ghc_put (logs[i], 14, 8);
  }
  ghc_put (logs[1], 15, 8);
  expect_events (logs, 2,
                 "cap=0 time=150 gc-stats-ghc heap_capset=0 generation=1 copied=10 slop=11 "
                 "fragmentation=12 par_n_threads=2 par_max_copied=13 par_tot_copied=14 "
                 "par_balanced_copied=0",
                 "cap=1 time=150 gc-stats-ghc heap_capset=1 generation=1 copied=10 slop=11 "
                 "fragmentation=12 par_n_threads=2 par_max_copied=13 par_tot_copied=14 "
                 "par_balanced_copied=15",
                 NULL);
}

/* The size of blocks was reported as its logarithm before 9.10. */
TEST (test_census)
{
  GByteArray *logs[] = { new_log (207, 14, -1), new_log (207, 13, -1) };
  put_in_block (logs[0], 0, 207, 14);
  ghc_put (logs[0], 24, 2);
  put_in_block (logs[1], 0, 207, 13);
  ghc_put (logs[1], 5, 1);
  for (guint i = 0; i < 2; i++)
    for (guint k = 1; k < 4; k++)
      ghc_put (logs[i], k, 4);
  expect_events (logs, 2,
                 "cap=0 time=150 nonmoving-heap-census block_size=24 active_segments=1 "
                 "filled_segments=2 live_blocks=3",
                 "cap=1 time=150 nonmoving-heap-census block_size=32 active_segments=1 "
                 "filled_segments=2 live_blocks=3",
                 NULL);
}

static void
put_stop (GByteArray *log, guint thread, guint status, guint info)
{
  put_in_block (log, 0, 2, 10);
  ghc_put (log, thread, 4);
  ghc_put (log, status, 2);
  ghc_put (log, info, 4);
}

/* 7.8.2 (58 without 59) calls a black hole 9, and reading an MVar 8; the other log states 8 and 20.
 * Who owns a black hole is a thread. */
TEST (test_7_8_2)
{
  GByteArray *logs[] = { new_log (2, 10, 58, 65535, -1), new_log (2, 10, 58, 65535, 59, 0, -1) };
  put_stop (logs[0], 1, 9, 7);
  put_stop (logs[0], 2, 8, 7);
  put_stop (logs[1], 1, 8, 2);
  put_stop (logs[1], 2, 20, 7);
  put_stop (logs[1], 3, 8, 0);
  expect_events (logs, 2, "cap=0 time=150 stop-thread thread=1 status=8(black-hole) info=7",
                 "cap=0 time=150 stop-thread thread=2 status=20(read-mvar) info=7",
                 "cap=1 time=150 stop-thread thread=8 status=8(black-hole) info=9",
                 "cap=1 time=150 stop-thread thread=9 status=20(read-mvar) info=7",
                 "cap=1 time=150 stop-thread thread=10 status=8(black-hole) info=0", NULL);
}

/* Logs of 7.8.2 alone stay so. */
TEST (test_only_7_8_2)
{
  GByteArray *logs[] = { new_log (2, 10, 58, 65535, -1), new_log (2, 10, 58, 65535, -1) };
  put_stop (logs[0], 1, 9, 0);
  put_stop (logs[1], 1, 8, 0);
  expect_events (logs, 2, "cap=0 time=150 stop-thread thread=1 status=9(black-hole) info=0",
                 "cap=1 time=150 stop-thread thread=2 status=8(read-mvar) info=0", NULL);
}

/* 6.12 declares 8 bytes for a thread and writes 4. */
TEST (test_6_12)
{
  GByteArray *logs[] = { new_log (0, 8, 17, 0, -1), new_log (0, 4, -1) };
  put_in_block (logs[0], 0, 0, 4);
  ghc_put (logs[0], 5, 4);
  put_in_block (logs[0], 0, 17, 2);
  ghc_put (logs[0], 3, 2);
  put_in_block (logs[1], 0, 0, 4);
  ghc_put (logs[1], 5, 4);
  expect_events (logs, 2, "cap=0 time=150 create-thread thread=5",
                 "cap=0 time=150 startup n_caps=3", "cap=1 time=150 create-thread thread=10", NULL);
}

/* Events that are not known are as long as the longer of both. */
TEST (test_unknown)
{
  GByteArray *logs[] = { new_log (300, 2, -1), new_log (300, 4, 301, 1, -1) };
  put_in_block (logs[0], 0, 300, 2);
  ghc_put (logs[0], 1, 2);
  put_in_block (logs[1], 0, 300, 4);
  ghc_put (logs[1], 2, 4);
  put_in_block (logs[1], 0, 301, 1);
  ghc_put (logs[1], 3, 1);
  expect_events (logs, 2, "cap=0 time=150 unknown", "cap=1 time=150 unknown",
                 "cap=1 time=150 unknown", NULL);
}

/* Cost centres in their announcement and in samples. */
TEST (test_cost_centres)
{
  GByteArray *logs[] = { new_log (161, 65535, -1), new_log (167, 65535, -1) };
  put_in_block (logs[0], GHC_NO_CAP, 161, 2 + 8);
  ghc_put (logs[0], 8, 2);
  ghc_put (logs[0], 4, 4);
  ghc_put (logs[0], 0, 4);
  put_in_block (logs[1], GHC_NO_CAP, 167, 2 + 21);
  ghc_put (logs[1], 21, 2);
  ghc_put (logs[1], 1, 4);
  ghc_put (logs[1], 9, 8);
  ghc_put (logs[1], 2, 1);
  ghc_put (logs[1], 3, 4);
  ghc_put (logs[1], 1, 4);
  expect_events (
      logs, 2,
      "time=150 heap-prof-cost-centre cost_centre=4 label=\"\" module=\"\" location=\"\" "
      "flags=0",
      "time=150 prof-sample-cost-centre cap=1 tick=9 stack=[7,5]", NULL);
}

/* The header declares 65534 capabilities and one more. */
TEST (test_too_many)
{
  GByteArray *logs[] = { new_log (45, 2, -1), new_log (45, 2, -1) };
  struct ghc_merge m;
  GError *error = NULL;
  put_in_block (logs[0], GHC_NO_CAP, 45, 2);
  ghc_put (logs[0], 65534, 2);
  put_in_block (logs[1], GHC_NO_CAP, 45, 2);
  ghc_put (logs[1], 0, 2);
  assert_false (plan (&m, logs, 2, &error));
  assert_true (g_error_matches (error, GHC_WRITER_ERROR, GHC_WRITER_ERROR_TOO_LONG));
  assert_string_equal (error->message,
                       "there are not numbers enough for all capabilities: those of log 2 go up to "
                       "0, and those of the logs before it to 65534; the highest can be 65534");
  g_error_free (error);
  ghc_merge_clear (&m);
  for (guint i = 0; i < 2; i++)
    g_byte_array_unref (logs[i]);
}

/* Numbers of this many bytes after an event's head: bytes, number, ..., 0. */
static void
put_numbers (GByteArray *log, unsigned bytes, ...)
{
  va_list args;
  va_start (args, bytes);
  for (; bytes != 0; bytes = va_arg (args, unsigned))
    ghc_put (log, va_arg (args, guint64), bytes);
  va_end (args);
}

static void
put_machine (GByteArray *log, guint64 machine, guint64 process)
{
  put_in_block (log, 0, 65, 10);
  put_numbers (log, N (2, machine), N (8, 0), 0);
  put_in_block (log, 0, 62, 4);
  put_numbers (log, N (4, process), 0);
}

/* Machines 1 and 2 of one run of Eden: thread 7 of process 1 of machine 1 sends to process 1 of
 * machine 2, where it comes from there.  Then machine 1 and 2 of another run, the latter first. */
TEST (test_machines)
{
  GByteArray *logs[4];
  for (guint i = 0; i < 4; i++)
    logs[i] = new_log (62, 4, 65, 10, 67, 19, 68, 23, -1);
  put_machine (logs[0], 1, 1);
  put_in_block (logs[0], 0, 67, 19);
  put_numbers (logs[0], N (1, 0x57), N (4, 1), N (4, 7), N (2, 2), N (4, 1), N (4, 3), 0);
  put_machine (logs[1], 2, 1);
  put_in_block (logs[1], 0, 68, 23);
  put_numbers (logs[1], N (1, 0x57), N (4, 1), N (4, 3), N (2, 1), N (4, 1), N (4, 7), N (4, 10),
               0);
  put_machine (logs[2], 2, 1);
  put_machine (logs[3], 1, 1);
  /* The second log's process is 2, so it is in the first log's message; its thread is the first's.
   * The third log's machine is 4, after 1 and 2, and with the same distance the fourth's is 3. */
  expect_events (
      logs, 4, "cap=0 time=150 create-machine machine=1 start=0",
      "cap=0 time=150 create-process process=1",
      "cap=0 time=150 send-message message_tag=87(data) sender_process=1 sender_thread=7 "
      "receiver_machine=2 receiver_process=2 receiver_inport=3",
      "cap=1 time=150 create-machine machine=2 start=0", "cap=1 time=150 create-process process=2",
      "cap=1 time=150 receive-message message_tag=87(data) receiver_process=2 receiver_inport=3 "
      "sender_machine=1 sender_process=1 sender_thread=7 size=10",
      "cap=2 time=150 create-machine machine=4 start=0", "cap=2 time=150 create-process process=3",
      "cap=3 time=150 create-machine machine=3 start=0", "cap=3 time=150 create-process process=4",
      NULL);
}

/* A text of Mercury, a future that it is the name of, and a ticky counter's sample. */
static void
put_mercury (GByteArray *log, guint64 string, guint64 future, guint64 counter)
{
  put_in_block (log, 0, 42, 2 + 1 + 4);
  put_numbers (log, N (2, 5), N (1, 'a'), N (4, string), 0);
  put_in_block (log, 0, 104, 12);
  put_numbers (log, N (8, future), N (4, string), 0);
  put_in_block (log, 0, 211, 32);
  put_numbers (log, N (8, counter), N (8, 5), N (8, 6), N (8, 7), 0);
}

/* Texts 1 clash, and a ticky counter does with the first of the others; futures do not. */
TEST (test_clashes)
{
  GByteArray *logs[3];
  for (guint i = 0; i < 3; i++)
    logs[i] = new_log (42, 0xffff, 104, 12, 211, 32, -1);
  put_mercury (logs[0], 1, 0x1000, 100);
  put_mercury (logs[1], 1, 0x2000, 100);
  put_mercury (logs[2], 0, 0x3000, 90);
  expect_events (
      logs, 3, "cap=0 time=150 intern-string text=\"a\" string=1",
      "cap=0 time=150 mer-fut-create future=4096 string=1",
      "cap=0 time=150 ticky-counter-sample counter=100 entries=5 allocations=6 allocated=7",
      "cap=1 time=150 intern-string text=\"a\" string=2",
      "cap=1 time=150 mer-fut-create future=8192 string=2",
      "cap=1 time=150 ticky-counter-sample counter=200 entries=5 allocations=6 allocated=7",
      "cap=2 time=150 intern-string text=\"a\" string=0",
      "cap=2 time=150 mer-fut-create future=12288 string=0",
      "cap=2 time=150 ticky-counter-sample counter=90 entries=5 allocations=6 allocated=7", NULL);
}

/* ---- parts ---- */

struct part {
  bool has_clock;
  uint64_t start;
  uint32_t pid;
  bool has_events;
  uint64_t first, last;
};

static void
plan_parts (struct ghc_merge *m, const struct part *parts, size_t n)
{
  ghc_merge_init (m, n);
  for (size_t i = 0; i < n; i++) {
    m->logs[i].has_clock = parts[i].has_clock;
    m->logs[i].start = parts[i].start;
    m->logs[i].pid = parts[i].pid;
    m->logs[i].has_events = parts[i].has_events;
    m->logs[i].first = parts[i].first;
    m->logs[i].last = parts[i].last;
  }
  assert_true (ghc_merge_plan (m, NULL));
}

/* Logs of one process on one clock, one after the other, are parts of one. */
TEST (test_are_parts)
{
  static const struct {
    struct part one, other;
    bool are_parts;
  } cases[] = {
    { { true, 9, 5, true, 100, 200 }, { true, 9, 5, true, 200, 300 }, true },
    { { true, 9, 5, true, 100, 200 }, { true, 9, 5, true, 0, 100 }, true },
    { { true, 9, 5, true, 100, 200 }, { true, 9, 5, false, 0, 0 }, true },
    { { true, 9, 5, false, 0, 0 }, { true, 9, 5, true, 150, 250 }, true },
    { { true, 9, 5, true, 100, 200 }, { true, 9, 5, true, 199, 300 }, false },
    { { true, 9, 5, true, 100, 200 }, { true, 9, 5, true, 0, 101 }, false },
    { { true, 9, 5, true, 100, 200 }, { true, 8, 5, true, 200, 300 }, false },
    { { true, 9, 5, true, 100, 200 }, { true, 9, 6, true, 200, 300 }, false },
    { { true, 9, 0, true, 100, 200 }, { true, 9, 0, true, 200, 300 }, false },
    { { true, 9, 5, true, 100, 200 }, { false, 9, 5, true, 200, 300 }, false },
    { { false, 9, 5, true, 100, 200 }, { true, 9, 5, true, 200, 300 }, false },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    const struct part parts[] = { cases[i].one, cases[i].other };
    struct ghc_merge m;
    plan_parts (&m, parts, 2);
    assert_int_equal (m.logs[1].program, cases[i].are_parts ? 0 : 1);
    for (int k = 0; k < 2; k++)
      assert_int_equal (m.logs[k].is_part, cases[i].are_parts);
    if (cases[i].one.has_events && cases[i].other.has_events)
      assert_int_equal (ghc_merge_precedes (&m, 1, 0),
                        cases[i].are_parts && cases[i].other.first < cases[i].one.first);
    ghc_merge_clear (&m);
  }
}

/* A log that is apart from the first one, but not from another part of it, is none of it; its own
 * parts are found all the same. */
TEST (test_parts_of_two)
{
  static const struct part parts[] = { { true, 9, 5, true, 100, 200 },
                                       { true, 9, 5, true, 200, 300 },
                                       { true, 9, 5, true, 250, 350 },
                                       { true, 9, 5, true, 350, 400 },
                                       { true, 7, 1, true, 0, 400 } };
  static const size_t programs[] = { 0, 0, 2, 0, 4 };
  struct ghc_merge m;
  plan_parts (&m, parts, G_N_ELEMENTS (parts));
  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++)
    assert_int_equal (m.logs[i].program, programs[i]);
  assert_false (m.logs[2].is_part);
  assert_false (m.logs[4].is_part);
  ghc_merge_clear (&m);
}

/* An announcement of all parts is of the part in whose time it is; before the first one, of
 * that. */
TEST (test_announcements_of_parts)
{
  enum { PARTS = 4 };
  static const uint64_t times[] = { 50, 150, 250, 350, 450 };
  static const struct {
    uint64_t first[PARTS]; /* 0: it has announcements only */
    size_t owners[5];      /* at these times */
  } cases[] = {
    { { 100, 200, 300, 400 }, { 0, 0, 1, 2, 3 } }, { { 400, 300, 200, 100 }, { 3, 3, 2, 1, 0 } },
    { { 200, 100, 400, 300 }, { 1, 1, 0, 3, 2 } }, { { 300, 400, 100, 200 }, { 2, 2, 3, 0, 1 } },
    { { 0, 200, 100, 300 }, { 2, 2, 1, 3, 3 } },   { { 100, 0, 0, 300 }, { 0, 0, 0, 3, 3 } },
    { { 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 } },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    struct part parts[PARTS];
    struct ghc_merge m;
    for (size_t k = 0; k < PARTS; k++) {
      const uint64_t first = cases[i].first[k];
      parts[k] = (struct part){ true, 9, 5, first != 0, first, first + 50 };
    }
    plan_parts (&m, parts, PARTS);
    for (size_t t = 0; t < G_N_ELEMENTS (times); t++)
      for (size_t k = 0; k < PARTS; k++) {
        const struct ghc_item announced
            = { .type = GHC_ITEM_EVENT, .kind = GHC_CAP_CREATE, .time = times[t] };
        const struct ghc_item other
            = { .type = GHC_ITEM_EVENT, .kind = GHC_RUN_THREAD, .time = times[t] };
        assert_int_equal (m.logs[k].program, 0);
        assert_int_equal (ghc_merge_includes (&m, k, &announced), k == cases[i].owners[t]);
        assert_true (ghc_merge_includes (&m, k, &other));
      }
    ghc_merge_clear (&m);
  }
}

/* The highest numbers that there are leave no room for others, of whatever they are. */
TEST (test_no_numbers)
{
  for (unsigned what = 0; what < GHC_NUMBERED; what++)
    for (uint64_t lowest = 0; lowest < 2; lowest++) {
      struct ghc_merge m;
      GError *error = NULL;
      ghc_merge_init (&m, 2);
      for (size_t i = 0; i < 2; i++) {
        const uint16_t machine = 1;
        m.logs[i].has_numbers[what] = true;
        m.logs[i].lowest[what] = lowest;
        m.logs[i].highest[what] = i == 0 ? UINT64_MAX : 1;
        if (what == GHC_NUMBERED_MACHINE)
          g_array_append_val (m.logs[i].machines, machine);
      }
      assert_false (ghc_merge_plan (&m, &error));
      assert_true (g_error_matches (error, GHC_WRITER_ERROR, GHC_WRITER_ERROR_TOO_LONG));
      assert_non_null (strstr (error->message, "those of log 2 go up to 1, "));
      g_error_free (error);
      ghc_merge_clear (&m);
    }
}

/* Times that are moved beyond all that there are stay the last one. */
TEST (test_latest_time)
{
  static const struct part parts[] = { { true, 9, 5, true, 0, 10 }, { true, 109, 6, true, 0, 10 } };
  struct ghc_merge m;
  plan_parts (&m, parts, 2);
  assert_int_equal (ghc_merge_time (&m, 0, 7), 7);
  assert_int_equal (ghc_merge_time (&m, 1, 7), 107);
  assert_int_equal (ghc_merge_time (&m, 1, UINT64_MAX - 100), UINT64_MAX);
  assert_int_equal (ghc_merge_time (&m, 1, UINT64_MAX - 99), UINT64_MAX);
  ghc_merge_clear (&m);
}
