/* test-ghc-stream.c -- the runtime's bytes, of any quality, become whole headers and blocks. */
#include "config.h"

#include "ghc/ghc-stream.h"
#include "tests/unit/ghc-items.h"
#include "tests/unit/test.h"

#include <string.h>

struct put {
  GByteArray *bytes;
  unsigned pieces;
  uint64_t events;
};

static void
put (void *data, const uint8_t *bytes, size_t length, uint64_t events)
{
  struct put *p = data;
  g_byte_array_append (p->bytes, bytes, (guint) length);
  p->pieces++;
  p->events += events;
}

static uint64_t
lost (void)
{
  struct ghc_stream_figures f;
  ghc_stream_get_figures (&f);
  return f.lost_bytes;
}

static uint64_t
left_out (void)
{
  struct ghc_stream_figures f;
  ghc_stream_get_figures (&f);
  return f.left_out;
}

/* A header of all types. */
static GByteArray *
make_header (void)
{
  GByteArray *log = g_byte_array_new ();
  ghc_put_header_begin (log);
  ghc_put_all_types (log);
  ghc_put_header_end (log);
  return log;
}

/* Passes the bytes on as the runtime would; they are no longer used. */
static void
write_all (GByteArray *bytes, struct put *p)
{
  *p = (struct put){ .bytes = g_byte_array_new () };
  ghc_stream_write (bytes->data, bytes->len, put, p);
  g_byte_array_unref (bytes);
}

/* The blocks after a header: the events, and the number that a reader would lose. */
static void
check (struct put *p, uint64_t events, const char *const *lines)
{
  GByteArray *log = make_header ();
  const guint64 start = log->len;
  g_byte_array_append (log, p->bytes->data, p->bytes->len);
  ghc_put (log, 0xffff, 2);
  struct ghc_items *items = ghc_items_read (log->data, log->len, 0, 0);
  assert_int_equal (items->result, PROFLOG_END);
  assert_int_equal (p->events, events);
  guint n = 0;
  for (guint i = 0; i < items->items->len; i++) {
    const struct ghc_noted *item = &ghc_items_nth (items, i);
    if (item->offset < start || item->type == GHC_ITEM_END)
      continue;
    assert_non_null (lines[n]);
    assert_string_equal (strchr (item->line, ' ') + 1, lines[n++]);
  }
  assert_null (lines[n]);
  ghc_items_free (items);
  g_byte_array_unref (log);
  g_byte_array_unref (p->bytes);
}

#define LINES(...)                                                                                 \
  (const char *const[])                                                                            \
  {                                                                                                \
    __VA_ARGS__, NULL                                                                              \
  }

/* Before the header it is known of no event how long it is; a marker may come. */
TEST (test_no_header)
{
  struct put p = { .bytes = g_byte_array_new () };
  assert_true (ghc_stream_start ());
  ghc_stream_introduce (7, put, &p);
  ghc_stream_report_missed (7, put, &p);
  assert_int_equal (p.pieces, 0);
  g_byte_array_unref (p.bytes);
  GByteArray *bytes = g_byte_array_new ();
  ghc_put_block (bytes, 24 + 14, 10, 10, 0);
  ghc_put_kind (bytes, GHC_CREATE_THREAD, 10, GHC_NUMBER (4, 1), 0);
  write_all (bytes, &p);
  assert_int_equal (lost (), 14);
  check (&p, 0, LINES (NULL));
}

static void
set_be32 (GByteArray *bytes, guint at, uint32_t number)
{
  for (guint i = 0; i < 4; i++)
    bytes->data[at + i] = (uint8_t) (number >> (24 - 8 * i));
}

/* Bytes that look like a header, and are none, are lost.  The events after it are as well known as
 * before. */
