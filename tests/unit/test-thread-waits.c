/* test-thread-waits.c -- threads that wait for a condition are idle, those that run or wait for a
 * lock are not. */
#include "config.h"

#include "profiler/os/thread-waits.h"
#include "tests/unit/test.h"

#include <pthread.h>
#include <stdatomic.h>
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
