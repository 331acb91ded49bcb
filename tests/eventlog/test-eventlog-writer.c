/* test-eventlog-writer.c -- the writer of eventlogs, against bytes that are computed by hand and
 * against the reader. */
#include "config.h"

#include "tests/eventlog/taken.h"
#include "tests/unit/test.h"
#include <proflog/big-endian.h>
#include <string.h>

/* ---- bytes ---- */

TEST (test_bytes)
{
  static const uint8_t expected[] = {
    0, 18, 0,   0,   0,   0,   0,   0,  0,   10, /* marker, at the time of the first event */
    0, 0,  0,   56,                              /* 24 + 14 + 18 bytes */
    0, 0,  0,   0,   0,   0,   0,   20, 0,   3,  /* closed at 20, of capability 3 */
    0, 0,  0,   0,   0,   0,   0,   0,  0,   10,  0, 0, 2, 1, /* create thread 513 */
    0, 19, 0,   0,   0,   0,   0,   0,  0,   20,              /* message */
    0, 6,  'h', 'a', 'l', 'l', 'o', 0,  255, 255,             /* end */
  };
  struct taken t;
  struct eventlog_writer *w = new_writer (&t);
  begin (w);
  const guint header = t.bytes->len;
  assert_memory_equal (t.bytes->data,
                       "hdrbhetb"
                       "etb\0\0\0\0\4",
                       16);
  assert_memory_equal (t.bytes->data + header - 12, "hetehdredatb", 12);
  assert_int_equal (EVENTLOG_POST (w, 3, create_thread, .thread = 513), EVENTLOG_OK);
  assert_int_equal (EVENTLOG_POST (w, 3, user_msg, .message = { "hallo", 6 }), EVENTLOG_OK);
  assert_int_equal (t.bytes->len, header);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  assert_int_equal (t.bytes->len - header, sizeof expected);
  assert_memory_equal (t.bytes->data + header, expected, sizeof expected);
  end (w, &t);
}

/* ---- every event ---- */

static uint64_t number;
static char text[300];

static struct ghc_text
some_text (void)
{
  return (struct ghc_text){ text, 1 + ++number % 200 };
}

static struct ghc_stack
some_stack (void)
{
  struct ghc_stack stack = { .count = ++number % (GHC_STACK_MAX + 1) };
  for (size_t i = 0; i < stack.count; i++)
    stack.items[i] = (uint32_t) (number * 77777 + i);
  return stack;
}

#define SOME_U8() (uint8_t)++ number
#define SOME_U16() (uint16_t) (++number * 257)
#define SOME_U32() (uint32_t) (++number * 16843009)
#define SOME_U64() (++number * UINT64_C (72340172838076673) >> 2) /* sizes of 2^62 are damage */
#define SOME_STR() some_text ()
#define SOME_STR_BUT_4() some_text ()
#define SOME_STRZ() some_text ()
#define SOME_STRZS()                                                                               \
  (struct ghc_texts)                                                                               \
  {                                                                                                \
    "one\0two", 8                                                                                  \
  }
#define SOME_STACK() some_stack ()
#define SOME_BYTES()                                                                               \
  (struct ghc_text)                                                                                \
  {                                                                                                \
    "\0\1\2", 3                                                                                    \
  }

static bool
same_text (struct ghc_text a, struct ghc_text b)
{
  return a.length == b.length && memcmp (a.text, b.text, a.length) == 0;
}

#define SAME_NUMBER(a, b) ((a) == (b))
#define SAME_U8 SAME_NUMBER
#define SAME_U16 SAME_NUMBER
#define SAME_U32 SAME_NUMBER
#define SAME_U64 SAME_NUMBER
#define SAME_STR same_text
#define SAME_STR_BUT_4 same_text
#define SAME_STRZ same_text
#define SAME_STRZS(a, b) ((a).length == (b).length && memcmp ((a).text, (b).text, (a).length) == 0)
#define SAME_STACK(a, b)                                                                           \
  ((a).count == (b).count && memcmp ((a).items, (b).items, 4 * (a).count) == 0)
