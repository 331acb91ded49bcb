/* left-out.c -- counts calls that are not timed, in a table that only grows; and methods. */
#include "config.h"

#include "profiler/record/calls-left-out.h"
#include <stdatomic.h>
#include <string.h>

/* All is relaxed: no other data depends on it, and the sums are read one by one. */

/* The number of a method in a table of 2^bits, where it may be new.  SIZE_MAX if all are in use. */
static size_t
place_of (_Atomic uint64_t *methods, unsigned bits, uint64_t method, bool *is_new)
{
  const size_t size = (size_t) 1 << bits,
               first = (size_t) (method * UINT64_C (0x9e3779b97f4a7c15) >> (64 - bits));
  for (size_t i = 0; i < size; i++) {
    const size_t at = (first + i) % size;
    uint64_t there = atomic_load_explicit (&methods[at], memory_order_relaxed);
    *is_new = there == 0
              && atomic_compare_exchange_strong_explicit (
                  &methods[at], &there, method, memory_order_relaxed, memory_order_relaxed);
    if (*is_new || there == method)
      return at;
  }
  return SIZE_MAX;
}

/* ---- calls that are not timed ---- */

static struct {
  _Atomic uint64_t methods[LEFT_OUT_METHODS]; /* 0: none yet */
  struct {
    _Atomic uint64_t calls, periods;
  } sums[LEFT_OUT_METHODS];
  _Atomic uint64_t count;
} untimed;

bool
left_out_add_untimed (uint64_t method, uint64_t calls, bool is_new)
{
  bool is_first;
  const size_t at = place_of (untimed.methods, LEFT_OUT_METHODS_BITS, method, &is_first);
  if (at == SIZE_MAX)
    return false;
  if (is_first)
    atomic_fetch_add_explicit (&untimed.count, 1, memory_order_relaxed);
  atomic_fetch_add_explicit (&untimed.sums[at].calls, calls, memory_order_relaxed);
  if (is_new)
    atomic_fetch_add_explicit (&untimed.sums[at].periods, 1, memory_order_relaxed);
  return true;
}

uint64_t
left_out_untimed_methods (void)
{
  return atomic_load_explicit (&untimed.count, memory_order_relaxed);
}

size_t
left_out_list_untimed (struct untimed_calls list[LEFT_OUT_METHODS])
{
  size_t n = 0;
  for (size_t i = 0; i < LEFT_OUT_METHODS; i++) {
    const uint64_t method = atomic_load_explicit (&untimed.methods[i], memory_order_relaxed);
    if (method != 0)
      list[n++] = (struct untimed_calls){
        .method = method,
        .calls = atomic_load_explicit (&untimed.sums[i].calls, memory_order_relaxed),
        .periods = atomic_load_explicit (&untimed.sums[i].periods, memory_order_relaxed),
      };
  }
  return n;
}

/* ---- methods without calls ---- */

enum { UNREPORTED_BITS = 16 };

static struct {
  _Atomic uint64_t methods[(size_t) 1 << UNREPORTED_BITS];
  _Atomic uint64_t count;
} unreported;

void
left_out_add_method (uint64_t method)
{
  bool is_new = false;
  place_of (unreported.methods, UNREPORTED_BITS, method, &is_new);
  if (is_new)
    atomic_fetch_add_explicit (&unreported.count, 1, memory_order_relaxed);
}

uint64_t
left_out_methods (void)
{
  return atomic_load_explicit (&unreported.count, memory_order_relaxed);
}

void
left_out_start_over (void)
{
  memset (&untimed, 0, sizeof untimed);
}
