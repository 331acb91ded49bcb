/* quiet-child.c -- a fork by the system call alone. */
#include "config.h"

#include "profiler/os/child.h"
#include <proflog/control.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t parent; /* of this process, which is a child */

/* A connection that the program closes is to be closed. */
static void
close_all (void)
{
  struct rlimit limit;
#ifdef SYS_close_range
  if (syscall (SYS_close_range, 0u, ~0u, 0u) == 0)
    return;
#endif
  if (getrlimit (RLIMIT_NOFILE, &limit) == 0)
    for (rlim_t fd = 0; fd < limit.rlim_cur; fd++)
      close ((int) fd);
}

/* If memory runs out, this process is to end and not the program. */
static void
offer_to_die (void)
{
  static const char most[] = "1000";
  const int fd = open ("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd >= 0 && write (fd, most, sizeof most - 1) > 0)
    close (fd);
}

/* All signals are blocked, so a fault ends the process at once; only the alarm comes. */
static void
become_quiet (void)
{
  sigset_t alarms;
  offer_to_die ();
  close_all ();
  prctl (PR_SET_DUMPABLE, 0);
  prctl (PR_SET_NAME, PROFLOG_SHOT_PROCESS);
  signal (SIGALRM, SIG_DFL);
  sigemptyset (&alarms);
  sigaddset (&alarms, SIGALRM);
  sigprocmask (SIG_UNBLOCK, &alarms, NULL);
}

pid_t
quiet_child_start (void)
{
  sigset_t all, before;
  const pid_t self = getpid ();
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  /* No signal at its end, which hides it from waits without __WCLONE. */
  const pid_t child = (pid_t) syscall (SYS_clone, 0ul, NULL, NULL, NULL, NULL);
  const int error = errno;
  if (child == 0) {
    parent = self;
    become_quiet ();
    return 0;
  }
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  errno = error;
  return child;
}

void
quiet_child_go_on (unsigned seconds)
{
  if (getppid () != parent)
    _exit (1);
  alarm (seconds);
}

bool
quiet_child_has_ended (pid_t child)
{
  int status;
  pid_t ended;
  do
    ended = waitpid (child, &status, __WCLONE | WNOHANG);
  while (ended < 0 && errno == EINTR);
  return ended != 0; /* or somebody has waited for it */
}

void
quiet_child_kill (pid_t child)
{
  int status;
  if (quiet_child_has_ended (child))
    return;
  kill (child, SIGKILL);
  while (waitpid (child, &status, __WCLONE) < 0 && errno == EINTR)
    ;
}
