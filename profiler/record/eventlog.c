/* eventlog.c -- records threads, capabilities and allocated bytes for an eventlog. */
#include "config.h"

#include "profiler/record/eventlog.h"
#include <pthread.h>
#include <string.h>

enum { ALLOCATED_STEP = 64 * 1024 }; /* bytes after which another event is recorded */

static _Atomic uint32_t threads;
static const char *(*name_of_thread) (uint64_t);

void
eventlog_label_thread (uint32_t thread, const char *text)
{
  const struct ghc_thread_label event
      = { .thread = thread, .label = { text, strnlen (text, EVENTLOG_TEXT_MAX) } };
  EVENTLOG_RECORD (thread_label, event);
}

static void
place_cap (struct recorder *r)
{
  const uint16_t cap = (uint16_t) r->number;
  const struct ghc_cap_create made = { .cap = cap };
  EVENTLOG_RECORD (cap_create, made);
  for (uint32_t set = EVENTLOG_PROCESS; set <= EVENTLOG_CLOCK; set++) {
    const struct ghc_capset_assign_cap assigned = { .capset = set, .cap = cap };
    EVENTLOG_RECORD (capset_assign_cap, assigned);
  }
  r->eventlog.is_placed = true;
}

static void
run (struct recorder *r)
{
  const struct ghc_run_thread event = { .thread = r->eventlog.id };
  EVENTLOG_RECORD (run_thread, event);
  r->eventlog.is_stopped = false;
}

/* A thread that is not in the log yet runs. */
static void
begin_thread (struct recorder *r)
{
  const uint32_t id = atomic_fetch_add_explicit (&threads, 1, memory_order_relaxed) + 1;
  if (!r->eventlog.is_placed)
    place_cap (r);
  const struct ghc_create_thread made = { .thread = id };
  EVENTLOG_RECORD (create_thread, made);
  /* A thread that names it either finds it here, or has stored the name before this reads it. */
  atomic_store (&r->eventlog.id, id);
  const char *const name = name_of_thread ((uint64_t) (uintptr_t) pthread_self ());
  if (name != NULL)
    eventlog_label_thread (id, name);
  run (r);
}

struct recorder *
eventlog_recorder (void)
{
  struct recorder *r = recorder_begin (1, 0, 0, 0);
  if (r == NULL || r->number >= EVENTLOG_CAPS_MAX || r->eventlog.is_over)
    return NULL;
  if (r->eventlog.id == 0)
    begin_thread (r);
  else if (r->eventlog.is_stopped)
    run (r);
  return r;
}

void
eventlog_stop (unsigned status)
{
  struct recorder *r = eventlog_recorder ();
  if (r == NULL)
    return;
  const struct ghc_stop_thread event = { .thread = r->eventlog.id, .status = (uint16_t) status };
  EVENTLOG_RECORD (stop_thread, event);
  r->eventlog.is_stopped = true;
}

void
eventlog_continue (void)
{
  eventlog_recorder ();
}

void
eventlog_wake_up (void)
{
  struct recorder *r = recorder_of_thread;
  if (r == NULL || !r->eventlog.is_stopped)
    return;
  const struct ghc_thread_wakeup event
      = { .thread = r->eventlog.id, .other_cap = (uint16_t) r->number };
  EVENTLOG_RECORD (thread_wakeup, event);
  eventlog_continue ();
}

void
eventlog_end_thread (void)
{
  struct recorder *r = eventlog_recorder ();
  if (r == NULL)
    return;
  eventlog_record_allocated ();
  eventlog_stop (GHC_STOP_STATUS_FINISHED);
  eventlog_forget_thread (r);
  r->eventlog.is_over = true;
}

void
eventlog_forget_thread (struct recorder *r)
{
  struct eventlog_thread *t = &r->eventlog;
  t->is_stopped = t->is_live_due = t->is_over = false;
  atomic_store (&t->id, 0);
}

/* The recorder goes to another thread. */
static void
thread_ended (struct recorder *r)
{
  if (r->eventlog.id != 0)
    eventlog_end_thread ();
  eventlog_forget_thread (r);
}

void
eventlog_start (const char *(*name) (uint64_t))
{
  name_of_thread = name;
  recorder_set_thread_end (thread_ended);
}

struct recorder *
eventlog_allocated (uint64_t size)
{
  struct recorder *r = recorder_of_thread;
  if (__builtin_expect (r == NULL || r->eventlog.id == 0, 0))
    eventlog_recorder ();
  r = recorder_of_thread;
  if (r == NULL)
    return NULL;
  struct eventlog_thread *t = &r->eventlog;
  const uint64_t sum = atomic_load_explicit (&t->allocated, memory_order_relaxed) + size;
  atomic_store_explicit (&t->allocated, sum, memory_order_relaxed);
  if (__builtin_expect (sum - t->allocated_recorded >= ALLOCATED_STEP, 0) && t->id != 0)
    eventlog_record_allocated ();
  return r;
}

void
eventlog_record_allocated (void)
{
  struct recorder *r = recorder_of_thread;
  if (r == NULL)
    return;
  struct eventlog_thread *t = &r->eventlog;
  const uint64_t sum = atomic_load_explicit (&t->allocated, memory_order_relaxed);
  if (sum == t->allocated_recorded)
    return;
  const struct ghc_heap_allocated event = { .heap_capset = EVENTLOG_PROCESS, .bytes = sum };
  EVENTLOG_RECORD (heap_allocated, event);
  t->allocated_recorded = sum;
}
