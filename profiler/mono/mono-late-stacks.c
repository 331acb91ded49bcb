/* mono-late-stacks.c -- which stacks a handler of our own may walk.
 *
 * A thread holds no lock of the runtime or of malloc where it is in managed code.  Where it waits
 * in a call of the system it may hold some, but a walk that takes none does not need that.
 *
 * The runtime has a table of the methods that were compiled or looked up, which a walk reads
 * without a lock.  A method of an image that was compiled ahead of time enters that table at its
 * first lookup, which loads its class and takes locks.  In a handler, such a lookup may wait for a
 * lock of the thread itself, or stop for a collection on the stack of signals, which ends the
 * program.  So the handler scans the stack for addresses in such images.  It walks only where the
 * ticker has looked each of them up before; the others are the ticker's next ones.
 */
#include "config.h"

#include "profiler/mono/mono-private.h"
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum {
  RANGES = 512,
  SCANNED_BYTES = 1 << 20, /* of a stack; a deeper one is not walked */
  PAGES_AT_FIRST = 1 << 12,
};

/* By address. */
struct ranges {
  size_t count;
  bool is_full;
  struct range {
    uint64_t start, end;
    bool is_managed; /* surely */
  } items[RANGES];
};

/* ---- where managed code is ---- */

static _Atomic unsigned current; /* the one of `maps` that handlers read */
static struct code_map {
  struct ranges compiled; /* memory that the runtime's compiler writes */
  struct ranges ahead;    /* files that may be images that were compiled ahead of time */
  uint64_t main_stack_end;
  unsigned images;
} maps[2];

/* Counts images that were loaded.  A map from before is not to be used: it lacks their code. */
static _Atomic unsigned images;

void
late_stacks_note_image (void)
{
  atomic_fetch_add (&images, 1);
}

static bool
ends_with (const char *text, const char *end)
{
  const size_t length = strlen (text), n = strlen (end);
  return length >= n && strcmp (text + length - n, end) == 0;
}

static void
add_range (struct ranges *r, uint64_t start, uint64_t end, bool is_managed)
{
  if (r->count == RANGES)
    r->is_full = true;
  else
    r->items[r->count++] = (struct range){ start, end, is_managed };
}

/* A line of /proc/self/maps.  The runtime adds .so to an image's file name. */
static void
add_mapping (struct code_map *m, const char *line)
{
  unsigned long long start, end;
  char rights[8];
  int path_at = 0;
  if (sscanf (line, "%llx-%llx %7s %*s %*s %*s %n", &start, &end, rights, &path_at) != 3
      || path_at == 0)
    return;
  const char *const path = line + path_at;
  if (strcmp (path, "[stack]") == 0)
    m->main_stack_end = end;
  else if (rights[2] == 'x' && *path == 0)
    add_range (&m->compiled, start, end, true);
  else if (rights[2] == 'x' && ends_with (path, ".so"))
    add_range (&m->ahead, start, end, ends_with (path, ".dll.so") || ends_with (path, ".exe.so"));
}

void
late_stacks_find_code (void)
{
  const unsigned next = 1 - atomic_load (&current);
  struct code_map *const m = &maps[next];
  char line[4096];
  const unsigned loaded = atomic_load (&images);
  FILE *file = fopen ("/proc/self/maps", "re");
  if (file == NULL)
    return;
  m->compiled.count = m->ahead.count = 0;
  m->compiled.is_full = m->ahead.is_full = false;
  m->main_stack_end = 0;
  while (fgets (line, sizeof line, file) != NULL) {
    line[strcspn (line, "\n")] = 0;
    add_mapping (m, line);
  }
  fclose (file);
  m->images = loaded;
  atomic_store (&current, next);
}

void
late_stacks_visit_code (void (*use) (uint64_t start, uint64_t end))
{
  const struct ranges *const r = &maps[atomic_load (&current)].compiled;
  for (size_t i = 0; i < r->count; i++)
    use (r->items[i].start, r->items[i].end);
}

/* The runtime maps the code of an image after its callback: the map waits for a check without a new
 * image. */
