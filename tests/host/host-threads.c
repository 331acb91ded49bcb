/* host-threads.c -- the scenario's threads, and collections, which stop them. */
#include "config.h"

#include "tests/host/host-script.h"
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

_Thread_local struct host_thread *host_self;

static struct host_thread *all_threads;

/* Held through a collection; a thread that begins or ends to run takes it. */
static pthread_mutex_t world = PTHREAD_MUTEX_INITIALIZER;
static bool world_stopped; /* the collector's */
static _Atomic bool stopping;
static sem_t suspended;

/* ThreadSanitizer delays signals: with it threads stop between callbacks only. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
enum { STOPPED_BY_SIGNALS = false };
#else
enum { STOPPED_BY_SIGNALS = true };
#endif

struct host_thread *
host_threads (void)
{
  return all_threads;
}

/* ---- threads ---- */

static void
pause_shortly (void)
{
  const struct timespec moment = { .tv_nsec = 50000 };
  nanosleep (&moment, NULL);
}

/* Stays here while the world is stopped: as a signal handler, maybe inside the module. */
static void
suspend_here (int signal)
{
  (void) signal;
  int saved = errno;
  sem_post (&suspended);
  while (atomic_load (&stopping))
    pause_shortly ();
  sem_post (&suspended);
  errno = saved;
}

void
host_safepoint (void)
{
  if (!STOPPED_BY_SIGNALS && atomic_load_explicit (&stopping, memory_order_relaxed))
    suspend_here (0);
}

/* A thread that runs is stopped while it waits for the lock. */
static _Atomic bool is_collecting;

static void
lock_world (void)
{
  while (pthread_mutex_trylock (&world) != 0) {
    if (atomic_load_explicit (&host_self->running, memory_order_relaxed))
      host_safepoint ();
    pause_shortly ();
  }
}

void
host_set_running (bool running)
{
  lock_world ();
  atomic_store (&host_self->running, running);
  pthread_mutex_unlock (&world);
}

static void
run_work (const struct host_command *work)
{
  atomic_store (&host_self->working, true);
  host_set_running (true);
  host_run_block (work);
  host_set_running (false);
  atomic_store (&host_self->working, false);
}

static void *
thread_main (void *data)
{
  struct host_thread *t = host_self = data;
  pthread_mutex_lock (&t->lock);
  for (;;) {
    while (t->work == NULL && !t->finish)
      pthread_cond_wait (&t->changed, &t->lock);
    const struct host_command *work = t->work;
    t->work = NULL;
    if (work == NULL)
      break;
    pthread_mutex_unlock (&t->lock);
    run_work (work);
    pthread_mutex_lock (&t->lock);
    t->busy = false;
    pthread_cond_broadcast (&t->changed);
  }
  pthread_mutex_unlock (&t->lock);
  return NULL;
}

static void
prepare_thread (struct host_thread *t)
{
  pthread_mutex_init (&t->lock, NULL);
  pthread_cond_init (&t->changed, NULL);
  t->entity.alive = true;
  if (host_self != NULL)
    memcpy (t->variables, host_self->variables, sizeof t->variables);
  lock_world ();
  t->next = all_threads;
  all_threads = t;
  pthread_mutex_unlock (&world);
}

void
host_start_thread (struct host_thread *t)
{
  prepare_thread (t);
  int error = pthread_create (&t->pthread, NULL, thread_main, t);
  if (error != 0)
    host_fail ("no thread: %s", strerror (error));
  t->id = (uint64_t) (uintptr_t) t->pthread;
}

void
host_give_work (struct host_thread *t, const struct host_command *work)
{
  host_set_running (false);
  pthread_mutex_lock (&t->lock);
  while (t->busy)
    pthread_cond_wait (&t->changed, &t->lock);
  memcpy (t->variables, host_self->variables, sizeof t->variables);
  t->work = work;
  t->busy = work != NULL;
  pthread_cond_broadcast (&t->changed);
  pthread_mutex_unlock (&t->lock);
  host_set_running (true);
}

