/* mono-locks.c -- which thread owns a lock of managed code, and which threads wait for one. */
#include "config.h"

#include "profiler/mono/mono-locks.h"
#include "profiler/mono/mono-private.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum {
  THREADS = 1 << 14,      /* the runtime numbers its threads from 0 on, and uses numbers again */
  PROBE_ENTERS = 1 << 12, /* after fewer the runtime needs a description of the lock */
  DESCRIPTION_WORDS = 8,  /* of 32 bits: where the owner is searched */
  TAGS = 3,               /* bits of the word that are not of the address of the description */
  TAG_DESCRIBED = 2,      /* it is such an address */
  OWNER_BITS = 0xffff,
  STACK_WORDS = 512,    /* between the call of the system and the managed code */
  CONDITION_BYTES = 64, /* the C library's; the futex is in it */
  DESCRIPTION_BYTES = DESCRIPTION_WORDS * 2 * sizeof (uint32_t),
};

/* ---- the owner ---- */

static _Atomic bool is_known;
static size_t owner_at; /* in 32-bit words from the begin of a description */

/* The word of an object that states its lock. */
static uintptr_t
word_of (const void *object)
{
  return __atomic_load_n ((const uintptr_t *) object + 1, __ATOMIC_RELAXED);
}

static const uint32_t *
description_of (uintptr_t word)
{
  return (word & TAG_DESCRIBED) != 0 ? (const uint32_t *) (word & ~(uintptr_t) TAGS) : NULL;
}

static bool
can_probe (void)
{
  return mono_thread_info_get_small_id != NULL && mono_monitor_try_enter != NULL
         && mono_monitor_exit != NULL && mono_string_empty != NULL;
}

static void
copy_description (const void *object, uint32_t *words)
{
  const uint32_t *const description = description_of (word_of (object));
  for (size_t i = 0; i < DESCRIPTION_WORDS; i++)
    words[i] = description != NULL ? __atomic_load_n (&description[i], __ATOMIC_RELAXED) : 0;
}

/* The only word whose lower half is this thread's number while it owns the lock, and 0 else. */
static void
find_owner (const uint32_t *owned, const uint32_t *left, uint32_t self)
{
  size_t found = 0, n = 0;
  for (size_t i = 0; i < DESCRIPTION_WORDS; i++)
    if ((owned[i] & OWNER_BITS) == self && (left[i] & OWNER_BITS) == 0) {
      found = i;
      n++;
    }
  owner_at = found;
  atomic_store (&is_known, n == 1);
}

/* The empty string is there in any program, is never moved, and no program locks it.  A lock that
 * is entered often by its owner gets a description without another thread, and without memory of
 * the collector. */
void
locks_probe (void)
{
  static bool is_done;
  uint32_t owned[DESCRIPTION_WORDS], left[DESCRIPTION_WORDS];
  const int self = can_probe () ? mono_thread_info_get_small_id () : 0;
  if (is_done || self <= 0 || self >= THREADS || state_runtime_ends ())
    return;
  is_done = true;
  MonoObject *const object = (MonoObject *) mono_string_empty (mono_get_root_domain ());
  unsigned enters = 0;
  while (object != NULL && description_of (word_of (object)) == NULL && enters < PROBE_ENTERS
         && mono_monitor_try_enter (object, 0))
    enters++;
  if (enters == 0)
    return;
  copy_description (object, owned);
  while (enters-- > 0)
    mono_monitor_exit (object);
  copy_description (object, left);
  find_owner (owned, left, (uint32_t) self);
}

/* ---- threads ---- */

/* By the runtime's numbers.  Each is written by its own thread only. */
static struct lock_thread {
  _Atomic uint64_t thread; /* pthread_self; 0: there is none, or it is not known */
  _Atomic uint64_t lock;   /* that it waits for; 0: it waits for none */
  _Atomic uint64_t klass;  /* of the lock */
  _Atomic unsigned number; /* of its waits */
  _Atomic unsigned period; /* in which it began */

  /* Its own, of the wait. */
  uint64_t begun;
  uint32_t owner; /* the number of the owner at the begin; 0: unknown */

  /* Of a thread for whose locks others wait. */
  _Atomic unsigned waiters;
  _Atomic unsigned place_writes; /* odd: it is being written */
  _Atomic uint64_t place_time;
  _Atomic size_t place_count;
  _Atomic uint64_t place[LOCK_PLACE_FRAMES];
} threads[THREADS];

static _Atomic unsigned period; /* counts how often waits began to be recorded */

static _Atomic unsigned thread_limit; /* no thread has this number, or a larger one */

static struct lock_thread *
find_self (void)
{
  const int id = mono_thread_info_get_small_id != NULL ? mono_thread_info_get_small_id () : -1;
  if (id < 0 || id >= THREADS)
    return NULL;
  unsigned limit = atomic_load (&thread_limit);
  while (limit <= (unsigned) id
         && !atomic_compare_exchange_weak (&thread_limit, &limit, (unsigned) id + 1))
    ;
  return &threads[id];
}

