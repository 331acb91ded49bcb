/* test-eventlog-writer.c -- the writer of eventlogs, against bytes that are worked out by hand and
 * against the reader. */
#include <proflog/eventlog-writer.h>
#include <proflog/ghc-reader.h>

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- a destination in memory ---- */

struct taken {
  GByteArray *bytes;
  int refuse; /* so many pieces; -1: all */
  int refused;
  struct eventlog_writer *calls; /* is called from the callback */
  enum eventlog_result called;
  uint64_t time;
};

static bool
take (void *data, const void *bytes, size_t length)
{
  struct taken *t = data;
  if (t->calls != NULL)
    t->called = eventlog_writer_flush (t->calls);
  if (t->refuse != 0) {
    t->refuse -= t->refuse > 0;
    t->refused++;
    return false;
  }
  g_byte_array_append (t->bytes, bytes, (guint) length);
  return true;
}

static uint64_t
tick (void *data)
{
  struct taken *t = data;
  return t->time += 10;
}

static struct eventlog_writer *
new_writer (struct taken *t)
{
  struct eventlog_writer *w = eventlog_writer_new ("test");
  *t = (struct taken){ .bytes = g_byte_array_new () };
  assert_non_null (w);
  assert_int_equal (eventlog_writer_set_callback (w, take, t), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_set_clock (w, tick, t), EVENTLOG_OK);
  return w;
}

static void
begin (struct eventlog_writer *w)
{
  assert_int_equal (eventlog_writer_send_header (w), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_start (w), EVENTLOG_OK);
}

static void
end (struct eventlog_writer *w, struct taken *t)
{
  eventlog_writer_free (w);
  g_byte_array_unref (t->bytes);
}

/* ---- what is in a log ---- */

/* "H" for a header, "E" for an end mark, "B7" for a block of capability 7 (B- nobody's), and events
 * by their tags and first numbers. */
static char *
contents (const GByteArray *log)
{
  GString *text = g_string_new (NULL);
  struct ghc_reader *reader = ghc_reader_new ();
  const struct ghc_item *item;
  ghc_reader_push (reader, log->data, log->len);
  ghc_reader_finish (reader);
  while (ghc_reader_next (reader, &item) == PROFLOG_EVENT) {
    g_string_append (text, text->len != 0 ? " " : "");
    if (item->type == GHC_ITEM_HEADER)
      g_string_append (text, "H");
    else if (item->type == GHC_ITEM_END)
      g_string_append (text, "E");
    else if (item->type == GHC_ITEM_DAMAGE)
      g_string_append_printf (text, "damage(%s)", item->damage->message);
    else if (item->kind == GHC_BLOCK_MARKER && item->payload->block_marker.cap == GHC_NO_CAP)
      g_string_append (text, "B-");
    else if (item->kind == GHC_BLOCK_MARKER)
      g_string_append_printf (text, "B%u", item->payload->block_marker.cap);
    else if (item->kind == GHC_USER_MSG)
      g_string_append_printf (text, "'%.*s'", (int) item->payload->user_msg.message.length,
                              item->payload->user_msg.message.text);
    else if (item->kind == GHC_CREATE_THREAD)
      g_string_append_printf (text, "thread%u", item->payload->create_thread.thread);
    else
      g_string_append_printf (text, "%u", item->event_type->tag);
  }
  ghc_reader_free (reader);
  return g_string_free (text, FALSE);
}

static void
check_contents (const struct taken *t, const char *expected)
{
  char *text = contents (t->bytes);
  assert_string_equal (text, expected);
  g_free (text);
}

static enum eventlog_result
say (struct eventlog_writer *w, unsigned cap, const char *text)
{
  return EVENTLOG_POST (w, cap, user_msg, .message = { text, strlen (text) });
}

/* ---- bytes ---- */

static void
test_bytes (void **state)
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
  (void) state;
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
#define SOME_U64() (++number * UINT64_C (72340172838076673))
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

