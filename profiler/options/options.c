/* options.c -- reads the module's options. */
#include "config.h"

#include "profiler/options/options.h"
#include "profiler/options/event-classes.h"
#include <proflog/mlpd.h>
#include <proflog/option-names.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define HOUR_MS (UINT64_C (3600) * 1000)
#define DAY_MS (24 * HOUR_MS)

enum option {
#define OPTION(ID, name, argument, doc) OPTION_##ID,
#define HIDDEN(ID, name) OPTION_##ID,
#include <proflog/module-options.def>
  OPTIONS
};

static const struct {
  const char *name, *argument, *doc; /* doc NULL: it is not in the help */
  bool negatable;
} table[OPTIONS] = {
#define HIDDEN(ID, name) { name, "", NULL, true },
#define OPTION(ID, name, argument, doc) { name, argument, doc, false },
#define NEGATABLE_WITH(ID, name, argument, doc) { name, argument, doc, true },
#include <proflog/module-options.def>
};

/* Names of earlier versions and of the stock profiler, which the help does not list. */
static const struct {
  const char *name;
  enum option option;
} aliases[] = {
#define OPTION(ID, name, argument, doc)
#define ALIAS(ID, name) { name, OPTION_##ID },
#include <proflog/module-options.def>
};

static bool
is_name (const char *name, const char *text, size_t length)
{
  return strlen (name) == length && memcmp (name, text, length) == 0;
}

static enum option
find_name (const char *name, size_t length)
{
  for (int i = 0; i < OPTIONS; i++)
    if (is_name (table[i].name, name, length))
      return (enum option) i;
  for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
    if (is_name (aliases[i].name, name, length))
      return aliases[i].option;
  return OPTIONS;
}

/* Finds `name` (of `length` bytes), perhaps after "no".  OPTIONS if there is none. */
static enum option
find (const char *name, size_t length, bool *negated)
{
  const enum option option = find_name (name, length);
  *negated = option == OPTIONS && length > 2 && memcmp (name, "no", 2) == 0;
  if (!*negated)
    return option;
  const enum option rest = find_name (name + 2, length - 2);
  return rest != OPTIONS && table[rest].negatable ? rest : OPTIONS;
}

/* ---- values ---- */

static bool
parse_number (const char *text, uint32_t least, uint32_t most, unsigned *number)
{
  const char *end;
  uint32_t value;
  if (!proflog_parse_u32 (text, &end, &value) || *end != 0 || value < least || value > most)
    return false;
  *number = value;
  return true;
}

static void
set_defaults (struct options *o, bool on)
{
  o->gc = o->gcmove = o->exception = o->monitor = on;
  o->alloc = o->calls = false;
}

/* An option that is being read: its value is "" where none was given. */
struct option_value {
  struct options *o;
  bool on; /* without "no" */
  const char *value;
  bool (*can_compress) (enum pack pack);
  char *why; /* for an error that `needed` of the rule does not describe */
  size_t size;
};

static bool
read_nodefaults (struct option_value *r)
{
  set_defaults (r->o, false);
  r->o->alloc_given = true;
  return true;
}

static bool
read_gcmove (struct option_value *r)
{
  r->o->gcmove = r->o->gcmove_given = r->on;
  return true;
}

static bool
read_gcroot (struct option_value *r)
{
  r->o->gcroot = r->on;
  r->o->gcroot_given = true;
  return true;
}

/* The default events of the stock profiler before Mono 5.6, but for allocations and calls. */
static bool
read_legacy (struct option_value *r)
{
  struct options *const o = r->o;
  o->exception = o->monitor = o->gc = o->gchandle = o->finalization = o->counter = r->on;
  return read_gcroot (r) && read_gcmove (r);
}

static bool
read_alloc (struct option_value *r)
{
  r->o->alloc = r->on;
  r->o->alloc_given = true;
  r->o->alloc_sampling = 0;
  return r->value[0] == 0
         || (r->on
             && proflog_parse_size (r->value, 1, PROFLOG_ALLOC_SAMPLING_MAX,
                                    &r->o->alloc_sampling));
}

static bool
read_calls (struct option_value *r)
{
  r->o->calls = r->on;
  return proflog_parse_calls (r->value, &r->o->calls_mode);
}

static bool
read_sample (struct option_value *r)
{
  r->o->sample = r->on;
  r->o->sample_real = false;
  return r->value[0] == 0
         || (r->on && parse_number (r->value, 1, PROFLOG_SAMPLE_HZ_MAX, &r->o->sample_hz));
}

