/* ghc-flush.h -- has GHC's runtime write out its buffers, at intervals and on request.
 *
 * One for the process; functions may be called from any threads.
 */
#ifndef PROFLOG_GHC_FLUSH_H
#define PROFLOG_GHC_FLUSH_H

#include <stdbool.h>

/* Starts the thread that calls `flush`, if that is not NULL; see proflog_ghc_ready.  `interval_ms`:
 * how often; 0: only when it is requested. */
void ghc_flush_start (void (*flush) (void), bool at_once, unsigned interval_ms);

void ghc_flush_set_interval (unsigned interval_ms);

/* After a collection: whether to restart the eventlog; and the report that this was done. */
bool ghc_flush_is_due (void);
void ghc_flush_is_done (void);

/* Requests a flush and waits for it, `limit_ms` at most; false if it is not done by then.
 * `is_inside`: the program itself requests it.  Without `flush` its thread may be the runtime's
 * only one, and does not wait: true if there was a flush since ghc_flush_request. */
bool ghc_flush_now (unsigned limit_ms, bool is_inside);

/* The next collection flushes. */
void ghc_flush_request (void);

/* `flush` is not called any more. */
void ghc_flush_finish (void);

#endif
