/* options.c -- reads the module's options. */
#include "profiler/options.h"
#include "profiler/event-classes.h"
#include <proflog/mlpd.h>
#include <stdio.h>
#include <string.h>

enum option {
#define OPTION(ID, name, argument, doc) OPTION_##ID,
#include <proflog/module-options.def>
  OPTIONS
};

static const struct {
  const char *name, *argument, *doc;
  bool negatable;
} table[OPTIONS] = {
#define OPTION(ID, name, argument, doc) { name, argument, doc, false },
#define NEGATABLE_WITH(ID, name, argument, doc) { name, argument, doc, true },
#include <proflog/module-options.def>
};

/* Finds `name` (of `length` bytes), perhaps behind "no".  OPTIONS if there is none. */
static enum option
find (const char *name, size_t length, bool *negated)
{
  *negated = false;
  for (int i = 0; i < OPTIONS; i++)
    if (strlen (table[i].name) == length && memcmp (table[i].name, name, length) == 0)
      return (enum option) i;
  *negated = true;
  for (int i = 0; i < OPTIONS; i++)
    if (table[i].negatable && length > 2 && memcmp (name, "no", 2) == 0
        && strlen (table[i].name) == length - 2
        && memcmp (table[i].name, name + 2, length - 2) == 0)
      return (enum option) i;
  return OPTIONS;
}

static bool
parse_number (const char *text, uint32_t limit, unsigned *number)
{
  const char *end;
  uint32_t value;
  if (!proflog_parse_u32 (text, &end, &value) || *end != 0 || value > limit)
    return false;
  *number = value;
  return true;
}

static bool
parse_stacks (const char *text, enum stacks *stacks)
{
  static const char *const names[] = { [STACKS_AUTO] = "auto",
                                       [STACKS_SHADOW] = "shadow",
                                       [STACKS_WALK] = "walk",
                                       [STACKS_NONE] = "none" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp (text, names[i]) == 0) {
      *stacks = (enum stacks) i;
      return true;
    }
  return false;
}

/* A number with a unit behind it. */
static bool
parse_time (const char *text, uint64_t least_ms, uint64_t most_ms, uint64_t *ms)
{
  static const struct {
    const char *name;
    uint32_t ms;
  } units[] = { { "ms", 1 }, { "s", 1000 }, { "min", 60 * 1000 }, { "h", 3600 * 1000 } };
  const char *end;
  uint32_t value;
  if (!proflog_parse_u32 (text, &end, &value))
    return false;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strcmp (end, units[i].name) == 0) {
      const uint64_t time = (uint64_t) value * units[i].ms;
      if (time < least_ms || time > most_ms)
        return false;
      *ms = time;
      return true;
    }
  return false;
}

static bool
parse_patience (const char *text, unsigned *patience_ms)
{
  uint64_t ms;
  if (!parse_time (text, 0, 3600 * 1000, &ms))
    return false;
  *patience_ms = (unsigned) ms;
  return true;
}

/* A size and a time may be given one after the other. */
static bool
parse_rotate (const char *text, struct options *o)
{
  enum { DAY_MS = 24 * 3600 * 1000 };
  return proflog_parse_size (text, UINT64_C (1) << 20, UINT64_C (1) << 50, &o->rotate_bytes)
         || parse_time (text, 1000, 365 * (uint64_t) DAY_MS, &o->rotate_ms);
}

static bool
parse_zip (const char *text, enum pack *pack)
{
  *pack = strcmp (text, "zstd") == 0 ? PACK_ZSTD : PACK_GZIP;
  return *pack == PACK_ZSTD || text[0] == 0 || strcmp (text, "gzip") == 0;
}

/* Names of event classes, separated by commas or plus signs. */
static bool
parse_classes (const char *text, unsigned *classes)
{
  for (;;) {
    const size_t length = strcspn (text, ",+");
    const unsigned one = event_class_find (text, length);
    if (one == 0)
      return false;
    *classes |= one;
    if (text[length] == 0)
      return true;
    text += length + 1;
  }
}

static void
set_defaults (struct options *o, bool on)
{
  o->gc = o->gcmove = o->exception = o->monitor = on;
  o->alloc = o->calls = false;
}

