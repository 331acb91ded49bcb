/* warn.c -- one line on stderr. */
#include "config.h"

#include "agent/warn.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool silent;

void
proflog_warn_start (void)
{
  silent = fcntl (STDERR_FILENO, F_GETFD) < 0;
}

void
proflog_warn_never (void)
{
  silent = true;
}

void
proflog_warn (const char *format, ...)
{
  static const char prefix[] = "proflog: ";
  if (silent)
    return;
  int saved = errno;
  char line[1024];
  memcpy (line, prefix, sizeof prefix);
  const size_t start = sizeof prefix - 1;
  const size_t room = sizeof line - start - 1; /* the newline needs one more */
  va_list args;
  va_start (args, format);
  int n = vsnprintf (line + start, room, format, args);
  va_end (args);
  size_t length = n < 0 ? 0 : (size_t) n < room ? (size_t) n : room - 1;
  line[start + length] = '\n';
  ssize_t written = write (STDERR_FILENO, line, start + length + 1);
  (void) written;
  errno = saved;
}