int
locks_note_thread (void)
{
  struct lock_thread *const t = find_self ();
  const uint64_t self = (uint64_t) (uintptr_t) pthread_self ();
  if (t == NULL)
    return -1;
  if (atomic_load_explicit (&t->thread, memory_order_relaxed) != self) {
    atomic_store (&t->lock, 0);
    atomic_store (&t->thread, self);
  }
  return (int) (t - threads);
}

/* The wait is over. */
static void
leave_wait (struct lock_thread *t)
{
  atomic_store (&t->lock, 0);
  if (t->owner != 0)
    atomic_fetch_sub (&threads[t->owner].waiters, 1);
  t->owner = 0;
}

void
locks_forget_thread (void)
{
  struct lock_thread *const t = find_self ();
  if (t == NULL)
    return;
  leave_wait (t);
  atomic_store (&t->thread, 0);
}

/* ---- waits ---- */

static uint64_t
thread_of (uint32_t id)
{
  return id != 0 && id < THREADS ? atomic_load (&threads[id].thread) : 0;
}

/* The number of the owner of a lock; 0: unknown.  An object is inspected only where its layout is
 * known. */
static uint32_t
owner_of (const void *object)
{
  const uint32_t *const description
      = atomic_load (&is_known) ? description_of (word_of (object)) : NULL;
  return description != NULL
             ? __atomic_load_n (&description[owner_at], __ATOMIC_RELAXED) & OWNER_BITS
             : 0;
}

uint64_t
locks_begin_wait (const void *object, const void *klass)
{
  struct lock_thread *const t = find_self ();
  const uint32_t owner = owner_of (object);
  const uint64_t thread = thread_of (owner);
  if (t == NULL)
    return 0;
  locks_note_thread ();
  leave_wait (t); /* the end of another was not noted */
  t->begun = clock_now ();
  if (thread != 0) {
    t->owner = owner;
    atomic_fetch_add (&threads[owner].waiters, 1);
  }
  atomic_store (&t->klass, address (klass));
  atomic_fetch_add (&t->number, 1);
  atomic_store (&t->period, atomic_load (&period));
  atomic_store (&t->lock, address (object));
  return thread;
}

/* ---- where owners are ---- */

bool
locks_wants_place (int number)
{
  return number > 0 && number < THREADS && atomic_load (&threads[number].waiters) != 0;
}

void
locks_note_place (int number, const uint64_t *methods, size_t count, uint64_t time)
{
  struct lock_thread *const t = &threads[number];
  count = count < LOCK_PLACE_FRAMES ? count : LOCK_PLACE_FRAMES;
  atomic_fetch_add (&t->place_writes, 1);
  for (size_t i = 0; i < count; i++)
    atomic_store (&t->place[i], methods[i]);
  atomic_store (&t->place_count, count);
  atomic_store (&t->place_time, time);
  atomic_fetch_add (&t->place_writes, 1);
}

/* Returns the number of methods; 0 if it was not seen since then. */
static size_t
read_place (struct lock_thread *t, uint64_t since, uint64_t *methods)
{
  const unsigned before = atomic_load (&t->place_writes);
  const size_t count = atomic_load (&t->place_time) >= since ? atomic_load (&t->place_count) : 0;
  for (size_t i = 0; i < count; i++)
    methods[i] = atomic_load (&t->place[i]);
  return before % 2 == 0 && atomic_load (&t->place_writes) == before ? count : 0;
}

size_t
locks_end_wait (uint64_t methods[LOCK_PLACE_FRAMES])
{
  struct lock_thread *const t = find_self ();
  if (t == NULL)
    return 0;
  const size_t count = t->owner != 0 ? read_place (&threads[t->owner], t->begun, methods) : 0;
  leave_wait (t);
  return count;
}

void
locks_set_recorded (bool recorded)
{
  static bool is_recorded;
  if (recorded && !is_recorded)
    atomic_fetch_add (&period, 1);
  is_recorded = recorded;
}

/* ---- the waits of all threads now ---- */

/* False if the memory is not there. */
static bool
read_memory (int memory, uint64_t at, void *to, size_t size)
{
  return pread (memory, to, size, (off_t) at) == (ssize_t) size;
}

/* The owner of a lock of another thread, which may go on meanwhile: the object may move then. */
static uint64_t
read_owner (int memory, uint64_t object)
{
  uintptr_t words[2];
  uint32_t owner;
  if (!atomic_load (&is_known) || !read_memory (memory, object, words, sizeof words)
      || description_of (words[1]) == NULL
      || !read_memory (memory, (uint64_t) (uintptr_t) (description_of (words[1]) + owner_at),
                       &owner, sizeof owner))
    return 0;
  return thread_of (owner & OWNER_BITS);
}

/* Whether a description refers to the condition that has this futex: there is one for each lock. */
static bool
has_futex (int memory, const uint32_t *description, uint64_t futex)
{
  uint64_t words[DESCRIPTION_BYTES / sizeof (uint64_t)];
  if (!read_memory (memory, (uint64_t) (uintptr_t) description, words, sizeof words))
    return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (words[i] != 0 && futex - words[i] < CONDITION_BYTES)
      return true;
  return false;
}

