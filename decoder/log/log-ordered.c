/* log-ordered.c -- inspects a log before its events are read in order of time. */
#include "config.h"

#include "decoder/log/log-ordered.h"
#include "decoder/command/cli.h"
#include "decoder/mlpd/analyses/bins.h"
#include "decoder/mlpd/analyses/log.h"
#include "decoder/mlpd/mlpd-losses.h"
#include "decoder/mlpd/query/select.h"

#define NS_PER_US 1000
#define NS_PER_MS 1000000

static void
watch_progress (void *data, uint64_t bytes)
{
  struct ordered_log *log = data;
  progress_update (&log->r.command->progress, bytes);
}

static void
fail (struct ordered_log *log, GError *error)
{
  if (log->status == CLI_OK)
    log_read_context_error (&log->r, error);
  log->status = CLI_INPUT;
  g_error_free (error);
}

void
ordered_log_refuse (struct ordered_log *log, const char *why)
{
  fail (log, g_error_new_literal (PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_NOT_A_LOG, why));
}

/* ---- logs of Mono ---- */

static void
watch_mono (void *data, const struct mlpd_item *item)
{
  struct ordered_log *log = data;
  if (item->type == MLPD_ITEM_EVENT) {
    /* An address that is used before its announcement has the first name. */
    bins_note_name (log->mono.names, item->kind, item->payload);
    recording_note (&log->mono.recording, item->kind, item->payload);
  } else {
    log_read_context_handle_item (&log->r, item, &log->status);
  }
  if (item->type != MLPD_ITEM_DAMAGE)
    return;
  const struct mlpd_damage *damage = item->damage;
  if (mlpd_damage_is_left_out (damage) || damage->error == MLPD_LOSS_BY_DAMAGE) {
    log->mono.has_hole = true;
  } else if (damage->reason == MLPD_DAMAGE_LOST) {
    log->mono.lost += damage->lost;
    log->mono.lost_error = damage->error;
  }
}

/* Headers have ms; those of old logs do not state the start on the log's clock besides. */
static void
describe_mono (struct ordered_log *log)
{
  const struct mlpd_order *order = &log->mono.order;
  log->first_ns = order->earliest;
  log->range_ns = order->first_time;
  log->has_clock = order->header.start_ms != 0;
  log->clock_ns = mlpd_order_clock (order, 0);
  log->error_ns = order->header.major >= LOG_MAJOR_WITH_START_NS ? NS_PER_MS : -1;
  log->no_clock = "its header has no time of day";
  log->count = order->buffers->len; /* events are not counted one by one */
  log->lack = "buffers has an event of the selection";
}

static void
open_mono (struct ordered_log *log, bool has_names)
{
  const struct selection *s = &log->r.command->selection;
  const struct mlpd_order_watch watch = { watch_mono, watch_progress, log, has_names };
  struct mlpd_order *order = &log->mono.order;
  GError *error = NULL;
  buffer_filter_init (&log->mono.filter, s, NULL);
  recording_init (&log->mono.recording);
  if (has_names) {
    log->mono.names = g_new (struct symbols, 1);
    symbols_init (log->mono.names);
  }
  if (!mlpd_order_init (order, log->input, &watch, &error))
    fail (log, error);
  log_input_rewind (log->input);
  if (log->status == CLI_OK && selection_needs_survey (s)
      && !log_selection_survey (&log->mono.filter, log->input, &error))
    fail (log, error);
  buffer_filter_begin (&log->mono.filter, order->first_time);
  if (log->status == CLI_OK)
    describe_mono (log);
}

/* The findings in the buffers are the log's. */
static void
open_known (struct ordered_log *log, const struct summary *s, struct bins *known,
            bool has_rest_only)
{
  GArray *buffers = g_array_new (FALSE, FALSE, sizeof (struct mlpd_ordered_buffer));
  for (guint i = 0; i < known->buffers->len; i++) {
    const struct scan_binned_buffer *of
        = &g_array_index (known->buffers, struct scan_binned_buffer, i);
    const struct mlpd_ordered_buffer buffer
        = { .offset = of->offset, .end = of->end, .begin = of->begin };
    if (of->has_rest || !has_rest_only)
      g_array_append_val (buffers, buffer);
  }
  mlpd_order_init_known (&log->mono.order, log->input, buffers, s->log.first_time);
  buffer_filter_init (&log->mono.filter, &log->r.command->selection, NULL);
  buffer_filter_begin (&log->mono.filter, s->log.first_time);
  log->mono.names = g_steal_pointer (&known->names);
  log->mono.recording = known->recording;
  recording_init (&known->recording);
  describe_mono (log);
}

static void
forget_mono (struct ordered_log *log)
{
  mlpd_order_clear (&log->mono.order);
  buffer_filter_clear (&log->mono.filter);
  recording_clear (&log->mono.recording);
  if (log->mono.names != NULL)
    symbols_clear (log->mono.names);
  g_free (log->mono.names);
}

/* ---- eventlogs ---- */

