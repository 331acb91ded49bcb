/* merge-logs.h -- the logs that proflog merge reads. */
#ifndef PROFLOG_MERGE_LOGS_H
#define PROFLOG_MERGE_LOGS_H

#include "decoder/log/log-kind.h"

/* One of the logs that are merged; it can be read again from its beginning. */
struct merge_log {
  const char *path;        /* as log_command has it */
  char *name;              /* for messages; owned */
  struct log_input *input; /* owned; NULL: it was not opened */
  const struct log_kind *kind;
};

#endif
