/* test-native-frame.c -- from a thread that waits in the C library to the function that called it.
 */
#include "config.h"

#include "profiler/os/native-frame.h"
#include "profiler/os/thread-states.h"
#include "tests/unit/test.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

enum { CALL_REACH = 512, FRAMES = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static bool is_over;
static _Atomic pid_t sleeper;

/* Leaves addresses of this file on the stack, where the frames of the wait will be. */
static __attribute__ ((noinline)) void
leave_words (void)
{
  volatile uint64_t words[512];
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    words[i] = (uint64_t) (uintptr_t) &leave_words;
}

static __attribute__ ((noinline)) void
wait_for_end (void)
{
  struct timespec until;
  clock_gettime (CLOCK_REALTIME, &until);
  until.tv_sec += 60;
  while (!is_over)
    pthread_cond_timedwait (&condition, &lock, &until);
}

static void *
run (void *unused)
{
  leave_words ();
  pthread_mutex_lock (&lock);
  sleeper = gettid ();
  wait_for_end ();
  pthread_mutex_unlock (&lock);
  return unused;
}

static void
test_caller_of_a_wait (void **state)
{
  pthread_t thread;
  struct thread_wait wait = { .call = -1 };
  const int memory = open ("/proc/self/mem", O_RDONLY);
  const uint64_t function = (uint64_t) (uintptr_t) &wait_for_end;
  (void) state;
  assert_int_equal (pthread_create (&thread, NULL, run, NULL), 0);
  for (int i = 0; i < 5000 && (sleeper == 0 || !thread_wait_read (sleeper, &wait)); i++)
    usleep (1000);
  assert_true (wait.call >= 0);
  struct native_frame f = { .pc = wait.pc, .sp = wait.sp };
  int n = 0;
  while (f.pc - function >= CALL_REACH && n++ < FRAMES)
    assert_true (native_frame_leave (&f, memory));
  assert_in_range (n, 1, FRAMES);
  assert_true (f.is_caller);
  pthread_mutex_lock (&lock);
  is_over = true;
  pthread_cond_broadcast (&condition);
  pthread_mutex_unlock (&lock);
  pthread_join (thread, NULL);
  close (memory);
}

static void
test_what_has_no_table (void **state)
{
  static const uint64_t data[64];
  const int memory = open ("/proc/self/mem", O_RDONLY);
  struct native_frame f = { .pc = (uint64_t) (uintptr_t) data, .sp = (uint64_t) (uintptr_t) data };
  const struct native_frame before = f;
  (void) state;
  assert_false (native_frame_leave (&f, memory));
  assert_memory_equal (&f, &before, sizeof f);
  /* A function of the C library, with a stack that cannot be read. */
  f = (struct native_frame){ .pc = (uint64_t) (uintptr_t) &usleep, .sp = 0 };
  assert_false (native_frame_leave (&f, memory));
  close (memory);
}

int
main (void)
{
  const struct CMUnitTest tests[]
      = { cmocka_unit_test (test_caller_of_a_wait), cmocka_unit_test (test_what_has_no_table) };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