#define EVENT(ID, id, tag, event_size, since, doc)                                                 \
  static void fill_##id (struct ghc_##id *e)                                                       \
  {                                                                                                \
    e->present = UINT32_MAX;
#define FIELD(id, field, wire, unit, when, doc) e->field = SOME_##wire ();
#define END_EVENT(id) }
#include <proflog/ghc-events.def>

#define EVENT(ID, id, tag, event_size, since, doc)                                                 \
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
#define EVENT(ID, id, tag, size, since, doc)                                                       \
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
#define EVENT(ID, id, tag, size, since, doc)                                                       \
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
#define EVENT(ID, id, tag, size, since, doc)                                                       \
  case GHC_##ID:                                                                                   \
    return eventlog_post (w, cap, kind, &payload->id);
#include <proflog/ghc-events.def>
  default:
    return EVENTLOG_ERROR_ARGUMENT;
  }
}

/* Each event of the list, three times over, comes back as it was posted. */
static void
test_every_event (void **state)
{
  struct taken t;
  struct eventlog_writer *w = new_writer (&t);
  enum { TIMES = 3, EVENTS = TIMES * GHC_KINDS };
  union ghc_payload *payloads = g_new0 (union ghc_payload, EVENTS);
  (void) state;
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

static void
test_order (void **state)
{
  struct taken t;
  struct eventlog_writer *w = new_writer (&t);
  struct eventlog_figures f;
  (void) state;
  assert_int_equal (eventlog_writer_start (w), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_restart (w), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_sync (w), EVENTLOG_ERROR_ORDER);
  assert_int_equal (say (w, 0, "too early"), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_send_header (w), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_send_header (w), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_set_file (w, "x"), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_set_descriptor (w, 1), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_set_callback (w, take, &t), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_set_clock (w, NULL, NULL), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_set_buffer_size (w, 1 << 20), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_restart (w), EVENTLOG_ERROR_ORDER);
  assert_int_equal (say (w, 0, "too early"), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_start (w), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_start (w), EVENTLOG_ERROR_ORDER);
  assert_int_equal (eventlog_writer_send_header (w), EVENTLOG_ERROR_ORDER);
  assert_int_equal (say (w, 0, "a"), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_ERROR_ORDER);
  assert_int_equal (say (w, 0, "too late"), EVENTLOG_ERROR_ORDER);
  begin (w);
  assert_int_equal (say (w, 1, "b"), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_OK); /* no empty block */
  assert_int_equal (eventlog_writer_restart (w), EVENTLOG_OK);
  assert_int_equal (say (w, 1, "c"), EVENTLOG_OK);
  eventlog_writer_get_figures (w, &f);
  assert_true (f.running);
  assert_int_equal (f.events, 3);
  assert_int_equal (f.blocks, 2);
  assert_int_equal (f.bytes, t.bytes->len);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  check_contents (&t, "H B0 'a' E H B1 'b' E H B1 'c' E");
  end (w, &t);
}

static void
test_arguments (void **state)
{
  struct taken t;
  struct eventlog_writer *w = new_writer (&t);
  static char longest[GHC_PAYLOAD_MAX + 1];
  (void) state;
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
  assert_int_equal (say (w, GHC_NO_CAP, "nobody's"), EVENTLOG_OK);
  assert_int_equal (say (w, GHC_NO_CAP + 1, "?"), EVENTLOG_ERROR_ARGUMENT);
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

static void
test_classes (void **state)
{
  struct taken t;
  struct eventlog_writer *w = new_writer (&t);
  (void) state;
  for (int i = 0; i < GHC_KINDS; i++)
    assert_int_equal (eventlog_class_of ((enum ghc_kind) i) == EVENTLOG_CLASSES,
                      i == GHC_BLOCK_MARKER);
  assert_int_equal (eventlog_class_find ("user"), EVENTLOG_CLASS_USER);
  assert_int_equal (eventlog_class_find ("users"), EVENTLOG_CLASSES);
  assert_string_equal (eventlog_class_name (EVENTLOG_CLASS_GC), "gc");
  assert_null (eventlog_class_name (EVENTLOG_CLASSES));
  begin (w);
  assert_int_equal (eventlog_writer_disable (w, EVENTLOG_CLASS_USER, NULL), EVENTLOG_OK);
  assert_int_equal (say (w, 0, "off"), EVENTLOG_OFF);
  assert_int_equal (eventlog_writer_enable (w, EVENTLOG_CLASS_USER, "user-marker,log-msg"),
                    EVENTLOG_OK);
  assert_int_equal (say (w, 0, "off"), EVENTLOG_OFF);
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

static void
test_sync (void **state)
{
  struct taken t;
  struct eventlog_writer *w = new_writer (&t);
  struct eventlog_figures f;
  (void) state;
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
  say (w, 0, "not again");
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.remembered, 5);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  /* Also what comes now is remembered. */
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

/* ---- policies ---- */

static void
test_drop (void **state)
{
  struct taken t;
  struct eventlog_writer *w = new_writer (&t);
  struct eventlog_figures f;
  (void) state;
  assert_int_equal (eventlog_writer_set_policy (w, EVENTLOG_DROP, 0), EVENTLOG_OK);
  t.refuse = 1;
  assert_int_equal (eventlog_writer_send_header (w), EVENTLOG_ERROR_BUSY);
  assert_int_equal (eventlog_writer_start (w), EVENTLOG_ERROR_ORDER);
  begin (w);
  say (w, 0, "lost");
  say (w, 0, "as well");
  t.refuse = 1;
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_ERROR_BUSY);
  say (w, 0, "there");
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_OK);
  t.refuse = 1;
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_ERROR_BUSY);
  t.refuse = 1;
  assert_int_equal (eventlog_writer_send_header (w), EVENTLOG_ERROR_BUSY);
  begin (w);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  check_contents (&t, "H B0 'there' E H E");
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.dropped_blocks, 1);
  assert_int_equal (f.dropped_events, 2);
  assert_int_equal (f.dropped_bytes, 24 + 12 + 4 + 12 + 7);
  end (w, &t);
}

