/* query-timeout.h -- the limit of the time of a statement, which holds for each. */
#ifndef PROFLOG_QUERY_TIMEOUT_H
#define PROFLOG_QUERY_TIMEOUT_H

#include <glib.h>
#include <sqlite3.h>
#include <stdbool.h>

struct query_timeout {
  sqlite3 *db;
  GThread *thread; /* NULL: there was no limit yet */
  GMutex lock;     /* of what follows */
  GCond changed;
  gint64 deadline; /* of g_get_monotonic_time; 0: no statement runs */
  bool is_over;    /* the connection ends */
};

void query_timeout_init (struct query_timeout *timeout, sqlite3 *db);
void query_timeout_clear (struct query_timeout *timeout);

/* A statement begins that may take `us`, 0 for ever; it has ended.  In between it is interrupted
 * when its time is over.  Where SQLite does not notice that, in a function over a long text, the
 * process ends a second later, with a message. */
void query_timeout_begin (struct query_timeout *timeout, gint64 us);
void query_timeout_end (struct query_timeout *timeout);

#endif
