/* log-read.c -- the items of a log, as they stand in it, for a handler. */
#include "config.h"

#include "decoder/ghc/index/ghc-block-skip.h"
#include "decoder/log/log-reads.h"
#include "decoder/mlpd/index/buffers.h"
#include "decoder/mlpd/query/select.h"
#include "decoder/command/cli.h"
#include "decoder/log/log-map.h"
#include "decoder/log/log-open.h"

enum { SPAN_BYTES = 16 << 10 };

/* A reader of either format at work. */
struct feed {
  const struct feed_backend *backend;
  struct log_read_context *r;
  void *reader;
  const void *handler; /* struct log_handler or ghc_handler */
  void *data;
  GString *text;
  int status;
  /* Of a log that is not read whole; else NULL. */
  struct buffer_skip *skip;
  struct ghc_block_skip *blocks;
  struct ghc_chunks_builder *chunks; /* of an eventlog that is read again; else NULL */
};

/* The difference between the formats. */
struct feed_backend {
  void (*push) (struct feed *f, const uint8_t *bytes, size_t length);
  void (*finish) (struct feed *f);
  enum proflog_result (*next) (struct feed *f); /* one item, to the handler */
  const GError *(*error) (const struct feed *f);
};

/* Writes the handler's output when it is enough to be worth it; false if that fails. */
static bool
write_some (struct feed *f)
{
  struct log_command *c = f->r->command;
  if (f->text->len <= 64 * 1024)
    return true;
  progress_clear (&c->progress);
  if (!output_write (&c->output, f->text)) {
    f->status = CLI_INPUT;
    return false;
  }
  g_string_truncate (f->text, 0);
  return true;
}

/* Handles the events of a buffer that can be handled at once. */
static void
handle_mono_span (struct feed *f)
{
  const struct log_handler *handler = f->handler;
  struct mlpd_span span;
  if (handler->span != NULL && mlpd_span_of (f->reader, &span)) {
    handler->span (f->data, &span);
    mlpd_span_pass (f->reader, &span);
  }
}

static void
push_to_mono (struct feed *f, const uint8_t *bytes, size_t length)
{
  mlpd_reader_push (f->reader, bytes, length);
  handle_mono_span (f);
}

static void
finish_mono (struct feed *f)
{
  mlpd_reader_finish (f->reader);
}

static enum proflog_result
next_of_mono (struct feed *f)
{
  const struct log_handler *handler = f->handler;
  const struct mlpd_item *item;
  const enum proflog_result result = mlpd_reader_next (f->reader, &item);
  if (result == PROFLOG_EVENT) {
    if (!log_read_context_handle_item (f->r, item, &f->status))
      return result;
    if (item->type == MLPD_ITEM_BUFFER)
      buffer_filter_begin (&f->r->command->filter, item->buffer->time_base);
    handler->item (f->data, item, f->text);
    handle_mono_span (f);
  }
  return result;
}

static const GError *
error_mono (const struct feed *f)
{
  return mlpd_reader_error (f->reader);
}

static const struct feed_backend feed_mono
    = { push_to_mono, finish_mono, next_of_mono, error_mono };

/* Handles the events of a block that can be handled at once. */
static void
handle_span (struct feed *f)
{
  const struct ghc_handler *handler = f->handler;
  struct ghc_span span;
  if (handler->span != NULL && ghc_span_of (f->reader, &span)) {
    if (f->chunks != NULL) /* which are not to end much later than they would */
      span.end = span.at + MIN ((size_t) (span.end - span.at), SPAN_BYTES);
    handler->span (f->data, &span);
    if (f->chunks != NULL)
      ghc_chunks_span (f->chunks, &span);
    ghc_span_pass (f->reader, &span);
  }
}

static void
push_ghc (struct feed *f, const uint8_t *bytes, size_t length)
{
  ghc_reader_push (f->reader, bytes, length);
  handle_span (f);
}

static void
finish_ghc (struct feed *f)
{
  ghc_reader_finish (f->reader);
}

static enum proflog_result
next_of_ghc (struct feed *f)
{
  const struct ghc_handler *handler = f->handler;
  const struct ghc_item *item;
  const enum proflog_result result = ghc_reader_next (f->reader, &item);
  if (result == PROFLOG_EVENT) {
    if (!log_read_context_handle_ghc_item (f->r, item, &f->status))
      return result;
    handler->item (f->data, item, f->text);
    if (f->chunks != NULL)
      ghc_chunks_item (f->chunks, item);
    if (f->blocks != NULL && item->type == GHC_ITEM_EVENT)
      ghc_block_skip_item (f->blocks, item);
    handle_span (f);
  }
  return result;
}