/* The object on the thread's stack that is the lock which it waits for. */
static bool
find_on_stack (int memory, const struct lock_waiter *waiter, struct lock_wait_now *wait)
{
  uint64_t stack[STACK_WORDS];
  uintptr_t object[2];
  if (waiter->futex == 0 || !read_memory (memory, waiter->sp, stack, sizeof stack))
    return false;
  for (size_t i = 0; i < STACK_WORDS; i++) {
    const bool may_be
        = stack[i] != 0 && stack[i] % sizeof (void *) == 0 && stack[i] - waiter->sp >= sizeof stack;
    if (!may_be || !read_memory (memory, stack[i], object, sizeof object)
        || description_of (object[1]) == NULL
        || !has_futex (memory, description_of (object[1]), waiter->futex))
      continue;
    MonoClass *const klass = mono_vtable_class ((MonoVTable *) object[0]);
    *wait = (struct lock_wait_now){
      .thread = waiter->thread, .lock = stack[i], .klass = address (klass), .next = LOCKS_NONE
    };
    name_class (klass);
    return true;
  }
  return false;
}

static bool
waits_still (const struct lock_wait_now *w, const struct lock_thread *t)
{
  return atomic_load (&t->lock) == w->lock && atomic_load (&t->number) == w->number
         && atomic_load (&t->thread) == w->thread;
}

/* Threads that wait now; `places` are those of the threads. */
static unsigned
find_waits (struct lock_wait_now *waits, struct lock_thread **places, unsigned room)
{
  const unsigned limit = atomic_load (&thread_limit);
  unsigned n = 0;
  for (unsigned i = 0; i < limit && n < room; i++) {
    struct lock_thread *const t = &threads[i];
    waits[n] = (struct lock_wait_now){ .lock = atomic_load (&t->lock),
                                       .number = atomic_load (&t->number),
                                       .klass = atomic_load (&t->klass),
                                       .thread = atomic_load (&t->thread),
                                       .next = LOCKS_NONE };
    if (waits[n].lock != 0 && waits[n].thread != 0
        && atomic_load (&t->period) == atomic_load (&period) && waits_still (&waits[n], t))
      places[n++] = t;
  }
  return n;
}

static unsigned
find_wait_of (const struct lock_wait_now *waits, unsigned n, uint64_t thread)
{
  for (unsigned i = 0; i < n; i++)
    if (thread != 0 && waits[i].thread == thread)
      return i;
  return LOCKS_NONE;
}

/* Adds those of waiters that are not in the list. */
static unsigned
add_waiters (int memory, struct lock_wait_now *waits, struct lock_thread **places, unsigned n,
             unsigned room, const struct lock_waiter *waiters, unsigned waiter_count)
{
  const unsigned noted = n;
  for (unsigned i = 0; i < waiter_count && n < room; i++)
    if (find_wait_of (waits, noted, waiters[i].thread) == LOCKS_NONE
        && find_on_stack (memory, &waiters[i], &waits[n]))
      places[n++] = NULL;
  return n;
}

/* Only those that have waited since find_waits: all together waited at the moment between. */
static unsigned
drop_ended (struct lock_wait_now *waits, struct lock_thread *const *places, unsigned n)
{
  unsigned kept = 0;
  for (unsigned i = 0; i < n; i++)
    if ((places[i] == NULL || waits_still (&waits[i], places[i]))
        && waits[i].owner != waits[i].thread)
      waits[kept++] = waits[i];
  return kept;
}

/* Each wait leads to at most one other: of n steps the last is in a circle, if there is one. */
static void
find_circles (struct lock_wait_now *waits, unsigned n)
{
  unsigned circles = 0;
  for (unsigned i = 0; i < n; i++)
    waits[i].next = find_wait_of (waits, n, waits[i].owner);
  for (unsigned i = 0; i < n; i++) {
    unsigned at = i;
    for (unsigned step = 0; step < n && at != LOCKS_NONE; step++)
      at = waits[at].next;
    if (at == LOCKS_NONE || waits[at].circle != 0)
      continue;
    circles++;
    for (; waits[at].circle == 0; at = waits[at].next)
      waits[at].circle = circles;
  }
}

unsigned
locks_list_waits (struct lock_wait_now *waits, unsigned room, const struct lock_waiter *waiters,
                  unsigned waiter_count)
{
  static struct lock_thread *places[THREADS];
  const int memory = open ("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  room = room < THREADS ? room : THREADS;
  unsigned n = find_waits (waits, places, room);
  if (memory >= 0) {
    if (atomic_load (&is_known))
      n = add_waiters (memory, waits, places, n, room, waiters, waiter_count);
    for (unsigned i = 0; i < n; i++)
      waits[i].owner = read_owner (memory, waits[i].lock);
    close (memory);
  }
  n = drop_ended (waits, places, n);
  find_circles (waits, n);
  return n;
}
