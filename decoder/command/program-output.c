/* program-output.c -- runs a program, with a limit. */
#include "config.h"

#include "decoder/command/program-output.h"
#include <stdbool.h>
#include <unistd.h>

enum { LIMIT_S = 10 };

/* In the child: the alarm remains set in the program, and ends it. */
static void
set_limit (gpointer unused)
{
  (void) unused;
  alarm (LIMIT_S);
}

char *
program_output (char *const *arguments, const char *variable)
{
  const char *path = g_getenv ("PATH");
  g_autofree char *search
      = g_strconcat (path != NULL ? path : "/usr/bin:/bin", ":/usr/sbin:/sbin", NULL);
  char **environment = g_environ_setenv (g_get_environ (), "PATH", search, TRUE);
  g_auto (GStrv) pair = g_strsplit (variable != NULL ? variable : "", "=", 2);
  if (pair[0] != NULL)
    environment = g_environ_setenv (environment, pair[0], pair[1], TRUE);
  char *text = NULL;
  int status;
  const bool is_done = g_spawn_sync (NULL, (char **) arguments, environment,
                                     G_SPAWN_SEARCH_PATH_FROM_ENVP | G_SPAWN_STDERR_TO_DEV_NULL,
                                     set_limit, NULL, &text, NULL, &status, NULL)
                       && g_spawn_check_wait_status (status, NULL);
  g_strfreev (environment);
  if (is_done)
    return text;
  g_free (text);
  return NULL;
}
