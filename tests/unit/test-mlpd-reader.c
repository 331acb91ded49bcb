/* test-mlpd-reader.c -- how the reader is driven; tests/cases/ has the events of the bytes. */
#include "config.h"

#include "tests/unit/log-items.h"
#include "tests/unit/test.h"

#include <string.h>
#include <proflog/mlpd-encode.h>
#include <proflog/mlpd-item.h>

/* A log of two buffers with three events each; the last one of each has a name. */
static GByteArray *
small_log (uint16_t system)
{
  GByteArray *log = g_byte_array_new ();
  guint8 bytes[128];
  const struct mlpd_file_header file
      = { .id = MLPD_FILE_ID, .data_version = 1, .pointer_size = 8, .system = system };
  g_byte_array_append (log, bytes, (guint) (mlpd_put_file_header (bytes, &file) - bytes));
  for (unsigned i = 0; i < 2; i++) {
    struct mlpd_encoder e;
    mlpd_encoder_start (&e, 1, 100);
    const struct mlpd_method_enter enter = { .time = 101, .method = 0x5000 };
    const struct mlpd_method_leave leave = { .time = 102, .method = 0x5000 };
    const struct mlpd_metadata_image image
        = { .action = MLPD_LOAD_END_LOAD, .time = 103, .image = 0x9000, .name = { "a.dll", 5 } };
    guint8 *p = mlpd_put_method_enter (&e, bytes, &enter);
    p = mlpd_put_method_leave (&e, p, &leave);
    p = mlpd_put_metadata_image (&e, p, &image);
    const struct mlpd_buffer_header h = mlpd_encoder_header (&e, 1 + i, (uint32_t) (p - bytes));
    guint8 header[MLPD_BUFFER_HEADER_SIZE];
    mlpd_put_buffer_header (header, &h);
    g_byte_array_append (log, header, sizeof header);
    g_byte_array_append (log, bytes, (guint) (p - bytes));
  }
  return log;
}

/* 2 events of 3 bytes; event byte, time, mtype, image, flags, name */
enum { EVENTS_SIZE = 3 + 3 + 5 + 6, BUFFER_SIZE = MLPD_BUFFER_HEADER_SIZE + EVENTS_SIZE };

static const struct mlpd_item *
expect_item (struct mlpd_reader *reader, enum mlpd_item_type type, guint64 offset, guint64 size)
{
  const struct mlpd_item *item = NULL;
  assert_int_equal (mlpd_reader_next (reader, &item), PROFLOG_EVENT);
  assert_int_equal (item->type, type);
  assert_int_equal (item->offset, offset);
  assert_int_equal (item->size, size);
  return item;
}

static void
expect_result (struct mlpd_reader *reader, enum proflog_result result)
{
  const struct mlpd_item *const nothing = (const struct mlpd_item *) &nothing;
  const struct mlpd_item *item = nothing;
  assert_int_equal (mlpd_reader_next (reader, &item), result);
  assert_ptr_equal (item, nothing);
}

TEST (test_items)
{
  GByteArray *log = small_log (0);
  assert_int_equal (log->len, 32 + 2 * BUFFER_SIZE);
  struct mlpd_reader *reader = mlpd_reader_new ();
  expect_result (reader, PROFLOG_NEED_MORE);
  mlpd_reader_push (reader, log->data, log->len);
  const struct mlpd_item *item = expect_item (reader, MLPD_ITEM_FILE_HEADER, 0, 32);
  assert_non_null (item->header);
  assert_null (item->buffer);
  guint64 at = 32;
  for (unsigned i = 0; i < 2; i++) {
    item = expect_item (reader, MLPD_ITEM_BUFFER, at, 48);
    assert_int_equal (item->buffer->thread, 1 + i);
    item = expect_item (reader, MLPD_ITEM_EVENT, at + 48, 3);
    assert_int_equal (item->kind, MLPD_METHOD_ENTER);
    assert_int_equal (item->payload->method_enter.time, 101);
    expect_item (reader, MLPD_ITEM_EVENT, at + 51, 3);
    item = expect_item (reader, MLPD_ITEM_EVENT, at + 54, 11);
    assert_int_equal (item->buffer->thread, 1 + i);
    assert_non_null (item->header);
    assert_null (item->damage);
    /* Nothing was carried over, so nothing was copied. */
    assert_ptr_equal (item->payload->metadata_image.name.text, log->data + at + 59);
    at += BUFFER_SIZE;
  }
  expect_result (reader, PROFLOG_NEED_MORE);
  expect_result (reader, PROFLOG_NEED_MORE);
  mlpd_reader_finish (reader);
  expect_result (reader, PROFLOG_END);
  expect_result (reader, PROFLOG_END);
  assert_null (mlpd_reader_error (reader));
  mlpd_reader_free (reader);
  g_byte_array_unref (log);
}

