/* object-ring.c -- records in a ring of words. */
#include "config.h"

#include "profiler/record/object-ring.h"
#include <stdatomic.h>
#include <sys/mman.h>

enum {
  WORDS = 512 * 1024, /* a power of 2; some ten ms of a walk */
  HEAD_WORDS = 4,
};

/* `put` and `got` count words since the start.  Each is stored by one side, with release after it
 * has written or read the words, and loaded by the other with acquire.  They share no cache line.
 */
struct object_ring {
  _Alignas(64) _Atomic uint64_t put;
  _Atomic bool is_ended;
  uint64_t got_seen; /* the producer's: an older value of `got` */
  _Alignas(64) _Atomic uint64_t got;
  _Alignas(64) uint64_t words[WORDS];
};

struct object_ring *
object_ring_create (void)
{
  void *p = mmap (NULL, sizeof (struct object_ring), PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

void
object_ring_destroy (struct object_ring *ring)
{
  munmap (ring, sizeof *ring);
}

void
object_ring_keep_from_children (struct object_ring *ring)
{
  madvise (ring, sizeof *ring, MADV_DONTFORK);
}

static void
put_word (struct object_ring *ring, uint64_t *at, uint64_t word)
{
  ring->words[(*at)++ % WORDS] = word;
}

bool
object_ring_put (struct object_ring *ring, const struct object_record *r)
{
  uint64_t at = atomic_load_explicit (&ring->put, memory_order_relaxed);
  const uint64_t end = at + HEAD_WORDS + 2 * (uint64_t) r->count;
  if (end - ring->got_seen > WORDS) {
    ring->got_seen = atomic_load_explicit (&ring->got, memory_order_acquire);
    if (end - ring->got_seen > WORDS)
      return false;
  }
  put_word (ring, &at, r->object);
  put_word (ring, &at, r->type);
  put_word (ring, &at, r->size);
  put_word (ring, &at, (uint64_t) r->generation << 32 | r->count);
  for (uint32_t i = 0; i < r->count; i++) {
    put_word (ring, &at, r->references[i]);
    put_word (ring, &at, r->offsets[i]);
  }
  atomic_store_explicit (&ring->put, at, memory_order_release);
  return true;
}

void
object_ring_end (struct object_ring *ring)
{
  atomic_store_explicit (&ring->is_ended, true, memory_order_release);
}

static uint64_t
get_word (const struct object_ring *ring, uint64_t *at)
{
  return ring->words[(*at)++ % WORDS];
}

bool
object_ring_has_more (const struct object_ring *ring)
{
  return atomic_load_explicit (&ring->put, memory_order_acquire)
         != atomic_load_explicit (&ring->got, memory_order_relaxed);
}

/* The other side may be a process that went wrong: its counts are checked. */
bool
object_ring_get (struct object_ring *ring, struct object_record *r)
{
  uint64_t at = atomic_load_explicit (&ring->got, memory_order_relaxed);
  if (!object_ring_has_more (ring))
    return false;
  r->object = get_word (ring, &at);
  r->type = get_word (ring, &at);
  r->size = get_word (ring, &at);
  const uint64_t both = get_word (ring, &at);
  r->generation = (uint32_t) (both >> 32);
  r->count
      = (uint32_t) both <= OBJECT_RECORD_REFERENCES ? (uint32_t) both : OBJECT_RECORD_REFERENCES;
  for (uint32_t i = 0; i < r->count; i++) {
    r->references[i] = get_word (ring, &at);
    r->offsets[i] = get_word (ring, &at);
  }
  atomic_store_explicit (&ring->got, at, memory_order_release);
  return true;
}

bool
object_ring_is_over (const struct object_ring *ring)
{
  return atomic_load_explicit (&ring->is_ended, memory_order_acquire)
         && !object_ring_has_more (ring);
}
