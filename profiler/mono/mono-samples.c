/* mono-samples.c -- statistical samples.
 *
 * A signal interrupts a thread (mono-sample-clock.c).  The runtime's handler calls sample_hit,
 * which claims a record and walks the stack into it; it takes no lock and no memory, and does not
 * touch the thread's own buffer, which may be in use.  The ticker's thread writes the records.
 */
#include "config.h"

#include "profiler/mono/mono-lines.h"
#include "profiler/mono/mono-private.h"
#include "agent/warn.h"
#include "profiler/os/cpu-timers.h"
#include "profiler/os/thread-usage.h"
#include <errno.h>
#include <mono/metadata/appdomain.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  SAMPLES = 1024,
  TRIES = 64, /* records that a handler tries before it stops */
  CALLS_TO_LOOK_AT_ALL = 32,
  FRAMES = 256, /* of a sample: stacks of compilers and servers have more than a hundred */
  UNKNOWN = 64, /* addresses to look up, of a sample */
};

enum { SAMPLE_FREE, SAMPLE_BUSY, SAMPLE_READY };

struct sample {
  _Atomic unsigned state;
  uint64_t time, thread, ip;
  int tid;                   /* the kernel's number of the thread; 0: it is not needed */
  unsigned intervals;        /* the sample stands for so many */
  bool is_unknown;           /* of the frames, all but the first are addresses to look up */
  bool has_usage;            /* it was taken by the wall clock */
  struct thread_usage usage; /* since the thread's previous sample */
  size_t count;
  struct frame {
    MonoMethod *method; /* NULL: it was not known in the handler */
    MonoDomain *domain;
    void *code; /* where it was */
  } frames[FRAMES];
};

static struct sample *samples;
static _Atomic unsigned next_sample;

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

static mono_bool
sample_frame (MonoMethod *method, MonoDomain *domain, void *base, int offset, void *data)
{
  struct sample *s = data;
  void *const code = base != NULL ? (char *) base + offset : NULL;
  s->frames[s->count++] = (struct frame){ method, domain, code };
  return s->count == FRAMES;
}

/* Of a program that ran before the module came. */
static void
take_late_stack (struct sample *s, const void *context)
{
  void *unknown[UNKNOWN];
  size_t n;
  switch (late_stacks_scan (context, s->tid == getpid (), unknown, UNKNOWN, &n)) {
  case LATE_STACK_REFUSED:
    break;
  case LATE_STACK_KNOWN:
    mono_stack_walk_async_safe (sample_frame, (void *) context, s);
    break;
  case LATE_STACK_UNKNOWN:
    s->is_unknown = true;
    s->frames[s->count++]
        = (struct frame){ .domain = mono_domain_get (), .code = (void *) (uintptr_t) s->ip };
    for (size_t i = 0; i < n; i++)
      s->frames[s->count++] = (struct frame){ .code = unknown[i] };
  }
}

/* In a signal handler. */
static void
take_sample (MonoProfiler *p, const mono_byte *ip, const void *context)
{
  const unsigned intervals = sample_clock_intervals (context);
  if (intervals == 0 || !atomic_load_explicit (&p->initialized, memory_order_relaxed)
      || !recorder_running ())
    return;
  struct sample *s = claim_sample ();
  if (s == NULL) {
    recorder_add_lost (intervals); /* no record is free */
    return;
  }
  s->intervals = intervals;
  s->time = clock_now ();
  s->thread = (uint64_t) (uintptr_t) pthread_self ();
  s->ip = address (ip);
  s->tid = late_samples_are_set () ? (int) syscall (SYS_gettid) : 0;
  s->count = 0;
  s->is_unknown = false;
  s->has_usage = p->options.sample_real && thread_usage_read (&s->usage);
  if (late_samples_are_set ())
    take_late_stack (s, context);
  else
    mono_stack_walk_async_safe (sample_frame, (void *) context, s);
  const bool has_unknown = s->is_unknown && s->count > 1;
  atomic_store_explicit (&s->state, SAMPLE_READY, memory_order_release);
  if (has_unknown)
    ticker_wake ();
  if (p->options.sample_real) /* without the walk */
    thread_usage_begin ();
}

static void
hit (const mono_byte *ip, const void *context)
{
  const int error = errno;
  take_sample (&profiler, ip, context);
  cpu_timers_continue ();
  errno = error;
}

