/* check-log.c -- holds a log against what the fake host fired.
 *
 *   check-log LOG [EXPECTATION...]
 *
 *   truth=FILE              the host's truth; also checks the process id
 *   same=KIND,KIND,...      for each thread and subject as many events as in the truth
 *   KIND=N   KIND>=N        so many events of this kind in all
 *   KIND:SUBJECT=N          so many about this subject, all threads together; a subject is
 *                           written as in the truth
 *   frames:KIND:A;B=N       so many events of this kind with this backtrace, outermost first
 *   cut                     the log may lack its end, as after a kill
 *
 * What every log must keep is always checked: header, no damage, times that rise within each
 * thread, names before their first use, bases below 2^56, no leave without an enter.
 */
#include "decoder/formats/log-input.h"
#include <inttypes.h>
#include <proflog/mlpd-reader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[MLPD_KINDS] = {
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc) #id,
#include <proflog/mlpd-events.def>
};

static unsigned problems;

static void problem (const char *format, ...) G_GNUC_PRINTF (1, 2);

static void
problem (const char *format, ...)
{
  if (++problems > 20)
    return;
  va_list args;
  va_start (args, format);
  fputs ("check-log: ", stderr);
  vfprintf (stderr, format, args);
  fputc ('\n', stderr);
  va_end (args);
}

static void fail (const char *format, ...) G_GNUC_PRINTF (1, 2) G_GNUC_NORETURN;

static void
fail (const char *format, ...)
{
  va_list args;
  va_start (args, format);
  fputs ("check-log: ", stderr);
  vfprintf (stderr, format, args);
  fputc ('\n', stderr);
  va_end (args);
  exit (2);
}

/* ---- names ---- */

/* One announcement.  An address may have several, one after the other in time. */
struct announcement {
  uint64_t address;
  uint64_t time;
  char *text;
};

enum sort { SORT_CLASS, SORT_IMAGE, SORT_METHOD, SORTS };

/* address -> GPtrArray of announcements, all of the log. */
static GHashTable *names[SORTS];
/* What has been announced up to here, on the second way through the log. */
static GHashTable *announced[SORTS];

static guint
hash_u64 (gconstpointer key)
{
  return g_int64_hash (key);
}

static uint64_t *
copy_u64 (uint64_t value)
{
  return g_memdup2 (&value, sizeof value);
}

static void
free_announcement (gpointer data)
{
  struct announcement *a = data;
  g_free (a->text);
  g_free (a);
}

static void
add_name (enum sort sort, uint64_t address, uint64_t time, struct mlpd_string text)
{
  GPtrArray *all = g_hash_table_lookup (names[sort], &address);
  if (all == NULL) {
    all = g_ptr_array_new_with_free_func (free_announcement);
    g_hash_table_insert (names[sort], copy_u64 (address), all);
  }
  struct announcement *a = g_new (struct announcement, 1);
  *a = (struct announcement){ .address = address,
                              .time = time,
                              .text = g_strndup (text.text, text.length) };
  g_ptr_array_add (all, a);
}

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  const struct announcement *x = *(struct announcement *const *) a;
  const struct announcement *y = *(struct announcement *const *) b;
  return x->time != y->time ? (x->time < y->time ? -1 : 1) : 0;
}

/* After the first way through the log. */
static void
sort_names (void)
{
  for (int s = 0; s < SORTS; s++) {
    GHashTableIter i;
    gpointer all;
    g_hash_table_iter_init (&i, names[s]);
    while (g_hash_table_iter_next (&i, NULL, &all))
      g_ptr_array_sort (all, compare_times); /* stable: of equal times the last one counts */
  }
}

