/* warn.c -- one line on stderr. */
#include "profiler/warn.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void
warn (const char *format, ...)
{
  static const char prefix[] = "proflog: ";
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
