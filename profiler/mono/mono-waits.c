/* mono-waits.c -- the threads, their waits, and the samples of these. */
#include "config.h"

#include "profiler/mono/mono-waits.h"
#include "agent/clock.h"
#include "agent/native-thread.h"
#include "profiler/mono/mono-locks.h"
#include "profiler/mono/mono-private.h"
#include "profiler/mono/mono-sample-signal.h"
#include "profiler/os/cpu-timers.h"
#include "profiler/os/thread-states.h"
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

enum {
  FIRST_THREADS = 256,
  REQUESTS = 256,    /* at a tick: there is a record for each */
  STACK_TRIES = 3,   /* of a program that ran before: its code is looked up first */
  SLOW_CHECKS_S = 1, /* between two readings of the files that are mapped, and of masks */
  FRAME_SIZE = 1024, /* of the name of a frame, in a list of stacks */
  LOCKS_MAX = 1024,  /* waits for locks in such a list */
};

/* The time of a request's handler and of the return to the wait, at most. */
#define RETURN_NS 200000
/* A handler may be late on a busy machine. */
#define PENDING_NS UINT64_C (2000000000)
/* How long stacks are waited for, by the ticker and by the one that requests them. */
#define STACKS_NS UINT64_C (300000000)
#define ANSWER_NS UINT64_C (5000000000)
/* A long wait is written in parts, which a live reader sees. */
#define PART_NS UINT64_C (1000000000)

enum phase {
  PHASE_UNKNOWN, /* it runs, or has run since its last wait */
  PHASE_PENDING, /* a sample of its wait was requested */
  PHASE_RETURNS, /* it was taken: the thread goes back to its wait */
  PHASE_WAITS,   /* its processor time stands still */
};

struct watched {
  pid_t tid;
  bool is_listed; /* at this tick */
  bool is_blind;  /* it blocks our signal: it is none of the program's, or in a handler now */
  enum phase phase;
  unsigned tries;
  uint64_t thread;
  uint64_t time, cpu; /* until then the log has it */
  uint64_t seen;      /* when it was last found waiting */
  uint64_t still;     /* its processor time while it waits */
  uint64_t requested; /* when */
  struct thread_wait wait;
  struct sample *stack; /* of the wait; NULL: there was none */
};

static int signal_number;
static struct watched *all; /* by tid */
static size_t count, room;
static struct timed_thread_id *ids;
static size_t ids_room;
static uint64_t next_slow_check;
static uint64_t begun;   /* recording was resumed */
static uint64_t checked; /* when all threads were inspected last */

static _Atomic unsigned wanted, answered; /* count the requests for stacks */
static _Atomic (struct waits_stacks *) answer;
static uint64_t wanted_since; /* the ticker's; 0: no stacks are wanted */

/* ---- the log ---- */

static void
write_until (struct watched *w, const struct sample *s, uint64_t time, uint64_t cpu)
{
  const struct sample_usage usage = { .time = time,
                                      .elapsed = time > w->time ? time - w->time : 0,
                                      .cpu = cpu > w->cpu ? cpu - w->cpu : 0 };
  if (usage.elapsed != 0 && profiler.options.sample_real)
    sample_record (s, &usage);
  w->time = time > w->time ? time : w->time;
  w->cpu = cpu;
}

/* A thread that was interrupted as it ran.  The wait before, for a processor or otherwise, is
 * written apart if that was longer: the sample would count as one of a wait. */
static void
write_run (struct watched *w, const struct sample *s)
{
  const uint64_t cpu = s->cpu > w->cpu ? s->cpu - w->cpu : 0;
  if (s->time > w->time && s->time - w->time > 2 * cpu)
    write_until (w, s, s->time - cpu, w->cpu);
  write_until (w, s, s->time, s->cpu);
}

/* The wait, until it was last seen. */
static void
write_wait (struct watched *w)
{
  if (w->stack != NULL && w->seen > w->time)
    write_until (w, w->stack, w->seen, w->cpu);
}

static void
end_wait (struct watched *w)
{
  if (w->phase == PHASE_WAITS)
    write_wait (w);
  w->phase = PHASE_UNKNOWN;
}

/* ---- the threads ---- */

static int
compare_ids (const void *a, const void *b)
{
  const struct watched *x = a, *y = b;
  return (x->tid > y->tid) - (x->tid < y->tid);
}

static struct watched *
find_watched (pid_t tid)
{
  const struct watched key = { .tid = tid };
  return count != 0 ? bsearch (&key, all, count, sizeof *all, compare_ids) : NULL;
}

