/* fuzz-summary.h -- any bytes as a Mono log, for targets of its analyses. */
#ifndef PROFLOG_TESTS_FUZZ_SUMMARY_H
#define PROFLOG_TESTS_FUZZ_SUMMARY_H

#include "decoder/mlpd/analyses/summary.h"
#include <proflog/mlpd-reader.h>

/* All items that a reader finds, damage among them. */
static inline void
fuzz_summarize (const uint8_t *data, size_t size, struct summary *summary)
{
  const struct mlpd_item *item;
  struct mlpd_reader *reader = mlpd_reader_new ();
  mlpd_reader_push (reader, data, size);
  mlpd_reader_finish (reader);
  while (mlpd_reader_next (reader, &item) == PROFLOG_EVENT)
    summary_item (summary, item);
  mlpd_reader_free (reader);
  summary_finish (summary);
}

#endif
