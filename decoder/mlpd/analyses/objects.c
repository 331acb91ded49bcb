/* objects.c -- records the events of the objects that are requested. */
#include "config.h"

#include "decoder/mlpd/analyses/objects.h"
#include "decoder/mlpd/analyses/analysis.h"
#include "decoder/mlpd/analyses/heapshots.h"
#include "decoder/mlpd/analyses/log.h"
#include "decoder/mlpd/model/type-traces.h"

static void
init (void *state, const struct scan_options *options)
{
  struct objects *o = state;
  *o = (struct objects){ .filter = options->objects,
                         .complete = options->objects == NULL,
                         .found = g_array_new (FALSE, FALSE, sizeof (struct object_found)),
                         .events = g_array_new (FALSE, FALSE, sizeof (struct object_event)) };
  type_sums_init (&o->unlisted);
}

static void
clear (void *state)
{
  struct objects *o = state;
  g_array_unref (o->found);
  g_array_unref (o->events);
  type_sums_clear (&o->unlisted);
  g_clear_pointer (&o->lifetimes, g_ptr_array_unref);
}

/* ---- events ---- */

/* Adds an event, completed by where it is in the log. */
static void
add_event (struct objects *o, const struct analysis_event *e, guint trace,
           struct object_event event)
{
  if (o->events->len == OBJECTS_EVENTS_MAX) {
    o->events_left_out++;
    return;
  }
  event.trace = trace;
  event.time = e->time;
  event.offset = e->offset;
  event.thread = e->thread->id;
  event.shot = e->model->heapshots->begun;
  g_array_append_val (o->events, event);
}

#define ADD_EVENT(o, e, trace, ...)                                                                \
  add_event ((o), (e), (trace), (struct object_event){ __VA_ARGS__ })

static void
handle_alloc (void *state, const struct analysis_event *e)
{
  struct objects *o = state;
  const struct mlpd_alloc *a = &e->payload->alloc;
  const bool found = object_filter_may_find (
      o->filter, e->version < MLPD_VERSION_ROOT_ADDRESSES ? a->klass : a->vtable, a->size);
  const bool followed = object_filter_has (o->filter, a->object);
  const guint type = analysis_type (e, a->klass, a->vtable);
  if (found && o->found->len == OBJECTS_FOUND_MAX)
    type_sums_get (&o->unlisted, type)->objects++;
  const bool listed = found && o->found->len < OBJECTS_FOUND_MAX;
  const guint trace = listed || followed ? analysis_trace (e, a->backtrace) : TRACE_NONE;
  if (listed) {
    const struct object_found f = { .time = e->time,
                                    .offset = e->offset,
                                    .thread = e->thread->id,
                                    .object = a->object,
                                    .bytes = a->size,
                                    .type = type,
                                    .trace = trace };
    g_array_append_val (o->found, f);
  }
  if (followed)
    ADD_EVENT (o, e, trace, .kind = OBJECT_ALLOCATED, .object = a->object, .number = a->size,
               .type = type);
}

static void
handle_moves (void *state, const struct analysis_event *e)
{
  struct objects *o = state;
  const struct mlpd_list objects = e->payload->gc_move.objects;
  for (size_t i = 0; i + 1 < objects.count; i += 2)
    if (object_filter_has (o->filter, objects.items[i])
        || object_filter_has (o->filter, objects.items[i + 1]))
      ADD_EVENT (o, e, TRACE_NONE, .kind = OBJECT_MOVED, .object = objects.items[i],
                 .other = objects.items[i + 1]);
}

/* Of an object with many references there are several events; all but the first have no size. */
static void
handle_heap_object (void *state, const struct analysis_event *e)
{
  struct objects *o = state;
  const struct mlpd_heap_object *h = &e->payload->heap_object;
  const guint type = analysis_type (e, h->klass, h->vtable);
  if (h->size != 0 && object_filter_has (o->filter, h->object))
    ADD_EVENT (o, e, TRACE_NONE, .kind = OBJECT_IN_SHOT, .object = h->object, .number = h->size,
               .type = type);
  for (size_t i = 0; i < h->references.count; i++)
    if (object_filter_has (o->filter, h->references.items[i]))
      ADD_EVENT (o, e, TRACE_NONE, .kind = OBJECT_REFERENCED, .object = h->references.items[i],
                 .other = h->object,
                 .number = h->references.offsets != NULL ? h->references.offsets[i] : 0,
                 .type = type);
}

/* Was this root recorded already?  A stack is scanned conservatively, and its roots have no
 * addresses of their own: an address that is on it more than once comes as often. */
