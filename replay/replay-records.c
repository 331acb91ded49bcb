/* replay-records.c -- the second pass over the log: events become records. */
#include "config.h"

#include "replay/replay-private.h"
#include <string.h>

/* Words of records made at a time: reading is not to be in the way of firing, nor the caches to be
 * swept. */
enum { BATCH_WORDS = 8192 };
enum { HEAD_WORDS = sizeof (struct replay_record) / sizeof (uint64_t) };

/* ---- putting records together ---- */

static struct replay_record *
record_at (struct replay_thread *t, guint at)
{
  return (struct replay_record *) &g_array_index (t->records, uint64_t, at);
}

static guint
words_of (const struct replay_record *r)
{
  return (guint) (HEAD_WORDS + r->args + r->count);
}

/* Appends a record with these args; the list follows by put_list. */
static void
put (struct replay_thread *t, enum replay_op op, enum host_callback callback, guint args,
     const uint64_t *values)
{
  const guint at = t->records->len;
  g_array_set_size (t->records, at + HEAD_WORDS + args);
  struct replay_record *r = record_at (t, at);
  *r = (struct replay_record){ .time = t->decoder.bases.time,
                               .op = (uint8_t) op,
                               .callback = (uint8_t) callback,
                               .args = (uint16_t) args };
  if (args != 0)
    memcpy (r->values, values, args * sizeof values[0]);
}

#define PUT(t, op, callback, ...)                                                                  \
  put (t, op, callback, sizeof (uint64_t[]){ __VA_ARGS__ } / sizeof (uint64_t),                    \
       (const uint64_t[]){ __VA_ARGS__ })

static uint64_t
address (const void *p)
{
  return (uint64_t) (uintptr_t) p;
}

/* The record at `at` gets a list of this many. */
static uint64_t *
put_list (struct replay_thread *t, guint at, size_t count)
{
  const guint end = t->records->len;
  g_array_set_size (t->records, end + (guint) count);
  record_at (t, at)->count += (uint32_t) count;
  return &g_array_index (t->records, uint64_t, end);
}

/* Frames are reported outermost first and requested innermost first. */
static void
put_frames (struct replay_thread *t, guint at, struct mlpd_list backtrace)
{
  uint64_t *to = put_list (t, at, backtrace.count);
  for (size_t i = 0; i < backtrace.count; i++)
    to[i]
        = address (replay_method (backtrace.items[backtrace.count - 1 - i], t->decoder.bases.time));
}

/* ---- events ---- */

/* The class that the record right before states, if that is a mark of the type of this event's
 * object (docs/mlpd-format.md).  Then it is nothing to be fired. */
static uint64_t
handle_mark (struct replay_thread *t, guint last)
{
  if (last == t->records->len)
    return 0;
  struct replay_record *r = record_at (t, last);
  if (r->callback != CB_class_loaded || r->op != REPLAY_PLAIN || r->time != t->decoder.bases.time)
    return 0;
  r->op = REPLAY_NOTHING;
  return r->values[0];
}

static void
put_typed (struct replay_thread *t, guint last, enum host_callback callback, uint64_t object,
           struct mlpd_list backtrace)
{
  const uint64_t klass = handle_mark (t, last);
  const guint at = t->records->len;
  PUT (t, REPLAY_TYPED, callback, object, klass);
  put_frames (t, at, backtrace);
}

static void
put_alloc (struct replay_thread *t, const struct mlpd_alloc *e)
{
  const uint64_t time = t->decoder.bases.time;
  const guint at = t->records->len;
  const bool has_vtables = replay_log.header.data_version >= MLPD_VERSION_ROOT_ADDRESSES;
  struct host_vtable *vtable = has_vtables ? replay_vtable (e->vtable, time)
                                           : replay_vtable_of (replay_class (e->klass, time));
  PUT (t, REPLAY_ALLOC, CB_gc_allocation, e->object, address (vtable->klass), address (vtable),
       e->size);
  put_frames (t, at, e->backtrace);
}

