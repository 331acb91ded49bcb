/* log-validator.c -- runs the state machines over the events of a Mono log. */
#include "config.h"

#include "decoder/mlpd/analyses/check-frames.h"
#include "decoder/mlpd/analyses/log-validator.h"
#include "decoder/mlpd/mlpd-describe.h"

/* Generations whose collections are distinguished; the runtime has two. */
enum { GENERATIONS = 8 };

#define HEX "0x%" G_GINT64_MODIFIER "x"
#define OFFSET "offset %" G_GUINT64_FORMAT

/* A thread; each machine uses its own members. */
struct validated_thread {
  uint64_t id;
  struct check_frames frames;
  bool has_world; /* a phase of the world came: */
  uint64_t phase;
  bool in_shot, waits, has_begun, has_ended, finalizes, finalizes_object;
  bool is_attaching; /* a method was entered before the thread began, nothing else */
  bool has_events;   /* more than that */
  uint64_t object;   /* of the snapshot, lock, finalizer */
  uint64_t offset;   /* where the state began; of events: the first one */
};

/* A collection of a generation.  A concurrent one begins on one thread and may end on another. */
struct collection {
  bool is_running;
  uint64_t thread, offset; /* where it began */
};

struct handle {
  uint64_t number;
  uint64_t offset; /* where it was created */
};

struct log_validator {
  enum log_validation type;
  bool is_part, duplicates;
  uint64_t events;
  GHashTable *threads; /* struct validated_thread, whose id is the key */
  struct collection collections[GENERATIONS];
  GHashTable *handles;             /* struct handle, whose number is the key */
  const struct mlpd_item *item;    /* the current one */
  struct validated_thread *thread; /* that recorded it */
  char *reason;                    /* why it must not come */
};

static void
free_thread (gpointer data)
{
  struct validated_thread *t = data;
  check_frames_clear (&t->frames);
  g_free (t);
}

struct log_validator *
log_validator_new (enum log_validation type, bool is_part, bool duplicates)
{
  struct log_validator *v = g_new0 (struct log_validator, 1);
  v->type = type;
  v->is_part = is_part;
  v->duplicates = duplicates;
  v->threads = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, free_thread);
  v->handles = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  return v;
}

void
log_validator_free (struct log_validator *v)
{
  g_hash_table_unref (v->threads);
  g_hash_table_unref (v->handles);
  g_free (v);
}

uint64_t
log_validator_events (const struct log_validator *v)
{
  return v->events;
}

static struct validated_thread *
thread_of (struct log_validator *v, uint64_t id)
{
  struct validated_thread *t = g_hash_table_lookup (v->threads, &id);
  if (t == NULL) {
    t = g_new0 (struct validated_thread, 1);
    t->id = id;
    g_hash_table_insert (v->threads, t, t);
  }
  return t;
}

static bool G_GNUC_PRINTF (2, 3) refuse (struct log_validator *v, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  v->reason = g_strdup_vprintf (format, args);
  va_end (args);
  return false;
}

/* The end of something that did not begin: it may have, before a log that is a part. */
static bool
refuse_end (struct log_validator *v, const char *what)
{
  return v->is_part || refuse (v, "%s", what);
}

/* ---- calls ---- */

/* Code that was compiled ahead of time raises no enter, but an exception leaves its methods. */
static bool
leave (struct log_validator *v, uint64_t method, bool by_exception)
{
  uint64_t unleft, first = 0;
  if (!check_frames_leave (&v->thread->frames, method, &unleft, &first))
    return by_exception || refuse_end (v, "the method was not entered");
  return unleft == 0
         || refuse (
             v, "%" G_GUINT64_FORMAT " methods are open above it, the first one entered at " OFFSET,
             unleft, first);
}

/* Is it the thread's own end? */
static bool
is_own_end (const struct log_validator *v)
{
  const struct mlpd_metadata_thread *e = &v->item->payload->metadata_thread;
  return e->action == MLPD_LOAD_END_UNLOAD && e->thread == v->thread->id;
}