static const GError *
error_ghc (const struct feed *f)
{
  return ghc_reader_error (f->reader);
}

static const struct feed_backend feed_ghc = { push_ghc, finish_ghc, next_of_ghc, error_ghc };

/* Gives the reader more, nothing at the end, and takes all items that it makes of it; false at its
 * end or on an error, with the status set. */
static bool
feed_some (struct feed *f, const uint8_t *bytes, size_t length)
{
  enum proflog_result result;
  if (length == 0)
    f->backend->finish (f);
  else
    f->backend->push (f, bytes, length);
  while ((result = f->backend->next (f)) == PROFLOG_EVENT)
    if (!write_some (f))
      return false;
  if (result == PROFLOG_ERROR) {
    log_read_context_error (f->r, f->backend->error (f));
    f->status = CLI_INPUT;
  }
  return result == PROFLOG_NEED_MORE;
}

static bool
read_some (struct feed *f, struct log_input *input, const uint8_t **bytes, size_t *length,
           GError **error)
{
  if (f->skip == NULL && f->blocks == NULL)
    return log_input_read (input, bytes, length, error);
  *length = f->skip != NULL ? buffer_skip_read (f->skip) : ghc_block_skip_read (f->blocks);
  *bytes = f->skip != NULL ? f->skip->bytes : f->blocks->bytes;
  return true;
}

/* Bytes of the log up to here, of which `length` were read last. */
static uint64_t
end_of_read (const struct feed *f, uint64_t before, size_t length)
{
  return f->skip != NULL ? f->skip->at : f->blocks != NULL ? f->blocks->at : before + length;
}

/* Reads the input to its end, or to an error. */
static void
feed_all (struct feed *f, struct log_input *input)
{
  GError *error = NULL;
  const uint8_t *bytes;
  size_t length;
  uint64_t read = 0;
  bool more = true;
  while (more) {
    if (!read_some (f, input, &bytes, &length, &error)) {
      log_read_context_error (f->r, error);
      g_clear_error (&error);
      f->status = CLI_INPUT;
      break;
    }
    more = feed_some (f, bytes, length) && length != 0;
    read = end_of_read (f, read, length);
    progress_update (&f->r->command->progress, read);
  }
}

/* Writes the rest of the output and closes the log that was read.  `damage` is the handler's, or
 * NULL. */
static int
feed_end (struct feed *f, struct log_input *input,
          void (*damage) (void *data, bool truncated, const char *message, GString *text))
{
  bool truncated;
  char *message = log_read_context_close (f->r, input, f->status, &truncated);
  if (message != NULL && damage != NULL)
    damage (f->data, truncated, message, f->text);
  g_free (message);
  if (!output_write (&f->r->command->output, f->text))
    f->status = CLI_INPUT;
  g_string_free (f->text, TRUE);
  return f->status;
}

/* ---- buffers that are not read ---- */

static const struct indexed_buffer *
nth_buffer (const struct feed *f, guint n)
{
  return &g_array_index (f->skip->index->buffers, struct indexed_buffer, n);
}

/* Times count from the first buffer. */
static bool
is_needed (const void *data, guint n)
{
  const struct feed *f = data;
  const struct log_handler *handler = f->handler;
  const struct indexed_buffer *buffer = nth_buffer (f, n);
  return n == 0 || !buffer_index_knows (f->skip->index, n)
         || (buffer->flags & BUFFER_IS_DAMAGED) != 0 || !handler->passes (f->data, buffer);
}

static void
passed (const void *data, guint n)
{
  const struct feed *f = data;
  const struct log_handler *handler = f->handler;
  handler->passed (f->data, nth_buffer (f, n));
}

/* Of a log with the file of an index, no more is read than the handler needs. */
static struct buffer_index *
begin_skipping (struct feed *f, struct log_input *input, struct buffer_skip *skip)
{
  struct log_command *c = f->r->command;
  const struct log_handler *handler = f->handler;
  struct buffer_index *index = handler->passes != NULL ? buffer_index_read_cached (input) : NULL;
  if (index == NULL)
    return NULL;
  buffer_filter_begin (&c->filter,
                       g_array_index (index->buffers, struct indexed_buffer, 0).time_base);
  buffer_skip_init (skip, index, input, f->reader);
  skip->is_needed = is_needed;
  skip->passed = passed;
  skip->data = f;
  f->skip = skip;
  return index;
}

static void
end_skipping (struct feed *f, struct buffer_index *index)
{
  if (f->skip != NULL)
    buffer_skip_clear (f->skip);
  buffer_index_free (index);
}

