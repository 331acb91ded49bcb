/* utilisation.c -- finds the windows of time with the longest pauses. */
#include "config.h"

#include "decoder/core/utilisation.h"
#include "decoder/core/wide.h"

const uint64_t utilisation_window_ns[UTILISATION_WINDOWS] = {
  100000,   200000,    500000,    1000000,   2000000,    5000000,    10000000,   20000000,
  50000000, 100000000, 200000000, 500000000, 1000000000, 2000000000, 5000000000, 10000000000
};

struct pause {
  uint64_t start, end;
};

void
utilisation_init (struct utilisation *u)
{
  *u = (struct utilisation){ .end = 0 };
  for (unsigned i = 0; i < UTILISATION_WINDOWS; i++)
    u->windows[i].pauses = g_array_new (FALSE, FALSE, sizeof (struct pause));
}

void
utilisation_clear (struct utilisation *u)
{
  for (unsigned i = 0; i < UTILISATION_WINDOWS; i++)
    g_array_unref (u->windows[i].pauses);
}

static const struct pause *
nth (const struct utilisation_window *s, guint i)
{
  return &g_array_index (s->pauses, struct pause, i);
}

/* The paused time of the window that begins with the i-th pause, where the pauses from there on are
 * `covered` ns: all of them begin in the window, and the last may go beyond it. */
static uint64_t
paused_from (const struct utilisation_window *s, guint i, uint64_t covered, uint64_t length)
{
  const uint64_t end = nth (s, i)->start + length;
  const uint64_t last = nth (s, s->pauses->len - 1)->end;
  return covered - (last > end ? last - end : 0);
}

/* No later pause is in a window that begins with the first. */
static void
drop_first (struct utilisation_window *s, uint64_t length)
{
  const struct pause *first = nth (s, s->first);
  s->most = MAX (s->most, paused_from (s, s->first, s->covered, length));
  s->covered -= first->end - first->start;
  s->first++;
}

/* The most is paused in a window that begins with a pause or ends with one: from there it cannot
 * be moved to cover more. */
static void
add_to (struct utilisation_window *s, uint64_t length, struct pause pause)
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
utilisation_add (struct utilisation *u, uint64_t start, uint64_t end)
{
  const struct pause pause = { MAX (start, u->end), end };
  if (pause.end <= pause.start)
    return;
  for (unsigned i = 0; i < UTILISATION_WINDOWS; i++)
    add_to (&u->windows[i], utilisation_window_ns[i], pause);
  u->end = end;
}

uint64_t
utilisation_paused (const struct utilisation *u, unsigned window)
{
  const struct utilisation_window *s = &u->windows[window];
  uint64_t most = s->most, covered = s->covered;
  for (guint i = s->first; i < s->pauses->len; i++) {
    most = MAX (most, paused_from (s, i, covered, utilisation_window_ns[window]));
    covered -= nth (s, i)->end - nth (s, i)->start;
  }
  return most;
}

uint64_t
utilisation_left (uint64_t paused_ns, uint64_t of_ns)
{
  const uint64_t left = of_ns - MIN (paused_ns, of_ns);
  return of_ns != 0 ? wide_scale (left, 1000, 0, of_ns) : 0;
}
