/* ghc-pauses.c -- counts pauses by duration, and computes percentiles and utilisation. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-pauses.h"

/* Below 2^EXACT_BITS each duration has a class of its own; above, each power of two has
 * 2^CLASS_BITS. */
enum {
  EXACT_BITS = 8,
  CLASS_BITS = 7,
  CLASSES = (1 << EXACT_BITS) + (64 - EXACT_BITS) * (1 << CLASS_BITS),
};

static unsigned
class_of (uint64_t ns)
{
  if (ns < 1 << EXACT_BITS)
    return (unsigned) ns;
  const unsigned power = 63 - (unsigned) __builtin_clzll (ns);
  const unsigned part = (unsigned) (ns >> (power - CLASS_BITS)) & ((1 << CLASS_BITS) - 1);
  return (1 << EXACT_BITS) + (power - EXACT_BITS) * (1 << CLASS_BITS) + part;
}

/* The longest duration of a class. */
static uint64_t
longest_of (unsigned class)
{
  if (class < 1 << EXACT_BITS)
    return class;
  const unsigned power = EXACT_BITS + (class - (1 << EXACT_BITS)) / (1 << CLASS_BITS);
  const uint64_t part = (class - (1 << EXACT_BITS)) % (1 << CLASS_BITS);
  return (UINT64_C (1) << power) + ((part + 1) << (power - CLASS_BITS)) - 1;
}

void
ghc_durations_clear (struct ghc_durations *d)
{
  g_free (d->classes);
  *d = (struct ghc_durations){ .count = 0 };
}

void
ghc_durations_add (struct ghc_durations *d, uint64_t ns)
{
  if (d->classes == NULL)
    d->classes = g_new0 (uint32_t, CLASSES);
  d->classes[class_of (ns)]++;
  d->count++;
  d->total_ns += ns;
  d->max_ns = MAX (d->max_ns, ns);
}

void
ghc_durations_merge (struct ghc_durations *to, const struct ghc_durations *from)
{
  if (from->count == 0)
    return;
  if (to->classes == NULL)
    to->classes = g_new0 (uint32_t, CLASSES);
  for (unsigned i = 0; i < CLASSES; i++)
    to->classes[i] += from->classes[i];
  to->count += from->count;
  to->total_ns += from->total_ns;
  to->max_ns = MAX (to->max_ns, from->max_ns);
}

uint64_t
ghc_durations_at (const struct ghc_durations *d, unsigned thousandths)
{
  const uint64_t rank = (d->count * thousandths + 999) / 1000;
  uint64_t there = 0;
  for (unsigned i = 0; i < CLASSES && d->count != 0; i++) {
    there += d->classes[i];
    if (there >= rank && there != 0)
      return MIN (longest_of (i), d->max_ns);
  }
  return 0;
}

/* ---- windows ---- */

const uint64_t ghc_utilisation_window_ns[GHC_UTILISATION_WINDOWS]
    = { 1000000, 10000000, 100000000, 1000000000 };

struct pause {
  uint64_t start, end;
};

void
ghc_utilisation_init (struct ghc_utilisation *u)
{
  *u = (struct ghc_utilisation){ .end = 0 };
  for (unsigned i = 0; i < GHC_UTILISATION_WINDOWS; i++)
    u->windows[i].pauses = g_array_new (FALSE, FALSE, sizeof (struct pause));
}

void
ghc_utilisation_clear (struct ghc_utilisation *u)
{
  for (unsigned i = 0; i < GHC_UTILISATION_WINDOWS; i++)
    g_array_unref (u->windows[i].pauses);
}

static const struct pause *
nth (const struct ghc_utilisation_window *s, guint i)
{
  return &g_array_index (s->pauses, struct pause, i);
}

/* What is paused of the window that begins with the i-th pause, where the pauses from there on are
 * `covered` ns: all of them begin in the window, and the last may go beyond it. */
static uint64_t
paused_from (const struct ghc_utilisation_window *s, guint i, uint64_t covered, uint64_t length)
{
  const uint64_t end = nth (s, i)->start + length;
  const uint64_t last = nth (s, s->pauses->len - 1)->end;
  return covered - (last > end ? last - end : 0);
}

/* No later pause is in a window that begins with the first. */
static void
drop_first (struct ghc_utilisation_window *s, uint64_t length)
{
  const struct pause *first = nth (s, s->first);
  s->most = MAX (s->most, paused_from (s, s->first, s->covered, length));
  s->covered -= first->end - first->start;
  s->first++;
}

/* The most is paused in a window that begins with a pause or ends with one: from there it cannot
 * be moved to cover more. */
static void
add_to (struct ghc_utilisation_window *s, uint64_t length, struct pause pause)
{
  while (s->first < s->pauses->len && pause.start >= nth (s, s->first)->start + length)
    drop_first (s, length);
  if (s->first > s->pauses->len / 2) {
    g_array_remove_range (s->pauses, 0, s->first);
    s->first = 0;
  }
  g_array_append_val (s->pauses, pause);
  s->covered += pause.end - pause.start;
  const uint64_t from = pause.end > length ? pause.end - length : 0;
  while (nth (s, s->first)->end <= from)
    drop_first (s, length);
  const uint64_t start = nth (s, s->first)->start;
  s->most = MAX (s->most, s->covered - (start < from ? from - start : 0));
}

void
ghc_utilisation_add (struct ghc_utilisation *u, uint64_t start, uint64_t end)
{
  const struct pause pause = { MAX (start, u->end), end };
  if (pause.end <= pause.start)
    return;
  for (unsigned i = 0; i < GHC_UTILISATION_WINDOWS; i++)
    add_to (&u->windows[i], ghc_utilisation_window_ns[i], pause);
  u->end = end;
}

uint64_t
ghc_utilisation_paused (const struct ghc_utilisation *u, unsigned window)
{
  const struct ghc_utilisation_window *s = &u->windows[window];
  uint64_t most = s->most, covered = s->covered;
  for (guint i = s->first; i < s->pauses->len; i++) {
    most = MAX (most, paused_from (s, i, covered, ghc_utilisation_window_ns[window]));
    covered -= nth (s, i)->end - nth (s, i)->start;
  }
  return most;
}
