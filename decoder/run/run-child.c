/* run-child.c -- fork, exec, signals, wait. */
#include "config.h"

#include "decoder/run/run.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

static const int left_to_child[] = { SIGINT, SIGQUIT, SIGPIPE };
static const int passed_on[] = { SIGTERM, SIGHUP };

static volatile pid_t child;
static volatile bool has_ended;
static volatile int exit_status;

static void
pass_on (int number)
{
  int saved = errno;
  kill (child, number);
  errno = saved;
}

/* Runs in the child.  All signals are blocked and have the actions that this process was started
 * with; signals before the exec are for the program. */
static void G_GNUC_NORETURN
start (const char *executable, char **arguments, char **environment, const sigset_t *mask,
       const struct sigaction *on_child, const struct run_child_watch *watch, int failed)
{
  if (watch->begin != NULL)
    watch->begin (watch->data);
  sigaction (SIGCHLD, on_child, NULL);
  sigprocmask (SIG_SETMASK, mask, NULL);
  execve (executable, arguments, environment);
  int code = errno;
  ssize_t n = write (failed, &code, sizeof code);
  _exit (n == (ssize_t) sizeof code ? 127 : 126);
}

static void
watch_signals (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (left_to_child); i++)
    signal (left_to_child[i], SIG_IGN);
  for (size_t i = 0; i < G_N_ELEMENTS (passed_on); i++) {
    /* A signal that was ignored (nohup) stays so, here as in the child. */
    struct sigaction action = { .sa_handler = pass_on, .sa_flags = SA_RESTART }, before;
    sigemptyset (&action.sa_mask);
    if (sigaction (passed_on[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction (passed_on[i], &action, NULL);
  }
}

static int
fail (GError **error, int code)
{
  g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (code), g_strerror (code));
  return -1;
}

/* Waits for the errno of a failed exec; 0 if it was done, which closed the pipe. */
static int
exec_error (int fd)
{
  int code = 0;
  ssize_t n;
  do
    n = read (fd, &code, sizeof code);
  while (n < 0 && errno == EINTR);
  return n == (ssize_t) sizeof code ? code : 0;
}

static int
note_end (int status)
{
  exit_status = WIFSIGNALED (status) ? 128 + WTERMSIG (status) : WEXITSTATUS (status);
  has_ended = true;
  return exit_status;
}

int
run_child_outlast (void)
{
  int status = 0;
  if (child <= 0 || has_ended)
    return exit_status;
  while (waitpid (child, &status, 0) < 0)
    if (errno != EINTR)
      return 0;
  return note_end (status);
}

/* SIGCHLD is blocked, and ends the time between two looks. */
static int
wait_for_end (const struct run_child_watch *watch)
{
  static const struct timespec second = { .tv_sec = 1 };
  int status = 0;
  sigset_t ended;
  sigemptyset (&ended);
  sigaddset (&ended, SIGCHLD);
  for (;;) {
    const pid_t pid = waitpid (child, &status, WNOHANG);
    if (pid != 0 && (pid > 0 || errno != EINTR))
      return note_end (status);
    sigtimedwait (&ended, NULL, &second);
    if (watch->look != NULL)
      watch->look (watch->data, child);
  }
}

int
run_child (const char *executable, char **arguments, char **environment,
           const struct run_child_watch *watch, pid_t *pid, GError **error)
{
  int failed[2];
  if (pipe2 (failed, O_CLOEXEC) != 0)
    return fail (error, errno);
  sigset_t all, mask, own;
  sigfillset (&all);
  sigprocmask (SIG_SETMASK, &all, &mask);
  /* Were it ignored, the kernel would forget the child's status. */
  struct sigaction on_child, wanted = { .sa_handler = SIG_DFL };
  sigaction (SIGCHLD, &wanted, &on_child);
  child = fork ();
  if (child == 0)
    start (executable, arguments, environment, &mask, &on_child, watch, failed[1]);
  int code = child < 0 ? errno : 0;
  close (failed[1]);
  if (child > 0)
    watch_signals ();
  own = mask;
  sigaddset (&own, SIGCHLD);
  sigprocmask (SIG_SETMASK, &own, NULL);

  int status = 0;
  if (child > 0) {
    code = exec_error (failed[0]);
    status = wait_for_end (watch);
  }
  close (failed[0]);
  if (code != 0)
    return fail (error, code);
  *pid = child;
  return status;
}
