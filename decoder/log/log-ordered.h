/* log-ordered.h -- logs of either format whose events are read in order of time. */
#ifndef PROFLOG_LOG_ORDERED_H
#define PROFLOG_LOG_ORDERED_H

#include "decoder/log/log-kind.h"
#include "decoder/log/log-map.h"
#include "decoder/log/log-open.h"
#include "decoder/ghc/index/ghc-order.h"
#include "decoder/mlpd/analyses/summary.h"
#include "decoder/mlpd/model/recording.h"
#include "decoder/mlpd/model/symbols.h"
#include "decoder/mlpd/query/mlpd-order.h"

struct ordered_log {
  struct log_read_context r;
  const char *path; /* borrowed */
  struct log_input *input;
  const struct log_kind *kind;
  int status;
  uint64_t first_ns; /* the earliest time in it */
  uint64_t range_ns; /* the time from which those of a range count: Mono's first buffer need not be
                        the earliest */
  bool has_clock;    /* the log states its time of day */
  uint64_t clock_ns; /* the time of day at the log's time 0 */
  int64_t error_ns;  /* the error of clock_ns; -1: unknown */
  int64_t shift_ns;  /* of it: log-clock.h */
  const char *no_clock; /* why a log of this kind has none */
  uint64_t count;       /* of the events, or of the buffers that have them */
  const char *lack;     /* the reason if none is selected */
  union {
    struct {
      struct mlpd_order order;
      struct buffer_filter filter;
      struct symbols *names;      /* the first ones that were announced; NULL: not requested */
      struct recording recording; /* likewise */
      uint64_t lost;              /* the number of events that loss marks state */
      int lost_error;             /* the error with which writing ended; 0: none */
      bool has_hole; /* damaged bytes are left out, here or in a log that this one was made of */
    } mono;
    struct {
      struct log_map map;
      struct ghc_filter filter;
    } ghc;
  };
};

/* Opens a log and inspects all of it: damage is reported, and the selection of the command applies
 * to it.  With `has_names` the names of a Mono log are collected.  NULL with a message and the exit
 * status if the log cannot be read in order. */
struct ordered_log *ordered_log_open (struct log_command *command, const char *path, bool has_names,
                                      int *status);

/* The same of a log of Mono whose summary has bins (scan_options), of which all was requested: the
 * log is not inspected again.  With `has_rest_only` only buffers that have other events than calls,
 * allocations and objects are read, else all that the summary has.  The names that the bins have
 * are the log's then. */
struct ordered_log *ordered_log_open_known (struct log_command *command, const char *path,
                                            struct summary *summary, bool has_rest_only,
                                            int *status);

/* The same of an eventlog of which `map` is known (transfer full). */
struct ordered_log *ordered_log_open_map (struct log_command *command, const char *path,
                                          struct log_map *map, int *status);

/* Reports why the command does not read the log that was opened, and sets its status. */
void ordered_log_refuse (struct ordered_log *log, const char *why);

/* Its events are read now: progress begins anew, of the bytes of the file; progress_end ends it. */
void ordered_log_begin (struct ordered_log *log);

/* The input at its beginning (transfer full); the log is to be closed then. */
struct log_input *ordered_log_steal_input (struct ordered_log *log);

/* Reports damage that was not reported yet, and closes the log. */
void ordered_log_close (struct ordered_log *log);

#endif