static void
put_heap_object (struct replay_thread *t, const struct mlpd_heap_object *e)
{
  const uint64_t time = t->decoder.bases.time;
  const guint at = t->records->len;
  const bool has_vtables = replay_log.header.data_version >= MLPD_VERSION_ROOT_ADDRESSES;
  const struct mlpd_references *refs = &e->references;
  struct host_vtable *vtable = has_vtables ? replay_vtable (e->vtable, time)
                                           : replay_vtable_of (replay_class (e->klass, time));
  PUT (t, REPLAY_HEAP_OBJECT, HOST_CALLBACKS, e->object, address (vtable->klass), address (vtable),
       e->size, e->generation);
  uint64_t *to = put_list (t, at, 2 * refs->count);
  for (size_t i = 0; i < refs->count; i++) {
    to[i] = refs->items[i];
    /* Before version 2 nothing states where in the object they are: after its header, in turn. */
    to[refs->count + i] = refs->offsets != NULL ? refs->offsets[i] : 16 + 8 * i;
  }
}

static void
put_roots (struct replay_thread *t, const struct mlpd_roots *roots)
{
  const guint at = t->records->len;
  put (t, REPLAY_ROOTS, CB_gc_roots, 0, NULL);
  uint64_t *to = put_list (t, at, 2 * roots->count);
  for (size_t i = 0; i < roots->count; i++) {
    to[i] = roots->items[i].address;
    to[roots->count + i] = roots->items[i].object;
  }
}

/* The runtime passes the address of a root's owner; of some owners the log has the id. */
static uint64_t
key_of_root (const struct mlpd_heap_root_register *e, uint64_t time)
{
  if (e->key == 0)
    return 0;
  switch (e->source) {
  case MLPD_ROOT_SOURCE_DOMAIN:
    return address (replay_domain (e->key));
  case MLPD_ROOT_SOURCE_CONTEXT_STATIC:
    return address (replay_context (e->key, 0)); /* which domain's, is not known */
  case MLPD_ROOT_SOURCE_STATIC:
    return address (replay_vtable (e->key, time));
  default:
    return e->key;
  }
}

static bool
is_key_thread (uint64_t source)
{
  return source == MLPD_ROOT_SOURCE_STACK || source == MLPD_ROOT_SOURCE_THREAD_STATIC
         || source == MLPD_ROOT_SOURCE_HANDLE;
}

static void
put_root (struct replay_thread *t, const struct mlpd_heap_root_register *e)
{
  const enum replay_op op = is_key_thread (e->source) ? REPLAY_ROOT : REPLAY_PLAIN;
  PUT (t, op, CB_gc_root_register, e->start, e->size, e->source,
       key_of_root (e, t->decoder.bases.time), address (e->name.text));
}

/* The callbacks of loading and unloading; HOST_CALLBACKS: none. */
struct loads {
  enum host_callback loading, loaded, failed, unloading;
};

static void
put_load (struct replay_thread *t, const struct loads *loads, uint64_t action, const void *entity)
{
  enum replay_op op = REPLAY_PLAIN;
  enum host_callback callback = HOST_CALLBACKS;
  switch (action) {
  case MLPD_LOAD_START_LOAD:
    callback = loads->loading;
    break;
  case MLPD_LOAD_END_LOAD:
    callback = loads->loaded;
    break;
  case MLPD_LOAD_ERROR:
  case MLPD_LOAD_END_LOAD_ERROR:
    callback = loads->failed;
    break;
  case MLPD_LOAD_START_UNLOAD:
    callback = loads->unloading;
    break;
  case MLPD_LOAD_END_UNLOAD:
    /* The stock profiler states this one only, when unloading begins. */
    callback = loads->unloading;
    op = REPLAY_UNLOAD;
    break;
  }
  if (callback != HOST_CALLBACKS)
    PUT (t, op, callback, address (entity));
}

static void
put_class (struct replay_thread *t, const struct mlpd_metadata_class *e)
{
  static const struct loads loads
      = { CB_class_loading, CB_class_loaded, CB_class_failed, HOST_CALLBACKS };
  put_load (t, &loads, e->action,
            replay_is_failure (e->action) ? replay_failed_class (e->klass, t->decoder.bases.time)
                                          : replay_class (e->klass, t->decoder.bases.time));
}

static void
put_image (struct replay_thread *t, const struct mlpd_metadata_image *e)
{
  static const struct loads loads
      = { CB_image_loading, CB_image_loaded, CB_image_failed, CB_image_unloading };
  put_load (t, &loads, e->action,
            replay_is_failure (e->action) ? replay_failed_image (e->image, t->decoder.bases.time)
                                          : replay_image (e->image, t->decoder.bases.time));
}

static void
put_assembly (struct replay_thread *t, const struct mlpd_metadata_assembly *e)
{
  static const struct loads loads
      = { CB_assembly_loading, CB_assembly_loaded, HOST_CALLBACKS, CB_assembly_unloading };
  put_load (t, &loads, e->action, replay_assembly (e->assembly, t->decoder.bases.time));
}