static void
add_watched (const struct timed_thread_id *id)
{
  if (count == room) {
    const size_t more = room != 0 ? 2 * room : FIRST_THREADS;
    struct watched *const grown = realloc (all, more * sizeof *all);
    if (grown == NULL)
      return; /* its waits are not known */
    all = grown;
    room = more;
  }
  struct watched *const w = &all[count++];
  *w = (struct watched){ .tid = id->id,
                         .is_listed = true,
                         .is_blind = thread_blocks_signal (id->id, signal_number),
                         .thread = id->thread != 0 ? id->thread : (uint64_t) id->id,
                         .time = id->begun > begun ? id->begun : begun };
  if (id->thread == 0 || id->begun < begun)
    cpu_timers_read (id->id, &w->cpu);
}

static void
drop_watched (struct watched *w)
{
  end_wait (w);
  free (w->stack);
}

/* A thread that has ended may have left its number to another. */
static void
list_thread (const struct timed_thread_id *id, size_t known)
{
  struct watched *const w = known != 0 ? bsearch (&(struct watched){ .tid = id->id }, all, known,
                                                  sizeof *all, compare_ids)
                                       : NULL;
  if (w == NULL) {
    add_watched (id);
  } else if (id->thread != 0 && id->thread != w->thread) {
    drop_watched (w);
    *w = (struct watched){
      .tid = id->id, .is_listed = true, .thread = id->thread, .time = id->begun
    };
  } else {
    w->is_listed = true;
  }
}

static bool
make_room_for_ids (size_t n)
{
  if (n <= ids_room)
    return true;
  struct timed_thread_id *const grown = realloc (ids, 2 * n * sizeof *ids);
  if (grown == NULL)
    return false;
  ids = grown;
  ids_room = 2 * n;
  return true;
}

/* Those that are there now; the others have ended. */
static void
list_threads (void)
{
  size_t n = cpu_timers_list (ids, ids_room);
  if (n > ids_room && make_room_for_ids (n))
    n = cpu_timers_list (ids, ids_room);
  n = n < ids_room ? n : ids_room;
  for (size_t i = 0; i < count; i++)
    all[i].is_listed = false;
  const size_t known = count;
  for (size_t i = 0; i < n; i++)
    list_thread (&ids[i], known);
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (all[i].is_listed)
      all[kept++] = all[i];
    else
      drop_watched (&all[i]);
  count = kept;
  qsort (all, count, sizeof *all, compare_ids);
}

/* ---- samples ---- */

static struct sample *
copy_sample (const struct sample *s)
{
  const size_t size = offsetof (struct sample, frames) + s->count * sizeof s->frames[0];
  struct sample *const copy = malloc (size);
  if (copy != NULL)
    memcpy (copy, s, size);
  return copy;
}

static void
set_stack (struct watched *w, const struct sample *s)
{
  free (w->stack);
  w->stack = copy_sample (s);
}

/* The thread goes back to its wait.  A stack that is not known as a whole is walked again. */
static void
note_wait (struct watched *w, const struct sample *s)
{
  const bool is_complete = !s->is_unknown || ++w->tries == STACK_TRIES;
  w->tries = is_complete ? 0 : w->tries;
  set_stack (w, s);
  w->seen = s->time;
  w->still = w->cpu = s->cpu_end;
  w->phase = is_complete && w->stack != NULL ? PHASE_RETURNS : PHASE_UNKNOWN;
}

/* Its thread has ended.  Only its processor time is written: how it waited before is known, or it
 * has not lived for long.  If it is not in the list it came after the last check, or left the list
 * before its sample was found, and then its time is in the log up to that. */
static void
note_end (struct watched *w, const struct sample *s)
{
  struct watched brief = { .thread = s->thread, .time = s->begun };
  if (w == NULL && s->begun <= checked)
    return;
  w = w != NULL ? w : &brief;
  end_wait (w);
  if (s->cpu > w->cpu && s->time - (s->cpu - w->cpu) > w->time)
    w->time = s->time - (s->cpu - w->cpu);
  write_until (w, s, s->time, s->cpu);
}

/* Where a thread is for whose locks others wait. */
static void
note_owner (const struct sample *s, uint64_t time)
{
  uint64_t methods[LOCK_PLACE_FRAMES];
  size_t n = 0;
  if (s == NULL || s->is_end || !locks_wants_place (s->number))
    return;
  for (size_t i = 0; i < s->count && n < LOCK_PLACE_FRAMES; i++) {
    methods[n] = sample_method (&s->frames[i]);
    n += methods[n] != 0;
  }
  locks_note_place (s->number, methods, n, time);
}

