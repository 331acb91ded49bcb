/* marks.h -- moments of a program that have names, and the intervals between "START x" and "STOP
 * x".
 */
#ifndef PROFLOG_MARKS_H
#define PROFLOG_MARKS_H

#include "decoder/core/mark-pairs.h"

/* Different names that are listed, and bytes of these.  If there are more, the most frequent stay.
 */
#define MARK_NAMES_MAX (1u << 18)
#define MARK_NAMES_BYTES_MAX ((size_t) 64 << 20)

struct mark {
  char *name;
  bool is_message; /* of the program's user, as traceEventIO writes; else a mark */
  uint64_t count;
  uint64_t first, last; /* times */
};

/* The intervals of one name on a thread, without those within them. */
struct mark_share {
  uint64_t thread, count, self_ns;
};

/* The intervals of one name. */
struct mark_interval {
  char *name;
  uint64_t count, total_ns;
  uint64_t self_ns; /* without the intervals within them on their thread */
  uint64_t p50_ns, p90_ns, p99_ns, max_ns;
  uint64_t unfinished;               /* STARTs without STOP, and STOPs without START */
  uint64_t across_threads;           /* that ended on another thread than they began on */
  guint threads;                     /* that have some, but those across */
  struct mark_share slowest, second; /* of these threads: those of the longest averages */
  struct mark_share now;             /* of the thread that is being added */
};

struct marks {
  struct mark_choice choice;
  GPtrArray *all;     /* of struct mark *, in the order of the log */
  GHashTable *by_key; /* of the same, by is_message and name */
  GString *text;      /* of the latest */
  size_t bytes;       /* of the names */
  bool has_only_wanted;
  struct mark_edges edges;
  uint64_t count;
  uint64_t others;          /* of names that are wanted and not listed */
  uint64_t missing_at_most; /* by how much the count of a listed name may be too low */
};

/* A mark or message of the log.  One that does not count is there for the intervals only. */
struct mark_event {
  bool is_message;
  const char *name;
  size_t length;
  struct mark_time at;
};

/* The text of a mark or message, in which bytes of 0 are "\u0000" (transfer full). */
char *marks_text (const char *text, size_t length);

void marks_init (struct marks *marks);
void marks_clear (struct marks *marks);

/* Names that are not wanted are the first to go if there are too many. */
void marks_choose (struct marks *marks, struct mark_choice choice);

/* Events may come in any order of time. */
void marks_add (struct marks *marks, const struct mark_event *event);

/* The begin of a span of this name, or the end of one (`name` NULL): mark-pairs.h. */
void marks_add_span (struct marks *marks, uint64_t number, const char *name, size_t length,
                     const struct mark_time *at);

/* A thread with intervals, without those that go from thread to thread. */
struct mark_thread {
  uint64_t thread;
  uint64_t count;
  uint64_t covered_ns; /* in which one of them was open at least */
};

struct mark_intervals {
  GPtrArray *all;      /* of struct mark_interval *: of all names, by total, the most first */
  GArray *threads;     /* of struct mark_thread, by number */
  uint64_t covered_ns; /* of any thread */
};

/* The mean of a share's intervals; 0 without any. */
uint64_t marks_share_average (const struct mark_share *share);

/* The intervals of all names; to be cleared. */
void marks_measure (struct marks *marks, struct mark_intervals *intervals);
void marks_clear_intervals (struct mark_intervals *intervals);

#endif
