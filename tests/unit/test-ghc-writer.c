/* test-ghc-writer.c -- logs written from nothing: bytes computed by hand, blocks, errors. */
#include "config.h"

#include "tests/unit/test.h"

#include <proflog/ghc-writer.h>
#include <string.h>

#define TYPE(tag, size, text)                                                                      \
  {                                                                                                \
    tag, size, 0, GHC_UNKNOWN, { text, sizeof text - 1 },                                          \
    {                                                                                              \
      NULL, 0                                                                                      \
    }                                                                                              \
  }

static const struct ghc_event_type types[] = {
  TYPE (18, 14, "B"),
  TYPE (2, 10, "S"),
  TYPE (19, GHC_VARIABLE, "M"),
  TYPE (210, GHC_VARIABLE, "T"),
};

static struct ghc_writer *
new_writer (void)
{
  struct ghc_writer *w = ghc_writer_new ();
  size_t length;
  assert_true (ghc_writer_header (w, types, G_N_ELEMENTS (types), NULL));
  ghc_writer_take (w, &length);
  return w;
}

/* The bytes that can be taken are these, in hex. */
static void
expect_bytes (struct ghc_writer *w, const char *hex)
{
  size_t length;
  const uint8_t *bytes = ghc_writer_take (w, &length);
  GString *text = g_string_new (NULL);
  for (size_t i = 0; i < length; i++)
    g_string_append_printf (text, "%02x", bytes[i]);
  assert_string_equal (text->str, hex);
  g_string_free (text, TRUE);
}

static void
write_event (struct ghc_writer *w, uint16_t tag, uint64_t time, const union ghc_payload *payload)
{
  const struct ghc_event event = { tag, time, payload, { NULL, 0 } };
  assert_true (ghc_writer_event (w, &event, NULL));
}

static void
begin_block (struct ghc_writer *w, uint64_t time, uint64_t end, uint16_t cap)
{
  const union ghc_payload marker = { .block_marker = { .end_time = end, .cap = cap } };
  write_event (w, 18, time, &marker);
}

TEST (test_header)
{
  const struct ghc_event_type one = TYPE (258, 3, "ab");
  struct ghc_writer *w = ghc_writer_new ();
  assert_true (ghc_writer_header (w, &one, 1, NULL));
  expect_bytes (w, "68647262"
                   "68657462"
                   "65746200"
                   "0102"
                   "0003"
                   "00000002"
                   "6162"
                   "00000000"
                   "65746500"
                   "68657465"
                   "68647265"
                   "64617462");
  expect_bytes (w, ""); /* it was taken */
  ghc_writer_free (w);
}

/* GHC 9.0.2 counts a header as part of the block that it begins before it, of 24 bytes; the header
 * has 8 + 21 + 12. */
TEST (test_header_in_block)
{
  const struct ghc_event_type one = TYPE (1, 0, "a");
  struct ghc_writer *w = new_writer ();
  size_t length;
  begin_block (w, 1, 2, 3);
  assert_true (ghc_writer_header (w, &one, 1, NULL));
  assert_false (ghc_writer_is_in_block (w));
  const uint8_t *bytes = ghc_writer_take (w, &length);
  assert_int_equal (length, 24 + 41);
  assert_int_equal (bytes[13], 24 + 41);
  ghc_writer_free (w);
}

/* A block is given when it is closed, with its size: 24 + 20 bytes. */
TEST (test_block)
{
  const union ghc_payload stop = { .stop_thread = { .thread = 5, .status = 7, .info = 9 } };
  struct ghc_writer *w = new_writer ();
  begin_block (w, 1, 2, 3);
  write_event (w, 2, 256, &stop);
  expect_bytes (w, "");
  assert_true (ghc_writer_is_in_block (w));
  ghc_writer_end_block_at (w, 258);
  assert_false (ghc_writer_is_in_block (w));
  expect_bytes (w, "0012"
                   "0000000000000001"
                   "0000002c"
                   "0000000000000102"
                   "0003"
                   "0002"
                   "0000000000000100"
                   "00000005"
                   "0007"
                   "00000009");
  ghc_writer_free (w);
}