/* Without a wall clock the log has samples of processor time only; others are for stacks.  False:
 * the sample is not for these. */
static bool
is_for_stacks (const struct sample *s)
{
  if (!s->is_requested)
    sample_record (s, NULL);
  return wanted_since != 0 && !s->is_end;
}

void
waits_note_sample (struct sample *s)
{
  const bool is_wall = profiler.options.sample_real;
  note_owner (s, s->time);
  if (!is_wall && !is_for_stacks (s))
    return;
  struct watched *w = find_watched (s->tid);
  if (s->is_end) {
    note_end (w, s);
    return;
  }
  if (w == NULL) {
    list_threads ();
    w = find_watched (s->tid);
  }
  if (w == NULL) { /* it has ended */
    if (is_wall)
      sample_record (s, NULL);
    return;
  }
  w->is_blind = false;
  w->thread = s->thread;
  if (w->phase == PHASE_WAITS)
    end_wait (w);
  if (s->is_requested) {
    write_until (w, s, s->time, s->cpu);
    note_wait (w, s);
  } else {
    write_run (w, s);
    w->phase = PHASE_UNKNOWN;
    if (wanted_since != 0)
      set_stack (w, s);
  }
  w->cpu = s->cpu_end;
}

/* ---- the tick ---- */

static bool
can_be_signalled (const struct thread_wait *wait)
{
  const enum thread_wait_restart restart = thread_wait_restart (wait);
  return restart == THREAD_WAIT_RESTARTS
         || (restart == THREAD_WAIT_RETURNS && code_owner_is_runtime (wait));
}

/* The wait is known by its native function alone. */
static void
note_place (struct watched *w, uint64_t now, uint64_t cpu)
{
  const struct sample s = { .thread = w->thread, .tid = w->tid, .ip = w->wait.pc, .intervals = 1 };
  if (late_samples_are_set ())
    late_samples_name_thread (w->thread, w->tid);
  set_stack (w, &s);
  write_until (w, &s, now, cpu);
  w->seen = now;
  w->still = cpu;
  w->phase = w->stack != NULL ? PHASE_WAITS : PHASE_UNKNOWN;
}

/* A thread that has run: where is it now? */
static void
inspect (struct watched *w, uint64_t now, uint64_t cpu, unsigned *requests)
{
  uint64_t cpu_after;
  if (!thread_wait_read (w->tid, &w->wait) || !cpu_timers_read (w->tid, &cpu_after)
      || cpu_after != cpu)
    return;
  if (!can_be_signalled (&w->wait)) {
    note_place (w, now, cpu);
  } else if (*requests != 0 && sample_signal_request (w->tid, signal_number)) {
    --*requests;
    w->phase = PHASE_PENDING;
    w->requested = now;
  }
}

/* A thread that was sampled goes back to its wait, if it does not do something else. */
static void
check_return (struct watched *w, uint64_t cpu)
{
  struct thread_wait now;
  if (cpu - w->still > RETURN_NS) {
    w->phase = PHASE_UNKNOWN;
  } else if (thread_wait_read (w->tid, &now)) {
    w->phase = thread_wait_is_same (&now, &w->wait) ? PHASE_WAITS : PHASE_UNKNOWN;
    w->still = w->cpu = cpu;
  }
}

static void
check_thread (struct watched *w, unsigned *requests)
{
  uint64_t cpu;
  if (w->is_blind || !cpu_timers_read (w->tid, &cpu))
    return;
  const uint64_t now = clock_now ();
  if (w->phase == PHASE_RETURNS)
    check_return (w, cpu);
  if (w->phase == PHASE_RETURNS || (w->phase == PHASE_PENDING && now - w->requested < PENDING_NS))
    return;
  if (w->phase == PHASE_WAITS && cpu == w->still) {
    w->seen = now;
    note_owner (w->stack, now);
    if (now - w->time >= PART_NS)
      write_wait (w);
    return;
  }
  end_wait (w);
  inspect (w, now, cpu, requests);
}

/* A thread may have been found with its signals blocked as it began, or was in a handler. */
static void
find_blind (void)
{
  for (size_t i = 0; i < count; i++)
    if (all[i].is_blind)
      all[i].is_blind = thread_blocks_signal (all[i].tid, signal_number);
}

