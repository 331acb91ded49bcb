/* mlpd-object-unit.h -- whether the differences of objects count bytes, as the published text has
 * it, or units of 8 bytes, as all known writers have it.
 */
#ifndef PROFLOG_MLPD_OBJECT_UNIT_H
#define PROFLOG_MLPD_OBJECT_UNIT_H

#include <proflog/mlpd.h>
#include <stddef.h>

enum mlpd_object_unit {
  MLPD_OBJECT_UNIT_OPEN, /* more of the log has to be inspected; where there is none, units of 8 */
  MLPD_OBJECT_UNIT_BYTE,
  MLPD_OBJECT_UNIT_8,
};

/* The unit, by the beginning of a log.  `is_all`: no more will be inspected. */
enum mlpd_object_unit mlpd_find_object_unit (const uint8_t *bytes, size_t length, bool is_all);

#endif