/* Carries out one option; `value` is "" where none was given. */
static bool
apply (struct options *o, enum option option, bool on, const char *value, char *why, size_t size)
{
  switch (option) {
  case OPTION_HELP:
    o->help = true;
    return true;
  case OPTION_NODEFAULTS:
    set_defaults (o, false);
    o->alloc_said = true;
    return true;
  case OPTION_ALLOC:
    o->alloc = on;
    o->alloc_said = true;
    o->alloc_sampling = 0;
    if (value[0] == 0
        || (on && proflog_parse_size (value, 1, PROFLOG_ALLOC_SAMPLING_MAX, &o->alloc_sampling)))
      return true;
    snprintf (why, size, "alloc=%s: not a size from 1 to 1024G, such as 512K", value);
    return false;
  case OPTION_CALLS:
    o->calls = on;
    return true;
  case OPTION_GC:
    o->gc = on;
    return true;
  case OPTION_GCMOVE:
    o->gcmove = o->gcmove_wanted = on;
    return true;
  case OPTION_EXCEPTION:
    o->exception = on;
    return true;
  case OPTION_MONITOR:
    o->monitor = on;
    return true;
  case OPTION_GCROOT:
    o->gcroot = on;
    return true;
  case OPTION_GCHANDLE:
    o->gchandle = on;
    return true;
  case OPTION_FINALIZATION:
    o->finalization = on;
    return true;
  case OPTION_JIT:
    o->jit = on;
    return true;
  case OPTION_COUNTER:
    o->counter = on;
    return true;
  case OPTION_SAMPLE:
  case OPTION_SAMPLE_REAL:
    o->sample = on;
    o->sample_real = option == OPTION_SAMPLE_REAL;
    if (value[0] == 0
        || (on && parse_number (value, PROFLOG_SAMPLE_HZ_MAX, &o->sample_hz) && o->sample_hz != 0))
      return true;
    snprintf (why, size, "%s=%s: not a number from 1 to %d", table[option].name, value,
              PROFLOG_SAMPLE_HZ_MAX);
    return false;
  case OPTION_FORMAT:
    o->version = strcmp (value, "1") == 0 ? 1 : strcmp (value, "17") == 0 ? 17 : 0;
    o->eventlog = strcmp (value, "eventlog") == 0;
    if (o->version != 0 || o->eventlog || strcmp (value, "auto") == 0)
      return true;
    snprintf (why, size, "format=%s: there are auto, 1, 17 and eventlog", value);
    return false;
  case OPTION_HEAPSHOT:
    if (proflog_parse_heapshot (value, &o->heapshot))
      return true;
    snprintf (why, size, "heapshot=%s: not of the form Xms or Xgc with X from 1 to %u", value,
              UINT32_MAX);
    return false;
  case OPTION_HEAPSHOT_ON_SHUTDOWN:
    o->heapshot_on_shutdown = true;
    return true;
  case OPTION_MAXFRAMES:
    if (parse_number (value, PROFLOG_MAX_FRAMES, &o->max_frames))
      return true;
    snprintf (why, size, "maxframes=%s: not a number from 0 to %d", value, PROFLOG_MAX_FRAMES);
    return false;
  case OPTION_STACKS:
    if (parse_stacks (value, &o->stacks))
      return true;
    snprintf (why, size, "stacks=%s: not one of auto, shadow, walk, none", value);
    return false;
  case OPTION_CALLDEPTH:
    if (parse_number (value, UINT32_MAX, &o->call_depth))
      return true;
    snprintf (why, size, "calldepth=%s: not a number from 0 to %u", value, UINT32_MAX);
    return false;
  case OPTION_CALLSPEC:
    return callspec_parse (&o->callspec, value, why, size);
  case OPTION_OUTPUT:
    if (value[0] != 0 && strcmp (value, "+") != 0) {
      snprintf (o->output, sizeof o->output, "%s", value);
      return true;
    }
    snprintf (why, size, "output=%s: a file name or #FD is missing", value);
    return false;
  case OPTION_MEMORY:
    if (proflog_parse_size (value, UINT64_C (1) << 20, UINT64_C (1) << 40, &o->memory))
      return true;
    snprintf (why, size, "memory=%s: not a size from 1M to 1024G", value);
    return false;
  case OPTION_BUFFER:
    if (proflog_parse_size (value, UINT64_C (64) << 10, UINT64_C (16) << 20, &o->buffer)
        && (o->buffer & (o->buffer - 1)) == 0)
      return true;
    snprintf (why, size, "buffer=%s: not a power of 2 from 64k to 16M", value);
    return false;
  case OPTION_OVERFLOW:
    o->overflow = strcmp (value, "block") == 0 ? OVERFLOW_BLOCK : OVERFLOW_DROP;
    if (o->overflow == OVERFLOW_BLOCK || strcmp (value, "drop") == 0)
      return true;
    snprintf (why, size, "overflow=%s: there are block and drop", value);
    return false;
  case OPTION_PATIENCE:
    if (parse_patience (value, &o->patience_ms))
      return true;
    snprintf (why, size, "patience=%s: not a time up to an hour, such as 500ms or 2s", value);
    return false;
  case OPTION_FLUSH:
    if (parse_time (value, 0, 3600 * 1000, &o->flush_ms))
      return true;
    snprintf (why, size, "flush=%s: not a time up to an hour, such as 100ms or 2s", value);
    return false;
  case OPTION_SYNC:
    if (parse_time (value, 0, 24 * 3600 * 1000, &o->sync_ms))
      return true;
    snprintf (why, size, "sync=%s: not a time up to a day, such as 10s or 5min", value);
    return false;
  case OPTION_PAUSED:
    o->paused = true;
    return true;
  case OPTION_ARM:
    if (parse_classes (value, &o->armed))
      return true;
    snprintf (why, size, "arm=%s: not classes of events: alloc, calls, exception, sample, counter",
              value);
    return false;
  case OPTION_SPOOL:
    if (value[0] != 0) {
      snprintf (o->spool, sizeof o->spool, "%s", value);
      return true;
    }
    snprintf (why, size, "spool=: a directory or none is missing");
    return false;
  case OPTION_CONTROL:
    o->control = on;
    return true;
  case OPTION_FOLLOW_FORK:
    o->follow_fork = on;
    return true;
  case OPTION_ZIP:
    if (!parse_zip (value, &o->pack))
      snprintf (why, size, "zip=%s: there are gzip and zstd", value);
    else if (!pack_is_there (o->pack))
      snprintf (why, size, "zip=%s: this build of proflog has no libzstd", value);
    else
      return true;
    return false;
  case OPTION_ROTATE:
    if (parse_rotate (value, o))
      return true;
    snprintf (why, size,
              "rotate=%s: neither a size from 1M on, such as 1G, nor a time from 1s on, "
              "such as 10min or 2h",
              value);
    return false;
  case OPTIONS:
    break;
  }
  return false;
}

