/* dump.c -- one line an item.
 *
 * Text:  OFFSET TIME THREAD KIND FIELD=VALUE...   time in seconds from the first buffer
 * JSON:  {"item","offset","size","thread","time_ns","kind","fields"}; time_ns as in the log
 *        (fields.time is the same), addresses as "0x..." strings, names beside them
 * CSV:   offset,size,thread,time_ns,kind,fields   fields is an object as in JSON
 * Of several logs each line of JSON and CSV begins with the log's name, in text a line before.
 * Names are those that were announced before the line: nothing waits, memory grows with the number
 * of names only.
 */
#include "config.h"

#include "decoder/views/mlpd/dump.h"
#include "decoder/views/mlpd/dump-private.h"
#include "decoder/mlpd/mlpd-describe.h"
#include <string.h>

#define COLUMNS "offset,size,thread,time_ns,kind,fields\n"

void
dump_init (struct dump *d, enum emitter_format format, const struct selection *selection)
{
  *d = (struct dump){ .lines = { .format = format, .head = true },
                      .json = format != EMITTER_TEXT,
                      .selection = selection,
                      .fields = g_string_new (NULL) };
  symbols_init (&d->names.symbols);
  threads_init (&d->threads);
  calls_init (&d->calls, &(const struct scan_options){ .traces = false });
}

void
dump_clear (struct dump *d)
{
  g_string_free (d->fields, TRUE);
  symbols_clear (&d->names.symbols);
  threads_clear (&d->threads);
  calls_clear (&d->calls);
}

void
dump_append_time (const struct dump *d, GString *out)
{
  int64_t ns = (int64_t) (d->time - d->first_time);
  uint64_t magnitude = ns < 0 ? -(uint64_t) ns : (uint64_t) ns;
  if (ns < 0)
    g_string_append_c (out, '-');
  emitter_append_fixed (out, magnitude, 9);
}

/* The beginning of every line: offset, time, thread. */
static void
begin_line (const struct dump *d, const struct mlpd_item *item, const char *type, GString *out)
{
  dump_lines_begin (&d->lines, d->clock, out);
  if (d->json) {
    emitter_append_text (out, "\"item\":\"");
    emitter_append_text (out, type);
    emitter_append_text (out, "\",\"offset\":");
    emitter_append_decimal (out, item->offset);
    emitter_append_text (out, ",\"size\":");
    emitter_append_decimal (out, item->size);
    if (item->buffer != NULL) {
      emitter_append_text (out, ",\"thread\":\"");
      emitter_append_address (out, item->buffer->thread);
      emitter_append_text (out, "\",\"time_ns\":");
      emitter_append_decimal (out, d->time);
    }
    return;
  }
  dump_lines_offset (item->offset, out);
  if (item->buffer == NULL)
    return;
  dump_append_time (d, out);
  g_string_append_c (out, ' ');
  emitter_append_address (out, item->buffer->thread);
  g_string_append_c (out, ' ');
}

const char *
dump_damage_reason (const struct mlpd_damage *damage)
{
  static const char *const reasons[] = { [MLPD_DAMAGE_TRUNCATED] = "truncated",
                                         [MLPD_DAMAGE_CORRUPT] = "corrupt",
                                         [MLPD_DAMAGE_UNKNOWN] = "unknown",
                                         [MLPD_DAMAGE_OTHER_LOG] = "other-log",
                                         [MLPD_DAMAGE_LOST] = "lost" };
  return reasons[damage->reason];
}

static void
put_damage (const struct dump *d, const struct mlpd_item *item, GString *out)
{
  const struct mlpd_damage *damage = item->damage;
  const char *reason = dump_damage_reason (damage);
  if (d->json) {
    g_string_append_printf (out,
                            "\"reason\":\"%s\",\"skipped\":%" G_GUINT64_FORMAT
                            ",\"missing\":%" G_GUINT64_FORMAT ",\"message\":",
                            reason, damage->skipped, damage->missing);
    emitter_append_json_string (out, damage->message, strlen (damage->message));
    return;
  }
  g_string_append_printf (
      out, " reason=%s skipped=%" G_GUINT64_FORMAT " missing=%" G_GUINT64_FORMAT " %s", reason,
      damage->skipped, damage->missing, damage->message);
}

const char *
dump_item_kind (const struct mlpd_item *item)
{
  static const char *const types[] = { [MLPD_ITEM_FILE_HEADER] = "file-header",
                                       [MLPD_ITEM_BUFFER] = "buffer",
                                       [MLPD_ITEM_DAMAGE] = "damage" };
  return item->type == MLPD_ITEM_EVENT ? mlpd_describe (item->kind)->name : types[item->type];
}

