/* replay-report.c -- what was fired, and what was not. */
#include "config.h"

#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/output/emitter.h"
#include "replay/replay-private.h"

/* "gc_allocation" as it is; what has no callback is reported by the kind of the log. */
static void
put_callbacks (struct emitter *e)
{
  static const struct emitter_column columns[] = { { "name", "Callback", EMIT_TEXT },
                                                   { "fired", "Fired", EMIT_NUMBER },
                                                   { "asked_for", "Requested", EMIT_NUMBER } };
  emitter_open_table (e, "callbacks", "Callbacks", columns, G_N_ELEMENTS (columns));
  for (guint c = 0; c < HOST_CALLBACKS; c++) {
    const union emitter_value row[] = { { .text = host_signatures[c].name },
                                        { .number = replay_counts.fired[c] },
                                        { .number = replay_counts.delivered[c] } };
    if (replay_counts.fired[c] == 0)
      continue;
    emitter_open_row (e, row);
    emitter_close_row (e);
  }
  emitter_close_table (e, 0);
}

static void
put_not_fired (struct emitter *e)
{
  static const struct emitter_column columns[] = { { "kind", "Kind", EMIT_TEXT },
                                                   { "events", "Events", EMIT_NUMBER },
                                                   { "why", "Why", EMIT_TEXT } };
  emitter_open_table (e, "not_fired", "Events that cannot be fired", columns,
                      G_N_ELEMENTS (columns));
  for (enum mlpd_kind k = 0; k < MLPD_KINDS; k++) {
    const char *why = replay_not_fired (k, replay_log.header.data_version);
    const union emitter_value row[] = { { .text = mlpd_describe (k)->name },
                                        { .number = replay_log.kinds[k] },
                                        { .text = why } };
    if (replay_log.kinds[k] == 0 || why == NULL)
      continue;
    emitter_open_row (e, row);
    emitter_close_row (e);
  }
  emitter_close_table (e, 0);
}

static uint64_t
sum (const uint64_t *counts)
{
  uint64_t total = 0;
  for (guint c = 0; c < HOST_CALLBACKS; c++)
    total += counts[c];
  return total;
}

static void
put_replay (struct emitter *e, const struct replay_result *result)
{
  emitter_open (e, "replay", "Replay");
  emitter_text (e, "log", "Log", result->log);
  emitter_text (e, "module", "Module", result->module);
  emitter_text (e, "options", "Options", result->description);
  emitter_number (e, "events", "Events in the log", replay_log.events);
  emitter_number (e, "said_again", "Names re-announced", replay_log.reannounced);
  emitter_number (e, "threads", "Threads", replay_log.threads->len);
  emitter_number (e, "turns", "Turns of threads", replay_turns ());
  emitter_number (e, "fired", "Callbacks fired", sum (replay_counts.fired));
  emitter_number (e, "asked_for", "Requested", sum (replay_counts.delivered));
  emitter_ns (e, "firing_ns", "Firing ms", replay_firing_ns ());
  emitter_ns (e, "shutdown_ns", "Shutdown ms", result->shutdown_ns);
  emitter_close (e);
}

static void
put_heap (struct emitter *e)
{
  emitter_open (e, "heap", "Heap snapshots");
  emitter_number (e, "shots", "In the log", replay_counts.shots);
  emitter_number (e, "shots_asked_for", "Requested", replay_counts.shots_walked);
  emitter_number (e, "objects", "Objects in the log", replay_counts.objects);
  emitter_number (e, "objects_asked_for", "Requested", replay_counts.objects_walked);
  emitter_number (e, "empty_walks", "Walks where the log has none", replay_counts.empty_walks);
  emitter_close (e);
}

static void
put_made_up (struct emitter *e)
{
  emitter_open (e, "made_up", "Supplied by replay, since the log lacks it");
  emitter_number (e, "gc_events", "GC events of the collector's lock", replay_counts.made_up);
  emitter_number (e, "collections", "Collections requested by the module",
                  replay_counts.collections);
  emitter_number (e, "finalizations", "Runs of finalizers requested by it",
                  replay_counts.finalizations);
  emitter_number (e, "object_types", "Answers for objects of no known type",
                  replay_counts.unknown_objects);
  emitter_close (e);
}

bool
replay_report (struct log_command *command, const struct replay_result *result)
{
  GString *out = g_string_new (NULL);
  struct emitter *e = emitter_new (command->format, out);
  emitter_begin (e, "proflog.replay/1");
  put_replay (e, result);
  put_callbacks (e);
  put_not_fired (e);
  put_heap (e);
  put_made_up (e);
  emitter_end (e);
  emitter_free (e);
  const bool written = output_write (&command->output, out);
  g_string_free (out, TRUE);
  return written;
}