static void
put_vtable (struct replay_thread *t, const struct mlpd_metadata_vtable *e)
{
  static const struct loads loads
      = { CB_vtable_loading, CB_vtable_loaded, CB_vtable_failed, HOST_CALLBACKS };
  put_load (t, &loads, e->action, replay_vtable (e->vtable, t->decoder.bases.time));
}

static void
put_domain (struct replay_thread *t, const struct mlpd_metadata_domain *e)
{
  static const struct loads loads
      = { CB_domain_loading, CB_domain_loaded, HOST_CALLBACKS, CB_domain_unloading };
  const struct host_domain *domain = replay_domain (e->domain);
  if (e->action == MLPD_LOAD_NAME)
    PUT (t, REPLAY_PLAIN, CB_domain_name, address (domain), address (e->name.text));
  else
    put_load (t, &loads, e->action, domain);
}

static void
put_context (struct replay_thread *t, const struct mlpd_metadata_context *e)
{
  static const struct loads loads
      = { HOST_CALLBACKS, CB_context_loaded, HOST_CALLBACKS, HOST_CALLBACKS };
  const struct host_context *context = replay_context (e->context, e->domain);
  if (e->action == MLPD_LOAD_END_UNLOAD)
    PUT (t, REPLAY_PLAIN, CB_context_unloaded, address (context));
  else
    put_load (t, &loads, e->action, context);
}

/* The module has a thread of its own here, too. */
static void
put_thread (struct replay_thread *t, const struct mlpd_metadata_thread *e)
{
  if (t->is_recorder)
    return;
  if (e->action == MLPD_LOAD_NAME)
    PUT (t, REPLAY_THREAD, CB_thread_name, e->thread, address (e->name.text));
  else if (e->action == MLPD_LOAD_END_LOAD)
    PUT (t, REPLAY_THREAD, CB_thread_started, e->thread, 0);
  else if (e->action == MLPD_LOAD_END_UNLOAD)
    PUT (t, REPLAY_THREAD, CB_thread_exited, e->thread, 0);
}

static void
put_handle (struct replay_thread *t, enum host_callback callback, uint64_t handle, uint64_t type,
            uint64_t object, struct mlpd_list backtrace)
{
  const guint at = t->records->len;
  PUT (t, REPLAY_PLAIN, callback, handle, type, object);
  put_frames (t, at, backtrace);
}

static void
put_moves (struct replay_thread *t, struct mlpd_list objects)
{
  const guint at = t->records->len;
  put (t, REPLAY_MOVES, CB_gc_moves, 0, NULL);
  if (objects.count != 0)
    memcpy (put_list (t, at, objects.count), objects.items,
            objects.count * sizeof objects.items[0]);
}

static void
put_monitor (struct replay_thread *t, guint last, const struct mlpd_monitor *e)
{
  const enum host_callback callback = e->event == MLPD_MONITOR_EVENT_CONTENTION
                                          ? CB_monitor_contention
                                      : e->event == MLPD_MONITOR_EVENT_DONE ? CB_monitor_acquired
                                                                            : CB_monitor_failed;
  put_typed (t, callback == CB_monitor_contention ? last : t->records->len, callback, e->object,
             e->backtrace);
}

static void
put_jit (struct replay_thread *t, const struct mlpd_method_jit *e)
{
  /* Without code it is only named. */
  if (e->code != 0 || e->size != 0)
    PUT (t, REPLAY_JIT, CB_jit_done, address (replay_method (e->method, t->decoder.bases.time)),
         e->code, e->size);
}

static void
put_call (struct replay_thread *t, enum host_callback callback, uint64_t method)
{
  PUT (t, REPLAY_CALL, callback, address (replay_method (method, t->decoder.bases.time)));
}

static void
put_helper (struct replay_thread *t, const struct mlpd_runtime_jit_helper *e)
{
  PUT (t, REPLAY_PLAIN, CB_jit_code_buffer, e->address, e->size, e->helper_type,
       e->helper_type == MLPD_HELPER_TYPE_SPECIFIC_TRAMPOLINE ? address (e->name.text) : 0);
}

