/* test-event-batch.c -- copies of the events of all kinds, after the reader has moved on. */
#include "config.h"

#include "decoder/mlpd/query/event-batch.h"
#include "tests/unit/fixtures.h"
#include "tests/unit/log-items.h"
#include "tests/unit/test.h"

#include <string.h>

/* The events that were added to a batch, and how far they have come back. */
struct added {
  GPtrArray *texts; /* of char *: thread, offset and fields of each event */
  guint next, most; /* events that are wanted */
  unsigned version;
};

static char *
text_of (const struct mlpd_item *item, uint64_t time, unsigned version)
{
  g_autofree char *event = log_items_event_text (item->kind, item->payload, version);
  return g_strdup_printf ("%" G_GUINT64_FORMAT " @%" G_GUINT64_FORMAT "+%" G_GUINT64_FORMAT
                          " %" G_GUINT64_FORMAT " %s",
                          item->buffer->thread, item->offset, item->size, time, event);
}

static bool
take (void *data, const struct mlpd_item *item, uint64_t time)
{
  struct added *a = data;
  g_autofree char *text = text_of (item, time, a->version);
  assert_string_equal (text, g_ptr_array_index (a->texts, a->next));
  return ++a->next < a->most;
}

/* Adds all events of the log, whose pieces are freed as the reader moves on. */
static void
add_log (struct event_batch *batch, struct added *a, const GByteArray *log, guint *kinds)
{
  enum { PIECE = 200 };
  struct mlpd_reader *reader = mlpd_reader_new ();
  const struct mlpd_item *item;
  for (guint at = 0; at < log->len; at += PIECE) {
    const guint length = MIN (PIECE, log->len - at);
    uint8_t *piece = g_memdup2 (log->data + at, length);
    mlpd_reader_push (reader, piece, length);
    while (mlpd_reader_next (reader, &item) == PROFLOG_EVENT) {
      if (item->type == MLPD_ITEM_FILE_HEADER)
        a->version = item->header->data_version;
      else if (item->type == MLPD_ITEM_BUFFER)
        event_batch_end_buffer (batch);
      else if (item->type == MLPD_ITEM_EVENT) {
        g_ptr_array_add (a->texts, text_of (item, item->offset, a->version));
        assert_true (event_batch_add (batch, item, item->offset, item->offset));
        kinds[item->kind]++;
      }
    }
    memset (piece, 0xff, length);
    g_free (piece);
  }
  mlpd_reader_free (reader);
}

TEST (all_kinds)
{
  GPtrArray *paths = fixture_paths ("logs", ".mlpd", 17);
  guint kinds[MLPD_KINDS] = { 0 };
  for (guint i = 0; i < paths->len; i++) {
    struct event_batch batch = { .bytes = NULL };
    const struct mlpd_file_header header = { .id = MLPD_FILE_ID };
    struct added a = { .texts = g_ptr_array_new_with_free_func (g_free), .most = G_MAXUINT };
    GByteArray *log = fixture_log (paths->pdata[i]);
    if (log->len < 10000) { /* each has all kinds of its version */
      add_log (&batch, &a, log, kinds);
      assert_true (event_batch_each (&batch, &header, take, &a));
      assert_int_equal (a.next, a.texts->len);
      /* As many as are wanted. */
      a.next = 0;
      a.most = MIN (3, a.texts->len);
      assert_false (event_batch_each (&batch, &header, take, &a));
      assert_int_equal (a.next, a.most);
      event_batch_empty (&batch);
      assert_true (event_batch_each (&batch, &header, take, NULL));
    }
    event_batch_free (&batch);
    g_byte_array_unref (log);
    g_ptr_array_unref (a.texts);
  }
  for (guint kind = 0; kind < MLPD_KINDS; kind++)
    if (kinds[kind] == 0)
      fail_msg ("no event of kind %u", kind);
  g_ptr_array_unref (paths);
}

/* A batch that is full takes no more, but one that is empty any event. */
TEST (full_batch)
{
  enum { LENGTH = 1 << 20 };
  struct event_batch batch = { .bytes = NULL };
  const struct mlpd_file_header header = { .data_version = 17 };
  const struct mlpd_buffer_header buffer = { .thread = 7 };
  g_autofree char *name = g_malloc0 (LENGTH + 1);
  memset (name, 'n', LENGTH);
  const union mlpd_payload large = { .method_jit = { .name = { name, LENGTH } } };
  const union mlpd_payload small = { .method_enter = { 1, 64 } };
  const struct mlpd_item items[] = {
    { .type = MLPD_ITEM_EVENT,
      .header = &header,
      .buffer = &buffer,
      .kind = MLPD_METHOD_ENTER,
      .payload = &small },
    { .type = MLPD_ITEM_EVENT,
      .header = &header,
      .buffer = &buffer,
      .kind = MLPD_METHOD_JIT,
      .payload = &large },
  };
  assert_true (event_batch_add (&batch, &items[0], 0, 0));
  assert_false (event_batch_add (&batch, &items[1], 1, 0));
  event_batch_empty (&batch);
  assert_true (event_batch_add (&batch, &items[1], 1, 0));
  event_batch_empty (&batch);
  while (event_batch_add (&batch, &items[0], 0, 0))
    ;
  assert_true (batch.used > LENGTH && batch.used <= batch.room);
  event_batch_free (&batch);
}