void
late_stacks_check (bool is_due)
{
  static unsigned seen;
  const unsigned loaded = atomic_load (&images);
  const bool is_stale = maps[atomic_load (&current)].images != loaded;
  if (seen != loaded)
    seen = loaded;
  else if (is_due || is_stale)
    late_stacks_find_code ();
}

/* ---- code that was looked up ---- */

enum {
  GRANULE_SHIFT = 4, /* bits to which the runtime's compiler aligns methods */
  PAGE_SHIFT = 12,
  WORDS = 1 << (PAGE_SHIFT - GRANULE_SHIFT - 6), /* of 64 granules each, in a page */
};

/* The ticker's thread adds, handlers read.  A table that is full gets a successor of twice the size
 * and stays: a handler may be reading it. */
static struct known {
  size_t size, count;
  struct known_page {
    _Atomic uint64_t number; /* 0: free */
    _Atomic uint64_t granules[WORDS];
  } pages[];
} * _Atomic known;

static struct known_page *
page_of (struct known *k, uint64_t number)
{
  size_t i = (size_t) ((number * UINT64_C (0x9E3779B97F4A7C15)) >> 20);
  for (;; i++) {
    struct known_page *const page = &k->pages[i & (k->size - 1)];
    const uint64_t found = atomic_load_explicit (&page->number, memory_order_acquire);
    if (found == 0 || found == number)
      return page;
  }
}

static unsigned
granule_of (uint64_t address)
{
  return (unsigned) (address >> GRANULE_SHIFT) & (WORDS * 64 - 1);
}

static bool
is_known (uint64_t address)
{
  struct known *const k = atomic_load_explicit (&known, memory_order_acquire);
  if (k == NULL)
    return false;
  const struct known_page *const page = page_of (k, address >> PAGE_SHIFT);
  const unsigned granule = granule_of (address);
  return (atomic_load_explicit (&page->granules[granule / 64], memory_order_acquire) >> granule % 64
          & 1)
         != 0;
}

/* A walk subtracts 1 from a return address, which may be the end of its method. */
static bool
is_known_place (uint64_t address)
{
  return is_known (address) && is_known (address - 1);
}

/* NULL if there is no memory. */
static struct known *
room_for_one (void)
{
  struct known *const old = atomic_load_explicit (&known, memory_order_relaxed);
  if (old != NULL && (old->count + 1) * 2 <= old->size)
    return old;
  const size_t size = old != NULL ? old->size * 2 : PAGES_AT_FIRST;
  struct known *const k = mmap (NULL, sizeof *k + size * sizeof k->pages[0], PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (k == MAP_FAILED)
    return NULL;
  k->size = size;
  for (size_t i = 0; old != NULL && i < old->size; i++)
    if (old->pages[i].number != 0) {
      *page_of (k, old->pages[i].number) = old->pages[i];
      k->count++;
    }
  atomic_store_explicit (&known, k, memory_order_release);
  return k;
}

static void
add_known (uint64_t address)
{
  struct known *const k = room_for_one ();
  if (k == NULL)
    return;
  struct known_page *const page = page_of (k, address >> PAGE_SHIFT);
  const unsigned granule = granule_of (address);
  if (atomic_load_explicit (&page->number, memory_order_relaxed) == 0) {
    k->count++;
    atomic_store_explicit (&page->number, address >> PAGE_SHIFT, memory_order_release);
  }
  atomic_fetch_or_explicit (&page->granules[granule / 64], UINT64_C (1) << granule % 64,
                            memory_order_release);
}

/* Looks up an address, and knows its granule from then on: the last byte shows whether another
 * method begins in it. */
static MonoJitInfo *
look_up_granule (uint64_t address)
{
  MonoDomain *const domain = mono_get_root_domain ();
  const uint64_t last = address | ((1 << GRANULE_SHIFT) - 1);
  MonoJitInfo *const info = mono_jit_info_table_find (domain, (char *) (uintptr_t) address);
  mono_jit_info_table_find (domain, (char *) (uintptr_t) last);
  add_known (address);
  return info;
}

/* All of the method is known then: the runtime's table has it as a whole. */
static void
look_up_method (uint64_t address_in_it)
{
  MonoJitInfo *const info = look_up_granule (address_in_it);
  if (info == NULL)
    return;
  const uint64_t start = address (mono_jit_info_get_code_start (info));
  const uint64_t end = start + (uint64_t) mono_jit_info_get_code_size (info);
  if (end == start)
    return;
  look_up_granule (start);
  look_up_granule (end - 1);
  for (uint64_t at = start + (1 << GRANULE_SHIFT); at < end - 1; at += 1 << GRANULE_SHIFT)
    add_known (at);
}

void
late_stacks_look_up (void *code)
{
  const uint64_t ip = address (code);
  if (!is_known (ip))
    look_up_method (ip);
  if (!is_known (ip - 1))
    look_up_method (ip - 1);
}

/* ---- in the handler ---- */

#if defined(__x86_64__)
/* NULL: in none. */
static const struct range *
range_of (const struct ranges *r, uint64_t ip)
{
  size_t low = 0, high = r->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (r->items[middle].end <= ip)
      low = middle + 1;
    else
      high = middle;
  }
  return low < r->count && ip >= r->items[low].start ? &r->items[low] : NULL;
}

