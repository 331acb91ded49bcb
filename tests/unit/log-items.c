/* log-items.c -- reads Mono logs in pieces, and compares their items. */
#include "config.h"

#include "tests/unit/log-items.h"

#include "decoder/mlpd/mlpd-describe.h"
#include "tests/unit/test.h"

#include <string.h>

static const char *const reasons[] = { "truncated", "corrupt", "unknown", "other-log", "lost" };

static bool
is_address (enum mlpd_unit unit)
{
  return unit == MLPD_UNIT_ADDRESS || unit == MLPD_UNIT_OBJECT || unit == MLPD_UNIT_CLASS
         || unit == MLPD_UNIT_VTABLE || unit == MLPD_UNIT_IMAGE || unit == MLPD_UNIT_METHOD
         || unit == MLPD_UNIT_THREAD;
}

static double
double_of (guint64 bits)
{
  double number;
  memcpy (&number, &bits, sizeof number);
  return number;
}

static void
append_number (GString *line, enum mlpd_unit unit, guint64 value)
{
  if (is_address (unit))
    g_string_append_printf (line, "0x%" G_GINT64_MODIFIER "x", value);
  else if (unit == MLPD_UNIT_OFFSET)
    g_string_append_printf (line, "%" G_GINT64_FORMAT, (gint64) value);
  else if (unit == MLPD_UNIT_DOUBLE)
    g_string_append_printf (line, "%g", double_of (value));
  else
    g_string_append_printf (line, "%" G_GUINT64_FORMAT, value);
}

static void
visit_number (const struct mlpd_field *field, uint64_t value, void *data)
{
  GString *line = data;
  g_string_append_printf (line, " %s=", field->name);
  append_number (line, field->unit, value);
}

static void
visit_text (const struct mlpd_field *field, struct mlpd_string text, void *data)
{
  g_string_append_printf (data, " %s=\"", field->name);
  assert_non_null (text.text);
  assert_int_equal (text.text[text.length], 0);
  g_string_append_len (data, text.text, (gssize) text.length);
  g_string_append (data, "\"");
}

static void
visit_list (const struct mlpd_field *field, struct mlpd_list list, void *data)
{
  GString *line = data;
  g_string_append_printf (line, " %s=[", field->name);
  for (size_t i = 0; i < list.count; i++) {
    if (i != 0)
      g_string_append_c (line, ',');
    append_number (line, field->unit, list.items[i]);
  }
  g_string_append (line, "]");
}

static void
visit_open (const struct mlpd_field *field, size_t count, void *data)
{
  g_string_append_printf (data, " %s=%" G_GSIZE_FORMAT "*(", field->name, count);
}

static void
visit_item (void *data)
{
  g_string_append (data, " ;");
}

static void
visit_close (const struct mlpd_field *field G_GNUC_UNUSED, void *data)
{
  g_string_append (data, " )");
}

static const struct mlpd_visitor visitor
    = { visit_number, visit_text, visit_list, visit_open, visit_item, visit_close };

static void
append_event (GString *line, enum mlpd_kind kind, const union mlpd_payload *payload,
              unsigned version)
{
  g_string_append_printf (line, " %s", mlpd_describe (kind)->name);
  mlpd_visit (kind, payload, version, &visitor, line);
}

char *
log_items_event_text (enum mlpd_kind kind, const union mlpd_payload *payload, unsigned version)
{
  GString *line = g_string_new (NULL);
  append_event (line, kind, payload, version);
  return g_string_free (line, FALSE);
}

static void
append_file_header (GString *line, const struct mlpd_file_header *h)
{
  g_string_append_printf (line,
                          " file-header version=%u.%u data_version=%u pointer_size=%u "
                          "start_ms=%" G_GUINT64_FORMAT
                          " timer_overhead_ns=%u flags=%u pid=%u port=%u system=0x%x",
                          h->major, h->minor, h->data_version, h->pointer_size, h->start_ms,
                          h->timer_overhead_ns, h->flags, h->pid, h->port, h->system);
  if (h->major >= 3)
    g_string_append_printf (line, " start_ns=%" G_GUINT64_FORMAT, h->start_ns);
  if (h->major >= 1)
    g_string_append_printf (line, " arguments=\"%s\" architecture=\"%s\" operating_system=\"%s\"",
                            h->arguments.text, h->architecture.text, h->operating_system.text);
}

