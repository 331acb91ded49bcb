/* ghc-fields.c -- formats the fields of an item as text and JSON. */
#include "config.h"

#include "decoder/views/ghc/ghc-fields.h"
#include "decoder/ghc/ghc-describe.h"
#include "decoder/output/emitter.h"
#include <string.h>

struct fields {
  GString *out;
  bool json;
  bool first;
};

static void
append_key (struct fields *f, const char *key, const char *suffix)
{
  if (!f->json)
    g_string_append_c (f->out, ' ');
  else
    g_string_append (f->out, f->first ? "\"" : ",\"");
  g_string_append (f->out, key);
  g_string_append (f->out, suffix);
  g_string_append (f->out, f->json ? "\":" : "=");
  f->first = false;
}

static void
append_number (struct fields *f, enum ghc_unit unit, uint64_t value)
{
  const char *quote = f->json ? "\"" : "";
  if (unit == GHC_UNIT_CHANGE && (int64_t) value < 0) {
    g_string_append_c (f->out, '-');
    emitter_append_decimal (f->out, -value);
  } else if (unit == GHC_UNIT_ADDRESS || unit == GHC_UNIT_TASK) {
    g_string_append (f->out, quote);
    emitter_append_address (f->out, value);
    g_string_append (f->out, quote);
  } else {
    emitter_append_decimal (f->out, value);
  }
}

static void
put_number (const struct ghc_field *field, uint64_t value, void *data)
{
  struct fields *f = data;
  const char *name = ghc_value_name (field->unit, value);
  append_key (f, field->name, "");
  if (!f->json && name != NULL) {
    g_string_append (f->out, name);
    return;
  }
  append_number (f, field->unit, value);
  if (name != NULL) {
    append_key (f, field->name, "_name");
    emitter_append_json_string (f->out, name, strlen (name));
  }
}

static void
put_text (const struct ghc_field *field, struct ghc_text text, void *data)
{
  struct fields *f = data;
  append_key (f, field->name, "");
  emitter_append_json_string (f->out, text.text, text.length);
}

void
ghc_fields_append_texts (GString *out, struct ghc_texts texts)
{
  struct ghc_text text;
  const char *separator = "";
  g_string_append_c (out, '[');
  for (; ghc_texts_next (&texts, &text); separator = ",") {
    g_string_append (out, separator);
    emitter_append_json_string (out, text.text, text.length);
  }
  g_string_append_c (out, ']');
}

static void
put_texts (const struct ghc_field *field, struct ghc_texts texts, void *data)
{
  const struct fields *f = data;
  append_key (data, field->name, "");
  ghc_fields_append_texts (f->out, texts);
}

void
ghc_fields_append_stack (GString *out, const struct ghc_stack *stack)
{
  g_string_append_c (out, '[');
  for (size_t i = 0; i < stack->count; i++) {
    if (i != 0)
      g_string_append_c (out, ',');
    emitter_append_decimal (out, stack->items[i]);
  }
  g_string_append_c (out, ']');
}

static void
put_stack (const struct ghc_field *field, const struct ghc_stack *stack, void *data)
{
  const struct fields *f = data;
  append_key (data, field->name, "");
  ghc_fields_append_stack (f->out, stack);
}

static void
append_hex (struct fields *f, struct ghc_text bytes)
{
  g_string_append_c (f->out, '"');
  for (size_t i = 0; i < bytes.length; i++)
    g_string_append_printf (f->out, "%02x", (uint8_t) bytes.text[i]);
  g_string_append_c (f->out, '"');
}

static void
put_bytes (const struct ghc_field *field, struct ghc_text bytes, void *data)
{
  append_key (data, field->name, "");
  append_hex (data, bytes);
}

/* Fields of an event that the list knows, else the description in its log; and unknown bytes at its
 * end. */
