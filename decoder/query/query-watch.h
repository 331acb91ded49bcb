/* query-watch.h -- the limits of a statement: its time, and the memory of SQLite. */
#ifndef PROFLOG_QUERY_WATCH_H
#define PROFLOG_QUERY_WATCH_H

#include <glib.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

/* A thread that waits for the end of a statement, or of its time or memory. */
struct query_watch {
  sqlite3 *db;
  uint64_t memory; /* the limit, bytes */
  GThread *thread; /* NULL: no statement was watched yet */
  GMutex lock;     /* of the members below */
  GCond changed;
  bool runs;         /* a statement */
  gint64 deadline;   /* of g_get_monotonic_time: its time is over; G_MAXINT64: never */
  bool is_exhausted; /* it was refused memory */
  bool is_over;      /* the connection ends */
};

/* SQLite gets at most `bytes` bytes.  Before its first use, once. */
void query_watch_limit_memory (uint64_t bytes);

/* One connection is watched at a time. */
void query_watch_init (struct query_watch *watch, sqlite3 *db, uint64_t memory);
void query_watch_clear (struct query_watch *watch);

/* A statement begins that may take `us`, 0 for ever; it has ended.  In between it is interrupted
 * when its time is over, or when it was refused memory.  Where SQLite does not notice that, in a
 * function over a long text, the process ends a second later, with a message.  False with a message
 * without a thread for that. */
bool query_watch_begin (struct query_watch *watch, gint64 us);
void query_watch_end (struct query_watch *watch);

/* Whether the statement was refused memory. */
bool query_watch_was_exhausted (struct query_watch *watch);

/* The message on a statement that was ended by its limits. */
void query_watch_report (struct query_watch *watch);

#endif
