/* log-summarize.c -- logs into summaries. */
#include "config.h"
#include "decoder/analyses/ghc-replay.h"
#include "decoder/analyses/object-search.h"
#include "decoder/analyses/object-types.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/log-reading.h"
#include "decoder/cli/tell.h"

/* ---- logs of Mono ---- */

/* What watches a scan. */
struct scanning {
  struct log_reading *r;
  int status;
};

static void
watch_item (void *data, const struct mlpd_item *item)
{
  struct scanning *scanning = data;
  log_reading_look_at (scanning->r, item, &scanning->status);
}

static void
watch_progress (void *data, uint64_t bytes)
{
  struct scanning *scanning = data;
  progress_update (&scanning->r->command->progress, bytes);
}

/* That no event is of these threads and times. */
static void
tell_no_event (const struct log_command *c, const char *path, const struct log *log)
{
  const char *asking = c->selection.threads == NULL           ? "--time-range asks"
                       : !selection_has_times (&c->selection) ? "--thread asks"
                                                              : "--thread and --time-range ask";
  char *things
      = g_strdup_printf ("threads in %" G_GUINT64_FORMAT ".%03u ms has an event that %s "
                         "for",
                         log->all_ns / 1000000, (unsigned) (log->all_ns / 1000 % 1000), asking);
  log_command_tell_nothing (c, path, log->all_threads, things);
  g_free (things);
}

/* That there are more throws and events of locks without types than are looked for. */
static void
tell_untyped (struct log_command *c, const char *path, const struct summary *summary)
{
  if (summary->untyped_left_out == 0 || c->quiet)
    return;
  progress_clear (&c->progress);
  cli_tell ("proflog: %s: warning: %u exceptions and events of locks have no type beside them, and "
            "%" G_GUINT64_FORMAT " more: types of these are not looked for",
            path, UNTYPED_MAX, summary->untyped_left_out);
}

int
log_command_summarize (struct log_command *c, const char *path, struct summary *summary,
                       struct object_filter *objects)
{
  struct log_reading r = { .command = c, .name = path };
  GError *error = NULL;
  struct log_input *input = log_reading_open (&r, path);
  if (input == NULL)
    return CLI_INPUT;
  struct scanning scanning = { .r = &r, .status = CLI_OK };
  const struct log_scan_watch watch = { watch_item, watch_progress, &scanning };
  const bool types = summary->options.types;
  if ((types && !log_input_keep (input, &error))
      || !object_search (summary, input, 0, &c->selection, objects, &watch, &error)) {
    log_reading_error (&r, error);
    g_error_free (error);
    scanning.status = CLI_INPUT;
  } else if (types) {
    object_types_search (summary, input, 0, &watch);
    tell_untyped (c, path, summary);
  }
  bool truncated;
  char *damage = log_reading_close (&r, input, scanning.status, &truncated);
  if (damage != NULL)
    log_damage (&summary->log, truncated, damage);
  g_free (damage);
  if (scanning.status == CLI_OK && summary->log.has_header && summary->log.events == 0
      && (c->selection.threads != NULL || selection_has_times (&c->selection)))
    tell_no_event (c, path, &summary->log);
  return scanning.status;
}

/* ---- eventlogs ---- */

/* A summary of an eventlog that is made when it is known which times count. */
struct summarizing {
  struct ghc_summary *summary;
  unsigned wants;
  struct ghc_header header; /* of the events that come in order of time; without its types */
};

static void
begin_summary (void *data, struct ghc_choice *choice)
{
  struct summarizing *s = data;
  const struct ghc_times times = { choice->from, choice->to };
  ghc_summary_clear (s->summary);
  ghc_summary_init (s->summary, &times, s->wants);
  ghc_summary_choose (s->summary, choice->selection);
}

static void
summarize_item (void *data, const struct ghc_item *item, GString *text)
{
  struct summarizing *s = data;
  (void) text;
  ghc_summary_item (s->summary, item);
}

static void
summarize_span (void *data, struct ghc_span *span)
{
  struct summarizing *s = data;
  ghc_summary_span (s->summary, span);
}

static void
summarize_damage (void *data, bool truncated, const char *message, GString *text)
{
  struct summarizing *s = data;
  (void) text;
  ghc_log_damage (&s->summary->log, truncated, message);
}

