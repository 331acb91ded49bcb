/* log-events.c -- prints what a log tells so that two logs of the same events print the same: in
 * the order of their times, without times and places in the log, threads numbered as they come,
 * classes, methods and images under their names.  Announcements of these, which the module's writer
 * makes in whatever order, come first, sorted. */
#include "decoder/formats/mlpd-describe.h"
#include <glib.h>
#include <inttypes.h>
#include <proflog/mlpd-reader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum sort { CLASSES, METHODS, IMAGES, SORTS };

struct name {
  uint64_t address, time;
  char *text;
};

struct line {
  uint64_t time, thread;
  guint order; /* of the thread in the log */
  char *text;
};

static GArray *names[SORTS]; /* struct name, in the order of the log */
static GArray *lines;        /* struct line, likewise */
static GPtrArray *announcements;
static GArray *threads; /* uint64_t: ids, in the order of the log */
static unsigned version;

/* The class that the event right before in the buffer announces. */
static struct {
  bool there;
  uint64_t time;
  char *announcement, *name;
} before;

static void
add_name (enum sort sort, uint64_t address, uint64_t time, struct mlpd_string text)
{
  const struct name name = { address, time, g_strndup (text.text, text.length) };
  g_array_append_val (names[sort], name);
}

/* The last that was announced up to the time, else the first. */
static const char *
name_of (enum sort sort, uint64_t address, uint64_t time)
{
  const struct name *found = NULL;
  for (guint i = 0; i < names[sort]->len; i++) {
    const struct name *n = &g_array_index (names[sort], struct name, i);
    if (n->address == address
        && (found == NULL || (n->time <= time && (found->time > time || n->time >= found->time))))
      found = n;
  }
  return found != NULL ? found->text : "?";
}

/* ---- fields ---- */

struct printing {
  GString *text;
  uint64_t time;
  enum mlpd_unit announced; /* what the event gives a name, which it tells itself */
};

static void
put_value (struct printing *p, enum mlpd_unit unit, uint64_t value)
{
  switch (unit) {
  case MLPD_UNIT_CLASS:
    g_string_append (p->text, name_of (CLASSES, value, p->time));
    break;
  case MLPD_UNIT_METHOD:
    g_string_append (p->text, name_of (METHODS, value, p->time));
    break;
  case MLPD_UNIT_IMAGE:
    g_string_append (p->text, name_of (IMAGES, value, p->time));
    break;
  default:
    g_string_append_printf (p->text, "%" PRIu64, value);
  }
}

static void
put_number (const struct mlpd_field *field, uint64_t value, void *data)
{
  struct printing *p = data;
  if (strcmp (field->name, "time") == 0 || field->unit == p->announced)
    return;
  g_string_append_printf (p->text, " %s=", field->name);
  put_value (p, field->unit, value);
}

static void
put_text (const struct mlpd_field *field, struct mlpd_string text, void *data)
{
  struct printing *p = data;
  g_string_append_printf (p->text, " %s=%s", field->name, text.text);
}

static void
put_list (const struct mlpd_field *field, struct mlpd_list list, void *data)
{
  struct printing *p = data;
  g_string_append_printf (p->text, " %s=[", field->name);
  for (size_t i = 0; i < list.count; i++) {
    g_string_append_c (p->text, ';');
    put_value (p, field->unit, list.items[i]);
  }
  g_string_append_c (p->text, ']');
}

static void
open_list (const struct mlpd_field *field, size_t count, void *data)
{
  g_string_append_printf (((struct printing *) data)->text, " %s %zu:", field->name, count);
}

static void
next_item (void *data)
{
  g_string_append (((struct printing *) data)->text, " |");
}

static void
close_list (const struct mlpd_field *field, void *data)
{
  (void) field;
  (void) data;
}

static char *
text_of (const struct mlpd_item *item, uint64_t time)
{
  static const struct mlpd_visitor visitor
      = { put_number, put_text, put_list, open_list, next_item, close_list };
  struct printing p = { g_string_new (mlpd_describe (item->kind)->name), time, MLPD_UNIT_NS };
  if (item->kind == MLPD_METADATA_CLASS)
    p.announced = MLPD_UNIT_CLASS;
  else if (item->kind == MLPD_METADATA_IMAGE)
    p.announced = MLPD_UNIT_IMAGE;
  else if (item->kind == MLPD_METHOD_JIT)
    p.announced = MLPD_UNIT_METHOD;
  mlpd_visit (item->kind, item->payload, version, &visitor, &p);
  return g_string_free (p.text, FALSE);
}

/* ---- events ---- */

