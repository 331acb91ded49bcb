/* repair-mono.c -- each buffer up to its damage, byte for byte, with its right length. */
#include "config.h"

#include "decoder/edit/edit.h"
#include "decoder/mlpd/mlpd-losses.h"
#include "decoder/command/cli.h"
#include "decoder/command/message.h"
#include "decoder/edit/write-command.h"
#include "decoder/input/log-input.h"
#include "decoder/core/temporary-file.h"
#include "decoder/mlpd/mlpd-origin.h"
#include "decoder/mlpd/mlpd-span.h"
#include <proflog/mlpd-reader.h>
#include <proflog/mlpd-encode.h>
#include <string.h>
#include <unistd.h>

#define WRITE_SIZE (1 << 20)

/* A buffer that is larger waits in a temporary file for its length.  Writers have 64 KiB to some
 * MiB. */
#define HELD_SIZE (8 << 20)

struct mono_repair {
  struct log_command *command;
  struct mlpd_reader *reader;
  const char *name;
  GByteArray *raw;     /* bytes of the log that the reader was given and may make items of */
  uint64_t raw_offset; /* the offset of these bytes */
  GString *out;
  int spill;        /* a temporary file; -1: none is open */
  uint64_t spilled; /* bytes of the open buffer there: its header and the bytes before `out` */
  bool in_buffer, has_header, has_end_mark;
  gsize buffer_at; /* where its header is in `out` */
  struct mlpd_buffer_header header;
  uint64_t latest; /* time base */
  bool has_end_marks;
  bool has_hole, states_hole; /* bytes in the middle are left out */
  uint64_t events, buffers, lost, damages;
  bool written;  /* so far all that was to be */
  GError *error; /* of the temporary file; NULL: none */
};

static void
fail_to_spill (struct mono_repair *r, const char *problem, int number)
{
  if (r->error == NULL && number != 0)
    r->error = temporary_file_error (problem, number);
}

/* Writes the bytes that stay as they are: all in front of the buffer that is being read. */
static void
write_out (struct mono_repair *r)
{
  const gsize whole = r->in_buffer ? r->buffer_at : r->out->len;
  const GString text = { .str = r->out->str, .len = whole };
  r->written = r->written && output_write (&r->command->output, &text);
  g_string_erase (r->out, 0, (gssize) whole);
  r->buffer_at = 0;
}

/* The open buffer is large: moves it to a temporary file. */
static void
spill_buffer (struct mono_repair *r)
{
  write_out (r);
  if (r->spill < 0 && r->error == NULL)
    r->spill = temporary_file_open (&r->error);
  if (r->spill >= 0)
    fail_to_spill (r, "written",
                   temporary_file_write (r->spill, r->spilled, r->out->str, r->out->len));
  r->spilled += r->out->len;
  g_string_truncate (r->out, 0);
}

/* Writes the buffer of the temporary file, up to the bytes in `out`. */
static void
unspill_buffer (struct mono_repair *r, const uint8_t *header)
{
  g_autofree char *bytes = g_malloc (WRITE_SIZE);
  fail_to_spill (r, "written", temporary_file_write (r->spill, 0, header, MLPD_BUFFER_HEADER_SIZE));
  for (uint64_t at = 0; at < r->spilled && r->error == NULL; at += WRITE_SIZE) {
    const GString text = { .str = bytes, .len = (gsize) MIN (WRITE_SIZE, r->spilled - at) };
    fail_to_spill (r, "read", temporary_file_read (r->spill, at, bytes, text.len));
    r->written = r->written && output_write (&r->command->output, &text);
  }
  r->spilled = 0;
}

/* The header of the buffer that ends here gets its real length. */
static void
end_buffer (struct mono_repair *r)
{
  uint8_t raw[MLPD_BUFFER_HEADER_SIZE];
  if (!r->in_buffer)
    return;
  r->in_buffer = false;
  const uint64_t length = r->spilled + r->out->len - r->buffer_at - sizeof raw;
  if (length == 0 && r->header.length != 0) { /* nothing was left of it */
    g_string_truncate (r->out, r->buffer_at);
    return;
  }
  r->buffers += length != 0;
  r->has_end_mark = length == 0 && mlpd_is_end_mark (&r->header);
  r->header.length = (uint32_t) length;
  mlpd_put_buffer_header (raw, &r->header);
  if (r->spilled != 0)
    unspill_buffer (r, raw);
  else
    memcpy (r->out->str + r->buffer_at, raw, sizeof raw);
}

void
repair_report_damage (const char *log_name, uint64_t offset, uint64_t skipped, const char *reason)
{
  if (skipped == 0)
    cli_message ("proflog repair: %s: %s", log_name, reason);
  else
    cli_message ("proflog repair: %s: bytes %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
                 " (%" G_GUINT64_FORMAT ") are lost: %s",
                 log_name, offset, offset + skipped - 1, skipped, reason);
}

