/* dump.c -- one line an item.
 *
 * Text:  OFFSET TIME THREAD KIND FIELD=VALUE...   time in seconds from the first buffer
 * JSON:  {"item","offset","size","thread","time_ns","kind","fields"}; time_ns as in the log
 *        (fields.time is the same), addresses as "0x..." strings, names beside them
 * CSV:   offset,size,thread,time_ns,kind,fields   fields is an object as in JSON
 * Names are those that were announced before the line: nothing waits, memory grows with the number
 * of names only.
 */
#include "decoder/views/dump.h"
#include "config.h"
#include "decoder/formats/mlpd-describe.h"
#include <math.h>
#include <string.h>

struct fields {
  struct dump *dump;
  GString *out;
  bool first;
  size_t items; /* of the list that is open */
};

void
dump_init (struct dump *d, enum emitter_format format)
{
  *d = (struct dump){ .format = format,
                      .json = format != EMITTER_TEXT,
                      .head = format == EMITTER_CSV,
                      .fields = g_string_new (NULL) };
  symbols_init (&d->symbols);
}

void
dump_clear (struct dump *d)
{
  g_string_free (d->fields, TRUE);
  symbols_clear (&d->symbols);
}

/* The name that a number has now: of a value or of an address; NULL if none. */
static const char *
name_of (const struct dump *d, enum mlpd_unit unit, uint64_t value)
{
  switch (unit) {
  case MLPD_UNIT_CLASS:
    return symbols_current_name (&d->symbols, SYMBOL_CLASS, value);
  case MLPD_UNIT_IMAGE:
    return symbols_current_name (&d->symbols, SYMBOL_IMAGE, value);
  case MLPD_UNIT_METHOD:
    return symbols_current_name (&d->symbols, SYMBOL_METHOD, value);
  default:
    return mlpd_value_name (unit, value);
  }
}

static bool
is_address (enum mlpd_unit unit)
{
  return unit == MLPD_UNIT_ADDRESS || unit == MLPD_UNIT_OBJECT || unit == MLPD_UNIT_CLASS
         || unit == MLPD_UNIT_IMAGE || unit == MLPD_UNIT_METHOD || unit == MLPD_UNIT_VTABLE
         || unit == MLPD_UNIT_THREAD;
}

/* Text of any bytes on one line: what could break the line or act on a terminal is escaped as in
 * JSON. */
static void
append_text (GString *out, const char *text, size_t length)
{
  emitter_append_json_string (out, text, length);
}

/* JSON has no infinities and no NaN. */
static void
append_double (GString *out, uint64_t bits)
{
  double value;
  memcpy (&value, &bits, sizeof value);
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_string_append (out, isfinite (value) ? g_ascii_dtostr (text, sizeof text, value) : "null");
}

static void
append_number (struct fields *f, enum mlpd_unit unit, uint64_t value)
{
  if (unit == MLPD_UNIT_OFFSET && (int64_t) value < 0) {
    g_string_append_c (f->out, '-');
    emitter_append_decimal (f->out, -value);
    return;
  }
  if (unit == MLPD_UNIT_DOUBLE) {
    append_double (f->out, value);
    return;
  }
  if (!is_address (unit)) {
    emitter_append_decimal (f->out, value);
    return;
  }
  const char *quote = f->dump->json ? "\"" : "";
  g_string_append (f->out, quote);
  emitter_append_address (f->out, value);
  g_string_append (f->out, quote);
}

static void
append_key (struct fields *f, const char *key, const char *suffix)
{
  bool json = f->dump->json;
  if (!json)
    g_string_append_c (f->out, ' ');
  else
    g_string_append (f->out, f->first ? "\"" : ",\"");
  g_string_append (f->out, key);
  if (json)
    g_string_append (f->out, suffix);
  g_string_append (f->out, json ? "\":" : "=");
  f->first = false;
}

