/* export-chrome.c -- the JSON of Chrome's trace viewer, which other viewers of traces read, too.
 *
 * A thread or a lane has the number of its track as thread id: ids of threads may be addresses,
 * which are too large for readers.  Times are us with three decimals.
 *
 * Samples are profiles as V8 writes them, one for each thread: a chunk has the frames that were not
 * in an earlier one, and their times are whole us.  Allocations are instants with the type as name.
 */
#include "config.h"

#include "decoder/exports/export.h"
#include "decoder/exports/trace-stacks.h"
#include "decoder/output/emitter-values.h"
#include <string.h>

struct chrome {
  struct trace_stacks stacks;
  struct id_map frames; /* track and stack: those that its profile has */
  GArray *times;        /* of uint64_t, by track: of its latest sample, in us, plus 1; 0: none */
  bool has_allocation;
};

/* The frame of a profile that has all others; a stack has its number and this. */
#define ROOT_FRAME 1

/* Texts that are written by the million need no call for each part. */
#define PUT(to, literal) emitter_append_bytes (to, literal, sizeof (literal) - 1)

static void
put_text (GString *to, const char *text)
{
  emitter_append_json_string (to, text, strlen (text));
}

static void
put_time (GString *to, uint64_t ns)
{
  PUT (to, ",\"ts\":");
  emitter_append_fixed (to, ns, 3);
}

/* The beginning of an event, up to its process. */
static GString *
begin_event (struct trace *t, const char *phase, const struct trace_track *track)
{
  GString *to = t->out->bytes;
  if (t->has_event)
    PUT (to, ",");
  PUT (to, "\n{\"ph\":\"");
  t->has_event = true;
  g_string_append (to, phase);
  PUT (to, "\",\"pid\":");
  emitter_append_decimal (to, track->pid);
  return to;
}

/* The same, up to the thread and the time. */
static GString *
begin_timed (struct trace *t, const char *phase, const struct trace_track *track, uint64_t time)
{
  GString *to = begin_event (t, phase, track);
  if (track->kind == TRACE_THREAD || track->kind == TRACE_LANE) {
    PUT (to, ",\"tid\":");
    emitter_append_decimal (to, track->number);
  }
  put_time (to, time);
  return to;
}

static void
begin (struct trace *t)
{
  struct chrome *c = g_new0 (struct chrome, 1);
  trace_stacks_init (&c->stacks);
  id_map_init (&c->frames);
  c->times = g_array_new (FALSE, TRUE, sizeof (uint64_t));
  t->data = c;
  g_string_append (t->out->bytes, "{\"displayTimeUnit\":\"ns\","
                                  "\"otherData\":{\"exporter\":\"proflog " PACKAGE_VERSION "\"},\n"
                                  "\"traceEvents\":[");
}

/* Those of allocations. */
static void
put_stacks (struct trace *t)
{
  const struct chrome *c = t->data;
  GString *to = t->out->bytes;
  PUT (to, ",\n\"stackFrames\":{");
  for (guint i = 1; i <= c->stacks.keys->len && !t->out->failed; i++) {
    const guint outer = trace_stacks_outer (&c->stacks, i);
    g_string_append_printf (to, "%s\n\"%u\":{\"category\":\"\",\"name\":", i != 1 ? "," : "", i);
    g_string_append (to, g_ptr_array_index (t->names, trace_stacks_name (&c->stacks, i)));
    if (outer != 0)
      g_string_append_printf (to, ",\"parent\":\"%u\"", outer);
    g_string_append_c (to, '}');
    export_flush_much (t->out);
  }
  g_string_append_c (to, '}');
}

static void
end (struct trace *t)
{
  struct chrome *c = t->data;
  g_string_append (t->out->bytes, "\n]");
  if (c->has_allocation)
    put_stacks (t);
  g_string_append (t->out->bytes, "}\n");
  trace_stacks_clear (&c->stacks);
  id_map_clear (&c->frames);
  g_array_unref (c->times);
  g_free (c);
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
    PUT (to, ",\"tid\":");
    emitter_append_decimal (to, track->number);
  }
  g_string_append (to, track->kind == TRACE_PROCESS ? ",\"name\":\"process_name\""
                                                    : ",\"name\":\"thread_name\"");
  PUT (to, ",\"args\":{\"name\":");
  put_text (to, name);
  PUT (to, "}}");
}

static void
put_slice (struct trace *t, const struct trace_track *track, guint name, uint64_t time)
{
  GString *to = begin_timed (t, "B", track, time);
  PUT (to, ",\"name\":");
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
  PUT (to, ",\"s\":\"t\",\"name\":");
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
  PUT (to, ",\"name\":");
  put_text (to, track->name);
  g_string_append_printf (to, ",\"args\":{\"%s\":", keys[track->unit]);
  if (value.is_real) {
    g_autofree char *text = emitter_real_text (value.real);
    g_string_append (to, text);
  } else {
    g_string_append_printf (to, "%" G_GINT64_FORMAT, value.whole);
  }
  PUT (to, "}}");
}

/* ---- samples ---- */

