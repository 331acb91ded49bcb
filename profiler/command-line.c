/* command-line.c -- see command-line.h. */
#include "profiler/command-line.h"
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

bool
command_line_has_no_aot (void)
{
  char text[16 * 1024];
  if (environment_has_no_aot ())
    return true;
  int fd = open ("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  const ssize_t n = read (fd, text, sizeof text - 1);
  close (fd);
  if (n <= 0)
    return false;
  text[n] = 0;
  const char *const end = text + n;
  const char *p = text + strlen (text) + 1; /* behind the runtime's own name */
  while (p < end && *p == '-') {            /* what follows the first other is the program's */
    if (is_no_aot (p, strlen (p)))
      return true;
    const bool has_value = strcmp (p, "--config") == 0;
    p += strlen (p) + 1;
    if (has_value && p < end)
      p += strlen (p) + 1;
  }
  return false;
}
