/* mlpd-anonymizer.h -- writes a Mono log again, without the texts of the program and its user.
 *
 * Numbers, times, addresses and the division into buffers stay.
 */
#ifndef PROFLOG_MLPD_ANONYMIZER_H
#define PROFLOG_MLPD_ANONYMIZER_H

#include "decoder/core/secret.h"

#include <proflog/mlpd-reader.h>
#include <proflog/mlpd-writer.h>

struct mlpd_anonymizer {
  const struct secrets *secrets; /* borrowed */
  struct mlpd_writer *writer;
  uint64_t time;   /* of the latest event in the buffer */
  bool is_damaged; /* a mark states that */
  /* Of the event that was changed last. */
  GStringChunk *texts;
  GArray *counters, *values; /* of struct mlpd_counter, mlpd_counter_value */
};

void mlpd_anonymizer_init (struct mlpd_anonymizer *anonymizer, const struct secrets *secrets);
void mlpd_anonymizer_clear (struct mlpd_anonymizer *anonymizer);

/* The next item, in the order of the file.  False, with MLPD_WRITER_ERROR, if it cannot be written.
 */
bool mlpd_anonymizer_item (struct mlpd_anonymizer *anonymizer, const struct mlpd_item *item,
                           GError **error);

#endif