static void
test_spool (void **state)
{
  struct taken t;
  struct eventlog_writer *w = new_writer (&t);
  struct eventlog_figures f;
  (void) state;
  /* Header and two blocks of 24 + 12 + 3 bytes. */
  t.refuse = -1;
  assert_int_equal (eventlog_writer_set_policy (w, EVENTLOG_SPOOL, 1 << 20), EVENTLOG_OK);
  begin (w);
  eventlog_writer_get_figures (w, &f);
  const uint64_t header = f.spooled_bytes;
  assert_int_equal (eventlog_writer_set_policy (w, EVENTLOG_SPOOL, header + 2 * 39), EVENTLOG_OK);
  say (w, 0, "one");
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_ERROR_BUSY); /* it is kept all the same */
  say (w, 0, "two");
  eventlog_writer_flush (w);
  say (w, 0, "tri");
  eventlog_writer_flush (w);
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.spooled_bytes, header + 2 * 39);
  assert_int_equal (f.dropped_blocks, 1);
  assert_int_equal (f.dropped_events, 1);
  assert_int_equal (t.bytes->len, 0);
  t.refuse = 0;
  say (w, 0, "for");
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_OK);
  t.refuse = -1;
  say (w, 0, "fiv");
  eventlog_writer_stop (w);
  t.refuse = 0;
  begin (w);
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.spooled_bytes, 0);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  check_contents (&t, "H B0 'one' B0 'two' B0 'for' B0 'fiv' E H E");
  end (w, &t);
}

/* The limit is one of all that is kept: headers and end marks, too. */
static void
test_spool_limit (void **state)
{
  struct taken t;
  struct eventlog_writer *w = new_writer (&t);
  struct eventlog_figures f;
  (void) state;
  assert_int_equal (eventlog_writer_set_policy (w, EVENTLOG_SPOOL, 1000), EVENTLOG_OK);
  begin (w);
  const uint64_t header = t.bytes->len;
  assert_true (header > 1000); /* it names every type of events */
  t.refuse = -1;
  for (int i = 0; i < 3; i++)
    assert_int_equal (eventlog_writer_restart (w), EVENTLOG_ERROR_BUSY);
  assert_int_equal (eventlog_writer_send_header (w), EVENTLOG_ERROR_BUSY);
  assert_int_equal (say (w, 0, "no"), EVENTLOG_ERROR_ORDER);
  eventlog_writer_get_figures (w, &f);
  assert_false (f.running);
  assert_int_equal (f.spooled_bytes, 2); /* one end mark */
  /* Room for a header behind that mark, and not for its own mark, which stays due; so nothing more
   * is kept. */
  assert_int_equal (eventlog_writer_set_policy (w, EVENTLOG_SPOOL, header + 2), EVENTLOG_OK);
  begin (w);
  assert_int_equal (eventlog_writer_restart (w), EVENTLOG_ERROR_BUSY);
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.spooled_bytes, header + 2);
  t.refuse = 0;
  begin (w);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  check_contents (&t, "H E H E H E");
  end (w, &t);
}

