/* ghc-caps.h -- figures of each capability of an eventlog: heap, sparks, collections, blocks.
 *
 * Events of a capability are to come in the order of the file: the end of a collection has a time
 * before that of the event in front of it.
 */
#ifndef PROFLOG_GHC_CAPS_H
#define PROFLOG_GHC_CAPS_H

#include "decoder/core/durations.h"
#include "decoder/core/heap-sizes.h"
#include "decoder/ghc/ghc-running.h"

#include <proflog/ghc.h>

/* Generations that are distinguished. */
#define GHC_GENERATIONS_MAX 64

/* The times that count: from <= time < to. */
struct ghc_times {
  uint64_t from, to;
};

static inline bool
ghc_times_have (const struct ghc_times *times, uint64_t time)
{
  return time - times->from < times->to - times->from;
}

/* Something that is counted since the start of the program, and reported now and then. */
struct ghc_counter {
  bool is_recorded; /* in the times that count */
  uint64_t before, last;
  uint64_t earlier; /* of a program before, in the same log: the counter fell */
};

uint64_t ghc_counter_value (const struct ghc_counter *counter);

enum ghc_spark {
  GHC_SPARKS_CREATED,
  GHC_SPARKS_DUD,
  GHC_SPARKS_OVERFLOWED,
  GHC_SPARKS_CONVERTED,
  GHC_SPARKS_GCD,
  GHC_SPARKS_FIZZLED,
  GHC_SPARKS,
};

/* Measures of the time for which a collection stops the program. */
enum ghc_pause {
  GHC_PAUSE_MAIN,    /* on the capability that led it, as +RTS -s does */
  GHC_PAUSE_AVERAGE, /* mean of all capabilities that took part */
  GHC_PAUSE_LONGEST, /* of these */
  GHC_PAUSE_SPAN,    /* from the first of them that began to the last that ended */
  GHC_PAUSES,
};

struct ghc_pause_sum {
  uint64_t total_ns;
  uint64_t max_ns;
};

/* Of a capability and a generation. */
struct ghc_generation {
  /* Collections that the capability led: */
  uint64_t collections;
  uint64_t parallel;
  uint64_t copied;
  uint64_t max_slop;
  uint64_t negative_slops; /* collections that state one below 0 */
  uint64_t timed;          /* of which start and end are there */
  struct ghc_pause_sum pauses[GHC_PAUSES];
  struct heap_sizes heap;
  uint64_t live_samples, live_bytes, max_live; /* after these; bytes: the sum */
  /* All that it took part in, also as the leading one: */
  uint64_t taken_part;
  struct ghc_pause_sum own;
  uint64_t idle_ns; /* of that: it had no work and waited for others */
};

/* The pauses of collections of a generation, under each definition. */
struct ghc_pause_durations {
  struct durations of[GHC_PAUSES];
};

/* How evenly work was divided, of collections by more than one thread. */
struct ghc_balance {
  bool is_recorded;
  uint64_t balanced, total, max;
  bool has_balanced; /* from 8.4 on */
  uint32_t threads;  /* the most */
};

#define GHC_NOT_REQUESTED UINT64_MAX

/* A capability's part in a collection. */
struct ghc_interval {
  uint64_t start, end;
  uint64_t idle_ns;    /* it had no work and waited for others */
  uint64_t standby_ns; /* before its work and after it: of one that another led, it waited, too */
  uint64_t requested;  /* when the capability did; GHC_NOT_REQUESTED: it did not */
  int generation;      /* -1: not reported */
  uint64_t heap_after, live_after; /* bytes, of one that the capability led; 0: not reported */
};

/* Parts that wait to be matched with those of others, in order. */
struct ghc_intervals {
  GArray *all; /* of struct ghc_interval */
  guint first; /* the others are done */
};

struct ghc_delays {
  uint64_t count;
  uint64_t total_ns;
  uint64_t max_ns;
};

struct ghc_cap {
  unsigned number;
  bool is_created;  /* that was reported */
  bool is_selected; /* by the selection */
  guint process;    /* capability set of the system's process that it is in */
  bool has_process;

  uint64_t events;      /* in the times that count, as are the following */
  uint64_t first, last; /* labels of threads apart, which parts of logs have of other times, too */
  uint64_t latest;      /* of all events, whether they count or not; 0: there is none */

