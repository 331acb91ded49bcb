/* replay-fire.c -- fires records, and answers requests of the module to the runtime meanwhile. */
#include "config.h"

#include "decoder/core/id-map.h"
#include "replay/replay-private.h"

/* ---- the class of each object, by its address ---- */

/* Nothing shows when an object is gone; then something else will be at its address, or nothing
 * refers to it. So this grows with the heap that the log is of, and no further. */

static struct id_map numbers; /* by address */
static GArray *objects;       /* of struct host_object */

static void
replay_object_set (uint64_t address, const struct host_object *object)
{
  if (address == 0)
    return;
  if (objects == NULL) {
    id_map_init (&numbers);
    objects = g_array_new (FALSE, FALSE, sizeof *object);
  }
  const guint number = id_map_number (&numbers, address);
  if (number == objects->len)
    g_array_append_vals (objects, object, 1);
  else
    g_array_index (objects, struct host_object, number) = *object;
}

/* False: no event so far has had the object. */
static bool
replay_object_find (uint64_t address, struct host_object *object)
{
  *object = (struct host_object){ 0 };
  const guint number = objects != NULL ? id_map_find (&numbers, address) : ID_MAP_NONE;
  if (number == ID_MAP_NONE)
    return false;
  *object = g_array_index (objects, struct host_object, number);
  return true;
}

/* Old and new addresses, in turn. */
static void
replay_objects_move (const uint64_t *addresses, size_t count)
{
  struct host_object *moved = g_new (struct host_object, count / 2 + 1);
  bool *known = g_new (bool, count / 2 + 1);
  for (size_t i = 0; i < count / 2; i++)
    known[i] = replay_object_find (addresses[2 * i], &moved[i]);
  for (size_t i = 0; i < count / 2; i++)
    if (known[i])
      replay_object_set (addresses[2 * i + 1], &moved[i]);
  g_free (moved);
  g_free (known);
}

/* ---- callbacks ---- */

enum { HEAP_CHUNK = 128 }; /* references that the runtime passes at a time */

_Thread_local struct replay_thread *replay_self;
struct replay_counts replay_counts;

void
replay_fired (enum host_callback callback, const uint64_t *values, bool delivered)
{
  (void) values;
  replay_counts.fired[callback]++;
  replay_counts.delivered[callback] += delivered;
}

#define FIRE(callback, ...) host_fire (callback, (const uint64_t[HOST_ARGS]){ __VA_ARGS__ })

/* ---- stacks ---- */

static void
report_frames (struct replay_thread *t, const struct replay_record *r)
{
  t->has_frames = r->count != 0;
  if (!t->has_frames)
    return;
  g_ptr_array_set_size (t->frames, 0);
  for (uint32_t i = 0; i < r->count; i++)
    g_ptr_array_add (t->frames, (gpointer) (uintptr_t) r->values[r->args + i]);
}

bool
replay_stack_of_thread (struct host_stack *stack)
{
  struct replay_thread *t = replay_self;
  if (t == NULL)
    return false;
  if (!t->has_frames) {
    g_ptr_array_set_size (t->frames, 0);
    for (guint i = t->calls->len; i > 0; i--)
      g_ptr_array_add (t->frames, t->calls->pdata[i - 1]);
  }
  *stack = (struct host_stack){ (struct host_method *const *) t->frames->pdata, t->frames->len };
  return true;
}

/* A frame ends with those above it, whose ends the log does not have. */
static void
leave (struct replay_thread *t, gpointer method)
{
  for (guint i = t->calls->len; i > 0; i--)
    if (t->calls->pdata[i - 1] == method) {
      g_ptr_array_set_size (t->calls, (gint) i - 1);
      return;
    }
}

static void
fire_call (struct replay_thread *t, const struct replay_record *r)
{
  gpointer method = (gpointer) (uintptr_t) r->values[0];
  if (r->callback == CB_method_enter)
    g_ptr_array_add (t->calls, method);
  FIRE (r->callback, r->values[0], r->callback == CB_method_exception_leave ? t->exception : 0);
  if (r->callback != CB_method_enter)
    leave (t, method);
}

/* ---- objects ---- */

bool
replay_find_object (uint64_t address, struct host_object *object)
{
  if (replay_object_find (address, object))
    return true;
  replay_counts.unknown_objects++;
  struct host_class *unknown = replay_unknown_class ();
  *object = (struct host_object){ .klass = unknown, .vtable = replay_vtable_of (unknown) };
  return true;
}

static void
set_object (const struct replay_record *r)
{
  const struct host_object object = { .klass = (struct host_class *) (uintptr_t) r->values[1],
                                      .vtable = (struct host_vtable *) (uintptr_t) r->values[2],
                                      .size = r->values[3] };
  replay_object_set (r->values[0], &object);
}

/* The log states the class of an object, but not its size, which it may have reported before. */
static void
set_type (const struct replay_record *r)
{
  struct host_class *klass = (struct host_class *) (uintptr_t) r->values[1];
  struct host_object object;
  if (klass == NULL || (replay_object_find (r->values[0], &object) && object.klass == klass))
    return;
  object = (struct host_object){ .klass = klass, .vtable = replay_vtable_of (klass) };
  replay_object_set (r->values[0], &object);
}

