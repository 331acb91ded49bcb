/* mono-samples.c -- statistical samples.
 *
 * A signal interrupts a thread (mono-sample-signal.c).  Its handler claims a record and walks the
 * stack into it; it takes no lock and no memory, and does not touch the thread's own buffer, which
 * may be in use.  The ticker's thread writes the records.
 */
#include "config.h"

#include "profiler/mono/mono-samples.h"
#include "agent/warn.h"
#include "profiler/mono/mono-locks.h"
#include "profiler/mono/mono-private.h"
#include "profiler/os/cpu-timers.h"
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- source lines ---- */

/* Lines of frames in turn, innermost first, as docs/mlpd-format.md describes their text. */
struct frame_lines {
  char text[8192];
  size_t length;
  size_t pending;   /* frames without a line since the last one that has one */
  const char *file; /* of that */
  bool is_full;     /* no further frame has a line */
};

enum {
  PLACES = 1 << 14,
  FILES = 1 << 12,
  HIDDEN = 0xfeefee, /* a line that compilers give to code without one */
};

/* A place in the code whose line is known, or that has none (file NULL). */
static struct place {
  const char *code;
  const MonoMethod *method;
  const char *file;
  uint32_t line;
} places[PLACES];

static char *files[FILES];

/* The one copy of a file's path; NULL if there is no room. */
static const char *
find_file (const char *path)
{
  uint32_t hash = 5381;
  for (const char *p = path; *p != 0; p++)
    hash = hash * 33 + (unsigned char) *p;
  for (unsigned i = 0; i < FILES; i++) {
    char **slot = &files[(hash + i) % FILES];
    if (*slot == NULL)
      *slot = strdup (path);
    if (*slot == NULL || strcmp (*slot, path) == 0)
      return *slot;
  }
  return NULL;
}

/* A method of another domain, or that was freed, must not be looked up. */
static bool
is_loaded (const MonoMethod *method, MonoDomain *domain, const char *code, uint32_t *offset)
{
  MonoJitInfo *info
      = domain == mono_get_root_domain () ? mono_jit_info_table_find (domain, (char *) code) : NULL;
  if (info == NULL || mono_jit_info_get_method (info) != method)
    return false;
  *offset = (uint32_t) (code - (const char *) mono_jit_info_get_code_start (info));
  return true;
}

static void
find_line (struct place *place, MonoMethod *method, MonoDomain *domain, const char *code)
{
  uint32_t offset;
  *place = (struct place){ .code = code, .method = method };
  MonoDebugSourceLocation *location
      = is_loaded (method, domain, code, &offset)
            ? mono_debug_lookup_source_location (method, offset, domain)
            : NULL;
  if (location == NULL)
    return;
  if (location->source_file != NULL && strchr (location->source_file, '\n') == NULL
      && location->row != 0 && location->row != HIDDEN) {
    place->file = find_file (location->source_file);
    place->line = location->row;
  }
  mono_debug_free_source_location (location);
}

/* Of the next sample; without lines unless they are wanted, and Mono has debug information. */
static void
lines_begin (struct frame_lines *lines, bool is_wanted)
{
  lines->length = lines->pending = 0;
  lines->text[0] = 0;
  lines->file = NULL;
  lines->is_full = !is_wanted || !mono_debug_enabled ();
}

/* A line of a frame, after empty ones of the frames before it. */
static void
append (struct frame_lines *l, const struct place *place)
{
  const bool is_same = place->file == l->file;
  const size_t room = sizeof l->text - l->length;
  const int n = l->pending < room
                    ? snprintf (l->text + l->length + l->pending, room - l->pending, "%s%s%u",
                                is_same ? "" : place->file, is_same ? "" : ":", place->line)
                    : -1;
  if (n < 0 || (size_t) n + 1 >= room - l->pending) { /* and a newline */
    l->is_full = true;
    l->text[l->length] = 0;
    return;
  }
  memset (l->text + l->length, '\n', l->pending);
  l->length += l->pending + (size_t) n;
  l->file = place->file;
  l->pending = 0;
}

/* The next frame.  `is_call`: the code is after a call, else it was interrupted. */
static void
lines_add (struct frame_lines *l, MonoMethod *method, MonoDomain *domain, char *code, bool is_call)
{
  if (l->is_full)
    return;
  const char *at = code != NULL && is_call ? code - 1 : code;
  struct place *place = &places[((uintptr_t) at * UINT64_C (0x9E3779B97F4A7C15) >> 32) % PLACES];
  if (at != NULL && (place->code != at || place->method != method))
    find_line (place, method, domain, at);
  if (at != NULL && place->file != NULL)
    append (l, place);
  l->pending++;
}