uint64_t
waits_check (void)
{
  const uint64_t begin = cpu_timers_of_this_thread (), now = clock_now ();
  const bool is_slow_check = now >= next_slow_check;
  unsigned requests = REQUESTS;
  if (is_slow_check) {
    code_owner_refresh ((const void *) (uintptr_t) mono_profiler_create);
    next_slow_check = now + SLOW_CHECKS_S * UINT64_C (1000000000);
  }
  checked = now;
  list_threads ();
  if (is_slow_check)
    find_blind ();
  for (size_t i = 0; i < count; i++)
    check_thread (&all[i], &requests);
  return cpu_timers_of_this_thread () - begin;
}

/* ---- the stacks of all threads now ---- */

static bool
is_waiting (const struct watched *w)
{
  return w->phase == PHASE_WAITS || w->phase == PHASE_RETURNS;
}

/* Its stack is that of a sample since the request. */
static bool
has_run (const struct watched *w)
{
  return !is_waiting (w) && w->stack != NULL && w->stack->time >= wanted_since;
}

/* A thread that goes back to its wait is known to be there at the next tick. */
static bool
are_all_known (void)
{
  for (size_t i = 0; i < count; i++)
    if (!all[i].is_blind && all[i].phase != PHASE_WAITS && !has_run (&all[i]))
      return false;
  return count != 0;
}

static char *
copy_name (const struct sample_frame *f)
{
  const uint64_t method = sample_method (f);
  const struct name *const name = method != 0 ? names_find (NAME_METHOD, method) : NULL;
  return strndup (name != NULL ? name->text : "?", FRAME_SIZE);
}

static void
list_stack (struct waits_stacks *s, const struct watched *w)
{
  struct waits_thread *const t = &s->threads[s->thread_count++];
  *t = (struct waits_thread){ .thread = w->thread,
                              .tid = w->tid,
                              .state = is_waiting (w) ? WAITS_WAITS
                                       : has_run (w)  ? WAITS_RUNS
                                                      : WAITS_UNKNOWN,
                              .first = s->frame_count };
  names_copy_thread (w->thread, t->name, sizeof t->name);
  for (size_t i = 0; t->state != WAITS_UNKNOWN && i < w->stack->count; i++) {
    s->frames[s->frame_count] = copy_name (&w->stack->frames[i]);
    if (s->frames[s->frame_count] == NULL)
      return;
    s->frame_count++;
    t->frames++;
  }
}

/* Of a class that was announced, as is that of each recorded contention. */
static char *
copy_type (uint64_t klass)
{
  const struct name *const name = names_find (NAME_CLASS, klass);
  return strndup (name != NULL ? name->text : "?", FRAME_SIZE);
}

static const struct waits_thread *
find_thread (const struct waits_stacks *s, uint64_t thread)
{
  for (size_t i = 0; i < s->thread_count; i++)
    if (s->threads[i].thread == thread)
      return &s->threads[i];
  return NULL;
}

/* Whether the thread has waited since its stack was taken. */
static bool
has_not_run (const struct waits_thread *t)
{
  const struct watched *const w = t != NULL ? find_watched (t->tid) : NULL;
  uint64_t cpu;
  return w != NULL && w->phase == PHASE_WAITS && cpu_timers_read (w->tid, &cpu) && cpu == w->still;
}

/* A wait with a limit ends by itself.  The stack states it, if it is known. */
static bool
may_end (const struct waits_stacks *s, uint64_t thread)
{
  const struct waits_thread *const t = find_thread (s, thread);
  return !has_not_run (t) || t->frames == 0 || strstr (s->frames[t->first], "try_enter") != NULL;
}

/* A circle of waits without a limit never ends. */
static void
mark_deadlocks (struct waits_stacks *s, const struct lock_wait_now *waits)
{
  for (size_t i = 0; i < s->lock_count; i++)
    for (size_t k = 0; k < s->lock_count && waits[i].circle != 0; k++)
      if (waits[k].circle == waits[i].circle && may_end (s, waits[k].thread))
        s->locks[i].deadlock = 0;
}

/* Whether the innermost frame is the runtime's entering of a lock. */
static bool
is_entering (const struct waits_stacks *s, uint64_t thread)
{
  const struct waits_thread *const t = find_thread (s, thread);
  return t != NULL && t->frames != 0 && strstr (s->frames[t->first], "_enter") != NULL;
}