static bool
check_calls (struct log_validator *v)
{
  const union mlpd_payload *p = v->item->payload;
  struct check_frames *frames = &v->thread->frames;
  switch (v->item->kind) {
  case MLPD_METHOD_ENTER:
    check_frames_enter (frames, p->method_enter.method, v->item->offset);
    return true;
  case MLPD_METHOD_LEAVE:
    return leave (v, p->method_leave.method, false);
  case MLPD_METHOD_EXC_LEAVE:
    return leave (v, p->method_exc_leave.method, true);
  default: /* metadata-thread */
    return !is_own_end (v) || frames->n == 0
           || refuse (v, "%u methods are open, the first one entered at " OFFSET, frames->n,
                      frames->all[0].offset);
  }
}

/* ---- collections ---- */

/* Phases of the world in their order; 0: not one of them. */
static unsigned
event_rank (uint64_t event)
{
  switch (event) {
  case MLPD_GC_EVENT_PRE_STOP_WORLD:
    return 1;
  case MLPD_GC_EVENT_PRE_STOP_WORLD_LOCKED:
    return 2;
  case MLPD_GC_EVENT_POST_STOP_WORLD:
    return 3;
  case MLPD_GC_EVENT_PRE_START_WORLD:
    return 4;
  case MLPD_GC_EVENT_POST_START_WORLD:
    return 5;
  case MLPD_GC_EVENT_POST_START_WORLD_UNLOCKED:
    return 6;
  default:
    return 0;
  }
}

/* Those about the lock are there from data version 13 on. */
static bool
may_follow (unsigned before, unsigned rank)
{
  static const unsigned lists[][3] = { [1] = { 0, 5, 6 }, [2] = { 1, 1, 1 }, [3] = { 1, 2, 2 },
                                       [4] = { 3, 3, 3 }, [5] = { 4, 4, 4 }, [6] = { 5, 5, 5 } };
  return before == lists[rank][0] || before == lists[rank][1] || before == lists[rank][2];
}

static bool
step_world (struct log_validator *v, unsigned rank)
{
  struct validated_thread *t = v->thread;
  const unsigned before = t->has_world ? event_rank (t->phase) : 0;
  const bool is_first = !t->has_world;
  t->has_world = true;
  const uint64_t phase = t->phase;
  t->phase = v->item->payload->gc_event.event;
  if (may_follow (before, rank) || (is_first && v->is_part))
    return true;
  if (is_first)
    return refuse (v, "the thread did not stop the world");
  return refuse (v, "it comes after %s", mlpd_value_name (MLPD_UNIT_GC_EVENT, phase));
}

static bool
check_collections (struct log_validator *v)
{
  const struct mlpd_gc_event *e = &v->item->payload->gc_event;
  const unsigned rank = event_rank (e->event);
  if (rank != 0)
    return step_world (v, rank);
  if (e->generation >= GENERATIONS)
    return true;
  struct collection *const c = &v->collections[e->generation];
  if (e->event == MLPD_GC_EVENT_START && c->is_running)
    return refuse (v,
                   "a collection of generation %" G_GUINT64_FORMAT " is running, since " OFFSET
                   " on thread " HEX,
                   e->generation, c->offset, c->thread);
  if (e->event == MLPD_GC_EVENT_END && !c->is_running)
    return refuse_end (v, "no collection of this generation is running");
  if (e->event == MLPD_GC_EVENT_START)
    *c = (struct collection){ true, v->thread->id, v->item->offset };
  else if (e->event == MLPD_GC_EVENT_END)
    c->is_running = false;
  return true;
}

/* ---- heap snapshots ---- */

/* A record of size 0 has more references of the object before. */
static bool
check_shot_object (struct log_validator *v, const struct mlpd_heap_object *e)
{
  struct validated_thread *t = v->thread;
  if (!t->in_shot)
    return refuse (v, "the thread is in no heap snapshot");
  if (e->size == 0 && e->object != t->object)
    return refuse (v, "it continues an object that is not the one before it");
  t->object = e->object;
  return true;
}

static bool
check_shots (struct log_validator *v)
{
  struct validated_thread *t = v->thread;
  switch (v->item->kind) {
  case MLPD_HEAP_START:
    if (t->in_shot)
      return refuse (v, "the heap snapshot that began at " OFFSET " has no end", t->offset);
    t->in_shot = true;
    t->offset = v->item->offset;
    t->object = 0;
    return true;
  case MLPD_HEAP_END:
    if (!t->in_shot)
      return refuse (v, "the thread is in no heap snapshot");
    t->in_shot = false;
    return true;
  default:
    return check_shot_object (v, &v->item->payload->heap_object);
  }
}

