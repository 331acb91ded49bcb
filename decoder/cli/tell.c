/* tell.c -- see tell.h. */
#include "decoder/cli/tell.h"
#include "config.h"
#include "decoder/cli/cli.h"
#include "decoder/views/emitter.h"
#include <errno.h>
#include <stdio.h>

void
cli_tell (const char *format, ...)
{
  va_list args;
  va_start (args, format);
  char *text = g_strdup_vprintf (format, args);
  va_end (args);
  char *safe = emitter_printable (text);
  fprintf (stderr, "%s\n", safe);
  g_free (safe);
  g_free (text);
}

int
cli_end (int status)
{
  if (fflush (stdout) == 0 || status != CLI_OK)
    return status;
  cli_tell ("proflog: cannot write to standard output: %s", g_strerror (errno));
  return CLI_INPUT;
}
