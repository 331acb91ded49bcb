/* run-bounded SECONDS OUT ERR COMMAND... -- runs the command; standard output and error go through
   pipes to the files OUT and ERR.

   Prints the exit status, as a shell has it, and the milliseconds to the end of the command and of
   its output, which any process that it left behind may hold open.  What is not over after SECONDS
   is killed, with its process group, and the line begins with "hang". */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long
now_ms (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000L + t.tv_nsec / 1000000;
}

static void
stop (const char *what)
{
  perror (what);
  exit (125);
}

/* Starts the command with the write ends of the pipes. */
static pid_t
start (char **command, const int *out, const int *err)
{
  const pid_t pid = fork ();
  if (pid < 0)
    stop ("fork");
  if (pid > 0)
    return pid;
  setpgid (0, 0);
  signal (SIGINT, SIG_DFL); /* which a shell ignores in what it starts with & */
  signal (SIGQUIT, SIG_DFL);
  dup2 (out[1], STDOUT_FILENO);
  dup2 (err[1], STDERR_FILENO);
  execvp (command[0], command);
  perror (command[0]);
  _exit (127);
}

/* Moves what is there; false at the end of the pipe. */
static bool
move (int from, int to)
{
  char bytes[65536];
  const ssize_t n = read (from, bytes, sizeof bytes);
  if (n < 0 && errno == EINTR)
    return true;
  if (n > 0 && write (to, bytes, n) != n)
    stop ("write");
  return n > 0;
}

/* Moves all output until both pipes are at their end, or until the time. */
static bool
move_all (const int *from, const int *to, long until)
{
  struct pollfd pipes[2]
      = { { .fd = from[0], .events = POLLIN }, { .fd = from[1], .events = POLLIN } };
  while (pipes[0].fd >= 0 || pipes[1].fd >= 0) {
    const long rest = until - now_ms ();
    if (rest <= 0)
      return false;
    if (poll (pipes, 2, (int) rest) <= 0)
      continue;
    for (int i = 0; i < 2; i++)
      if (pipes[i].revents != 0 && !move (from[i], to[i]))
        pipes[i].fd = -1;
  }
  return true;
}

/* The end of the process, which is not waited for after the time. */
static bool
wait_until (pid_t pid, long until, int *status)
{
  while (waitpid (pid, status, WNOHANG) == 0) {
    if (now_ms () >= until)
      return false;
    usleep (1000);
  }
  return true;
}

int
main (int argc, char **argv)
{
  if (argc < 5)
    return 125;
  const long begin = now_ms (), until = begin + atol (argv[1]) * 1000;
  int out[2], err[2];
  if (pipe2 (out, O_CLOEXEC) != 0 || pipe2 (err, O_CLOEXEC) != 0)
    stop ("pipe");
  const int to[2] = { open (argv[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600),
                      open (argv[3], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) };
  if (to[0] < 0 || to[1] < 0)
    stop ("open");
  const pid_t pid = start (argv + 4, out, err);
  close (out[1]);
  close (err[1]);
  const int from[2] = { out[0], err[0] };
  int status = 0;
  const bool is_over = move_all (from, to, until) && wait_until (pid, until, &status);
  if (!is_over) {
    const bool has_ended = waitpid (pid, &status, WNOHANG) == pid;
    kill (-pid, SIGKILL);
    if (!has_ended)
      waitpid (pid, &status, 0);
    printf ("hang %s ", has_ended ? "output-open" : "running");
  }
  printf ("status %d ms %ld\n",
          WIFSIGNALED (status) ? 128 + WTERMSIG (status) : WEXITSTATUS (status), now_ms () - begin);
  return 0;
}