TEST (test_ends)
{
  struct ghc_writer *w = new_writer ();
  begin_block (w, 1, 2, 3);
  ghc_writer_end (w, false);
  expect_bytes (w, "0012"
                   "0000000000000001"
                   "00000018"
                   "0000000000000002"
                   "0003"
                   "ffff");
  begin_block (w, 1, 2, 3);
  ghc_writer_end (w, true);
  expect_bytes (w, "0012"
                   "0000000000000001"
                   "0000001a"
                   "0000000000000002"
                   "0003"
                   "ffff");
  ghc_writer_end (w, true); /* there is no block to be in */
  expect_bytes (w, "ffff");
  ghc_writer_free (w);
}

/* An event of variable size states its length; a field that need not be there is, if its bit states
 * so. */
TEST (test_variable)
{
  union ghc_payload p = { .user_msg = { .message = { "hi", 2 } } };
  struct ghc_writer *w = new_writer ();
  write_event (w, 19, 1, &p);
  expect_bytes (w, "0013"
                   "0000000000000001"
                   "0002"
                   "6869");
  p = (union ghc_payload){
    .ticky_counter_def
    = { .counter = 1, .arity = 2, .arg_kinds = { "i", 1 }, .name = { "f", 1 }, .info_table = 3 }
  };
  write_event (w, 210, 1, &p);
  expect_bytes (w, "00d2"
                   "0000000000000001"
                   "000e"
                   "0000000000000001"
                   "0002"
                   "6900"
                   "6600");
  p.ticky_counter_def.present = 1u << 4;
  write_event (w, 210, 1, &p);
  expect_bytes (w, "00d2"
                   "0000000000000001"
                   "0016"
                   "0000000000000001"
                   "0002"
                   "6900"
                   "6600"
                   "0000000000000003");
  ghc_writer_free (w);
}

/* A size of another writer: fewer fields, or zeros after them. */
TEST (test_sizes)
{
  const struct ghc_event_type short_one = TYPE (2, 6, ""), long_one = TYPE (2, 12, "");
  const union ghc_payload stop = { .stop_thread = { .thread = 5, .status = 7, .info = 9 } };
  const struct ghc_event event = { 2, 1, &stop, { "x", 1 } };
  struct ghc_writer *w = ghc_writer_new ();
  size_t length;
  assert_true (ghc_writer_header (w, &short_one, 1, NULL));
  ghc_writer_take (w, &length);
  write_event (w, 2, 1, &stop);
  expect_bytes (w, "0002"
                   "0000000000000001"
                   "00000005"
                   "0007");
  assert_true (ghc_writer_header (w, &long_one, 1, NULL));
  ghc_writer_take (w, &length);
  assert_true (ghc_writer_event (w, &event, NULL));
  expect_bytes (w, "0002"
                   "0000000000000001"
                   "00000005"
                   "0007"
                   "00000009"
                   "7800");
  ghc_writer_free (w);
}

static void
refuse (struct ghc_writer *w, const struct ghc_event *event, gint code, const char *message)
{
  GError *error = NULL;
  assert_false (ghc_writer_event (w, event, &error));
  assert_true (g_error_matches (error, GHC_WRITER_ERROR, code));
  assert_string_equal (error->message, message);
  g_error_free (error);
}

TEST (test_errors)
{
  static char text[65536];
  const union ghc_payload message = { .user_msg = { .message = { text, sizeof text } } };
  const struct ghc_event unknown = { 20, 1, NULL, { NULL, 0 } };
  const struct ghc_event too_long = { 19, 1, &message, { NULL, 0 } };
  const struct ghc_event no_room = { 2, 1, NULL, { text, 11 } };
  struct ghc_writer *w = new_writer ();
  refuse (w, &unknown, GHC_WRITER_ERROR_UNDECLARED,
          "an event 20 cannot be written: the header does not declare it");
  refuse (w, &too_long, GHC_WRITER_ERROR_TOO_LONG,
          "an event 19 cannot be written: it has 65536 bytes, and there is room for 65535");
  refuse (w, &no_room, GHC_WRITER_ERROR_TOO_LONG,
          "an event 2 cannot be written: it has 11 bytes, and there is room for 10");
  expect_bytes (w, "");
  const struct ghc_event_type twice[] = { TYPE (1, 1, "a"), TYPE (1, 1, "b") };
  const struct ghc_event_type end = TYPE (0xffff, 1, "a");
  const struct ghc_event_type described = { .tag = 1, .description = { text, sizeof text + 1 } };
  GError *error = NULL;
  assert_false (ghc_writer_header (w, twice, 2, &error));
  assert_string_equal (error->message, "events 1 cannot be declared twice");
  g_clear_error (&error);
  assert_false (ghc_writer_header (w, &end, 1, &error));
  assert_string_equal (error->message, "events 65535 cannot be declared");
  g_clear_error (&error);
  assert_false (ghc_writer_header (w, &described, 1, &error));
  assert_string_equal (error->message,
                       "the description of events 1 has 65537 bytes; there may be 65536");
  g_clear_error (&error);
  const struct ghc_event_type more = { .tag = 1, .more = { text, sizeof text + 1 } };
  assert_false (ghc_writer_header (w, &more, 1, NULL));
  expect_bytes (w, "");
  ghc_writer_free (w);
  ghc_writer_free (NULL);
}

