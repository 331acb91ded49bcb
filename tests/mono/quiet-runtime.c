/* quiet-runtime.c -- preloaded into mono-boehm, which prints a line at the end of each program,
 * also without a profiler: drops this line, so that tests can compare what programs print. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int __fprintf_chk (FILE *file, int flag, const char *format, ...);

int
__fprintf_chk (FILE *file, int flag, const char *format, ...)
{
  char *text = NULL;
  va_list arguments;
  (void) flag;
  va_start (arguments, format);
  const int length = vasprintf (&text, format, arguments);
  va_end (arguments);
  if (length >= 0
      && strstr (text, "Waiting on threads to park on joinable thread list timed out.") == NULL)
    fwrite (text, 1, (size_t) length, file);
  free (text);
  return length;
}
