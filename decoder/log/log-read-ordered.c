/* log-read-ordered.c -- merges the blocks of an eventlog by time. */
#include "config.h"

#include "decoder/log/log-map.h"
#include "decoder/log/log-open.h"
#include "decoder/ghc/analyses/ghc-threads.h"
#include "decoder/ghc/index/ghc-order.h"
#include "decoder/command/cli.h"
#include "decoder/log/log-reads.h"

/* An eventlog that is put in order. */
struct order_context {
  struct log_read_context *r;
  struct log_input *input;
  const struct ghc_filter *filter;
  const struct ghc_order_handler *handler;
  void *data;
  GString *text;
  int status;
};

static void
watch_ghc_item (void *data, const struct ghc_item *item)
{
  struct order_context *o = data;
  log_read_context_handle_ghc_item (o->r, item, &o->status);
}

static void
watch_ghc_progress (void *data, uint64_t bytes)
{
  struct order_context *o = data;
  progress_update (&o->r->command->progress, bytes);
}

static void
order_item (void *data, const struct ghc_item *item, GString *text)
{
  const struct order_context *o = data;
  o->handler->item (o->data, item, text);
}

static bool
wants_kind (const void *data, enum ghc_kind kind)
{
  const struct order_context *o = data;
  return o->handler->wants (o->data, kind);
}

static bool
take_item (void *data, const struct ghc_item *item)
{
  const struct order_context *o = data;
  return o->handler->take (o->data, item);
}

static bool
write_ordered (void *data, GString *text)
{
  struct order_context *o = data;
  struct log_command *c = o->r->command;
  if (o->handler->write != NULL) {
    const bool go_on = o->handler->write (o->data, text);
    g_string_truncate (text, 0);
    return go_on;
  }
  if (text->len != 0)
    progress_clear (&c->progress);
  if (!output_write (&c->output, text))
    o->status = CLI_INPUT;
  g_string_truncate (text, 0);
  return o->status == CLI_OK;
}

static bool
order_part (struct order_context *o, const struct ghc_chunks *chunks, const struct ghc_part *part)
{
  const struct ghc_order_sink sink = { .item = order_item,
                                       .write = write_ordered,
                                       .data = o,
                                       .wants = wants_kind,
                                       .take = o->handler->take != NULL ? take_item : NULL };
  struct ghc_order_options options = { .to = UINT64_MAX };
  if (!o->handler->all_times)
    options.from = o->filter->from;
  if (!o->handler->all_times && o->filter->to != UINT64_MAX)
    options.to = o->filter->to - 1;
  o->handler->begin (o->data, &part->types->header, o->text);
  if (!write_ordered (o, o->text) || !ghc_order_events (chunks, part, o->input, &options, &sink))
    return false;
  o->handler->end (o->data, part->events, o->text);
  return write_ordered (o, o->text);
}

static void
order_parts (struct order_context *o, const struct ghc_chunks *chunks)
{
  for (guint i = 0; i < chunks->parts->len; i++)
    if (o->status != CLI_OK
        || !order_part (o, chunks, &g_array_index (chunks->parts, struct ghc_part, i)))
      break;
}

static void
inspect_and_order (struct order_context *o)
{
  const struct ghc_chunks_watch watch
      = { .item = watch_ghc_item, .progress = watch_ghc_progress, .data = o };
  struct ghc_chunks chunks;
  GError *error = NULL;
  if (!ghc_chunks_init (&chunks, o->input, 0, &watch, &error)) {
    log_read_context_error (o->r, error);
    g_error_free (error);
    o->status = CLI_INPUT;
  }
  order_parts (o, &chunks);
  ghc_chunks_clear (&chunks);
}

int
log_read_again_ordered (struct log_read_context *r, struct log_input *input,
                        const struct log_map *map, const struct ghc_order_handler *handler,
                        const struct ghc_filter *filter, GString *text, void *data)
{
  GError *error = NULL;
  struct order_context o = {
    .r = r, .input = input, .filter = filter, .handler = handler, .data = data, .text = text
  };
  log_input_rewind (input);
  if (!log_input_make_seekable (input, &error)) {
    log_read_context_error (r, error);
    g_error_free (error);
    return CLI_INPUT;
  }
  order_parts (&o, &map->chunks);
  return o.status;
}

int
log_command_order_eventlog (struct log_command *c, const char *path,
                            const struct ghc_order_handler *handler, void *data)
{
  struct log_read_context r = { .command = c, .name = path };
  struct ghc_filter filter;
  struct log_input *input
      = log_read_context_open_eventlog (&r, path, &filter, log_input_make_seekable);
  if (input == NULL)
    return CLI_INPUT;
  handler->filter (data, &filter);
  struct order_context o = { .r = &r,
                             .input = input,
                             .filter = &filter,
                             .handler = handler,
                             .data = data,
                             .text = g_string_new (NULL),
                             .status = CLI_OK };
  inspect_and_order (&o);
  bool truncated;
  g_free (log_read_context_close (&r, input, o.status, &truncated));
  g_string_free (o.text, TRUE);
  ghc_filter_clear (&filter);
  return o.status;
}

/* ---- events of state machines ---- */

struct following {
  bool (*handle) (void *data, const struct ghc_item *item);
  void *data;
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
  (void) header;
  (void) text;
  f->has_header = true;
}

static bool
is_followed (const void *data, enum ghc_kind kind)
{
  (void) data;
  return ghc_threads_handles (kind);
}

static bool
follow_item (void *data, const struct ghc_item *item)
{
  struct following *f = data;
  return f->handle (f->data, item);
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
                                                    .end = end_log,
                                                    .wants = is_followed,
                                                    .take = follow_item,
                                                    .all_times = true };
  struct following following = { .handle = handle, .data = data };
  const int status = log_command_order_eventlog (command, path, &handler, &following);
  *has_header = following.has_header;
  return status;
}
