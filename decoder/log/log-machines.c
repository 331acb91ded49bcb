/* log-machines.c -- packs the events of threads in order of time, and hands them to machines. */
#include "config.h"

#include "decoder/log/log-machines.h"
#include "decoder/log/log-read-ordered.h"
#include "decoder/ghc/ghc-records.h"

struct following {
  bool (*handle) (void *data, const struct ghc_item *item);
  void *data;
  struct ghc_header header; /* of the events that come; its types are not there */
  bool has_header;
};

static void
store_filter (void *data, const struct ghc_filter *filter)
{
  (void) data;
  (void) filter;
}

static void
begin_log (void *data, const struct ghc_header *header, GString *text)
{
  struct following *f = data;
  (void) text;
  f->header = *header;
  f->header.types = NULL;
  f->header.n_types = 0;
  f->has_header = true;
}

static void
put_item (void *data, const struct ghc_item *item, GString *text)
{
  (void) data;
  if (ghc_records_can_hold (item->kind))
    ghc_records_put (text, item);
}

static bool
handle_items (void *data, const GString *text)
{
  struct following *f = data;
  return ghc_records_each (text, &f->header, f->handle, f->data);
}

static void
end_log (void *data, uint64_t events, GString *text)
{
  (void) data;
  (void) events;
  (void) text;
}

int
log_command_follow_threads (struct log_command *command, const char *path,
                            bool (*handle) (void *data, const struct ghc_item *item), void *data,
                            bool *has_header)
{
  static const struct ghc_order_handler handler = { .filter = store_filter,
                                                    .begin = begin_log,
                                                    .item = put_item,
                                                    .end = end_log,
                                                    .write = handle_items,
                                                    .all_times = true };
  struct following following = { .handle = handle, .data = data };
  const int status = log_command_order_eventlog (command, path, &handler, &following);
  *has_header = following.has_header;
  return status;
}
