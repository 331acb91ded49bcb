/* ghc-validator.c -- runs the state machines over the events of an eventlog. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-validator.h"
#include "decoder/ghc/ghc-start.h"

enum thread_state { INITIAL, QUEUED, RUNNING, STOPPED, FINAL, CREATED, PAUSED };

static const char *const state_names[]
    = { "initial", "queued", "running", "stopped", "final", "created", "paused" };

/* A thread, task or capability. */
struct entity {
  uint64_t id;
  enum thread_state state;
  unsigned cap;    /* where it is */
  uint64_t other;  /* of a task the system's thread, of that the task, of a capability the thread
                      that it runs */
  uint64_t sparks; /* of a spark thread, after its first one */
};

struct ghc_validator {
  enum ghc_validation type;
  bool reminders, accepts_parts;
  bool has_begun, is_part; /* there was an event of threads; the first is not the program's */
  uint64_t events;
  GHashTable *entities;        /* threads or tasks, by id: struct entity, whose id is the key */
  GHashTable *caps;            /* capabilities that run a thread that this machine has, by number */
  GHashTable *running;         /* these threads: their cap is where they run */
  GHashTable *systems;         /* the system's threads that are tasks */
  GHashTable *begun;           /* capabilities on which a thread was run or stopped */
  const struct ghc_item *item; /* that is being checked */
  char *reason;                /* why it must not come */
};

static const char *const names[GHC_VALIDATIONS]
    = { [GHC_VALIDATE_THREADS] = "threads",     [GHC_VALIDATE_THREADPOOL] = "threadpool",
        [GHC_VALIDATE_THREADRUN] = "threadrun", [GHC_VALIDATE_TASKPOOL] = "taskpool",
        [GHC_VALIDATE_TASKS] = "tasks",         [GHC_VALIDATE_SPARKS] = "sparks" };

static GHashTable *
new_entities (void)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
}

struct ghc_validator *
ghc_validator_new (enum ghc_validation type, bool reminders, bool accepts_parts)
{
  struct ghc_validator *m = g_new0 (struct ghc_validator, 1);
  m->type = type;
  m->reminders = reminders;
  m->accepts_parts = accepts_parts;
  m->entities = new_entities ();
  m->caps = new_entities ();
  m->running = new_entities ();
  m->systems = new_entities ();
  m->begun = new_entities ();
  return m;
}

void
ghc_validator_free (struct ghc_validator *m)
{
  g_hash_table_unref (m->entities);
  g_hash_table_unref (m->caps);
  g_hash_table_unref (m->running);
  g_hash_table_unref (m->systems);
  g_hash_table_unref (m->begun);
  g_free (m);
}

const char *
ghc_validation_name (enum ghc_validation type)
{
  return names[type];
}

uint64_t
ghc_validator_events (const struct ghc_validator *m)
{
  return m->events;
}

static struct entity *
find (GHashTable *entities, uint64_t id)
{
  return g_hash_table_lookup (entities, &id);
}

static struct entity *
add (GHashTable *entities, uint64_t id)
{
  struct entity *entity = g_new0 (struct entity, 1);
  entity->id = id;
  g_hash_table_insert (entities, entity, entity);
  return entity;
}

static void
drop (GHashTable *entities, uint64_t id)
{
  g_hash_table_remove (entities, &id);
}

static bool G_GNUC_PRINTF (2, 3) refuse (struct ghc_validator *m, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  m->reason = g_strdup_vprintf (format, args);
  va_end (args);
  return false;
}

/* The machines that inspect capabilities want to know whose the event is. */
static bool
has_cap (struct ghc_validator *m)
{
  return m->item->cap != GHC_NO_CAP || refuse (m, "the event is of no capability");
}

/* ---- logs that begin in the middle of the program ---- */

static void
note_begin (struct ghc_validator *m, const struct ghc_item *item)
{
  switch (item->kind) {
  case GHC_CREATE_THREAD:
  case GHC_RUN_THREAD:
  case GHC_STOP_THREAD:
  case GHC_THREAD_WAKEUP:
  case GHC_MIGRATE_THREAD:
    m->is_part |= m->accepts_parts && !m->has_begun
                  && !ghc_is_first_of_program (item->kind, item->payload);
    m->has_begun = true;
    break;
  default:
    break;
  }
}

/* A thread that runs since before the log stops before anything else happens there. */
static bool
may_have_run_before (const struct ghc_validator *m)
{
  return m->is_part && find (m->begun, m->item->cap) == NULL;
}

/* ---- which capability runs which thread ---- */

static void
note_cap (struct ghc_validator *m)
{
  if (find (m->begun, m->item->cap) == NULL)
    add (m->begun, m->item->cap);
}

