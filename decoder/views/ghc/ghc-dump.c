/* ghc-dump.c -- one line an item.
 *
 * Text:  OFFSET TIME CAP KIND FIELD=VALUE...   time in seconds since the program began, CAP - for
 *        none
 * JSON:  {"item","offset","size","cap","time_ns","kind","tag","fields"}; addresses as "0x..."
 *        strings, names beside numbers
 * CSV:   offset,size,cap,time_ns,kind,fields   fields is an object as in JSON
 * Of several logs each line of JSON and CSV begins with the log's name, in text a line before.
 */
#include "config.h"

#include "decoder/views/ghc/ghc-dump.h"
#include "decoder/views/ghc/ghc-fields.h"

#define COLUMNS "offset,size,cap,time_ns,kind,fields\n"

static void
put_text (const struct ghc_item *item, GString *out)
{
  dump_lines_offset (item->offset, out);
  ghc_fields_append_line (out, item);
  g_string_append_c (out, '\n');
}

static void
put_json (const struct ghc_item *item, GString *out)
{
  const bool is_event = item->type == GHC_ITEM_EVENT;
  g_string_append (out, "\"item\":\"");
  g_string_append (out, is_event ? "event" : ghc_fields_name (item));
  g_string_append (out, "\",\"offset\":");
  emitter_append_decimal (out, item->offset);
  g_string_append (out, ",\"size\":");
  emitter_append_decimal (out, item->size);
  if (is_event) {
    g_string_append (out, ",\"cap\":");
    if (item->cap == GHC_NO_CAP)
      g_string_append (out, "null");
    else
      emitter_append_decimal (out, item->cap);
    g_string_append (out, ",\"time_ns\":");
    emitter_append_decimal (out, item->time);
    g_string_append_printf (out, ",\"kind\":\"%s\",\"tag\":%u", ghc_fields_name (item),
                            item->event_type->tag);
  }
  g_string_append (out, item->type == GHC_ITEM_DAMAGE ? "," : ",\"fields\":{");
  ghc_fields_append (out, item, true);
  g_string_append (out, item->type == GHC_ITEM_DAMAGE ? "}\n" : "}}\n");
}

static void
put_csv (const struct dump_lines *l, const struct ghc_item *item, GString *out)
{
  GString *object = g_string_new ("{");
  ghc_fields_append (object, item, true);
  g_string_append_c (object, '}');
  emitter_append_decimal (out, item->offset);
  g_string_append_c (out, ',');
  emitter_append_decimal (out, item->size);
  g_string_append (out, l->by_clock ? ",," : ",");
  if (item->type == GHC_ITEM_EVENT && item->cap != GHC_NO_CAP)
    emitter_append_decimal (out, item->cap);
  g_string_append_c (out, ',');
  if (item->type == GHC_ITEM_EVENT)
    emitter_append_decimal (out, item->time);
  g_string_append_printf (out, ",%s,", ghc_fields_name (item));
  emitter_append_csv_json (out, object);
  g_string_append_c (out, '\n');
  g_string_free (object, TRUE);
}

static void
put_line (const struct dump_lines *l, const struct ghc_item *item, uint64_t clock, GString *out)
{
  dump_lines_begin (l, clock, out);
  if (l->format == EMITTER_CSV)
    put_csv (l, item, out);
  else if (l->format == EMITTER_JSON)
    put_json (item, out);
  else
    put_text (item, out);
}

void
ghc_dump_item (struct ghc_dump *d, const struct ghc_item *item, GString *out)
{
  const bool taken = ghc_filter_accepts (d->filter, item);
  dump_lines_head (&d->lines, COLUMNS, out); /* whether a line comes or not */
  d->events += item->type == GHC_ITEM_EVENT;
  d->taken += item->type == GHC_ITEM_EVENT && taken;
  if (taken)
    put_line (&d->lines, item, 0, out);
}

void
ghc_dump_event (const struct ghc_dump *d, const struct ghc_item *item, uint64_t clock, GString *out)
{
  put_line (&d->lines, item, clock, out);
}

void
ghc_dump_damage (struct ghc_dump *d, bool truncated, const char *message, GString *out)
{
  dump_lines_head (&d->lines, COLUMNS, out);
  dump_lines_damage (&d->lines, truncated, message, out);
}
