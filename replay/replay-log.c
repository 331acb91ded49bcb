/* replay-log.c -- the first pass over the log. */
#include "config.h"

#include "decoder/command/cli.h"
#include "decoder/command/message.h"
#include "decoder/input/log-input.h"
#include "decoder/log/log-kind.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/mlpd/mlpd-origin.h"
#include "replay/replay-private.h"
#include <proflog/module-options.h>

struct replay_log replay_log;

/* By id: the thread that has it now, and whether the log has reported its end. */
struct bearer {
  uint64_t id;
  struct replay_thread *thread;
  bool ended;
};

/* The state while the log is read. */
struct log_pass {
  GHashTable *bearers;
  struct bearer *bearer;        /* of the buffer that is read */
  struct replay_buffer *buffer; /* the same buffer; NULL: it states names again */
  uint64_t time;                /* of the last event in it */
};

static struct replay_thread *
new_thread (uint64_t id)
{
  struct replay_thread *t = g_new0 (struct replay_thread, 1);
  t->id = id;
  t->number = replay_log.threads->len;
  t->buffers = g_array_new (FALSE, FALSE, sizeof (struct replay_buffer));
  g_ptr_array_add (replay_log.threads, t);
  return t;
}

static struct bearer *
bearer_of (struct log_pass *w, uint64_t id)
{
  struct bearer *b = g_hash_table_lookup (w->bearers, &id);
  if (b == NULL) {
    b = g_new0 (struct bearer, 1);
    b->id = id;
    b->thread = new_thread (id);
    g_hash_table_insert (w->bearers, &b->id, b);
  }
  return b;
}

/* Names that are announced again: the runtime reported them once, at another time. */
static void
begin_buffer (struct log_pass *w, const struct mlpd_item *item)
{
  const struct replay_buffer buffer = { *item->buffer, item->offset + item->size, 0 };
  w->time = item->buffer->time_base;
  w->buffer = NULL;
  replay_log.buffers++;
  if (mlpd_is_reannounced (item->buffer))
    return;
  w->bearer = bearer_of (w, item->buffer->thread);
  GArray *buffers = w->bearer->thread->buffers;
  g_array_append_val (buffers, buffer);
  w->buffer = &g_array_index (buffers, struct replay_buffer, buffers->len - 1);
}

/* A thread states its own start and end.  The buffer that has the start of one whose id has had an
 * end is the first of another thread. */
static void
handle_thread (struct log_pass *w, const struct mlpd_metadata_thread *e)
{
  struct bearer *b = w->bearer;
  if (e->thread != b->id)
    return;
  if (e->action == MLPD_LOAD_NAME && mlpd_header_is_ours (&replay_log.header)
      && g_strcmp0 (e->name.text, PROFLOG_MODULE_NAME) == 0) {
    b->thread->is_recorder = true;
  } else if (e->action == MLPD_LOAD_END_UNLOAD) {
    b->ended = true;
  } else if (e->action == MLPD_LOAD_END_LOAD && b->ended) {
    GArray *old = b->thread->buffers;
    b->ended = false;
    b->thread = new_thread (b->id);
    g_array_append_val (b->thread->buffers, *w->buffer);
    g_array_set_size (old, old->len - 1);
    w->buffer = &g_array_index (b->thread->buffers, struct replay_buffer, 0);
  }
}

static void
handle_event (struct log_pass *w, const struct mlpd_item *item)
{
  mlpd_event_time (item->kind, item->payload, &w->time);
  replay_log.events++;
  replay_names_item (item, w->time, w->buffer == NULL);
  if (w->buffer == NULL) {
    replay_log.reannounced++;
    return;
  }
  w->buffer->size = item->offset + item->size - w->buffer->offset;
  replay_log.kinds[item->kind]++;
  if (item->kind == MLPD_METADATA_THREAD)
    handle_thread (w, &item->payload->metadata_thread);
  if (item->kind == MLPD_GC_EVENT
      && item->payload->gc_event.event >= MLPD_GC_EVENT_PRE_STOP_WORLD_LOCKED)
    replay_log.has_gc_locks = true;
}

static void
handle_item (struct log_pass *w, const struct mlpd_item *item, int *status)
{
  log_read_context_handle_item (&replay_log.reading, item, status);
  switch (item->type) {
  case MLPD_ITEM_FILE_HEADER:
    replay_log.header = *item->header;
    replay_log.sampling = mlpd_header_alloc_sampling (item->header);
    break;
  case MLPD_ITEM_BUFFER:
    begin_buffer (w, item);
    break;
  case MLPD_ITEM_EVENT:
    handle_event (w, item);
    break;
  case MLPD_ITEM_DAMAGE:
    break;
  }
}

/* Reads all; false with the error if that is not possible. */
static bool
read_log (struct log_pass *w, struct mlpd_reader *reader, int *status, GError **error)
{
  enum proflog_result result = PROFLOG_NEED_MORE;
  const struct mlpd_item *item;
  while (result == PROFLOG_NEED_MORE) {
    const uint8_t *bytes;
    size_t length;
    if (!log_input_read (replay_log.input, &bytes, &length, error))
      return false;
    if (length != 0)
      mlpd_reader_push (reader, bytes, length);
    else
      mlpd_reader_finish (reader);
    while ((result = mlpd_reader_next (reader, &item)) == PROFLOG_EVENT)
      handle_item (w, item, status);
  }
  if (result == PROFLOG_ERROR)
    *error = g_error_copy (mlpd_reader_error (reader));
  return result == PROFLOG_END;
}

/* Makes sure that the log can be read anywhere.  A compressed one is decompressed for that. */
static bool
spool (const struct log_read_context *r, GError **error)
{
  if (!log_input_make_seekable (replay_log.input, error))
    return false;
  const struct log_file_damage *damage = log_input_damage (replay_log.input);
  if (damage != NULL)
    log_command_warn (r->command, r->name, damage->message);
  log_input_rewind (replay_log.input);
  return true;
}

bool
replay_log_open (struct log_command *command, const char *path, int *status)
{
  struct log_read_context *r = &replay_log.reading;
  GError *error = NULL;
  *status = CLI_INPUT;
  *r = (struct log_read_context){ .command = command, .name = path };
  const struct log_kind *kind = log_kind_detect (command, path, false);
  if (kind == &log_kind_ghc)
    kind->refuse (command, path, "only logs of Mono can be replayed");
  if (kind != &log_kind_mono)
    return false;
  replay_log.input = log_read_context_open (r, path);
  *status = CLI_OK;
  replay_log.threads = g_ptr_array_new ();
  struct log_pass pass
      = { .bearers = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free) };
  struct mlpd_reader *reader = log_input_new_reader (replay_log.input);
  if (!spool (r, &error) || !read_log (&pass, reader, status, &error))
    *status = log_read_context_refuse (r, replay_log.input, error);
  else if (*status != CLI_OK)
    log_input_close (replay_log.input);
  mlpd_reader_free (reader);
  g_hash_table_unref (pass.bearers);
  progress_clear (&command->progress);
  replay_names_finish ();
  return *status == CLI_OK;
}

bool
replay_log_read (const struct replay_buffer *buffer, uint8_t *to)
{
  return log_input_read_at (replay_log.input, buffer->offset, to, (size_t) buffer->size)
         == buffer->size;
}

void
replay_log_close (void)
{
  bool truncated;
  g_free (log_read_context_close (&replay_log.reading, replay_log.input, CLI_INPUT, &truncated));
}
