/* log-read.h -- reads a log item by item, in the order of its file. */
#ifndef PROFLOG_LOG_READ_H
#define PROFLOG_LOG_READ_H

#include "decoder/log/log-open.h"
#include "decoder/mlpd/index/indexed-buffer.h"
#include "decoder/mlpd/mlpd-span.h"
#include "decoder/ghc/analyses/ghc-summary.h"
#include "decoder/ghc/index/ghc-block-index.h"

struct ghc_order_handler;
struct log_map;

/* Is called for every item, and for damage of the compression, which is reported in any case (NULL:
 * not called).  `text` is for output: it is written out after the call. */
struct log_handler {
  void (*item) (void *data, const struct mlpd_item *item, GString *text);
  void (*damage) (void *data, bool truncated, const char *message, GString *text);
  /* Handles events of a buffer at once, as many as it likes; NULL: items come alone. */
  void (*span) (void *data, struct mlpd_span *span);
  /* Is a marked buffer without damage (buffer-flags.h) of no concern?  Then it is not read, if the
   * log has an index, and reported.  NULL: all are. */
  bool (*passes) (const void *data, const struct indexed_buffer *buffer);
  void (*passed) (void *data, const struct indexed_buffer *buffer);
};

/* Reads a log and warns of its damage.  Returns the exit status so far. */
int log_command_read (struct log_command *command, const char *path,
                      const struct log_handler *handler, void *data);

/* The same for an eventlog. */
struct ghc_handler {
  void (*filter) (void *data, struct ghc_filter *filter); /* before the first item; NULL: none */
  void (*item) (void *data, const struct ghc_item *item, GString *text);
  void (*damage) (void *data, bool truncated, const char *message, GString *text);
  /* Handles the events of a block at once, and sets their size in bytes; NULL: items come alone. */
  void (*span) (void *data, struct ghc_span *span);
  /* As of struct log_handler; `passed` is called at the end with the number of events. */
  bool (*passes) (const void *data, const struct ghc_indexed_block *block);
  void (*passed) (void *data, uint64_t events);
  /* Gets all events again, in order of time, at the end of the log; its `filter` is not called.
   * NULL: nothing does. */
  const struct ghc_order_handler *ordered;
  /* Before that: true if the handler takes over what is known of the log (transfer full), to read
   * it in order itself.  NULL: it does not. */
  bool (*keeps) (void *data, struct log_map *map);
};
int log_command_read_eventlog (struct log_command *command, const char *path,
                               const struct ghc_handler *handler, void *data);

#endif