static bool
is_repeated (const struct objects *o, const struct analysis_event *e, const struct mlpd_root *root)
{
  for (guint i = o->events->len; i > 0; i--) {
    const struct object_event *event = &g_array_index (o->events, struct object_event, i - 1);
    if (event->offset != e->offset)
      return false;
    if (event->object == root->object && event->other == root->address)
      return true;
  }
  return false;
}

static void
handle_roots (void *state, const struct analysis_event *e)
{
  struct objects *o = state;
  const struct mlpd_roots roots = e->payload->heap_root.roots;
  for (size_t i = 0; i < roots.count; i++) {
    const struct mlpd_root *root = &roots.items[i];
    if (object_filter_has (o->filter, root->object) && !is_repeated (o, e, root))
      ADD_EVENT (o, e, TRACE_NONE, .kind = OBJECT_ROOT, .object = root->object,
                 .other = root->address,
                 .detail = e->version < MLPD_VERSION_ROOT_ADDRESSES
                               ? root_kind_of (root, e->version)
                               : roots_source (e->model->roots, root->address));
  }
}

static void
handle_handle_created (void *state, const struct analysis_event *e)
{
  struct objects *o = state;
  const struct mlpd_gc_handle_created *h = &e->payload->gc_handle_created;
  if (object_filter_has (o->filter, h->object))
    ADD_EVENT (o, e, analysis_trace (e, h->backtrace), .kind = OBJECT_HANDLE_CREATED,
               .object = h->object, .number = h->handle, .detail = h->handle_type);
}

static void
handle_handle_destroyed (void *state, const struct analysis_event *e)
{
  struct objects *o = state;
  const struct mlpd_gc_handle_destroyed *h = &e->payload->gc_handle_destroyed;
  const uint64_t key = object_handle_key (h->handle_type, h->handle);
  if (g_hash_table_contains (o->filter->handles, &key))
    ADD_EVENT (o, e, analysis_trace (e, h->backtrace), .kind = OBJECT_HANDLE_DESTROYED,
               .number = h->handle, .detail = h->handle_type);
}

static void
handle_finalizer (void *state, const struct analysis_event *e)
{
  struct objects *o = state;
  const uint64_t object = e->payload->gc_finalize_object_start.object;
  if (object_filter_has (o->filter, object))
    ADD_EVENT (o, e, analysis_trace (e, (struct mlpd_list){ 0 }), .kind = OBJECT_FINALIZED,
               .object = object);
}

static void
handle_throw (void *state, const struct analysis_event *e)
{
  struct objects *o = state;
  const struct mlpd_exception_throw *t = &e->payload->exception_throw;
  if (object_filter_has (o->filter, t->object))
    ADD_EVENT (o, e, analysis_trace (e, t->backtrace), .kind = OBJECT_THROWN, .object = t->object);
}

static void
handle_monitor (void *state, const struct analysis_event *e)
{
  struct objects *o = state;
  const struct mlpd_monitor *m = &e->payload->monitor;
  if (object_filter_has (o->filter, m->object))
    ADD_EVENT (o, e, analysis_trace (e, m->backtrace), .kind = OBJECT_LOCK, .object = m->object,
               .number = m->event);
}

/* Collections and heap snapshots concern all objects. */
static bool
follows_any (const struct objects *o)
{
  return g_hash_table_size (o->filter->addresses) != 0;
}

static void
handle_shot_start (void *state, const struct analysis_event *e)
{
  struct objects *o = state;
  if (!follows_any (o))
    return;
  o->damages = e->model->log->damages;
  ADD_EVENT (o, e, TRACE_NONE, .kind = OBJECT_SHOT_STARTS);
}

/* The events between the start of a heap snapshot and its end are all of it, unless some are
 * lost. */
static void
handle_shot_end (void *state, const struct analysis_event *e)
{
  struct objects *o = state;
  if (follows_any (o))
    ADD_EVENT (o, e, TRACE_NONE, .kind = OBJECT_SHOT_ENDS,
               .detail = o->damages == e->model->log->damages);
}

static void
handle_collection (void *state, const struct analysis_event *e)
{
  struct objects *o = state;
  if (follows_any (o) && e->payload->gc_event.event == MLPD_GC_EVENT_START)
    ADD_EVENT (o, e, TRACE_NONE, .kind = OBJECT_GC_STARTS);
}

/* ---- the end ---- */

