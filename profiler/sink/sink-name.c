/* sink-name.c -- makes names of patterns. */
#include "config.h"

#include "profiler/sink/sink-private.h"
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Appends text to name; false if it does not fit. */
static bool
append (char *name, size_t size, const char *text)
{
  size_t length = strlen (name);
  if (strlen (text) >= size - length)
    return false;
  strcpy (name + length, text);
  return true;
}

bool
sink_insert (char *name, size_t size, const char *text)
{
  char rest[NAME_MAX + 1] = "";
  char *slash = strrchr (name, '/');
  char *base = slash != NULL ? slash + 1 : name;
  char *point = strrchr (base, '.');
  if (point != NULL && point != base && strlen (point) < sizeof rest) {
    strcpy (rest, point);
    *point = 0;
  }
  return append (name, size, text) && append (name, size, rest);
}

/* app.mlpd -> app.0001.mlpd; so their order is that of the files. */
static bool
insert_number (char *name, size_t size, unsigned number)
{
  char text[16];
  snprintf (text, sizeof text, ".%04u", number);
  return sink_insert (name, size, text);
}

bool
sink_has_pid (const char *pattern)
{
  for (const char *p = strchr (pattern, '%'); p != NULL && p[1] != 0; p = strchr (p + 2, '%'))
    if (p[1] == 'p')
      return true;
  return false;
}

bool
sink_expand (char *name, size_t name_size, const char *pattern, unsigned number, char *why,
             size_t size)
{
  bool fits = true;
  name[0] = 0;
  for (const char *p = pattern; *p != 0 && fits; p++) {
    char piece[32] = { *p, 0 };
    if (*p == '%') {
      p++;
      if (*p == 'p') {
        snprintf (piece, sizeof piece, "%ld", (long) getpid ());
      } else if (*p == 't') {
        time_t now = time (NULL);
        struct tm utc;
        strftime (piece, sizeof piece, "%Y%m%d%H%M%S", gmtime_r (&now, &utc));
      } else if (*p != '%') {
        snprintf (why, size, "output '%s': '%%' must be followed by p, t or %%", pattern);
        return false;
      }
    }
    fits = append (name, name_size, piece);
  }
  if (fits && (number == 0 || insert_number (name, name_size, number)))
    return true;
  snprintf (why, size, "output: the name is longer than %zu bytes", name_size - 1);
  return false;
}

bool
sink_name_file (char *name, size_t name_size, const char *output, unsigned number, char *why,
                size_t size)
{
  char pid[16] = "";
  const bool adds_pid = output[0] == '+';
  if (adds_pid)
    snprintf (pid, sizeof pid, ".%ld", (long) getpid ());
  if (!sink_expand (name, name_size - sizeof pid, output + adds_pid, number, why, size))
    return false;
  strcat (name, pid);
  return true;
}

bool
sink_pattern_in (char *pattern, size_t size, const char *directory, const char *rest)
{
  size_t length = 0;
  for (const char *p = directory; *p != 0; p++) {
    if (length + 2 >= size)
      return false;
    if (*p == '%')
      pattern[length++] = '%';
    pattern[length++] = *p;
  }
  return (size_t) snprintf (pattern + length, size - length, "%s", rest) < size - length;
}
