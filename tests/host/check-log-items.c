/* check-log-items.c -- the rules that every log must keep, and how often each event happens in
 * it. */
#include "config.h"

#include "tests/host/check-log.h"
#include <inttypes.h>
#include <string.h>

static const char *const kind_names[MLPD_KINDS] = {
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc) #id,
#include <proflog/mlpd-events.def>
};

struct thread {
  uint64_t id;
  uint64_t time;      /* of its last event */
  bool in_shot;       /* between heap start and end */
  GHashTable *inside; /* method -> how often it is entered and not left */
};

static GHashTable *threads; /* made when the first one is seen */
static bool complete;       /* the last item was an empty buffer */
static unsigned data_version;

/* The meaning of a class event is known only when the next event has been seen: right before a
 * throw or a contention it states the type of that object. */
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
  if (threads == NULL)
    threads = g_hash_table_new_full (hash_u64, g_int64_equal, g_free, free_thread);
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

/* The type that the event before reported, "-" if it did not. */
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
  static GString *key; /* used again, as that of count() */
  if (key == NULL)
    key = g_string_new (NULL);
  g_string_assign (key, "frames:");
  g_string_append (key, kind);
  g_string_append_c (key, ':');
  for (size_t i = 0; i < backtrace->count; i++) {
    if (i != 0)
      g_string_append_c (key, ';');
    g_string_append (key, names_use (NAMED_METHOD, backtrace->items[i], time, offset));
  }
  add_to (totals, key->str, 1, 0);
}

/* The kinds that the module may write. */
static bool
is_expected (enum mlpd_kind kind)
{
  switch (kind) {
  case MLPD_ALLOC:
  case MLPD_GC_EVENT:
  case MLPD_GC_RESIZE:
  case MLPD_GC_MOVE:
  case MLPD_METADATA_CLASS:
  case MLPD_METADATA_IMAGE:
  case MLPD_METHOD_JIT:
  case MLPD_METHOD_ENTER:
  case MLPD_METHOD_LEAVE:
  case MLPD_METHOD_EXC_LEAVE:
  case MLPD_EXCEPTION_THROW:
  case MLPD_EXCEPTION_CLAUSE:
  case MLPD_MONITOR:
  case MLPD_HEAP_START:
  case MLPD_HEAP_END:
  case MLPD_HEAP_OBJECT:
    return true;
  case MLPD_GC_HANDLE_CREATED:
  case MLPD_GC_HANDLE_DESTROYED:
  case MLPD_GC_FINALIZE_START:
  case MLPD_GC_FINALIZE_END:
  case MLPD_GC_FINALIZE_OBJECT_START:
  case MLPD_GC_FINALIZE_OBJECT_END:
  case MLPD_METADATA_ASSEMBLY:
  case MLPD_METADATA_DOMAIN:
  case MLPD_METADATA_CONTEXT:
  case MLPD_METADATA_THREAD:
  case MLPD_METADATA_VTABLE:
  case MLPD_HEAP_ROOT:
  case MLPD_HEAP_ROOT_REGISTER:
  case MLPD_HEAP_ROOT_UNREGISTER:
  case MLPD_RUNTIME_JIT_HELPER:
  case MLPD_SAMPLE_HIT:
  case MLPD_SAMPLE_SYMBOL:
  case MLPD_SAMPLE_COUNTERS_DESC:
  case MLPD_SAMPLE_COUNTERS:
  case MLPD_META_SYNC_POINT:
    return data_version == MLPD_VERSION_LAST;
  default:
    return false;
  }
}

/* The time of an event; that of the one before for objects of a heap snapshot, which have none in
 * data version 1. */
static uint64_t
time_of (const struct mlpd_item *item, const struct thread *t)
{
  if (item->kind == MLPD_HEAP_OBJECT && data_version == 1)
    return t->time;
  switch (item->kind) {
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc)                                \
  case MLPD_##ID:                                                                                  \
    return item->payload->id.time;
#include <proflog/mlpd-events.def>
  default:
    return t->time;
  }
}