static bool
has_name (const struct objects *o, const struct symbols *symbols, guint klass, uint64_t size)
{
  char *name = symbols_name (symbols, SYMBOL_CLASS, klass);
  const bool finds = object_filter_finds (o->filter, name, size);
  g_free (name);
  return finds;
}

/* An address may have been another type's when it was used. */
static void
resolve_found (struct objects *o, struct symbols *symbols)
{
  guint n = 0;
  for (guint i = 0; i < o->found->len; i++) {
    struct object_found f = g_array_index (o->found, struct object_found, i);
    f.type = type_class (symbols, f.type);
    if (!object_filter_needs_names (o->filter) || has_name (o, symbols, f.type, f.bytes))
      g_array_index (o->found, struct object_found, n++) = f;
  }
  g_array_set_size (o->found, n);
  type_sums_resolve (&o->unlisted, symbols);
  o->n_unlisted = 0;
  for (guint i = 0; i < o->unlisted.classes->len; i++) {
    const uint64_t objects = g_array_index (o->unlisted.classes, struct type_sum, i).objects;
    if (objects != 0
        && (!object_filter_needs_names (o->filter) || has_name (o, symbols, i, G_MAXUINT64)))
      o->n_unlisted += objects;
  }
  o->n_found = n + o->n_unlisted;
}

static bool
has_type (const struct object_event *event)
{
  return event->kind == OBJECT_ALLOCATED || event->kind == OBJECT_IN_SHOT
         || event->kind == OBJECT_REFERENCED;
}

static void
resolve_lifetime (struct object_lifetime *lifetime, struct symbols *symbols)
{
  if (lifetime->type != OBJECT_NO_TYPE)
    lifetime->type = type_class (symbols, lifetime->type);
  for (guint i = 0; i < lifetime->events->len; i++) {
    struct object_event *event = &g_array_index (lifetime->events, struct object_event, i);
    if (has_type (event))
      event->type = type_class (symbols, event->type);
  }
}

void
objects_resolve (struct objects *o, struct symbols *symbols)
{
  if (o->filter == NULL || o->lifetimes != NULL)
    return;
  resolve_found (o, symbols);
  o->lifetimes = object_lifetimes_build (o->events, o->filter);
  g_array_set_size (o->events, 0);
  for (guint i = 0; i < o->lifetimes->len; i++)
    resolve_lifetime (g_ptr_array_index (o->lifetimes, i), symbols);
}

bool
objects_extend_filter (const struct objects *o, struct symbols *symbols,
                       struct object_filter *filter)
{
  bool new = object_filter_add_names (filter, symbols);
  for (guint i = 0; o->n_found <= OBJECTS_FOLLOWED_MAX && i < o->found->len; i++) {
    const struct object_found *found = &g_array_index (o->found, struct object_found, i);
    if (object_filter_add_address (filter, found->object))
      new = true;
    if (!filter->is_full)
      new |= object_filter_add_found (filter, found->offset);
  }
  return new | object_lifetimes_extend_filter (o->lifetimes, filter);
}

/* ---- as an analysis ---- */

static bool
is_needed (const struct scan_options *options)
{
  return options->objects != NULL;
}

static void
request (struct scan_options *options)
{
  object_filter_kinds (options->objects, options->replay);
}

static void
finish (void *state, const struct analysis_model *m)
{
  objects_resolve (state, m->symbols);
}

static const struct analysis_handlers handlers[] = {
  { MLPD_ALLOC, handle_alloc, NULL },
  { MLPD_GC_MOVE, handle_moves, NULL },
  { MLPD_HEAP_OBJECT, handle_heap_object, NULL },
  { MLPD_HEAP_ROOT, handle_roots, NULL },
  { MLPD_GC_EVENT, handle_collection, NULL },
  { MLPD_HEAP_START, handle_shot_start, NULL },
  { MLPD_HEAP_END, handle_shot_end, NULL },
  { MLPD_GC_HANDLE_CREATED, handle_handle_created, NULL },
  { MLPD_GC_HANDLE_DESTROYED, handle_handle_destroyed, NULL },
  { MLPD_GC_FINALIZE_OBJECT_START, handle_finalizer, NULL },
  { MLPD_EXCEPTION_THROW, handle_throw, NULL },
  { MLPD_MONITOR, handle_monitor, NULL },
};

const struct analysis objects_analysis = { .state_bytes = sizeof (struct objects),
                                           .is_needed = is_needed,
                                           .request = request,
                                           .init = init,
                                           .clear = clear,
                                           .finish = finish,
                                           ANALYSIS_HANDLERS (handlers) };
