/* ghc-items.c -- reads eventlogs in pieces, and compares their items. */
#include "config.h"

#include "tests/unit/ghc-items.h"

#include "decoder/ghc/ghc-describe.h"
#include "tests/unit/test.h"

#include <stdarg.h>
#include <string.h>

static void
append_text (GString *line, struct ghc_text text)
{
  g_string_append_c (line, '"');
  for (size_t i = 0; i < text.length; i++) {
    const guint8 c = (guint8) text.text[i];
    if (c == '\n')
      g_string_append (line, "\\n");
    else if (c < 32 || c > 126)
      g_string_append_printf (line, "\\%03o", c);
    else
      g_string_append_c (line, (char) c);
  }
  g_string_append_c (line, '"');
}

static void
visit_number (const struct ghc_field *field, uint64_t value, void *data)
{
  GString *line = data;
  const char *name = ghc_value_name (field->unit, value);
  g_string_append_printf (line, " %s=", field->name);
  if (field->unit == GHC_UNIT_ADDRESS || field->unit == GHC_UNIT_TASK)
    g_string_append_printf (line, "0x%" G_GINT64_MODIFIER "x", value);
  else if (field->unit == GHC_UNIT_CHANGE)
    g_string_append_printf (line, "%" G_GINT64_FORMAT, (gint64) value);
  else
    g_string_append_printf (line, "%" G_GUINT64_FORMAT, value);
  if (name != NULL)
    g_string_append_printf (line, "(%s)", name);
}

static void
visit_text (const struct ghc_field *field, struct ghc_text text, void *data)
{
  g_string_append_printf (data, " %s=", field->name);
  append_text (data, text);
}

static void
visit_texts (const struct ghc_field *field, struct ghc_texts texts, void *data)
{
  struct ghc_text text;
  const char *separator = "";
  g_string_append_printf (data, " %s=[", field->name);
  for (; ghc_texts_next (&texts, &text); separator = ",") {
    g_string_append (data, separator);
    append_text (data, text);
  }
  g_string_append_c (data, ']');
}

static void
visit_stack (const struct ghc_field *field, const struct ghc_stack *stack, void *data)
{
  g_string_append_printf (data, " %s=[", field->name);
  for (size_t i = 0; i < stack->count; i++)
    g_string_append_printf (data, "%s%u", i != 0 ? "," : "", stack->items[i]);
  g_string_append_c (data, ']');
}

static void
visit_bytes (const struct ghc_field *field, struct ghc_text bytes, void *data)
{
  g_string_append_printf (data, " %s=", field->name);
  for (size_t i = 0; i < bytes.length; i++)
    g_string_append_printf (data, "%02x", (guint8) bytes.text[i]);
}

char *
ghc_items_event (const struct ghc_item *item)
{
  static const struct ghc_visitor visitor
      = { visit_number, visit_text, visit_texts, visit_stack, visit_bytes };
  if (item->kind == GHC_UNKNOWN)
    return g_strdup ("unknown");
  GString *event = g_string_new (ghc_describe (item->kind)->name);
  ghc_visit (item->kind, item->payload, item->header, &visitor, event);
  if (item->extra != 0)
    g_string_append_printf (event, " extra=%" G_GSIZE_FORMAT, item->extra);
  return g_string_free (event, FALSE);
}

static char *
line_of (const struct ghc_item *item, const char *event)
{
  GString *line = g_string_new (NULL);
  g_string_printf (line, "@%" G_GUINT64_FORMAT "+%" G_GUINT64_FORMAT, item->offset, item->size);
  switch (item->type) {
  case GHC_ITEM_HEADER:
    g_string_append_printf (line, " header types=%" G_GSIZE_FORMAT, item->header->n_types);
    break;
  case GHC_ITEM_EVENT:
    if (item->cap != GHC_NO_CAP)
      g_string_append_printf (line, " cap=%u", item->cap);
    g_string_append_printf (line, " time=%" G_GUINT64_FORMAT " %s", item->time, event);
    break;
  case GHC_ITEM_END:
    g_string_append (line, " end");
    break;
  case GHC_ITEM_DAMAGE:
    assert_int_equal (item->size, item->damage->skipped);
    g_string_append_printf (line, " damage %s missing=%" G_GUINT64_FORMAT " -- %s",
                            item->damage->reason == GHC_DAMAGE_TRUNCATED ? "truncated" : "corrupt",
                            item->damage->missing, item->damage->message);
    break;
  }
  return g_string_free (line, FALSE);
}