static void
append_buffer_header (GString *line, const struct mlpd_buffer_header *h)
{
  g_string_append_printf (
      line,
      " buffer length=%u time_base=%" G_GUINT64_FORMAT " ptr_base=0x%" G_GINT64_MODIFIER
      "x obj_base=0x%" G_GINT64_MODIFIER "x thread=0x%" G_GINT64_MODIFIER
      "x method_base=0x%" G_GINT64_MODIFIER "x",
      h->length, h->time_base, h->ptr_base, h->obj_base, h->thread, h->method_base);
}

static char *
line_of (const struct mlpd_item *item)
{
  GString *line = g_string_new (NULL);
  g_string_printf (line, "@%" G_GUINT64_FORMAT "+%" G_GUINT64_FORMAT, item->offset, item->size);
  switch (item->type) {
  case MLPD_ITEM_FILE_HEADER:
    append_file_header (line, item->header);
    break;
  case MLPD_ITEM_BUFFER:
    append_buffer_header (line, item->buffer);
    break;
  case MLPD_ITEM_EVENT:
    assert_non_null (item->header);
    assert_non_null (item->buffer);
    append_event (line, item->kind, item->payload,
                  MIN (item->header->data_version, MLPD_VERSION_LAST));
    break;
  case MLPD_ITEM_DAMAGE:
    assert_int_equal (item->size, item->damage->skipped);
    g_string_append_printf (line, " damage %s missing=%" G_GUINT64_FORMAT " -- %s",
                            reasons[item->damage->reason], item->damage->missing,
                            item->damage->message);
    break;
  }
  return g_string_free (line, FALSE);
}

static void
clear_item (gpointer data)
{
  g_free (((struct log_item *) data)->line);
}

static void
note_item (struct log_items *items, const struct mlpd_item *item)
{
  struct log_item noted = {
    .type = item->type,
    .offset = item->offset,
    .size = item->size,
    .reason = item->damage != NULL ? item->damage->reason : 0,
    .missing = item->damage != NULL ? item->damage->missing : 0,
    .line = line_of (item),
  };
  g_array_append_val (items->items, noted);
}

static enum proflog_result
drain (struct mlpd_reader *reader, struct log_items *items)
{
  const struct mlpd_item *item;
  enum proflog_result result;
  while ((result = mlpd_reader_next (reader, &item)) == PROFLOG_EVENT)
    note_item (items, item);
  return result;
}

struct log_items *
log_items_read (const guint8 *bytes, gsize length, gsize first, gsize piece)
{
  struct log_items *items = g_new0 (struct log_items, 1);
  struct mlpd_reader *reader = mlpd_reader_new ();
  items->items = g_array_new (FALSE, FALSE, sizeof (struct log_item));
  g_array_set_clear_func (items->items, clear_item);
  gsize at = 0;
  items->result = PROFLOG_NEED_MORE;
  while (at < length && items->result == PROFLOG_NEED_MORE) {
    const gsize wanted = at == 0 && first != 0 ? first : piece != 0 ? piece : length;
    const gsize n = MIN (wanted, length - at);
    guint8 *copy = g_memdup2 (bytes + at, n);
    mlpd_reader_push (reader, copy, n);
    if (first != 0 && at + n == length)
      mlpd_reader_finish (reader); /* with the last piece; else once the reader wants more */
    items->result = drain (reader, items);
    g_free (copy);
    at += n;
  }
  mlpd_reader_finish (reader);
  if (items->result == PROFLOG_NEED_MORE)
    items->result = drain (reader, items);
  const struct mlpd_item *item;
  assert_int_equal (mlpd_reader_next (reader, &item), items->result);
  if (mlpd_reader_error (reader) != NULL)
    items->error = g_error_copy (mlpd_reader_error (reader));
  mlpd_reader_free (reader);
  return items;
}

void
log_items_free (struct log_items *items)
{
  g_array_unref (items->items);
  g_clear_error (&items->error);
  g_free (items);
}

void
log_items_check (const struct log_items *items, gsize length)
{
  guint64 end = 0;
  for (guint i = 0; i < items->items->len; i++) {
    const struct log_item item = log_items_nth (items, i);
    /* An item of no bytes may be about earlier ones. */
    if (item.size == 0)
      assert_true (item.offset <= end);
    else
      assert_int_equal (item.offset, end);
    end += item.size;
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
log_items_check_equal (const struct log_items *a, const struct log_items *b)
{
  for (guint i = 0; i < MIN (a->items->len, b->items->len); i++)
    assert_string_equal (log_items_nth (a, i).line, log_items_nth (b, i).line);
  assert_int_equal (a->items->len, b->items->len);
  assert_int_equal (a->result, b->result);
  assert_int_equal (a->error != NULL, b->error != NULL);
  if (a->error != NULL)
    assert_string_equal (a->error->message, b->error->message);
}