static void
put_metadata (struct replay_thread *t, enum mlpd_kind kind, const union mlpd_payload *p)
{
  switch (kind) {
  case MLPD_METADATA_CLASS:
    put_class (t, &p->metadata_class);
    break;
  case MLPD_METADATA_IMAGE:
    put_image (t, &p->metadata_image);
    break;
  case MLPD_METADATA_ASSEMBLY:
    put_assembly (t, &p->metadata_assembly);
    break;
  case MLPD_METADATA_DOMAIN:
    put_domain (t, &p->metadata_domain);
    break;
  case MLPD_METADATA_THREAD:
    put_thread (t, &p->metadata_thread);
    break;
  case MLPD_METADATA_CONTEXT:
    put_context (t, &p->metadata_context);
    break;
  case MLPD_METADATA_VTABLE:
    put_vtable (t, &p->metadata_vtable);
    break;
  default:
    break;
  }
}

/* `last`: where the record before begins, or the end if there is none. */
static void
put_event (struct replay_thread *t, enum mlpd_kind kind, guint last)
{
  const union mlpd_payload *p = &t->decoder.payload;
  const uint64_t time = t->decoder.bases.time;
  switch (kind) {
  case MLPD_ALLOC:
    put_alloc (t, &p->alloc);
    break;
  case MLPD_GC_EVENT:
    PUT (t, REPLAY_GC, CB_gc_event, p->gc_event.event, p->gc_event.generation);
    break;
  case MLPD_GC_RESIZE:
    PUT (t, REPLAY_PLAIN, CB_gc_resize, p->gc_resize.size);
    break;
  case MLPD_GC_MOVE:
    put_moves (t, p->gc_move.objects);
    break;
  case MLPD_GC_HANDLE_CREATED:
    put_handle (t, CB_gc_handle_created, p->gc_handle_created.handle,
                p->gc_handle_created.handle_type, p->gc_handle_created.object,
                p->gc_handle_created.backtrace);
    break;
  case MLPD_GC_HANDLE_DESTROYED:
    put_handle (t, CB_gc_handle_deleted, p->gc_handle_destroyed.handle,
                p->gc_handle_destroyed.handle_type, 0, p->gc_handle_destroyed.backtrace);
    break;
  case MLPD_GC_FINALIZE_START:
    put (t, REPLAY_PLAIN, CB_gc_finalizing, 0, NULL);
    break;
  case MLPD_GC_FINALIZE_END:
    put (t, REPLAY_PLAIN, CB_gc_finalized, 0, NULL);
    break;
  case MLPD_GC_FINALIZE_OBJECT_START:
    PUT (t, REPLAY_PLAIN, CB_gc_finalizing_object, p->gc_finalize_object_start.object);
    break;
  case MLPD_GC_FINALIZE_OBJECT_END:
    PUT (t, REPLAY_PLAIN, CB_gc_finalized_object, p->gc_finalize_object_end.object);
    break;
  case MLPD_METADATA_CLASS:
  case MLPD_METADATA_IMAGE:
  case MLPD_METADATA_ASSEMBLY:
  case MLPD_METADATA_DOMAIN:
  case MLPD_METADATA_THREAD:
  case MLPD_METADATA_CONTEXT:
  case MLPD_METADATA_VTABLE:
    put_metadata (t, kind, p);
    break;
  case MLPD_METHOD_ENTER:
    put_call (t, CB_method_enter, p->method_enter.method);
    break;
  case MLPD_METHOD_LEAVE:
    put_call (t, CB_method_leave, p->method_leave.method);
    break;
  case MLPD_METHOD_EXC_LEAVE:
    put_call (t, CB_method_exception_leave, p->method_exc_leave.method);
    break;
  case MLPD_METHOD_JIT:
    put_jit (t, &p->method_jit);
    break;
  case MLPD_EXCEPTION_THROW:
    put_typed (t, last, CB_exception_throw, p->exception_throw.object,
               p->exception_throw.backtrace);
    break;
  case MLPD_EXCEPTION_CLAUSE:
    PUT (t, REPLAY_CLAUSE, CB_exception_clause,
         address (replay_method (p->exception_clause.method, time)), p->exception_clause.clause,
         p->exception_clause.clause_type, p->exception_clause.object);
    break;
  case MLPD_MONITOR:
    put_monitor (t, last, &p->monitor);
    break;
  case MLPD_HEAP_START:
    put (t, REPLAY_HEAP_START, HOST_CALLBACKS, 0, NULL);
    break;
  case MLPD_HEAP_END:
    put (t, REPLAY_HEAP_END, HOST_CALLBACKS, 0, NULL);
    break;
  case MLPD_HEAP_OBJECT:
    put_heap_object (t, &p->heap_object);
    break;
  case MLPD_HEAP_ROOT:
    if (replay_log.header.data_version >= MLPD_VERSION_ROOT_ADDRESSES)
      put_roots (t, &p->heap_root.roots);
    break;
  case MLPD_HEAP_ROOT_REGISTER:
    put_root (t, &p->heap_root_register);
    break;
  case MLPD_HEAP_ROOT_UNREGISTER:
    PUT (t, REPLAY_PLAIN, CB_gc_root_unregister, p->heap_root_unregister.start);
    break;
  case MLPD_RUNTIME_JIT_HELPER:
    put_helper (t, &p->runtime_jit_helper);
    break;
  default:
    break;
  }
}

