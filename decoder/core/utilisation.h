/* utilisation.h -- minimum mutator utilisation: the part of windows of time without pauses.
 *
 * It is the least share of any window of a length in which the program was not paused.  Pauses come
 * one by one; of a window only the pauses within its length are retained.
 */
#ifndef PROFLOG_UTILISATION_H
#define PROFLOG_UTILISATION_H

#include <glib.h>
#include <stdint.h>

/* Windows of these lengths: three for each power of ten, for a curve.  Tables have those of
 * whole powers from 1 ms to 1 s, the first and each UTILISATION_STEP-th from there. */
enum {
  UTILISATION_FIRST = 3,
  UTILISATION_STEP = 3,
  UTILISATION_LAST = 12,
  UTILISATION_WINDOWS = 16
};
extern const uint64_t utilisation_window_ns[UTILISATION_WINDOWS];

struct utilisation_window {
  GArray *pauses; /* of struct pause: those that begin within the length from the first */
  guint first;
  uint64_t covered; /* ns of them */
  uint64_t most;    /* paused ns in any window so far */
};

struct utilisation {
  struct utilisation_window windows[UTILISATION_WINDOWS];
  uint64_t end; /* of the last pause */
};

void utilisation_init (struct utilisation *utilisation);
void utilisation_clear (struct utilisation *utilisation);

/* The next pause, in order of their starts; time that overlaps the one before counts once. */
void utilisation_add (struct utilisation *utilisation, uint64_t start, uint64_t end);

/* The longest time of pauses in one window, in ns.  After the last pause; more may be added
 * still. */
uint64_t utilisation_paused (const struct utilisation *utilisation, unsigned window);

/* Thousandths of a time that are left when so much of it is paused. */
uint64_t utilisation_left (uint64_t paused_ns, uint64_t of_ns);

#endif
