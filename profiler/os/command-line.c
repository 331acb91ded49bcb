/* command-line.c -- reads the command line of the process from /proc. */
#include "config.h"

#include "profiler/os/command-line.h"
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The process's words, each with a NUL after it; returns the number of bytes. */
static size_t
read_words (char *text, size_t size)
{
  const int fd = open ("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  const ssize_t n = fd >= 0 ? read (fd, text, size - 1) : -1;
  if (fd >= 0)
    close (fd);
  if (n <= 0)
    return 0;
  text[n] = 0;
  return (size_t) n;
}

/* The first word after an option of the runtime, and after its value. */
static const char *
next_word (const char *p, const char *end)
{
  const bool has_value = strcmp (p, "--config") == 0;
  p += strlen (p) + 1;
  if (has_value && p < end)
    p += strlen (p) + 1;
  return p;
}

size_t
command_line_of_program (char *words, size_t size)
{
  char text[16 * 1024];
  const size_t n = read_words (text, sizeof text);
  const char *const end = text + n;
  const char *p = text + (n != 0 ? strlen (text) + 1 : 0);
  while (p < end && *p == '-')
    p = next_word (p, end);
  size_t length = 0;
  for (; p < end && length + strlen (p) + 1 <= size; p += strlen (p) + 1) {
    memcpy (words + length, p, strlen (p) + 1);
    length += strlen (p) + 1;
  }
  return length;
}
