/* heap-sizes.h -- the size of a heap before and after collections. */
#ifndef PROFLOG_HEAP_SIZES_H
#define PROFLOG_HEAP_SIZES_H

#include <glib.h>
#include <stdint.h>

struct heap_sizes {
  uint64_t count;                     /* collections for which both sizes are known */
  uint64_t before_bytes, after_bytes; /* sums */
  uint64_t before_max, after_max;
};

static inline void
heap_sizes_add (struct heap_sizes *c, uint64_t before, uint64_t after)
{
  c->count++;
  c->before_bytes += before;
  c->after_bytes += after;
  c->before_max = MAX (c->before_max, before);
  c->after_max = MAX (c->after_max, after);
}

static inline void
heap_sizes_merge (struct heap_sizes *to, const struct heap_sizes *from)
{
  to->count += from->count;
  to->before_bytes += from->before_bytes;
  to->after_bytes += from->after_bytes;
  to->before_max = MAX (to->before_max, from->before_max);
  to->after_max = MAX (to->after_max, from->after_max);
}

#endif
