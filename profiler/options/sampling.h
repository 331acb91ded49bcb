/* sampling.h -- selects the allocations that are recorded when not all are.
 *
 * A thread mostly allocates at rising addresses.  Points lie at random on the addresses that it
 * goes through, one in `interval` bytes on average, as those of a Poisson process: the distances
 * are independent and exponentially distributed.  An object is recorded if there is a point on it,
 * so one of size s is with the probability 1 - exp (-s / interval), whatever was allocated before,
 * and stands for the inverse of that number of its size.  Skipped addresses may hold points that
 * are on no object; where the thread goes back, it gets others.  That changes nothing for the other
 * objects, as how far it is to the next point does not depend on the past.
 *
 * So the address alone shows of most objects that they have no point, and their sizes need not be
 * known: finding these out would cost the most by far, in memory that is not in the caches.
 */
#ifndef PROFILER_SAMPLING_H
#define PROFILER_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

/* SGen has larger objects than this in sections of their own, apart from its nursery (the limit is
 * 8,000 bytes). */
#define SAMPLING_SMALL 8192

/* A section begins at a multiple of 1 MiB and a nursery at one of its size, so in a range that
 * begins at a multiple of this all objects are small, or none is. */
#define SAMPLING_CHUNK 65536

/* A thread's; all 0 at first. */
struct sampling {
  uint64_t last;   /* the address of the last object */
  uint64_t end;    /* up to here there is no point on a small object */
  uint64_t point;  /* the next */
  uint64_t random; /* the state of a generator; 0: not begun */
};

/* An object is allocated at this address, by a collector that has small ones in sections of their
 * own. Whether the address alone shows that the object is not to be recorded. */
static inline bool
sampling_skips (struct sampling *s, uint64_t at)
{
  if (__builtin_expect (at <= s->last || at >= s->end, 0))
    return false;
  s->last = at;
  return true;
}

/* An object of this size is allocated there, which sampling_skips did not exclude.  Whether it is
 * to be recorded. */
bool sampling_selects (struct sampling *s, uint64_t at, uint64_t size, uint64_t interval);

/* Where there are no addresses that rise: the bytes up to the next point. */
uint64_t sampling_distance (struct sampling *s, uint64_t interval);

#endif