static void
put_number (const struct mlpd_field *field, uint64_t value, void *data)
{
  struct fields *f = data;
  const char *name = name_of (f->dump, field->unit, value);
  if (f->dump->json) {
    append_key (f, field->name, "");
    append_number (f, field->unit, value);
    if (name != NULL) {
      append_key (f, field->name, "_name");
      append_text (f->out, name, strlen (name));
    }
    return;
  }
  if (field->wire == MLPD_WIRE_TIME || field->wire == MLPD_WIRE_MTYPE)
    return; /* the line has them already */
  append_key (f, field->name, "");
  if (name == NULL || is_address (field->unit))
    append_number (f, field->unit, value);
  if (name != NULL && is_address (field->unit)) {
    g_string_append_c (f->out, ' ');
    append_text (f->out, name, strlen (name));
  } else if (name != NULL) {
    g_string_append (f->out, name);
  }
}

static void
put_text (const struct mlpd_field *field, struct mlpd_string text, void *data)
{
  struct fields *f = data;
  append_key (f, field->name, "");
  append_text (f->out, text.text, text.length);
}

static void
put_list_item (struct fields *f, enum mlpd_unit unit, uint64_t value)
{
  const char *name = name_of (f->dump, unit, value);
  if (f->dump->json || name == NULL)
    append_number (f, unit, value);
  else
    append_text (f->out, name, strlen (name));
}

static void
put_item_name (struct fields *f, enum mlpd_unit unit, uint64_t value)
{
  const char *name = name_of (f->dump, unit, value);
  if (name != NULL)
    append_text (f->out, name, strlen (name));
  else
    g_string_append (f->out, "null");
}

static void
put_items (struct fields *f, enum mlpd_unit unit, struct mlpd_list list,
           void (*put) (struct fields *f, enum mlpd_unit unit, uint64_t value))
{
  g_string_append_c (f->out, '[');
  for (size_t i = 0; i < list.count; i++) {
    if (i > 0)
      g_string_append_c (f->out, ',');
    put (f, unit, list.items[i]);
  }
  g_string_append_c (f->out, ']');
}

static void
put_list (const struct mlpd_field *field, struct mlpd_list list, void *data)
{
  struct fields *f = data;
  append_key (f, field->name, "");
  put_items (f, field->unit, list, put_list_item);
  if (f->dump->json && field->unit == MLPD_UNIT_METHOD) {
    append_key (f, field->name, "_names");
    put_items (f, field->unit, list, put_item_name);
  }
}

/* Items of more than an address: each an object in JSON, {...} in text. */
static void
put_open (const struct mlpd_field *field, size_t count, void *data)
{
  struct fields *f = data;
  (void) count;
  append_key (f, field->name, "");
  g_string_append_c (f->out, '[');
  f->items = 0;
}

static void
put_item (void *data)
{
  struct fields *f = data;
  if (f->items++ > 0)
    g_string_append (f->out, f->dump->json ? "}," : " },");
  g_string_append_c (f->out, '{');
  f->first = true;
}

static void
put_close (const struct mlpd_field *field, void *data)
{
  struct fields *f = data;
  (void) field;
  if (f->items > 0)
    g_string_append (f->out, f->dump->json ? "}" : " }");
  g_string_append_c (f->out, ']');
  f->first = false;
}

static const struct mlpd_visitor visitor
    = { put_number, put_text, put_list, put_open, put_item, put_close };

static void
append_time (GString *out, uint64_t time, uint64_t zero)
{
  int64_t ns = (int64_t) (time - zero);
  uint64_t magnitude = ns < 0 ? -(uint64_t) ns : (uint64_t) ns;
  if (ns < 0)
    g_string_append_c (out, '-');
  emitter_append_decimal (out, magnitude / 1000000000);
  g_string_append_c (out, '.');
  for (unsigned unit = 100000000; unit > 0; unit /= 10)
    g_string_append_c (out, (char) ('0' + magnitude / unit % 10));
}

/* Offset, time, thread: what every line begins with. */
static void
begin_line (const struct dump *d, const struct mlpd_item *item, const char *type, GString *out)
{
  if (d->json) {
    g_string_append (out, "{\"item\":\"");
    g_string_append (out, type);
    g_string_append (out, "\",\"offset\":");
    emitter_append_decimal (out, item->offset);
    g_string_append (out, ",\"size\":");
    emitter_append_decimal (out, item->size);
    if (item->buffer != NULL) {
      g_string_append (out, ",\"thread\":\"");
      emitter_append_address (out, item->buffer->thread);
      g_string_append (out, "\",\"time_ns\":");
      emitter_append_decimal (out, d->time);
    }
    return;
  }
  for (uint64_t unit = 1000000000; unit > 1 && item->offset < unit; unit /= 10)
    g_string_append_c (out, ' ');
  emitter_append_decimal (out, item->offset);
  g_string_append_c (out, ' ');
  if (item->buffer == NULL)
    return;
  append_time (out, d->time, d->first_time);
  g_string_append_c (out, ' ');
  emitter_append_address (out, item->buffer->thread);
  g_string_append_c (out, ' ');
}