static bool
run (struct ghc_validator *m, uint32_t thread, bool counts)
{
  const unsigned cap = m->item->cap;
  if (!has_cap (m))
    return false;
  const struct entity *busy = find (m->caps, cap), *running = find (m->running, thread);
  if (busy != NULL)
    return refuse (m, "capability %u runs thread %" G_GUINT64_FORMAT " already", cap, busy->other);
  if (running != NULL)
    return refuse (m, "thread %u runs already, on capability %u", thread, running->cap);
  note_cap (m);
  if (counts) {
    add (m->caps, cap)->other = thread;
    add (m->running, thread)->cap = cap;
  }
  return true;
}

static void
stop (struct ghc_validator *m, uint32_t thread)
{
  const struct entity *running = find (m->running, thread);
  if (running == NULL)
    return;
  drop (m->caps, running->cap);
  drop (m->running, thread);
}

static bool
stop_running (struct ghc_validator *m, uint32_t thread)
{
  if (!has_cap (m))
    return false;
  if (find (m->running, thread) == NULL && !may_have_run_before (m))
    return refuse (m, "thread %u does not run", thread);
  note_cap (m);
  stop (m, thread);
  return true;
}

static bool
check_threadrun (struct ghc_validator *m)
{
  const union ghc_payload *p = m->item->payload;
  if (m->item->kind == GHC_RUN_THREAD)
    return run (m, p->run_thread.thread, true);
  return stop_running (m, p->stop_thread.thread);
}

/* ---- the state of each thread ---- */

/* The state of a thread before its first event, in a log that is a part. */
static enum thread_state
state_before (const struct ghc_item *item)
{
  return item->kind == GHC_CREATE_THREAD ? INITIAL
         : item->kind == GHC_STOP_THREAD ? RUNNING
                                         : STOPPED;
}

/* The state after an event; INITIAL: the event does not fit. */
static enum thread_state
thread_step (enum thread_state state, const struct ghc_item *item)
{
  switch (item->kind) {
  case GHC_CREATE_THREAD:
    return state == INITIAL ? QUEUED : INITIAL;
  case GHC_RUN_THREAD:
    return state == QUEUED || state == STOPPED ? RUNNING : INITIAL;
  case GHC_THREAD_WAKEUP:
    return state == QUEUED || state == STOPPED ? QUEUED : INITIAL;
  default: /* stop-thread */
    break;
  }
  if (state != RUNNING)
    return INITIAL;
  switch (item->payload->stop_thread.status) {
  case GHC_STOP_STATUS_HEAP_OVERFLOW:
  case GHC_STOP_STATUS_STACK_OVERFLOW:
  case GHC_STOP_STATUS_FOREIGN_CALL:
    return QUEUED;
  case GHC_STOP_STATUS_FINISHED:
    return FINAL;
  default:
    return STOPPED;
  }
}

static bool
step_thread (struct ghc_validator *m, uint32_t id)
{
  struct entity *thread = find (m->entities, id);
  const enum thread_state before = thread != NULL ? thread->state
                                   : m->is_part   ? state_before (m->item)
                                                  : INITIAL;
  const enum thread_state after = thread_step (before, m->item);
  if (after == INITIAL)
    return refuse (m, "thread %u is %s", id, thread != NULL ? state_names[before] : "unknown");
  if (thread == NULL)
    thread = add (m->entities, id);
  thread->state = after;
  return true;
}

static bool
check_threads (struct ghc_validator *m)
{
  const union ghc_payload *p = m->item->payload;
  switch (m->item->kind) {
  case GHC_RUN_THREAD:
    return run (m, p->run_thread.thread, true) && step_thread (m, p->run_thread.thread);
  case GHC_STOP_THREAD:
    return stop_running (m, p->stop_thread.thread) && step_thread (m, p->stop_thread.thread);
  case GHC_CREATE_THREAD:
    return step_thread (m, p->create_thread.thread);
  default: /* thread-wakeup: of another capability's thread it states nothing */
    return m->item->cap == GHC_NO_CAP || p->thread_wakeup.other_cap != m->item->cap
           || step_thread (m, p->thread_wakeup.thread);
  }
}

/* ---- which capability a thread belongs to ---- */

static bool
check_threadpool (struct ghc_validator *m)
{
  const union ghc_payload *p = m->item->payload;
  if (!has_cap (m))
    return false;
  if (m->item->kind == GHC_CREATE_THREAD) {
    const uint32_t id = p->create_thread.thread;
    if (find (m->entities, id) != NULL)
      return refuse (m, "thread %u is there already", id);
    add (m->entities, id)->cap = m->item->cap;
    return true;
  }
  if (m->item->kind == GHC_STOP_THREAD && p->stop_thread.status != GHC_STOP_STATUS_FINISHED)
    return true;
  const uint32_t id
      = m->item->kind == GHC_STOP_THREAD ? p->stop_thread.thread : p->migrate_thread.thread;
  struct entity *thread = find (m->entities, id);
  if (thread == NULL && !m->is_part)
    return refuse (m, "thread %u is unknown", id);
  if (m->item->kind == GHC_STOP_THREAD)
    drop (m->entities, id);
  else
    (thread != NULL ? thread : add (m->entities, id))->cap = p->migrate_thread.new_cap;
  return true;
}