/* The name that an address had at a time: the last one announced up to then, else the first. */
static const char *
name_at (enum sort sort, uint64_t address, uint64_t time)
{
  const GPtrArray *all = g_hash_table_lookup (names[sort], &address);
  if (all == NULL)
    return NULL;
  guint from = 0, to = all->len; /* the ones before `from` are not later than `time` */
  while (from < to) {
    guint middle = from + (to - from) / 2;
    const struct announcement *a = all->pdata[middle];
    if (a->time <= time)
      from = middle + 1;
    else
      to = middle;
  }
  const struct announcement *found = all->pdata[from > 0 ? from - 1 : 0];
  return found->text;
}

static void
announce (enum sort sort, uint64_t address)
{
  g_hash_table_add (announced[sort], copy_u64 (address));
}

static const char *
use_name (enum sort sort, uint64_t address, uint64_t time, uint64_t offset)
{
  static const char *const what[SORTS] = { "class", "image", "method" };
  if (!g_hash_table_contains (announced[sort], &address))
    problem ("offset %" PRIu64 ": %s 0x%" PRIx64 " is used before it is named", offset, what[sort],
             address);
  const char *name = name_at (sort, address, time);
  return name != NULL ? name : "?";
}

/* ---- tallies ---- */

struct tally {
  uint64_t count;
  uint64_t amount;
};

/* "KIND THREAD SUBJECT" -> tally; in the log and in the truth. */
static GHashTable *seen, *truth;
/* "KIND", "KIND:SUBJECT", "frames:KIND:A;B" -> tally */
static GHashTable *totals;
/* "KIND THREAD" -> tally: at least so much, of threads that ran on */
static GHashTable *running;

static void
add_to (GHashTable *table, const char *key, uint64_t count, uint64_t amount)
{
  struct tally *t = g_hash_table_lookup (table, key);
  if (t == NULL) {
    t = g_new0 (struct tally, 1);
    g_hash_table_insert (table, g_strdup (key), t);
  }
  t->count += count;
  t->amount += amount;
}

static struct tally
get (GHashTable *table, const char *key)
{
  const struct tally *t = g_hash_table_lookup (table, key);
  return t != NULL ? *t : (struct tally){ 0, 0 };
}