const char *
replay_not_fired (enum mlpd_kind kind, unsigned version)
{
  switch (kind) {
  case MLPD_SAMPLE_HIT:
    return "a module takes samples of code that runs";
  case MLPD_SAMPLE_COUNTERS_DESC:
  case MLPD_SAMPLE_COUNTERS:
    return "a module reads counters by itself";
  case MLPD_SAMPLE_SYMBOL:
  case MLPD_SAMPLE_BINARY:
  case MLPD_META_AOT_ID:
  case MLPD_META_SYNC_POINT:
    return "a module records this by itself";
  case MLPD_COVERAGE_ASSEMBLY:
  case MLPD_COVERAGE_METHOD:
  case MLPD_COVERAGE_STATEMENT:
  case MLPD_COVERAGE_CLASS:
    return "a module asks for coverage at the end";
  case MLPD_HEAP_ROOT:
    return version < MLPD_VERSION_ROOT_ADDRESSES ? "the log lacks their addresses" : NULL;
  default:
    return NULL;
  }
}

/* ---- the pass over a thread's buffers ---- */

static bool
open_buffer (struct replay_thread *t)
{
  if (t->next_buffer == t->buffers->len)
    return false;
  const struct replay_buffer *b
      = &g_array_index (t->buffers, struct replay_buffer, t->next_buffer++);
  g_free (t->bytes);
  t->bytes = g_malloc ((gsize) b->size + 1);
  t->cursor = cursor_over (t->bytes, (size_t) b->size);
  if (!replay_log_read (b, t->bytes)) { /* the file was changed */
    replay_log.missing += b->size;
    t->cursor = cursor_over (t->bytes, 0);
  }
  mlpd_decoder_start_buffer (&t->decoder, &b->header);
  return true;
}

/* Makes records of the next events.  A mark of a type stays with its event. */
static void
make_records (struct replay_thread *t)
{
  enum mlpd_kind kind = MLPD_KINDS;
  guint last = 0;
  g_array_set_size (t->records, 0);
  t->at = 0;
  while (cursor_left (&t->cursor) != 0
         && (t->records->len < BATCH_WORDS || kind == MLPD_METADATA_CLASS)) {
    const guint at = t->records->len;
    if (mlpd_decode_event (&t->decoder, &t->cursor, &kind) != MLPD_DECODED) {
      replay_log.missing += cursor_left (&t->cursor);
      t->cursor = cursor_over (t->bytes, 0);
      return;
    }
    put_event (t, kind, kind == MLPD_EXCEPTION_THROW || kind == MLPD_MONITOR ? last : at);
    last = at;
  }
}

/* Makes the next records of the thread.  False at its end. */
static bool
refill (struct replay_thread *t)
{
  replay_clock_stop ();
  if (t->records == NULL) {
    t->records = g_array_new (FALSE, FALSE, sizeof (uint64_t));
    mlpd_decoder_start_file (&t->decoder, &replay_log.header);
  }
  do
    make_records (t);
  while (t->records->len == 0 && (cursor_left (&t->cursor) != 0 || open_buffer (t)));
  const bool any = t->records->len != 0;
  if (!any) {
    g_clear_pointer (&t->records, g_array_unref);
    g_clear_pointer (&t->bytes, g_free);
    mlpd_decoder_clear (&t->decoder);
  }
  replay_clock_go ();
  return any;
}

const struct replay_record *
replay_record_next (struct replay_thread *t)
{
  if ((t->records == NULL || t->at == t->records->len) && !refill (t))
    return NULL;
  return record_at (t, t->at);
}

void
replay_record_skip (struct replay_thread *t)
{
  t->at += words_of (record_at (t, t->at));
}
