/* test-ghc-ticky.c -- sums of ticky counters. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-ticky.h"
#include "tests/unit/ghc-events.h"
#include "tests/unit/test.h"

#include <string.h>

static void
define (struct ghc_ticky *t, uint64_t number, const char *name, const char *kinds)
{
  const union ghc_payload p = { .ticky_counter_def = { .counter = number,
                                                       .arity = (uint16_t) strlen (kinds),
                                                       .arg_kinds = { kinds, strlen (kinds) },
                                                       .name = { name, strlen (name) } } };
  ghc_ticky_event (t, GHC_TICKY_COUNTER_DEF, &p, false);
}

static void
sample (struct ghc_ticky *t, uint64_t number, uint64_t entries, uint64_t allocations,
        uint64_t allocated, bool counts)
{
  const union ghc_payload p = {
    .ticky_counter_sample
    = { .counter = number, .entries = entries, .allocations = allocations, .allocated = allocated }
  };
  ghc_ticky_event (t, GHC_TICKY_COUNTER_SAMPLE, &p, counts);
}

/* Each sample has the counts since the one before; names count always, samples if selected. */
TEST (test_sums)
{
  struct ghc_ticky t;
  const union ghc_payload begin = { .ticky_counter_begin_sample = { .present = 0 } };
  ghc_ticky_init (&t);
  define (&t, 10, "f", "LL");
  ghc_ticky_event (&t, GHC_TICKY_COUNTER_BEGIN_SAMPLE, &begin, true);
  sample (&t, 10, 5, 48, 2, true);
  sample (&t, 11, 1, 0, 0, true); /* defined later */
  ghc_ticky_event (&t, GHC_TICKY_COUNTER_BEGIN_SAMPLE, &begin, true);
  sample (&t, 10, 7, 16, 1, true);
  ghc_ticky_event (&t, GHC_TICKY_COUNTER_BEGIN_SAMPLE, &begin, false);
  sample (&t, 10, 1000, 1000, 1000, false);
  define (&t, 11, "g", "");
  sample (&t, 12, 3, 2, 1, true);
  assert_int_equal (t.samples, 2);
  assert_int_equal (t.counters->len, 3);
  const struct ghc_ticky_counter *const f = g_ptr_array_index (t.counters, 0);
  const struct ghc_ticky_counter *const g = g_ptr_array_index (t.counters, 1);
  const struct ghc_ticky_counter *const none = g_ptr_array_index (t.counters, 2);
  assert_string_equal (f->name, "f");
  assert_string_equal (f->arg_kinds, "LL");
  assert_int_equal (f->arity, 2);
  assert_int_equal (f->entries, 12);
  assert_int_equal (f->allocations, 64);
  assert_int_equal (f->allocated, 3);
  assert_string_equal (g->name, "g");
  assert_int_equal (g->entries, 1);
  assert_false (none->is_defined);
  assert_int_equal (none->counter, 12);
  ghc_ticky_clear (&t);
}