/* In a signal handler. */
void
sample_hit (MonoProfiler *p, const mono_byte *ip, const void *context)
{
  (void) p;
  if (!sample_clock_note_probe ())
    hit (ip, context);
}

void
sample_hit_late (const void *context)
{
  hit (late_stacks_ip (context), context);
}

/* The method of a frame, named; 0 if it is unknown.  The runtime is queried for one without a name
 * only if its code is still there: it may have ended since. */
static uint64_t
method_of (const struct frame *f)
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
announce_code (const struct frame *f, uint64_t method, uint64_t ip)
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
record_hit (const struct sample *s, const struct mlpd_frame *frames, size_t n,
            const struct frame_lines *lines)
{
  struct mlpd_sample_hit hit
      = { .thread = s->thread, .ips = { &s->ip, 1 }, .frames = { .items = frames, .count = n } };
  const struct mlpd_counter_value usage[] = {
    { MLPD_SAMPLE_ELAPSED_INDEX, MLPD_COUNTER_TYPE_ULONG, .number = s->usage.elapsed },
    { MLPD_SAMPLE_CPU_INDEX, MLPD_COUNTER_TYPE_ULONG, .number = s->usage.cpu },
    { MLPD_SAMPLE_LINES_INDEX, MLPD_COUNTER_TYPE_STRING, .text = { lines->text, lines->length } },
  };
  const size_t first = s->has_usage ? 0 : 2, end_of_usage = lines->length != 0 ? 3 : 2;
  struct mlpd_sample_counters state = { .values = { usage + first, end_of_usage - first } };
  struct recorder *r
      = recorder_begin (mlpd_bound_sample_hit (&hit) + mlpd_bound_sample_counters (&state), s->ip,
                        0, n != 0 ? frames[0].method : 0);
  if (r == NULL)
    return;
  /* The time of the sample, but in order. */
  hit.time = state.time = recorder_time (r, s->time);
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

/* One event for each interval that the sample stands for: all readers count events. */
static void
record_sample (struct sample *s)
{
  static struct frame_lines lines; /* the ticker's */
  struct mlpd_frame frames[FRAMES];
  size_t n = 0;
  if (s->tid != 0)
    late_samples_name_thread (s->thread, s->tid);
  lines_begin (&lines, profiler.options.lines);
  if (s->is_unknown)
    look_up (s);
  for (size_t i = 0; i < s->count; i++) {
    const struct frame *f = &s->frames[i];
    const uint64_t method = method_of (f);
    if (method == 0)
      continue;
    frames[n++] = (struct mlpd_frame){ .method = method };
    lines_add (&lines, (MonoMethod *) (uintptr_t) method, f->domain, f->code,
               address (f->code) != s->ip);
  }
  if (n == 0 || !announce_code (&s->frames[0], frames[0].method, s->ip))
    name_native (s->ip);
  for (unsigned i = 0; i < s->intervals; i++)
    record_hit (s, frames, n, &lines);
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
samples_record (bool is_last)
{
  static struct sample *ready[SAMPLES];
  static unsigned calls;
  const bool all = is_last || ++calls % CALLS_TO_LOOK_AT_ALL == 0;
  const size_t n = samples != NULL ? find_ready (ready, all) : 0;
  qsort (ready, n, sizeof ready[0], compare_times);
  if (n != 0 && profiler.options.sample_real)
    describe_usage ();
  for (size_t i = 0; i < n; i++) {
    record_sample (ready[i]);
    atomic_store_explicit (&ready[i]->state, SAMPLE_FREE, memory_order_release);
  }
}

void
arm_samples (struct _MonoProfiler *p)
{
  if (!is_armed (CLASS_SAMPLE))
    return;
  void *memory = mmap (NULL, SAMPLES * sizeof *samples, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || !sample_clock_prepare (p)) {
    proflog_warn ("no samples: %s",
                  memory == MAP_FAILED ? strerror (errno) : "another profiler is sampling already");
    return;
  }
  samples = memory;
}

void
set_sample_callback (struct _MonoProfiler *p)
{
  if (samples == NULL)
    return;
  const bool is_enabled = is_recorded (CLASS_SAMPLE);
  thread_usage_drop_all (); /* they may have begun before a pause */
  if (!late_samples_are_set ())
    mono_profiler_set_sample_hit_callback (p->handle, is_enabled ? sample_hit : NULL);
  cpu_timers_enable (is_enabled);
}