static void
watch_ghc (void *data, const struct ghc_item *item)
{
  struct ordered_log *log = data;
  log_map_item (&log->ghc.map, item);
  log_read_context_handle_ghc_item (&log->r, item, &log->status);
}

static void
watch_ghc_event (void *data, const struct ghc_item *item)
{
  struct ordered_log *log = data;
  log_map_event (&log->ghc.map, item);
}

static void
describe_ghc (struct ordered_log *log)
{
  const struct log_map *map = &log->ghc.map;
  log->has_clock = map->start.has_clock;
  log->clock_ns = map->start.clock;
  log->error_ns = NS_PER_US; /* runtimes read us */
  log->no_clock = "it has no time of day (no event wall-clock-time)";
  for (guint i = 0; i < map->chunks.parts->len; i++)
    log->count += g_array_index (map->chunks.parts, struct ghc_part, i).events;
  log->lack = "events is of the selection";
}

static void
open_ghc (struct ordered_log *log, bool has_names)
{
  const struct ghc_chunks_watch watch
      = { watch_ghc, watch_progress, watch_ghc_event, log, has_names };
  GError *error = NULL;
  log_map_init (&log->ghc.map, has_names, log->r.command->names);
  if (!ghc_filter_init (&log->ghc.filter, &log->r.command->selection, log->input, &error))
    fail (log, g_steal_pointer (&error));
  if (!ghc_chunks_init (&log->ghc.map.chunks, log->input, 0, &watch, &error))
    fail (log, error);
  describe_ghc (log);
}

static void
forget_ghc (struct ordered_log *log)
{
  log_map_clear (&log->ghc.map);
  ghc_filter_clear (&log->ghc.filter);
}

/* ---- both ---- */

static const struct {
  void (*open) (struct ordered_log *log, bool has_names);
  void (*forget) (struct ordered_log *log);
} kinds[] = {
  [LOG_MONO] = { open_mono, forget_mono },
  [LOG_GHC] = { open_ghc, forget_ghc },
};

/* A log of a format at its beginning, not inspected yet. */
static struct ordered_log *
new_log (struct log_command *c, const char *path, const struct log_kind *kind)
{
  GError *error = NULL;
  struct ordered_log *log = g_new0 (struct ordered_log, 1);
  log->r = (struct log_read_context){ .command = c, .name = path };
  log->path = path;
  log->kind = kind;
  log->input = log_read_context_open (&log->r, path);
  bool truncated;
  if (!log_input_make_seekable (log->input, &error)) {
    log_read_context_refuse (&log->r, log->input, error);
    g_free (log);
    return NULL;
  }
  g_free (log_read_context_report (&log->r, log->input, CLI_OK, &truncated)); /* of the copy */
  log_input_rewind (log->input);
  return log;
}

struct ordered_log *
ordered_log_open (struct log_command *c, const char *path, bool has_names, int *status)
{
  const struct log_kind *kind = log_kind_detect (c, path, true);
  bool truncated;
  *status = CLI_INPUT;
  if (kind == NULL)
    return NULL;
  struct ordered_log *log = new_log (c, path, kind);
  if (log == NULL)
    return NULL;
  kinds[kind->index].open (log, has_names);
  *status = log->status;
  g_free (log_read_context_report (&log->r, log->input, log->status, &truncated));
  if (log->status == CLI_OK)
    return log;
  ordered_log_close (log);
  return NULL;
}

struct ordered_log *
ordered_log_open_known (struct log_command *c, const char *path, struct summary *s,
                        bool has_rest_only, int *status)
{
  struct ordered_log *log = new_log (c, path, &log_kind_mono);
  *status = log != NULL ? CLI_OK : CLI_INPUT;
  if (log != NULL)
    open_known (log, s, SUMMARY_STATE (s, bins), has_rest_only);
  return log;
}

struct ordered_log *
ordered_log_open_map (struct log_command *c, const char *path, struct log_map *map, int *status)
{
  GError *error = NULL;
  struct ordered_log *log = new_log (c, path, &log_kind_ghc);
  *status = log != NULL ? CLI_OK : CLI_INPUT;
  if (log == NULL) {
    log_map_clear (map);
    return NULL;
  }
  log->ghc.map = *map;
  if (!ghc_filter_init (&log->ghc.filter, &c->selection, log->input, &error))
    fail (log, error);
  *status = log->status;
  describe_ghc (log);
  return log;
}

void
ordered_log_begin (struct ordered_log *log)
{
  struct log_command *c = log->r.command;
  progress_begin (&c->progress, log_input_size (log->input), c->quiet);
}

static void
report_rest (struct ordered_log *log)
{
  bool truncated;
  if (log->input != NULL)
    g_free (log_read_context_report (&log->r, log->input, log->status, &truncated));
}

struct log_input *
ordered_log_steal_input (struct ordered_log *log)
{
  report_rest (log);
  log_input_rewind (log->input);
  return g_steal_pointer (&log->input);
}

void
ordered_log_close (struct ordered_log *log)
{
  report_rest (log);
  kinds[log->kind->index].forget (log);
  g_clear_pointer (&log->input, log_input_close);
  g_free (log);
}