enum {
  SAMPLES = 1024,
  TRIES = 64, /* records that a handler tries before it stops */
  CALLS_TO_LOOK_AT_ALL = 32,
  UNKNOWN = 64, /* addresses to look up, of a sample */
};

enum { SAMPLE_FREE, SAMPLE_BUSY, SAMPLE_READY };

static struct sample *samples;
static void (*wake) (void);
static _Atomic unsigned next_sample;
static bool is_described; /* the usage, since the last tick */

/* The record that this thread's handler fills. */
static _Thread_local struct sample *open_sample __attribute__ ((tls_model ("initial-exec")));

/* ---- in the handler ---- */

static struct sample *
claim_sample (void)
{
  const unsigned first = atomic_fetch_add_explicit (&next_sample, 1, memory_order_relaxed);
  for (unsigned i = 0; i < TRIES; i++) {
    struct sample *s = &samples[(first + i) % SAMPLES];
    unsigned state = SAMPLE_FREE;
    if (atomic_compare_exchange_strong_explicit (&s->state, &state, SAMPLE_BUSY,
                                                 memory_order_acquire, memory_order_relaxed))
      return s;
  }
  return NULL;
}

/* The sample of this thread at this moment; NULL: none is taken. */
static struct sample *
make_sample (unsigned intervals, bool is_requested, const void *ip)
{
  if (!atomic_load_explicit (&profiler.initialized, memory_order_relaxed)
      || !is_recorded (CLASS_SAMPLE) || !recorder_running ())
    return NULL;
  struct sample *s = claim_sample ();
  if (s == NULL) {
    recorder_add_lost (intervals); /* no record is free */
    return NULL;
  }
  s->intervals = intervals;
  s->is_requested = is_requested;
  s->time = clock_now ();
  s->cpu = profiler.options.sample_real || is_requested ? cpu_timers_of_this_thread () : 0;
  s->thread = (uint64_t) (uintptr_t) pthread_self ();
  s->ip = address (ip);
  s->tid = (pid_t) syscall (SYS_gettid);
  s->count = 0;
  s->is_unknown = s->is_end = false;
  return s;
}

bool
sample_begin (unsigned intervals, bool is_requested, const void *ip)
{
  struct sample *const s = make_sample (intervals, is_requested, ip);
  if (s == NULL)
    return false;
  s->number = locks_note_thread (); /* also of one that was there before the module */
  open_sample = s;
  return true;
}

/* Its address is the place of a sample that has none. */
static const char after_last_sample;

void
samples_note_end (void)
{
  uint64_t begun;
  const unsigned intervals = cpu_timers_left_over (&begun);
  if (samples == NULL || begun == 0 || (intervals == 0 && !profiler.options.sample_real))
    return;
  struct sample *const s = make_sample (intervals, false, &after_last_sample);
  if (s == NULL)
    return;
  s->is_end = true;
  s->begun = begun;
  s->cpu_end = s->cpu;
  atomic_store_explicit (&s->state, SAMPLE_READY, memory_order_release);
}

static mono_bool
sample_frame (MonoMethod *method, MonoDomain *domain, void *base, int offset, void *data)
{
  struct sample *s = data;
  void *const code = base != NULL ? (char *) base + offset : NULL;
  s->frames[s->count++] = (struct sample_frame){ method, domain, code };
  return s->count == SAMPLE_FRAMES;
}

void
sample_walk (const void *ip, const void *context)
{
  if (open_sample == NULL)
    return;
  open_sample->ip = address (ip);
  mono_stack_walk_async_safe (sample_frame, (void *) context, open_sample);
}

/* Of a program that ran before the module came. */
void
sample_walk_late (const void *context)
{
  struct sample *const s = open_sample;
  void *unknown[UNKNOWN];
  size_t n;
  switch (late_stacks_scan (context, s->tid == getpid (), s->is_requested, unknown, UNKNOWN, &n)) {
  case LATE_STACK_REFUSED:
    break;
  case LATE_STACK_KNOWN:
    mono_stack_walk_async_safe (sample_frame, (void *) context, s);
    break;
  case LATE_STACK_UNKNOWN:
    s->is_unknown = true;
    s->frames[s->count++]
        = (struct sample_frame){ .domain = mono_domain_get (), .code = (void *) (uintptr_t) s->ip };
    for (size_t i = 0; i < n; i++)
      s->frames[s->count++] = (struct sample_frame){ .code = unknown[i] };
  }
}

void
samples_wake (void)
{
  if (wake != NULL)
    wake ();
}

