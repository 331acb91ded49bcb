/* log-read-ordered.h -- reads an eventlog in order of time. */
#ifndef PROFLOG_LOG_READ_ORDERED_H
#define PROFLOG_LOG_READ_ORDERED_H

#include "decoder/log/log-map.h"
#include "decoder/log/log-open.h"

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