/* The type of an object: a class, or a vtable. */
static const char *
type_at (uint64_t klass, uint64_t vtable, uint64_t time, uint64_t offset)
{
  return data_version == 1 ? names_use (NAMED_CLASS, klass, time, offset)
                           : names_use (NAMED_VTABLE, vtable, time, offset);
}

static void
check_heap_object (const struct mlpd_item *item, struct thread *t)
{
  const struct mlpd_heap_object *o = &item->payload->heap_object;
  if (!t->in_shot)
    problem ("offset %" PRIu64 ": an object outside a heap shot", item->offset);
  const char *class_name = type_at (o->klass, o->vtable, t->time, item->offset);
  if (o->size != 0) /* 0: more references of the one before */
    count ("heap_object", t->id, o->size, "%s", class_name);
  for (size_t i = 0; i < o->references.count; i++)
    count ("heap_reference", t->id, 0, "0x%" PRIx64 " 0x%" PRIx64, o->object,
           o->references.items[i]);
}

static void
check_gc (const struct mlpd_item *item, struct thread *t)
{
  const union mlpd_payload *p = item->payload;
  const char *kind = kind_names[item->kind];
  if (item->kind == MLPD_GC_EVENT) {
    count (kind, t->id, 0, "%" PRIu64 "/%" PRIu64, p->gc_event.event, p->gc_event.generation);
  } else if (item->kind == MLPD_GC_RESIZE) {
    count (kind, t->id, 0, "0x%" PRIx64, p->gc_resize.size);
  } else {
    if (p->gc_move.objects.count % 2 != 0)
      problem ("offset %" PRIu64 ": an odd number of addresses in a move", item->offset);
    count (kind, t->id, p->gc_move.objects.count / 2, "pairs");
  }
}

static void
check_class (const struct mlpd_item *item, struct thread *t)
{
  const struct mlpd_metadata_class *c = &item->payload->metadata_class;
  names_use (NAMED_IMAGE, c->image, t->time, item->offset);
  if (c->action == MLPD_LOAD_END_LOAD_ERROR) {
    count ("metadata_class", 0, 0, "load-error %.*s", (int) c->name.length, c->name.text);
    return;
  }
  names_announce (NAMED_CLASS, c->klass);
  mark.there = true;
  mark.time = t->time;
  mark.name = g_strndup (c->name.text, c->name.length);
}

static void
check_image (const struct mlpd_metadata_image *i)
{
  bool failed = i->action == MLPD_LOAD_END_LOAD_ERROR;
  count ("metadata_image", 0, 0, "%s %.*s", failed ? "load-error" : "load", (int) i->name.length,
         i->name.text);
  if (!failed)
    names_announce (NAMED_IMAGE, i->image);
}

static void
check_jit (const struct mlpd_method_jit *j)
{
  count ("method_jit", 0, 0, "0x%" PRIx64 " %" PRIu64 " %.*s", j->code, j->size,
         (int) j->name.length, j->name.text);
  names_announce (NAMED_METHOD, j->method);
}