static void
begin_in_order (void *data, const struct ghc_header *header, GString *text)
{
  struct summarizing *s = data;
  (void) text;
  s->header = (struct ghc_header){ .is_6_12 = header->is_6_12, .is_7_8_2 = header->is_7_8_2 };
  ghc_summary_ordered (s->summary, &(const struct ghc_item){ .type = GHC_ITEM_HEADER });
}

static void
put_down (void *data, const struct ghc_item *item, GString *text)
{
  (void) data;
  if (ghc_replay_can (item->kind))
    ghc_replay_put (text, item);
}

static bool
summarize_in_order (void *data, const struct ghc_item *item)
{
  const struct summarizing *s = data;
  ghc_summary_ordered (s->summary, item);
  return true;
}

static bool
take_in_order (void *data, const GString *text)
{
  const struct summarizing *s = data;
  return ghc_replay_take (text, &s->header, summarize_in_order, data);
}

static void
end_in_order (void *data, uint64_t events, GString *text)
{
  (void) data;
  (void) events;
  (void) text;
}

/* Is any thread asked for? */
static bool
has_thread (const struct selection *selection, const struct ghc_lives *lives)
{
  bool found = false;
  GPtrArray *all = ghc_lives_all (lives);
  for (guint i = 0; i < all->len && !found; i++) {
    const struct ghc_life *life = g_ptr_array_index (all, i);
    found = selection_has_thread (selection, life->id, life->label);
  }
  g_ptr_array_unref (all);
  return found;
}

/* That no event is of these times or capabilities, or none names these threads. */
static void
tell_no_ghc_event (const struct log_command *c, const char *path, const struct ghc_summary *s,
                   unsigned wants)
{
  const struct selection *selection = &c->selection;
  const bool has_times = selection_has_times (selection);
  const bool has_caps = selection->caps != NULL;
  if (s->log.events == 0 && (has_times || has_caps)) {
    const char *asking = !has_caps    ? "a time that --time-range asks"
                         : !has_times ? "a capability that --cap asks"
                                      : "a time and a capability that --time-range and --cap ask";
    char *things = g_strdup_printf ("events in %" G_GUINT64_FORMAT ".%03u ms has %s for",
                                    s->log.latest / 1000000,
                                    (unsigned) (s->log.latest / 1000 % 1000), asking);
    log_command_tell_nothing (c, path, s->log.all_events, things);
    g_free (things);
  } else if (selection->threads != NULL && (wants & GHC_WANTS_LIVES) != 0
             && !has_thread (selection, &s->lives)) {
    log_command_tell_nothing (c, path, s->log.all_events,
                              "events names a thread that --thread asks for");
  }
}

/* Logs of two programs in one file are not told apart. */
static void
tell_joined (struct log_command *c, const char *path, const struct ghc_machine *machine)
{
  if (machine->has_earlier_pid && !c->quiet)
    cli_tell (
        "proflog: %s: warning: logs of several programs follow each other in it (processes %u "
        "and %u): figures are those of all; 'proflog merge' keeps such logs apart",
        path, machine->earlier_pid, machine->later_pid);
}

int
log_command_summarize_eventlog (struct log_command *c, const char *path,
                                struct ghc_summary *summary, unsigned wants)
{
  static const struct ghc_order_handler ordered = { .begin = begin_in_order,
                                                    .item = put_down,
                                                    .end = end_in_order,
                                                    .take = take_in_order,
                                                    .all_times = true };
  const struct ghc_handler handler
      = { .choice = begin_summary,
          .item = summarize_item,
          .damage = summarize_damage,
          .span = summarize_span,
          .ordered = (wants & GHC_WANTS_THREADS) != 0 ? &ordered : NULL };
  struct summarizing s = { .summary = summary, .wants = wants };
  ghc_summary_init (summary, &(struct ghc_times){ 0, UINT64_MAX }, wants);
  const int status = log_command_read_eventlog (c, path, &handler, &s);
  ghc_summary_finish (summary);
  if (status == CLI_OK) {
    tell_joined (c, path, &summary->machine);
    tell_no_ghc_event (c, path, summary, wants);
  }
  return status;
}
