/* run-bounded SECONDS OUT ERR COMMAND... -- runs the command; standard output and error go through
   pipes to the files OUT and ERR.

   Prints the exit status, as a shell has it, and the milliseconds to the end of the command and of
   its output, which a process that it left behind may hold open.  If that is so for 10 s, the line
   begins with "output-open".  What is not over after SECONDS is killed, with its process group; if
   that is the command, the line begins with "hang". */
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
  signal (SIGINT, SIG_DFL); /* which a shell ignores in programs that it starts with & */
  signal (SIGQUIT, SIG_DFL);
  dup2 (out[1], STDOUT_FILENO);
  dup2 (err[1], STDERR_FILENO);
  execvp (command[0], command);
  perror (command[0]);
  _exit (127);
}

/* Moves the bytes that are there; false at the end of the pipe. */
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

/* A command that was started. */
struct run {
  pid_t pid;
  int status;
  long ended; /* when; 0: it runs */
  int from[2], to[2];
};

static void
look_for_end (struct run *run)
{
  if (run->ended == 0 && waitpid (run->pid, &run->status, WNOHANG) == run->pid)
    run->ended = now_ms ();
}

/* Moves all output until both pipes are at their end and the command, too, or until the time. */
static void
watch (struct run *run, long until)
{
  struct pollfd pipes[2]
      = { { .fd = run->from[0], .events = POLLIN }, { .fd = run->from[1], .events = POLLIN } };
  while ((pipes[0].fd >= 0 || pipes[1].fd >= 0 || run->ended == 0) && now_ms () < until) {
    const int ready = poll (pipes, 2, 5);
    for (int i = 0; ready > 0 && i < 2; i++)
      if (pipes[i].fd >= 0 && pipes[i].revents != 0 && !move (run->from[i], run->to[i]))
        pipes[i].fd = -1;
    look_for_end (run);
  }
}

/* Kills the processes that still run. */
static void
end (struct run *run)
{
  kill (-run->pid, SIGKILL);
  if (run->ended == 0)
    waitpid (run->pid, &run->status, 0);
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
  struct run run
      = { .pid = start (argv + 4, out, err), .from = { out[0], err[0] }, .to = { to[0], to[1] } };
  close (out[1]);
  close (err[1]);
  watch (&run, until);
  const long over = now_ms ();
  if (run.ended == 0)
    printf ("hang ");
  else if (over - run.ended > 10000)
    printf ("output-open ");
  if (over >= until)
    end (&run);
  const int status = run.status;
  printf ("status %d ms %ld\n",
          WIFSIGNALED (status) ? 128 + WTERMSIG (status) : WEXITSTATUS (status), over - begin);
  return 0;
}
