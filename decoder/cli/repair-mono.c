/* repair-mono.c -- each buffer up to its damage, byte for byte, with its right length. */
#include "config.h"

#include "decoder/cli/repair-mono.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/message.h"
#include "decoder/cli/write-command.h"
#include "decoder/input/log-input.h"
#include "decoder/mlpd/mlpd-origin.h"
#include <proflog/mlpd-reader.h>
#include <proflog/mlpd-encode.h>
#include <string.h>

#define WRITE_SIZE (1 << 20)

struct mono_repair {
  struct log_command *command;
  struct mlpd_reader *reader;
  const char *name;
  GByteArray *raw; /* bytes of the log that the reader was given ... */
  guint raw_at;    /* ... of which items have passed this many */
  GString *out;
  bool in_buffer, has_header, has_end_mark;
  gsize buffer_at; /* where its header is in `out` */
  struct mlpd_buffer_header header;
  uint64_t latest; /* time base */
  bool has_end_marks;
  uint64_t events, buffers, lost, damages;
};

/* The header of the buffer that ends here gets its real length. */
static void
end_buffer (struct mono_repair *r)
{
  uint8_t raw[MLPD_BUFFER_HEADER_SIZE];
  if (!r->in_buffer)
    return;
  r->in_buffer = false;
  const gsize length = r->out->len - r->buffer_at - sizeof raw;
  if (length == 0 && r->header.length != 0) { /* nothing was left of it */
    g_string_truncate (r->out, r->buffer_at);
    return;
  }
  r->buffers += length != 0;
  r->has_end_mark = length == 0 && mlpd_is_end_mark (&r->header);
  if (length != r->header.length) {
    r->header.length = (uint32_t) length;
    mlpd_put_buffer_header (raw, &r->header);
    memcpy (r->out->str + r->buffer_at, raw, sizeof raw);
  }
}

static void
report_damage (struct mono_repair *r, const struct mlpd_item *item)
{
  const struct mlpd_damage *damage = item->damage;
  r->damages++;
  r->lost += damage->skipped;
  r->command->damaged = true;
  if (r->command->quiet || !r->has_header)
    return;
  if (damage->skipped == 0)
    cli_message ("proflog repair: %s: %s", r->name, damage->message);
  else
    cli_message ("proflog repair: %s: bytes %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
                 " (%" G_GUINT64_FORMAT ") are lost: %s",
                 r->name, item->offset, item->offset + damage->skipped - 1, damage->skipped,
                 damage->message);
}

static void
handle_item (struct mono_repair *r, const struct mlpd_item *item)
{
  const uint64_t size = item->type == MLPD_ITEM_DAMAGE ? item->damage->skipped : item->size;
  const gsize bytes = (gsize) MIN (size, r->raw->len - r->raw_at);
  switch (item->type) {
  case MLPD_ITEM_FILE_HEADER:
    r->has_header = true;
    r->has_end_marks = mlpd_header_is_ours (item->header);
    break;
  case MLPD_ITEM_BUFFER:
    end_buffer (r);
    r->in_buffer = true;
    r->buffer_at = r->out->len;
    r->header = *item->buffer;
    r->latest = MAX (r->latest, item->buffer->time_base);
    if (mlpd_is_check_mark (item->buffer)) { /* the buffer may become another one */
      r->in_buffer = false;
      r->raw_at += (guint) bytes;
      return;
    }
    break;
  case MLPD_ITEM_EVENT:
    r->events++;
    break;
  case MLPD_ITEM_DAMAGE:
    report_damage (r, item);
    end_buffer (r);
    break;
  }
  if (item->type != MLPD_ITEM_DAMAGE)
    g_string_append_len (r->out, (const char *) r->raw->data + r->raw_at, (gssize) bytes);
  r->raw_at += (guint) bytes;
}

/* Writes what is known to stay as it is: all in front of the buffer that is being read. */
static bool
write_out (struct mono_repair *r)
{
  const gsize whole = r->in_buffer ? r->buffer_at : r->out->len;
  const GString text = { .str = r->out->str, .len = whole };
  if (!output_write (&r->command->output, &text))
    return false;
  g_string_erase (r->out, 0, (gssize) whole);
  r->buffer_at = 0;
  return true;
}

