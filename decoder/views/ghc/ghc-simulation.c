/* ghc-simulation.c -- writes states and events as ghc-events does: in the notation of Haskell. */
#include "config.h"

#include "decoder/views/ghc/ghc-simulation.h"
#include "decoder/output/emitter-values.h"
#include "decoder/views/ghc/ghc-show.h"

struct ghc_simulation {
  enum ghc_validation type;
  struct ghc_validator *validator;
  GString *state; /* in the notation */
  bool refused;
};

/* ---- states ---- */

static void
put_number (GString *out, uint64_t number)
{
  emitter_append_decimal (out, number);
}

static void
put_system (GString *out, uint64_t os_thread)
{
  g_string_append_printf (out, "KernelThreadId {kernelThreadId = %" G_GUINT64_FORMAT "}",
                          os_thread);
}

/* "ThreadQueued" of "queued". */
static void
put_word (GString *out, const char *prefix, const char *state)
{
  g_string_append (out, prefix);
  g_string_append_c (out, g_ascii_toupper (state[0]));
  g_string_append (out, state + 1);
}

static void
put_thread (GString *out, const struct ghc_validator_state *s)
{
  put_number (out, s->id);
  g_string_append_c (out, ',');
  put_word (out, "Thread", s->state);
}

static void
put_spark_thread (GString *out, const struct ghc_validator_state *s)
{
  put_number (out, s->id);
  g_string_append_c (out, ',');
  put_word (out, "SparkThread", s->state);
  if (g_str_equal (s->state, "running") || g_str_equal (s->state, "paused")) {
    g_string_append_c (out, ' ');
    put_number (out, s->sparks);
  }
}

static void
put_with_cap (GString *out, const struct ghc_validator_state *s)
{
  put_number (out, s->id);
  g_string_append_c (out, ',');
  put_number (out, s->cap);
}

static void
put_with_other (GString *out, const struct ghc_validator_state *s)
{
  put_number (out, s->id);
  g_string_append_c (out, ',');
  put_number (out, s->other);
}

static void
put_system_with_cap (GString *out, const struct ghc_validator_state *s)
{
  put_system (out, s->id);
  g_string_append_c (out, ',');
  put_number (out, s->cap);
}

static void
put_task (GString *out, const struct ghc_validator_state *s)
{
  put_number (out, s->id);
  g_string_append_c (out, ',');
  put_system (out, s->other);
}

/* "fromList [(1,2),(3,4)]".  A spark thread that did not run is in no map. */
static void
put_map (GString *out, const struct ghc_validator *validator, enum ghc_validator_table table,
         void (*put) (GString *out, const struct ghc_validator_state *state))
{
  g_autoptr (GArray) states = ghc_validator_table (validator, table);
  const char *before = "(";
  g_string_append (out, "fromList [");
  for (guint i = 0; i < states->len; i++) {
    const struct ghc_validator_state *s = &g_array_index (states, struct ghc_validator_state, i);
    if (s->state != NULL && table == GHC_VALIDATOR_THINGS && g_str_equal (s->state, "initial"))
      continue;
    g_string_append (out, before);
    put (out, s);
    g_string_append_c (out, ')');
    before = ",(";
  }
  g_string_append_c (out, ']');
}

/* "fromList [1,2]" */
static void
put_ids (GString *out, const struct ghc_validator *validator)
{
  g_autoptr (GArray) states = ghc_validator_table (validator, GHC_VALIDATOR_THINGS);
  g_string_append (out, "fromList [");
  for (guint i = 0; i < states->len; i++) {
    if (i != 0)
      g_string_append_c (out, ',');
    put_number (out, g_array_index (states, struct ghc_validator_state, i).id);
  }
  g_string_append_c (out, ']');
}

