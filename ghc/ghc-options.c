/* ghc-options.c -- parses the variable PROFLOG_GHC. */
#include "config.h"

#include "ghc/ghc-options.h"
#include <errno.h> /* program_invocation_short_name */
#include <proflog/eventlog-writer.h>
#include <proflog/units.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MEMORY_DEFAULT = 32 << 20,
  MEMORY_LEAST = 4 << 20, /* the runtime's blocks have 2 MiB */
  FLUSH_DEFAULT_MS = 500,
  FLUSH_MOST_MS = 3600 * 1000,
};

/* The value of "NAME=VALUE"; NULL: it is another option. */
static const char *
value_of (const char *option, const char *name)
{
  const size_t length = strlen (name);
  return strncmp (option, name, length) == 0 && option[length] == '=' ? option + length + 1 : NULL;
}

/* A number, perhaps with k, m or g: 1024 and its powers. */
static bool
parse_bytes (const char *text, size_t *bytes)
{
  static const struct proflog_unit list[]
      = { { "", 1, true }, { "k", 1 << 10, true }, { "m", 1 << 20, true }, { "g", 1 << 30, true } };
  static const struct proflog_units units = { list, sizeof list / sizeof *list, false, true };
  uint64_t number;
  if (proflog_parse_quantity (text, &units, &number) != PROFLOG_PARSED || number > SIZE_MAX)
    return false;
  *bytes = (size_t) number;
  return true;
}

bool
ghc_options_parse_flush (const char *text, unsigned *ms)
{
  const char *end;
  uint64_t time;
  if (proflog_parse_u32 (text, &end, ms) && *end == 0)
    return *ms <= FLUSH_MOST_MS;
  if (!proflog_parse_time_ms (text, 0, FLUSH_MOST_MS, &time))
    return false;
  *ms = (unsigned) time;
  return true;
}

/* Names of classes with '+' between them. */
static bool
parse_off (const char *text, unsigned *classes)
{
  char names[256], *rest = names;
  if (strlen (text) >= sizeof names)
    return false;
  strcpy (names, text);
  for (char *name; (name = strsep (&rest, "+")) != NULL;) {
    const enum eventlog_class which = eventlog_class_find (name);
    if (which == EVENTLOG_CLASSES)
      return false;
    *classes &= ~(1u << which);
  }
  return true;
}

static bool
parse_one (struct ghc_options *o, const char *option)
{
  const char *value;
  if ((value = value_of (option, "output")) != NULL) {
    const int n = snprintf (o->output, sizeof o->output, "%s", value);
    return n > 0 && (size_t) n < sizeof o->output;
  }
  if ((value = value_of (option, "memory")) != NULL)
    return parse_bytes (value, &o->memory) && o->memory >= MEMORY_LEAST;
  if ((value = value_of (option, "flush")) != NULL)
    return ghc_options_parse_flush (value, &o->flush_ms);
  if ((value = value_of (option, "off")) != NULL)
    return parse_off (value, &o->classes);
  if (strcmp (option, "paused") == 0)
    return o->paused = true;
  if (strcmp (option, "nocontrol") == 0)
    return o->nocontrol = true;
  return option[0] == 0;
}

bool
ghc_options_parse (struct ghc_options *o, const char *text, char *why, size_t size)
{
  *o = (struct ghc_options){ .memory = MEMORY_DEFAULT,
                             .flush_ms = FLUSH_DEFAULT_MS,
                             .classes = (1u << EVENTLOG_CLASSES) - 1 };
  snprintf (o->output, sizeof o->output, "%s.eventlog", program_invocation_short_name);
  char *options = strdup (text), *rest = options;
  bool good = options != NULL;
  if (!good)
    snprintf (why, size, "no memory");
  for (char *option; good && (option = strsep (&rest, ",")) != NULL;) {
    good = parse_one (o, option);
    if (!good)
      snprintf (
          why, size,
          "option '%s' makes no sense; there are output=, memory= (4m or more), flush= (50ms), "
          "off=CLASS+CLASS, paused, nocontrol",
          option);
  }
  free (options);
  return good;
}