/* An empty buffer ends a log of ours. */
static void
put_end (struct mono_repair *r)
{
  const struct mlpd_buffer_header end
      = { .id = MLPD_BUFFER_ID, .time_base = r->latest, .thread = r->header.thread };
  uint8_t raw[MLPD_BUFFER_HEADER_SIZE];
  end_buffer (r);
  if (!r->has_end_marks || r->has_end_mark)
    return;
  mlpd_put_buffer_header (raw, &end);
  g_string_append_len (r->out, (const char *) raw, sizeof raw);
}

/* Takes all items that the bytes so far make. */
static enum proflog_result
handle_items (struct mono_repair *r, bool *written)
{
  const struct mlpd_item *item;
  enum proflog_result result;
  while ((result = mlpd_reader_next (r->reader, &item)) == PROFLOG_EVENT) {
    handle_item (r, item);
    /* Buffers follow each other: one is open nearly always. */
    if ((r->in_buffer ? r->buffer_at : r->out->len) >= WRITE_SIZE)
      *written = *written && write_out (r);
  }
  return result;
}

/* Reads the log to its end and writes it. */
static bool
rewrite (struct mono_repair *r, struct log_input *input, GError **error)
{
  enum proflog_result result = PROFLOG_NEED_MORE;
  const uint8_t *bytes;
  size_t length;
  bool written = true;
  while (result == PROFLOG_NEED_MORE && written) {
    if (!log_input_read (input, &bytes, &length, error))
      return false;
    g_byte_array_remove_range (r->raw, 0, r->raw_at);
    r->raw_at = 0;
    if (length != 0) {
      g_byte_array_append (r->raw, bytes, (guint) length);
      mlpd_reader_push (r->reader, bytes, length);
    } else {
      mlpd_reader_finish (r->reader);
    }
    result = handle_items (r, &written);
  }
  if (result == PROFLOG_ERROR) {
    g_set_error (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT, "%s: %s", r->name,
                 mlpd_reader_error (r->reader)->message);
    return false;
  }
  put_end (r);
  return written && r->has_header && write_out (r);
}

static void
report_result (const struct mono_repair *r, const struct log_input *input)
{
  const struct log_input_recovery *spool = log_input_recovery (input);
  char *kept = g_strdup_printf ("%" G_GUINT64_FORMAT " %s in %" G_GUINT64_FORMAT " %s", r->events,
                                r->events == 1 ? "event" : "events", r->buffers,
                                r->buffers == 1 ? "buffer" : "buffers");
  if (r->damages == 0 && spool == NULL)
    cli_message ("proflog repair: %s: nothing to repair: %s", r->name, kept);
  else if (r->lost != 0)
    cli_message ("proflog repair: %s: kept %s; lost %" G_GUINT64_FORMAT " bytes", r->name, kept,
                 r->lost);
  else
    cli_message ("proflog repair: %s: kept %s", r->name, kept);
  g_free (kept);
}

int
repair_mono (struct log_command *c)
{
  struct log_input *input = g_steal_pointer (&c->input);
  GError *error = NULL;
  struct mono_repair r = { .command = c,
                           .reader = mlpd_reader_new (),
                           .name = log_input_name (input),
                           .raw = g_byte_array_new (),
                           .out = g_string_new (NULL) };
  progress_clear (&c->progress);
  const bool good = rewrite (&r, input, &error);
  if (error != NULL)
    cli_message ("proflog: %s", error->message);
  else if (!r.has_header)
    cli_message ("proflog: %s: not a profiler log: its header is incomplete", r.name);
  if (good && log_input_damage (input) != NULL) {
    c->damaged = true;
    r.damages++;
    cli_message ("proflog repair: %s: %s", r.name, log_input_damage (input)->message);
  }
  if (good && !c->quiet)
    report_result (&r, input);
  if (!good)
    write_command_discard (c);
  g_clear_error (&error);
  g_byte_array_unref (r.raw);
  g_string_free (r.out, TRUE);
  mlpd_reader_free (r.reader);
  log_input_close (input);
  return good ? CLI_OK : CLI_INPUT;
}
