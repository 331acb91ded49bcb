/* objects.c -- takes the events of the objects that are asked for. */
#include "decoder/analyses/objects.h"
#include "config.h"
#include "decoder/analyses/type-traces.h"

void
objects_init (struct objects *o, const struct object_filter *filter)
{
  *o = (struct objects){ .filter = filter,
                         .complete = filter == NULL,
                         .found = g_array_new (FALSE, FALSE, sizeof (struct object_found)),
                         .events = g_array_new (FALSE, FALSE, sizeof (struct object_event)) };
  type_sums_init (&o->unlisted);
}

void
objects_clear (struct objects *o)
{
  g_array_unref (o->found);
  g_array_unref (o->events);
  type_sums_clear (&o->unlisted);
  g_clear_pointer (&o->lives, g_ptr_array_unref);
}

/* ---- events ---- */

/* One that is being taken. */
struct taking {
  struct objects *o;
  struct symbols *symbols;
  struct traces *traces;
  const struct roots *roots;
  const struct object_place *place;
};

static guint
trace_of (const struct taking *t, struct mlpd_list backtrace)
{
  return t->traces != NULL ? traces_add_addresses (t->traces, t->symbols, backtrace) : TRACE_NONE;
}

static guint
type_of (const struct taking *t, uint64_t klass, uint64_t vtable)
{
  return t->place->version < MLPD_VERSION_ROOT_ADDRESSES
             ? symbols_use (t->symbols, SYMBOL_CLASS, klass)
             : symbols_use (t->symbols, SYMBOL_VTABLE, vtable) | TYPE_IS_VTABLE;
}

/* Completes the event by what its place tells. */
static void
note (const struct taking *t, guint trace, struct object_event event)
{
  struct objects *o = t->o;
  if (o->events->len == OBJECTS_EVENTS_MAX) {
    o->events_left_out++;
    return;
  }
  event.trace = trace;
  event.time = t->place->time;
  event.offset = t->place->offset;
  event.thread = t->place->thread;
  event.shot = t->place->shots;
  g_array_append_val (o->events, event);
}

#define NOTE(t, trace, ...) note ((t), (trace), (struct object_event){ __VA_ARGS__ })

static void
take_alloc (const struct taking *t, const struct mlpd_alloc *e)
{
  struct objects *o = t->o;
  const bool found = object_filter_may_find (
      o->filter, t->place->version < MLPD_VERSION_ROOT_ADDRESSES ? e->klass : e->vtable, e->size);
  const bool followed = object_filter_has (o->filter, e->object);
  const guint type = type_of (t, e->klass, e->vtable);
  if (found && o->found->len == OBJECTS_FOUND_MAX)
    type_sums_get (&o->unlisted, type)->objects++;
  const bool listed = found && o->found->len < OBJECTS_FOUND_MAX;
  const guint trace = listed || followed ? trace_of (t, e->backtrace) : TRACE_NONE;
  if (listed) {
    const struct object_found f = { .time = t->place->time,
                                    .offset = t->place->offset,
                                    .thread = t->place->thread,
                                    .object = e->object,
                                    .bytes = e->size,
                                    .type = type,
                                    .trace = trace };
    g_array_append_val (o->found, f);
  }
  if (followed)
    NOTE (t, trace, .kind = OBJECT_ALLOCATED, .object = e->object, .number = e->size, .type = type);
}

static void
take_moves (const struct taking *t, struct mlpd_list objects)
{
  for (size_t i = 0; i + 1 < objects.count; i += 2)
    if (object_filter_has (t->o->filter, objects.items[i])
        || object_filter_has (t->o->filter, objects.items[i + 1]))
      NOTE (t, TRACE_NONE, .kind = OBJECT_MOVED, .object = objects.items[i],
            .other = objects.items[i + 1]);
}

/* Of an object with many references there are several events; all but the first have no size. */
static void
take_heap_object (const struct taking *t, const struct mlpd_heap_object *e)
{
  const struct object_filter *f = t->o->filter;
  const guint type = type_of (t, e->klass, e->vtable);
  if (e->size != 0 && object_filter_has (f, e->object))
    NOTE (t, TRACE_NONE, .kind = OBJECT_IN_SHOT, .object = e->object, .number = e->size,
          .type = type);
  for (size_t i = 0; i < e->references.count; i++)
    if (object_filter_has (f, e->references.items[i]))
      NOTE (t, TRACE_NONE, .kind = OBJECT_REFERENCED, .object = e->references.items[i],
            .other = e->object,
            .number = e->references.offsets != NULL ? e->references.offsets[i] : 0, .type = type);
}

/* Was this root told already?  A stack is looked at conservatively, and its roots have no addresses
 * of their own: what is on it more than once comes as often. */
static bool
is_repeated (const struct taking *t, const struct mlpd_root *root)
{
  const GArray *events = t->o->events;
  for (guint i = events->len; i > 0; i--) {
    const struct object_event *event = &g_array_index (events, struct object_event, i - 1);
    if (event->offset != t->place->offset)
      return false;
    if (event->object == root->object && event->other == root->address)
      return true;
  }
  return false;
}

static void
take_roots (const struct taking *t, struct mlpd_roots roots)
{
  for (size_t i = 0; i < roots.count; i++) {
    const struct mlpd_root *root = &roots.items[i];
    if (object_filter_has (t->o->filter, root->object) && !is_repeated (t, root))
      NOTE (t, TRACE_NONE, .kind = OBJECT_ROOT, .object = root->object, .other = root->address,
            .sort = t->place->version < MLPD_VERSION_ROOT_ADDRESSES
                        ? root_kind_of (root, t->place->version)
                        : roots_source (t->roots, root->address));
  }
}

