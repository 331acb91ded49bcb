/* log-summary.c -- logs into summaries; reports selections that no event matches. */
#include "config.h"

#include "decoder/log/log-summary.h"
#include "decoder/log/log-passes.h"
#include "decoder/log/log-reads.h"
#include "decoder/mlpd/query/object-queries.h"
#include "decoder/command/cli.h"
#include "decoder/log/log-open.h"
#include "decoder/command/message.h"

/* ---- logs of Mono ---- */

/* The data of the watch of a scan. */
struct scan_context {
  struct log_read_context *r;
  int status;
};

static void
watch_item (void *data, const struct mlpd_item *item)
{
  struct scan_context *scan_context = data;
  log_read_context_handle_item (scan_context->r, item, &scan_context->status);
}

static void
watch_progress (void *data, uint64_t bytes)
{
  struct scan_context *scan_context = data;
  progress_update (&scan_context->r->command->progress, bytes);
}

/* That no event is of these threads and times. */
static void
warn_no_match (struct log_command *c, const char *path, const struct log *log)
{
  const char *hint = c->selection.threads == NULL           ? "--time-range selects"
                     : !selection_has_times (&c->selection) ? "--thread selects"
                                                            : "--thread and --time-range select";
  char *things
      = g_strdup_printf ("threads in %" G_GUINT64_FORMAT ".%03u ms has an event that %s",
                         log->all_ns / 1000000, (unsigned) (log->all_ns / 1000 % 1000), hint);
  log_command_warn_empty_selection (c, path, log->all_threads, things);
  g_free (things);
}

/* That there are more throws and events of locks without types than are searched for. */
static void
warn_type_limit (struct log_command *c, const char *path, const struct summary *summary)
{
  if (summary->pending_types.left_out == 0 || c->quiet)
    return;
  progress_clear (&c->progress);
  cli_message (
      "proflog: %s: warning: types are searched for %u exceptions and lock events at most; "
      "those of %" G_GUINT64_FORMAT " more are not shown",
      path, PENDING_TYPES_MAX, summary->pending_types.left_out);
}

int
log_command_summarize (struct log_command *c, const char *path, struct summary *summary,
                       struct object_filter *objects)
{
  struct log_read_context r = { .command = c, .name = path };
  GError *error = NULL;
  struct log_input *input = log_read_context_open (&r, path);
  if (input == NULL)
    return CLI_INPUT;
  struct scan_context scan_context = { .r = &r, .status = CLI_OK };
  const struct log_scan_watch watch = { watch_item, watch_progress, &scan_context };
  const bool types = summary->options.types;
  if ((types && !log_input_make_rewindable (input, &error))
      || !select_objects (summary, input, 0, &c->selection, objects, &watch, &error)) {
    log_read_context_error (&r, error);
    g_error_free (error);
    scan_context.status = CLI_INPUT;
  } else if (types) {
    object_types_search (summary, input, 0, &watch);
    warn_type_limit (c, path, summary);
  }
  bool truncated;
  char *damage = log_read_context_close (&r, input, scan_context.status, &truncated);
  if (r.writer != 0)
    log_set_writer (&summary->log, r.writer);
  if (damage != NULL)
    log_damage (&summary->log, truncated, damage);
  g_free (damage);
  if (scan_context.status == CLI_OK && summary->log.has_header && summary->log.events == 0
      && (c->selection.threads != NULL || selection_has_times (&c->selection)))
    warn_no_match (c, path, &summary->log);
  return scan_context.status;
}

static void
warn_of_messages (struct log_command *c, const char *path, const GPtrArray *messages, guint first)
{
  for (guint i = first; i < messages->len; i++)
    log_command_warn (c, path, g_ptr_array_index (messages, i));
}

int
log_command_read_summary (struct log_command *c, const char *path,
                          const struct scan_options *options, struct object_filter *objects,
                          struct summary *summary)
{
  summary_init (summary, options);
  int status = log_command_summarize (c, path, summary, objects);
  const guint warned = summary->log.messages->len;
  summary_finish (summary);
  warn_of_messages (c, path, summary->log.messages, warned);
  if (status == CLI_OK && summary->options.spans)
    status = log_spans_read (c, path, summary);
  return status;
}

/* ---- eventlogs ---- */

/* A summary of an eventlog that is made when it is known which times count. */
struct summary_context {
  struct ghc_summary *summary;
  const struct ghc_provenances *names; /* of --names-from; NULL: none */
  unsigned features;
  struct log_map *map; /* NULL: not wanted */
};

static void
begin_summary (void *data, struct ghc_filter *filter)
{
  struct summary_context *s = data;
  const struct ghc_times times = { filter->from, filter->to };
  ghc_summary_clear (s->summary);
  ghc_summary_init (s->summary, &times, s->features);
  ghc_summary_select (s->summary, filter->selection);
  s->summary->heap_profiles.provenances.others = s->names;
}

static void
summarize_item (void *data, const struct ghc_item *item, GString *text)
{
  struct summary_context *s = data;
  (void) text;
  ghc_summary_item (s->summary, item);
}

static void
summarize_span (void *data, struct ghc_span *span)
{
  struct summary_context *s = data;
  ghc_summary_span (s->summary, span);
}

static void
summarize_damage (void *data, bool truncated, const char *message, GString *text)
{
  struct summary_context *s = data;
  (void) text;
  ghc_log_damage (&s->summary->log, truncated, message);
}

static void
begin_in_order (void *data, const struct ghc_header *header, GString *text)
{
  struct summary_context *s = data;
  (void) text;
  ghc_summary_ordered (s->summary,
                       &(const struct ghc_item){ .type = GHC_ITEM_HEADER, .header = header });
}