static void
fire_typed (struct replay_thread *t, const struct replay_record *r)
{
  set_type (r);
  report_frames (t, r);
  if (r->callback == CB_exception_throw)
    t->exception = r->values[0];
  FIRE (r->callback, r->values[0]);
}

/* ---- collections and heap snapshots ---- */

static bool heap_is_in_log; /* in a collection of the log, not in one that the module requested */

bool
replay_has_stopped_world (void)
{
  return replay_self != NULL && replay_self->stopped_world;
}

bool
replay_can_walk_heap (void)
{
  return replay_self != NULL && replay_self->can_walk_heap;
}

/* An object of a heap snapshot, whole: size 0 is more references of the one before. */
static void
handle_object (const struct replay_record *r)
{
  if (r->values[3] == 0)
    return;
  replay_counts.objects++;
  const struct host_object object = { .klass = (struct host_class *) (uintptr_t) r->values[1],
                                      .vtable = (struct host_vtable *) (uintptr_t) r->values[2],
                                      .size = r->values[3],
                                      .generation = (int) r->values[4] };
  replay_object_set (r->values[0], &object);
}

static void
report_object (const struct replay_record *r, host_walk_heap function, void *data)
{
  const uint64_t *targets = r->values + r->args, *offsets = targets + r->count / 2;
  void *chunk[HEAP_CHUNK];
  uintptr_t places[HEAP_CHUNK];
  uint64_t done = 0;
  replay_counts.objects_walked += r->values[3] != 0;
  do {
    const uint64_t n = MIN (r->count / 2 - done, HEAP_CHUNK);
    for (uint64_t i = 0; i < n; i++) {
      chunk[i] = (void *) (uintptr_t) targets[done + i];
      places[i] = offsets[done + i];
    }
    function ((void *) (uintptr_t) r->values[0], (void *) (uintptr_t) r->values[1],
              done == 0 ? r->values[3] : 0, n, chunk, places, data);
    done += n;
  } while (done < r->count / 2);
}

static void
fire_list (const struct replay_record *r)
{
  const uint64_t *list = r->values + r->args;
  if (r->op == REPLAY_MOVES) {
    replay_objects_move (list, r->count);
    FIRE (CB_gc_moves, (uint64_t) (uintptr_t) list, r->count);
  } else {
    FIRE (CB_gc_roots, r->count / 2, (uint64_t) (uintptr_t) list,
          (uint64_t) (uintptr_t) (list + r->count / 2));
  }
}

/* In a collection of the log, the heap is the heap snapshot that follows in it, if any. */
void
replay_walk_heap (host_walk_heap function, void *data)
{
  const struct replay_record *r;
  bool any = false;
  while (heap_is_in_log && (r = replay_record_next (replay_self)) != NULL) {
    const enum replay_op op = (enum replay_op) r->op;
    if (op == REPLAY_HEAP_OBJECT) {
      handle_object (r);
      report_object (r, function, data);
    } else if (op == REPLAY_ROOTS && any) {
      fire_list (r); /* that are reported in the heap snapshot */
    } else if (op != REPLAY_HEAP_START && op != REPLAY_HEAP_END && op != REPLAY_NOTHING) {
      break;
    }
    any |= op != REPLAY_NOTHING;
    replay_counts.shots += op == REPLAY_HEAP_END;
    replay_counts.shots_walked += op == REPLAY_HEAP_END;
    replay_record_skip (replay_self);
    if (op == REPLAY_HEAP_END)
      break;
  }
  replay_counts.empty_walks += !any;
}

/* The runtime states of some that they come once for a collection, however many heaps it has. */
static void
fire_gc (uint64_t event, uint64_t generation)
{
  FIRE (CB_gc_event, event, generation, event != MLPD_GC_EVENT_START && event != MLPD_GC_EVENT_END);
}

/* Events that logs of older versions do not have. */
static void
make_up_gc (uint64_t event, uint64_t generation)
{
  if (replay_log.has_gc_locks)
    return;
  replay_counts.made_up++;
  fire_gc (event, generation);
}

/* Others run again before the last event, which is reported when they do. */
static void
collect (struct replay_thread *t, uint64_t event, uint64_t generation)
{
  t->stopped_world |= event == MLPD_GC_EVENT_POST_STOP_WORLD;
  if (event == MLPD_GC_EVENT_POST_START_WORLD || event == MLPD_GC_EVENT_PRE_STOP_WORLD)
    t->stopped_world = false; /* where the log has lost the events between */
  t->can_walk_heap = heap_is_in_log = t->stopped_world;
  fire_gc (event, generation);
  t->can_walk_heap = heap_is_in_log = false;
  if (event == MLPD_GC_EVENT_PRE_START_WORLD)
    t->stopped_world = false;
  if (event == MLPD_GC_EVENT_PRE_STOP_WORLD)
    make_up_gc (MLPD_GC_EVENT_PRE_STOP_WORLD_LOCKED, generation);
  if (event == MLPD_GC_EVENT_POST_START_WORLD)
    make_up_gc (MLPD_GC_EVENT_POST_START_WORLD_UNLOCKED, generation);
}

