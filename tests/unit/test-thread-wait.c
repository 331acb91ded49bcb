/* test-thread-wait.c -- threads that wait for a condition are idle, those that run or wait for a
 * lock are not. */
#include "config.h"

#include "profiler/os/thread-states.h"
#include "tests/unit/test.h"

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static _Atomic int step;

/* Waits for a condition, runs, waits for a lock. */
static void *
run (void *unused)
{
  pthread_setname_np (pthread_self (), "test worker");
  pthread_mutex_lock (&lock);
  while (step == 0)
    pthread_cond_wait (&condition, &lock);
  pthread_mutex_unlock (&lock);
  while (step == 1)
    ;
  pthread_mutex_lock (&other);
  pthread_mutex_unlock (&other);
  return unused;
}

static bool
becomes_idle (const struct thread_group *group)
{
  for (int i = 0; i < 5000; i++) {
    if (thread_group_is_idle (group))
      return true;
    usleep (1000);
  }
  return false;
}

static bool
stays_busy (const struct thread_group *group)
{
  for (int i = 0; i < 100; i++) {
    if (thread_group_is_idle (group))
      return false;
    usleep (1000);
  }
  return true;
}

static void
go_on (int to)
{
  pthread_mutex_lock (&lock);
  step = to;
  pthread_cond_broadcast (&condition);
  pthread_mutex_unlock (&lock);
}

static bool
come_to (bool run)
{
  for (int i = 0; i < 5000; i++) {
    if (other_threads_run () == run)
      return true;
    usleep (1000);
  }
  return false;
}

/* ---- one thread ---- */

#ifndef SYS_poll /* of newer machines */
#define SYS_poll SYS_ppoll
#endif

static int ends[2], sockets[2];
static sem_t unheard;

static void
wait_in_sleep (void)
{
  nanosleep (&(struct timespec){ .tv_sec = 600 }, NULL);
}

static void
wait_in_read (void)
{
  char byte;
  if (read (ends[0], &byte, 1) != 0)
    return;
}

static void
wait_in_receive (void)
{
  char byte;
  if (recv (sockets[0], &byte, 1, 0) != 0)
    return;
}

static void
wait_for_all_bytes (void)
{
  char bytes[2];
  if (recv (sockets[0], bytes, 2, MSG_WAITALL) != 0)
    return;
}

static void
wait_for_semaphore (void)
{
  sem_wait (&unheard);
}

static void
wait_with_limit (void)
{
  struct timespec until;
  clock_gettime (CLOCK_REALTIME, &until);
  until.tv_sec += 600;
  sem_timedwait (&unheard, &until);
}

static void
wait_in_poll (void)
{
  poll (NULL, 0, 600000);
}

static void
run_on (void)
{
  for (;;)
    pthread_testcancel ();
}

struct waiter {
  void (*wait) (void);
  _Atomic pid_t id;
};

static void *
run_waiter (void *data)
{
  struct waiter *w = data;
  sigset_t mask;
  sigemptyset (&mask);
  sigaddset (&mask, SIGUSR2);
  pthread_sigmask (SIG_BLOCK, &mask, NULL);
  atomic_store (&w->id, (pid_t) syscall (SYS_gettid));
  w->wait ();
  return NULL;
}

/* Its wait, which no longer changes; false if it goes on. */
static bool
read_wait_of (struct waiter *w, pthread_t *thread, struct thread_wait *wait)
{
  int same = 0;
  assert_int_equal (pthread_create (thread, NULL, run_waiter, w), 0);
  for (int i = 0; i < 2000 && same < 20; i++) {
    struct thread_wait now;
    usleep (1000);
    const bool waits = atomic_load (&w->id) != 0 && thread_wait_read (atomic_load (&w->id), &now);
    same = waits && same != 0 && thread_wait_is_same (&now, wait) ? same + 1 : waits;
    *wait = now;
    if (!waits && i > 200)
      return false;
  }
  return same == 20;
}

/* The kernel removes a thread a moment after it was joined. */
static void
end_waiter (pthread_t thread, pid_t id)
{
  pthread_cancel (thread);
  pthread_join (thread, NULL);
  for (int i = 0; i < 2000 && tgkill (getpid (), id, 0) == 0; i++)
    usleep (1000);
}

/* The effect of a signal, and the call. */
static void
waits_in (void (*wait) (void), long call, enum thread_wait_restart restart)
{
  struct waiter w = { .wait = wait };
  struct thread_wait found;
  pthread_t thread;
  assert_true (read_wait_of (&w, &thread, &found));
  assert_int_equal (found.call, call);
  assert_int_equal (thread_wait_restart (&found), restart);
  assert_true (thread_blocks_signal (w.id, SIGUSR2));
  assert_false (thread_blocks_signal (w.id, SIGUSR1));
  end_waiter (thread, w.id);
  assert_false (thread_wait_read (w.id, &found));
  assert_true (thread_blocks_signal (w.id, SIGUSR1)); /* it has ended */
}

TEST (test_waits)
{
  const struct timeval limit = { .tv_sec = 600 }, none = { 0 };
  struct waiter busy = { .wait = run_on };
  struct thread_wait wait;
  pthread_t thread;
  assert_int_equal (pipe (ends), 0);
  assert_int_equal (socketpair (AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  assert_int_equal (sem_init (&unheard, 0, 0), 0);
  waits_in (wait_in_read, SYS_read, THREAD_WAIT_RESTARTS);
  waits_in (wait_in_receive, SYS_recvfrom, THREAD_WAIT_RESTARTS);
  waits_in (wait_for_all_bytes, SYS_recvfrom, THREAD_WAIT_ENDS);
  waits_in (wait_for_semaphore, SYS_futex, THREAD_WAIT_RESTARTS);
  waits_in (wait_with_limit, SYS_futex, THREAD_WAIT_RETURNS);
  waits_in (wait_in_poll, SYS_poll, THREAD_WAIT_ENDS);
  waits_in (wait_in_sleep, SYS_clock_nanosleep, THREAD_WAIT_ENDS);
  assert_int_equal (setsockopt (sockets[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit), 0);
  waits_in (wait_in_receive, SYS_recvfrom, THREAD_WAIT_ENDS);
  assert_int_equal (setsockopt (sockets[0], SOL_SOCKET, SO_RCVTIMEO, &none, sizeof none), 0);
  assert_false (read_wait_of (&busy, &thread, &wait));
  end_waiter (thread, busy.id);
}

TEST (test_idle)
{
  struct thread_group group;
  pthread_t threads[2];
  assert_true (thread_group_find (&group, "test worker"));
  assert_int_equal (group.count, 0);
  pthread_mutex_lock (&other);
  for (int i = 0; i < 2; i++)
    assert_int_equal (pthread_create (&threads[i], NULL, run, NULL), 0);
  for (int i = 0; i < 5000 && group.count != 2; i++) {
    assert_true (thread_group_find (&group, "test worker"));
    usleep (1000);
  }
  assert_int_equal (group.count, 2);
  assert_true (becomes_idle (&group));
  assert_true (come_to (false));
  go_on (1);
  assert_true (stays_busy (&group));
  for (int i = 0; i < 100; i++)
    assert_true (other_threads_run ());
  go_on (2);
  assert_true (stays_busy (&group)); /* they wait for the lock */
  pthread_mutex_unlock (&other);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  assert_false (thread_group_is_idle (&group)); /* they are not there */
}