static void
put_state (GString *out, const struct ghc_simulation *s)
{
  const struct ghc_validator *v = s->validator;
  switch (s->type) {
  case GHC_VALIDATE_THREADS:
    g_string_append_c (out, '(');
    put_map (out, v, GHC_VALIDATOR_THINGS, put_thread);
    g_string_append_c (out, ',');
    put_map (out, v, GHC_VALIDATOR_CAPS, put_with_other);
    g_string_append_c (out, ')');
    break;
  case GHC_VALIDATE_THREADRUN:
    put_map (out, v, GHC_VALIDATOR_CAPS, put_with_other);
    break;
  case GHC_VALIDATE_TASKS:
    g_string_append_c (out, '(');
    put_map (out, v, GHC_VALIDATOR_SYSTEMS, put_system_with_cap);
    g_string_append_c (out, ',');
    put_map (out, v, GHC_VALIDATOR_THINGS, put_task);
    g_string_append_c (out, ')');
    break;
  case GHC_VALIDATE_SPARKS:
    g_string_append_c (out, '(');
    put_map (out, v, GHC_VALIDATOR_THINGS, put_spark_thread);
    g_string_append (out, ",(");
    put_map (out, v, GHC_VALIDATOR_CAPS, put_with_other);
    g_string_append_c (out, ',');
    put_ids (out, v);
    g_string_append (out, "))");
    break;
  default: /* threadpool, taskpool */
    put_map (out, v, GHC_VALIDATOR_THINGS, put_with_cap);
    break;
  }
}

/* ---- events ---- */

static const char *const status_names[] = {
  [GHC_STOP_STATUS_HEAP_OVERFLOW] = "HeapOverflow",
  [GHC_STOP_STATUS_STACK_OVERFLOW] = "StackOverflow",
  [GHC_STOP_STATUS_YIELDING] = "ThreadYielding",
  [GHC_STOP_STATUS_BLOCKED] = "ThreadBlocked",
  [GHC_STOP_STATUS_FINISHED] = "ThreadFinished",
  [GHC_STOP_STATUS_FOREIGN_CALL] = "ForeignCall",
  [GHC_STOP_STATUS_MVAR] = "BlockedOnMVar",
  [GHC_STOP_STATUS_BLACK_HOLE] = "BlockedOnBlackHole",
  [GHC_STOP_STATUS_READ] = "BlockedOnRead",
  [GHC_STOP_STATUS_WRITE] = "BlockedOnWrite",
  [GHC_STOP_STATUS_DELAY] = "BlockedOnDelay",
  [GHC_STOP_STATUS_STM] = "BlockedOnSTM",
  [GHC_STOP_STATUS_ASYNC_IO] = "BlockedOnDoProc",
  [GHC_STOP_STATUS_SAFE_CALL] = "BlockedOnCCall",
  [GHC_STOP_STATUS_INTERRUPTIBLE_CALL] = "BlockedOnCCall_NoUnblockExc",
  [GHC_STOP_STATUS_THROW_TO] = "BlockedOnMsgThrowTo",
  [GHC_STOP_STATUS_MIGRATING] = "ThreadMigrating",
  [GHC_STOP_STATUS_READ_MVAR] = "BlockedOnMVarRead",
};

static void
put_status (GString *out, const struct ghc_item *item)
{
  uint64_t owner;
  const unsigned status = ghc_show_status (item, &owner);
  const char *name = status < G_N_ELEMENTS (status_names) ? status_names[status] : NULL;
  if (status == GHC_STOP_STATUS_BLACK_HOLE && owner != UINT64_MAX)
    g_string_append_printf (out, "BlockedOnBlackHoleOwnedBy %" G_GUINT64_FORMAT, owner);
  else
    g_string_append (out, name != NULL ? name : "NoStatus");
}