static void count (const char *kind, uint64_t thread, uint64_t amount, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

static void
count (const char *kind, uint64_t thread, uint64_t amount, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  char *subject = g_strdup_vprintf (format, args);
  va_end (args);
  char *key = g_strdup_printf ("%s %" PRIx64 " %s", kind, thread, subject);
  add_to (seen, key, 1, amount);
  g_free (key);
  key = g_strdup_printf ("%s:%s", kind, subject);
  add_to (totals, key, 1, amount);
  g_free (key);
  add_to (totals, kind, 1, amount);
  g_free (subject);
}

/* ---- the log's second way through ---- */

struct thread {
  uint64_t id;
  uint64_t time;      /* of its last event */
  bool in_shot;       /* between heap start and end */
  GHashTable *inside; /* method -> how often it is entered and not left */
};

static GHashTable *threads;
static bool complete; /* the last item was an empty buffer */

/* A class event is only known for what it is when the next event has been seen: right before a
 * throw or a contention it tells the type of that object. */
static struct {
  bool there;
  uint64_t time;
  char *name;
} mark;

static void
free_thread (gpointer data)
{
  struct thread *t = data;
  g_hash_table_unref (t->inside);
  g_free (t);
}

static struct thread *
thread_of (uint64_t id)
{
  struct thread *t = g_hash_table_lookup (threads, &id);
  if (t == NULL) {
    t = g_new0 (struct thread, 1);
    t->id = id;
    t->inside = g_hash_table_new_full (hash_u64, g_int64_equal, g_free, g_free);
    g_hash_table_insert (threads, copy_u64 (id), t);
  }
  return t;
}

static void
end_mark (void)
{
  if (mark.there)
    count ("metadata_class", 0, 0, "load %s", mark.name);
  mark.there = false;
  g_clear_pointer (&mark.name, g_free);
}

/* The type that the event before told, "-" if it did not. */
static char *
take_mark (uint64_t time)
{
  if (!mark.there || mark.time != time)
    return g_strdup ("-");
  mark.there = false;
  return g_steal_pointer (&mark.name);
}

static void
check_time (const struct mlpd_item *item, struct thread *t, uint64_t time)
{
  if (time < t->time)
    problem ("offset %" PRIu64 ": thread %" PRIx64 ": time %" PRIu64 " after %" PRIu64,
             item->offset, t->id, time, t->time);
  t->time = time;
}

static void
count_frames (const char *kind, const struct mlpd_list *backtrace, uint64_t time, uint64_t offset)
{
  GString *key = g_string_new (NULL);
  g_string_printf (key, "frames:%s:", kind);
  for (size_t i = 0; i < backtrace->count; i++)
    g_string_append_printf (key, "%s%s", i != 0 ? ";" : "",
                            use_name (SORT_METHOD, backtrace->items[i], time, offset));
  add_to (totals, key->str, 1, 0);
  g_string_free (key, TRUE);
}

static void
check_call (const struct mlpd_item *item, struct thread *t, uint64_t method, int change)
{
  int *depth = g_hash_table_lookup (t->inside, &method);
  if (depth == NULL) {
    depth = g_new0 (int, 1);
    g_hash_table_insert (t->inside, copy_u64 (method), depth);
  }
  if (*depth + change < 0)
    problem ("offset %" PRIu64 ": thread %" PRIx64 ": leave of 0x%" PRIx64 " without enter",
             item->offset, t->id, method);
  else
    *depth += change;
}

static void
check_heap_object (const struct mlpd_item *item, struct thread *t)
{
  const struct mlpd_heap_object *o = &item->payload->heap_object;
  if (!t->in_shot)
    problem ("offset %" PRIu64 ": an object outside a heap shot", item->offset);
  const char *class_name = use_name (SORT_CLASS, o->klass, t->time, item->offset);
  if (o->size != 0) /* 0: more references of the one before */
    count ("heap_object", t->id, o->size, "%s", class_name);
  for (size_t i = 0; i < o->references.count; i++)
    count ("heap_reference", t->id, 0, "0x%" PRIx64 " 0x%" PRIx64, o->object,
           o->references.items[i]);
}

static void
check_event (const struct mlpd_item *item)
{
  struct thread *t = thread_of (item->buffer->thread);
  const union mlpd_payload *p = item->payload;
  const char *kind = kind_names[item->kind];
  if (item->kind != MLPD_EXCEPTION_THROW && item->kind != MLPD_MONITOR)
    end_mark ();
  switch (item->kind) {
  case MLPD_HEAP_OBJECT:
    break; /* the only one without a time */
#define TIME_OF(ID, id)                                                                            \
  case MLPD_##ID:                                                                                  \
    check_time (item, t, p->id.time);                                                              \
    break;
    TIME_OF (ALLOC, alloc)
    TIME_OF (GC_EVENT, gc_event)
    TIME_OF (GC_RESIZE, gc_resize)
    TIME_OF (GC_MOVE, gc_move)
    TIME_OF (METADATA_CLASS, metadata_class)
    TIME_OF (METADATA_IMAGE, metadata_image)
    TIME_OF (METHOD_JIT, method_jit)
    TIME_OF (METHOD_ENTER, method_enter)
    TIME_OF (METHOD_LEAVE, method_leave)
    TIME_OF (METHOD_EXC_LEAVE, method_exc_leave)
    TIME_OF (EXCEPTION_THROW, exception_throw)
    TIME_OF (EXCEPTION_CLAUSE, exception_clause)
    TIME_OF (MONITOR, monitor)
    TIME_OF (HEAP_START, heap_start)
    TIME_OF (HEAP_END, heap_end)
  default:
    problem ("offset %" PRIu64 ": the module has no business to write %s", item->offset, kind);
  }
  char *type = NULL;
  switch (item->kind) {
  case MLPD_ALLOC:
    count (kind, t->id, p->alloc.size, "%s",
           use_name (SORT_CLASS, p->alloc.klass, t->time, item->offset));
    count_frames (kind, &p->alloc.backtrace, t->time, item->offset);
    break;
  case MLPD_GC_EVENT:
    count (kind, t->id, 0, "%" PRIu64 "/%" PRIu64, p->gc_event.event, p->gc_event.generation);
    break;
  case MLPD_GC_RESIZE:
    count (kind, t->id, 0, "0x%" PRIx64, p->gc_resize.size);
    break;
  case MLPD_GC_MOVE:
    if (p->gc_move.objects.count % 2 != 0)
      problem ("offset %" PRIu64 ": an odd number of addresses in a move", item->offset);
    count (kind, t->id, p->gc_move.objects.count / 2, "pairs");
    break;
  case MLPD_METADATA_CLASS:
    use_name (SORT_IMAGE, p->metadata_class.image, t->time, item->offset);
    if (p->metadata_class.action == MLPD_LOAD_END_LOAD_ERROR) {
      count (kind, 0, 0, "load-error %.*s", (int) p->metadata_class.name.length,
             p->metadata_class.name.text);
      break;
    }
    announce (SORT_CLASS, p->metadata_class.klass);
    mark.there = true;
    mark.time = t->time;
    mark.name = g_strndup (p->metadata_class.name.text, p->metadata_class.name.length);
    break;
  case MLPD_METADATA_IMAGE:
    count (kind, 0, 0, "%s %.*s",
           p->metadata_image.action == MLPD_LOAD_END_LOAD_ERROR ? "load-error" : "load",
           (int) p->metadata_image.name.length, p->metadata_image.name.text);
    if (p->metadata_image.action == MLPD_LOAD_END_LOAD)
      announce (SORT_IMAGE, p->metadata_image.image);
    break;
  case MLPD_METHOD_JIT:
    count (kind, 0, 0, "0x%" PRIx64 " %" PRIu64 " %.*s", p->method_jit.code, p->method_jit.size,
           (int) p->method_jit.name.length, p->method_jit.name.text);
    announce (SORT_METHOD, p->method_jit.method);
    break;
  case MLPD_METHOD_ENTER:
    count (kind, t->id, 0, "%s",
           use_name (SORT_METHOD, p->method_enter.method, t->time, item->offset));
    check_call (item, t, p->method_enter.method, 1);
    break;
  case MLPD_METHOD_LEAVE:
    count (kind, t->id, 0, "%s",
           use_name (SORT_METHOD, p->method_leave.method, t->time, item->offset));
    check_call (item, t, p->method_leave.method, -1);
    break;
  case MLPD_METHOD_EXC_LEAVE:
    count (kind, t->id, 0, "%s",
           use_name (SORT_METHOD, p->method_exc_leave.method, t->time, item->offset));
    check_call (item, t, p->method_exc_leave.method, -1);
    break;
  case MLPD_EXCEPTION_THROW:
    type = take_mark (t->time);
    count (kind, t->id, 0, "0x%" PRIx64 " %s", p->exception_throw.object, type);
    count_frames (kind, &p->exception_throw.backtrace, t->time, item->offset);
    break;
  case MLPD_EXCEPTION_CLAUSE:
    count (kind, t->id, 0, "%" PRIu64 "/%" PRIu64 " %s", p->exception_clause.clause_type,
           p->exception_clause.clause,
           use_name (SORT_METHOD, p->exception_clause.method, t->time, item->offset));
    break;
  case MLPD_MONITOR:
    type = p->monitor.event == MLPD_MONITOR_EVENT_CONTENTION ? take_mark (t->time) : NULL;
    count (kind, t->id, 0, "%" PRIu64 " 0x%" PRIx64 "%s%s", p->monitor.event, p->monitor.object,
           type != NULL ? " " : "", type != NULL ? type : "");
    count_frames (kind, &p->monitor.backtrace, t->time, item->offset);
    break;
  case MLPD_HEAP_START:
  case MLPD_HEAP_END:
    if (t->in_shot != (item->kind == MLPD_HEAP_END))
      problem ("offset %" PRIu64 ": heap shots overlap", item->offset);
    t->in_shot = item->kind == MLPD_HEAP_START;
    count (kind, t->id, 0, "-");
    break;
  case MLPD_HEAP_OBJECT:
    check_heap_object (item, t);
    break;
  default:
    break;
  }
  g_free (type);
  if (item->kind != MLPD_METADATA_CLASS)
    end_mark ();
}

static void
check_file_header (const struct mlpd_file_header *h)
{
  uint64_t now = (uint64_t) g_get_real_time () / 1000;
  if (h->major != 0 || h->data_version != 1 || h->pointer_size != sizeof (void *) || h->flags != 0
      || h->port != 0 || h->system == 0)
    problem (
        "file header: major %u, data version %u, pointer size %u, flags %u, port %u, system %u",
        h->major, h->data_version, h->pointer_size, h->flags, h->port, h->system);
  if (h->start_ms > now || h->start_ms + 3600000 < now)
    problem ("file header: start at %" PRIu64 " ms, now is %" PRIu64, h->start_ms, now);
  add_to (totals, "pid", h->pid, 0);
}

static void
check_buffer (const struct mlpd_item *item)
{
  const struct mlpd_buffer_header *b = item->buffer;
  if (b->thread == 0 || b->thread >= MLPD_BASE_LIMIT || b->ptr_base >= MLPD_BASE_LIMIT
      || b->obj_base >= MLPD_BASE_LIMIT || b->method_base >= MLPD_BASE_LIMIT)
    problem ("offset %" PRIu64 ": thread or base is 0 or 2^56 or more", item->offset);
  struct thread *t = thread_of (b->thread);
  if (b->length != 0)
    check_time (item, t, b->time_base);
}

static void
check_item (const struct mlpd_item *item)
{
  switch (item->type) {
  case MLPD_ITEM_FILE_HEADER:
    check_file_header (item->header);
    break;
  case MLPD_ITEM_BUFFER:
    end_mark ();
    check_buffer (item);
    complete = item->buffer->length == 0;
    break;
  case MLPD_ITEM_EVENT:
    complete = false;
    check_event (item);
    break;
  case MLPD_ITEM_DAMAGE:
    complete = false;
    if (item->damage->reason != MLPD_DAMAGE_TRUNCATED)
      problem ("offset %" PRIu64 ": damage: %s", item->offset, item->damage->message);
    else
      add_to (totals, "truncated", 1, 0);
    break;
  }
}

static void
collect_names (const struct mlpd_item *item)
{
  if (item->type != MLPD_ITEM_EVENT)
    return;
  const union mlpd_payload *p = item->payload;
  if (item->kind == MLPD_METADATA_CLASS && p->metadata_class.action == MLPD_LOAD_END_LOAD)
    add_name (SORT_CLASS, p->metadata_class.klass, p->metadata_class.time, p->metadata_class.name);
  if (item->kind == MLPD_METADATA_IMAGE && p->metadata_image.action == MLPD_LOAD_END_LOAD)
    add_name (SORT_IMAGE, p->metadata_image.image, p->metadata_image.time, p->metadata_image.name);
  if (item->kind == MLPD_METHOD_JIT)
    add_name (SORT_METHOD, p->method_jit.method, p->method_jit.time, p->method_jit.name);
}

static void
read_log (const char *path, void (*each) (const struct mlpd_item *))
{
  GError *error = NULL;
  struct log_input *input = log_input_open (path, &error);
  if (input == NULL)
    fail ("%s", error->message);
  struct mlpd_reader *reader = mlpd_reader_new ();
  for (;;) {
    const struct mlpd_item *item;
    enum proflog_result result = mlpd_reader_next (reader, &item);
    if (result == PROFLOG_EVENT) {
      each (item);
    } else if (result == PROFLOG_NEED_MORE) {
      const uint8_t *bytes;
      size_t length;
      if (!log_input_read (input, &bytes, &length, &error))
        fail ("%s", error->message);
      if (length != 0)
        mlpd_reader_push (reader, bytes, length);
      else
        mlpd_reader_finish (reader);
    } else if (result == PROFLOG_ERROR) {
      fail ("%s: %s", path, mlpd_reader_error (reader)->message);
    } else {
      break;
    }
  }
  if (log_input_damage (input) != NULL)
    problem ("%s", log_input_damage (input)->message);
  mlpd_reader_free (reader);
  log_input_close (input);
}

/* ---- expectations ---- */

static void
read_truth_line (const char *line)
{
  char **word = g_strsplit (line, " ", 6);
  guint n = g_strv_length (word);
  if (n == 6 && strcmp (word[0], "tally") == 0) {
    char *key = g_strdup_printf ("%s %s %s", word[1], word[2], word[5]);
    add_to (truth, key, strtoull (word[3], NULL, 10), strtoull (word[4], NULL, 10));
    g_free (key);
  } else if (n == 4 && strcmp (word[0], "running") == 0) {
    char *key = g_strdup_printf ("%s %s", word[1], word[2]);
    add_to (running, key, strtoull (word[3], NULL, 10), 0);
    g_free (key);
  } else if (n == 2 && strcmp (word[0], "pid") == 0
             && get (totals, "pid").count != strtoull (word[1], NULL, 10)) {
    problem ("file header: the process id is %" PRIu64 ", not %s", get (totals, "pid").count,
             word[1]);
  } else if (n == 2 && strcmp (word[0], "strings-in-use") == 0 && strcmp (word[1], "0") != 0) {
    problem ("the module did not free %s strings of the runtime", word[1]);
  }
  g_strfreev (word);
}

static void
read_truth (const char *path)
{
  FILE *file = fopen (path, "re");
  char *line = NULL;
  size_t size = 0;
  ssize_t length;
  if (file == NULL)
    fail ("cannot read %s", path);
  while ((length = getline (&line, &size, file)) > 0) {
    line[length - 1] = 0; /* a newline */
    read_truth_line (line);
  }
  free (line);
  fclose (file);
}

static bool
has_kind (const char *key, const char *kind)
{
  size_t length = strlen (kind);
  return strncmp (key, kind, length) == 0 && key[length] == ' ';
}

/* Whether the thread of a key "KIND THREAD SUBJECT" ran on when the truth was written. */
static bool
ran_on (const char *key)
{
  const char *space = strchr (strchr (key, ' ') + 1, ' ');
  char *thread = g_strndup (key, (gsize) (space - key));
  bool found = g_hash_table_contains (running, thread);
  g_free (thread);
  return found;
}

/* What was loaded is announced at least once: also when used, after its address was reused. */
static bool
may_be_more (const char *kind, const char *key)
{
  if (strcmp (kind, "method_jit") == 0)
    return strstr (key, " 0x0 0 ") != NULL;
  return g_str_has_prefix (kind, "metadata_") && strstr (key, " load ") != NULL;
}

static void
compare (const char *kind, const char *key)
{
  struct tally log = get (seen, key), fired = get (truth, key);
  if (ran_on (key))
    return;
  if (strcmp (kind, "gc_move") == 0)
    log.count = fired.count; /* pairs matter, not in how many events they are */
  if (may_be_more (kind, key) && log.count > fired.count)
    return;
  if (log.count != fired.count || log.amount != fired.amount)
    problem ("%s: %" PRIu64 " (%" PRIu64 ") in the log, %" PRIu64 " (%" PRIu64 ") were fired", key,
             log.count, log.amount, fired.count, fired.amount);
}

static void
expect_same (const char *kinds)
{
  char **each = g_strsplit (kinds, ",", -1);
  GHashTableIter i;
  gpointer key, value;
  for (char **kind = each; *kind != NULL; kind++) {
    bool any = false;
    g_hash_table_iter_init (&i, truth);
    while (g_hash_table_iter_next (&i, &key, NULL))
      if (has_kind (key, *kind)) {
        any = true;
        compare (*kind, key);
      }
    g_hash_table_iter_init (&i, seen);
    while (g_hash_table_iter_next (&i, &key, NULL))
      if (has_kind (key, *kind) && !g_hash_table_contains (truth, key))
        compare (*kind, key);
    g_hash_table_iter_init (&i, running);
    while (g_hash_table_iter_next (&i, &key, &value))
      if (has_kind (key, *kind)) {
        any = true;
        uint64_t logged = 0;
        GHashTableIter k;
        gpointer seen_key, seen_value;
        g_hash_table_iter_init (&k, seen);
        while (g_hash_table_iter_next (&k, &seen_key, &seen_value))
          if (has_kind (seen_key, key))
            logged += ((struct tally *) seen_value)->count;
        if (logged < ((struct tally *) value)->count)
          problem ("%s: %" PRIu64 " in the log, %" PRIu64 " were fired before the shutdown",
                   (char *) key, logged, ((struct tally *) value)->count);
      }
    if (!any)
      problem ("nothing of the kind %s was fired: the test proves nothing", *kind);
  }
  g_strfreev (each);
}

static void
expect_count (const char *expectation)
{
  const char *equals = strrchr (expectation, '=');
  if (equals == NULL || equals == expectation)
    fail ("what is %s?", expectation);
  bool at_least = equals[-1] == '>';
  char *key = g_strndup (expectation, (gsize) (equals - expectation - at_least));
  uint64_t wanted = strtoull (equals + 1, NULL, 0), found = get (totals, key).count;
  if (at_least ? found < wanted : found != wanted)
    problem ("%s: found %" PRIu64, expectation, found);
  g_free (key);
}

int
main (int argc, char **argv)
{
  if (argc < 2)
    fail ("no log given");
  for (int s = 0; s < SORTS; s++) {
    names[s] = g_hash_table_new_full (hash_u64, g_int64_equal, g_free,
                                      (GDestroyNotify) g_ptr_array_unref);
    announced[s] = g_hash_table_new_full (hash_u64, g_int64_equal, g_free, NULL);
  }
  threads = g_hash_table_new_full (hash_u64, g_int64_equal, g_free, free_thread);
  GHashTable **tables[] = { &seen, &truth, &totals, &running };
  for (size_t i = 0; i < G_N_ELEMENTS (tables); i++)
    *tables[i] = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  read_log (argv[1], collect_names);
  sort_names ();
  read_log (argv[1], check_item);
  end_mark ();

  bool cut = false;
  for (int i = 2; i < argc; i++) {
    if (g_str_has_prefix (argv[i], "truth="))
      read_truth (argv[i] + 6);
    else if (g_str_has_prefix (argv[i], "same="))
      expect_same (argv[i] + 5);
    else if (strcmp (argv[i], "cut") == 0)
      cut = true;
    else
      expect_count (argv[i]);
  }
  if (!complete && !cut)
    problem ("the log has no end");
  if (get (totals, "truncated").count != 0 && !cut)
    problem ("the log is truncated");
  if (problems != 0)
    fprintf (stderr, "check-log: %s: %u problems\n", argv[1], problems);

  for (size_t i = 0; i < G_N_ELEMENTS (tables); i++)
    g_hash_table_unref (*tables[i]);
  g_hash_table_unref (threads);
  for (int s = 0; s < SORTS; s++) {
    g_hash_table_unref (names[s]);
    g_hash_table_unref (announced[s]);
  }
  return problems != 0;
}
