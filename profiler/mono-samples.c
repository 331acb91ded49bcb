/* mono-samples.c -- statistical samples.
 *
 * The runtime interrupts each thread by a signal.  The handler takes a record, walks the stack into
 * it and leaves it; it takes no lock and no memory, and does not touch the thread's own buffer,
 * which may be in use.  The ticker's thread writes the records.
 */
#include "config.h"

#include "profiler/mono-profiler.h"
#include "profiler/warn.h"
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <mono/metadata/appdomain.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
  SAMPLES = 4096,
  TRIES = 64, /* records that a handler looks at before it gives up */
};

enum { SAMPLE_FREE, SAMPLE_BUSY, SAMPLE_READY };

struct sample {
  _Atomic unsigned state;
  uint64_t time, thread, ip;
  size_t count;
  struct frame {
    MonoMethod *method; /* NULL: it was not known in the handler */
    MonoDomain *domain;
    void *code; /* where it was */
  } frames[PROFLOG_MAX_FRAMES];
};

static struct sample *samples;
static _Atomic unsigned next_sample;
static _Atomic uint64_t lost; /* all records were in use */
static struct address_set known_symbols;

static struct sample *
take_sample (void)
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
  return s->count == PROFLOG_MAX_FRAMES;
}

/* In a signal handler. */
static void
sample_hit (MonoProfiler *p, const mono_byte *ip, const void *context)
{
  const int error = errno;
  if (!atomic_load_explicit (&p->initialized, memory_order_relaxed) || !recorder_running ())
    return;
  struct sample *s = take_sample ();
  if (s == NULL) {
    atomic_fetch_add_explicit (&lost, 1, memory_order_relaxed);
    return;
  }
  s->time = clock_now ();
  s->thread = (uint64_t) (uintptr_t) pthread_self ();
  s->ip = address (ip);
  s->count = 0;
  mono_stack_walk_async_safe (sample_frame, (void *) context, s);
  atomic_store_explicit (&s->state, SAMPLE_READY, memory_order_release);
  errno = error;
}

/* The method of a frame, named; 0 if it cannot be told.  One without a name is asked for only if
 * its code is still there: it may have ended since. */
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

/* The name of native code, said once: that of the function that is known to have this instruction.
 */
static void
name_native (uint64_t ip)
{
  Dl_info info;
  ElfW (Sym) *symbol = NULL;
  if (dladdr1 ((void *) (uintptr_t) ip, &info, (void **) &symbol, RTLD_DL_SYMENT) == 0
      || info.dli_sname == NULL || symbol == NULL)
    return;
  const uint64_t start = address (info.dli_saddr);
  if (ip >= start + symbol->st_size)
    return; /* of another function, which has no name here */
  const size_t before = known_symbols.count;
  address_set_add (&known_symbols, start);
  if (known_symbols.count == before)
    return;
  struct mlpd_sample_symbol event = { .address = start,
                                      .size = symbol->st_size,
                                      .name = { info.dli_sname, strlen (info.dli_sname) } };
  RECORD (sample_symbol, event, start, 0, 0);
}

static void
record_sample (const struct sample *s)
{
  struct mlpd_frame frames[PROFLOG_MAX_FRAMES];
  size_t n = 0;
  for (size_t i = 0; i < s->count; i++) {
    const uint64_t method = method_of (&s->frames[i]);
    if (method != 0)
      frames[n++] = (struct mlpd_frame){ .method = method };
  }
  name_native (s->ip);
  struct mlpd_sample_hit event
      = { .thread = s->thread, .ips = { &s->ip, 1 }, .frames = { .items = frames, .count = n } };
  struct recorder *r
      = recorder_begin (mlpd_bound_sample_hit (&event), s->ip, 0, n != 0 ? frames[0].method : 0);
  if (r == NULL)
    return;
  /* When it was taken, but in order. */
  const uint64_t last = r->buffer->encoder.time;
  event.time = s->time > last ? s->time : last;
  recorder_commit (r, mlpd_put_sample_hit (&r->buffer->encoder, r->position, &event));
}

static int
compare_times (const void *a, const void *b)
{
  const struct sample *x = *(struct sample *const *) a, *y = *(struct sample *const *) b;
  return (x->time > y->time) - (x->time < y->time);
}

void
samples_record (void)
{
  static struct sample *ready[SAMPLES];
  size_t n = 0;
  for (size_t i = 0; samples != NULL && i < SAMPLES; i++)
    if (atomic_load_explicit (&samples[i].state, memory_order_acquire) == SAMPLE_READY)
      ready[n++] = &samples[i];
  qsort (ready, n, sizeof ready[0], compare_times);
  for (size_t i = 0; i < n; i++) {
    record_sample (ready[i]);
    atomic_store_explicit (&ready[i]->state, SAMPLE_FREE, memory_order_release);
  }
}

uint64_t
samples_lost (void)
{
  return atomic_load_explicit (&lost, memory_order_relaxed);
}

void
arm_samples (struct _MonoProfiler *p)
{
  if (!is_armed (CLASS_SAMPLE))
    return;
  void *memory = mmap (NULL, SAMPLES * sizeof *samples, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || !mono_profiler_enable_sampling (p->handle)) {
    warn ("no samples: %s",
          memory == MAP_FAILED ? strerror (errno) : "another profiler takes samples already");
    return;
  }
  samples = memory;
  mono_profiler_set_sample_mode (p->handle,
                                 p->options.sample_real ? MONO_PROFILER_SAMPLE_MODE_REAL
                                                        : MONO_PROFILER_SAMPLE_MODE_PROCESS,
                                 p->options.sample_hz);
}

void
set_sample_callback (struct _MonoProfiler *p)
{
  if (samples != NULL)
    mono_profiler_set_sample_hit_callback (p->handle,
                                           is_recorded (CLASS_SAMPLE) ? sample_hit : NULL);
}