static void
take_handle (const struct taking *t, enum mlpd_kind kind, const union mlpd_payload *p)
{
  const struct object_filter *f = t->o->filter;
  if (kind == MLPD_GC_HANDLE_CREATED) {
    const struct mlpd_gc_handle_created *e = &p->gc_handle_created;
    if (object_filter_has (f, e->object))
      NOTE (t, trace_of (t, e->backtrace), .kind = OBJECT_HANDLE_CREATED, .object = e->object,
            .number = e->handle, .sort = e->handle_type);
    return;
  }
  const struct mlpd_gc_handle_destroyed *e = &p->gc_handle_destroyed;
  const uint64_t key = object_handle_key (e->handle_type, e->handle);
  if (g_hash_table_contains (f->handles, &key))
    NOTE (t, trace_of (t, e->backtrace), .kind = OBJECT_HANDLE_DESTROYED, .number = e->handle,
          .sort = e->handle_type);
}

/* What is done with an object. */
static void
take_use (const struct taking *t, enum object_event_kind kind, uint64_t object, uint64_t number,
          struct mlpd_list backtrace)
{
  if (object_filter_has (t->o->filter, object))
    NOTE (t, trace_of (t, backtrace), .kind = kind, .object = object, .number = number);
}

/* What lies between the start of a heap shot and its end is all of it, unless something is lost. */
static void
take_shot (const struct taking *t, bool starts)
{
  struct objects *o = t->o;
  if (starts)
    o->damages = t->place->damages;
  NOTE (t, TRACE_NONE, .kind = starts ? OBJECT_SHOT_STARTS : OBJECT_SHOT_ENDS,
        .sort = !starts && o->damages == t->place->damages);
}

/* What concerns all objects. */
static void
take_collection (const struct taking *t, enum mlpd_kind kind, const union mlpd_payload *p)
{
  if (g_hash_table_size (t->o->filter->addresses) == 0)
    return;
  if (kind != MLPD_GC_EVENT)
    take_shot (t, kind == MLPD_HEAP_START);
  else if (p->gc_event.event == MLPD_GC_EVENT_START)
    NOTE (t, TRACE_NONE, .kind = OBJECT_GC_STARTS);
}

void
objects_event (struct objects *o, struct symbols *symbols, struct traces *traces,
               const struct roots *roots, const struct object_place *place, enum mlpd_kind kind,
               const union mlpd_payload *p)
{
  const struct taking t = { o, symbols, traces, roots, place };
  switch (kind) {
  case MLPD_ALLOC:
    take_alloc (&t, &p->alloc);
    break;
  case MLPD_GC_MOVE:
    take_moves (&t, p->gc_move.objects);
    break;
  case MLPD_HEAP_OBJECT:
    take_heap_object (&t, &p->heap_object);
    break;
  case MLPD_HEAP_ROOT:
    take_roots (&t, p->heap_root.roots);
    break;
  case MLPD_GC_EVENT:
  case MLPD_HEAP_START:
  case MLPD_HEAP_END:
    take_collection (&t, kind, p);
    break;
  case MLPD_GC_HANDLE_CREATED:
  case MLPD_GC_HANDLE_DESTROYED:
    take_handle (&t, kind, p);
    break;
  case MLPD_GC_FINALIZE_OBJECT_START:
    take_use (&t, OBJECT_FINALIZED, p->gc_finalize_object_start.object, 0, (struct mlpd_list){ 0 });
    break;
  case MLPD_EXCEPTION_THROW:
    take_use (&t, OBJECT_THROWN, p->exception_throw.object, 0, p->exception_throw.backtrace);
    break;
  case MLPD_MONITOR:
    take_use (&t, OBJECT_LOCK, p->monitor.object, p->monitor.event, p->monitor.backtrace);
    break;
  default:
    break;
  }
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
resolve_life (struct object_life *life, struct symbols *symbols)
{
  if (life->type != OBJECT_NO_TYPE)
    life->type = type_class (symbols, life->type);
  for (guint i = 0; i < life->events->len; i++) {
    struct object_event *event = &g_array_index (life->events, struct object_event, i);
    if (has_type (event))
      event->type = type_class (symbols, event->type);
  }
}

void
objects_resolve (struct objects *o, struct symbols *symbols)
{
  if (o->filter == NULL || o->lives != NULL)
    return;
  resolve_found (o, symbols);
  o->lives = object_lives_make (o->events, o->filter);
  g_array_set_size (o->events, 0);
  for (guint i = 0; i < o->lives->len; i++)
    resolve_life (g_ptr_array_index (o->lives, i), symbols);
}

bool
objects_learn (const struct objects *o, struct symbols *symbols, struct object_filter *filter)
{
  bool new = object_filter_learn_names (filter, symbols);
  for (guint i = 0; o->n_found <= OBJECTS_FOLLOWED_MAX && i < o->found->len; i++) {
    const struct object_found *found = &g_array_index (o->found, struct object_found, i);
    if (object_filter_add_address (filter, found->object))
      new = true;
    if (!filter->is_full)
      new |= object_filter_add_found (filter, found->offset);
  }
  return new | object_lives_learn (o->lives, filter);
}
