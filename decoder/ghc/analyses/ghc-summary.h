/* ghc-summary.h -- all figures of an eventlog, in one way through it.
 *
 * Memory does not grow with the log, but for its threads, if they are requested.
 */
#ifndef PROFLOG_GHC_SUMMARY_H
#define PROFLOG_GHC_SUMMARY_H

#include "decoder/ghc/analyses/ghc-collections.h"
#include "decoder/ghc/analyses/ghc-heap-profile.h"
#include "decoder/ghc/analyses/ghc-thread-table.h"
#include "decoder/ghc/analyses/ghc-log.h"
#include "decoder/ghc/analyses/ghc-memory.h"
#include "decoder/ghc/analyses/ghc-perf.h"
#include "decoder/ghc/analyses/ghc-processes.h"
#include "decoder/ghc/analyses/ghc-spans.h"
#include "decoder/ghc/analyses/ghc-threads.h"
#include "decoder/ghc/analyses/ghc-ticky.h"
#include "decoder/ghc/analyses/ghc-time-profile.h"
#include "decoder/core/marks.h"
#include "decoder/filter/filter.h"
#include "decoder/ghc/ghc-span.h"

/* Types of events with greater tags are left to the reader. */

/* The action for events of a type that come in spans. */
enum ghc_scan_action {
  GHC_SCAN_LEAVE,      /* the reader reads it */
  GHC_SCAN_COUNT,      /* and nothing else */
  GHC_SCAN_VARIABLE,   /* counted if it is whole; all after this are more than counted */
  GHC_SCAN_CAP,        /* something of its capability */
  GHC_SCAN_CAP_FIELDS, /* fields of it, or of the memory */
  GHC_SCAN_RUN,        /* a thread runs or stops, which marks need */
  GHC_SCAN_LIFE,
  GHC_SCAN_CAP_SIZES, /* fields of its capability, of which sizes may be damaged */
};

struct ghc_scan_type {
  enum ghc_scan_action action;
  uint32_t form;                     /* 0: the reader reads them, as if they were not declared */
  const struct ghc_event_type *type; /* of the header that was read last */
  uint64_t events;                   /* that were not counted in the log yet */
  uint64_t bytes;                    /* of these */
};

/* Collections that do not stop the program, of the non-moving collector. */
struct ghc_concurrent {
  struct ghc_delays syncs;       /* short stops at the end of marking */
  struct ghc_delays collections; /* from the begin of marking to the end of sweeping */
  bool is_syncing, is_collecting;
  uint64_t sync_start, start;
};

/* Data that are not always requested. */
enum ghc_features {
  GHC_FEATURE_THREAD_TABLE = 1,   /* the threads */
  GHC_FEATURE_PROFILES = 2,       /* of heap and time */
  GHC_FEATURE_CALL_STACKS = 1024, /* of them, the call stacks in messages */
  GHC_FEATURE_BY_THREAD = 32,     /* with it, call stacks below their threads */
  GHC_FEATURE_ORDER = 64,         /* with it, the order of samples of time */
  GHC_FEATURE_MARKS = 8,          /* marks and messages of the program */
  GHC_FEATURE_TICKY = 16,         /* ticky counters */
  GHC_FEATURE_PERF = 128,         /* events of perf */
  GHC_FEATURE_MEMORY = 256,       /* that the runtime holds, over time */
  GHC_FEATURE_THREADS = 4,        /* their states: from ghc_summary_ordered */
  GHC_FEATURE_SPARK_TIMES
  = 512, /* durations of sparks: from the same, if the log has single ones */
};

struct ghc_summary {
  struct ghc_times times;
  const struct selection *selection; /* of capabilities; NULL: all.  Borrowed */
  unsigned features;                 /* of enum ghc_features */
  struct ghc_log log;
  GPtrArray *caps;         /* struct ghc_cap *, by number; NULL: the log has none of it */
  struct ghc_cap *outside; /* sizes of the heap that no capability reports */
  guint started_caps;      /* how many there are, as early writers state it; 0: unknown */
  struct ghc_processes processes;
  struct ghc_thread_table thread_table;
  struct ghc_concurrent concurrent;
  struct ghc_heap_profiles heap_profiles;
  struct ghc_time_profile time_profile;
  struct ghc_ticky ticky;
  struct ghc_perf perf;
  struct ghc_memory memory;
  struct ghc_threads threads;
  struct marks marks;
  struct ghc_spans spans;
  bool has_header;   /* one was there */
  GPtrArray *stops;  /* struct ghc_stops * */
  uint64_t count_at; /* events after which enough collections may wait to be counted */
  struct ghc_scan_type types[GHC_SPAN_TAGS];
};

/* Only events of from <= time < to count; the state before is known from earlier ones. */
void ghc_summary_init (struct ghc_summary *summary, const struct ghc_times *times,
                       unsigned features);

/* Before the first item: figures are of the capabilities that a selection selects, which is
 * borrowed. In the collections that these lead all take part; heap profiles, tasks and processes
 * are those of the whole log.  Marks of the names that it selects stay if there are too many. */
void ghc_summary_select (struct ghc_summary *summary, const struct selection *selection);

void ghc_summary_clear (struct ghc_summary *summary);

/* The next item of the log. */
void ghc_summary_item (struct ghc_summary *summary, const struct ghc_item *item);

/* Takes events of a span, many at once; the span begins after them then. */
void ghc_summary_span (struct ghc_summary *summary, struct ghc_span *span);

/* Where a mark or message that was just taken is from (ghc_running_place). */
uint64_t ghc_summary_place (const struct ghc_summary *summary, const struct ghc_item *item);

/* After the last event: is the log to be read once more, in order of time, for what is requested?
 */
bool ghc_summary_needs_order (const struct ghc_summary *summary);

/* The next event once more, in order of time, or the header of those that follow: for threads. */
void ghc_summary_ordered (struct ghc_summary *summary, const struct ghc_item *item);

/* Nothing follows. */
void ghc_summary_finish (struct ghc_summary *summary);

#endif
