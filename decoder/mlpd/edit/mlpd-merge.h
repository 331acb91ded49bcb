/* mlpd-merge.h -- makes one Mono log of the parts that cut wrote of it.
 *
 * All parts have the names of the whole log, in its order: these are common.  Between two of them
 * come the events of each part, buffer by buffer, in the order of their beginnings.  A buffer that
 * was divided comes as a whole: the second part of it begins when the first one ended.  Names that
 * one of the parts has among its events are events of the result; all others are its context.  Of a
 * single part, everything comes in the order of the file.
 */
#ifndef PROFLOG_MLPD_MERGE_H
#define PROFLOG_MLPD_MERGE_H

#include "decoder/mlpd/edit/mlpd-part-writer.h"

struct mlpd_merged {
  const struct mlpd_item *item; /* the reader's next one; NULL: it is to be offered */
  bool is_damaged;              /* it may lack names */
  bool has_hole;                /* of bytes in its middle */
  GBytes *header;               /* of the file */
  struct counters counters;
  bool begins_buffer;    /* the item does */
  uint64_t before, time; /* of the event before the item in its buffer, and of the item */
  GHashTable *threads;   /* id -> times of its events */
};

struct mlpd_merge {
  struct mlpd_part_writer part;
  struct mlpd_merged *logs;
  size_t n_logs;
  size_t current;                  /* the log whose buffer is open; n_logs: none */
  uint64_t open_thread, open_time; /* of that buffer, and of its last event */
  bool has_time;
  uint64_t latest;                      /* time of the last event */
  uint64_t whole_latest, latest_thread; /* the same of the whole log, as parts state it */
  bool has_end;
  uint64_t end_time, end_thread; /* of the end mark */
  size_t other[2];               /* the logs that an error is about */
};

/* MLPD_MERGE_ERROR: two logs, other[0] and other[1], are no parts of one log.  The message
 * completes "A and B ". */
#define MLPD_MERGE_ERROR (mlpd_merge_error_quark ())
GQuark mlpd_merge_error_quark (void);

void mlpd_merge_init (struct mlpd_merge *merge, size_t n_logs);
void mlpd_merge_clear (struct mlpd_merge *merge);

/* Offers the next item of a log that has none, until it has one or is at its end.  The item has to
 * stay valid until it is written.  False on errors, as below. */
bool mlpd_merge_offer (struct mlpd_merge *merge, size_t nth, const struct mlpd_item *item,
                       GError **error);

/* All logs have an item or are at their ends: writes the next item.  Then the log *nth has none, or
 * if that is n_logs, no log has.  False with MLPD_WRITER_ERROR or MLPD_MERGE_ERROR. */
bool mlpd_merge_step (struct mlpd_merge *merge, size_t *nth, GError **error);

/* Are all logs at their ends? */
bool mlpd_merge_is_over (const struct mlpd_merge *merge);

/* Ends the result, after which all its bytes are complete. */
bool mlpd_merge_end (struct mlpd_merge *merge, GError **error);

#endif
