/* message.c -- prints messages as one safe line. */
#include "config.h"

#include "decoder/command/message.h"
#include "decoder/command/cli.h"
#include "decoder/output/emitter.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define WARNING " warning:"

static bool muted;
static enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } color;

bool
cli_has_colors (void)
{
  const char *no = g_getenv ("NO_COLOR");
  return (no == NULL || *no == 0) && g_strcmp0 (g_getenv ("TERM"), "dumb") != 0;
}

void
cli_set_color (bool has_color)
{
  color = has_color ? COLOR_ALWAYS : COLOR_NEVER;
}

static bool
is_colored (void)
{
  return color == COLOR_AUTO ? isatty (STDERR_FILENO) == 1 && cli_has_colors ()
                             : color == COLOR_ALWAYS;
}

/* Prints a line whose first word of warning is yellow. */
static void
put_line (const char *text)
{
  const char *warning = is_colored () ? strstr (text, WARNING) : NULL;
  if (warning == NULL)
    fprintf (stderr, "%s\n", text);
  else
    fprintf (stderr, "%.*s\033[33m" WARNING "\033[0m%s\n", (int) (warning - text), text,
             warning + strlen (WARNING));
}

void
cli_mute (bool is_mute)
{
  muted = is_mute;
}

bool
cli_is_mute (void)
{
  return muted;
}

void
cli_message (const char *format, ...)
{
  va_list args;
  if (muted)
    return;
  va_start (args, format);
  char *text = g_strdup_vprintf (format, args);
  va_end (args);
  char *safe = emitter_printable (text);
  put_line (safe);
  g_free (safe);
  g_free (text);
}

int
cli_end (int status)
{
  /* A long text is written in parts, of which an earlier one may have failed: errno is of that one.
   */
  const bool is_written = fflush (stdout) == 0 && !ferror (stdout);
  if (is_written || status != CLI_OK)
    return status;
  cli_message ("proflog: cannot write to standard output: %s", g_strerror (errno));
  return CLI_INPUT;
}
