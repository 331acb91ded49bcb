/* firefox-columns.h -- the records of the Firefox Profiler's tables, and their columns as JSON.
 */
#ifndef PROFLOG_FIREFOX_COLUMNS_H
#define PROFLOG_FIREFOX_COLUMNS_H

#include "decoder/exports/record-store.h"

#include <stdint.h>

/* A sample of the log weighs 1; in place of the weight it has the processor time since the one
 * before. */
struct firefox_sample {
  uint64_t time, weight; /* ns; ns or bytes */
  uint64_t stack;        /* 0: none */
};

#define FIREFOX_UNKNOWN_TIME UINT64_MAX

struct firefox_marker {
  uint64_t begin, end; /* ns */
  uint64_t phase;      /* of the format */
  uint32_t name, text; /* as trace_name has them */
};

enum { FIREFOX_PHASE_INSTANT = 0, FIREFOX_PHASE_INTERVAL = 1, FIREFOX_PHASE_BEGIN = 2 };

struct firefox_value {
  uint64_t time;
  double change; /* since the one before */
};

/* A column of a table; those of a table end with one without a name. */
struct firefox_column {
  const char *name;
  struct record_column texts;
};

/* Appends a time in ms, with all its digits. */
void firefox_append_ms (GString *to, uint64_t ns);

/* Of samples: of the log without and with processor times, of allocations, of calls. */
extern const struct firefox_column firefox_hit_columns[];
extern const struct firefox_column firefox_timed_hit_columns[];
extern const struct firefox_column firefox_allocation_columns[];
extern const struct firefox_column firefox_call_columns[];

extern const struct firefox_column firefox_marker_columns[];
extern const struct firefox_column firefox_value_columns[];

#endif