static void
report_damage (struct mono_repair *r, const struct mlpd_item *item)
{
  const struct mlpd_damage *damage = item->damage;
  r->damages++;
  r->has_hole |= mlpd_damage_is_left_out (damage);
  r->lost += damage->skipped;
  r->command->damaged = true;
  if (!r->command->quiet && r->has_header)
    repair_report_damage (r->name, item->offset, damage->skipped, damage->message);
}

/* States once, before the end mark, that bytes in the middle are left out. */
static void
put_hole (struct mono_repair *r)
{
  const struct mlpd_buffer_header loss = mlpd_loss_mark (r->latest, 0, 0, MLPD_LOSS_BY_DAMAGE);
  uint8_t raw[MLPD_BUFFER_HEADER_SIZE];
  if (!r->has_hole || r->states_hole)
    return;
  mlpd_put_buffer_header (raw, &loss);
  g_string_append_len (r->out, (const char *) raw, sizeof raw);
  r->states_hole = true;
  r->has_end_mark = false;
}

static void
handle_item (struct mono_repair *r, const struct mlpd_item *item)
{
  switch (item->type) {
  case MLPD_ITEM_FILE_HEADER:
    r->has_header = true;
    r->has_end_marks = mlpd_header_is_ours (item->header);
    break;
  case MLPD_ITEM_BUFFER:
    end_buffer (r);
    if (mlpd_is_end_mark (item->buffer))
      put_hole (r);
    r->in_buffer = true;
    r->buffer_at = r->out->len;
    r->header = *item->buffer;
    r->latest = MAX (r->latest, item->buffer->time_base);
    if (mlpd_is_check_mark (item->buffer)) { /* the buffer may become another one */
      r->in_buffer = false;
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
  if (item->type == MLPD_ITEM_DAMAGE)
    return;
  const uint64_t at = item->offset - r->raw_offset;
  g_string_append_len (r->out, (const char *) r->raw->data + at, (gssize) item->size);
  if (r->in_buffer && r->out->len - r->buffer_at > HELD_SIZE)
    spill_buffer (r);
}

/* An empty buffer ends a log of ours. */
static void
put_end (struct mono_repair *r)
{
  const struct mlpd_buffer_header end
      = { .id = MLPD_BUFFER_ID, .time_base = r->latest, .thread = r->header.thread };
  uint8_t raw[MLPD_BUFFER_HEADER_SIZE];
  end_buffer (r);
  put_hole (r);
  if (!r->has_end_marks || r->has_end_mark)
    return;
  mlpd_put_buffer_header (raw, &end);
  g_string_append_len (r->out, (const char *) raw, sizeof raw);
}

/* Handles all items that the bytes so far make.  Bytes that the reader has read are no longer
 * needed. */
static enum proflog_result
handle_items (struct mono_repair *r)
{
  const struct mlpd_item *item;
  enum proflog_result result;
  while ((result = mlpd_reader_next (r->reader, &item)) == PROFLOG_EVENT) {
    handle_item (r, item);
    /* Buffers follow each other: one is open nearly always. */
    if ((r->in_buffer ? r->buffer_at : r->out->len) >= WRITE_SIZE)
      write_out (r);
  }
  const uint64_t read = mlpd_reader_offset (r->reader);
  g_byte_array_remove_range (r->raw, 0, (guint) (read - r->raw_offset));
  r->raw_offset = read;
  return result;
}

/* Reads the log to its end and writes it. */
static bool
rewrite (struct mono_repair *r, struct log_input *input, GError **error)
{
  enum proflog_result result = PROFLOG_NEED_MORE;
  const uint8_t *bytes;
  size_t length;
  while (result == PROFLOG_NEED_MORE && r->written && r->error == NULL) {
    if (!log_input_read (input, &bytes, &length, error))
      return false;
    if (length != 0) {
      g_byte_array_append (r->raw, bytes, (guint) length);
      mlpd_reader_push (r->reader, bytes, length);
    } else {
      mlpd_reader_finish (r->reader);
    }
    result = handle_items (r);
  }
  if (result == PROFLOG_ERROR) {
    g_set_error (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT, "%s: %s", r->name,
                 mlpd_reader_error (r->reader)->message);
    return false;
  }
  put_end (r);
  write_out (r);
  if (r->error != NULL) {
    g_propagate_error (error, g_steal_pointer (&r->error));
    return false;
  }
  return r->written && r->has_header;
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
                           .spill = -1,
                           .written = true,
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
    if (!c->quiet)
      cli_message ("proflog repair: %s: %s", r.name, log_input_damage (input)->message);
  }
  if (good && !c->quiet)
    report_result (&r, input);
  if (!good)
    write_command_discard (c);
  g_clear_error (&error);
  if (r.spill >= 0)
    close (r.spill);
  g_byte_array_unref (r.raw);
  g_string_free (r.out, TRUE);
  mlpd_reader_free (r.reader);
  log_input_close (input);
  return good ? CLI_OK : CLI_INPUT;
}