static void
put_event (struct fields *f, const struct ghc_item *item)
{
  static const struct ghc_visitor visitor
      = { put_number, put_text, put_texts, put_stack, put_bytes };
  if (item->kind != GHC_UNKNOWN) {
    ghc_visit (item->kind, item->payload, item->header, &visitor, f);
    if (item->extra == 0)
      return;
    append_key (f, "more", "");
    append_hex (
        f, (struct ghc_text){ item->bytes.text + item->bytes.length - item->extra, item->extra });
    return;
  }
  append_key (f, "tag", "");
  emitter_append_decimal (f->out, item->event_type->tag);
  append_key (f, "description", "");
  emitter_append_json_string (f->out, item->event_type->description.text,
                              item->event_type->description.length);
  append_key (f, "bytes", "");
  append_hex (f, item->bytes);
}

/* In text, how many types; for programs, which. */
static void
put_header (struct fields *f, const struct ghc_header *header)
{
  append_key (f, "types", "");
  if (!f->json) {
    emitter_append_decimal (f->out, header->n_types);
    return;
  }
  g_string_append_c (f->out, '[');
  for (size_t i = 0; i < header->n_types; i++) {
    const struct ghc_event_type *type = &header->types[i];
    g_string_append_printf (f->out, "%s{\"tag\":%u,\"size\":", i != 0 ? "," : "", type->tag);
    if (type->size == GHC_VARIABLE)
      g_string_append (f->out, "null");
    else
      emitter_append_decimal (f->out, type->size);
    g_string_append (f->out, ",\"description\":");
    emitter_append_json_string (f->out, type->description.text, type->description.length);
    g_string_append_c (f->out, '}');
  }
  g_string_append_c (f->out, ']');
}

const char *
ghc_fields_reason (const struct ghc_damage *damage)
{
  return damage->reason == GHC_DAMAGE_TRUNCATED ? "truncated" : "corrupt";
}

static void
put_damage (struct fields *f, const struct ghc_damage *damage)
{
  const char *reason = ghc_fields_reason (damage);
  append_key (f, "reason", "");
  g_string_append_printf (f->out, f->json ? "\"%s\"" : "%s", reason);
  append_key (f, "skipped", "");
  emitter_append_decimal (f->out, damage->skipped);
  append_key (f, "missing", "");
  emitter_append_decimal (f->out, damage->missing);
  if (f->json) {
    append_key (f, "message", "");
    emitter_append_json_string (f->out, damage->message, strlen (damage->message));
  } else {
    g_string_append_printf (f->out, " %s", damage->message);
  }
}

static void
put_fields (struct fields *f, const struct ghc_item *item)
{
  if (item->type == GHC_ITEM_EVENT)
    put_event (f, item);
  else if (item->type == GHC_ITEM_HEADER)
    put_header (f, item->header);
  else if (item->type == GHC_ITEM_DAMAGE)
    put_damage (f, item->damage);
}

const char *
ghc_fields_name (const struct ghc_item *item)
{
  static const char *const types[]
      = { [GHC_ITEM_HEADER] = "header", [GHC_ITEM_END] = "end", [GHC_ITEM_DAMAGE] = "damage" };
  if (item->type != GHC_ITEM_EVENT)
    return types[item->type];
  return item->kind != GHC_UNKNOWN ? ghc_describe (item->kind)->name : "unknown";
}

static void
append_time (GString *out, uint64_t ns)
{
  emitter_append_decimal (out, ns / 1000000000);
  g_string_append_printf (out, ".%09u", (unsigned) (ns % 1000000000));
}

void
ghc_fields_append (GString *out, const struct ghc_item *item, bool json)
{
  struct fields f = { out, json, true };
  put_fields (&f, item);
}

void
ghc_fields_append_line (GString *out, const struct ghc_item *item)
{
  if (item->type == GHC_ITEM_EVENT) {
    append_time (out, item->time);
    if (item->cap == GHC_NO_CAP)
      g_string_append (out, " - ");
    else
      g_string_append_printf (out, " %u ", item->cap);
  }
  g_string_append (out, ghc_fields_name (item));
  ghc_fields_append (out, item, false);
}