static void
put_fields (const struct dump *d, const struct mlpd_item *item, GString *out)
{
  if (item->type == MLPD_ITEM_EVENT)
    dump_put_event (d, item, out);
  else if (item->type == MLPD_ITEM_DAMAGE)
    put_damage (d, item, out);
  else
    dump_put_header (d, item, out);
}

static void
put_json (const struct dump *d, const struct mlpd_item *item, GString *out)
{
  begin_line (d, item, item->type == MLPD_ITEM_EVENT ? "event" : dump_item_kind (item), out);
  g_string_append_c (out, ',');
  if (item->type == MLPD_ITEM_EVENT) {
    emitter_append_text (out, "\"kind\":\"");
    emitter_append_text (out, dump_item_kind (item));
    emitter_append_text (out, "\",");
  }
  bool object = item->type != MLPD_ITEM_DAMAGE;
  emitter_append_text (out, object ? "\"fields\":{" : "");
  put_fields (d, item, out);
  emitter_append_text (out, object ? "}}\n" : "}\n");
}

void
dump_put_line (const struct dump *d, const struct mlpd_item *item, GString *out)
{
  begin_line (d, item, NULL, out);
  emitter_append_text (out, dump_item_kind (item));
  put_fields (d, item, out);
}

static void
put_csv (struct dump *d, const struct mlpd_item *item, GString *out)
{
  dump_lines_begin (&d->lines, d->clock, out);
  emitter_append_decimal (out, item->offset);
  g_string_append_c (out, ',');
  emitter_append_decimal (out, item->size);
  g_string_append_c (out, ',');
  if (item->buffer != NULL)
    emitter_append_address (out, item->buffer->thread);
  emitter_append_text (out, d->lines.by_clock ? ",," : ",");
  if (item->buffer != NULL)
    emitter_append_decimal (out, d->time);
  g_string_append_c (out, ',');
  emitter_append_text (out, dump_item_kind (item));
  g_string_append_c (out, ',');
  g_string_assign (d->fields, "{");
  put_fields (d, item, d->fields);
  g_string_append_c (d->fields, '}');
  emitter_append_csv_json (out, d->fields);
  g_string_append_c (out, '\n');
}

static void
put_line (struct dump *d, const struct mlpd_item *item, GString *out)
{
  if (d->lines.format == EMITTER_CSV)
    put_csv (d, item, out);
  else if (d->json)
    put_json (d, item, out);
  else {
    dump_put_line (d, item, out);
    g_string_append_c (out, '\n');
  }
}

/* Counts an event; is the item selected? */
static bool
count_selected (struct dump *d, const struct mlpd_item *item)
{
  const bool taken = dump_accepts (d, item);
  d->events += item->type == MLPD_ITEM_EVENT;
  d->taken += item->type == MLPD_ITEM_EVENT && taken;
  return taken;
}

bool
dump_selects (struct dump *d, const struct mlpd_item *item)
{
  if (item->type == MLPD_ITEM_BUFFER) {
    if (!d->has_time)
      d->first_time = item->buffer->time_base;
    d->has_time = true;
    d->time = item->buffer->time_base;
  } else if (item->type == MLPD_ITEM_EVENT) {
    mlpd_event_time (item->kind, item->payload, &d->time);
  }
  return count_selected (d, item);
}

/* A line of the item, if it is selected; the name that it states is retained in any case. */
static void
put_item (struct dump *d, const struct mlpd_item *item, bool is_selected, GString *out)
{
  if (is_selected)
    put_line (d, item, out);
  dump_store_name (&d->names, item);
}

void
dump_item (struct dump *d, const struct mlpd_item *item, GString *out)
{
  const bool is_selected = dump_selects (d, item);
  dump_lines_head (&d->lines, COLUMNS, out); /* whether a line comes or not */
  put_item (d, item, is_selected, out);
}

void
dump_event (struct dump *d, const struct mlpd_item *item, uint64_t time, uint64_t clock,
            GString *out)
{
  d->time = time;
  d->clock = clock;
  put_item (d, item, count_selected (d, item), out);
}

void
dump_damage (struct dump *d, bool truncated, const char *message, GString *out)
{
  dump_lines_head (&d->lines, COLUMNS, out);
  dump_lines_damage (&d->lines, truncated, message, out);
}
