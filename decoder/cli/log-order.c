/* log-order.c -- see log-order.h. */
#include "decoder/cli/log-order.h"
#include "config.h"
#include "decoder/analyses/ghc-order.h"
#include "decoder/cli/cli.h"

/* An eventlog that is put in order. */
struct ordering {
  struct log_reading *r;
  struct log_input *input;
  const struct ghc_choice *choice;
  const struct ghc_order_handler *handler;
  void *data;
  GString *text;
  int status;
  bool again; /* it was read before: what is wrong with it was told */
};

static void
watch_ghc_item (void *data, const struct ghc_item *item)
{
  struct ordering *o = data;
  o->r->has_header |= item->type == GHC_ITEM_HEADER;
  if (item->type == GHC_ITEM_DAMAGE && !o->again)
    log_reading_damage (o->r, item->damage->message, item->damage->skipped, &o->status);
}

static void
watch_ghc_progress (void *data, uint64_t bytes)
{
  struct ordering *o = data;
  progress_update (&o->r->command->progress, bytes);
}

static void
order_item (void *data, const struct ghc_item *item, GString *text)
{
  const struct ordering *o = data;
  o->handler->item (o->data, item, text);
}

static bool
write_ordered (void *data, GString *text)
{
  struct ordering *o = data;
  struct log_command *c = o->r->command;
  if (o->handler->take != NULL) {
    const bool go_on = o->handler->take (o->data, text);
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
order_part (struct ordering *o, const struct ghc_chunks *chunks, const struct ghc_part *part)
{
  const struct ghc_order_sink sink = { order_item, write_ordered, o };
  struct ghc_order_options options = { .to = UINT64_MAX };
  if (!o->handler->all_times)
    options.from = o->choice->from;
  if (!o->handler->all_times && o->choice->to != UINT64_MAX)
    options.to = o->choice->to - 1;
  o->handler->begin (o->data, &part->layout->header, o->text);
  if (!write_ordered (o, o->text) || !ghc_order_events (chunks, part, o->input, &options, &sink))
    return false;
  o->handler->end (o->data, part->events, o->text);
  return write_ordered (o, o->text);
}

static void
order_parts (struct ordering *o)
{
  const struct ghc_chunks_watch watch = { watch_ghc_item, watch_ghc_progress, o };
  struct ghc_chunks chunks;
  GError *error = NULL;
  if (!ghc_chunks_init (&chunks, o->input, 0, &watch, &error)) {
    log_reading_error (o->r, error);
    g_error_free (error);
    o->status = CLI_INPUT;
  }
  for (guint i = 0; i < chunks.parts->len; i++)
    if (o->status != CLI_OK
        || !order_part (o, &chunks, &g_array_index (chunks.parts, struct ghc_part, i)))
      break;
  ghc_chunks_clear (&chunks);
}

int
log_order_again (struct log_reading *r, struct log_input *input,
                 const struct ghc_order_handler *handler, const struct ghc_choice *choice,
                 GString *text, void *data)
{
  GError *error = NULL;
  struct ordering o = { .r = r,
                        .input = input,
                        .choice = choice,
                        .handler = handler,
                        .data = data,
                        .text = text,
                        .again = true };
  log_input_rewind (input);
  if (!log_input_spool (input, &error)) {
    log_reading_error (r, error);
    g_error_free (error);
    return CLI_INPUT;
  }
  order_parts (&o);
  return o.status;
}

int
log_command_order_eventlog (struct log_command *c, const char *path,
                            const struct ghc_order_handler *handler, void *data)
{
  struct log_reading r = { .command = c, .name = path };
  struct ghc_choice choice;
  struct log_input *input = log_reading_open_eventlog (&r, path, &choice, log_input_spool);
  if (input == NULL)
    return CLI_INPUT;
  handler->choice (data, &choice);
  struct ordering o = { .r = &r,
                        .input = input,
                        .choice = &choice,
                        .handler = handler,
                        .data = data,
                        .text = g_string_new (NULL),
                        .status = CLI_OK };
  order_parts (&o);
  bool truncated;
  g_free (log_reading_close (&r, input, o.status, &truncated));
  g_string_free (o.text, TRUE);
  ghc_choice_clear (&choice);
  return o.status;
}