static bool
read_sample_real (struct option_value *r)
{
  const bool is_good = read_sample (r);
  r->o->sample_real = true;
  return is_good;
}

static bool
read_format (struct option_value *r)
{
  unsigned version;
  r->o->version = 0;
  r->o->eventlog = strcmp (r->value, "eventlog") == 0;
  if (r->o->eventlog || strcmp (r->value, "auto") == 0)
    return true;
  if (parse_number (r->value, 1, MLPD_VERSION_LAST, &version)
      && (version == 1 || version >= MLPD_VERSION_ALL_CLASSES)) {
    r->o->version = version;
    return true;
  }
  size_t at = (size_t) snprintf (r->why, r->size, "format=%s: the values are auto, 1", r->value);
  for (unsigned i = MLPD_VERSION_ALL_CLASSES; i <= MLPD_VERSION_LAST && at < r->size; i++)
    at += (size_t) snprintf (r->why + at, r->size - at, ", %u", i);
  if (at < r->size)
    snprintf (r->why + at, r->size - at, " and eventlog");
  return false;
}

static bool
read_heapshot (struct option_value *r)
{
  return proflog_parse_heapshot (r->value, &r->o->heapshot);
}

static bool
read_stacks (struct option_value *r)
{
  static const char *const names[]
      = { [STACKS_AUTO] = "auto", [STACKS_WALK] = "walk", [STACKS_NONE] = "none" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp (r->value, names[i]) == 0) {
      r->o->stacks = (enum stacks) i;
      return true;
    }
  return false;
}

static bool
read_callspec (struct option_value *r)
{
  return callspec_parse (&r->o->callspec, r->value, r->why, r->size);
}

static bool
read_output (struct option_value *r)
{
  static const char ring[] = PROFLOG_RING;
  snprintf (r->o->output, sizeof r->o->output, "%s", r->value);
  r->o->ring_bytes = 0;
  if (strncmp (r->value, ring, sizeof ring - 1) == 0
      && !proflog_parse_size (r->value + sizeof ring - 1, PROFLOG_RING_SIZE_MIN,
                              PROFLOG_RING_SIZE_MAX, &r->o->ring_bytes)) {
    snprintf (r->why, r->size, "output=%s: not a size from 8M on, such as ring:256M", r->value);
    return false;
  }
  return r->value[0] != 0 && strcmp (r->value, "+") != 0;
}

static bool
read_buffer (struct option_value *r)
{
  return proflog_parse_size (r->value, UINT64_C (64) << 10, UINT64_C (16) << 20, &r->o->buffer)
         && (r->o->buffer & (r->o->buffer - 1)) == 0;
}

static bool
read_overflow (struct option_value *r)
{
  r->o->overflow = strcmp (r->value, "block") == 0 ? OVERFLOW_BLOCK : OVERFLOW_DROP;
  return r->o->overflow == OVERFLOW_BLOCK || strcmp (r->value, "drop") == 0;
}

/* Names of event classes, separated by commas or plus signs. */
static bool
read_prepare (struct option_value *r)
{
  for (const char *text = r->value;;) {
    const size_t length = strcspn (text, ",+");
    const unsigned one = event_class_find (text, length);
    if (one == 0)
      return false;
    r->o->armed |= one;
    if (text[length] == 0)
      return true;
    text += length + 1;
  }
}

static bool
read_crash_buffer (struct option_value *r)
{
  snprintf (r->o->spool, sizeof r->o->spool, "%s", r->value);
  return r->value[0] != 0;
}

static bool
read_zip (struct option_value *r)
{
  const bool is_zstd = strcmp (r->value, "zstd") == 0;
  r->o->pack = is_zstd ? PACK_ZSTD : PACK_GZIP;
  if (!is_zstd && r->value[0] != 0 && strcmp (r->value, "gzip") != 0)
    return false;
  if (r->can_compress == NULL || r->can_compress (r->o->pack))
    return true;
  snprintf (r->why, r->size, "zip=%s: this build of proflog has no libzstd", r->value);
  return false;
}

/* A size and a time may be given one after the other. */
static bool
read_rotate (struct option_value *r)
{
  return proflog_parse_size (r->value, PROFLOG_ROTATE_SIZE_MIN, PROFLOG_ROTATE_SIZE_MAX,
                             &r->o->rotate_bytes)
         || proflog_parse_time_ms (r->value, PROFLOG_ROTATE_MS_MIN, PROFLOG_ROTATE_MS_MAX,
                                   &r->o->rotate_ms);
}

