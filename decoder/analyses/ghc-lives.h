/* ghc-lives.h -- the threads of an eventlog: when each was there, and its label. */
#ifndef PROFLOG_GHC_LIVES_H
#define PROFLOG_GHC_LIVES_H

#include <glib.h>
#include <proflog/ghc.h>

struct ghc_life {
  guint id;
  uint64_t start, end; /* times of the first and the last event that is about it */
  uint64_t events;
  char *label; /* the latest; NULL: none */
};

struct ghc_lives {
  GHashTable *by_id;     /* id -> struct ghc_life */
  struct ghc_life *last; /* that was looked for */
};

void ghc_lives_init (struct ghc_lives *lives);
void ghc_lives_clear (struct ghc_lives *lives);

/* The thread that the event is about, if it is about one. */
bool ghc_lives_names (enum ghc_kind kind, const union ghc_payload *payload, guint *thread);

/* An event; `counts`: else it is only for the label. */
void ghc_lives_event (struct ghc_lives *lives, enum ghc_kind kind, uint64_t time,
                      const union ghc_payload *payload, bool counts);

/* All that had events, by id (transfer container). */
GPtrArray *ghc_lives_all (const struct ghc_lives *lives);

#endif
