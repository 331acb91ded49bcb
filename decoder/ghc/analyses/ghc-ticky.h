/* ghc-ticky.h -- the ticky counters of an eventlog (+RTS -lT): a counter for each function of a
 * program that was compiled with -ticky, with its values.
 */
#ifndef PROFLOG_GHC_TICKY_H
#define PROFLOG_GHC_TICKY_H

#include <glib.h>
#include <proflog/ghc-reader.h>
#include <stdbool.h>

struct ghc_ticky_counter {
  uint64_t counter; /* its number */
  bool is_defined;  /* the following three are known */
  unsigned arity;
  char *arg_kinds, *name;
  uint64_t entries, allocations, allocated; /* sums of its samples, as in the event */
};

struct ghc_ticky {
  GPtrArray *counters; /* struct ghc_ticky_counter *, in order of the log */
  GHashTable *places;  /* number -> the same */
  uint64_t samples;    /* that were taken, each of all counters */
};

void ghc_ticky_init (struct ghc_ticky *ticky);
void ghc_ticky_clear (struct ghc_ticky *ticky);

/* An event of any kind.  `counts`: samples belong to the selected part of the log; names always do.
 */
void ghc_ticky_event (struct ghc_ticky *ticky, enum ghc_kind kind, const union ghc_payload *payload,
                      bool counts);

#endif