static void
test_wait (void **state)
{
  struct taken t;
  struct eventlog_writer *w = new_writer (&t);
  struct eventlog_figures f;
  (void) state;
  begin (w);
  say (w, 0, "late");
  t.refuse = 5;
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_OK);
  assert_int_equal (t.refused, 5);
  assert_int_equal (eventlog_writer_set_policy (w, EVENTLOG_WAIT, 20), EVENTLOG_OK);
  say (w, 0, "lost");
  t.refuse = -1;
  assert_int_equal (eventlog_writer_flush (w), EVENTLOG_ERROR_BUSY);
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.dropped_events, 1);
  t.refuse = 0;
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  check_contents (&t, "H B0 'late' E");
  end (w, &t);
}

/* ---- descriptors ---- */

/* A reader that is away, or does not read. */
static void
check_reader (int *fds)
{
  struct taken t = { .bytes = g_byte_array_new () };
  struct eventlog_writer *w = eventlog_writer_new ("test");
  struct eventlog_figures f;
  char bytes[65536];
  ssize_t n;
  enum eventlog_result result = EVENTLOG_OK;
  assert_int_equal (eventlog_writer_set_descriptor (w, fds[1]), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_set_policy (w, EVENTLOG_DROP, 0), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_set_buffer_size (w, EVENTLOG_BUFFER_LEAST), EVENTLOG_OK);
  begin (w);
  /* More than any pipe or socket holds. */
  for (int i = 0; i < 200000; i++)
    if (say (w, (unsigned) i % 3, "twelve bytes") == EVENTLOG_ERROR_BUSY)
      result = EVENTLOG_ERROR_BUSY;
  assert_int_equal (result, EVENTLOG_ERROR_BUSY);
  eventlog_writer_get_figures (w, &f);
  assert_true (f.dropped_blocks > 0);
  assert_int_equal (f.error, 0);
  /* It reads again: what is there is whole. */
  assert_int_equal (fcntl (fds[0], F_SETFL, O_NONBLOCK), 0);
  while (eventlog_writer_flush (w) == EVENTLOG_ERROR_BUSY)
    while ((n = read (fds[0], bytes, sizeof bytes)) > 0)
      g_byte_array_append (t.bytes, (guint8 *) bytes, (guint) n);
  while ((n = read (fds[0], bytes, sizeof bytes)) > 0)
    g_byte_array_append (t.bytes, (guint8 *) bytes, (guint) n);
  say (w, 0, "end");
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  n = read (fds[0], bytes, sizeof bytes);
  assert_true (n > 0);
  g_byte_array_append (t.bytes, (guint8 *) bytes, (guint) n);
  char *all = contents (t.bytes);
  assert_null (strstr (all, "damage"));
  assert_true (g_str_has_suffix (all, " B0 'end' E"));
  g_free (all);
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.bytes, t.bytes->len);
  /* It goes away. */
  close (fds[0]);
  assert_int_equal (eventlog_writer_send_header (w), EVENTLOG_ERROR_OUTPUT);
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.error, EPIPE);
  close (fds[1]);
  end (w, &t);
}

static void
test_descriptors (void **state)
{
  int fds[2];
  (void) state;
  signal (SIGPIPE, SIG_DFL);
  assert_int_equal (pipe (fds), 0);
  check_reader (fds);
  assert_int_equal (socketpair (AF_UNIX, SOCK_STREAM, 0, fds), 0);
  check_reader (fds);
}

static void
test_file (void **state)
{
  char *folder = g_dir_make_tmp ("proflog-eventlog.XXXXXX", NULL);
  char *path = g_build_filename (folder, "test.eventlog", NULL);
  char *other = g_build_filename (folder, "other.eventlog", NULL);
  char *before = g_get_current_dir ();
  gchar *bytes;
  gsize length;
  (void) state;
  assert_int_equal (chdir (folder), 0);
  struct eventlog_writer *w = eventlog_writer_new ("test");
  assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  begin (w);
  say (w, 0, "hello");
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_set_file (w, other), EVENTLOG_OK);
  begin (w);
  eventlog_writer_free (w); /* stops it */
  assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  struct taken t = { .bytes = g_byte_array_new_take ((guint8 *) bytes, length) };
  check_contents (&t, "H B0 'hello' E");
  g_byte_array_unref (t.bytes);
  assert_true (g_file_get_contents (other, &bytes, &length, NULL));
  t.bytes = g_byte_array_new_take ((guint8 *) bytes, length);
  check_contents (&t, "H E");
  g_byte_array_unref (t.bytes);
  /* Nothing is written through a link. */
  assert_int_equal (unlink (other), 0);
  assert_int_equal (symlink (path, other), 0);
  w = eventlog_writer_new ("test");
  assert_int_equal (eventlog_writer_set_file (w, other), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_send_header (w), EVENTLOG_ERROR_OUTPUT);
  eventlog_writer_free (w);
  unlink (other);
  unlink (path);
  assert_int_equal (chdir (before), 0);
  rmdir (folder);
  g_free (path);
  g_free (other);
  g_free (before);
  g_free (folder);
}

