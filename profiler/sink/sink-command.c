/* sink-command.c -- a command that reads the log from its standard input. */
#include "config.h"

#include "agent/command.h"
#include "profiler/sink/sink-private.h"
#include <stdio.h>

static bool
expand (char *to, size_t to_size, const char *pattern, char *why, size_t size)
{
  return sink_expand (to, to_size, pattern, 0, why, size);
}

bool
sink_open_command (struct sink *s, const char *command, char *why, size_t size)
{
  snprintf (s->name, sizeof s->name, "|%s", command);
  s->has_reader = true;
  s->fd = command_start (command, expand, &s->command, why, size);
  if (s->fd < 0)
    s->command = 0;
  return s->fd >= 0;
}
