/* log-events.c -- prints a log so that two logs of the same events print the same: in the order of
 * their times, without times and places in the log, threads numbered as they come, classes, methods
 * and images under their names.  Announcements of these, which the module's writer makes in
 * whatever order, come first, sorted. */
#include "config.h"

#include "decoder/mlpd/mlpd-describe.h"
#include <glib.h>
#include <inttypes.h>
#include <proflog/mlpd-reader.h>
#include <proflog/module-options.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ID_BITS = 47 };

/* Times are not, nor are things with another address in another log, and no name. */
#define NOT_COMPARED MLPD_UNIT_NS

enum named { CLASSES, METHODS, IMAGES, VTABLES, NAMED_KINDS };

struct name {
  uint64_t address, time;
  char *text;
};

struct line {
  uint64_t time, thread;
  guint order; /* of the thread in the log */
  char *text;
};

static GArray *names[NAMED_KINDS]; /* struct name, in the order of the log */
static GArray *lines;              /* struct line, likewise */
static GPtrArray *announcements;
static GArray *threads; /* uint64_t: ids, in the order of the log */
static uint64_t buffer_offset;
static GHashTable *ended;      /* ids of threads that have ended, on the first way */
static GHashTable *beginnings; /* offsets of buffers that begin threads with such an id */
static GHashTable *bearers;    /* id -> how many threads had it before, on the second way */
static GHashTable *recorders;  /* ids of the module's own threads, which it starts when it likes */
static unsigned version;

/* The class that the event right before in the buffer announces. */
static struct {
  bool there;
  uint64_t time;
  char *announcement, *name;
} before;

static void
add_name (enum named named, uint64_t address, uint64_t time, struct mlpd_string text)
{
  const struct name name = { address, time, g_strndup (text.text, text.length) };
  g_array_append_val (names[named], name);
}

/* The last that was announced up to the time, else the first. */
static const char *
name_of (enum named named, uint64_t address, uint64_t time)
{
  const struct name *found = NULL;
  for (guint i = 0; i < names[named]->len; i++) {
    const struct name *n = &g_array_index (names[named], struct name, i);
    if (n->address == address
        && (found == NULL || (n->time <= time && (found->time > time || n->time >= found->time))))
      found = n;
  }
  return found != NULL ? found->text : "?";
}

/* ---- fields ---- */

static uint64_t bearer_of (uint64_t id);

struct printing {
  GString *text;
  uint64_t time;
  enum mlpd_unit announced; /* the thing that the event names */
  enum mlpd_unit key;       /* of the owner of a root */
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
  case MLPD_UNIT_VTABLE:
    g_string_append (p->text, name_of (VTABLES, value, p->time));
    break;
  case MLPD_UNIT_THREAD: /* its number is known when all lines are in order */
    g_string_append_printf (p->text, "\001%" PRIu64 "\001", bearer_of (value));
    break;
  case NOT_COMPARED:
    g_string_append (p->text, "some");
    break;
  default:
    g_string_append_printf (p->text, "%" PRIu64, value);
  }
}

static void
put_number (const struct mlpd_field *field, uint64_t value, void *data)
{
  struct printing *p = data;
  if (strcmp (field->name, "time") == 0 || field->unit == p->announced
      || strcmp (field->name, "assembly") == 0)
    return;
  g_string_append_printf (p->text, " %s=", field->name);
  put_value (p, strcmp (field->name, "key") == 0 && value != 0 ? p->key : field->unit, value);
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

static enum mlpd_unit
unit_of_key (uint64_t source)
{
  switch (source) {
  case MLPD_ROOT_SOURCE_STATIC:
    return MLPD_UNIT_VTABLE;
  case MLPD_ROOT_SOURCE_CONTEXT_STATIC: /* the address of one */
    return NOT_COMPARED;
  case MLPD_ROOT_SOURCE_STACK:
  case MLPD_ROOT_SOURCE_THREAD_STATIC:
  case MLPD_ROOT_SOURCE_HANDLE:
    return MLPD_UNIT_THREAD;
  default:
    return MLPD_UNIT_NUMBER;
  }
}

static char *
text_of (const struct mlpd_item *item, uint64_t time)
{
  static const struct mlpd_visitor visitor
      = { put_number, put_text, put_list, open_list, next_item, close_list };
  struct printing p
      = { g_string_new (mlpd_describe (item->kind)->name), time, MLPD_UNIT_NS, MLPD_UNIT_NUMBER };
  if (item->kind == MLPD_METADATA_CLASS)
    p.announced = MLPD_UNIT_CLASS;
  else if (item->kind == MLPD_METADATA_IMAGE)
    p.announced = MLPD_UNIT_IMAGE;
  else if (item->kind == MLPD_METHOD_JIT)
    p.announced = MLPD_UNIT_METHOD;
  else if (item->kind == MLPD_METADATA_VTABLE)
    p.announced = MLPD_UNIT_VTABLE;
  else if (item->kind == MLPD_HEAP_ROOT_REGISTER)
    p.key = unit_of_key (item->payload->heap_root_register.source);
  mlpd_visit (item->kind, item->payload, version, &visitor, &p);
  return g_string_free (p.text, FALSE);
}

/* ---- events ---- */

/* Events of the module itself: no callback causes them. */
static bool
is_own (enum mlpd_kind kind)
{
  return (kind >= MLPD_SAMPLE_HIT && kind <= MLPD_SAMPLE_COUNTERS) || kind == MLPD_META_SYNC_POINT
         || kind == MLPD_META_AOT_ID;
}

static bool
is_announcement (enum mlpd_kind kind)
{
  return kind == MLPD_METADATA_IMAGE || kind == MLPD_METADATA_ASSEMBLY
         || kind == MLPD_METADATA_VTABLE || kind == MLPD_METHOD_JIT;
}

static struct mlpd_string
class_of (uint64_t klass, uint64_t time)
{
  const char *name = name_of (CLASSES, klass, time);
  return (struct mlpd_string){ name, strlen (name) };
}

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
  else if (item->kind == MLPD_METADATA_VTABLE)
    add_name (VTABLES, item->payload->metadata_vtable.vtable, time,
              class_of (item->payload->metadata_vtable.klass, time));
  else if (item->kind == MLPD_METHOD_JIT)
    add_name (METHODS, item->payload->method_jit.method, time, item->payload->method_jit.name);
}