int
log_command_read (struct log_command *c, const char *path, const struct log_handler *handler,
                  void *data)
{
  struct log_read_context r = { .command = c, .name = path };
  GError *error = NULL;
  struct log_input *input = log_read_context_open (&r, path);
  if (input == NULL)
    return CLI_INPUT;
  buffer_filter_init (&c->filter, &c->selection, NULL);
  if (selection_needs_survey (&c->selection) && !log_selection_survey (&c->filter, input, &error)) {
    buffer_filter_clear (&c->filter);
    return log_read_context_refuse (&r, input, error);
  }
  struct mlpd_reader *reader = log_input_new_reader (input);
  struct feed f
      = { .backend = &feed_mono, .r = &r, .reader = reader, .handler = handler, .data = data };
  f.text = g_string_new (NULL);
  struct buffer_skip skip;
  struct buffer_index *index = begin_skipping (&f, input, &skip);
  feed_all (&f, input);
  end_skipping (&f, index);
  const int status = feed_end (&f, input, handler->damage);
  mlpd_reader_free (reader);
  buffer_filter_clear (&c->filter);
  return status;
}

/* Likewise of an eventlog. */
static struct ghc_block_index *
begin_skipping_blocks (struct feed *f, struct log_input *input, struct ghc_block_skip *skip)
{
  const struct ghc_handler *handler = f->handler;
  struct ghc_block_index *index = handler->passes != NULL ? ghc_block_index_read (input) : NULL;
  if (index == NULL)
    return NULL;
  ghc_block_skip_init (skip, index, input, f->reader);
  skip->is_passed = handler->passes;
  skip->data = f->data;
  f->blocks = skip;
  return index;
}

static void
end_skipping_blocks (struct feed *f, struct ghc_block_index *index)
{
  const struct ghc_handler *handler = f->handler;
  if (f->blocks != NULL) {
    handler->passed (f->data, f->blocks->events);
    ghc_block_skip_clear (f->blocks);
  }
  ghc_block_index_free (index);
}

static void
note_item (void *data, const struct ghc_item *item)
{
  log_map_item (data, item);
}

static void
note_event (void *data, const struct ghc_item *item)
{
  log_map_event (data, item);
}

/* Reads an eventlog, and then again in order of time, or lets the handler do so. */
static void
feed_in_order (struct feed *f, struct log_input *input, const struct ghc_filter *filter)
{
  const struct ghc_handler *handler = f->handler;
  struct log_map map;
  const struct ghc_chunks_watch watch = {
    .item = note_item, .event = note_event, .data = &map, .has_stacks = handler->keeps != NULL
  };
  struct ghc_chunks_builder chunks;
  log_map_init (&map, handler->keeps != NULL, f->r->command->names);
  ghc_chunks_begin (&chunks, &map.chunks, log_input_size (input), 0, &watch);
  f->chunks = &chunks;
  feed_all (f, input);
  f->chunks = NULL;
  ghc_chunks_end (&chunks);
  if (f->status == CLI_OK && handler->keeps != NULL && handler->keeps (f->data, &map))
    return;
  if (f->status == CLI_OK && handler->ordered != NULL
      && (handler->needs_order == NULL || handler->needs_order (f->data)))
    f->status
        = log_read_again_ordered (f->r, input, &map, handler->ordered, filter, f->text, f->data);
  log_map_clear (&map);
}

int
log_command_read_eventlog (struct log_command *c, const char *path,
                           const struct ghc_handler *handler, void *data)
{
  struct log_read_context r = { .command = c, .name = path };
  struct ghc_filter filter;
  struct log_input *input = log_read_context_open_eventlog (
      &r, path, &filter, handler->ordered != NULL ? log_input_make_rewindable : NULL);
  if (input == NULL)
    return CLI_INPUT;
  if (handler->filter != NULL)
    handler->filter (data, &filter);
  struct ghc_reader *reader = ghc_reader_new ();
  struct feed f
      = { .backend = &feed_ghc, .r = &r, .reader = reader, .handler = handler, .data = data };
  f.text = g_string_new (NULL);
  struct ghc_block_skip skip;
  struct ghc_block_index *index = begin_skipping_blocks (&f, input, &skip);
  if (handler->ordered != NULL || handler->keeps != NULL)
    feed_in_order (&f, input, &filter);
  else
    feed_all (&f, input);
  end_skipping_blocks (&f, index);
  const int status = feed_end (&f, input, handler->damage);
  ghc_reader_free (reader);
  ghc_filter_clear (&filter);
  return status;
}
