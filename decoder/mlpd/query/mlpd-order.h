/* mlpd-order.h -- the events of a Mono log in order of time, in memory that does not grow with the
 * log.
 *
 * Each buffer is read by itself from when its time base comes, or its first event if that is
 * earlier (a writer logs methods that were compiled a while ago), and its events are merged with
 * those of the other buffers that are open then: one of each thread that exists.  Within a buffer
 * events stay in their order, as they build on one another: one that was written late, with a time
 * before that of the event in front of it, comes right after that.  Of one time, the event that is
 * earlier in the file comes first.
 */
#ifndef PROFLOG_MLPD_ORDER_H
#define PROFLOG_MLPD_ORDER_H

#include "decoder/input/log-input.h"

#include <proflog/mlpd-reader.h>

struct mlpd_order {
  bool has_header, has_buffer;
  bool is_part; /* names are announced again: the log continues another one, or is a part of one */
  bool has_usage; /* samples of the wall clock state whether their threads ran; of a log that was
                     inspected */
  struct mlpd_file_header header; /* without its texts */
  uint64_t header_size;           /* bytes of the file before the first buffer */
  uint64_t first_time;            /* time base of the first buffer */
  uint64_t earliest;              /* time base of those that have events */
  GArray *buffers;                /* struct mlpd_ordered_buffer, by begin and offset */
};

struct mlpd_ordered_buffer {
  uint64_t offset; /* of its header */
  uint64_t end;    /* the offset after it */
  uint64_t begin;  /* its time base, or the time of its first event if that is earlier */
};

/* Reports while the log is inspected: all items but events, and with `names` the events that state
 * names; bytes that were read. */
struct mlpd_order_watch {
  void (*item) (void *data, const struct mlpd_item *item);
  void (*progress) (void *data, uint64_t bytes);
  void *data;
  bool names;
};

/* Inspects a log that is at its beginning and can be read anywhere (log_input_make_seekable), to
 * its end.  False and an error when it is none or cannot be read; it is to be cleared in any case.
 */
bool mlpd_order_init (struct mlpd_order *order, struct log_input *input,
                      const struct mlpd_order_watch *watch, GError **error);
void mlpd_order_clear (struct mlpd_order *order);

/* The same of buffers of a log that are known (struct mlpd_ordered_buffer; transfer full): no more
 * of it is read here than the file header.  `first_time`: the time base of its first buffer. */
void mlpd_order_init_known (struct mlpd_order *order, struct log_input *input, GArray *buffers,
                            uint64_t first_time);

/* The time of day, in ns since 1970, of a time on the log's clock: as exact as the header states
 * the start, which is in milliseconds.  Up to major version 2 the earliest buffer is assumed to
 * begin then. */
uint64_t mlpd_order_clock (const struct mlpd_order *order, uint64_t time);

/* Gives the events, each with its time; the item is valid during the call only.  Another thread
 * reads the input, some events ahead.  False if `item` stopped it, by returning false. */
bool mlpd_order_events (const struct mlpd_order *order, struct log_input *input,
                        bool (*item) (void *data, const struct mlpd_item *item, uint64_t time),
                        void *data);

/* The same, but of calls and allocations that follow each other in a buffer only the first or the
 * last: for callers that need no more than their times.  Faster. */
bool mlpd_order_run_ends (const struct mlpd_order *order, struct log_input *input,
                          bool (*item) (void *data, const struct mlpd_item *item, uint64_t time),
                          void *data);

#endif
