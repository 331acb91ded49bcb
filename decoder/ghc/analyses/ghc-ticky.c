/* ghc-ticky.c -- adds up the samples of each ticky counter: the runtime sets counters to 0 after
 * each. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-ticky.h"
#include "decoder/core/whole-number.h"

static void
free_counter (gpointer data)
{
  struct ghc_ticky_counter *counter = data;
  g_free (counter->arg_kinds);
  g_free (counter->name);
  g_free (counter);
}

void
ghc_ticky_init (struct ghc_ticky *ticky)
{
  *ticky = (struct ghc_ticky){ .counters = g_ptr_array_new_with_free_func (free_counter),
                               .places = g_hash_table_new (g_int64_hash, g_int64_equal) };
}

void
ghc_ticky_clear (struct ghc_ticky *ticky)
{
  g_hash_table_destroy (ticky->places);
  g_ptr_array_unref (ticky->counters);
}

static struct ghc_ticky_counter *
counter_of (struct ghc_ticky *ticky, uint64_t number)
{
  struct ghc_ticky_counter *counter = g_hash_table_lookup (ticky->places, &number);
  if (counter != NULL)
    return counter;
  counter = g_new0 (struct ghc_ticky_counter, 1);
  counter->counter = number;
  g_ptr_array_add (ticky->counters, counter);
  g_hash_table_insert (ticky->places, &counter->counter, counter);
  return counter;
}

static void
define (struct ghc_ticky *ticky, const struct ghc_ticky_counter_def *event)
{
  struct ghc_ticky_counter *counter = counter_of (ticky, event->counter);
  g_free (counter->arg_kinds);
  g_free (counter->name);
  counter->is_defined = true;
  counter->arity = event->arity;
  counter->arg_kinds = g_strndup (event->arg_kinds.text, event->arg_kinds.length);
  counter->name = g_strndup (event->name.text, event->name.length);
}

void
ghc_ticky_event (struct ghc_ticky *ticky, enum ghc_kind kind, const union ghc_payload *payload,
                 bool counts)
{
  if (kind == GHC_TICKY_COUNTER_DEF) {
    define (ticky, &payload->ticky_counter_def);
  } else if (kind == GHC_TICKY_COUNTER_SAMPLE && counts) {
    const struct ghc_ticky_counter_sample *sample = &payload->ticky_counter_sample;
    struct ghc_ticky_counter *counter = counter_of (ticky, sample->counter);
    counter->entries += sample->entries;
    counter->allocations += sample->allocations;
    counter->allocated = saturated_sum (counter->allocated, sample->allocated);
  } else if (kind == GHC_TICKY_COUNTER_BEGIN_SAMPLE && counts) {
    ticky->samples++;
  }
}
