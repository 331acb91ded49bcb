/* mlpd-cut.h -- writes a part of a Mono log as a log that reads alone.
 *
 * Names come along wherever they are, in buffers that announce them again: they count as neither
 * loaded nor compiled.  The first buffer begins when the log did, so times count from there in the
 * part, too.
 */
#ifndef PROFLOG_MLPD_CUT_H
#define PROFLOG_MLPD_CUT_H

#include "decoder/mlpd/analyses/counters.h"
#include "decoder/mlpd/index/buffer-filter.h"

#include <proflog/mlpd-reader.h>
#include <proflog/mlpd-writer.h>

struct mlpd_cut {
  struct mlpd_writer *writer;
  const struct buffer_filter *filter; /* threads and times; begun before the first event */
  uint64_t events, taken;             /* and of them those that are selected */

  /* While it reads. */
  struct counters counters; /* with their values */
  GHashTable *written; /* struct counter * -> value in the part (uint64_t); those it describes */
  bool has_time, has_output;
  uint64_t first_time, time; /* of the log; of the latest event in the buffer */
  enum mlpd_cut_buffer { MLPD_CUT_NONE, MLPD_CUT_EVENTS, MLPD_CUT_AGAIN, MLPD_CUT_CONTEXT } open;
  /* that is written, of the source's current one */
  bool is_after_hit, is_hit_selected;
  uint64_t latest, latest_thread; /* time of the log's last event, and its thread */
  unsigned version;               /* data version */
  bool has_end;
  uint64_t end_time, end_thread; /* of the end mark */
};

/* Texts and lists of an event are the reader's. */
void mlpd_cut_init (struct mlpd_cut *cut, const struct buffer_filter *filter);
void mlpd_cut_clear (struct mlpd_cut *cut);

/* The next item, in the order of the file.  False and an error if it cannot be written. */
bool mlpd_cut_item (struct mlpd_cut *cut, const struct mlpd_item *item, GError **error);

/* After the last item. */
bool mlpd_cut_end (struct mlpd_cut *cut, GError **error);

#endif
