/* replay-values.h -- the values of the options of proflog replay. */
#ifndef PROFLOG_REPLAY_VALUES_H
#define PROFLOG_REPLAY_VALUES_H

#include "decoder/log/log-command.h"

struct replay_values {
  struct log_command log;
  const char *into; /* NULL: not given */
};

#endif