/* What a number of a header means. */
static enum mlpd_unit
unit_of_header (const char *field)
{
  static const char *const addresses[]
      = { "id", "system", "ptr_base", "obj_base", "thread", "method_base" };
  for (size_t i = 0; i < G_N_ELEMENTS (addresses); i++)
    if (strcmp (field, addresses[i]) == 0)
      return MLPD_UNIT_ADDRESS;
  return MLPD_UNIT_NUMBER;
}

#define PUT_HEADER_NUMBER(field, value)                                                            \
  append_key (&f, #field, "");                                                                     \
  append_number (&f, unit_of_header (#field), value);
#define PUT_HEADER_U8(field, value) PUT_HEADER_NUMBER (field, value)
#define PUT_HEADER_U16(field, value) PUT_HEADER_NUMBER (field, value)
#define PUT_HEADER_U32(field, value) PUT_HEADER_NUMBER (field, value)
#define PUT_HEADER_U64(field, value) PUT_HEADER_NUMBER (field, value)
#define PUT_HEADER_STR32(field, value)                                                             \
  append_key (&f, #field, "");                                                                     \
  append_text (f.out, (value).text, (value).length);
#define PUT_file(field, wire, since, until)                                                        \
  if (item->type == MLPD_ITEM_FILE_HEADER && item->header->major >= (since)                        \
      && item->header->major <= (until)) {                                                         \
    PUT_HEADER_##wire (field, item->header->field)                                                 \
  }
#define PUT_buffer(field, wire, since, until)                                                      \
  if (item->type == MLPD_ITEM_BUFFER) {                                                            \
    PUT_HEADER_##wire (field, item->buffer->field)                                                 \
  }

/* The fields of a file or buffer header. */
static void
put_header (struct dump *d, const struct mlpd_item *item, GString *out)
{
  struct fields f = { d, out, true, 0 };
#define HEADER_FIELD(header, field, wire, since, until, doc)                                       \
  PUT_##header (field, wire, since, until)
#include <proflog/mlpd-headers.def>
}

static void
learn_name (struct dump *d, const struct mlpd_item *item)
{
  const union mlpd_payload *p = item->payload;
  if (item->kind == MLPD_METADATA_CLASS)
    symbols_announce (&d->symbols, SYMBOL_CLASS, p->metadata_class.klass, p->metadata_class.name);
  else if (item->kind == MLPD_METADATA_IMAGE)
    symbols_announce (&d->symbols, SYMBOL_IMAGE, p->metadata_image.image, p->metadata_image.name);
  else if (item->kind == MLPD_METHOD_JIT)
    symbols_announce (&d->symbols, SYMBOL_METHOD, p->method_jit.method, p->method_jit.name);
}

/* The members of an event's or damage's object, or what follows the kind in text. */
static void
put_event (struct dump *d, const struct mlpd_item *item, GString *out)
{
  struct fields f = { d, out, true, 0 };
  mlpd_visit (item->kind, item->payload, item->header->data_version, &visitor, &f);
}

static void
put_damage (struct dump *d, const struct mlpd_item *item, GString *out)
{
  static const char *const reasons[] = { "truncated", "corrupt", "unknown" };
  const struct mlpd_damage *damage = item->damage;
  const char *reason = reasons[damage->reason];
  if (d->json) {
    g_string_append_printf (out,
                            "\"reason\":\"%s\",\"skipped\":%" G_GUINT64_FORMAT
                            ",\"missing\":%" G_GUINT64_FORMAT ",\"message\":",
                            reason, damage->skipped, damage->missing);
    append_text (out, damage->message, strlen (damage->message));
    return;
  }
  g_string_append_printf (
      out, " reason=%s skipped=%" G_GUINT64_FORMAT " missing=%" G_GUINT64_FORMAT " %s", reason,
      damage->skipped, damage->missing, damage->message);
}

/* What an item is called in its line. */
static const char *
kind_of (const struct mlpd_item *item)
{
  static const char *const types[] = { [MLPD_ITEM_FILE_HEADER] = "file-header",
                                       [MLPD_ITEM_BUFFER] = "buffer",
                                       [MLPD_ITEM_DAMAGE] = "damage" };
  return item->type == MLPD_ITEM_EVENT ? mlpd_describe (item->kind)->name : types[item->type];
}

static void
put_fields (struct dump *d, const struct mlpd_item *item, GString *out)
{
  if (item->type == MLPD_ITEM_EVENT)
    put_event (d, item, out);
  else if (item->type == MLPD_ITEM_DAMAGE)
    put_damage (d, item, out);
  else
    put_header (d, item, out);
}

static void
put_json (struct dump *d, const struct mlpd_item *item, GString *out)
{
  begin_line (d, item, item->type == MLPD_ITEM_EVENT ? "event" : kind_of (item), out);
  g_string_append_c (out, ',');
  if (item->type == MLPD_ITEM_EVENT)
    g_string_append_printf (out, "\"kind\":\"%s\",", kind_of (item));
  bool object = item->type != MLPD_ITEM_DAMAGE;
  g_string_append (out, object ? "\"fields\":{" : "");
  put_fields (d, item, out);
  g_string_append (out, object ? "}}\n" : "}\n");
}

static void
put_text_line (struct dump *d, const struct mlpd_item *item, GString *out)
{
  begin_line (d, item, NULL, out);
  g_string_append (out, kind_of (item));
  put_fields (d, item, out);
  g_string_append_c (out, '\n');
}

static void
put_csv_head (struct dump *d, GString *out)
{
  if (d->head)
    g_string_append (out, "offset,size,thread,time_ns,kind,fields\n");
  d->head = false;
}

static void
put_csv (struct dump *d, const struct mlpd_item *item, GString *out)
{
  put_csv_head (d, out);
  emitter_append_decimal (out, item->offset);
  g_string_append_c (out, ',');
  emitter_append_decimal (out, item->size);
  g_string_append_c (out, ',');
  if (item->buffer != NULL)
    emitter_append_address (out, item->buffer->thread);
  g_string_append_c (out, ',');
  if (item->buffer != NULL)
    emitter_append_decimal (out, d->time);
  g_string_append_printf (out, ",%s,", kind_of (item));
  g_string_assign (d->fields, "{");
  put_fields (d, item, d->fields);
  g_string_append_c (d->fields, '}');
  emitter_append_csv_text (out, d->fields->str);
  g_string_append_c (out, '\n');
}

void
dump_item (struct dump *d, const struct mlpd_item *item, GString *out)
{
  if (item->type == MLPD_ITEM_BUFFER) {
    if (!d->has_time)
      d->first_time = item->buffer->time_base;
    d->has_time = true;
    d->time = item->buffer->time_base;
  } else if (item->type == MLPD_ITEM_EVENT) {
    mlpd_event_time (item->kind, item->payload, &d->time);
  }
  if (d->format == EMITTER_CSV)
    put_csv (d, item, out);
  else if (d->json)
    put_json (d, item, out);
  else
    put_text_line (d, item, out);
  if (item->type == MLPD_ITEM_EVENT)
    learn_name (d, item);
}

void
dump_damage (struct dump *d, bool truncated, const char *message, GString *out)
{
  const char *reason = truncated ? "truncated" : "corrupt";
  if (!d->json) {
    g_string_append_printf (out, "damage reason=%s %s\n", reason, message);
    return;
  }
  g_string_printf (d->fields, "\"reason\":\"%s\",\"message\":", reason);
  append_text (d->fields, message, strlen (message));
  g_string_append_c (d->fields, '}');
  if (d->format == EMITTER_JSON) {
    g_string_append_printf (out, "{\"item\":\"damage\",%s\n", d->fields->str);
    return;
  }
  put_csv_head (d, out);
  g_string_append (out, ",,,,damage,");
  g_string_prepend_c (d->fields, '{');
  emitter_append_csv_text (out, d->fields->str);
  g_string_append_c (out, '\n');
}