/* ---- monitors ---- */

static bool
check_monitors (struct log_validator *v)
{
  const struct mlpd_monitor *e = &v->item->payload->monitor;
  struct validated_thread *t = v->thread;
  if (e->event == MLPD_MONITOR_EVENT_CONTENTION) {
    if (t->waits)
      return refuse (v, "the thread waits for " HEX " since " OFFSET, t->object, t->offset);
    t->waits = true;
    t->object = e->object;
    t->offset = v->item->offset;
    return true;
  }
  if (!t->waits)
    return refuse_end (v, "the thread did not wait");
  t->waits = false;
  return e->object == t->object
         || refuse (v, "the thread waited for " HEX ", since " OFFSET, t->object, t->offset);
}

/* ---- threads ---- */

/* Before its start and after its end the runtime loads classes, allocates and registers memory on a
 * thread, and profilers state names on threads of their own; but methods run between them. */

/* A thread of native code begins in the wrapper of the first managed method that it calls, which is
 * entered before; also after its end, if it was detached and calls again. */

/* Threads that are announced again, as those that a log continues with, change nothing. */
static bool
check_thread_event (struct log_validator *v, const struct mlpd_metadata_thread *e)
{
  struct validated_thread *t = v->thread;
  if (e->thread != t->id || mlpd_is_reannounced (v->item->buffer))
    return true;
  if (e->action == MLPD_LOAD_END_LOAD) {
    if (t->has_begun && !v->duplicates)
      return refuse (v, "the thread has begun already, at " OFFSET, t->offset);
    if (t->has_events && !t->has_begun && !v->is_part)
      return refuse (v, "the thread runs methods already, the first event of them is at " OFFSET,
                     t->offset);
    t->has_begun = true;
    t->has_ended = t->is_attaching = false; /* another thread may have its id */
    t->offset = v->item->offset;
  } else if (e->action == MLPD_LOAD_END_UNLOAD) {
    *t = (struct validated_thread){ .id = t->id, .has_ended = true, .offset = v->item->offset };
  }
  return true;
}

static bool
check_threads (struct log_validator *v)
{
  struct validated_thread *t = v->thread;
  if (v->item->kind == MLPD_METADATA_THREAD)
    return check_thread_event (v, &v->item->payload->metadata_thread);
  const bool may_attach
      = v->item->kind == MLPD_METHOD_ENTER && !t->has_begun && !t->has_events && !t->is_attaching;
  if (t->has_ended && !may_attach)
    return refuse (v, "the thread has ended, at " OFFSET, t->offset);
  if (!t->has_begun && !t->has_events && !t->is_attaching && !t->has_ended)
    t->offset = v->item->offset;
  t->is_attaching = may_attach;
  t->has_events |= !may_attach;
  return true;
}

/* ---- handles ---- */

static bool
check_handles (struct log_validator *v)
{
  const union mlpd_payload *p = v->item->payload;
  if (v->item->kind == MLPD_GC_HANDLE_DESTROYED) {
    const uint64_t number = p->gc_handle_destroyed.handle;
    return g_hash_table_remove (v->handles, &number)
           || refuse_end (v, "the handle was not created");
  }
  const uint64_t number = p->gc_handle_created.handle;
  struct handle *handle = g_hash_table_lookup (v->handles, &number);
  if (handle != NULL)
    return v->duplicates
           || refuse (v, "the handle was created already, at " OFFSET, handle->offset);
  handle = g_new (struct handle, 1);
  *handle = (struct handle){ number, v->item->offset };
  g_hash_table_insert (v->handles, handle, handle);
  return true;
}

/* ---- finalizers ---- */

static bool
begin_finalizer (struct log_validator *v, bool *runs, uint64_t object)
{
  if (*runs)
    return refuse (v, "it runs already, since " OFFSET, v->thread->offset);
  *runs = true;
  v->thread->object = object;
  v->thread->offset = v->item->offset;
  return true;
}

static bool
end_finalizer (struct log_validator *v, bool *runs)
{
  if (!*runs)
    return refuse_end (v, "it did not begin");
  *runs = false;
  return true;
}