/* One of those that the machines inspect. */
static void
put_specific (GString *out, const struct ghc_item *item)
{
  const union ghc_payload *p = item->payload;
  switch (item->kind) {
  case GHC_CREATE_THREAD:
    g_string_append_printf (out, "CreateThread {thread = %u}", p->create_thread.thread);
    break;
  case GHC_RUN_THREAD:
    g_string_append_printf (out, "RunThread {thread = %u}", p->run_thread.thread);
    break;
  case GHC_STOP_THREAD:
    g_string_append_printf (out, "StopThread {thread = %u, status = ", p->stop_thread.thread);
    put_status (out, item);
    g_string_append_c (out, '}');
    break;
  case GHC_THREAD_WAKEUP:
    g_string_append_printf (out, "WakeupThread {thread = %u, otherCap = %u}",
                            p->thread_wakeup.thread, p->thread_wakeup.other_cap);
    break;
  case GHC_MIGRATE_THREAD:
    g_string_append_printf (out, "MigrateThread {thread = %u, newCap = %u}",
                            p->migrate_thread.thread, p->migrate_thread.new_cap);
    break;
  case GHC_CREATE_SPARK_THREAD:
    g_string_append_printf (out, "CreateSparkThread {sparkThread = %u}",
                            p->create_spark_thread.spark_thread);
    break;
  case GHC_STEAL_SPARK:
    g_string_append_printf (out, "SparkSteal {victimCap = %u}", p->steal_spark.victim_cap);
    break;
  case GHC_SPARK_STEAL:
    g_string_append_printf (out, "SparkSteal {victimCap = %u}", p->spark_steal.victim_cap);
    break;
  case GHC_TASK_CREATE:
    g_string_append_printf (out, "TaskCreate {taskId = %" G_GUINT64_FORMAT ", cap = %u, tid = ",
                            p->task_create.task, p->task_create.cap);
    put_system (out, p->task_create.os_thread);
    g_string_append_c (out, '}');
    break;
  case GHC_TASK_MIGRATE:
    g_string_append_printf (out,
                            "TaskMigrate {taskId = %" G_GUINT64_FORMAT ", cap = %u, new_cap = %u}",
                            p->task_migrate.task, p->task_migrate.cap, p->task_migrate.new_cap);
    break;
  case GHC_TASK_DELETE:
    g_string_append_printf (out, "TaskDelete {taskId = %" G_GUINT64_FORMAT "}",
                            p->task_delete.task);
    break;
  default:
    g_string_append (out, "SparkRun");
  }
}

static void
put_event (GString *out, const struct ghc_item *item)
{
  g_string_append (out, "Event {evTime = ");
  put_number (out, item->time);
  g_string_append (out, ", evSpec = ");
  put_specific (out, item);
  if (item->cap == GHC_NO_CAP)
    g_string_append (out, ", evCap = Nothing}");
  else
    g_string_append_printf (out, ", evCap = Just %u}", item->cap);
}

static void
put_step (GString *out, const struct ghc_simulation *s, const struct ghc_item *item)
{
  g_string_append_c (out, '(');
  emitter_append_bytes (out, s->state->str, s->state->len);
  g_string_append_c (out, ',');
  put_event (out, item);
  g_string_append (out, ")\n");
}

/* ---- the machine ---- */

struct ghc_simulation *
ghc_simulation_new (enum ghc_validation type, bool reminders)
{
  struct ghc_simulation *s = g_new0 (struct ghc_simulation, 1);
  s->type = type;
  s->validator = ghc_validator_new (type, reminders, false);
  s->state = g_string_new (NULL);
  put_state (s->state, s);
  return s;
}

void
ghc_simulation_free (struct ghc_simulation *s)
{
  ghc_validator_free (s->validator);
  g_string_free (s->state, TRUE);
  g_free (s);
}

void
ghc_simulation_begin (const struct ghc_simulation *s, GString *out)
{
  (void) s;
  g_string_append (out, "Trace:\n");
}

bool
ghc_simulation_item (struct ghc_simulation *s, const struct ghc_item *item, GString *out)
{
  const uint64_t before = ghc_validator_events (s->validator);
  char *reason;
  if (!ghc_validator_item (s->validator, item, &reason)) {
    g_free (reason);
    s->refused = true;
    g_string_append (out, "\nInvalid:\n");
    put_step (out, s, item);
    return false;
  }
  if (ghc_validator_events (s->validator) == before)
    return true;
  g_string_truncate (s->state, 0);
  put_state (s->state, s);
  put_step (out, s, item);
  return true;
}

void
ghc_simulation_end (const struct ghc_simulation *s, GString *out)
{
  if (!s->refused)
    g_string_append (out, "\nValid.\n");
}

bool
ghc_simulation_is_valid (const struct ghc_simulation *s)
{
  return !s->refused;
}