/* Threads that enter a lock, and wait in the kernel. */
static unsigned
list_waiters (const struct waits_stacks *s, struct lock_waiter *waiters)
{
  unsigned n = 0;
  for (size_t i = 0; i < count && n < LOCKS_MAX; i++)
    if (all[i].phase == PHASE_WAITS && all[i].wait.call == SYS_futex
        && is_entering (s, all[i].thread))
      waiters[n++] = (struct lock_waiter){ .thread = all[i].thread,
                                           .sp = all[i].wait.sp,
                                           .futex = all[i].wait.arguments[0] };
  return n;
}

/* False without memory. */
static bool
list_locks (struct waits_stacks *s)
{
  static struct lock_wait_now waits[LOCKS_MAX];
  static struct lock_waiter waiters[LOCKS_MAX];
  const unsigned n = locks_list_waits (waits, LOCKS_MAX, waiters, list_waiters (s, waiters));
  s->locks = calloc (n + 1, sizeof *s->locks);
  if (s->locks == NULL)
    return false;
  for (unsigned i = 0; i < n; i++) {
    struct waits_lock *const l = &s->locks[s->lock_count];
    if (waits[i].number == 0 && !has_not_run (find_thread (s, waits[i].thread)))
      waits[i].owner = 0; /* of another moment */
    *l = (struct waits_lock){ .thread = waits[i].thread,
                              .lock = waits[i].lock,
                              .owner = waits[i].owner,
                              .deadlock = waits[i].circle,
                              .type = copy_type (waits[i].klass) };
    if (l->type == NULL)
      return false;
    s->lock_count++;
  }
  mark_deadlocks (s, waits);
  return true;
}

/* NULL without memory. */
static struct waits_stacks *
list_stacks (void)
{
  struct waits_stacks *const s = calloc (1, sizeof *s);
  size_t frames = 1;
  for (size_t i = 0; i < count; i++)
    frames += all[i].stack != NULL ? all[i].stack->count : 0;
  if (s == NULL)
    return NULL;
  s->threads = calloc (count + 1, sizeof *s->threads);
  s->frames = calloc (frames, sizeof *s->frames);
  if (s->threads == NULL || s->frames == NULL) {
    waits_free_stacks (s);
    return NULL;
  }
  for (size_t i = 0; i < count; i++)
    if (!all[i].is_blind)
      list_stack (s, &all[i]);
  if (!list_locks (s)) {
    waits_free_stacks (s);
    return NULL;
  }
  return s;
}

bool
waits_are_wanted (void)
{
  return atomic_load (&wanted) != atomic_load (&answered);
}

void
waits_answer (void)
{
  const unsigned number = atomic_load (&wanted);
  if (number == atomic_load (&answered))
    return;
  if (wanted_since == 0)
    wanted_since = clock_now ();
  if (clock_now () - wanted_since < STACKS_NS && !are_all_known ())
    return;
  waits_free_stacks (atomic_exchange (&answer, list_stacks ()));
  wanted_since = 0;
  if (!profiler.options.sample_real)
    waits_pause (); /* threads are not watched between requests */
  atomic_store (&answered, number);
}

struct waits_stacks *
waits_find_stacks (void)
{
  const unsigned number = atomic_fetch_add (&wanted, 1) + 1;
  const uint64_t until = clock_of_system () + ANSWER_NS;
  samples_wake ();
  while (atomic_load (&answered) != number && clock_of_system () < until)
    native_thread_sleep (2);
  return atomic_load (&answered) == number ? atomic_exchange (&answer, NULL) : NULL;
}

void
waits_free_stacks (struct waits_stacks *s)
{
  if (s == NULL)
    return;
  for (size_t i = 0; s->frames != NULL && i < s->frame_count; i++)
    free (s->frames[i]);
  for (size_t i = 0; i < s->lock_count; i++)
    free (s->locks[i].type);
  free (s->locks);
  free (s->frames);
  free (s->threads);
  free (s);
}

void
waits_begin (int signal)
{
  signal_number = signal;
}

void
waits_pause (void)
{
  begun = checked = clock_now ();
  for (size_t i = 0; i < count; i++)
    drop_watched (&all[i]);
  count = 0;
}

void
waits_finish (void)
{
  const uint64_t now = clock_now ();
  uint64_t cpu;
  for (size_t i = 0; i < count; i++) {
    if (all[i].phase == PHASE_WAITS && cpu_timers_read (all[i].tid, &cpu) && cpu == all[i].still)
      all[i].seen = now;
    drop_watched (&all[i]);
  }
  count = 0;
}
