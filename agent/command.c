/* command.c -- splits, starts and reaps commands that read the log from their standard input. */
#include "config.h"

#include "agent/command.h"
#include "agent/native-thread.h"
#include "agent/own-files.h"
#include "agent/warn.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  ARGUMENTS_MAX = 256,
  PIPE_BYTES = 1 << 20, /* the size of the pipe to the command, where the system allows it */
  WAIT_MS = 5000,       /* for its end, after the last byte */
  LEFT_MAX = 16,        /* commands that end in their own time */
};

/* Commands whose log has gone on elsewhere, the oldest first. */
static struct left {
  pid_t pid;
  char name[256]; /* its beginning */
} left[LEFT_MAX];
static size_t n_left;

struct arguments {
  char *items[ARGUMENTS_MAX + 1];
  size_t count;
};

static void
free_arguments (struct arguments *a)
{
  for (size_t i = 0; i < a->count; i++)
    free (a->items[i]);
}

/* Copies the argument at *text to `to`, which has room for all of the text, and passes it.  It ends
 * at a blank; quotes protect blanks, a backslash protects the next character.  False if a quote is
 * not closed. */
static bool
read_argument (const char **text, char *to)
{
  const char *p = *text;
  char quote = 0;
  for (; *p != 0 && (quote != 0 || (*p != ' ' && *p != '\t')); p++) {
    if (*p == quote)
      quote = 0;
    else if (quote == 0 && (*p == '\'' || *p == '"'))
      quote = *p;
    else {
      if (*p == '\\' && quote != '\'' && p[1] != 0)
        p++;
      *to++ = *p;
    }
  }
  *to = 0;
  *text = p;
  return quote == 0;
}

/* Splits a command at blanks, and replaces % in each argument. */
static bool
split (const char *command, command_expand expand, struct arguments *a, char *why, size_t size)
{
  char pattern[PATH_MAX], argument[PATH_MAX];
  const char *p = command;
  for (;;) {
    p += strspn (p, " \t");
    if (*p == 0)
      break;
    if (a->count == ARGUMENTS_MAX || !read_argument (&p, pattern)) {
      snprintf (why, size, "output '|%s': %s", command,
                a->count == ARGUMENTS_MAX ? "more than 256 arguments" : "a quote is not closed");
      return false;
    }
    if (!expand (argument, sizeof argument, pattern, why, size))
      return false;
    a->items[a->count] = strdup (argument);
    if (a->items[a->count] == NULL) {
      snprintf (why, size, "no memory");
      return false;
    }
    a->count++;
  }
  if (a->count != 0)
    return true;
  snprintf (why, size, "output '|%s': a command is missing", command);
  return false;
}

/* Starts the command with `input` as its standard input, default actions of all signals, and in a
 * process group of its own: signals of the user's terminal are for the program.  Returns 0 or an
 * errno number. */
static int
start (struct arguments *a, int input, pid_t *pid)
{
  extern char **environ;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset (&none);
  sigfillset (&all);
  int error = posix_spawn_file_actions_init (&actions);
  if (error != 0)
    return error;
  error = posix_spawnattr_init (&attributes);
  if (error == 0) {
    posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
                                               | POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setsigmask (&attributes, &none);
    posix_spawnattr_setsigdefault (&attributes, &all);
    posix_spawnattr_setpgroup (&attributes, 0);
    error = posix_spawn_file_actions_adddup2 (&actions, input, STDIN_FILENO);
#ifdef HAVE_POSIX_SPAWN_FILE_ACTIONS_ADDCLOSEFROM_NP
    /* With copies of its pipes and sockets here, their readers would not see that the program has
     * closed them. */
    if (error == 0)
      error = posix_spawn_file_actions_addclosefrom_np (&actions, STDERR_FILENO + 1);
#endif
    if (error == 0)
      error = posix_spawnp (pid, a->items[0], &actions, &attributes, a->items, environ);
    posix_spawnattr_destroy (&attributes);
  }
  posix_spawn_file_actions_destroy (&actions);
  return error;
}