/* A named pipe: without a reader an error, at once; with one, the policy holds for it. */
static void
test_fifo (void **state)
{
  char *folder = g_dir_make_tmp ("proflog-eventlog.XXXXXX", NULL);
  char *path = g_build_filename (folder, "fifo", NULL);
  struct taken t = { .bytes = g_byte_array_new () };
  struct eventlog_writer *w = eventlog_writer_new ("test");
  struct eventlog_figures f;
  char bytes[65536];
  ssize_t n;
  (void) state;
  alarm (60); /* opening must not wait */
  assert_int_equal (mkfifo (path, 0600), 0);
  assert_int_equal (eventlog_writer_set_file (w, path), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_send_header (w), EVENTLOG_ERROR_OUTPUT);
  eventlog_writer_get_figures (w, &f);
  assert_int_equal (f.error, ENXIO);
  const int reader = open (path, O_RDONLY | O_NONBLOCK);
  assert_true (reader >= 0);
  begin (w);
  say (w, 0, "read");
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  while ((n = read (reader, bytes, sizeof bytes)) > 0)
    g_byte_array_append (t.bytes, (guint8 *) bytes, (guint) n);
  check_contents (&t, "H B0 'read' E");
  close (reader);
  alarm (0);
  end (w, &t);
  unlink (path);
  rmdir (folder);
  g_free (path);
  g_free (folder);
}

/* ---- the timer ---- */

