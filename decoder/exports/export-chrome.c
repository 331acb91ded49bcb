/* export-chrome.c -- the JSON of Chrome's trace viewer, which other viewers of traces read, too.
 *
 * A thread or a lane has the number of its track as thread id: ids of threads may be addresses,
 * which are too large for readers.  Times are us with three decimals.
 */
#include "config.h"

#include "decoder/exports/export.h"
#include "decoder/output/emitter-values.h"
#include <string.h>

static void
put_text (GString *to, const char *text)
{
  emitter_append_json_string (to, text, strlen (text));
}

static void
put_time (GString *to, uint64_t ns)
{
  const unsigned rest = (unsigned) (ns % 1000);
  const char decimals[]
      = { '.', (char) ('0' + rest / 100), (char) ('0' + rest / 10 % 10), (char) ('0' + rest % 10) };
  g_string_append (to, ",\"ts\":");
  emitter_append_decimal (to, ns / 1000);
  g_string_append_len (to, decimals, sizeof decimals);
}

/* The beginning of an event, up to its process. */
static GString *
begin_event (struct trace *t, const char *phase, const struct trace_track *track)
{
  GString *to = t->out->bytes;
  g_string_append (to, t->has_event ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
  t->has_event = true;
  g_string_append (to, phase);
  g_string_append (to, "\",\"pid\":");
  emitter_append_decimal (to, track->pid);
  return to;
}

/* The same, up to the thread and the time. */
static GString *
begin_timed (struct trace *t, const char *phase, const struct trace_track *track, uint64_t time)
{
  GString *to = begin_event (t, phase, track);
  if (track->kind == TRACE_THREAD || track->kind == TRACE_LANE) {
    g_string_append (to, ",\"tid\":");
    emitter_append_decimal (to, track->number);
  }
  put_time (to, time);
  return to;
}

static void
begin (struct trace *t)
{
  g_string_append (t->out->bytes,
                   "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"exporter\":\"proflog "
                   "" PACKAGE_VERSION "\"},\n\"traceEvents\":[");
}

static void
end (struct trace *t)
{
  g_string_append (t->out->bytes, "\n]}\n");
}

/* Counters have their names in each event.  A lane of a thread has the name of that, too. */
static void
put_track (struct trace *t, const struct trace_track *track)
{
  if (track->kind == TRACE_COUNTER)
    return;
  const bool is_of_thread = track->kind == TRACE_LANE && track->parent->kind == TRACE_THREAD;
  g_autofree char *name = g_strconcat (is_of_thread ? track->parent->name : "",
                                       is_of_thread ? ": " : "", track->name, NULL);
  GString *to = begin_event (t, "M", track);
  if (track->kind != TRACE_PROCESS) {
    g_string_append (to, ",\"tid\":");
    emitter_append_decimal (to, track->number);
  }
  g_string_append (to, track->kind == TRACE_PROCESS ? ",\"name\":\"process_name\""
                                                    : ",\"name\":\"thread_name\"");
  g_string_append (to, ",\"args\":{\"name\":");
  put_text (to, name);
  g_string_append (to, "}}");
}

static char *
quote_name (struct trace *t, const char *name)
{
  (void) t;
  GString *quoted = g_string_new (NULL);
  put_text (quoted, name);
  return g_string_free (quoted, FALSE);
}

static void
put_slice (struct trace *t, const struct trace_track *track, guint name, uint64_t time)
{
  GString *to = begin_timed (t, "B", track, time);
  g_string_append (to, ",\"name\":");
  g_string_append (to, g_ptr_array_index (t->names, name));
  g_string_append_c (to, '}');
}

static void
put_slice_end (struct trace *t, const struct trace_track *track, uint64_t time)
{
  g_string_append_c (begin_timed (t, "E", track, time), '}');
}

static void
put_instant (struct trace *t, const struct trace_track *track, const char *text, uint64_t time)
{
  GString *to = begin_timed (t, "i", track, time);
  g_string_append (to, ",\"s\":\"t\",\"name\":");
  put_text (to, text);
  g_string_append_c (to, '}');
}

static void
put_counter (struct trace *t, const struct trace_track *track, struct trace_value value,
             uint64_t time)
{
  static const char *const keys[]
      = { [TRACE_COUNT] = "value", [TRACE_NS] = "ns", [TRACE_BYTES] = "bytes" };
  GString *to = begin_timed (t, "C", track, time);
  g_string_append (to, ",\"name\":");
  put_text (to, track->name);
  g_string_append_printf (to, ",\"args\":{\"%s\":", keys[track->unit]);
  if (value.is_real) {
    g_autofree char *text = emitter_real_text (value.real);
    g_string_append (to, text);
  } else {
    g_string_append_printf (to, "%" G_GINT64_FORMAT, value.whole);
  }
  g_string_append (to, "}}");
}

static const struct trace_format trace = {
  .begin = begin,
  .end = end,
  .track = put_track,
  .name = quote_name,
  .slice = put_slice,
  .slice_end = put_slice_end,
  .instant = put_instant,
  .counter = put_counter,
};

const struct export_format export_chrome
    = { "chrome", "events over time, in JSON: ui.perfetto.dev, speedscope", .trace = &trace };