int
command_start (const char *command, command_expand expand, pid_t *pid, char *why, size_t size)
{
  struct arguments a = { 0 };
  int ends[2], fd = -1;
  if (!split (command, expand, &a, why, size))
    ; /* it was reported */
  else if (pipe2 (ends, O_CLOEXEC) != 0) {
    snprintf (why, size, "output '|%s': %s", command, strerror (errno));
  } else {
    fd = above_standard (ends[1]);
    const int input = above_standard (ends[0]);
    const int error = fd < 0 || input < 0 ? errno : start (&a, input, pid);
    if (input >= 0)
      close (input);
    if (error == 0) {
      fcntl (fd, F_SETPIPE_SZ, PIPE_BYTES);
    } else {
      snprintf (why, size, "output '|%s': %s", command, strerror (error));
      if (fd >= 0)
        close (fd);
      fd = -1;
    }
  }
  free_arguments (&a);
  return fd;
}

/* Whether it has ended.  `outcome` becomes a clause for a message if it has failed. */
static bool
reap (pid_t pid, const char *name, char *outcome, size_t size)
{
  int status = 0;
  const pid_t ended = waitpid (pid, &status, WNOHANG);
  /* Where the program waits for all its children, how the command ended is lost: ended is -1. */
  if (ended > 0 && WIFSIGNALED (status))
    snprintf (outcome, size, "the command '%s' was ended by signal %d", name, WTERMSIG (status));
  else if (ended > 0 && WEXITSTATUS (status) != 0)
    snprintf (outcome, size, "the command '%s' ended with status %d", name, WEXITSTATUS (status));
  return ended > 0 || (ended < 0 && errno != EINTR);
}

/* Waits for its end, at most *patience_ms, which is reduced.  False if it still runs.  `outcome` is
 * "" or a clause for a message. */
static bool
reap_in_time (pid_t pid, const char *name, int *patience_ms, char *outcome, size_t size)
{
  *outcome = 0;
  while (!reap (pid, name, outcome, size)) {
    if ((*patience_ms)-- <= 0) {
      snprintf (outcome, size, "the command '%s' still runs %d ms after the end of the log", name,
                WAIT_MS);
      return false;
    }
    native_thread_sleep (1);
  }
  return true;
}

void
command_wait (pid_t pid, const char *name, char *outcome, size_t size)
{
  int patience_ms = WAIT_MS;
  reap_in_time (pid, name, &patience_ms, outcome, size);
}

bool
command_runs (pid_t pid)
{
  return waitpid (pid, NULL, WNOHANG) == 0;
}

/* ---- commands that end in their own time ---- */

static void
report (const char *outcome)
{
  if (outcome[0] != 0)
    proflog_warn ("%s", outcome);
}

static void
forget_left (size_t i)
{
  memmove (left + i, left + i + 1, (--n_left - i) * sizeof *left);
}

void
command_leave (pid_t pid, const char *name)
{
  char outcome[PATH_MAX];
  int patience_ms = WAIT_MS;
  if (n_left == LEFT_MAX && commands_reap () && n_left == LEFT_MAX) {
    reap_in_time (left[0].pid, left[0].name, &patience_ms, outcome, sizeof outcome);
    report (outcome);
    forget_left (0);
  }
  left[n_left].pid = pid;
  snprintf (left[n_left].name, sizeof left[n_left].name, "%s", name);
  n_left++;
}

bool
commands_reap (void)
{
  for (size_t i = 0; i < n_left;) {
    char outcome[PATH_MAX] = "";
    if (!reap (left[i].pid, left[i].name, outcome, sizeof outcome)) {
      i++;
      continue;
    }
    report (outcome);
    forget_left (i);
  }
  return n_left != 0;
}

void
commands_wait (void)
{
  char outcome[PATH_MAX];
  for (int patience_ms = WAIT_MS; n_left != 0; forget_left (0)) {
    reap_in_time (left[0].pid, left[0].name, &patience_ms, outcome, sizeof outcome);
    report (outcome);
  }
}

void
commands_forget (void)
{
  n_left = 0;
}