/* A method is entered (change 1) or left (-1): never more often left than entered. */
static void
check_call (const struct mlpd_item *item, struct thread *t, uint64_t method, int change)
{
  int *depth = g_hash_table_lookup (t->inside, &method);
  count (kind_names[item->kind], t->id, 0, "%s",
         names_use (NAMED_METHOD, method, t->time, item->offset));
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
check_alloc (const struct mlpd_item *item, struct thread *t)
{
  const struct mlpd_alloc *a = &item->payload->alloc;
  count ("alloc", t->id, a->size, "%s", type_at (a->klass, a->vtable, t->time, item->offset));
  count_frames ("alloc", &a->backtrace, t->time, item->offset);
}

static void
check_throw (const struct mlpd_item *item, struct thread *t)
{
  const struct mlpd_exception_throw *e = &item->payload->exception_throw;
  char *type = take_mark (t->time);
  count ("exception_throw", t->id, 0, "0x%" PRIx64 " %s", e->object, type);
  count_frames ("exception_throw", &e->backtrace, t->time, item->offset);
  g_free (type);
}

static void
check_clause (const struct mlpd_item *item, struct thread *t)
{
  const struct mlpd_exception_clause *c = &item->payload->exception_clause;
  count ("exception_clause", t->id, 0, "%" PRIu64 "/%" PRIu64 " %s", c->clause_type, c->clause,
         names_use (NAMED_METHOD, c->method, t->time, item->offset));
}

static void
check_monitor (const struct mlpd_item *item, struct thread *t)
{
  const struct mlpd_monitor *m = &item->payload->monitor;
  if (m->event == MLPD_MONITOR_EVENT_CONTENTION) {
    char *type = take_mark (t->time);
    count ("monitor", t->id, 0, "1 0x%" PRIx64 " %s", m->object, type);
    g_free (type);
  } else {
    count ("monitor", t->id, 0, "%" PRIu64 " 0x%" PRIx64, m->event, m->object);
  }
  count_frames ("monitor", &m->backtrace, t->time, item->offset);
}

static void
check_shot (const struct mlpd_item *item, struct thread *t)
{
  bool starts = item->kind == MLPD_HEAP_START;
  if (t->in_shot == starts)
    problem ("offset %" PRIu64 ": heap shots overlap", item->offset);
  t->in_shot = starts;
  count (kind_names[item->kind], t->id, 0, "-");
}

/* A name that was announced before, the size of the heap, or the values of counters, and nothing
 * else. */
static void
check_again (const struct mlpd_item *item)
{
  const union mlpd_payload *p = item->payload;
  if (item->kind == MLPD_METADATA_CLASS) {
    names_use (NAMED_IMAGE, p->metadata_class.image, p->metadata_class.time, item->offset);
    names_announce (NAMED_CLASS, p->metadata_class.klass);
  } else if (item->kind == MLPD_METADATA_IMAGE) {
    names_announce (NAMED_IMAGE, p->metadata_image.image);
  } else if (item->kind == MLPD_METADATA_VTABLE) {
    names_use (NAMED_CLASS, p->metadata_vtable.klass, p->metadata_vtable.time, item->offset);
    names_announce (NAMED_VTABLE, p->metadata_vtable.vtable);
  } else if (item->kind == MLPD_METHOD_JIT) {
    names_announce (NAMED_METHOD, p->method_jit.method);
  } else if (item->kind == MLPD_METADATA_THREAD) {
    add_to (totals, "again:thread", 1, 0);
  } else if (item->kind != MLPD_METADATA_ASSEMBLY && item->kind != MLPD_METADATA_DOMAIN
             && item->kind != MLPD_METADATA_CONTEXT && item->kind != MLPD_HEAP_ROOT_REGISTER
             && item->kind != MLPD_SAMPLE_SYMBOL && item->kind != MLPD_GC_RESIZE
             && item->kind != MLPD_SAMPLE_COUNTERS_DESC && item->kind != MLPD_SAMPLE_COUNTERS) {
    problem ("offset %" PRIu64 ": an event that names nothing is announced again", item->offset);
  }
  add_to (totals, "again", 1, 0);
}

/* The beginning or end of a file: a sync point, or in data version 1 the writer's thread names
 * itself. */
static bool
is_moment (const struct mlpd_item *item)
{
  const struct mlpd_metadata_thread *e = &item->payload->metadata_thread;
  if (item->kind == MLPD_META_SYNC_POINT)
    return item->payload->meta_sync_point.sync_type == MLPD_SYNC_TYPE_PERIODIC;
  return data_version == 1 && item->kind == MLPD_METADATA_THREAD && e->action == MLPD_LOAD_NAME
         && e->thread == item->buffer->thread && e->name.length == 7
         && strcmp (e->name.text, "proflog") == 0;
}

static void
check_event (const struct mlpd_item *item)
{
  struct thread *t = thread_of (item->buffer->thread);
  const union mlpd_payload *p = item->payload;
  if (is_moment (item)) {
    check_time (item, t, time_of (item, t));
    end_mark ();
    return;
  }
  if (!is_expected (item->kind))
    problem ("offset %" PRIu64 ": the module has no business to write %s", item->offset,
             kind_names[item->kind]);
  check_time (item, t, time_of (item, t));
  if (item->buffer->obj_base == MLPD_REANNOUNCE_BASE) {
    check_again (item);
    return;
  }
  if (item->kind != MLPD_EXCEPTION_THROW && item->kind != MLPD_MONITOR)
    end_mark ();
  switch (item->kind) {
  case MLPD_ALLOC:
    check_alloc (item, t);
    break;
  case MLPD_GC_EVENT:
  case MLPD_GC_RESIZE:
  case MLPD_GC_MOVE:
    check_gc (item, t);
    break;
  case MLPD_METADATA_CLASS:
    check_class (item, t);
    return; /* the mark stays for the next event */
  case MLPD_METADATA_IMAGE:
    check_image (&p->metadata_image);
    break;
  case MLPD_METHOD_JIT:
    check_jit (&p->method_jit);
    break;
  case MLPD_METHOD_ENTER:
    check_call (item, t, p->method_enter.method, 1);
    break;
  case MLPD_METHOD_LEAVE:
    check_call (item, t, p->method_leave.method, -1);
    break;
  case MLPD_METHOD_EXC_LEAVE:
    check_call (item, t, p->method_exc_leave.method, -1);
    break;
  case MLPD_EXCEPTION_THROW:
    check_throw (item, t);
    break;
  case MLPD_EXCEPTION_CLAUSE:
    check_clause (item, t);
    break;
  case MLPD_MONITOR:
    check_monitor (item, t);
    break;
  case MLPD_HEAP_START:
  case MLPD_HEAP_END:
    check_shot (item, t);
    break;
  case MLPD_HEAP_OBJECT:
    check_heap_object (item, t);
    break;
  case MLPD_METADATA_VTABLE:
    names_use (NAMED_CLASS, p->metadata_vtable.klass, t->time, item->offset);
    names_announce (NAMED_VTABLE, p->metadata_vtable.vtable);
    break;
  default:
    count (kind_names[item->kind], t->id, 0, "-");
    break;
  }
  end_mark ();
}

static void
check_file_header (const struct mlpd_file_header *h)
{
  uint64_t now = (uint64_t) g_get_real_time () / 1000;
  data_version = h->data_version;
  const bool good = data_version == 1 ? h->major == 0 && h->system != 0
                                      : data_version == MLPD_VERSION_LAST && h->major == 3
                                            && g_str_has_prefix (h->arguments.text, "proflog:");
  if (!good || h->pointer_size != sizeof (void *) || h->flags != 0 || h->port != 0)
    problem (
        "file header: major %u, data version %u, pointer size %u, flags %u, port %u, system %u",
        h->major, h->data_version, h->pointer_size, h->flags, h->port, h->system);
  if (h->start_ms > now || h->start_ms + 3600000 < now)
    problem ("file header: start at %" PRIu64 " ms, now is %" PRIu64, h->start_ms, now);
  if (!g_hash_table_contains (totals, "pid"))
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

void
items_check (const struct mlpd_item *item)
{
  switch (item->type) {
  case MLPD_ITEM_FILE_HEADER:
    check_file_header (item->header);
    break;
  case MLPD_ITEM_BUFFER:
    end_mark ();
    check_buffer (item);
    complete = mlpd_is_end_mark (item->buffer);
    break;
  case MLPD_ITEM_EVENT:
    complete = false;
    check_event (item);
    break;
  case MLPD_ITEM_DAMAGE:
    if (item->damage->reason == MLPD_DAMAGE_LOST) {
      add_to (totals, "lost", item->damage->lost, 0);
      break;
    }
    complete = false;
    if (item->damage->reason != MLPD_DAMAGE_TRUNCATED)
      problem ("offset %" PRIu64 ": damage: %s", item->offset, item->damage->message);
    else
      add_to (totals, "truncated", 1, 0);
    break;
  }
}

bool
items_end (void)
{
  end_mark ();
  g_clear_pointer (&threads, g_hash_table_unref);
  return complete;
}
