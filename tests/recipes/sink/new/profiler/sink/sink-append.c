/* sink-append.c -- the end of a file. */
#include "config.h"

#include "agent/own-files.h"
#include "profiler/sink/sink-private.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool
sink_open_append (struct sink *s, const char *rest, char *why, size_t size)
{
  if (!sink_expand (s->name, sizeof s->name, rest, 0, why, size))
    return false;
  s->fd = above_standard (
      open (s->name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (s->fd < 0)
    snprintf (why, size, "output '%s': %s", s->output, strerror (errno));
  return s->fd >= 0;
}