/* A number of files and a time may be given one after the other. */
static bool
read_keep (struct option_value *r)
{
  unsigned files;
  if (parse_number (r->value, 1, PROFLOG_KEEP_FILES_MAX, &files)) {
    r->o->keep_files = files;
    return true;
  }
  return proflog_parse_time_ms (r->value, PROFLOG_ROTATE_MS_MIN, PROFLOG_ROTATE_MS_MAX,
                                &r->o->keep_ms);
}

static bool
add_save_type (struct save_options *save, const char *type)
{
  if (*type == 0 || strlen (type) >= SAVE_TYPE_SIZE || save->type_count == SAVE_TYPES_MAX)
    return false;
  strcpy (save->types[save->type_count++], type);
  return true;
}

static bool
read_save_on (struct option_value *r)
{
  struct save_options *const save = &r->o->save;
  static const char exception[] = "exception:", pause[] = "pause:", heap[] = "heap:";
  uint64_t ms;
  if (strcmp (r->value, "signal") == 0)
    return save->by_signal = true;
  if (strncmp (r->value, exception, sizeof exception - 1) == 0)
    return add_save_type (save, r->value + sizeof exception - 1);
  if (strncmp (r->value, heap, sizeof heap - 1) == 0)
    return proflog_parse_size (r->value + sizeof heap - 1, 1, UINT64_C (1) << 50,
                               &save->heap_bytes);
  if (strncmp (r->value, pause, sizeof pause - 1) != 0
      || !proflog_parse_time_ms (r->value + sizeof pause - 1, 1, HOUR_MS, &ms))
    return false;
  save->pause_ns = ms * 1000000;
  return true;
}

static bool
read_save_to (struct option_value *r)
{
  snprintf (r->o->save.to, sizeof r->o->save.to, "%s", r->value);
  return r->value[0] != 0;
}

/* ---- rules ---- */

