/* ghc-memory.h -- the memory that the runtime of an eventlog holds, uses and needs.
 *
 * HEAP_SIZE states the megablocks that the runtime holds, BLOCKS_SIZE (from GHC 9.2 on) the blocks
 * of these that are in use, MEM_RETURN (likewise) the collector's estimate of its need and the
 * blocks that it returns to the system, HEAP_LIVE the live data after a major collection.  Memory
 * does not grow with the log.
 */
#ifndef PROFLOG_GHC_MEMORY_H
#define PROFLOG_GHC_MEMORY_H

#include <glib.h>
#include <proflog/ghc-reader.h>
#include <stdbool.h>

enum ghc_memory_size {
  GHC_MEMORY_HELD,
  GHC_MEMORY_BLOCKS,
  GHC_MEMORY_NEEDED,
  GHC_MEMORY_LIVE,
  GHC_MEMORY_SIZES,
};

/* Bytes of a megablock, where the log does not state them. */
#define GHC_MEGABLOCK (UINT64_C (1) << 20)

/* Quarters of the time from the first size to the last. */
#define GHC_MEMORY_QUARTERS 4

struct ghc_memory {
  GPtrArray *heaps; /* of struct ghc_memory_heap *: a heap of each process */
  bool has_time;
  uint64_t first, last; /* times of sizes */
  uint64_t returns;     /* collections that returned memory */
};

void ghc_memory_init (struct ghc_memory *memory);
void ghc_memory_clear (struct ghc_memory *memory);

/* Does an event of this kind state something of it? */
bool ghc_memory_handles (enum ghc_kind kind);

/* An event of any kind; they may come in any order of time.  `counts`: it belongs to the selected
 * part of the log. */
void ghc_memory_event (struct ghc_memory *memory, enum ghc_kind kind, uint64_t time,
                       const union ghc_payload *payload, bool counts);

/* After the last event. */
void ghc_memory_finish (struct ghc_memory *memory);

/* Bytes that were returned to the system. */
uint64_t ghc_memory_returned (const struct ghc_memory *memory);

/* The time at which a quarter begins; that of quarter 4 is the end. */
uint64_t ghc_memory_quarter (const struct ghc_memory *memory, guint quarter);

struct ghc_memory_range {
  uint64_t least, most; /* bytes, of all heaps */
};

/* Of a size within the times; its value at the first of them counts.  False: it is not known. */
bool ghc_memory_in (const struct ghc_memory *memory, enum ghc_memory_size size, uint64_t from,
                    uint64_t to, struct ghc_memory_range *range);

#endif
