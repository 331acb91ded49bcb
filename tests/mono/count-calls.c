/* count-calls.c -- a profiler module that only counts the calls of each thread, and prints them at
 * the end: "THREAD N" into the file that CALLS_COUNTED names.  Compiled by its test, as a user
 * would. */
#include <mono/metadata/profiler.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct _MonoProfiler {
  MonoProfilerHandle handle;
};

static struct _MonoProfiler profiler;

/* Of a thread; never freed. */
struct count {
  unsigned long thread;
  atomic_ulong calls;
  struct count *next;
};

static _Atomic (struct count *) all;
static _Thread_local struct count *own;

static struct count *
make_count (void)
{
  struct count *c = calloc (1, sizeof *c);
  if (c == NULL)
    abort ();
  c->thread = (unsigned long) pthread_self ();
  c->next = atomic_load (&all);
  while (!atomic_compare_exchange_weak (&all, &c->next, c))
    ;
  return own = c;
}

static MonoProfilerCallInstrumentationFlags
filter (MonoProfiler *p, MonoMethod *method)
{
  (void) p;
  (void) method;
  return MONO_PROFILER_CALL_INSTRUMENTATION_ENTER;
}

static void
enter (MonoProfiler *p, MonoMethod *method, MonoProfilerCallContext *context)
{
  (void) p;
  (void) method;
  (void) context;
  struct count *c = own != NULL ? own : make_count ();
  atomic_fetch_add (&c->calls, 1);
}

static void
print (MonoProfiler *p)
{
  (void) p;
  FILE *file = fopen (getenv ("CALLS_COUNTED"), "w");
  if (file == NULL)
    return;
  for (struct count *c = atomic_load (&all); c != NULL; c = c->next)
    fprintf (file, "0x%lx %lu\n", c->thread, atomic_load (&c->calls));
  fclose (file);
}

void mono_profiler_init_count_calls (const char *description);

void
mono_profiler_init_count_calls (const char *description)
{
  (void) description;
  profiler.handle = mono_profiler_create (&profiler);
  mono_profiler_set_call_instrumentation_filter_callback (profiler.handle, filter);
  mono_profiler_set_method_enter_callback (profiler.handle, enter);
  mono_profiler_set_runtime_shutdown_end_callback (profiler.handle, print);
}
