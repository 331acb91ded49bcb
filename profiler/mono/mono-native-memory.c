/* mono-native-memory.c -- samples of the native memory that libraries allocate.
 *
 * Libraries that are loaded after the module call our functions in place of malloc and others
 * (import-tables.h).  Each calls the original, and subtracts the bytes from a counter of the
 * thread. Where that goes below 0 the allocation is sampled: it gets a slot with the stack, which
 * the ticker's thread records.  Whoever frees it pushes the slot into a list of those that are
 * freed.
 *
 * Our functions may run anywhere: in a handler of a signal, in a thread that the runtime does not
 * know, in the child of a fork, after the end of the recording.  So they take no lock and no
 * memory, and touch no buffer of a thread.
 */
#include "config.h"

#include "agent/warn.h"
#include "profiler/mono/mono-private.h"
#include "profiler/mono/mono-sample-signal.h"
#include "profiler/mono/mono-samples.h"
#include "profiler/options/sampling.h"
#include "profiler/os/import-tables.h"
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

enum {
  SLOTS = 1 << 14, /* sampled allocations that are not freed: some 8 GB */
  TRIES = 64,      /* slots that are tried before the sample is lost */
  KEYS = 1 << 15,
  WINDOW = 16, /* places in which a key may be */
  FILTER = 1 << 12,
  FRAMES = 16,
};

/* Keys that are no pointers. */
enum { KEY_FREE, KEY_BUSY };

static struct slot {
  _Atomic bool is_taken; /* until the end of the allocation is recorded */
  uint64_t id;           /* in the log */
  uint64_t size;
  uint32_t next_new, next_freed; /* places + 1 */
  size_t count;
  struct sample_frame frames[FRAMES]; /* innermost first */
} * slots;

/* The pointers to sampled memory, with their slots. */
static struct key {
  _Atomic uintptr_t pointer;
  uint32_t place;
} * keys;
static _Atomic uint32_t next_slot;
static _Atomic uint16_t filter[FILTER]; /* of pointers by hash: how many are in slots */
static _Atomic uint32_t newest, freed;  /* the lists: places + 1 */
static _Atomic bool is_on;

static _Thread_local struct {
  int64_t left; /* bytes up to the next sample */
  struct sampling random;
  bool is_begun, is_busy;
} own __attribute__ ((tls_model ("initial-exec")));

/* ---- on any thread ---- */

static inline uint64_t
hash_of (const void *p)
{
  return (address (p) >> 4) * UINT64_C (0x9E3779B97F4A7C15) >> 32;
}

static void
push (_Atomic uint32_t *list, uint32_t place, uint32_t *next)
{
  uint32_t first = atomic_load_explicit (list, memory_order_relaxed);
  do
    *next = first;
  while (!atomic_compare_exchange_weak_explicit (list, &first, place + 1, memory_order_release,
                                                 memory_order_relaxed));
}

static __attribute__ ((noinline)) void
forget_sampled (const void *p, uint64_t hash)
{
  for (uint32_t i = 0; i < WINDOW; i++) {
    struct key *const k = &keys[(hash + i) % KEYS];
    uintptr_t key = (uintptr_t) p;
    if (atomic_load_explicit (&k->pointer, memory_order_relaxed) != key
        || !atomic_compare_exchange_strong (&k->pointer, &key, KEY_BUSY))
      continue;
    const uint32_t place = k->place;
    atomic_store_explicit (&k->pointer, KEY_FREE, memory_order_release);
    atomic_fetch_sub (&filter[hash % FILTER], 1);
    push (&freed, place, &slots[place].next_freed);
    return;
  }
}

/* The memory is about to be freed. */
static inline void
forget (const void *p)
{
  const uint64_t hash = hash_of (p);
  if (__builtin_expect (atomic_load_explicit (&filter[hash % FILTER], memory_order_relaxed) != 0, 0)
      && atomic_load_explicit (&is_on, memory_order_relaxed))
    forget_sampled (p, hash);
}

static mono_bool
add_frame (MonoMethod *method, MonoDomain *domain, void *base, int offset, void *data)
{
  struct slot *const s = data;
  s->frames[s->count++]
      = (struct sample_frame){ method, domain, base != NULL ? (char *) base + offset : NULL };
  return s->count == FRAMES;
}