/* ---- tasks ---- */

static bool
create_task (struct ghc_validator *m, const struct ghc_task_create *event)
{
  const bool has_systems = m->type == GHC_VALIDATE_TASKS;
  if (find (m->entities, event->task) != NULL)
    return refuse (m, "task 0x%" G_GINT64_MODIFIER "x is there already", event->task);
  if (has_systems && find (m->systems, event->os_thread) != NULL)
    return refuse (m, "the system's thread %" G_GUINT64_FORMAT " is a task already",
                   event->os_thread);
  struct entity *task = add (m->entities, event->task);
  task->cap = event->cap;
  if (has_systems) {
    task->other = event->os_thread;
    add (m->systems, event->os_thread)->other = event->task;
  }
  return true;
}

static bool
check_task (struct ghc_validator *m)
{
  const union ghc_payload *p = m->item->payload;
  if (m->item->kind == GHC_TASK_CREATE)
    return create_task (m, &p->task_create);
  const bool migrates = m->item->kind == GHC_TASK_MIGRATE;
  const uint64_t id = migrates ? p->task_migrate.task : p->task_delete.task;
  struct entity *task = find (m->entities, id);
  if (task == NULL)
    return refuse (m, "task 0x%" G_GINT64_MODIFIER "x is unknown", id);
  if (!migrates) {
    drop (m->systems, task->other);
    drop (m->entities, id);
    return true;
  }
  if (m->type == GHC_VALIDATE_TASKPOOL && p->task_migrate.cap != task->cap)
    return refuse (m, "task 0x%" G_GINT64_MODIFIER "x is of capability %u", id, task->cap);
  task->cap = p->task_migrate.new_cap;
  return true;
}

/* ---- threads that run sparks ---- */

/* The same as thread_step. */
static enum thread_state
spark_step (enum thread_state state, const struct ghc_item *item)
{
  switch (item->kind) {
  case GHC_RUN_THREAD:
    return state == INITIAL ? CREATED : state == PAUSED ? RUNNING : INITIAL;
  case GHC_STOP_THREAD:
    if (item->payload->stop_thread.status == GHC_STOP_STATUS_FINISHED)
      return state == CREATED || state == RUNNING ? FINAL : INITIAL;
    return state == RUNNING ? PAUSED : INITIAL;
  default: /* spark-run, spark-steal, and those of early writers */
    return state == CREATED || state == RUNNING ? RUNNING : INITIAL;
  }
}

static bool
step_spark_thread (struct ghc_validator *m, struct entity *thread)
{
  const enum thread_state after = spark_step (thread->state, m->item);
  if (after == INITIAL)
    return refuse (m, "spark thread %" G_GUINT64_FORMAT " is %s", thread->id,
                   state_names[thread->state]);
  const bool is_spark = m->item->kind != GHC_RUN_THREAD && m->item->kind != GHC_STOP_THREAD;
  thread->sparks += is_spark && thread->state == RUNNING;
  thread->state = after;
  return true;
}

static bool
check_run_of_sparks (struct ghc_validator *m, uint32_t id)
{
  struct entity *thread = find (m->entities, id);
  return run (m, id, thread != NULL) && (thread == NULL || step_spark_thread (m, thread));
}

static bool
check_stop_of_sparks (struct ghc_validator *m, uint32_t id)
{
  struct entity *thread = find (m->entities, id);
  if (!has_cap (m) || (thread != NULL && !step_spark_thread (m, thread)))
    return false;
  stop (m, id);
  return true;
}

static bool
check_sparks (struct ghc_validator *m)
{
  const union ghc_payload *p = m->item->payload;
  switch (m->item->kind) {
  case GHC_CREATE_SPARK_THREAD:
    if (!has_cap (m))
      return false;
    if (find (m->entities, p->create_spark_thread.spark_thread) != NULL)
      return refuse (m, "spark thread %u is there already", p->create_spark_thread.spark_thread);
    add (m->entities, p->create_spark_thread.spark_thread);
    return true;
  case GHC_RUN_THREAD:
    return check_run_of_sparks (m, p->run_thread.thread);
  case GHC_STOP_THREAD:
    return check_stop_of_sparks (m, p->stop_thread.thread);
  default: { /* spark-run, spark-steal: of the spark thread that the capability runs, if any */
    const struct entity *busy = find (m->caps, m->item->cap);
    return busy == NULL || step_spark_thread (m, find (m->entities, busy->other));
  }
  }
}

/* ---- all of them ---- */