/* How the value of an option is read, and the message about one that cannot be. */
static const struct rule {
  enum { RULE_FLAG, RULE_SIZE, RULE_TIME, RULE_NUMBER, RULE_READ } kind;
  size_t offset;                        /* of the member of struct options */
  uint64_t least, most;                 /* bytes, ms, or the number itself */
  bool (*read) (struct option_value *); /* of RULE_READ */
  const char *needed;
} rules[OPTIONS] = {
#define FLAG(member)                                                                               \
  {                                                                                                \
    .kind = RULE_FLAG, .offset = offsetof (struct options, member)                                 \
  }
#define RANGE(of, member, from, to, text)                                                          \
  {                                                                                                \
    .kind = of, .offset = offsetof (struct options, member), .least = from, .most = to,            \
    .needed = text                                                                                 \
  }
#define READ(function, text)                                                                       \
  {                                                                                                \
    .kind = RULE_READ, .read = function, .needed = text                                            \
  }
  [OPTION_HELP] = FLAG (help),
  [OPTION_NODEFAULTS] = READ (read_nodefaults, NULL),
  [OPTION_ALLOC] = READ (read_alloc, "not a size from 1 to 1024G, such as 512K"),
  [OPTION_CALLS] = READ (read_calls, PROFLOG_CALLS_NEEDED),
  [OPTION_GC] = FLAG (gc),
  [OPTION_GCMOVE] = READ (read_gcmove, NULL),
  [OPTION_EXCEPTION] = FLAG (exception),
  [OPTION_CLAUSES] = FLAG (clauses),
  [OPTION_MONITOR] = FLAG (monitor),
  [OPTION_GCHANDLE] = FLAG (gchandle),
  [OPTION_GCROOT] = READ (read_gcroot, NULL),
  [OPTION_FINALIZATION] = FLAG (finalization),
  [OPTION_JIT] = FLAG (jit),
  [OPTION_COUNTER] = FLAG (counter),
  [OPTION_SAMPLE] = READ (read_sample, "not a number from 1 to 10000"),
  [OPTION_SAMPLE_REAL] = READ (read_sample_real, "not a number from 1 to 10000"),
  [OPTION_LINES] = FLAG (lines),
  [OPTION_FORMAT] = READ (read_format, NULL),
  [OPTION_HEAPSHOT] = READ (read_heapshot, PROFLOG_HEAPSHOT_NEEDED),
  [OPTION_HEAPSHOT_ON_SHUTDOWN] = FLAG (heapshot_on_shutdown),
  [OPTION_HEAPSHOT_FORK] = FLAG (heapshot_fork),
  [OPTION_HEAPSHOT_STRINGS] = FLAG (heapshot_strings),
  [OPTION_HEAPSHOT_COLLECTIONS] = FLAG (heapshot_collections),
  [OPTION_HEAPSHOT_TASKS] = FLAG (heapshot_tasks),
  [OPTION_NATIVE] = FLAG (native),
  [OPTION_MAXFRAMES]
  = RANGE (RULE_NUMBER, max_frames, 0, PROFLOG_MAX_FRAMES, "not a number from 0 to 32"),
  [OPTION_STACKS] = READ (read_stacks, "not one of auto, walk, none"),
  [OPTION_CALLDEPTH]
  = RANGE (RULE_NUMBER, call_depth, 0, UINT32_MAX, "not a number from 0 to 4294967295"),
  [OPTION_CALLSPEC] = READ (read_callspec, NULL),
  [OPTION_OUTPUT] = READ (read_output, "a file name or #FD is missing"),
  [OPTION_ROTATE] = READ (read_rotate, PROFLOG_ROTATE_NEEDED),
  [OPTION_KEEP] = READ (read_keep, PROFLOG_KEEP_NEEDED),
  [OPTION_SAVE_ON]
  = READ (read_save_on, "not exception:TYPE, pause:TIME (such as pause:100ms), heap:SIZE (such as "
                        "heap:2G) or signal"),
  [OPTION_SAVE_EVERY]
  = RANGE (RULE_TIME, save.every_ms, 0, DAY_MS, "not a time up to a day, such as 10s or 5min"),
  [OPTION_SAVE_TO] = READ (read_save_to, "a file name is missing"),
  [OPTION_CRASH_BUFFER] = READ (read_crash_buffer, "a directory or none is missing"),
  [OPTION_MEMORY] = RANGE (RULE_SIZE, memory, UINT64_C (1) << 20, UINT64_C (1) << 40,
                           "not a size from 1M to 1024G"),
  [OPTION_BUFFER] = READ (read_buffer, "not a power of 2 from 64k to 16M"),
  [OPTION_OVERFLOW] = READ (read_overflow, "the values are block and drop"),
  [OPTION_BLOCK_TIMEOUT] = RANGE (RULE_TIME, block_timeout_ms, 0, HOUR_MS,
                                  "not a time up to an hour, such as 500ms or 2s"),
  [OPTION_FLUSH] = RANGE (RULE_TIME, flush_ms, 0, PROFLOG_FLUSH_MS_MAX, PROFLOG_FLUSH_NEEDED),
  [OPTION_DURATION] = RANGE (RULE_TIME, duration_ms, PROFLOG_DURATION_MS_MIN,
                             PROFLOG_DURATION_MS_MAX, PROFLOG_DURATION_NEEDED),
  [OPTION_MAX_SIZE] = RANGE (RULE_SIZE, max_size, PROFLOG_MAX_SIZE_MIN, PROFLOG_MAX_SIZE_MAX,
                             PROFLOG_MAX_SIZE_NEEDED),
  [OPTION_REANNOUNCE]
  = RANGE (RULE_TIME, reannounce_ms, 0, DAY_MS, "not a time up to a day, such as 10s or 5min"),
  [OPTION_PAUSED] = FLAG (paused),
  [OPTION_PREPARE] = READ (read_prepare, "not classes of events: alloc, calls, sample, counter"),
  [OPTION_FOLLOW_FORK] = FLAG (follow_fork),
  [OPTION_CONTROL] = FLAG (control),
  [OPTION_PERF_MAP] = FLAG (perf_map),
  [OPTION_JITDUMP] = FLAG (jitdump),
  [OPTION_ZIP] = READ (read_zip, "the values are gzip and zstd"),
  [OPTION_LEGACY] = READ (read_legacy, NULL),
};

