/* handles.h -- GC handles by kind: how many were made and freed, how many there were at once. */
#ifndef PROFLOG_HANDLES_H
#define PROFLOG_HANDLES_H

#include "decoder/analyses/traces.h"

#include <proflog/mlpd.h>

#define HANDLE_KINDS 4

struct handle_sum {
  uint64_t created;
  uint64_t destroyed;
  uint64_t max; /* created and not yet destroyed at one time, in file order */
};

struct handles {
  struct handle_sum kinds[HANDLE_KINDS];
  uint64_t of_unknown; /* events of other kinds */
  /* Where: the key is the kind. */
  struct trace_sums created_at;
  struct trace_sums destroyed_at;
};

void handles_init (struct handles *handles);
void handles_clear (struct handles *handles);

/* `trace` is the event's backtrace, or TRACE_NONE. */
void handles_created (struct handles *handles, const struct mlpd_gc_handle_created *event,
                      guint trace);
void handles_destroyed (struct handles *handles, const struct mlpd_gc_handle_destroyed *event,
                        guint trace);

#endif