static void
check_bad_headers (uint64_t known)
{
  GByteArray *good = make_header ();
  const guint end = good->len;
  g_byte_array_unref (good);
  const struct {
    guint length, at;
    uint32_t number;
  } cases[] = {
    { 4, 0, GHC_HEADER_BEGIN },        /* cut: in the beginning, */
    { 7, 0, GHC_HEADER_BEGIN },        /* before the types, */
    { 20, 0, GHC_HEADER_BEGIN },       /* in the first, */
    { end - 14, 0, GHC_HEADER_BEGIN }, /* in the last, */
    { end - 12, 0, GHC_HEADER_BEGIN }, /* and after it */
    { end - 1, 0, GHC_HEADER_BEGIN },
    { end, 4, 0x68657463 },  /* no beginning of types */
    { end, 8, 0x65746300 },  /* nor of a type */
    { end, 16, UINT32_MAX }, /* texts that are longer than all */
    { end, 16, 1u << 30 },
    { end, 20, UINT32_MAX },
    { end, end - 12, 0 }, /* and the marks of the end */
    { end, end - 8, 0 },
    { end, end - 4, 0 },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    struct put p;
    GByteArray *bytes = make_header ();
    set_be32 (bytes, cases[i].at, cases[i].number);
    g_byte_array_set_size (bytes, cases[i].length);
    const uint64_t before = lost ();
    write_all (bytes, &p);
    assert_int_equal (lost () - before, cases[i].length);
    assert_int_equal (p.pieces, 0);
    g_byte_array_unref (p.bytes);
    GByteArray *event = g_byte_array_new ();
    ghc_put_kind (event, GHC_GC_START, 10, 0);
    write_all (event, &p);
    assert_int_equal (p.events, known);
    g_byte_array_unref (p.bytes);
  }
}

TEST (test_headers)
{
  struct put p;
  check_bad_headers (0);
  GByteArray *good = make_header (), *odd = g_byte_array_new ();
  write_all (make_header (), &p);
  assert_int_equal (p.pieces, 1);
  assert_int_equal (p.bytes->len, good->len);
  assert_memory_equal (p.bytes->data, good->data, good->len);
  g_byte_array_unref (p.bytes);
  /* Another is not put, nor is an end mark, also if a header declares events of its tag. */
  ghc_put_header_begin (odd);
  ghc_put_type (odd, GHC_DATA_END, 8, "an end mark");
  ghc_put_header_end (odd);
  ghc_put (odd, GHC_DATA_END, 2);
  g_byte_array_append (odd, good->data, good->len);
  ghc_put (odd, GHC_DATA_END, 2);
  g_byte_array_unref (good);
  const uint64_t before = lost ();
  write_all (odd, &p);
  assert_int_equal (lost (), before);
  check (&p, 0, LINES (NULL));
  check_bad_headers (1);
}

/* A block has the events from one marker to the next, and the times of its events. */
TEST (test_blocks)
{
  struct put p;
  GByteArray *bytes = g_byte_array_new ();
  ghc_put_kind (bytes, GHC_GC_START, 50, 0);
  ghc_put_block (bytes, 0, 100, 100, 2);
  ghc_put_kind (bytes, GHC_RUN_THREAD, 100, GHC_NUMBER (4, 1), 0);
  ghc_put_kind (bytes, GHC_GC_END, 90, 0);
  ghc_put_kind (bytes, GHC_GC_START, 120, 0);
  ghc_put_block (bytes, 0, 130, 130, 1);
  ghc_put_block (bytes, 0, 140, 140, 3);
  ghc_put_kind (bytes, GHC_USER_MSG, 140, GHC_NUMBER (2, 2), GHC_NUMBER (2, 0x6162), 0);
  ghc_put (bytes, 0, 1); /* half a tag */
  const uint64_t before = lost ();
  write_all (bytes, &p);
  assert_int_equal (lost () - before, 1);
  assert_int_equal (p.pieces, 3);
  check (&p, 5,
         LINES ("time=50 block-marker block_size=34 end_time=50 cap=65535", "time=50 gc-start",
                "time=90 block-marker block_size=58 end_time=120 cap=2",
                "cap=2 time=100 run-thread thread=1", "cap=2 time=90 gc-end",
                "cap=2 time=120 gc-start", "time=140 block-marker block_size=38 end_time=140 cap=3",
                "cap=3 time=140 user-msg message=\"ab\""));
}