void
sample_end (void)
{
  struct sample *const s = open_sample;
  const bool has_unknown = s->is_unknown && s->count > 1;
  open_sample = NULL;
  s->cpu_end = profiler.options.sample_real || s->is_requested ? cpu_timers_of_this_thread () : 0;
  atomic_store_explicit (&s->state, SAMPLE_READY, memory_order_release);
  if (has_unknown)
    samples_wake ();
}

/* ---- on the ticker's thread ---- */

/* The runtime is queried for a method without a name only if its code is still there: it may have
 * ended since. */
uint64_t
sample_method (const struct sample_frame *f)
{
  if (f->method != NULL && names_find (NAME_METHOD, address (f->method)) != NULL)
    return address (f->method);
  if (f->domain != mono_get_root_domain () || f->code == NULL)
    return 0;
  MonoJitInfo *info = mono_jit_info_table_find (f->domain, f->code);
  MonoMethod *method = info != NULL ? mono_jit_info_get_method (info) : NULL;
  if (method == NULL || (f->method != NULL && f->method != method) || name_method (method) == NULL)
    return 0;
  return address (method);
}

/* Whether the sample is in the code of its first frame's method.  The log has that code then, from
 * which a reader sees that the sample is not in native code. */
static bool
announce_code (const struct sample_frame *f, uint64_t method, uint64_t ip)
{
  static struct address_set announced; /* a method may have more than one */
  if (f->domain != mono_get_root_domain () || f->code == NULL)
    return false;
  MonoJitInfo *info = mono_jit_info_table_find (f->domain, f->code);
  if (info == NULL || address (mono_jit_info_get_method (info)) != method)
    return false;
  const uint64_t code = address (mono_jit_info_get_code_start (info));
  const uint64_t size = (uint64_t) mono_jit_info_get_code_size (info);
  if (ip - code >= size)
    return false;
  const struct name *name = names_find (NAME_METHOD, method);
  if (name != NULL && !address_set_has (&announced, code) && address_set_add (&announced, code))
    names_announce_code (name, code, size);
  return true;
}

/* Data version 17 has no field for the usage: it is written as values of counters.  Others that
 * read them may look for their descriptions. */
static void
describe_usage (void)
{
  static const struct mlpd_counter counters[] = {
    { .section = MLPD_COUNTER_SECTION_PROFILER,
      .name = { MLPD_SAMPLE_ELAPSED, sizeof MLPD_SAMPLE_ELAPSED - 1 },
      .type = MLPD_COUNTER_TYPE_ULONG,
      .unit = MLPD_COUNTER_UNIT_RAW,
      .variance = MLPD_COUNTER_VARIANCE_MONOTONIC,
      .index = MLPD_SAMPLE_ELAPSED_INDEX },
    { .section = MLPD_COUNTER_SECTION_PROFILER,
      .name = { MLPD_SAMPLE_CPU, sizeof MLPD_SAMPLE_CPU - 1 },
      .type = MLPD_COUNTER_TYPE_ULONG,
      .unit = MLPD_COUNTER_UNIT_RAW,
      .variance = MLPD_COUNTER_VARIANCE_MONOTONIC,
      .index = MLPD_SAMPLE_CPU_INDEX },
  };
  struct mlpd_sample_counters_desc event
      = { .counters = { counters, sizeof counters / sizeof counters[0] } };
  RECORD (sample_counters_desc, event, 0, 0, 0);
}

/* The usage and the lines follow their hit, in the same buffer. */
static void
record_hit (const struct sample *s, const struct sample_usage *u, const struct mlpd_frame *frames,
            size_t n, const struct frame_lines *lines)
{
  struct mlpd_sample_hit hit
      = { .thread = s->thread, .ips = { &s->ip, 1 }, .frames = { .items = frames, .count = n } };
  const struct mlpd_counter_value usage[] = {
    { MLPD_SAMPLE_ELAPSED_INDEX, MLPD_COUNTER_TYPE_ULONG, .number = u != NULL ? u->elapsed : 0 },
    { MLPD_SAMPLE_CPU_INDEX, MLPD_COUNTER_TYPE_ULONG, .number = u != NULL ? u->cpu : 0 },
    { MLPD_SAMPLE_LINES_INDEX, MLPD_COUNTER_TYPE_STRING, .text = { lines->text, lines->length } },
  };
  const size_t first = u != NULL ? 0 : 2, end_of_usage = lines->length != 0 ? 3 : 2;
  struct mlpd_sample_counters state = { .values = { usage + first, end_of_usage - first } };
  struct recorder *r
      = recorder_begin (mlpd_bound_sample_hit (&hit) + mlpd_bound_sample_counters (&state), s->ip,
                        0, n != 0 ? frames[0].method : 0);
  if (r == NULL)
    return;
  /* The time of the sample, but in order. */
  hit.time = state.time = recorder_time (r, u != NULL ? u->time : s->time);
  uint8_t *end = mlpd_put_sample_hit (&r->buffer->encoder, r->position, &hit);
  if (state.values.count != 0)
    end = mlpd_put_sample_counters (&r->buffer->encoder, end, &state);
  recorder_commit (r, end);
}