void
host_wait_for (struct host_thread *t)
{
  host_set_running (false);
  pthread_mutex_lock (&t->lock);
  while (t->busy)
    pthread_cond_wait (&t->changed, &t->lock);
  pthread_mutex_unlock (&t->lock);
  host_set_running (true);
}

void
host_finish_thread (struct host_thread *t)
{
  host_wait_for (t);
  pthread_mutex_lock (&t->lock);
  t->finish = true;
  pthread_cond_broadcast (&t->changed);
  pthread_mutex_unlock (&t->lock);
  host_set_running (false);
  pthread_join (t->pthread, NULL);
  host_set_running (true);
}

static void *
parallel_main (void *data)
{
  host_self = data;
  host_self->id = (uint64_t) (uintptr_t) pthread_self ();
  run_work (host_self->work);
  return NULL;
}

void
host_run_parallel (const struct host_command *work, uint64_t n, unsigned variable)
{
  struct host_thread **threads = host_alloc (n * sizeof *threads);
  for (uint64_t i = 0; i < n; i++) {
    struct host_thread *t = threads[i] = host_alloc (sizeof *t);
    host_self->variables[variable] = i;
    t->work = work;
    prepare_thread (t);
    int error = pthread_create (&t->pthread, NULL, parallel_main, t);
    if (error != 0)
      host_fail ("no thread: %s", strerror (error));
  }
  host_set_running (false);
  for (uint64_t i = 0; i < n; i++)
    pthread_join (threads[i]->pthread, NULL);
  host_set_running (true);
  free (threads);
}

/* ---- collections ---- */

static void
wait_for_all (size_t n)
{
  while (n > 0)
    if (sem_wait (&suspended) == 0)
      n--;
}

static size_t
stop_world (void)
{
  size_t stopped = 0;
  atomic_store (&stopping, true);
  for (struct host_thread *t = all_threads; t != NULL; t = t->next) {
    if (t == host_self || !atomic_load (&t->running))
      continue;
    stopped++;
    if (STOPPED_BY_SIGNALS)
      pthread_kill ((pthread_t) t->id, SIGUSR2);
  }
  wait_for_all (stopped);
  return stopped;
}

static void
fire_gc (unsigned event, unsigned generation, bool serial)
{
  const uint64_t values[HOST_ARGS] = { event, generation, serial };
  host_fire (CB_gc_event, values);
}

bool
host_stack_of_thread (struct host_stack *stack)
{
  if (host_self == NULL)
    return false;
  *stack = (struct host_stack){ host_self->stack, host_self->depth };
  return true;
}

bool
host_has_stopped_world (void)
{
  return host_self != NULL && host_self->collecting;
}

bool
host_is_collecting (void)
{
  return atomic_load (&is_collecting);
}

bool
host_can_walk_heap (void)
{
  return host_self != NULL && host_self->collecting && world_stopped;
}

/* The order of the events is that of Mono 6.8; the numbers are those of its gc_event. */
void
host_collect (unsigned generation, const struct host_array *moves)
{
  fire_gc (6, generation, true);
  lock_world ();
  host_self->collecting = true;
  atomic_store (&is_collecting, true);
  fire_gc (10, generation, true);
  size_t stopped = stop_world ();
  fire_gc (7, generation, true);
  fire_gc (0, generation, false);
  if (moves != NULL) {
    const uint64_t values[HOST_ARGS] = { (uint64_t) (uintptr_t) moves->values, moves->count };
    host_fire (CB_gc_moves, values);
  }
  fire_gc (5, generation, false);
  world_stopped = true;
  fire_gc (8, generation, true);
  world_stopped = false;
  atomic_store (&stopping, false);
  wait_for_all (stopped);
  host_self->collecting = false;
  atomic_store (&is_collecting, false);
  fire_gc (9, generation, true);
  pthread_mutex_unlock (&world);
  fire_gc (11, generation, true);
}

void
host_collect_for_module (unsigned generation)
{
  host_collect (generation, NULL);
}

void
host_begin_threads (void)
{
  sem_init (&suspended, 0, 0);
  struct sigaction action = { .sa_handler = suspend_here, .sa_flags = SA_RESTART };
  sigaction (SIGUSR2, &action, NULL);
  prepare_thread (host_self);
  host_set_running (true);
}
