/* handles.h -- GC handles by kind: how many were made and freed, how many there were at once.
 *
 * A handle is often freed by another thread than made it, and the buffers of threads come in any
 * order: handles alive at once are counted in order of time, within a window of the latest events.
 */
#ifndef PROFLOG_HANDLES_H
#define PROFLOG_HANDLES_H

#include "decoder/mlpd/model/traces.h"

#include <proflog/mlpd.h>

#define HANDLE_KINDS 4

struct handle_sum {
  uint64_t created;
  uint64_t destroyed;
  uint64_t max;  /* created and not yet destroyed at one time */
  int64_t alive; /* so far, in order of time */
};

/* Events that wait for their place in time, at most; the earlier half of them goes at once. */
#define HANDLES_WINDOW (1 << 17)

struct handles {
  struct handle_sum kinds[HANDLE_KINDS];
  uint64_t of_unknown; /* events of other kinds */
  GArray *window;      /* of struct handle_change */
  /* Where: the key is the kind. */
  struct trace_sums created_at;
  struct trace_sums destroyed_at;
};

extern const struct analysis handles_analysis;

void handles_init (struct handles *handles);
void handles_clear (struct handles *handles);

/* `trace` is the event's backtrace, or TRACE_NONE. */
void handles_created (struct handles *handles, const struct mlpd_gc_handle_created *event,
                      guint trace);
void handles_destroyed (struct handles *handles, const struct mlpd_gc_handle_destroyed *event,
                        guint trace);

/* After the last of them: states the most at once. */
void handles_finish (struct handles *handles);

#endif
