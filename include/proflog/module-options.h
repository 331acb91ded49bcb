/* module-options.h -- the module's options, for the module and `proflog run`.
 *
 * The functions are inline and have no state: any threads may call them at a time.  module-options.def
 * lists the options.
 */
#ifndef PROFLOG_MODULE_OPTIONS_H
#define PROFLOG_MODULE_OPTIONS_H

#include <proflog/units.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The module's name after --profile=, which its own thread has in logs, too. */
#define PROFLOG_MODULE_NAME "proflog"

#define PROFLOG_OPTION_SIZE 4096 /* an option at most, with its end */
#define PROFLOG_MAX_FRAMES 32
#define PROFLOG_DEFAULT_FRAMES 8
#define PROFLOG_MAX_CALL_DEPTH 65536 /* the default, too */
#define PROFLOG_SAMPLE_HZ 100

/* The mark (in eventlogs the message) with which a log ends that reached a limit before its program
 * ended is this, and the name of the option that set the limit. */
#define PROFLOG_LIMIT_MARK "recording ended: "

#define PROFLOG_SAMPLE_HZ_MAX 10000
#define PROFLOG_ALLOC_SAMPLING_MAX (UINT64_C (1) << 40)

/* The module adds this name and a number of ns to the options in the log's header: samples are of processor
 * time, one after each such interval of a thread. */
#define PROFLOG_CPU_SAMPLE_INTERVAL "cpu-sample-interval"

/* The calls that are recorded. */
struct proflog_calls_mode {
  uint64_t threshold_ns; /* calls of at least this time, and their callers; 0: all */
  bool is_exact;         /* each is timed; otherwise not each of those that are always short */
  bool skips_inlinable;  /* but those of methods that would be inlined if they were not recorded */
};

#define PROFLOG_CALLS_THRESHOLD_MAX_NS (UINT64_C (3600) * 1000000000)
#define PROFLOG_CALLS_NEEDED                                                                       \
  "not TIME, auto, TIME+auto or TIME+exact with a TIME from 1ns to 3600s, such as 10us"

/* Limits of options that both read, and the messages about other values. */
#define PROFLOG_ROTATE_SIZE_MIN (UINT64_C (1) << 20)
#define PROFLOG_ROTATE_SIZE_MAX (UINT64_C (1) << 50)
#define PROFLOG_ROTATE_MS_MIN 1000
#define PROFLOG_ROTATE_MS_MAX (UINT64_C (365) * 24 * 3600 * 1000)
#define PROFLOG_ROTATE_NEEDED                                                                      \
  "neither a size from 1M on, such as 1G, nor a time from 1s on, such as 10min or 2h"
#define PROFLOG_KEEP_FILES_MAX 100000
#define PROFLOG_KEEP_NEEDED                                                                        \
  "neither a number of files from 1 to 100000, nor a time from 1s on, such as 10min or 1h"
#define PROFLOG_RING_SIZE_MIN (UINT64_C (8) << 20)
#define PROFLOG_RING_SIZE_MAX (UINT64_C (1) << 50)
#define PROFLOG_RING "ring:"
#define PROFLOG_FLUSH_MS_MAX (UINT64_C (3600) * 1000)
#define PROFLOG_FLUSH_NEEDED "not a time up to an hour, such as 100ms or 2s"
#define PROFLOG_DURATION_MS_MIN 1
#define PROFLOG_DURATION_MS_MAX (UINT64_C (365) * 24 * 3600 * 1000)
#define PROFLOG_DURATION_NEEDED "not a time from 1ms on, such as 30s or 5min"
#define PROFLOG_MAX_SIZE_MIN (UINT64_C (1) << 20)
#define PROFLOG_MAX_SIZE_MAX (UINT64_C (1) << 50)
#define PROFLOG_MAX_SIZE_NEEDED "not a size from 1M on, such as 500M or 2G"

/* The times of heap snapshots. */
enum proflog_heapshot_when {
  PROFLOG_HEAPSHOT_OFF,
  PROFLOG_HEAPSHOT_MAJOR, /* at each major collection */
  PROFLOG_HEAPSHOT_MS,    /* at the first collection, then when `interval` ms have passed */
  PROFLOG_HEAPSHOT_GC,    /* at every `interval`th major collection */
  /* At the first collection, at the first major one after `interval` ms, or one that is requested after
   * twice that time, and at the end; `interval` grows with the cost of snapshots. */
  PROFLOG_HEAPSHOT_AUTO,
  PROFLOG_HEAPSHOT_ON_DEMAND, /* only where one is requested */
};