/* Fields by their names. */
TEST (test_fields)
{
  GByteArray *log = small_log (0);
  struct mlpd_reader *reader = mlpd_reader_new ();
  uint64_t number = 7;
  mlpd_reader_push (reader, log->data, 32 + BUFFER_SIZE);
  const struct mlpd_item *item = expect_item (reader, MLPD_ITEM_FILE_HEADER, 0, 32);
  assert_null (mlpd_item_kind (item));
  assert_false (mlpd_item_number (item, "time", &number));
  expect_item (reader, MLPD_ITEM_BUFFER, 32, 48);
  item = expect_item (reader, MLPD_ITEM_EVENT, 80, 3);
  assert_string_equal (mlpd_item_kind (item), "method-enter");
  assert_true (mlpd_item_number (item, "time", &number));
  assert_int_equal (number, 101);
  assert_true (mlpd_item_number (item, "method", &number));
  assert_int_equal (number, 0x5000);
  assert_false (mlpd_item_number (item, "image", &number));
  assert_int_equal (number, 0x5000);
  assert_null (mlpd_item_text (item, "name"));
  expect_item (reader, MLPD_ITEM_EVENT, 83, 3);
  item = expect_item (reader, MLPD_ITEM_EVENT, 86, 11);
  assert_string_equal (mlpd_item_kind (item), "metadata-image");
  assert_string_equal (mlpd_item_text (item, "name"), "a.dll");
  assert_null (mlpd_item_damage (item));
  expect_result (reader, PROFLOG_NEED_MORE); /* the second buffer, which is cut */
  mlpd_reader_push (reader, log->data + 32 + BUFFER_SIZE, 40);
  mlpd_reader_finish (reader);
  item = expect_item (reader, MLPD_ITEM_DAMAGE, 32 + BUFFER_SIZE, 40);
  assert_null (mlpd_item_kind (item));
  assert_non_null (mlpd_item_damage (item));
  mlpd_reader_free (reader);
  g_byte_array_unref (log);
}

TEST (test_skip_buffer)
{
  GByteArray *log = small_log (0);
  for (guint first = 1; first < log->len; first++) {
    struct mlpd_reader *reader = mlpd_reader_new ();
    const struct mlpd_item *item;
    unsigned buffers = 0, events = 0;
    for (unsigned push = 0; push < 2; push++) {
      mlpd_reader_push (reader, push == 0 ? log->data : log->data + first,
                        push == 0 ? first : log->len - first);
      while (mlpd_reader_next (reader, &item) == PROFLOG_EVENT) {
        assert_int_not_equal (item->type, MLPD_ITEM_DAMAGE);
        events += item->type == MLPD_ITEM_EVENT;
        if (item->type == MLPD_ITEM_BUFFER && buffers++ == 0)
          mlpd_reader_skip_buffer (reader);
      }
    }
    mlpd_reader_finish (reader);
    expect_result (reader, PROFLOG_END);
    assert_int_equal (buffers, 2);
    assert_int_equal (events, 3);
    mlpd_reader_free (reader);
  }
  g_byte_array_unref (log);
}

TEST (test_skip_cut_buffer)
{
  GByteArray *log = small_log (0);
  struct mlpd_reader *reader = mlpd_reader_new ();
  mlpd_reader_push (reader, log->data, 32 + 48 + 5);
  mlpd_reader_finish (reader);
  expect_item (reader, MLPD_ITEM_FILE_HEADER, 0, 32);
  mlpd_reader_skip_buffer (reader); /* in none */
  expect_item (reader, MLPD_ITEM_BUFFER, 32, 48);
  mlpd_reader_skip_buffer (reader);
  const struct mlpd_item *item = expect_item (reader, MLPD_ITEM_DAMAGE, 85, 0);
  assert_int_equal (item->damage->reason, MLPD_DAMAGE_TRUNCATED);
  assert_int_equal (item->damage->missing, EVENTS_SIZE - 5);
  expect_result (reader, PROFLOG_END);
  mlpd_reader_free (reader);
  g_byte_array_unref (log);
}

/* The input may end before all that was pushed has been pulled. */
TEST (test_finish_early)
{
  GByteArray *log = small_log (0);
  for (guint first = 1; first < log->len; first++) {
    struct mlpd_reader *reader = mlpd_reader_new ();
    const struct mlpd_item *item;
    unsigned items = 0;
    mlpd_reader_push (reader, log->data, first);
    while (mlpd_reader_next (reader, &item) == PROFLOG_EVENT)
      items++;
    mlpd_reader_push (reader, NULL, 0);
    expect_result (reader, PROFLOG_NEED_MORE);
    mlpd_reader_push (reader, log->data + first, log->len - first);
    mlpd_reader_finish (reader);
    enum proflog_result result;
    while ((result = mlpd_reader_next (reader, &item)) == PROFLOG_EVENT) {
      assert_int_not_equal (item->type, MLPD_ITEM_DAMAGE);
      items++;
    }
    assert_int_equal (result, PROFLOG_END);
    assert_int_equal (items, 9);
    mlpd_reader_free (reader);
  }
  g_byte_array_unref (log);
}

