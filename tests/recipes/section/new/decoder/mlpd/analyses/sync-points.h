/* sync-points.h -- how often buffers of all threads were written, by reason. */
#ifndef PROFLOG_SYNC_POINTS_H
#define PROFLOG_SYNC_POINTS_H

#include <stdint.h>

#define SYNC_POINT_TYPES 3

struct sync_points {
  uint64_t count;
  uint64_t by_type[SYNC_POINT_TYPES];
};

extern const struct analysis sync_points_analysis;

#endif
