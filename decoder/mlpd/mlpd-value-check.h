/* mlpd-value-check.h -- whether a data version has room for the values of an event. */
#ifndef PROFLOG_MLPD_VALUE_CHECK_H
#define PROFLOG_MLPD_VALUE_CHECK_H

#include <proflog/mlpd-writer.h>

/* Of an event that the data version has.  False with MLPD_WRITER_ERROR VALUE or TOO_LONG if what is
 * read back would be something else. */
bool mlpd_check_values (enum mlpd_kind kind, const union mlpd_payload *payload, unsigned version,
                        uint8_t pointer_size, GError **error);

#endif