/* The next sample with this stack is walked; this one has the method alone. */
static void
look_up (struct sample *s)
{
  for (size_t i = 1; i < s->count; i++)
    late_stacks_look_up (s->frames[i].code);
  s->count = 1;
}

void
sample_record (const struct sample *s, const struct sample_usage *usage)
{
  static struct frame_lines lines; /* the ticker's */
  struct mlpd_frame frames[SAMPLE_FRAMES];
  size_t n = 0;
  if (usage != NULL && !is_described)
    describe_usage ();
  is_described |= usage != NULL;
  lines_begin (&lines, profiler.options.lines);
  for (size_t i = 0; i < s->count; i++) {
    const struct sample_frame *f = &s->frames[i];
    const uint64_t method = sample_method (f);
    if (method == 0)
      continue;
    frames[n++] = (struct mlpd_frame){ .method = method };
    code_files_note_place (f->code);
    lines_add (&lines, (MonoMethod *) (uintptr_t) method, f->domain, f->code,
               address (f->code) != s->ip);
  }
  if (s->is_end)
    names_add (NAME_SYMBOL, s->ip, 0, "[time after a thread's last sample]", 0, 1);
  else if (n == 0 || !announce_code (&s->frames[0], frames[0].method, s->ip))
    native_names_add (s->ip);
  /* One event for each interval that the sample stands for: all readers count events. */
  for (unsigned i = 0; i < (usage != NULL ? 1 : s->intervals); i++)
    record_hit (s, usage, frames, n, &lines);
}

static void
record_ready (struct sample *s, sample_user *use)
{
  if (late_samples_are_set ())
    late_samples_name_thread (s->thread, s->tid);
  if (s->is_unknown)
    look_up (s);
  use (s);
}

static int
compare_times (const void *a, const void *b)
{
  const struct sample *x = *(struct sample *const *) a, *y = *(struct sample *const *) b;
  return (x->time > y->time) - (x->time < y->time);
}

/* Those that are ready.  A look at all records costs as much as ten samples, so most calls look
 * only at those claimed since the previous call, or still in use then.  A handler that was
 * interrupted before it had its record waits for the next look at all. */
static size_t
find_ready (struct sample **ready, bool all)
{
  static unsigned first; /* counts as next_sample does */
  const unsigned end = atomic_load_explicit (&next_sample, memory_order_relaxed);
  const unsigned n = all || end - first > SAMPLES - TRIES ? SAMPLES : end - first + TRIES;
  unsigned oldest = end;
  size_t found = 0;
  for (unsigned i = 0; i < n; i++) {
    struct sample *s = &samples[(first + i) % SAMPLES];
    const unsigned state = atomic_load_explicit (&s->state, memory_order_acquire);
    if (state == SAMPLE_READY)
      ready[found++] = s;
    else if (state == SAMPLE_BUSY && oldest == end)
      oldest = first + i;
  }
  first = oldest;
  return found;
}

void
samples_record (bool is_last, sample_user *use)
{
  static struct sample *ready[SAMPLES];
  static unsigned calls;
  const bool all = is_last || ++calls % CALLS_TO_LOOK_AT_ALL == 0;
  const size_t n = samples != NULL ? find_ready (ready, all) : 0;
  qsort (ready, n, sizeof ready[0], compare_times);
  is_described = false;
  for (size_t i = 0; i < n; i++) {
    record_ready (ready[i], use);
    atomic_store_explicit (&ready[i]->state, SAMPLE_FREE, memory_order_release);
  }
}

bool
samples_prepare (void)
{
  void *memory = mmap (NULL, SAMPLES * sizeof *samples, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED)
    samples = memory;
  else
    proflog_warn ("no samples: %s", strerror (errno));
  return memory != MAP_FAILED;
}

void
samples_set_waker (void (*function) (void))
{
  wake = function;
}

void
samples_set_callback (struct _MonoProfiler *p)
{
  (void) p;
  if (samples != NULL)
    cpu_timers_enable (is_recorded (CLASS_SAMPLE));
}
