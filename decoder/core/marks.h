/* marks.h -- moments of a program that have names, and the intervals between "START x" and "STOP
 * x".
 */
#ifndef PROFLOG_MARKS_H
#define PROFLOG_MARKS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Different names that are listed, and STARTs and STOPs that are retained; more are only counted.
 */
#define MARK_NAMES_MAX 4096
#define MARK_EDGES_MAX (1u << 22)

/* In front of the names of the moments between which an interval is. */
#define MARK_START "START "
#define MARK_STOP "STOP "

struct mark {
  char *name;
  bool is_message; /* of the program's user, as traceEventIO writes; else a mark */
  uint64_t count;
  uint64_t first, last; /* times */
};

/* Interval of one name.  One that begins within another of its name belongs to that one. */
struct mark_interval {
  char *name;
  uint64_t count, total_ns;
  uint64_t p50_ns, p90_ns, p99_ns, max_ns;
  uint64_t unfinished; /* STARTs without STOP, and STOPs without START */
};

struct marks {
  GPtrArray *all;      /* of struct mark *, in the order of the log */
  GHashTable *by_name; /* whether it is a message, and name -> struct mark */
  GPtrArray *spans;    /* of char *: names of intervals */
  GHashTable *by_span; /* name -> number + 1 */
  GArray *edges;       /* of struct mark_edge, in any order */
  uint64_t count;
  uint64_t others; /* of names that are not listed */
  uint64_t lost_edges;
};

void marks_init (struct marks *marks);
void marks_clear (struct marks *marks);

/* Events may come in any order of time. */
void marks_add (struct marks *marks, bool is_message, const char *name, size_t length,
                uint64_t time);

/* The intervals of all names, by total, the most first (of struct mark_interval *; transfer full).
 */
GPtrArray *marks_intervals (struct marks *marks);

#endif