struct machine_type {
  bool (*take) (struct ghc_validator *m);
  enum ghc_kind kinds[7]; /* that it inspects */
  size_t n_kinds;
};

#define KINDS(...) { __VA_ARGS__ }, G_N_ELEMENTS (((const enum ghc_kind[]){ __VA_ARGS__ }))

static const struct machine_type types[GHC_VALIDATIONS] = {
  [GHC_VALIDATE_THREADS] = { check_threads, KINDS (GHC_CREATE_THREAD, GHC_RUN_THREAD,
                                                   GHC_STOP_THREAD, GHC_THREAD_WAKEUP) },
  [GHC_VALIDATE_THREADPOOL]
  = { check_threadpool, KINDS (GHC_CREATE_THREAD, GHC_STOP_THREAD, GHC_MIGRATE_THREAD) },
  [GHC_VALIDATE_THREADRUN] = { check_threadrun, KINDS (GHC_RUN_THREAD, GHC_STOP_THREAD) },
  [GHC_VALIDATE_TASKPOOL]
  = { check_task, KINDS (GHC_TASK_CREATE, GHC_TASK_MIGRATE, GHC_TASK_DELETE) },
  [GHC_VALIDATE_TASKS] = { check_task, KINDS (GHC_TASK_CREATE, GHC_TASK_MIGRATE, GHC_TASK_DELETE) },
  [GHC_VALIDATE_SPARKS]
  = { check_sparks, KINDS (GHC_CREATE_SPARK_THREAD, GHC_RUN_THREAD, GHC_STOP_THREAD, GHC_SPARK_RUN,
                           GHC_SPARK_STEAL, GHC_RUN_SPARK, GHC_STEAL_SPARK) },
};

/* Is it made, though it is there? */
static bool
is_reminder (const struct ghc_validator *m)
{
  const union ghc_payload *p = m->item->payload;
  const struct entity *entity;
  switch (m->item->kind) {
  case GHC_CREATE_THREAD:
    entity = find (m->entities, p->create_thread.thread);
    return entity != NULL && entity->state != FINAL;
  case GHC_CREATE_SPARK_THREAD:
    entity = find (m->entities, p->create_spark_thread.spark_thread);
    return entity != NULL && entity->state != FINAL;
  case GHC_TASK_CREATE:
    entity = find (m->entities, p->task_create.task);
    return entity != NULL
           && (m->type != GHC_VALIDATE_TASKS || entity->other == p->task_create.os_thread);
  default:
    return false;
  }
}

bool
ghc_validator_item (struct ghc_validator *m, const struct ghc_item *item, char **reason)
{
  const struct machine_type *type = &types[m->type];
  bool is_watched = false;
  if (item->type != GHC_ITEM_EVENT)
    return true;
  note_begin (m, item);
  for (size_t i = 0; i < type->n_kinds; i++)
    is_watched |= type->kinds[i] == item->kind;
  if (!is_watched)
    return true;
  m->events++;
  m->item = item;
  if (m->reminders && is_reminder (m))
    return true;
  const bool good = type->take (m);
  if (!good)
    *reason = g_steal_pointer (&m->reason);
  return good;
}

static int
compare_states (gconstpointer a, gconstpointer b)
{
  const struct ghc_validator_state *x = a, *y = b;
  return x->id < y->id ? -1 : x->id > y->id;
}

static GArray *
list_states (const struct ghc_validator *m, GHashTable *entities, bool with_final)
{
  const bool has_states = m->type == GHC_VALIDATE_THREADS || m->type == GHC_VALIDATE_SPARKS;
  GArray *states = g_array_new (FALSE, FALSE, sizeof (struct ghc_validator_state));
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, entities);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    const struct entity *entity = value;
    const struct ghc_validator_state state
        = { .id = entity->id,
            .state = has_states ? state_names[entity->state] : NULL,
            .cap = has_states ? GHC_NO_CAP : entity->cap,
            .other = entity->other,
            .sparks = entity->sparks };
    if (with_final || entity->state != FINAL)
      g_array_append_val (states, state);
  }
  g_array_sort (states, compare_states);
  return states;
}

GArray *
ghc_validator_states (const struct ghc_validator *m)
{
  return list_states (m, m->type == GHC_VALIDATE_THREADRUN ? m->running : m->entities, false);
}

GArray *
ghc_validator_table (const struct ghc_validator *m, enum ghc_validator_table table)
{
  if (table != GHC_VALIDATOR_SYSTEMS)
    return list_states (m, table == GHC_VALIDATOR_CAPS ? m->caps : m->entities, true);
  GArray *systems = list_states (m, m->systems, true);
  for (guint i = 0; i < systems->len; i++) {
    struct ghc_validator_state *system = &g_array_index (systems, struct ghc_validator_state, i);
    system->cap = find (m->entities, system->other)->cap;
  }
  return systems;
}