static void
put_profile (GString *to, const struct trace_track *track, const char *name)
{
  g_string_append_printf (
      to, ",\"name\":\"%s\",\"cat\":\"profile\",\"id\":\"0x%x\",\"args\":{\"data\":{", name,
      track->number);
}

static void
put_frame (struct trace *t, guint stack)
{
  const struct chrome *c = t->data;
  GString *to = t->out->bytes;
  PUT (to, "{\"id\":");
  emitter_append_decimal (to, stack + ROOT_FRAME);
  PUT (to, ",\"callFrame\":{\"codeType\":\"other\",\"scriptId\":0,\"functionName\":");
  g_string_append (to, stack != 0
                           ? g_ptr_array_index (t->names, trace_stacks_name (&c->stacks, stack))
                           : "\"(root)\"");
  g_string_append_c (to, '}');
  if (stack != 0) {
    PUT (to, ",\"parent\":");
    emitter_append_decimal (to, trace_stacks_outer (&c->stacks, stack) + ROOT_FRAME);
  }
  g_string_append_c (to, '}');
}

/* The frames of a stack that the profile of the thread does not have, the outermost first. */
static void
put_new_frames (struct trace *t, const struct trace_track *track, guint stack)
{
  struct chrome *c = t->data;
  GString *to = t->out->bytes;
  g_autoptr (GArray) new = g_array_new (FALSE, FALSE, sizeof (guint));
  for (;; stack = trace_stacks_outer (&c->stacks, stack)) { /* 0: the root */
    const guint before = c->frames.count;
    if (id_map_number (&c->frames, (uint64_t) track->number << 32 | stack) != before)
      break;
    g_array_append_val (new, stack);
    if (stack == 0)
      break;
  }
  for (guint i = new->len; i-- > 0;) {
    put_frame (t, g_array_index (new, guint, i));
    if (i != 0)
      g_string_append_c (to, ',');
  }
}

/* The time since the latest sample of the thread, in us.  Where there is none, its profile begins.
 */
static uint64_t
advance_profile (struct trace *t, const struct trace_track *track, uint64_t time)
{
  struct chrome *c = t->data;
  const uint64_t us = time / 1000;
  if (track->number >= c->times->len)
    g_array_set_size (c->times, track->number + 1);
  uint64_t *latest = &g_array_index (c->times, uint64_t, track->number);
  if (*latest == 0) {
    GString *to = begin_timed (t, "P", track, time);
    put_profile (to, track, "Profile");
    PUT (to, "\"startTime\":");
    emitter_append_decimal (to, us);
    PUT (to, "}}}");
    *latest = us + 1;
  }
  const uint64_t since = us + 1 > *latest ? us + 1 - *latest : 0;
  *latest += since;
  return since;
}

static void
put_sample (struct trace *t, const struct trace_track *track, const struct trace_stack *stack,
            uint64_t time)
{
  struct chrome *c = t->data;
  const guint number = trace_stacks_sampled (t, &c->stacks, stack);
  const uint64_t since = advance_profile (t, track, time);
  GString *to = begin_timed (t, "P", track, time);
  put_profile (to, track, "ProfileChunk");
  PUT (to, "\"cpuProfile\":{\"nodes\":[");
  put_new_frames (t, track, number);
  PUT (to, "],\"samples\":[");
  emitter_append_decimal (to, number + ROOT_FRAME);
  PUT (to, "]},\"timeDeltas\":[");
  emitter_append_decimal (to, since);
  PUT (to, "]}}}");
  export_flush_much (t->out);
}

/* ---- allocations ---- */

static void
put_allocation (struct trace *t, const struct trace_track *track, guint type,
                const struct trace_stack *stack, struct trace_objects objects, uint64_t time)
{
  struct chrome *c = t->data;
  const guint number = trace_stacks_number (&c->stacks, stack);
  GString *to = begin_timed (t, "i", track, time);
  PUT (to, ",\"s\":\"t\",\"cat\":\"allocation\",\"name\":");
  g_string_append (to, g_ptr_array_index (t->names, type));
  if (number != 0) {
    PUT (to, ",\"sf\":");
    emitter_append_decimal (to, number);
  }
  PUT (to, ",\"args\":{\"bytes\":");
  emitter_append_decimal (to, objects.bytes);
  if (objects.parts != TRACE_OBJECT_PARTS)
    g_string_append_printf (to, ",\"objects\":%.3f", (double) objects.parts / TRACE_OBJECT_PARTS);
  PUT (to, "}}");
  c->has_allocation = true;
  export_flush_much (t->out);
}

static const struct trace_format trace = {
  .begin = begin,
  .end = end,
  .track = put_track,
  .name = trace_quote_name,
  .slice = put_slice,
  .slice_end = put_slice_end,
  .instant = put_instant,
  .counter = put_counter,
  .sample = put_sample,
  .allocation = put_allocation,
  .needs_stacks = true,
  .has_runs = true,
};

const struct export_format export_chrome
    = { "chrome", "events over time, in JSON: ui.perfetto.dev, speedscope", .trace = &trace };