/* A marker may stand before the first header, and nothing else; after a header it is an event as
 * others. */
TEST (test_undeclared)
{
  static const struct ghc_event_type no_marker = TYPE (2, 10, "S");
  const union ghc_payload payload = { .block_marker = { .end_time = 5, .cap = 1 } };
  const struct ghc_event marker = { 18, 4, &payload, { NULL, 0 } };
  const struct ghc_event stop = { 2, 1, NULL, { NULL, 0 } };
  struct ghc_writer *w = ghc_writer_new ();
  size_t length;
  refuse (w, &stop, GHC_WRITER_ERROR_UNDECLARED,
          "an event 2 cannot be written: the header does not declare it");
  ghc_writer_end_block_at (w, 7); /* there is none */
  expect_bytes (w, "");
  assert_true (ghc_writer_event (w, &marker, NULL));
  assert_true (ghc_writer_is_in_block (w));
  assert_true (ghc_writer_header (w, &no_marker, 1, NULL));
  const uint8_t *bytes = ghc_writer_take (w, &length);
  assert_memory_equal (bytes, "\0\22\0\0\0\0\0\0\0\4", 10);
  assert_memory_equal (bytes + 24, "hdrb", 4);
  assert_int_equal (bytes[12] << 8 | bytes[13], length); /* the header is in the block */
  refuse (w, &marker, GHC_WRITER_ERROR_UNDECLARED,
          "an event 18 cannot be written: the header does not declare it");
  assert_true (ghc_writer_event (w, &stop, NULL));
  ghc_writer_free (w);
}

/* The bytes of an event of no known kind are all in `more`; a payload has no place there. */
TEST (test_unknown_kind)
{
  static const struct ghc_event_type unknown = TYPE (999, 2, "?");
  const union ghc_payload payload = { .run_thread = { .thread = 1 } };
  const struct ghc_event event = { 999, 1, &payload, { "ab", 2 } };
  struct ghc_writer *w = ghc_writer_new ();
  size_t length;
  assert_true (ghc_writer_header (w, &unknown, 1, NULL));
  ghc_writer_take (w, &length);
  assert_true (ghc_writer_event (w, &event, NULL));
  expect_bytes (w, "03e700000000000000016162");
  ghc_writer_free (w);
}

/* A block that grows too long goes on as another one of its capability. */
TEST (test_long_block)
{
  static char text[60000];
  const union ghc_payload message = { .user_msg = { .message = { text, sizeof text } } };
  struct ghc_writer *w = new_writer ();
  size_t length, blocks = 0, events = 0;
  begin_block (w, 1, 1000, 3);
  for (guint i = 0; i < 600; i++)
    write_event (w, 19, 1 + i, &message);
  ghc_writer_end_block (w);
  const uint8_t *bytes = ghc_writer_take (w, &length);
  for (size_t at = 0; at < length;) {
    const guint32 size = (guint32) bytes[at + 10] << 24 | (guint32) bytes[at + 11] << 16
                         | (guint32) bytes[at + 12] << 8 | bytes[at + 13];
    assert_int_equal (bytes[at + 1], 18);
    assert_int_equal (bytes[at + 23], 3);
    assert_true (size < (17u << 20) && size > 24);
    assert_int_equal ((size - 24) % 60012, 0);
    events += (size - 24) / 60012;
    at += size;
    assert_true (at <= length);
    blocks++;
  }
  assert_int_equal (blocks, 3); /* 600 * 60012 bytes, above 16 MiB in the 280th of each */
  assert_int_equal (events, 600);
  ghc_writer_free (w);
}
