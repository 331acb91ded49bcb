/* log-reads.h -- items of a log, as they stand there and in order of time. */
#ifndef PROFLOG_LOG_READS_H
#define PROFLOG_LOG_READS_H

#include "decoder/ghc/analyses/ghc-summary.h"
#include "decoder/ghc/index/ghc-block-index.h"
#include "decoder/log/log-open.h"
#include "decoder/mlpd/index/buffers.h"
#include "decoder/mlpd/mlpd-span.h"

/* ---- items in the order of the file ---- */

struct ghc_order_handler;
struct log_map;

/* Is called for every item, and for damage of the compression, which is reported in any case (NULL:
 * not called).  `text` is for output: it is written out after the call. */
struct log_handler {
  void (*item) (void *data, const struct mlpd_item *item, GString *text);
  void (*damage) (void *data, bool truncated, const char *message, GString *text);
  /* Handles events of a buffer at once, as many as it likes; NULL: items come alone. */
  void (*span) (void *data, struct mlpd_span *span);
  /* Is a marked buffer without damage (buffer-flags.c) of no concern?  Then it is not read, if the
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
  bool (*needs_order) (const void *data); /* if so, at the end: are they needed? NULL: yes */
  /* Before that: true if the handler gets the map of the log (transfer full), to read it in order
   * itself.  NULL: it does not. */
  bool (*keeps) (void *data, struct log_map *map);
};
int log_command_read_eventlog (struct log_command *command, const char *path,
                               const struct ghc_handler *handler, void *data);

/* ---- events of an eventlog in order of time ---- */

/* Is called for the events in order of time. */
struct ghc_order_handler {
  void (*filter) (void *data, const struct ghc_filter *filter); /* before anything else */
  void (*begin) (void *data, const struct ghc_header *header, GString *text);
  void (*item) (void *data, const struct ghc_item *item, GString *text);
  void (*end) (void *data, uint64_t events, GString *text);
  /* Gets the texts in order, from the caller's thread; false stops.  NULL: they are output. */
  bool (*write) (void *data, const GString *text);
  /* Instead of `item` and `write`: gets the events themselves, as ghc_order_sink has it. */
  bool (*wants) (const void *data, enum ghc_kind kind);
  bool (*take) (void *data, const struct ghc_item *item);
  bool all_times; /* events outside of the selected times, too */
};

/* Reads an eventlog and calls a handler for its events in order of time, on all cores: `item` is
 * called from any thread, each with a text of its own; the texts are written out in order.  `end`
 * gets the number of events of the log of `begin`; a file may contain several logs.  Returns the
 * exit status. */
int log_command_order_eventlog (struct log_command *command, const char *path,
                                const struct ghc_order_handler *handler, void *data);

/* The same for an eventlog that was read to its end, of which `map` is known; `filter` is not
 * called.  `text` is for output, and is left empty. */
int log_read_again_ordered (struct log_read_context *reading, struct log_input *input,
                            const struct log_map *map, const struct ghc_order_handler *handler,
                            const struct ghc_filter *filter, GString *text, void *data);

/* Calls `handle` for the events of threads, tasks and sparks in order of time, from the caller's
 * thread, until it is false.  *has_header: whether there was a log.  Returns the exit status. */
int log_command_follow_threads (struct log_command *command, const char *path,
                                bool (*handle) (void *data, const struct ghc_item *item),
                                void *data, bool *has_header);

#endif