static void
take_names (const struct mlpd_item *item, uint64_t time)
{
  if (item->kind == MLPD_METADATA_CLASS
      && item->payload->metadata_class.action == MLPD_LOAD_END_LOAD)
    add_name (CLASSES, item->payload->metadata_class.klass, time,
              item->payload->metadata_class.name);
  else if (item->kind == MLPD_METADATA_IMAGE)
    add_name (IMAGES, item->payload->metadata_image.image, time,
              item->payload->metadata_image.name);
  else if (item->kind == MLPD_METHOD_JIT)
    add_name (METHODS, item->payload->method_jit.method, time, item->payload->method_jit.name);
}

static guint
order_of (uint64_t thread)
{
  guint i = 0;
  while (i < threads->len && g_array_index (threads, uint64_t, i) != thread)
    i++;
  if (i == threads->len)
    g_array_append_val (threads, thread);
  return i;
}

static void
end_before (void)
{
  if (before.there)
    g_ptr_array_add (announcements, before.announcement);
  before.there = false;
}

static void
take_event (const struct mlpd_item *item, uint64_t time)
{
  char *text = text_of (item, time);
  const bool is_typed = item->kind == MLPD_EXCEPTION_THROW || item->kind == MLPD_MONITOR;
  if (is_typed && before.there && before.time == time) {
    char *typed = g_strconcat (text, " type=", before.name, NULL);
    g_free (text);
    text = typed;
    before.there = false;
    g_free (before.announcement);
  }
  end_before ();
  if (item->kind == MLPD_METADATA_CLASS) {
    before.there = true;
    before.time = time;
    before.announcement = text;
    g_free (before.name);
    before.name = g_strdup (item->payload->metadata_class.name.text);
    return;
  }
  if (item->kind == MLPD_METADATA_IMAGE || item->kind == MLPD_METHOD_JIT) {
    g_ptr_array_add (announcements, text);
    return;
  }
  const struct line line = { time, item->buffer->thread, order_of (item->buffer->thread), text };
  g_array_append_val (lines, line);
}

static void
read_log (const char *bytes, gsize length, bool for_names)
{
  struct mlpd_reader *reader = mlpd_reader_new ();
  const struct mlpd_item *item;
  enum proflog_result result;
  uint64_t time = 0;
  bool finished = false;
  mlpd_reader_push (reader, bytes, length);
  while ((result = mlpd_reader_next (reader, &item)) != PROFLOG_END) {
    if (result == PROFLOG_NEED_MORE && !finished) {
      mlpd_reader_finish (reader);
      finished = true;
      continue;
    }
    if (result != PROFLOG_EVENT || item->type == MLPD_ITEM_DAMAGE) {
      fputs ("log-events: the log is damaged\n", stderr);
      exit (1);
    }
    if (item->type == MLPD_ITEM_FILE_HEADER)
      version = item->header->data_version;
    if (item->type == MLPD_ITEM_BUFFER) {
      end_before ();
      time = item->buffer->time_base;
    }
    if (item->type != MLPD_ITEM_EVENT)
      continue;
    mlpd_event_time (item->kind, item->payload, &time);
    if (for_names)
      take_names (item, time);
    else
      take_event (item, time);
  }
  end_before ();
  mlpd_reader_free (reader);
}

/* ---- printing ---- */

static gint
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static gint
compare_lines (gconstpointer a, gconstpointer b)
{
  const struct line *x = a, *y = b;
  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

static void
print (void)
{
  g_ptr_array_sort (announcements, compare_texts);
  for (guint i = 0; i < announcements->len; i++)
    printf ("%s\n", (char *) announcements->pdata[i]);
  g_array_sort (lines, compare_lines); /* stable */
  g_array_set_size (threads, 0);
  for (guint i = 0; i < lines->len; i++) {
    const struct line *line = &g_array_index (lines, struct line, i);
    printf ("thread %u %s\n", order_of (line->thread) + 1, line->text);
  }
}

int
main (int argc, char **argv)
{
  char *bytes;
  gsize length;
  if (argc != 2 || !g_file_get_contents (argv[1], &bytes, &length, NULL)) {
    fputs ("usage: log-events LOG\n", stderr);
    return 2;
  }
  for (int s = 0; s < SORTS; s++)
    names[s] = g_array_new (FALSE, FALSE, sizeof (struct name));
  lines = g_array_new (FALSE, FALSE, sizeof (struct line));
  threads = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  announcements = g_ptr_array_new ();
  read_log (bytes, length, true);
  read_log (bytes, length, false);
  g_free (bytes);
  print ();
  return 0;
}
