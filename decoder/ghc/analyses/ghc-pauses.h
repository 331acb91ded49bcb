/* ghc-pauses.h -- how long pauses are: percentiles, and what they leave of windows of time.
 *
 * Both take pauses one by one and need no memory that grows with their number: durations are
 * counted in classes, and of a window only the pauses within its length are retained.
 */
#ifndef PROFLOG_GHC_PAUSES_H
#define PROFLOG_GHC_PAUSES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct ghc_durations {
  uint64_t count;
  uint64_t total_ns;
  uint64_t max_ns;
  uint32_t *classes; /* counts; NULL: there is none */
};

void ghc_durations_clear (struct ghc_durations *durations);
void ghc_durations_add (struct ghc_durations *durations, uint64_t ns);
void ghc_durations_merge (struct ghc_durations *to, const struct ghc_durations *from);

/* The duration that this many thousandths of all do not exceed, in ns: exact below 256 ns and at
 * 1000, else at most 0.8 % too long.  0 if there is none. */
uint64_t ghc_durations_at (const struct ghc_durations *durations, unsigned thousandths);

/* Windows of these lengths. */
enum { GHC_UTILISATION_WINDOWS = 4 };
extern const uint64_t ghc_utilisation_window_ns[GHC_UTILISATION_WINDOWS];

struct ghc_utilisation_window {
  GArray *pauses; /* of struct ghc_pause: those that begin within the length from the first */
  guint first;
  uint64_t covered; /* ns of them */
  uint64_t most;    /* paused ns in any window so far */
};

/* Minimum mutator utilisation: the least share of any window of a length in which the program was
 * not paused. */
struct ghc_utilisation {
  struct ghc_utilisation_window windows[GHC_UTILISATION_WINDOWS];
  uint64_t end; /* of the last pause */
};

void ghc_utilisation_init (struct ghc_utilisation *utilisation);
void ghc_utilisation_clear (struct ghc_utilisation *utilisation);

/* The next pause, in order of their starts; what overlaps the one before counts once. */
void ghc_utilisation_add (struct ghc_utilisation *utilisation, uint64_t start, uint64_t end);

/* The most that pauses take of a window, in ns.  After the last pause; more may be added still. */
uint64_t ghc_utilisation_paused (const struct ghc_utilisation *utilisation, unsigned window);

#endif
