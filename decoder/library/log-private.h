/* log-private.h -- a log that is open, for the parts of the library's interface. */
#ifndef PROFLOG_LOG_PRIVATE_H
#define PROFLOG_LOG_PRIVATE_H

#include "decoder/filter/filter.h"
#include "decoder/ghc/query/ghc-filter.h"
#include "decoder/input/log-input.h"
#include "decoder/mlpd/index/buffer-filter.h"
#include "decoder/views/mlpd/dump.h"
#include <proflog/log.h>

struct proflog_log {
  char *path;
  enum proflog_log_format format;
  struct selection selection;
  struct log_input *input; /* nothing of it was read, or it is that of the events; NULL: taken */
  GError *error;

  /* Events. */
  bool is_reading, compression_reported;
  struct mlpd_reader *mono;
  const struct mlpd_item *mono_item; /* NULL: none */
  struct buffer_filter mono_filter;
  struct dump dump;
  struct ghc_reader *ghc;
  const struct ghc_item *ghc_item;
  struct ghc_filter ghc_filter;
  const struct log_file_damage *damage; /* of the compression: at the end */
  GStringChunk *texts; /* of fields of the event that were requested, each with a NUL */
  GArray *list;        /* of uint64_t: a stack of the event */
};

/* An input of which nothing was read: for the caller to close.  NULL with an error. */
struct log_input *take_log_input (struct proflog_log *log, GError **error);

#endif