static void
clear_item (gpointer data)
{
  struct ghc_noted *noted = data;
  g_free (noted->line);
  g_free (noted->event);
}

static void
note_item (struct ghc_items *items, const struct ghc_item *item)
{
  struct ghc_noted noted = {
    .type = item->type,
    .offset = item->offset,
    .size = item->size,
    .reason = item->damage != NULL ? item->damage->reason : 0,
    .missing = item->damage != NULL ? item->damage->missing : 0,
    .event = item->type == GHC_ITEM_EVENT ? ghc_items_event (item) : NULL,
  };
  noted.line = line_of (item, noted.event);
  g_array_append_val (items->items, noted);
}

static enum proflog_result
drain (struct ghc_reader *reader, struct ghc_items *items)
{
  const struct ghc_item *item;
  enum proflog_result result;
  while ((result = ghc_reader_next (reader, &item)) == PROFLOG_EVENT)
    note_item (items, item);
  return result;
}

struct ghc_items *
ghc_items_read (const guint8 *bytes, gsize length, gsize first, gsize piece)
{
  struct ghc_items *items = g_new0 (struct ghc_items, 1);
  struct ghc_reader *reader = ghc_reader_new ();
  items->items = g_array_new (FALSE, FALSE, sizeof (struct ghc_noted));
  g_array_set_clear_func (items->items, clear_item);
  gsize at = 0;
  items->result = PROFLOG_NEED_MORE;
  while (at < length && items->result == PROFLOG_NEED_MORE) {
    const gsize wanted = at == 0 && first != 0 ? first : piece != 0 ? piece : length;
    const gsize n = MIN (wanted, length - at);
    guint8 *copy = g_memdup2 (bytes + at, n);
    ghc_reader_push (reader, copy, n);
    if (first != 0 && at + n == length)
      ghc_reader_finish (reader); /* with the last piece; else once the reader wants more */
    items->result = drain (reader, items);
    g_free (copy);
    at += n;
  }
  ghc_reader_finish (reader);
  if (items->result == PROFLOG_NEED_MORE)
    items->result = drain (reader, items);
  const struct ghc_item *item;
  assert_int_equal (ghc_reader_next (reader, &item), items->result);
  if (ghc_reader_error (reader) != NULL)
    items->error = g_error_copy (ghc_reader_error (reader));
  ghc_reader_free (reader);
  return items;
}

void
ghc_items_free (struct ghc_items *items)
{
  g_array_unref (items->items);
  g_clear_error (&items->error);
  g_free (items);
}

void
ghc_items_check (const struct ghc_items *items, gsize length)
{
  guint64 end = 0;
  for (guint i = 0; i < items->items->len; i++) {
    assert_int_equal (ghc_items_nth (items, i).offset, end);
    end += ghc_items_nth (items, i).size;
  }
  if (items->result == PROFLOG_END) {
    assert_int_equal (end, length);
    assert_null (items->error);
  } else {
    assert_int_equal (items->result, PROFLOG_ERROR);
    assert_non_null (items->error);
    assert_true (end <= length);
  }
}

void
ghc_items_check_equal (const struct ghc_items *a, const struct ghc_items *b)
{
  for (guint i = 0; i < MIN (a->items->len, b->items->len); i++)
    assert_string_equal (ghc_items_nth (a, i).line, ghc_items_nth (b, i).line);
  assert_int_equal (a->items->len, b->items->len);
  assert_int_equal (a->result, b->result);
  assert_int_equal (a->error != NULL, b->error != NULL);
  if (a->error != NULL)
    assert_string_equal (a->error->message, b->error->message);
}

