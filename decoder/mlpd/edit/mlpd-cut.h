/* mlpd-cut.h -- writes a part of a Mono log as a log that reads alone.
 *
 * Names come along wherever they are, in buffers that announce them again: they count as neither
 * loaded nor compiled.  The first buffer begins when the log did, so times count from there in the
 * part, too.
 */
#ifndef PROFLOG_MLPD_CUT_H
#define PROFLOG_MLPD_CUT_H

#include "decoder/mlpd/edit/mlpd-part-writer.h"
#include "decoder/mlpd/index/buffer-filter.h"

#include <proflog/mlpd-reader.h>

struct mlpd_cut {
  struct mlpd_part_writer part;
  const struct buffer_filter *filter; /* threads and times; begun before the first event */
  uint64_t events, taken;             /* and of them those that are selected */

  /* While it reads. */
  struct counters counters; /* with their values */
  bool has_time;
  uint64_t time; /* of the latest event in the buffer */
  bool is_after_hit, is_hit_selected;
  uint64_t latest, latest_thread; /* time of the log's last event, and its thread */
  bool is_damaged;                /* in the middle */
  bool has_end;
  uint64_t end_time, end_thread; /* of the end mark */
};

/* Texts and lists of an event are the reader's. */
void mlpd_cut_init (struct mlpd_cut *cut, const struct buffer_filter *filter);
void mlpd_cut_clear (struct mlpd_cut *cut);

/* The next item, in the order of the file.  False and an error if it cannot be written. */
bool mlpd_cut_item (struct mlpd_cut *cut, const struct mlpd_item *item, GError **error);

/* After the last item. */
void mlpd_cut_end (struct mlpd_cut *cut);

#endif