static bool
apply_rule (const struct rule *rule, struct option_value *r)
{
  void *const member = (char *) r->o + rule->offset;
  switch (rule->kind) {
  case RULE_FLAG:
    *(bool *) member = r->on;
    return true;
  case RULE_SIZE:
    return proflog_parse_size (r->value, rule->least, rule->most, member);
  case RULE_TIME:
    return proflog_parse_time_ms (r->value, rule->least, rule->most, member);
  case RULE_NUMBER:
    return parse_number (r->value, (uint32_t) rule->least, (uint32_t) rule->most, member);
  case RULE_READ:
    break;
  }
  return rule->read (r);
}

static bool
parse_one (struct options *o, const char *text, bool (*can_compress) (enum pack), char *why,
           size_t size)
{
  const char *equals = strchr (text, '=');
  const int length = equals != NULL ? (int) (equals - text) : (int) strlen (text);
  bool negated;
  const enum option option = find (text, (size_t) length, &negated);
  if (option == OPTIONS) {
    proflog_check_option_name (text, why, size);
    return false;
  }
  const char *argument = table[option].argument;
  if (equals != NULL && (argument[0] == 0 || negated)) {
    snprintf (why, size, "option '%.*s' takes no value", length, text);
    return false;
  }
  if (equals == NULL && argument[0] == '=') {
    snprintf (why, size, "option '%s' needs a value: %s%s", text, text, argument);
    return false;
  }
  struct option_value r = { .o = o,
                            .on = !negated,
                            .value = equals != NULL ? equals + 1 : "",
                            .can_compress = can_compress,
                            .why = why,
                            .size = size };
  why[0] = 0;
  if (apply_rule (&rules[option], &r))
    return true;
  if (why[0] == 0)
    snprintf (why, size, "%.*s=%s: %s", length, text, r.value, rules[option].needed);
  return false;
}

unsigned
options_classes (const struct options *options)
{
  unsigned classes = 0;
#define EVENT_CLASS(ID, name, is_armed_at_start, since, in_eventlog)                               \
  classes |= options->name ? CLASS_##ID : 0u;
#include "profiler/options/event-classes.def"
  return classes;
}

/* The first selected option that a log of this data version has no event or field for; NULL if
 * there is none.  *since_version is the first version that has them. */
