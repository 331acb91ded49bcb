/* tell.c -- see tell.h. */
#include "decoder/cli/tell.h"
#include "config.h"
#include "decoder/views/emitter.h"
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
