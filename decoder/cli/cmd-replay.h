/* cmd-replay.h -- the values of the options of proflog replay. */
#ifndef PROFLOG_CMD_REPLAY_H
#define PROFLOG_CMD_REPLAY_H

#include "decoder/cli/log-command.h"

struct replay_values {
  struct log_command log;
  const char *into; /* NULL: not given */
};

#endif