static bool
check_finalizers (struct log_validator *v)
{
  const union mlpd_payload *p = v->item->payload;
  struct validated_thread *t = v->thread;
  switch (v->item->kind) {
  case MLPD_GC_FINALIZE_START:
    return begin_finalizer (v, &t->finalizes, 0);
  case MLPD_GC_FINALIZE_END:
    if (t->finalizes_object)
      return refuse (v, "the finalizer of " HEX " runs, since " OFFSET, t->object, t->offset);
    return end_finalizer (v, &t->finalizes);
  case MLPD_GC_FINALIZE_OBJECT_START:
    return begin_finalizer (v, &t->finalizes_object, p->gc_finalize_object_start.object);
  default: /* gc-finalize-object-end */
    if (t->finalizes_object && p->gc_finalize_object_end.object != t->object)
      return refuse (v, "the finalizer of " HEX " runs, since " OFFSET, t->object, t->offset);
    return end_finalizer (v, &t->finalizes_object);
  }
}

/* ---- all of them ---- */

static const struct machine {
  const char *name;
  bool (*check) (struct log_validator *v);
  enum mlpd_kind kinds[7]; /* that it inspects */
  size_t n_kinds;
} machines[LOG_VALIDATIONS] = {
#define MACHINE(ID, name, check, ...)                                                              \
  { name, check, { __VA_ARGS__ }, G_N_ELEMENTS (((const enum mlpd_kind[]){ __VA_ARGS__ })) },
#include "decoder/mlpd/analyses/log-validator.def"
};

const char *
log_validation_name (enum log_validation type)
{
  return machines[type].name;
}

static bool
inspects (const struct machine *m, enum mlpd_kind kind)
{
  bool does = false;
  for (size_t i = 0; i < m->n_kinds; i++)
    does |= m->kinds[i] == kind;
  return does;
}

bool
log_validator_item (struct log_validator *v, const struct mlpd_item *item, char **reason)
{
  const struct machine *m = &machines[v->type];
  if (!inspects (m, item->kind))
    return true;
  if (mlpd_is_context (item->buffer))
    return true;
  v->events++;
  v->item = item;
  v->thread = thread_of (v, item->buffer->thread);
  const bool good = m->check (v);
  if (!good)
    *reason = g_steal_pointer (&v->reason);
  return good;
}

/* ---- open states at the end ---- */

static void
add_state (GArray *states, uint64_t id, const char *text, uint64_t offset)
{
  const struct log_validator_state state = { id, text, offset };
  g_array_append_val (states, state);
}

static void
add_thread_state (const struct log_validator *v, GArray *states, const struct validated_thread *t)
{
  if (v->type == LOG_VALIDATE_CALLS && t->frames.n != 0)
    add_state (states, t->id, "in a method", t->frames.all[0].offset);
  else if (v->type == LOG_VALIDATE_HEAPSHOTS && t->in_shot)
    add_state (states, t->id, "in a heap snapshot", t->offset);
  else if (v->type == LOG_VALIDATE_MONITORS && t->waits)
    add_state (states, t->id, "waits", t->offset);
  else if (v->type == LOG_VALIDATE_THREADS && t->has_begun)
    add_state (states, t->id, "runs", t->offset);
  else if (v->type == LOG_VALIDATE_FINALIZERS && (t->finalizes || t->finalizes_object))
    add_state (states, t->id, "finalizes", t->offset);
}

static int
compare_states (gconstpointer a, gconstpointer b)
{
  const struct log_validator_state *x = a, *y = b;
  return x->id < y->id ? -1 : x->id > y->id;
}

GArray *
log_validator_states (const struct log_validator *v)
{
  GArray *states = g_array_new (FALSE, FALSE, sizeof (struct log_validator_state));
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, v->threads);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    add_thread_state (v, states, value);
  for (unsigned i = 0; i < GENERATIONS; i++)
    if (v->collections[i].is_running)
      add_state (states, v->collections[i].thread, "collects", v->collections[i].offset);
  g_hash_table_iter_init (&iter, v->handles);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    add_state (states, ((struct handle *) value)->number, "created",
               ((struct handle *) value)->offset);
  g_array_sort (states, compare_states);
  return states;
}