/* Events of classes that are off are left out, as are all while nothing is recorded. */
TEST (test_classes)
{
  struct put p;
  const uint64_t before = left_out ();
  ghc_stream_enable (EVENTLOG_CLASS_GC, false);
  assert_false (ghc_stream_is_enabled (EVENTLOG_CLASS_GC));
  assert_true (ghc_stream_is_enabled (EVENTLOG_CLASS_USER));
  for (int i = 0; i < 3; i++) {
    GByteArray *bytes = g_byte_array_new ();
    ghc_put_block (bytes, 0, 200, 200, 0);
    ghc_put_kind (bytes, GHC_GC_START, 200, 0);
    ghc_put_kind (bytes, GHC_RUN_THREAD, 200, GHC_NUMBER (4, 1), 0);
    ghc_stream_record (i != 1);
    assert_int_equal (ghc_stream_records (), i != 1);
    ghc_stream_enable (EVENTLOG_CLASS_GC, i == 2);
    write_all (bytes, &p);
    assert_int_equal (p.events, ((uint64_t[]){ 1, 0, 2 })[i]);
    assert_int_equal (left_out () - before, ((uint64_t[]){ 1, 3, 3 })[i]);
    g_byte_array_unref (p.bytes);
  }
}

/* A reader that comes late gets the header and the announcements, of which it loses nothing, and
 * the number of missed events. */
TEST (test_introduction)
{
  struct put p;
  GByteArray *bytes = g_byte_array_new (), *header = make_header ();
  ghc_put_block (bytes, 0, 300, 300, 2);
  ghc_put_kind (bytes, GHC_CREATE_THREAD, 300, GHC_NUMBER (4, 1), 0);
  ghc_put_kind (bytes, GHC_CREATE_THREAD, 310, GHC_NUMBER (4, 2), 0);
  ghc_put_block (bytes, 0, 320, 320, 3);
  ghc_put_kind (bytes, GHC_CREATE_THREAD, 320, GHC_NUMBER (4, 3), 0);
  ghc_put_kind (bytes, GHC_STOP_THREAD, 330, GHC_NUMBER (4, 2),
                GHC_NUMBER (2, GHC_STOP_STATUS_FINISHED), GHC_NUMBER (4, 0), 0);
  write_all (bytes, &p);
  assert_int_equal (p.events, 4);
  g_byte_array_unref (p.bytes);
  for (uint64_t missed = 0; missed < 8; missed += 7) {
    p = (struct put){ .bytes = g_byte_array_new () };
    ghc_stream_introduce (missed, put, &p);
    assert_memory_equal (p.bytes->data, header->data, header->len);
    g_byte_array_remove_range (p.bytes, 0, header->len);
    if (missed == 0)
      check (&p, 0,
             LINES ("time=330 block-marker block_size=38 end_time=330 cap=2",
                    "cap=2 time=330 create-thread thread=1",
                    "time=330 block-marker block_size=38 end_time=330 cap=3",
                    "cap=3 time=330 create-thread thread=3"));
    else
      check (&p, 7,
             LINES ("time=330 block-marker block_size=38 end_time=330 cap=2",
                    "cap=2 time=330 create-thread thread=1",
                    "time=330 block-marker block_size=38 end_time=330 cap=3",
                    "cap=3 time=330 create-thread thread=3",
                    "time=330 block-marker block_size=70 end_time=330 cap=65535",
                    "time=330 log-msg message=\"proflog: 7 events are missing here\""));
  }
  g_byte_array_unref (header);
}
