/* test-quiet-child.c -- a child that its parent does not notice, and that does not outlive it. */
#include "config.h"

#include "profiler/os/child.h"
#include "tests/unit/test.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t signals;
static int *volatile nowhere;

static void
count_signal (int signal)
{
  (void) signal;
  signals++;
}

static void
wait_for_end (pid_t child)
{
  for (int i = 0; i < 10000 && !quiet_child_has_ended (child); i++)
    usleep (1000);
}

/* The child has no descriptor of the parent: the pipe ends, and nothing it writes arrives. */
TEST (test_quiet)
{
  int ends[2], status;
  char byte;
  signal (SIGCHLD, count_signal);
  assert_int_equal (pipe (ends), 0);
  const pid_t child = quiet_child_start ();
  if (child == 0) {
    for (;;) {
      quiet_child_go_on (5);
      usleep (1000);
    }
  }
  assert_true (child > 0);
  close (ends[1]);
  assert_int_equal (read (ends[0], &byte, 1), 0);
  assert_int_equal (kill (child, 0), 0);
  assert_false (quiet_child_has_ended (child));
  assert_int_equal (waitpid (-1, &status, WNOHANG), -1);
  assert_int_equal (errno, ECHILD);
  quiet_child_kill (child);
  assert_int_equal (kill (child, 0), -1);
  assert_int_equal (signals, 0);
  close (ends[0]);
  signal (SIGCHLD, SIG_DFL);
}

/* A fault ends it though the parent handles that, and it ends by itself if it does not go on. */
TEST (test_ends)
{
  signal (SIGSEGV, count_signal);
  signal (SIGALRM, count_signal);
  const pid_t faulty = quiet_child_start ();
  if (faulty == 0) {
    raise (SIGSEGV); /* blocked: it waits */
    *nowhere = 1;
    for (;;)
      pause ();
  }
  wait_for_end (faulty);
  assert_int_equal (kill (faulty, 0), -1);
  const time_t begun = time (NULL);
  const pid_t idle = quiet_child_start ();
  if (idle == 0) {
    quiet_child_go_on (1);
    for (;;)
      pause ();
  }
  wait_for_end (idle);
  assert_int_equal (kill (idle, 0), -1);
  assert_in_range (time (NULL) - begun, 0, 5);
  assert_int_equal (signals, 0);
  signal (SIGSEGV, SIG_DFL);
  signal (SIGALRM, SIG_DFL);
}

/* The parent ends: the grandchild's end closes the last copy of its memory, which is seen by its
 * id. */
TEST (test_without_parent)
{
  int ends[2], status;
  pid_t grandchild = 0;
  assert_int_equal (pipe (ends), 0);
  const pid_t parent = fork ();
  if (parent == 0) {
    const pid_t child = quiet_child_start ();
    if (child == 0)
      for (;;) {
        quiet_child_go_on (100);
        usleep (1000);
      }
    if (write (ends[1], &child, sizeof child) != sizeof child)
      _exit (1);
    for (;;)
      pause ();
  }
  assert_int_equal (read (ends[0], &grandchild, sizeof grandchild), sizeof grandchild);
  assert_int_equal (kill (grandchild, 0), 0);
  kill (parent, SIGKILL);
  assert_int_equal (waitpid (parent, &status, 0), parent);
  for (int i = 0; i < 10000 && kill (grandchild, 0) == 0; i++)
    usleep (1000);
  assert_int_equal (kill (grandchild, 0), -1);
  close (ends[0]);
  close (ends[1]);
}
