/* dump-fields.c -- the fields of headers and events, as JSON or text. */
#include "config.h"

#include "decoder/views/mlpd/dump.h"
#include "decoder/views/mlpd/dump-fields.h"
#include <string.h>

struct fields {
  const struct dump *dump;
  GString *out;
  bool first;
  size_t items; /* of the list that is open */
};

static bool
is_address (enum mlpd_unit unit)
{
  return unit == MLPD_UNIT_ADDRESS || unit == MLPD_UNIT_OBJECT || unit == MLPD_UNIT_CLASS
         || unit == MLPD_UNIT_IMAGE || unit == MLPD_UNIT_METHOD || unit == MLPD_UNIT_VTABLE
         || unit == MLPD_UNIT_THREAD;
}

/* Text of any bytes on one line: characters that could break the line or act on a terminal are
 * escaped as in JSON. */
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
  char *text = emitter_real_text (value);
  emitter_append_text (out, text != NULL ? text : "null");
  g_free (text);
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
  emitter_append_text (f->out, quote);
  emitter_append_address (f->out, value);
  emitter_append_text (f->out, quote);
}

static void
append_key (struct fields *f, const char *key, const char *suffix)
{
  bool json = f->dump->json;
  if (!json)
    g_string_append_c (f->out, ' ');
  else
    emitter_append_text (f->out, f->first ? "\"" : ",\"");
  emitter_append_text (f->out, key);
  if (json)
    emitter_append_text (f->out, suffix);
  emitter_append_text (f->out, json ? "\":" : "=");
  f->first = false;
}

static void
put_number (const struct mlpd_field *field, uint64_t value, void *data)
{
  struct fields *f = data;
  const char *name = dump_name (&f->dump->names, field->unit, value);
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
  if (name != NULL && is_address (field->unit))
    g_string_append_c (f->out, ' ');
  if (name != NULL && (is_address (field->unit) || strchr (name, ' ') != NULL))
    append_text (f->out, name, strlen (name));
  else if (name != NULL)
    emitter_append_text (f->out, name);
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
  const char *name = dump_name (&f->dump->names, unit, value);
  if (f->dump->json || name == NULL)
    append_number (f, unit, value);
  else
    append_text (f->out, name, strlen (name));
}

static void
put_item_name (struct fields *f, enum mlpd_unit unit, uint64_t value)
{
  const char *name = dump_name (&f->dump->names, unit, value);
  if (name != NULL)
    append_text (f->out, name, strlen (name));
  else
    emitter_append_text (f->out, "null");
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
    emitter_append_text (f->out, f->dump->json ? "}," : " },");
  g_string_append_c (f->out, '{');
  f->first = true;
}

static void
put_close (const struct mlpd_field *field, void *data)
{
  struct fields *f = data;
  (void) field;
  if (f->items > 0)
    emitter_append_text (f->out, f->dump->json ? "}" : " }");
  g_string_append_c (f->out, ']');
  f->first = false;
}

static const struct mlpd_visitor visitor
    = { put_number, put_text, put_list, put_open, put_item, put_close };

/* The unit of a number of a header. */
static enum mlpd_unit
header_unit (const char *field)
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
  append_number (&f, header_unit (#field), value);
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

void
dump_put_header (const struct dump *d, const struct mlpd_item *item, GString *out)
{
  struct fields f = { d, out, true, 0 };
#define HEADER_FIELD(header, field, wire, since, until, doc)                                       \
  PUT_##header (field, wire, since, until)
#include <proflog/mlpd-headers.def>
}

void
dump_put_event (const struct dump *d, const struct mlpd_item *item, GString *out)
{
  struct fields f = { d, out, true, 0 };
  mlpd_visit (item->kind, item->payload, item->header->data_version, &visitor, &f);
}

/* ---- one field ---- */

struct one_field {
  struct fields f;
  const struct mlpd_field *field;
  bool names, in_list;
};

static bool
is_requested (const struct one_field *one, const struct mlpd_field *field)
{
  return one->in_list || field == one->field;
}

static void
put_one_number (const struct mlpd_field *field, uint64_t value, void *data)
{
  struct one_field *one = data;
  if (one->in_list)
    put_number (field, value, &one->f);
}

static void
put_one_text (const struct mlpd_field *field, struct mlpd_string text, void *data)
{
  struct one_field *one = data;
  if (one->in_list)
    put_text (field, text, &one->f);
}

static void
put_one_list (const struct mlpd_field *field, struct mlpd_list list, void *data)
{
  struct one_field *one = data;
  if (is_requested (one, field))
    put_items (&one->f, field->unit, list, one->names ? put_item_name : put_list_item);
}

static void
put_one_open (const struct mlpd_field *field, size_t count, void *data)
{
  struct one_field *one = data;
  (void) count;
  one->in_list = is_requested (one, field);
  if (one->in_list)
    g_string_append_c (one->f.out, '[');
  one->f.items = 0;
}

static void
put_one_item (void *data)
{
  struct one_field *one = data;
  if (one->in_list)
    put_item (&one->f);
}

static void
put_one_close (const struct mlpd_field *field, void *data)
{
  struct one_field *one = data;
  if (one->in_list)
    put_close (field, &one->f);
  one->in_list = false;
}

void
dump_put_field (const struct dump *d, const struct mlpd_item *item, const struct mlpd_field *field,
                bool names, GString *out)
{
  static const struct mlpd_visitor one_visitor
      = { put_one_number, put_one_text, put_one_list, put_one_open, put_one_item, put_one_close };
  struct one_field one = { .f = { d, out, true, 0 }, .field = field, .names = names };
  mlpd_visit (item->kind, item->payload, item->header->data_version, &one_visitor, &one);
}
