/* check-level.h -- how bad a finding of a check is, and the findings of either format. */
#ifndef PROFLOG_CHECK_LEVEL_H
#define PROFLOG_CHECK_LEVEL_H

#include <stdint.h>

/* Damages, and buffers or blocks with damage, that are retained; more are counted only. */
#define CHECK_DAMAGES_MAX 10000

enum check_level {
  CHECK_NOTE,    /* whole logs have that, too */
  CHECK_WARNING, /* figures may be wrong for it */
  CHECK_ERROR,   /* something is missing */
};

struct check_finding_type {
  const char *name; /* "time-backwards" */
  enum check_level level;
  const char *text;
};

struct check_finding {
  uint64_t count;
  uint64_t offset; /* of the first, in the log */
};

struct check_damage {
  uint64_t offset;
  uint64_t skipped; /* bytes */
  char *message;
};

#endif