static void
test_timer (void **state)
{
  struct taken t;
  struct eventlog_writer *w = new_writer (&t);
  struct eventlog_figures f;
  (void) state;
  begin (w);
  assert_int_equal (eventlog_writer_set_flush_interval (w, 5), EVENTLOG_OK);
  say (w, 0, "quiet");
  do {
    g_usleep (1000);
    eventlog_writer_get_figures (w, &f);
  } while (f.blocks == 0);
  assert_int_equal (eventlog_writer_set_flush_interval (w, 0), EVENTLOG_OK);
  EVENTLOG_POST (w, 0, create_thread, .thread = 1);
  assert_int_equal (eventlog_writer_set_sync_interval (w, 5), EVENTLOG_OK);
  do {
    g_usleep (1000);
    eventlog_writer_get_figures (w, &f);
  } while (f.events < 4);
  assert_int_equal (eventlog_writer_set_sync_interval (w, 0), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  char *all = contents (t.bytes);
  assert_true (g_str_has_prefix (all, "H B0 'quiet' B0 thread1 thread1 thread1"));
  g_free (all);
  end (w, &t);
}

/* ---- many threads ---- */

enum { THREADS = 10, RESTARTS = 20 };

static _Atomic bool go_on;
static _Atomic unsigned began; /* threads that have posted */

struct poster {
  struct eventlog_writer *writer;
  unsigned nth;
  uint64_t posted;
};

/* Messages that tell whose they are and which. */
static gpointer
post_much (gpointer data)
{
  struct poster *p = data;
  struct ghc_user_msg event = { .present = UINT32_MAX };
  char message[32];
  for (unsigned n = 0; go_on; n++) {
    const int length
        = snprintf (message, sizeof message, "%u %" G_GUINT64_FORMAT, p->nth, p->posted);
    event.message = (struct ghc_text){ message, (size_t) length };
    if (eventlog_post_user_msg (p->writer, p->nth % 4, &event) == EVENTLOG_OK)
      began += p->posted++ == 0;
    if (n % 64 == 0) {
      EVENTLOG_POST (p->writer, p->nth % 4, create_thread, .thread = p->nth * 1000 + n / 64 % 50);
      EVENTLOG_POST (p->writer, p->nth % 4, stop_thread, .thread = p->nth * 1000 + n / 64 % 50,
                     .status = GHC_STOP_STATUS_FINISHED);
    }
  }
  return NULL;
}

/* All messages of all threads are there, in turn and in the right capability. */
static void
check_messages (const GByteArray *log, const struct poster *posters)
{
  uint64_t next[THREADS] = { 0 };
  unsigned headers = 0, ends = 0;
  struct ghc_reader *reader = ghc_reader_new ();
  const struct ghc_item *item;
  ghc_reader_push (reader, log->data, log->len);
  ghc_reader_finish (reader);
  while (ghc_reader_next (reader, &item) == PROFLOG_EVENT) {
    assert_int_not_equal (item->type, GHC_ITEM_DAMAGE);
    headers += item->type == GHC_ITEM_HEADER;
    ends += item->type == GHC_ITEM_END;
    if (item->type != GHC_ITEM_EVENT || item->kind != GHC_USER_MSG)
      continue;
    char *message
        = g_strndup (item->payload->user_msg.message.text, item->payload->user_msg.message.length);
    char *rest;
    const uint64_t nth = g_ascii_strtoull (message, &rest, 10);
    assert_true (nth < THREADS);
    assert_int_equal (item->cap, nth % 4);
    assert_int_equal (g_ascii_strtoull (rest, NULL, 10), next[nth]);
    next[nth]++;
    g_free (message);
  }
  ghc_reader_free (reader);
  assert_int_equal (headers, RESTARTS + 1);
  assert_int_equal (ends, RESTARTS + 1);
  for (int i = 0; i < THREADS; i++) {
    assert_int_equal (next[i], posters[i].posted);
    assert_true (next[i] > 0);
  }
}

static void
test_threads (void **state)
{
  struct taken t = { .bytes = g_byte_array_new () };
  struct eventlog_writer *w = eventlog_writer_new ("test");
  struct poster posters[THREADS];
  GThread *threads[THREADS];
  struct eventlog_figures f;
  (void) state;
  eventlog_writer_set_callback (w, take, &t);
  eventlog_writer_set_buffer_size (w, EVENTLOG_BUFFER_LEAST);
  eventlog_writer_set_flush_interval (w, 1);
  begin (w);
  go_on = true;
  for (unsigned i = 0; i < THREADS; i++) {
    posters[i] = (struct poster){ .writer = w, .nth = i };
    threads[i] = g_thread_new ("poster", post_much, &posters[i]);
  }
  while (began < THREADS)
    g_usleep (1000);
  eventlog_writer_get_figures (w, &f);
  const uint64_t before = f.events;
  for (int i = 0; i < RESTARTS; i++) {
    do
      eventlog_writer_get_figures (w, &f);
    while (f.events < before + (uint64_t) (i + 1) * 2000);
    switch (i % 4) {
    case 0:
      assert_int_equal (eventlog_writer_restart (w), EVENTLOG_OK);
      break;
    case 1:
      assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
      begin (w);
      break;
    case 2:
      assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
      assert_int_equal (eventlog_writer_set_buffer_size (w, EVENTLOG_BUFFER_LEAST + 4096 * i),
                        EVENTLOG_OK);
      assert_int_equal (eventlog_writer_restart (w), EVENTLOG_OK);
      break;
    default:
      assert_int_equal (eventlog_writer_sync (w), EVENTLOG_OK);
      assert_int_equal (eventlog_writer_restart (w), EVENTLOG_OK);
      break;
    }
  }
  go_on = false;
  for (int i = 0; i < THREADS; i++)
    g_thread_join (threads[i]);
  assert_int_equal (eventlog_writer_stop (w), EVENTLOG_OK);
  check_messages (t.bytes, posters);
  end (w, &t);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_bytes),       cmocka_unit_test (test_every_event),
    cmocka_unit_test (test_order),       cmocka_unit_test (test_arguments),
    cmocka_unit_test (test_classes),     cmocka_unit_test (test_sync),
    cmocka_unit_test (test_drop),        cmocka_unit_test (test_spool),
    cmocka_unit_test (test_spool_limit), cmocka_unit_test (test_wait),
    cmocka_unit_test (test_descriptors), cmocka_unit_test (test_file),
    cmocka_unit_test (test_timer),       cmocka_unit_test (test_fifo),
    cmocka_unit_test (test_threads),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
