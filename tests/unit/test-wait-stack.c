/* test-wait-stack.c -- the stacks of waiting threads. */
#include "config.h"

#include "decoder/mlpd/model/wait-stack.h"
#include "tests/unit/test.h"

/* Waits of the library on behalf of its caller. */
TEST (test_callers)
{
  static const struct {
    const char *name;
    enum wait_kind kind, expected;
  } cases[] = {
    { "System.Diagnostics.Process:WaitForExit (int)", WAIT_EVENT, WAIT_CHILD },
    { "System.Threading.ReaderWriterLockSlim:TryEnterReadLock (int)", WAIT_EVENT, WAIT_LOCK },
    { "System.Threading.ManualResetEventSlim:Wait (int)", WAIT_SLEEP, WAIT_EVENT },
    { "System.Threading.ManualResetEventSlim:Wait (int)", WAIT_LOCK, WAIT_LOCK },
    { "System.Threading.WaitHandle:WaitOne (int)", WAIT_EVENT, WAIT_EVENT },
    { "App:Work ()", WAIT_IO, WAIT_IO },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct wait_stack stack = { .kind = cases[i].kind };
    wait_stack_add (&stack, cases[i].name, true);
    assert_int_equal (stack.kind, cases[i].expected);
  }
}

/* Threads that have nothing to do wait in native code for events, or for input with epoll. */
TEST (test_idle)
{
  static const struct {
    enum wait_kind kind;
    bool is_managed, is_idle;
    const char *function, *thread;
  } cases[] = {
    { WAIT_EVENT, false, true, "__futex_abstimed_wait_common", "Finalizer" },
    { WAIT_EVENT, false, true, "__futex_abstimed_wait_common", "Thread Pool Worker" },
    { WAIT_EVENT, false, true, "__futex_abstimed_wait_common", NULL },
    { WAIT_EVENT, false, false, "__futex_abstimed_wait_common", "Main" },
    { WAIT_POLL, false, true, "epoll_wait", NULL },
    { WAIT_POLL, false, false, "__poll", NULL },
    { WAIT_SLEEP, false, false, "clock_nanosleep", "Thread Pool Worker" },
    { WAIT_EVENT, true, true, NULL, "Timer-Scheduler" },
    { WAIT_IO, true, false, NULL, "Thread Pool Worker" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct wait_stack stack = { .kind = cases[i].kind, .has_inside = cases[i].is_managed };
    assert_int_equal (wait_stack_is_idle (&stack, cases[i].function, cases[i].thread),
                      cases[i].is_idle);
    wait_stack_add (&stack, "App:Main ()", false);
    assert_false (wait_stack_is_idle (&stack, cases[i].function, cases[i].thread));
  }
}
