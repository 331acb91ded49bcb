/* mark-pairs.h -- matches the STARTs and STOPs of a program, which it writes "START x" and "STOP x"
 * or "B:x" and "E:x", and the begins and ends of spans that have a number.
 *
 * A STOP ends the last START of its name on its own thread that is open.  Those without a partner
 * then go from one thread to another: in order of time such a STOP ends the oldest such START of
 * its name in the process.
 */
#ifndef PROFLOG_MARK_PAIRS_H
#define PROFLOG_MARK_PAIRS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Names of intervals, bytes of these, and STARTs and STOPs that are retained.  If there are more
 * names, those of the most STARTs and STOPs stay. */
#define MARK_SPANS_MAX (1u << 18)
#define MARK_SPANS_BYTES_MAX ((size_t) 64 << 20)
#define MARK_EDGES_MAX (1u << 22)

/* Does a name count, if there is no room for all? */
struct mark_choice {
  bool (*is_wanted) (const void *data, const char *name); /* NULL: all do */
  const void *data;
};

struct mark_edges {
  struct mark_choice choice;
  GPtrArray *names;    /* of char * */
  GHashTable *by_name; /* name -> number + 1 */
  GArray *edges;       /* of struct mark_edge, in any order */
  GHashTable *spans;   /* number -> struct open_span *: those of which one end is there */
  size_t bytes;        /* of the names */
  bool has_only_wanted;
  uint32_t all;
  uint64_t lost; /* that are wanted and not retained */
};

/* A moment of a program. */
struct mark_time {
  uint64_t time;
  uint64_t thread; /* on which it was; any numbers */
  bool counts;     /* else it is there for its partner only */
};

enum mark_pair_kind {
  MARK_PAIR_WHOLE,
  MARK_PAIR_OPEN, /* a START without STOP: it has no end */
  MARK_PAIR_STOP, /* a STOP without START: it has no begin */
};

struct mark_pair {
  enum mark_pair_kind kind;
  struct mark_time begin, end;
};

void mark_pairs_init (struct mark_edges *edges);
void mark_pairs_clear (struct mark_edges *edges);

/* The bytes in front of the name of the interval in the name of a mark; 0: it is neither a START
 * nor a STOP. */
size_t mark_pairs_prefix (const char *name, size_t length);

/* A mark of this name, if it is a START or a STOP.  They may come in any order of time; those of
 * one time and thread in their own order. */
void mark_pairs_add (struct mark_edges *edges, const char *name, const struct mark_time *at);

/* The begin of a span of this name, or the end of one (`name` NULL); a number has one span at a
 * time.  They may come in any order, too. */
void mark_pairs_add_span (struct mark_edges *edges, uint64_t number, const char *name,
                          const struct mark_time *at);

/* Calls `put` for each name with its pairs, by the time of their begins, the longer first; a STOP
 * without START has its own time as begin. */
typedef void mark_pairs_put (void *data, const char *name, const struct mark_pair *pairs, guint n);
void mark_pairs_each (struct mark_edges *edges, mark_pairs_put *put, void *data);

#endif