/* The methods that called the library.  As of a thread that is interrupted in native code, which
 * the runtime walks from the last frame that it knows. */
static void
walk (struct slot *s)
{
  ucontext_t context;
  void *saved[SAMPLE_HAZARDS], **hazards;
  s->count = 0;
  if (!atomic_load (&profiler.initialized) || mono_thread_info_current_unchecked == NULL
      || mono_hazard_pointer_get == NULL || mono_thread_info_current_unchecked () == NULL
      || state_runtime_ends () || mono_domain_get () == NULL || getcontext (&context) != 0)
    return;
  hazards = mono_hazard_pointer_get (); /* a handler may have interrupted their user */
  memcpy (saved, hazards, sizeof saved);
  mono_stack_walk_async_safe (add_frame, &context, s);
  memcpy (hazards, saved, sizeof saved);
}

/* Its place; SLOTS: there is none. */
static uint32_t
claim_slot (void)
{
  for (unsigned i = 0; i < TRIES; i++) {
    const uint32_t place = atomic_fetch_add (&next_slot, 1) % SLOTS;
    if (!atomic_exchange (&slots[place].is_taken, true))
      return place;
  }
  return SLOTS;
}

/* False if there is no room. */
static bool
add_key (const void *p, uint64_t hash, uint32_t place)
{
  for (uint32_t i = 0; i < WINDOW; i++) {
    struct key *const k = &keys[(hash + i) % KEYS];
    uintptr_t key = KEY_FREE;
    if (atomic_load_explicit (&k->pointer, memory_order_relaxed) != key
        || !atomic_compare_exchange_strong (&k->pointer, &key, KEY_BUSY))
      continue;
    k->place = place;
    atomic_fetch_add (&filter[hash % FILTER], 1);
    atomic_store_explicit (&k->pointer, (uintptr_t) p, memory_order_release);
    return true;
  }
  return false;
}

static void
sample (void *p, size_t size)
{
  forget (p); /* who freed it did not tell us */
  const uint32_t place = claim_slot ();
  if (place == SLOTS) {
    recorder_add_lost (1);
    return;
  }
  struct slot *const s = &slots[place];
  s->size = size;
  walk (s);
  if (add_key (p, hash_of (p), place)) {
    push (&newest, place, &s->next_new);
  } else {
    atomic_store (&s->is_taken, false);
    recorder_add_lost (1);
  }
}

static __attribute__ ((noinline)) void
note_slowly (void *p, size_t size)
{
  const int error = errno;
  if (own.is_busy)
    return;
  own.is_busy = true;
  if (!own.is_begun)
    own.left += (int64_t) sampling_distance (&own.random, MLPD_NATIVE_SAMPLING);
  own.is_begun = true;
  if (own.left < 0) {
    own.left = (int64_t) sampling_distance (&own.random, MLPD_NATIVE_SAMPLING);
    if (recorder_running () && !atomic_load (&event_recording_paused))
      sample (p, size);
  }
  own.is_busy = false;
  errno = error;
}

/* The memory was allocated. */
static inline void
note (void *p, size_t size)
{
  if (p == NULL || !atomic_load_explicit (&is_on, memory_order_relaxed))
    return;
  own.left -= size < INT64_MAX / 2 ? (int64_t) size : INT64_MAX / 2;
  if (__builtin_expect (own.left < 0, 0))
    note_slowly (p, size);
}

static void *
own_malloc (size_t size)
{
  void *const p = malloc (size);
  note (p, size);
  return p;
}

static void *
own_calloc (size_t count, size_t size)
{
  void *const p = calloc (count, size);
  note (p, count * size);
  return p;
}

/* Memory that could not be extended is still there, but no longer followed. */
static void *
own_realloc (void *old, size_t size)
{
  if (old != NULL)
    forget (old);
  void *const p = realloc (old, size);
  note (p, size);
  return p;
}

static void
own_free (void *p)
{
  if (p != NULL)
    forget (p);
  free (p);
}

static void *
own_mmap (void *at, size_t size, int access, int flags, int fd, off_t offset)
{
  void *const p = mmap (at, size, access, flags, fd, offset);
  if (p != MAP_FAILED && (flags & MAP_ANONYMOUS) != 0)
    note (p, size);
  return p;
}

static int
own_munmap (void *p, size_t size)
{
  forget (p);
  return munmap (p, size);
}