  bool has_thread_events;     /* of threads that are created or run */
  bool has_start;             /* the first of these events is the program's */
  bool makes_thread;          /* the first one makes a thread, as in a log that was renumbered */
  uint64_t first_thread_at;   /* its time */
  struct ghc_running running; /* now, if marks are requested */
  bool has_gc_events;         /* events of the collector were recorded, whether they count or not */
  uint64_t blocks;
  uint64_t bytes;
  bool has_block;
  uint64_t block_end;     /* when the last one was closed */
  struct ghc_delays gaps; /* from a block's end to the next one's start: it was written */

  struct ghc_counter allocated;
  uint64_t max_size; /* of the heap; its size before the times counts, too */
  uint64_t max_live;
  uint64_t live_samples;
  bool has_fragmentation;
  int64_t fragmentation; /* after the last collection */
  uint64_t fragmented_at;

  struct ghc_counter sparks[GHC_SPARKS];
  uint64_t spark_events[GHC_SPARKS];
  bool has_spark_events;

  GArray *generations;              /* of struct ghc_generation */
  struct ghc_generation unreported; /* of collections whose generation is not known */
  bool has_stats_events;            /* figures of collections, whether they count or not */
  bool has_leads;                   /* another event that only the leading capability has */
  struct ghc_balance balance;
  GArray *durations;       /* of struct ghc_pause_durations, by generation + 1; 0: of unreported */
  struct ghc_delays syncs; /* from the request of a collection to its start */
  uint64_t gc_ns;          /* of collections that it led, as far as they lie in the times */
  uint64_t own_ns;         /* the same of its own part in all */
  uint64_t idle_ns;        /* of that it was idle */
  uint64_t standby_ns;     /* in the collections of others, it stood by */
  uint64_t unmatched;      /* parts in collections that no one led, as far as is known */
  uint64_t unfinished;     /* that began and did not end, or the other way */

  /* The collection that it is in, or was in last. */
  bool is_collecting, has_ended;
  struct ghc_interval now;
  bool is_main; /* the capability leads it */
  bool has_stats;
  struct ghc_gc_stats_ghc stats;
  bool is_idle, is_standing_by;
  bool has_worked; /* there is an event of its work in the collection */
  uint64_t idle_since, standby_since;
  struct {
    uint64_t idle_ns, standby_ns;
  } counted; /* of the collection, as far as they lie in the times */
  bool is_requested;
  uint64_t requested;

  bool is_behind;             /* the times that count: no later part is of interest */
  struct ghc_intervals led;   /* collections */
  struct ghc_intervals parts; /* in those of others */
};

struct ghc_cap *ghc_cap_new (unsigned number);
void ghc_cap_free (struct ghc_cap *cap);

/* An event of the capability, one of ghc_cap_handles; of kinds without fields the payload may be
 * NULL. */
void ghc_cap_event (struct ghc_cap *cap, const struct ghc_times *times, enum ghc_kind kind,
                    uint64_t time, const union ghc_payload *payload);
bool ghc_cap_handles (enum ghc_kind kind);

/* A block of it begins. */
void ghc_cap_block (struct ghc_cap *cap, const struct ghc_times *times, uint64_t time,
                    const struct ghc_block_marker *marker);

/* The collection that ended last is to be matched: no figures of it follow. */
void ghc_cap_settle (struct ghc_cap *cap, const struct ghc_times *times);

/* Nothing follows: collections that ended are to be matched. */
void ghc_cap_finish (struct ghc_cap *cap, const struct ghc_times *times);

/* The figures of a generation, -1 for collections whose generation is not in the log; made if there
 * are none. */
struct ghc_generation *ghc_cap_generation (struct ghc_cap *cap, int generation);

/* Adds durations to those of arrays like the above, which grow as needed. */
void ghc_pause_durations_add (GArray *all, int generation, const uint64_t pauses[GHC_PAUSES]);
void ghc_pause_durations_merge (GArray *to, const GArray *from);
GArray *ghc_pause_durations_new (void);
void ghc_pause_durations_free (GArray *all);

void ghc_delays_add (struct ghc_delays *delays, uint64_t ns);
void ghc_pause_add (struct ghc_pause_sum *sum, uint64_t ns);

/* How much of start to end lies in the times. */
uint64_t ghc_times_overlap (const struct ghc_times *times, uint64_t start, uint64_t end);

#endif