static const char *
beyond_version (const struct options *o, unsigned version, unsigned *since_version)
{
  const unsigned classes = options_classes (o) | o->armed;
  *since_version = MLPD_VERSION_ALL_CLASSES;
  if (o->alloc_sampling != 0 && (classes & CLASS_ALLOC) != 0 && *since_version > version)
    return "alloc=SIZE";
  if (o->heapshot_strings && *since_version > version)
    return "heapshot-strings";
  if (o->heapshot_collections && *since_version > version)
    return "heapshot-collections";
  if (o->heapshot_tasks && *since_version > version)
    return "heapshot-tasks";
  if (o->native && *since_version > version)
    return "native";
  if ((classes & CLASS_CALLS) != 0 && *since_version > version) {
    if (o->calls_mode.threshold_ns != 0)
      return "calls=TIME";
    if (o->calls_mode.skips_inlinable)
      return "calls=auto";
  }
#define EVENT_CLASS(ID, name, is_armed_at_start, since, in_eventlog)                               \
  *since_version = since;                                                                          \
  if (since > version && (classes & CLASS_##ID) != 0)                                              \
    return #name;
#include "profiler/options/event-classes.def"
  return NULL;
}

static bool
has_shots (const struct options *o)
{
  return o->heapshot.when != PROFLOG_HEAPSHOT_OFF || o->heapshot_on_shutdown;
}

/* Without roots a heap snapshot does not show why its objects are alive. */
static void
choose_roots (struct options *o)
{
  if (has_shots (o) && !o->gcroot_given && o->version != 1)
    o->gcroot = true;
}

/* A program may move millions of objects a second.  That matters only where objects are followed.
 */
static void
choose_moves (struct options *o)
{
  if (!o->gcmove_given)
    o->gcmove &= o->alloc ? o->alloc_sampling == 0 : has_shots (o);
}

/* Options that need each other.  False with a message in `why`. */
static bool
check_keeping (struct options *o, char *why, size_t size)
{
  const struct save_options *const save = &o->save;
  const bool rotates = o->rotate_bytes != 0 || o->rotate_ms != 0;
  const bool keeps = o->keep_files != 0 || o->keep_ms != 0;
  if (o->ring_bytes != 0 && (rotates || keeps))
    snprintf (why, size, "output=%s has its own rotate and keep", o->output);
  else if (keeps && !rotates)
    snprintf (why, size, "keep needs rotate, such as rotate=64M");
  else if (save->type_count != 0 && !o->exception)
    snprintf (why, size, "save-on=exception:%s needs the class exception", save->types[0]);
  else if ((save->pause_ns != 0 || save->heap_bytes != 0) && !o->gc)
    snprintf (why, size, "save-on=%s needs the class gc", save->pause_ns != 0 ? "pause" : "heap");
  else
    return true;
  return false;
}

static bool
choose_version (struct options *o, char *why, size_t size)
{
  choose_roots (o);
  const char *beyond;
  unsigned version = o->version != 0 ? o->version : 1, since;
  while ((beyond = beyond_version (o, version, &since)) != NULL && o->version == 0)
    version = since;
  if (beyond != NULL)
    snprintf (why, size, "format=%u cannot record %s; use format=%u or auto", version, beyond,
              since);
  o->version = version;
  return beyond == NULL;
}

/* The first selected option that no eventlog can record; NULL if there is none. */
static const char *
beyond_eventlog (const struct options *o)
{
  const unsigned classes = options_classes (o) | o->armed;
  if (o->alloc_sampling != 0 && (classes & CLASS_ALLOC) != 0)
    return "alloc=SIZE";
  if (o->heapshot.when != PROFLOG_HEAPSHOT_OFF)
    return "heapshot";
  if (o->heapshot_on_shutdown)
    return "heapshot-on-shutdown";
  if (o->heapshot_strings)
    return "heapshot-strings";
  if (o->heapshot_collections)
    return "heapshot-collections";
  if (o->heapshot_tasks)
    return "heapshot-tasks";
  if (o->native)
    return "native";
  if (o->reannounce_ms != 0)
    return "reannounce";
  if (o->follow_fork)
    return "follow-fork";
  if (o->save.heap_bytes != 0)
    return "save-on=heap";
#define EVENT_CLASS(ID, name, is_armed_at_start, since, in_eventlog)                               \
  if (!(in_eventlog) && (classes & CLASS_##ID) != 0)                                               \
    return #name;
#include "profiler/options/event-classes.def"
  return NULL;
}

/* Of an eventlog: allocations are a count of bytes, which is cheap; moves are recorded by default
 * where they can be. */
static bool
choose_eventlog (struct options *o, char *why, size_t size)
{
  o->alloc |= !o->alloc_given;
  o->gcmove = o->gcmove_given;
  o->version = MLPD_VERSION_LAST; /* of the events common to all logs */
  const char *const beyond = beyond_eventlog (o);
  if (beyond != NULL)
    snprintf (why, size, "format=eventlog cannot record %s; use format=%d or auto", beyond,
              MLPD_VERSION_ALL_CLASSES);
  return beyond == NULL;
}

bool
options_parse (struct options *o, const char *description, bool (*can_compress) (enum pack),
               char *why, size_t size)
{
  memset (o, 0, sizeof *o);
  set_defaults (o, true);
  o->sample_hz = PROFLOG_SAMPLE_HZ;
  o->max_frames = PROFLOG_DEFAULT_FRAMES;
  o->call_depth = PROFLOG_MAX_CALL_DEPTH;
  o->memory = UINT64_C (32) << 20;
  o->buffer = UINT64_C (64) << 10;
  o->block_timeout_ms = 2000;
  o->save.every_ms = 60 * 1000;
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
    if (option[0] != 0 && !parse_one (o, option, can_compress, why, size))
      return false;
  }
  choose_moves (o);
  if (!check_keeping (o, why, size))
    return false;
  if (o->output[0] == 0)
    strcpy (o->output, o->eventlog ? "output.eventlog" : "output.mlpd");
  return o->eventlog ? choose_eventlog (o, why, size) : choose_version (o, why, size);
}

/* Prints `doc` broken into lines, its first one after a column. */
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
  for (int i = 0; i < OPTIONS && table[i].doc != NULL; i++) {
    char form[64];
    snprintf (form, sizeof form, "%s%s%s", table[i].negatable ? "[no]" : "", table[i].name,
              table[i].argument);
    int column = printf ("  %-24s ", form);
    print_doc (table[i].doc, column);
  }
  puts ("\nOn by default: control, gc, exception, monitor, with alloc or heapshot also gcmove, and "
        "the\n"
        "names of images, classes and methods; in an eventlog alloc, control, exception, gc and\n"
        "monitor.  Read the log with `proflog report LOG`.");
}