#define SAME_BYTES same_text

/* Fields that newer writers do not have are not written; others come back. */
#define SIZES(least, most) (size >= (least) && size <= (most))
#define MOST UINT16_MAX
#define ALWAYS true
#define IF_LEFT true
#define VARIABLE GHC_VARIABLE

#define EVENT(ID, id, tag, event_size, since, group, role, doc)                                    \
  static void fill_##id (struct ghc_##id *e)                                                       \
  {                                                                                                \
    e->present = UINT32_MAX;
#define FIELD(id, field, wire, unit, when, doc) e->field = SOME_##wire ();
#define END_EVENT(id) }
#include <proflog/ghc-events.def>

#define EVENT(ID, id, tag, event_size, since, group, role, doc)                                    \
  static void check_##id (const struct ghc_##id *a, const struct ghc_##id *b)                      \
  {                                                                                                \
    const unsigned size = event_size;                                                              \
    (void) a, (void) b, (void) size;
#define FIELD(id, field, wire, unit, when, doc)                                                    \
  if ((when) && !SAME_##wire (a->field, b->field))                                                 \
    fail_msg ("%s.%s came back otherwise", #id, #field);
#define END_EVENT(id) }
#include <proflog/ghc-events.def>

static void
fill (enum ghc_kind kind, union ghc_payload *payload)
{
  switch (kind) {
#define EVENT(ID, id, tag, size, since, group, role, doc)                                          \
  case GHC_##ID:                                                                                   \
    fill_##id (&payload->id);                                                                      \
    break;
#include <proflog/ghc-events.def>
  default:
    fail ();
  }
}

static void
check (enum ghc_kind kind, const union ghc_payload *a, const union ghc_payload *b)
{
  switch (kind) {
#define EVENT(ID, id, tag, size, since, group, role, doc)                                          \
  case GHC_##ID:                                                                                   \
    check_##id (&a->id, &b->id);                                                                   \
    break;
#include <proflog/ghc-events.def>
  default:
    fail ();
  }
}

static enum eventlog_result
post (struct eventlog_writer *w, unsigned cap, enum ghc_kind kind, const union ghc_payload *payload)
{
  switch (kind) {
#define EVENT(ID, id, tag, size, since, group, role, doc)                                          \
  case GHC_##ID:                                                                                   \
    return eventlog_post (w, cap, kind, &payload->id);
#include <proflog/ghc-events.def>
  default:
    return EVENTLOG_ERROR_ARGUMENT;
  }
}

/* Each event of the list, three times over, comes back as it was posted. */
TEST (test_every_event)
{
  struct taken t;
  struct eventlog_writer *w = new_writer (&t);
  enum { TIMES = 3, EVENTS = TIMES * GHC_KINDS };
  union ghc_payload *payloads = g_new0 (union ghc_payload, EVENTS);
  memset (text, 'x', sizeof text);
  begin (w);
  for (int i = 0; i < EVENTS; i++) {
    const enum ghc_kind kind = (enum ghc_kind) (i % GHC_KINDS);
    fill (kind, &payloads[i]);
    assert_int_equal (post (w, 2, kind, &payloads[i]),
                      kind == GHC_BLOCK_MARKER ? EVENTLOG_ERROR_ARGUMENT : EVENTLOG_OK);
  }
  assert_int_equal (eventlog_post (w, 0, GHC_UNKNOWN, &payloads[0]), EVENTLOG_ERROR_ARGUMENT);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  struct ghc_reader *reader = ghc_reader_new ();
  const struct ghc_item *item;
  ghc_reader_push (reader, t.bytes->data, t.bytes->len);
  ghc_reader_finish (reader);
  int n = 0;
  while (ghc_reader_next (reader, &item) == PROFLOG_EVENT) {
    assert_int_not_equal (item->type, GHC_ITEM_DAMAGE);
    if (item->type != GHC_ITEM_EVENT || item->kind == GHC_BLOCK_MARKER)
      continue;
    n += n % GHC_KINDS == GHC_BLOCK_MARKER;
    assert_int_equal (item->kind, n % GHC_KINDS);
    assert_int_equal (item->cap, 2);
    assert_int_equal (item->extra, 0);
    check (item->kind, &payloads[n], item->payload);
    n++;
  }
  assert_int_equal (n, EVENTS);
  ghc_reader_free (reader);
  g_free (payloads);
  end (w, &t);
}

/* ---- order ---- */

TEST (test_order)
{
  struct taken t;
  struct eventlog_writer *w = new_writer (&t);
  struct eventlog_figures f;
  assert_int_equal (eventlog_writer_start (w), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_restart (w), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_sync (w), EVENTLOG_ERROR_ORDER);
  assert_int_equal (post_message (w, 0, "too early"), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_send_header (w), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_send_header (w), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_set_file (w, "x"), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_set_descriptor (w, 1), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_set_callback (w, take, &t), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_set_clock (w, NULL, NULL), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_set_buffer_size (w, 1 << 20), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_restart (w), EVENTLOG_ERROR_ORDER);
  assert_int_equal (post_message (w, 0, "too early"), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_start (w), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_start (w), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_send_header (w), EVENTLOG_ERROR_ORDER);
  assert_int_equal (post_message (w, 0, "a"), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_ERROR_ORDER);
  assert_int_equal (post_message (w, 0, "too late"), EVENTLOG_ERROR_ORDER);
  begin (w);
  assert_int_equal (post_message (w, 1, "b"), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_OK); /* no empty block */
  assert_int_equal (eventlog_writer_restart (w), EVENTLOG_OK);
  assert_int_equal (post_message (w, 1, "c"), EVENTLOG_OK);
  eventlog_writer_get_figures (w, &f);
  assert_true (f.running);
  assert_int_equal (f.events, 3);
  assert_int_equal (f.blocks, 2);
  assert_int_equal (f.bytes, t.bytes->len);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  check_contents (&t, "H B0 'a' E H B1 'b' E H B1 'c' E");
  end (w, &t);
}

TEST (test_arguments)
{
  struct taken t;
  struct eventlog_writer *w = new_writer (&t);
  static char longest[GHC_PAYLOAD_MAX + 1];
  assert_int_equal (eventlog_writer_set_buffer_size (w, EVENTLOG_BUFFER_LEAST - 1),
                    EVENTLOG_ERROR_ARGUMENT);
  assert_int_equal (eventlog_writer_set_buffer_size (w, EVENTLOG_BUFFER_MOST + 1),
                    EVENTLOG_ERROR_ARGUMENT);
  assert_int_equal (eventlog_writer_set_buffer_size (w, EVENTLOG_BUFFER_LEAST), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_set_file (w, ""), EVENTLOG_ERROR_ARGUMENT);
  assert_int_equal (eventlog_writer_set_descriptor (w, -1), EVENTLOG_ERROR_ARGUMENT);
  assert_int_equal (eventlog_writer_set_callback (w, NULL, NULL), EVENTLOG_ERROR_ARGUMENT);
  assert_int_equal (eventlog_writer_set_policy (w, (enum eventlog_policy) 7, 0),
                    EVENTLOG_ERROR_ARGUMENT);
  begin (w);
  memset (longest, 'l', sizeof longest);
  assert_int_equal (post_message (w, GHC_NO_CAP, "nobody's"), EVENTLOG_OK);
  assert_int_equal (post_message (w, GHC_NO_CAP + 1, "?"), EVENTLOG_ERROR_ARGUMENT);
  assert_int_equal (EVENTLOG_POST (w, 0, user_msg, .message = { NULL, 1 }),
                    EVENTLOG_ERROR_ARGUMENT);
  assert_int_equal (EVENTLOG_POST (w, 0, user_msg, .message = { longest, GHC_PAYLOAD_MAX }),
                    EVENTLOG_OK);
  assert_int_equal (EVENTLOG_POST (w, 0, user_marker, .marker = { longest, GHC_PAYLOAD_MAX + 1 }),
                    EVENTLOG_ERROR_TOO_LONG);
  assert_int_equal (EVENTLOG_POST (w, 0, heap_prof_sample_string, .label = { "a\0b", 3 }),
                    EVENTLOG_ERROR_ARGUMENT);
  assert_int_equal (EVENTLOG_POST (w, 0, prof_sample_cost_centre, .stack = { .count = 256 }),
                    EVENTLOG_ERROR_ARGUMENT);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  struct eventlog_figures f;
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.events, 2);
  t.calls = w;
  begin (w);
  assert_int_equal (t.called, EVENTLOG_ERROR_ORDER);
  end (w, &t);
}

/* ---- classes ---- */

TEST (test_classes)
{
  struct taken t;
  struct eventlog_writer *w = new_writer (&t);
  for (int i = 0; i < GHC_KINDS; i++)
    assert_int_equal (eventlog_class_of ((enum ghc_kind) i) == EVENTLOG_CLASSES,
                      i == GHC_BLOCK_MARKER);
  assert_int_equal (eventlog_class_find ("user"), EVENTLOG_CLASS_USER);
  assert_int_equal (eventlog_class_find ("users"), EVENTLOG_CLASSES);
  assert_string_equal (eventlog_class_name (EVENTLOG_CLASS_GC), "gc");
  assert_null (eventlog_class_name (EVENTLOG_CLASSES));
  begin (w);
  assert_int_equal (eventlog_writer_disable (w, EVENTLOG_CLASS_USER, NULL), EVENTLOG_OK);
  assert_int_equal (post_message (w, 0, "off"), EVENTLOG_OFF);
  assert_int_equal (eventlog_writer_enable (w, EVENTLOG_CLASS_USER, "user-marker,log-msg"),
                    EVENTLOG_OK);
  assert_int_equal (post_message (w, 0, "off"), EVENTLOG_OFF);
  assert_false (eventlog_writer_is_enabled (w, GHC_USER_MSG));
  assert_true (eventlog_writer_is_enabled (w, GHC_USER_MARKER));
  assert_int_equal (EVENTLOG_POST (w, 0, user_marker, .marker = { "m", 1 }), EVENTLOG_OK);
  assert_int_equal (EVENTLOG_POST (w, 0, log_msg, .message = { "l", 1 }), EVENTLOG_OK);
  assert_int_equal (EVENTLOG_POST (w, 0, gc_start), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_disable (w, EVENTLOG_CLASS_GC, "gc-start,user-msg"),
                    EVENTLOG_ERROR_ARGUMENT);
  assert_int_equal (eventlog_writer_disable (w, EVENTLOG_CLASS_GC, "gc-start,"), EVENTLOG_OK);
  assert_int_equal (EVENTLOG_POST (w, 0, gc_start), EVENTLOG_OFF);
  assert_int_equal (EVENTLOG_POST (w, 0, gc_end), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_enable (w, EVENTLOG_CLASSES, NULL), EVENTLOG_ERROR_ARGUMENT);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  check_contents (&t, "H B0 58 16 9 10 E");
  end (w, &t);
}

/* ---- sync ---- */

TEST (test_sync)
{
  struct taken t;
  struct eventlog_writer *w = new_writer (&t);
  struct eventlog_figures f;
  begin (w);
  EVENTLOG_POST (w, GHC_NO_CAP, capset_create, .capset = 1, .capset_type = 2);
  EVENTLOG_POST (w, GHC_NO_CAP, capset_create, .capset = 2, .capset_type = 3);
  EVENTLOG_POST (w, GHC_NO_CAP, capset_assign_cap, .capset = 1, .cap = 0);
  EVENTLOG_POST (w, GHC_NO_CAP, capset_assign_cap, .capset = 1, .cap = 1);
  EVENTLOG_POST (w, GHC_NO_CAP, capset_assign_cap, .capset = 2, .cap = 1);
  EVENTLOG_POST (w, GHC_NO_CAP, capset_delete, .capset = 2);
  EVENTLOG_POST (w, GHC_NO_CAP, capset_remove_cap, .capset = 1, .cap = 0);
  EVENTLOG_POST (w, 0, create_thread, .thread = 7);
  EVENTLOG_POST (w, 0, create_thread, .thread = 8);
  EVENTLOG_POST (w, 0, create_thread, .thread = 9);
  EVENTLOG_POST (w, 0, thread_label, .thread = 8, .label = { "one", 3 });
  EVENTLOG_POST (w, 0, thread_label, .thread = 8, .label = { "two", 3 });
  EVENTLOG_POST (w, 0, migrate_thread, .thread = 8, .new_cap = 1);
  EVENTLOG_POST (w, 0, stop_thread, .thread = 9, .status = GHC_STOP_STATUS_FINISHED);
  EVENTLOG_POST (w, 0, stop_thread, .thread = 7, .status = GHC_STOP_STATUS_MVAR);
  post_message (w, 0, "not again");
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.remembered, 5);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  /* Later events are remembered, too. */
  assert_int_equal (EVENTLOG_POST (w, 1, create_thread, .thread = 10), EVENTLOG_ERROR_ORDER);
  g_byte_array_set_size (t.bytes, 0);
  assert_int_equal (eventlog_writer_restart (w), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_OK);
  eventlog_writer_disable (w, EVENTLOG_CLASS_SCHEDULER, "thread-label");
  assert_int_equal (EVENTLOG_POST (w, 1, create_thread, .thread = 11), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_sync (w), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  /* Blocks come in no order: the last capability that was made is first. */
  check_contents (&t, "H B1 thread8 44 thread10 B0 thread7 B- 25 27 "
                      "B1 thread11 thread8 thread10 thread11 B0 thread7 B- 25 27 E");
  end (w, &t);
}

static uint64_t
read_clock (void *data)
{
  return *(const uint64_t *) data;
}

/* The clock of the latest event of that kind: its time, and seconds and nanoseconds. */
static void
check_wall_clock (const struct taken *t, uint64_t time, uint64_t seconds, uint64_t ns)
{
  const size_t size = GHC_EVENT_HEADER_SIZE + 16;
  const uint8_t *at = t->bytes->data + t->bytes->len;
  do
    assert_true (--at > t->bytes->data);
  while (proflog_be16 (at) != 43 || t->bytes->data + t->bytes->len - at < (ptrdiff_t) size);
  assert_int_equal (proflog_be64 (at + 2), time);
  assert_int_equal (proflog_be32 (at + GHC_EVENT_HEADER_SIZE), 1); /* capset */
  assert_int_equal (proflog_be64 (at + GHC_EVENT_HEADER_SIZE + 4), seconds);
  assert_int_equal (proflog_be32 (at + GHC_EVENT_HEADER_SIZE + 12), ns);
}

/* An announcement that is repeated has another time, and the wall clock of that time. */
TEST (test_sync_wall_clock)
{
  struct taken t;
  struct eventlog_writer *w = new_writer (&t);
  uint64_t now = 5000000000;
  assert_int_equal (eventlog_writer_set_clock (w, read_clock, &now), EVENTLOG_OK);
  begin (w);
  EVENTLOG_POST (w, GHC_NO_CAP, wall_clock_time, .capset = 1, .seconds = 1000,
                 .nanoseconds = 999999000);
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_OK);
  check_wall_clock (&t, now, 1000, 999999000);
  for (unsigned i = 1; i <= 2; i++) {
    now += UINT64_C (3000002500);
    assert_int_equal (eventlog_writer_sync (w), EVENTLOG_OK);
    assert_int_equal (eventlog_writer_flush (w), EVENTLOG_OK);
    check_wall_clock (&t, now, 1001 + 3 * i, 2500 * i - 1000);
  }
  end (w, &t);
}
