/* mono-locks.h -- which thread owns a lock of managed code, and which threads wait for one.
 *
 * A lock is an object.  Once two threads wanted it, the second word of the object has the address
 * of the runtime's description of the lock, and that has the runtime's number of the owner.  Both
 * places are found at the start, with a lock of our own.
 */
#ifndef PROFILER_MONO_LOCKS_H
#define PROFILER_MONO_LOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Finds where the owner of a lock stands, once: on a thread that the runtime knows, when the
 * runtime has started.  Owners are unknown before, and if the places are not as described above. */
void locks_probe (void);

/* ---- threads, on themselves; also in the handler of a signal ---- */

/* The runtime's number of this thread is that of pthread_self from now on.  Returns it; -1: the
 * runtime does not know the thread. */
int locks_note_thread (void);

/* This thread ends. */
void locks_forget_thread (void);

/* ---- waits, on their threads ---- */

/* This thread wants the lock, and waits for it from now on.  Returns the thread that owns the lock
 * now (pthread_self); 0: that is not known. */
uint64_t locks_begin_wait (const void *object, const void *klass);

#define LOCK_PLACE_FRAMES 16

/* The wait ends.  Returns the number of methods in which the owner of the begin was last seen since
 * then, innermost first. */
size_t locks_end_wait (uint64_t methods[LOCK_PLACE_FRAMES]);

/* Whether these two are called.  Of a wait that was not called from its begin to its end nothing is
 * known. */
void locks_set_recorded (bool recorded);

/* ---- where owners are, from one thread ---- */

/* Whether others wait for a lock of the thread with this number (of locks_note_thread). */
bool locks_wants_place (int number);

/* It is in these methods at this time. */
void locks_note_place (int number, const uint64_t *methods, size_t count, uint64_t time);

/* ---- the waits of all threads now, from one other thread ---- */

struct lock_wait_now {
  uint64_t thread; /* pthread_self */
  uint64_t lock;   /* the object */
  uint64_t klass;  /* its class */
  uint64_t owner;  /* pthread_self of its owner; 0: unknown */
  unsigned number; /* counts the waits of the thread, from 1 on; 0: it was not noted */
  unsigned next;   /* in the list: the wait of the owner; LOCKS_NONE: it has none */
  unsigned circle; /* the number of the circle of waits that it is in, from 1 on; 0: none */
};

#define LOCKS_NONE UINT32_MAX

/* A thread that waits, perhaps for a lock since before waits were recorded. */
struct lock_waiter {
  uint64_t thread; /* pthread_self */
  uint64_t sp;     /* its stack */
  uint64_t futex;  /* that the kernel has it wait for; 0: none */
};

/* Lists the waits, at most `room`, and returns their number: those that were noted, and those that
 * `waiters` are in.  The runtime knows the calling thread.  A circle was one at a moment: all its
 * threads waited, each for a lock that the next one owned.  That is certain of noted waits (number
 * not 0); the caller checks of the others that their threads have not run meanwhile. */
unsigned locks_list_waits (struct lock_wait_now *waits, unsigned room,
                           const struct lock_waiter *waiters, unsigned waiter_count);

#endif