/* An id that is used again after its thread has ended is another thread, from the buffer on in
 * which it states its start: the thread's number is above the addresses of programs. */
static uint64_t
bearer_of (uint64_t id)
{
  return id | (uint64_t) GPOINTER_TO_UINT (g_hash_table_lookup (bearers, &id)) << ID_BITS;
}

/* On the first way: notes the buffers that begin such threads. */
static void
note_thread (const struct mlpd_item *item)
{
  const uint64_t id = item->buffer->thread;
  const struct mlpd_metadata_thread *e = &item->payload->metadata_thread;
  if (item->kind != MLPD_METADATA_THREAD || e->thread != id)
    return;
  if (e->action == MLPD_LOAD_NAME && g_strcmp0 (e->name.text, PROFLOG_MODULE_NAME) == 0)
    g_hash_table_add (recorders, g_memdup2 (&id, sizeof id));
  else if (e->action == MLPD_LOAD_END_UNLOAD)
    g_hash_table_add (ended, g_memdup2 (&id, sizeof id));
  else if (e->action == MLPD_LOAD_END_LOAD && g_hash_table_remove (ended, &id))
    g_hash_table_add (beginnings, g_memdup2 (&buffer_offset, sizeof buffer_offset));
}

static void
begin_buffer (const struct mlpd_item *item, bool for_names)
{
  const uint64_t id = item->buffer->thread;
  buffer_offset = item->offset;
  if (!for_names && g_hash_table_contains (beginnings, &buffer_offset))
    g_hash_table_insert (bearers, g_memdup2 (&id, sizeof id),
                         GUINT_TO_POINTER ((guint) (bearer_of (id) >> ID_BITS) + 1));
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

/* The beginning or end of a file or of the module's own thread, which is no event of the program.
 */
static bool
is_moment (const struct mlpd_item *item)
{
  const struct mlpd_metadata_thread *e = &item->payload->metadata_thread;
  if (item->kind == MLPD_META_SYNC_POINT)
    return item->payload->meta_sync_point.sync_type == MLPD_SYNC_TYPE_PERIODIC;
  return item->kind == MLPD_METADATA_THREAD && e->thread == item->buffer->thread
         && (item->header->data_version == 1 || g_hash_table_contains (recorders, &e->thread));
}

static void
take_event (const struct mlpd_item *item, uint64_t time)
{
  if (is_moment (item))
    return;
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
  if (is_announcement (item->kind)) {
    g_ptr_array_add (announcements, text);
    return;
  }
  const uint64_t thread = bearer_of (item->buffer->thread);
  const struct line line = { time, thread, order_of (thread), text };
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
      begin_buffer (item, for_names);
      time = item->buffer->time_base;
    }
    if (item->type != MLPD_ITEM_EVENT || is_own (item->kind))
      continue;
    mlpd_event_time (item->kind, item->payload, &time);
    if (for_names) {
      take_names (item, time);
      note_thread (item);
    } else {
      take_event (item, time);
    }
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

/* A line with the numbers of threads in it. */
static void
print_text (const char *text)
{
  const char *id;
  for (; (id = strchr (text, 1)) != NULL; text = strchr (id + 1, 1) + 1)
    printf ("%.*s%u", (int) (id - text), text, order_of (g_ascii_strtoull (id + 1, NULL, 10)) + 1);
  puts (text);
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
    printf ("thread %u ", order_of (line->thread) + 1);
    print_text (line->text);
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
  for (int s = 0; s < NAMED_KINDS; s++)
    names[s] = g_array_new (FALSE, FALSE, sizeof (struct name));
  lines = g_array_new (FALSE, FALSE, sizeof (struct line));
  threads = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  announcements = g_ptr_array_new ();
  ended = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  beginnings = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  bearers = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  recorders = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  read_log (bytes, length, true);
  read_log (bytes, length, false);
  g_free (bytes);
  print ();
  return 0;
}
