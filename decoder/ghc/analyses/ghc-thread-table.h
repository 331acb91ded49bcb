/* ghc-thread-table.h -- the threads of an eventlog: when each was there, and its label. */
#ifndef PROFLOG_GHC_THREAD_TABLE_H
#define PROFLOG_GHC_THREAD_TABLE_H

#include <glib.h>
#include <proflog/ghc.h>

struct ghc_lifetime {
  guint id;
  uint64_t start, end; /* times of the first and the last event that is about it */
  uint64_t events;
  char *label;  /* the latest; NULL: none */
  char *labels; /* all of them (selection_add_name) */
};

#define GHC_LIFETIMES_RECENT 1024

struct ghc_thread_table {
  GHashTable *by_id;                                 /* id -> struct ghc_lifetime */
  struct ghc_lifetime *recent[GHC_LIFETIMES_RECENT]; /* by the low bits of ids; NULL: none */
};

void ghc_thread_table_init (struct ghc_thread_table *table);
void ghc_thread_table_clear (struct ghc_thread_table *table);

/* The thread that the event is about, if it is about one. */
bool ghc_thread_table_names (enum ghc_kind kind, const union ghc_payload *payload, guint *thread);

/* An event about a thread that counts. */
void ghc_thread_table_add (struct ghc_thread_table *table, guint thread, uint64_t time);

/* An event; `counts`: else it is only for the label. */
void ghc_thread_table_event (struct ghc_thread_table *table, enum ghc_kind kind, uint64_t time,
                             const union ghc_payload *payload, bool counts);

/* All that had events, by id (transfer container). */
GPtrArray *ghc_thread_table_all (const struct ghc_thread_table *table);

#endif