static bool
is_managed (const struct code_map *m, uint64_t ip)
{
  const struct range *ahead = range_of (&m->ahead, ip);
  return ahead != NULL ? ahead->is_managed : range_of (&m->compiled, ip) != NULL;
}

/* Descriptors of threads are at the end of their stacks, but for the first thread's.  0: unknown.
 */
static uint64_t
end_of_stack (const struct code_map *m, uint64_t sp, bool is_first_thread)
{
  const uint64_t end = is_first_thread ? m->main_stack_end : (uint64_t) (uintptr_t) pthread_self ();
  return end > sp && end - sp <= SCANNED_BYTES ? end : 0;
}

/* The instruction after which the kernel interrupted the thread, or that it runs again. */
static bool
is_at_call_of_system (uint64_t ip)
{
  static const uint8_t call[] = { 0x0f, 0x05 };
  const uint8_t *const code = (const uint8_t *) (uintptr_t) ip;
  return memcmp (code - sizeof call, call, sizeof call) == 0
         || memcmp (code, call, sizeof call) == 0;
}

enum late_stack
late_stacks_scan (const void *context, bool is_first_thread, bool waits, void **unknown,
                  size_t most, size_t *count)
{
  const struct code_map *const m = &maps[atomic_load (&current)];
  const ucontext_t *const c = context;
  const uint64_t ip = (uint64_t) c->uc_mcontext.gregs[REG_RIP];
  const uint64_t sp = (uint64_t) c->uc_mcontext.gregs[REG_RSP] & ~UINT64_C (7);
  *count = 0;
  if (!is_managed (m, ip) && !(waits && is_at_call_of_system (ip)))
    return LATE_STACK_REFUSED;
  if (m->images != atomic_load (&images) || m->ahead.is_full)
    return LATE_STACK_UNKNOWN;
  if (m->ahead.count == 0)
    return LATE_STACK_KNOWN;
  const uint64_t end = end_of_stack (m, sp, is_first_thread);
  if (end == 0)
    return LATE_STACK_UNKNOWN;
  const uint64_t first = m->ahead.items[0].start;
  const uint64_t extent = m->ahead.items[m->ahead.count - 1].end - first;
  const uint64_t *const words = (const uint64_t *) (uintptr_t) sp;
  const size_t n = (size_t) (end - sp) / sizeof *words;
  uint64_t word = ip;
  for (size_t i = 0;; word = words[i++]) {
    if (word - first < extent && range_of (&m->ahead, word) != NULL && !is_known_place (word)) {
      unknown[(*count)++] = (void *) (uintptr_t) word;
      if (*count == most)
        break;
    }
    if (i == n)
      break;
  }
  return *count == 0 ? LATE_STACK_KNOWN : LATE_STACK_UNKNOWN;
}
#else
enum late_stack
late_stacks_scan (const void *context, bool is_first_thread, bool waits, void **unknown,
                  size_t most, size_t *count)
{
  (void) context;
  (void) is_first_thread;
  (void) waits;
  (void) unknown;
  (void) most;
  *count = 0;
  return LATE_STACK_REFUSED;
}
#endif