struct proflog_heapshot_mode {
  enum proflog_heapshot_when when;
  uint32_t interval;
};

enum proflog_next_option {
  PROFLOG_OPTION_READ,
  PROFLOG_OPTION_TOO_LONG,
  PROFLOG_OPTION_NOT_CLOSED, /* a quote is open at the end */
};

/* Copies the option that begins at *text into `option`, of `size` bytes, without quotes and escapes,
 * and moves *text after its comma. */
static inline enum proflog_next_option
proflog_next_option (const char **text, char *option, size_t size)
{
  const char *p = *text;
  char quote = 0;
  size_t n = 0;
  for (; *p != 0 && (quote != 0 || *p != ','); p++) {
    if (*p == quote) {
      quote = 0;
      continue;
    }
    if (quote == 0 && (*p == '\'' || *p == '"')) {
      quote = *p;
      continue;
    }
    if (*p == '\\' && p[1] != 0)
      p++;
    if (n + 1 == size)
      return PROFLOG_OPTION_TOO_LONG;
    option[n++] = *p;
  }
  option[n] = 0;
  *text = *p == ',' ? p + 1 : p;
  return quote != 0 ? PROFLOG_OPTION_NOT_CLOSED : PROFLOG_OPTION_READ;
}

/* Parses the argument of calls=: "", or a time, "auto" and "exact" in any order with a plus between
 * them.  False if it is none of these, or has one of them twice, or "exact" without a time. */
static inline bool
proflog_parse_calls (const char *text, struct proflog_calls_mode *mode)
{
  mode->threshold_ns = 0;
  mode->is_exact = mode->skips_inlinable = false;
  for (bool is_last = *text == 0; !is_last;) {
    char term[32];
    const size_t length = strcspn (text, "+");
    if (length >= sizeof term)
      return false;
    memcpy (term, text, length);
    term[length] = 0;
    if (strcmp (term, "auto") == 0 && !mode->skips_inlinable)
      mode->skips_inlinable = true;
    else if (strcmp (term, "exact") == 0 && !mode->is_exact)
      mode->is_exact = true;
    else if (mode->threshold_ns != 0
             || !proflog_parse_call_time_ns (term, 1, PROFLOG_CALLS_THRESHOLD_MAX_NS,
                                             &mode->threshold_ns))
      return false;
    is_last = text[length] == 0;
    text += length + !is_last;
  }
  return !mode->is_exact || mode->threshold_ns != 0;
}

/* The least interval of PROFLOG_HEAPSHOT_AUTO. */
#define PROFLOG_HEAPSHOT_AUTO_MS 1000

#define PROFLOG_HEAPSHOT_NEEDED                                                                    \
  "not a time from 1ms to 1193h, such as 1s, a number of collections, such as 5gc, ondemand or auto"

/* Reads the argument of heapshot= ("100ms", "5gc", "ondemand", "auto", "" for each major collection).
 * False if it is none of these or its number is 0 or does not fit 32 bits. */
static inline bool
proflog_parse_heapshot (const char *text, struct proflog_heapshot_mode *mode)
{
  const char *unit;
  uint64_t ms;
  mode->interval = 1;
  if (*text == 0) {
    mode->when = PROFLOG_HEAPSHOT_MAJOR;
  } else if (strcmp (text, "ondemand") == 0) {
    mode->when = PROFLOG_HEAPSHOT_ON_DEMAND;
  } else if (strcmp (text, "auto") == 0) {
    mode->when = PROFLOG_HEAPSHOT_AUTO;
    mode->interval = PROFLOG_HEAPSHOT_AUTO_MS;
  } else if (proflog_parse_time_ms (text, 1, UINT32_MAX, &ms)) {
    mode->when = PROFLOG_HEAPSHOT_MS;
    mode->interval = (uint32_t) ms;
  } else {
    mode->when = PROFLOG_HEAPSHOT_GC;
    return proflog_parse_u32 (text, &unit, &mode->interval) && mode->interval != 0
           && strcmp (unit, "gc") == 0;
  }
  return true;
}

#endif
