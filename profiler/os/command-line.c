/* command-line.c -- reads the command line of the process from /proc. */
#include "config.h"

#include "profiler/os/command-line.h"
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether an option, of `length` bytes, is a list of optimizations in which -aot stands. */
static bool
is_no_aot (const char *option, size_t length)
{
  static const char *const starts[] = { "-O=", "--optimize=" };
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    size_t at = strlen (starts[i]);
    if (length < at || memcmp (option, starts[i], at) != 0)
      continue;
    while (at < length) {
      const char *comma = memchr (option + at, ',', length - at);
      const size_t end = comma != NULL ? (size_t) (comma - option) : length;
      if (end - at == 4 && memcmp (option + at, "-aot", 4) == 0)
        return true;
      at = end + 1;
    }
  }
  return false;
}

/* In MONO_ENV_OPTIONS, which is split at blanks. */
static bool
environment_has_no_aot (void)
{
  const char *p = getenv ("MONO_ENV_OPTIONS");
  while (p != NULL && *p != 0) {
    const size_t length = strcspn (p, " ");
    if (is_no_aot (p, length))
      return true;
    p += length;
    p += strspn (p, " ");
  }
  return false;
}

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

bool
command_line_has_no_aot (void)
{
  char text[16 * 1024];
  if (environment_has_no_aot ())
    return true;
  const char *const end = text + read_words (text, sizeof text);
  if (end == text)
    return false;
  /* After the runtime's own name, up to the first word that is not an option: that is the program.
   */
  for (const char *p = text + strlen (text) + 1; p < end && *p == '-'; p = next_word (p, end))
    if (is_no_aot (p, strlen (p)))
      return true;
  return false;
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
