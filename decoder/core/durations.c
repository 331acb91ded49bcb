/* durations.c -- counts durations in classes for percentiles, and in steps for histograms. */
#include "config.h"

#include "decoder/core/durations.h"

/* Below 2^EXACT_BITS each duration has a class of its own; above, each power of two has
 * 2^CLASS_BITS. */
enum {
  EXACT_BITS = 8,
  CLASS_BITS = 7,
  CLASSES = (1 << EXACT_BITS) + (64 - EXACT_BITS) * (1 << CLASS_BITS),
};

struct duration_counts {
  uint64_t classes[CLASSES];
  struct {
    uint64_t count, total_ns;
  } steps[DURATION_STEPS];
};

static unsigned
duration_class (uint64_t ns)
{
  if (ns < 1 << EXACT_BITS)
    return (unsigned) ns;
  const unsigned power = 63 - (unsigned) __builtin_clzll (ns);
  const unsigned part = (unsigned) (ns >> (power - CLASS_BITS)) & ((1 << CLASS_BITS) - 1);
  return (1 << EXACT_BITS) + (power - EXACT_BITS) * (1 << CLASS_BITS) + part;
}

/* The longest duration of a class. */
static uint64_t
longest_in_class (unsigned class)
{
  if (class < 1 << EXACT_BITS)
    return class;
  const unsigned power = EXACT_BITS + (class - (1 << EXACT_BITS)) / (1 << CLASS_BITS);
  const uint64_t part = (class - (1 << EXACT_BITS)) % (1 << CLASS_BITS);
  return (UINT64_C (1) << power) + ((part + 1) << (power - CLASS_BITS)) - 1;
}

/* Where a step begins: 0, then 1, 2 and 5 us, 10, 20 and 50 us ... */
static uint64_t
step_start (unsigned step)
{
  static const uint64_t parts[] = { 1, 2, 5 };
  uint64_t power = 1000;
  if (step == 0)
    return 0;
  for (unsigned i = 0; i < (step - 1) / 3; i++)
    power *= 10;
  return power * parts[(step - 1) % 3];
}

static unsigned
step_of (uint64_t ns)
{
  unsigned step = 0;
  while (step + 1 < DURATION_STEPS && ns >= step_start (step + 1))
    step++;
  return step;
}

void
durations_clear (struct durations *d)
{
  g_free (d->counts);
  *d = (struct durations){ .count = 0 };
}

void
durations_add (struct durations *d, uint64_t ns)
{
  const unsigned step = step_of (ns);
  if (d->counts == NULL)
    d->counts = g_new0 (struct duration_counts, 1);
  d->counts->classes[duration_class (ns)]++;
  d->counts->steps[step].count++;
  d->counts->steps[step].total_ns += ns;
  d->count++;
  d->total_ns += ns;
  d->max_ns = MAX (d->max_ns, ns);
}

void
durations_merge (struct durations *to, const struct durations *from)
{
  if (from->count == 0)
    return;
  if (to->counts == NULL)
    to->counts = g_new0 (struct duration_counts, 1);
  for (unsigned i = 0; i < CLASSES; i++)
    to->counts->classes[i] += from->counts->classes[i];
  for (unsigned i = 0; i < DURATION_STEPS; i++) {
    to->counts->steps[i].count += from->counts->steps[i].count;
    to->counts->steps[i].total_ns += from->counts->steps[i].total_ns;
  }
  to->count += from->count;
  to->total_ns += from->total_ns;
  to->max_ns = MAX (to->max_ns, from->max_ns);
}

uint64_t
durations_at (const struct durations *d, unsigned thousandths)
{
  const uint64_t rank = MAX ((d->count * thousandths + 999) / 1000, 1);
  uint64_t there = 0;
  unsigned i = 0;
  if (d->count == 0)
    return 0;
  while (i < CLASSES - 1 && (there += d->counts->classes[i]) < rank)
    i++;
  return MIN (longest_in_class (i), d->max_ns);
}

uint64_t
durations_mean (const struct durations *d)
{
  return d->count != 0 ? d->total_ns / d->count : 0;
}

struct duration_step
durations_step (const struct durations *d, unsigned step)
{
  return (struct duration_step){
    .from_ns = step_start (step),
    .to_ns = step + 1 < DURATION_STEPS ? step_start (step + 1) : d->max_ns + 1,
    .count = d->count != 0 ? d->counts->steps[step].count : 0,
    .total_ns = d->count != 0 ? d->counts->steps[step].total_ns : 0,
  };
}

bool
durations_steps (const struct durations *d, unsigned *first, unsigned *end)
{
  *first = 0;
  *end = DURATION_STEPS;
  if (d->count == 0)
    return false;
  while (d->counts->steps[*first].count == 0)
    ++*first;
  while (d->counts->steps[*end - 1].count == 0)
    --*end;
  return true;
}