static bool
parse_one (struct options *o, char *text, char *why, size_t size)
{
  char *equals = strchr (text, '=');
  size_t length = equals != NULL ? (size_t) (equals - text) : strlen (text);
  bool negated;
  enum option option = find (text, length, &negated);
  if (option == OPTIONS) {
    snprintf (why, size, "there is no option '%.*s' (try 'help')", (int) length, text);
    return false;
  }
  const char *argument = table[option].argument;
  if (equals != NULL && (argument[0] == 0 || negated)) {
    snprintf (why, size, "option '%.*s' takes no value", (int) length, text);
    return false;
  }
  if (equals == NULL && argument[0] == '=') {
    snprintf (why, size, "option '%s' needs a value: %s%s", text, text, argument);
    return false;
  }
  return apply (o, option, !negated, equals != NULL ? equals + 1 : "", why, size);
}

/* The first thing asked for that data version 1 has no event or field for; NULL if there is none.
 */
static const char *
beyond_version_1 (const struct options *o)
{
  const unsigned classes = event_classes_of (o) | o->armed;
  if (o->alloc_sampling != 0 && (classes & CLASS_ALLOC) != 0)
    return "alloc=SIZE";
#define EVENT_CLASS(ID, name, is_armed_at_start, since, in_eventlog)                               \
  if (since > 1 && (classes & CLASS_##ID) != 0)                                                    \
    return #name;
#include "profiler/event-classes.def"
  return NULL;
}

static bool
choose_version (struct options *o, char *why, size_t size)
{
  const char *const beyond = beyond_version_1 (o);
  if (o->version == 1 && beyond != NULL) {
    snprintf (why, size, "format=1 cannot say what %s records; take format=17 or auto", beyond);
    return false;
  }
  if (o->version == 0)
    o->version = beyond != NULL ? 17 : 1;
  return true;
}

/* The first thing asked for that no eventlog can say; NULL if there is none. */
static const char *
beyond_eventlog (const struct options *o)
{
  const unsigned classes = event_classes_of (o) | o->armed;
  if (o->alloc_sampling != 0 && (classes & CLASS_ALLOC) != 0)
    return "alloc=SIZE";
  if (o->heapshot.when != PROFLOG_HEAPSHOT_OFF)
    return "heapshot";
  if (o->heapshot_on_shutdown)
    return "heapshot-on-shutdown";
  if (o->sync_ms != 0)
    return "sync";
  if (o->follow_fork)
    return "follow-fork";
#define EVENT_CLASS(ID, name, is_armed_at_start, since, in_eventlog)                               \
  if (!(in_eventlog) && (classes & CLASS_##ID) != 0)                                               \
    return #name;
#include "profiler/event-classes.def"
  return NULL;
}

/* Of an eventlog: allocations are a count of bytes, which is cheap; moves are recorded by default
 * where they can be. */
static bool
choose_eventlog (struct options *o, char *why, size_t size)
{
  o->alloc |= !o->alloc_said;
  o->gcmove = o->gcmove_wanted;
  o->version = MLPD_VERSION_LAST; /* of what is common to all logs */
  const char *const beyond = beyond_eventlog (o);
  if (beyond != NULL)
    snprintf (why, size, "format=eventlog cannot say what %s records; take format=17 or auto",
              beyond);
  return beyond == NULL;
}

bool
options_parse (struct options *o, const char *description, char *why, size_t size)
{
  memset (o, 0, sizeof *o);
  set_defaults (o, true);
  o->sample_hz = PROFLOG_SAMPLE_HZ;
  o->max_frames = PROFLOG_DEFAULT_FRAMES;
  o->call_depth = PROFLOG_DEFAULT_CALL_DEPTH;
  o->memory = UINT64_C (32) << 20;
  o->buffer = UINT64_C (64) << 10;
  o->patience_ms = 2000;
  o->control = true;
  const char *text = strchr (description, ':');
  text = text != NULL ? text + 1 : "";
  while (*text != 0) {
    char option[PROFLOG_OPTION_SIZE];
    switch (proflog_next_option (&text, option, sizeof option)) {
    case PROFLOG_OPTION_READ:
      break;
    case PROFLOG_OPTION_TOO_LONG:
      snprintf (why, size, "an option is longer than %zu bytes", sizeof option - 1);
      return false;
    case PROFLOG_OPTION_NOT_CLOSED:
      snprintf (why, size, "option '%s': a closing quote is missing", option);
      return false;
    }
    if (option[0] != 0 && !parse_one (o, option, why, size))
      return false;
  }
  /* Of objects that are hardly known, moves tell little; and they are most of the cost. */
  if (o->alloc && o->alloc_sampling != 0)
    o->gcmove = o->gcmove_wanted;
  if (o->output[0] == 0)
    strcpy (o->output, o->eventlog ? "output.eventlog" : "output.mlpd");
  return o->eventlog ? choose_eventlog (o, why, size) : choose_version (o, why, size);
}

/* Prints `doc` broken into lines, its first one behind a column. */
static void
print_doc (const char *doc, int column)
{
  int at = column;
  for (const char *word = doc; *word != 0;) {
    int length = (int) strcspn (word, " ");
    if (at + length > 78) {
      printf ("\n%*s", column, "");
      at = column;
    }
    printf ("%.*s ", length, word);
    at += length + 1;
    word += length;
    word += strspn (word, " ");
  }
  putchar ('\n');
}

void
options_print_help (void)
{
  puts ("proflog records what a Mono program does: mono --profile=proflog[:OPTION,...] app.exe\n");
  for (int i = 0; i < OPTIONS; i++) {
    char form[64];
    snprintf (form, sizeof form, "%s%s%s", table[i].negatable ? "[no]" : "", table[i].name,
              table[i].argument);
    int column = printf ("  %-24s ", form);
    print_doc (table[i].doc, column);
  }
  puts ("\nOn by default: control, gc, gcmove, exception, monitor, and the names of images, "
        "classes and\n"
        "methods; in an eventlog alloc, control, exception, gc and monitor.  Read the log with "
        "`proflog report LOG`.");
}