/* ---- on the ticker's thread ---- */

static void
record_allocation (struct slot *s)
{
  static uint64_t last_id;
  struct mlpd_counter_value values[2 + FRAMES] = {
    { MLPD_NATIVE_INDEX, MLPD_COUNTER_TYPE_ULONG, .number = last_id + 1 },
    { MLPD_NATIVE_SIZE_INDEX, MLPD_COUNTER_TYPE_ULONG, .number = s->size },
  };
  size_t n = 2;
  for (size_t i = 0; i < s->count; i++) {
    const uint64_t method = sample_method (&s->frames[i]);
    if (method != 0)
      values[n++] = (struct mlpd_counter_value){ MLPD_NATIVE_METHOD_INDEX, MLPD_COUNTER_TYPE_ULONG,
                                                 .number = method };
  }
  struct mlpd_sample_counters event = { .values = { values, n } };
  s->id = ++last_id;
  RECORD (sample_counters, event, 0, 0, 0);
}

static void
record_free (const struct slot *s)
{
  const struct mlpd_counter_value value
      = { MLPD_NATIVE_FREE_INDEX, MLPD_COUNTER_TYPE_ULONG, .number = s->id };
  struct mlpd_sample_counters event = { .values = { &value, 1 } };
  RECORD (sample_counters, event, 0, 0, 0);
}

/* A slot is in the list of the new ones before it is in that of the freed ones. */
static void
record_all (void)
{
  uint32_t of_freed = atomic_exchange (&freed, 0), of_new = atomic_exchange (&newest, 0),
           in_turn = 0;
  while (of_new != 0) {
    struct slot *const s = &slots[of_new - 1];
    const uint32_t next = s->next_new;
    s->next_new = in_turn;
    in_turn = of_new;
    of_new = next;
  }
  for (; in_turn != 0; in_turn = slots[in_turn - 1].next_new)
    record_allocation (&slots[in_turn - 1]);
  while (of_freed != 0) {
    const uint32_t place = of_freed - 1;
    of_freed = slots[place].next_freed;
    record_free (&slots[place]);
    atomic_store_explicit (&slots[place].is_taken, false, memory_order_release);
  }
}

static struct import replaced[7];

void
native_memory_check (void)
{
  if (!profiler.options.native || slots == NULL)
    return;
  import_tables_update_late (replaced, sizeof replaced / sizeof *replaced);
  record_all ();
}

/* ---- the start and the end ---- */

/* The runtime has loaded a library before it compiles the code that calls it. */
static void
jit_done (MonoProfiler *p, MonoMethod *method, MonoJitInfo *info)
{
  (void) p;
  (void) method;
  (void) info;
  import_tables_update (replaced, sizeof replaced / sizeof *replaced);
}

/* Memory that is touched only where it is used. */
static void *
map (size_t size)
{
  void *const memory = mmap (NULL, size, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory != MAP_FAILED ? memory : NULL;
}

void
native_memory_start (void)
{
  if (!profiler.options.native)
    return;
  keys = map (KEYS * sizeof *keys);
  slots = keys != NULL ? map (SLOTS * sizeof *slots) : NULL;
  if (slots == NULL) {
    proflog_warn ("no native memory is recorded: %s", strerror (errno));
    return;
  }
  size_t n = 0;
  replaced[n++] = (struct import){ "malloc", (void *) malloc, (void *) own_malloc };
  replaced[n++] = (struct import){ "calloc", (void *) calloc, (void *) own_calloc };
  replaced[n++] = (struct import){ "realloc", (void *) realloc, (void *) own_realloc };
  replaced[n++] = (struct import){ "free", (void *) free, (void *) own_free };
  replaced[n++] = (struct import){ "mmap", (void *) mmap, (void *) own_mmap };
  replaced[n++] = (struct import){ "mmap64", (void *) mmap64, (void *) own_mmap };
  replaced[n++] = (struct import){ "munmap", (void *) munmap, (void *) own_munmap };
  import_tables_begin ();
  /* The runtime frees texts that a library returns. */
  import_tables_replace_in ((const void *) mono_free, &replaced[3]);
  mono_profiler_set_jit_done_callback (mono_profiler_create (&profiler), jit_done);
  atomic_store (&is_on, true);
}

void
native_memory_stop (void)
{
  atomic_store (&is_on, false);
}
