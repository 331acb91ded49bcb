/* mono-memory.c -- the parts of the process's memory, from the kernel and the runtime's counters.
 */
#include "config.h"

#include "agent/clock.h"
#include "profiler/mono/mono-private.h"
#include "profiler/os/cpu-timers.h"
#include "profiler/os/process-memory.h"

enum {
  SEARCHES = 8,    /* of readings, for counters that the runtime does not have yet */
  SHARE = 1000,    /* of the time, for readings: 1/1000 */
  STACKS_MAX = 512 /* stacks that are read; of more threads this many, in proportion */
};

/* The counters of the runtime that a part is the sum of.  Those of memory that it has got from the
 * system begin with Valloc; the others are its own sums of what it allocates. */
static struct source {
  enum memory_part part;
  const char *name;
  MonoCounter *counter; /* NULL: not found */
} sources[] = {
  { MEMORY_NURSERY, "Valloc SGen nursery", NULL },
  { MEMORY_OLD, "Valloc SGen mark&sweep", NULL },
  { MEMORY_LARGE, "Valloc SGen LOS", NULL },
  { MEMORY_CODE, "Valloc code", NULL },
  { MEMORY_METADATA, "MonoClass size", NULL },
  { MEMORY_METADATA, "MonoMethod size", NULL },
  { MEMORY_METADATA, "MonoMethodSignature size", NULL },
  { MEMORY_METADATA, "Memberref signature cache size", NULL },
  { MEMORY_METADATA, "Inflated classes size", NULL },
  { MEMORY_METADATA, "Inflated methods size", NULL },
  { MEMORY_METADATA, "Inflated signatures size", NULL },
  { MEMORY_METADATA, "Unwind info size", NULL },
  { MEMORY_METADATA, "Async JIT info size", NULL },
  { MEMORY_METADATA, "Allocated seq points size", NULL },
};
enum { SOURCES = sizeof sources / sizeof *sources };

/* The runtime's list is locked. */
static mono_bool
find_source (MonoCounter *counter, void *unused)
{
  (void) unused;
  const char *const name = mono_counter_get_name (counter);
  for (size_t i = 0; i < SOURCES; i++)
    if (sources[i].counter == NULL && strcmp (sources[i].name, name) == 0) {
      sources[i].counter = counter;
      break;
    }
  return 1;
}

static void
find_sources (void)
{
  static unsigned searches;
  size_t found = 0;
  for (size_t i = 0; i < SOURCES; i++)
    found += sources[i].counter != NULL;
  if (found < SOURCES && searches++ < SEARCHES)
    mono_counters_foreach (find_source, NULL);
}

static uint64_t
read_source (MonoCounter *counter)
{
  uint64_t bytes[2] = { 0 };
  return mono_counters_sample (counter, bytes, sizeof bytes) > 0
             ? counter_number (mono_counter_get_type (counter), bytes)
             : 0;
}

/* Of the threads that have samples. */
static uint64_t
read_stacks (void)
{
  static struct timed_thread_id threads[STACKS_MAX];
  const size_t all = cpu_timers_list (threads, STACKS_MAX), n = all < STACKS_MAX ? all : STACKS_MAX;
  const pid_t first = getpid ();
  uint64_t bytes = 0;
  for (size_t i = 0; i < n; i++)
    if (threads[i].id == first)
      bytes += process_memory_of_stack (process_memory_first_stack ());
    else if (threads[i].thread != 0) /* the description of a thread lies at the end of its stack */
      bytes += process_memory_of_stack (threads[i].thread);
  return n < all ? bytes / n * all : bytes;
}

bool
memory_read (uint64_t bytes[MEMORY_PART_COUNT])
{
  static uint64_t next;
  const uint64_t begin = clock_of_system ();
  if (begin < next || !process_memory_read (&bytes[MEMORY_RESIDENT], &bytes[MEMORY_FILES]))
    return false;
  find_sources ();
  for (enum memory_part part = MEMORY_NURSERY; part < MEMORY_PART_COUNT; part++)
    bytes[part] = 0;
  for (size_t i = 0; i < SOURCES; i++)
    if (sources[i].counter != NULL)
      bytes[sources[i].part] += read_source (sources[i].counter);
  bytes[MEMORY_STACKS] = read_stacks ();
  next = begin + (clock_of_system () - begin) * SHARE;
  return true;
}