void
ghc_items_check_splits (const guint8 *bytes, gsize length, gboolean all)
{
  struct ghc_items *whole = ghc_items_read (bytes, length, 0, 0);
  ghc_items_check (whole, length);
  for (gsize split = 1; split < length; split += all ? 1 : 1 + length / 97) {
    struct ghc_items *items = ghc_items_read (bytes, length, split, 0);
    ghc_items_check_equal (whole, items);
    ghc_items_free (items);
  }
  for (gsize piece = 1; piece < (all ? 40 : 4); piece++) {
    struct ghc_items *items = ghc_items_read (bytes, length, 0, piece);
    ghc_items_check_equal (whole, items);
    ghc_items_free (items);
  }
  ghc_items_free (whole);
}

/* All that was whole before the cut comes out as before; then one damage states that something is
 * missing, unless the log that is left is whole: up to the end mark of the first of several. */
static void
check_cut (const guint8 *bytes, const struct ghc_items *whole, gsize cut)
{
  struct ghc_items *items = ghc_items_read (bytes, cut, 0, 0);
  guint n = 0;
  ghc_items_check (items, cut);
  for (; n < whole->items->len; n++) {
    const struct ghc_noted *item = &ghc_items_nth (whole, n);
    if (item->offset + item->size > cut)
      break;
    assert_true (n < items->items->len);
    assert_string_equal (item->line, ghc_items_nth (items, n).line);
  }
  const gboolean is_whole = n > 0 && ghc_items_nth (whole, n - 1).type == GHC_ITEM_END
                            && ghc_items_nth (whole, n - 1).offset + 2 == cut;
  if (cut < 4) {
    assert_int_equal (items->result, PROFLOG_ERROR);
  } else if (is_whole) {
    assert_int_equal (items->items->len, n);
  } else {
    assert_int_equal (items->items->len, n + 1);
    assert_int_equal (ghc_items_nth (items, n).type, GHC_ITEM_DAMAGE);
    assert_int_equal (ghc_items_nth (items, n).reason, GHC_DAMAGE_TRUNCATED);
  }
  ghc_items_free (items);
}

void
ghc_items_check_cuts (const guint8 *bytes, gsize length, gboolean all)
{
  struct ghc_items *whole = ghc_items_read (bytes, length, 0, 0);
  for (gsize cut = 0; cut < length; cut += all ? 1 : 1 + length / 97)
    check_cut (bytes, whole, cut);
  ghc_items_free (whole);
}

/* ---- making logs ---- */

void
ghc_put (GByteArray *log, guint64 number, unsigned bytes)
{
  while (bytes-- > 0) {
    const guint8 byte = (guint8) (number >> (8 * bytes));
    g_byte_array_append (log, &byte, 1);
  }
}

static void
put_text (GByteArray *log, const char *text)
{
  g_byte_array_append (log, (const guint8 *) text, (guint) strlen (text));
}

void
ghc_put_header_begin (GByteArray *log)
{
  put_text (log, "hdrbhetb");
}

void
ghc_put_type (GByteArray *log, guint tag, guint size, const char *description)
{
  put_text (log, "etb");
  ghc_put (log, 0, 1);
  ghc_put (log, tag, 2);
  ghc_put (log, size, 2);
  ghc_put (log, strlen (description), 4);
  put_text (log, description);
  ghc_put (log, 0, 4);
  put_text (log, "ete");
  ghc_put (log, 0, 1);
}

void
ghc_put_all_types (GByteArray *log)
{
  for (unsigned kind = 0; kind < GHC_KINDS; kind++)
    ghc_put_type (log, ghc_describe (kind)->tag, ghc_describe (kind)->size, "");
}

void
ghc_put_header_end (GByteArray *log)
{
  put_text (log, "hetehdredatb");
}

void
ghc_put_event (GByteArray *log, guint tag, guint64 time)
{
  ghc_put (log, tag, 2);
  ghc_put (log, time, 8);
}

void
ghc_put_kind (GByteArray *log, enum ghc_kind kind, guint64 time, ...)
{
  va_list args;
  va_start (args, time);
  ghc_put_event (log, ghc_describe (kind)->tag, time);
  for (unsigned bytes; (bytes = va_arg (args, unsigned)) != 0;)
    ghc_put (log, va_arg (args, guint64), bytes);
  va_end (args);
}

void
ghc_put_block (GByteArray *log, guint32 size, guint64 time, guint64 end, guint cap)
{
  ghc_put_event (log, 18, time);
  ghc_put (log, size, 4);
  ghc_put (log, end, 8);
  ghc_put (log, cap, 2);
}
