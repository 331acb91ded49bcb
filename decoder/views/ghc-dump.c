/* ghc-dump.c -- one line an item.
 *
 * Text:  OFFSET TIME CAP KIND FIELD=VALUE...   time in seconds since the program began, CAP - for
 *        nobody's
 * JSON:  {"item","offset","size","cap","time_ns","kind","tag","fields"}; addresses as "0x..."
 *        strings, names beside numbers
 * CSV:   offset,size,cap,time_ns,kind,fields   fields is an object as in JSON
 * Of several logs each line of JSON and CSV begins with the log's name, in text a line before.
 */
#include "decoder/views/ghc-dump.h"
#include "config.h"
#include "decoder/views/ghc-fields.h"
#include <string.h>

static void
put_text_line (const struct ghc_item *item, GString *out)
{
  for (uint64_t unit = 1000000000; unit > 1 && item->offset < unit; unit /= 10)
    g_string_append_c (out, ' ');
  emitter_append_decimal (out, item->offset);
  g_string_append_c (out, ' ');
  ghc_fields_append_line (out, item);
  g_string_append_c (out, '\n');
}

/* The beginning of an object of JSON. */
static void
begin_object (const struct ghc_dump *d, GString *out)
{
  g_string_append_c (out, '{');
  if (d->log_name == NULL)
    return;
  g_string_append (out, "\"log\":");
  emitter_append_json_string (out, d->log_name, strlen (d->log_name));
  g_string_append_c (out, ',');
}

static void
put_json (const struct ghc_dump *d, const struct ghc_item *item, GString *out)
{
  const bool is_event = item->type == GHC_ITEM_EVENT;
  begin_object (d, out);
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

/* Before the first line. */
static void
put_head (struct ghc_dump *d, GString *out)
{
  if (d->format == EMITTER_TEXT && d->log_name != NULL && !d->begun) {
    g_string_append (out, "log ");
    emitter_append_json_string (out, d->log_name, strlen (d->log_name));
    g_string_append_c (out, '\n');
  }
  d->begun = true;
  if (d->format != EMITTER_CSV || !d->head)
    return;
  g_string_append (out, d->log_name != NULL ? "log," : "");
  g_string_append (out, "offset,size,cap,time_ns,kind,fields\n");
  d->head = false;
}

static void
begin_row (const struct ghc_dump *d, GString *out)
{
  if (d->log_name == NULL)
    return;
  emitter_append_csv_text (out, d->log_name);
  g_string_append_c (out, ',');
}

static void
put_csv (const struct ghc_dump *d, const struct ghc_item *item, GString *out)
{
  GString *object = g_string_new ("{");
  ghc_fields_append (object, item, true);
  g_string_append_c (object, '}');
  begin_row (d, out);
  emitter_append_decimal (out, item->offset);
  g_string_append_c (out, ',');
  emitter_append_decimal (out, item->size);
  g_string_append_c (out, ',');
  if (item->type == GHC_ITEM_EVENT && item->cap != GHC_NO_CAP)
    emitter_append_decimal (out, item->cap);
  g_string_append_c (out, ',');
  if (item->type == GHC_ITEM_EVENT)
    emitter_append_decimal (out, item->time);
  g_string_append_printf (out, ",%s,", ghc_fields_name (item));
  emitter_append_csv_text (out, object->str);
  g_string_append_c (out, '\n');
  g_string_free (object, TRUE);
}

void
ghc_dump_item (struct ghc_dump *d, const struct ghc_item *item, GString *out)
{
  const bool taken = ghc_choice_takes (d->choice, item);
  put_head (d, out); /* whether a line comes or not */
  d->events += item->type == GHC_ITEM_EVENT;
  d->taken += item->type == GHC_ITEM_EVENT && taken;
  if (!taken)
    return;
  if (d->format == EMITTER_CSV)
    put_csv (d, item, out);
  else if (d->format == EMITTER_JSON)
    put_json (d, item, out);
  else
    put_text_line (item, out);
}

void
ghc_dump_damage (struct ghc_dump *d, bool truncated, const char *message, GString *out)
{
  const char *reason = truncated ? "truncated" : "corrupt";
  GString *object = g_string_new (NULL);
  put_head (d, out);
  if (d->format == EMITTER_TEXT) {
    g_string_append_printf (out, "damage reason=%s %s\n", reason, message);
  } else {
    g_string_append_printf (object, "\"reason\":\"%s\",\"message\":", reason);
    emitter_append_json_string (object, message, strlen (message));
    g_string_append_c (object, '}');
  }
  if (d->format == EMITTER_JSON) {
    begin_object (d, out);
    g_string_append_printf (out, "\"item\":\"damage\",%s\n", object->str);
  } else if (d->format == EMITTER_CSV) {
    begin_row (d, out);
    g_string_prepend_c (object, '{');
    g_string_append (out, ",,,,damage,");
    emitter_append_csv_text (out, object->str);
    g_string_append_c (out, '\n');
  }
  g_string_free (object, TRUE);
}