/* In the order of the runtime.  Its findings are unknown. */
void
replay_collect (unsigned generation)
{
  static const uint64_t events[] = { MLPD_GC_EVENT_PRE_STOP_WORLD,
                                     MLPD_GC_EVENT_PRE_STOP_WORLD_LOCKED,
                                     MLPD_GC_EVENT_POST_STOP_WORLD,
                                     MLPD_GC_EVENT_START,
                                     MLPD_GC_EVENT_END,
                                     MLPD_GC_EVENT_PRE_START_WORLD,
                                     MLPD_GC_EVENT_POST_START_WORLD,
                                     MLPD_GC_EVENT_POST_START_WORLD_UNLOCKED };
  struct replay_thread *t = replay_self;
  replay_counts.collections++;
  for (size_t i = 0; i < G_N_ELEMENTS (events); i++) {
    t->stopped_world = t->can_walk_heap = i >= 2 && i <= 5;
    fire_gc (events[i], generation);
  }
}

/* ---- records ---- */

static void
fire_root (const struct replay_record *r)
{
  FIRE (CB_gc_root_register, r->values[0], r->values[1], r->values[2],
        replay_thread_id (r->values[3]), r->values[4]);
}

/* The end of a thread is reported in several steps, of which the log has one. */
static void
fire_thread (const struct replay_record *r)
{
  const uint64_t id = replay_thread_id (r->values[0]);
  if (r->callback == CB_thread_exited) {
    FIRE (CB_thread_stopping, id);
    FIRE (CB_thread_stopped, id);
  }
  FIRE (r->callback, id, r->values[1]);
}

static void
fire_unload (const struct replay_record *r)
{
  static const enum host_callback ends[HOST_CALLBACKS]
      = { [CB_image_unloading] = CB_image_unloaded,
          [CB_assembly_unloading] = CB_assembly_unloaded,
          [CB_domain_unloading] = CB_domain_unloaded };
  FIRE (r->callback, r->values[0]);
  FIRE (ends[r->callback], r->values[0]);
}

static void
fire_jit (const struct replay_record *r)
{
  struct host_method *m = (struct host_method *) (uintptr_t) r->values[0];
  m->code = r->values[1];
  m->code_size = r->values[2];
  FIRE (CB_jit_done, r->values[0], (uint64_t) (uintptr_t) host_jit_info (m));
}

static void
fire_plain (struct replay_thread *t, const struct replay_record *r)
{
  uint64_t values[HOST_ARGS] = { 0 };
  for (guint i = 0; i < r->args; i++)
    values[i] = r->values[i];
  report_frames (t, r);
  host_fire (r->callback, values);
}

/* The module woke the thread of the finalizers, of which there are none. */
static void
run_finalizers (void)
{
  atomic_store (&host_finalizer_notified, false);
  replay_counts.finalizations++;
  FIRE (CB_gc_finalizing, 0);
  FIRE (CB_gc_finalized, 0);
}

void
replay_fire (struct replay_thread *t, const struct replay_record *r)
{
  const uint64_t gc[] = { r->args > 0 ? r->values[0] : 0, r->args > 1 ? r->values[1] : 0 };
  replay_counts.records++;
  t->has_frames = false;
  switch ((enum replay_op) r->op) {
  case REPLAY_NOTHING:
    break;
  case REPLAY_PLAIN:
    fire_plain (t, r);
    break;
  case REPLAY_ALLOC:
    set_object (r);
    report_frames (t, r);
    FIRE (CB_gc_allocation, r->values[0]);
    break;
  case REPLAY_TYPED:
    fire_typed (t, r);
    break;
  case REPLAY_CALL:
    fire_call (t, r);
    break;
  case REPLAY_JIT:
    fire_jit (r);
    break;
  case REPLAY_CLAUSE:
    FIRE (CB_exception_clause, r->values[0], r->values[1], r->values[2],
          replay_log.header.data_version < 14 ? t->exception : r->values[3]);
    break;
  case REPLAY_GC: /* the heap snapshot in it comes from the records after */
    replay_record_skip (t);
    collect (t, gc[0], gc[1]);
    return;
  case REPLAY_MOVES:
  case REPLAY_ROOTS:
    fire_list (r);
    break;
  case REPLAY_ROOT:
    fire_root (r);
    break;
  case REPLAY_THREAD:
    fire_thread (r);
    break;
  case REPLAY_UNLOAD:
    fire_unload (r);
    break;
  case REPLAY_HEAP_START:
    break;
  case REPLAY_HEAP_OBJECT:
    handle_object (r);
    break;
  case REPLAY_HEAP_END:
    replay_counts.shots++;
    break;
  }
  replay_record_skip (t);
  if (atomic_load_explicit (&host_finalizer_notified, memory_order_relaxed) && !t->stopped_world)
    run_finalizers ();
}
