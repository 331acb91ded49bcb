/* pager.c -- runs the pager. */
#include "config.h"

#include "decoder/command/pager.h"
#include <errno.h>
#include <glib.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHELL "/bin/sh"

/* The command line of the pager, NULL if there is none (transfer full). */
static char *
pager_command (void)
{
  const char *own = g_getenv ("PAGER");
  g_autofree char *command = g_strstrip (g_strdup (own != NULL ? own : "less -FRX"));
  g_auto (GStrv) words = g_strsplit (command, " ", 2);
  if (words[0] == NULL || g_strcmp0 (command, "cat") == 0)
    return NULL;
  g_autofree char *program = g_find_program_in_path (words[0]);
  return program != NULL ? g_steal_pointer (&command) : NULL;
}

static void
run (const char *command, int input)
{
  signal (SIGPIPE, SIG_DFL);
  signal (SIGINT, SIG_DFL);
  signal (SIGQUIT, SIG_DFL);
  if (dup2 (input, STDIN_FILENO) >= 0)
    execl (SHELL, SHELL, "-c", command, (char *) NULL);
  _exit (127);
}

bool
pager_start (struct pager *pager)
{
  g_autofree char *command = pager_command ();
  int ends[2];
  if (command == NULL || pipe (ends) != 0)
    return false;
  g_setenv ("LESS", "FRX", FALSE); /* where PAGER is less without options */
  fflush (stdout);
  pager->pid = fork ();
  if (pager->pid == 0) {
    close (ends[1]);
    run (command, ends[0]);
  }
  close (ends[0]);
  pager->file = pager->pid > 0 ? fdopen (ends[1], "w") : NULL;
  if (pager->file == NULL) {
    close (ends[1]);
    return false;
  }
  signal (SIGPIPE, SIG_IGN);
  signal (SIGINT, SIG_IGN);
  signal (SIGQUIT, SIG_IGN);
  return true;
}

void
pager_finish (struct pager *pager)
{
  fclose (pager->file);
  pager->file = NULL;
  while (waitpid (pager->pid, NULL, 0) < 0 && errno == EINTR)
    ;
}