static bool
is_ordered (const void *data, enum ghc_kind kind)
{
  (void) data;
  return ghc_threads_handles (kind);
}

static bool
take_ordered (void *data, const struct ghc_item *item)
{
  struct summary_context *s = data;
  ghc_summary_ordered (s->summary, item);
  return true;
}

static void
end_in_order (void *data, uint64_t events, GString *text)
{
  (void) data;
  (void) events;
  (void) text;
}

/* Is any thread requested? */
static bool
has_thread (const struct selection *selection, const struct ghc_thread_table *lifetimes)
{
  bool found = false;
  GPtrArray *all = ghc_thread_table_all (lifetimes);
  for (guint i = 0; i < all->len && !found; i++) {
    const struct ghc_lifetime *lifetime = g_ptr_array_index (all, i);
    found = selection_has_thread (selection, lifetime->id, lifetime->labels);
  }
  g_ptr_array_unref (all);
  return found;
}

/* That no event is of these times or capabilities, or none names these threads. */
static void
warn_no_ghc_match (struct log_command *c, const char *path, const struct ghc_summary *s,
                   unsigned features)
{
  const struct selection *selection = &c->selection;
  const bool has_times = selection_has_times (selection);
  const bool has_caps = selection->caps != NULL;
  if (s->log.events == 0 && (has_times || has_caps)) {
    const char *hint = !has_caps    ? "a time that --time-range selects"
                       : !has_times ? "a capability that --cap selects"
                                    : "a time and a capability that --time-range and --cap select";
    char *things
        = g_strdup_printf ("events in %" G_GUINT64_FORMAT ".%03u ms has %s",
                           s->log.latest / 1000000, (unsigned) (s->log.latest / 1000 % 1000), hint);
    log_command_warn_empty_selection (c, path, s->log.all_events, things);
    g_free (things);
  } else if (selection->threads != NULL && (features & GHC_FEATURE_THREAD_TABLE) != 0
             && !has_thread (selection, &s->thread_table)) {
    log_command_warn_empty_selection (c, path, s->log.all_events,
                                      "events names a thread that --thread selects");
  }
}

/* Logs of two programs in one file are not separated, nor are those of two runs of one process id,
 * as all have in containers. */
static void
warn_multiple_processes (struct log_command *c, const char *path, const struct ghc_summary *s)
{
  const struct ghc_processes *machine = &s->processes;
  if (c->quiet)
    return;
  if (machine->has_earlier_pid)
    cli_message ("proflog: %s: warning: it has logs of several programs (processes %u "
                 "and %u): figures are totals; 'proflog merge' of the single logs keeps them apart",
                 path, machine->earlier_pid, machine->later_pid);
  else if (s->log.overlaps)
    cli_message ("proflog: %s: warning: it has logs whose times overlap, of several runs, or one "
                 "log twice: figures are totals; 'proflog merge' of the single logs keeps them "
                 "apart",
                 path);
}

/* Of several logs in the file, threads of the one are not those of the other. */
static bool
keep_map (void *data, struct log_map *map)
{
  const struct summary_context *s = data;
  if (map->chunks.parts->len != 1)
    return false;
  *s->map = *map;
  return true;
}

static bool
needs_order (const void *data)
{
  const struct summary_context *s = data;
  return ghc_summary_needs_order (s->summary);
}

static int
read_eventlog (struct log_command *c, const char *path, struct summary_context *s)
{
  static const struct ghc_order_handler ordered = { .begin = begin_in_order,
                                                    .end = end_in_order,
                                                    .wants = is_ordered,
                                                    .take = take_ordered,
                                                    .all_times = true };
  const bool may_need_order = (s->features & (GHC_FEATURE_THREADS | GHC_FEATURE_SPARK_TIMES)) != 0;
  const struct ghc_handler handler = { .filter = begin_summary,
                                       .item = summarize_item,
                                       .damage = summarize_damage,
                                       .span = summarize_span,
                                       .ordered = may_need_order ? &ordered : NULL,
                                       .needs_order = needs_order,
                                       .keeps = s->map != NULL ? keep_map : NULL };
  ghc_summary_init (s->summary, &(struct ghc_times){ 0, UINT64_MAX }, s->features);
  return log_command_read_eventlog (c, path, &handler, s);
}

void
log_command_finish_eventlog (struct log_command *c, const char *path, struct ghc_summary *summary,
                             unsigned features, int status)
{
  const guint warned = summary->log.messages->len;
  ghc_summary_finish (summary);
  warn_of_messages (c, path, summary->log.messages, warned);
  if (status == CLI_OK) {
    warn_multiple_processes (c, path, summary);
    warn_no_ghc_match (c, path, summary, features);
  }
}

int
log_command_begin_eventlog (struct log_command *c, const char *path, struct ghc_summary *summary,
                            unsigned features, struct log_map *map)
{
  struct summary_context s
      = { .summary = summary, .names = c->names, .features = features, .map = map };
  map->labels = NULL;
  const int status = read_eventlog (c, path, &s);
  if (map->labels == NULL)
    log_command_finish_eventlog (c, path, summary, features, status);
  return status;
}

int
log_command_summarize_eventlog (struct log_command *c, const char *path,
                                struct ghc_summary *summary, unsigned features)
{
  struct summary_context s = { .summary = summary, .names = c->names, .features = features };
  const int status = read_eventlog (c, path, &s);
  log_command_finish_eventlog (c, path, summary, features, status);
  return status;
}
