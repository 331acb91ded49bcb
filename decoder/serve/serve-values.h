/* serve-values.h -- the values of the options of proflog serve. */
#ifndef PROFLOG_SERVE_VALUES_H
#define PROFLOG_SERVE_VALUES_H

#include "decoder/live/live-reading.h"

struct serve_values {
  struct log_command log;
  struct live_options live;
  struct cli_number interval, port;
  const char *token_file; /* NULL: a random token */
};

#endif
