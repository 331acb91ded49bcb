/* taken.c -- a destination in memory, and counts of the events in a log. */
#include "config.h"

#include "tests/eventlog/taken.h"
#include "tests/unit/test.h"

#include <string.h>

bool
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

struct eventlog_writer *
new_writer (struct taken *t)
{
  struct eventlog_writer *w = eventlog_writer_new ("test");
  *t = (struct taken){ .bytes = g_byte_array_new () };
  assert_non_null (w);
  assert_int_equal (eventlog_writer_set_callback (w, take, t), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_set_clock (w, tick, t), EVENTLOG_OK);
  return w;
}

void
begin (struct eventlog_writer *w)
{
  assert_int_equal (eventlog_writer_send_header (w), EVENTLOG_OK);
  assert_int_equal (eventlog_writer_start (w), EVENTLOG_OK);
}

void
end (struct eventlog_writer *w, struct taken *t)
{
  eventlog_writer_free (w);
  g_byte_array_unref (t->bytes);
}

char *
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

void
check_contents (const struct taken *t, const char *expected)
{
  char *text = contents (t->bytes);
  assert_string_equal (text, expected);
  g_free (text);
}

enum eventlog_result
post_message (struct eventlog_writer *w, unsigned cap, const char *text)
{
  return EVENTLOG_POST (w, cap, user_msg, .message = { text, strlen (text) });
}