static void
check_error (const guint8 *bytes, gsize length, int code, const char *words)
{
  struct log_items *items = log_items_read (bytes, length, 0, 0);
  assert_int_equal (items->result, PROFLOG_ERROR);
  assert_true (g_error_matches (items->error, PROFLOG_READ_ERROR, code));
  if (strstr (items->error->message, words) == NULL)
    fail_msg ("'%s' does not say '%s'", items->error->message, words);
  log_items_free (items);
}

TEST (test_errors)
{
  g_autofree char *versions
      = g_strdup_printf ("data version 0; there are 1 to %d", MLPD_VERSION_LAST);
  static const guint8 no_version[] = { 0x01, 0x5a, 0x50, 0x4d, 0, 4, 0, 8 };
  static const guint8 other_pointers[] = { 0x01, 0x5a, 0x50, 0x4d, 0, 4, 1, 16 };
  check_error (no_version, sizeof no_version, PROFLOG_READ_ERROR_VERSION, versions);
  check_error (other_pointers, sizeof other_pointers, PROFLOG_READ_ERROR_NOT_A_LOG,
               "pointers of 16 bytes");
  check_error ((const guint8 *) "eventlog", 8, PROFLOG_READ_ERROR_NOT_A_LOG, "65 76 65 6e");
  check_error (no_version, 3, PROFLOG_READ_ERROR_NOT_A_LOG, "it has 3 bytes");
  check_error (no_version, 0, PROFLOG_READ_ERROR_NOT_A_LOG, "it has 0 bytes");
}

static void
check_message (const struct log_items *items, guint nth, const char *words)
{
  assert_true (nth < items->items->len);
  if (strstr (log_items_nth (items, nth).line, words) == NULL)
    fail_msg ("'%s' does not say '%s'", log_items_nth (items, nth).line, words);
}

TEST (test_messages)
{
  GByteArray *log = small_log (1);
  struct log_items *items = log_items_read (log->data, log->len, 0, 0);
  check_message (items, 9, "no end mark at offset 162");
  log_items_free (items);
  items = log_items_read (log->data, 32 + 48 + 4, 0, 0);
  check_message (items, 3, "ends at offset 84 inside an event: 13 bytes are missing");
  log_items_free (items);
  items = log_items_read (log->data, 32 + 10, 0, 0);
  check_message (items, 1, "ends at offset 42 inside the header of a buffer: 38 bytes are missing");
  log_items_free (items);
  log->data[32 + 48] = 0x1f;
  items = log_items_read (log->data, log->len, 0, 0);
  check_message (items, 2, "offset 80 (byte 0x1f); its buffer ends at 97");
  check_message (items, 2, "data version 1 has no event");
  log_items_free (items);
  log->data[32] = 0xee;
  items = log_items_read (log->data, log->len, 0, 0);
  check_message (items, 1, "no buffer begins at offset 32 (bytes ee 4c 50 4d)");
  log_items_free (items);
  g_byte_array_unref (log);
}

/* No event holds up the reader for ever, and memory stays bounded, whatever a length states. */
TEST (test_endless_event)
{
  enum { LENGTH = 20 << 20 };
  GByteArray *log = g_byte_array_new ();
  guint8 header[MLPD_BUFFER_HEADER_SIZE];
  const struct mlpd_file_header file = { .id = MLPD_FILE_ID, .data_version = 1, .pointer_size = 8 };
  const struct mlpd_buffer_header buffer = { .id = MLPD_BUFFER_ID, .length = LENGTH };
  g_byte_array_set_size (log, 32);
  mlpd_put_file_header (log->data, &file);
  mlpd_put_buffer_header (header, &buffer);
  g_byte_array_append (log, header, sizeof header);
  g_byte_array_set_size (log, 32 + 48 + LENGTH);
  memset (log->data + 80, 'x', LENGTH);
  static const guint8 image[] = { 0x22, 0x00, 0x02, 0x00, 0x00 };
  memcpy (log->data + 80, image, sizeof image);
  log->data[log->len - 1] = 0; /* it would end in its buffer */
  struct log_items *whole = log_items_read (log->data, log->len, 0, 0);
  struct log_items *pieces = log_items_read (log->data, log->len, 0, 1 << 20);
  assert_int_equal (whole->items->len, 3);
  check_message (whole, 2, "@80+20971520 damage corrupt");
  check_message (whole, 2, "longer than 16777216 bytes");
  log_items_check (whole, log->len);
  log_items_check_equal (whole, pieces);
  log_items_free (whole);
  log_items_free (pieces);
  g_byte_array_unref (log);
}
