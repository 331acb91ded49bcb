/* export-firefox.c -- the JSON of the Firefox Profiler, in the format of its own files.
 *
 * A thread has a table of samples: those of the log, or of recorded calls one for each time between
 * two events of the thread, which weighs as much.  A thread with both is there twice.  Everything
 * else with a beginning and an end is a marker, with the lane as its name; markers of the process
 * are on a thread of its name.  Tables are columns, so their rows wait in a record store.
 */
#include "config.h"

#include "decoder/exports/export.h"
#include "decoder/exports/firefox-columns.h"
#include "decoder/exports/trace-stacks.h"
#include "decoder/output/emitter-values.h"
#include <string.h>

/* The version of the format; later viewers convert it. */
#define FORMAT_VERSION "70"

struct open_slice {
  guint name;
  uint32_t stack;
  uint64_t begin;
};

struct own_track {
  const struct trace_track *track;
  struct record_stream samples, calls, allocations, markers; /* of threads and processes */
  struct record_stream values;                               /* of counters */
  struct firefox_sample hit; /* the latest sample, whose processor time may follow */
  bool has_hit;              /* there is a latest sample */
  bool has_times;            /* of processors, of some samples */
  GArray *open;              /* of struct open_slice */
  uint64_t last;             /* time of the latest event of the calls */
  double value;              /* the latest one of a counter */
  guint number;              /* of a process: that of its thread in the profile */
};

struct firefox {
  struct record_store store;
  struct trace_stacks stacks;
  GPtrArray *tracks; /* of struct own_track *, by number less 1 */
  uint64_t timed;    /* the number of samples that state the time that they stand for */
  uint64_t timed_ns; /* the sums of these times, running and waiting */
};

/* ---- tracks ---- */

static void
free_track (void *data)
{
  struct own_track *own = data;
  record_stream_clear (&own->samples);
  record_stream_clear (&own->calls);
  record_stream_clear (&own->allocations);
  record_stream_clear (&own->markers);
  record_stream_clear (&own->values);
  g_array_unref (own->open);
  g_free (own);
}

static void
begin (struct trace *t)
{
  struct firefox *f = g_new0 (struct firefox, 1);
  record_store_init (&f->store);
  trace_stacks_init (&f->stacks);
  f->tracks = g_ptr_array_new_with_free_func (free_track);
  t->data = f;
}

static struct own_track *
own_of (const struct trace *t, const struct trace_track *track)
{
  const struct firefox *f = t->data;
  return f->tracks->pdata[track->number - 1];
}

/* The thread with the markers of a track. */
static struct own_track *
home_track (const struct trace *t, const struct trace_track *track)
{
  return own_of (t, track->kind == TRACE_LANE ? track->parent : track);
}

static void
put_track (struct trace *t, const struct trace_track *track)
{
  struct firefox *f = t->data;
  if (track->number <= f->tracks->len) /* it has another name */
    return;
  struct own_track *own = g_new0 (struct own_track, 1);
  own->track = track;
  own->open = g_array_new (FALSE, FALSE, sizeof (struct open_slice));
  g_ptr_array_add (f->tracks, own);
}

static void
put_record (struct trace *t, struct record_stream *stream, const void *record, guint size)
{
  struct firefox *f = t->data;
  if (!record_store_put (&f->store, stream, record, size))
    record_store_check (&f->store, t->out);
}

/* ---- stacks ---- */

/* The number of a frame within an outer stack. */
static uint32_t
inner_stack (struct firefox *f, uint32_t outer, guint name)
{
  return trace_stacks_inner (&f->stacks, outer, name);
}

static void
end_sample (struct trace *t, struct own_track *own)
{
  if (own->has_hit)
    put_record (t, &own->samples, &own->hit, sizeof own->hit);
  own->has_hit = false;
}

static void
put_sample (struct trace *t, const struct trace_track *track, const struct trace_stack *stack,
            uint64_t time)
{
  struct firefox *f = t->data;
  struct own_track *own = own_of (t, track);
  end_sample (t, own);
  own->hit = (struct firefox_sample){ .time = time,
                                      .weight = FIREFOX_UNKNOWN_TIME,
                                      .stack = trace_stacks_sampled (t, &f->stacks, stack) };
  own->has_hit = true;
}

static void
put_sample_time (struct trace *t, const struct trace_track *track, uint64_t cpu_ns,
                 uint64_t wait_ns, G_GNUC_UNUSED bool is_idle)
{
  struct firefox *f = t->data;
  struct own_track *own = own_of (t, track);
  own->hit.weight = cpu_ns;
  own->has_times = true;
  f->timed++;
  f->timed_ns += cpu_ns + wait_ns;
}

static void
end_samples (struct trace *t)
{
  const struct firefox *f = t->data;
  for (guint i = 0; i < f->tracks->len; i++)
    end_sample (t, f->tracks->pdata[i]);
}

/* The type is the innermost frame. */
static void
put_allocation (struct trace *t, const struct trace_track *track, guint type,
                const struct trace_stack *stack, struct trace_objects objects, uint64_t time)
{
  struct firefox *f = t->data;
  const uint32_t outer = trace_stacks_number (&f->stacks, stack);
  const struct firefox_sample sample
      = { .time = time, .weight = objects.bytes, .stack = inner_stack (t->data, outer, type) };
  put_record (t, &own_of (t, track)->allocations, &sample, sizeof sample);
}

/* ---- slices ---- */

static bool
has_calls (const struct trace_track *track)
{
  return track->kind == TRACE_THREAD;
}

/* The time since the latest event is that of the call that is open. */
static void
spend (struct trace *t, struct own_track *own, uint64_t time)
{
  if (own->open->len != 0 && time > own->last) {
    const struct open_slice *top
        = &g_array_index (own->open, struct open_slice, own->open->len - 1);
    const struct firefox_sample sample
        = { .time = own->last, .weight = time - own->last, .stack = top->stack };
    put_record (t, &own->calls, &sample, sizeof sample);
  }
  own->last = time;
}

static void
put_marker (struct trace *t, const struct trace_track *track, const char *name, guint text,
            uint64_t begin, uint64_t end, uint32_t phase)
{
  const struct firefox_marker marker
      = { .begin = begin, .end = end, .phase = phase, .name = trace_name (t, name), .text = text };
  put_record (t, &home_track (t, track)->markers, &marker, sizeof marker);
}

static void
put_slice (struct trace *t, const struct trace_track *track, guint name, uint64_t time)
{
  struct own_track *own = own_of (t, track);
  struct open_slice slice = { .name = name, .begin = time };
  if (has_calls (track)) {
    spend (t, own, time);
    slice.stack = inner_stack (
        t->data,
        own->open->len != 0 ? g_array_index (own->open, struct open_slice, own->open->len - 1).stack
                            : 0,
        name);
  }
  g_array_append_val (own->open, slice);
}

static void
put_slice_end (struct trace *t, const struct trace_track *track, uint64_t time)
{
  struct own_track *own = own_of (t, track);
  const struct open_slice slice = g_array_index (own->open, struct open_slice, own->open->len - 1);
  if (has_calls (track))
    spend (t, own, time);
  else
    put_marker (t, track, track->name, slice.name, slice.begin, time, FIREFOX_PHASE_INTERVAL);
  g_array_set_size (own->open, own->open->len - 1);
}

static void
put_instant (struct trace *t, const struct trace_track *track, const char *text, uint64_t time)
{
  put_marker (t, track, track->role == TRACE_CALLS ? "Exceptions" : track->name,
              trace_name (t, text), time, time, FIREFOX_PHASE_INSTANT);
}

static void
put_counter (struct trace *t, const struct trace_track *track, struct trace_value value,
             uint64_t time)
{
  struct own_track *own = own_of (t, track);
  const double now = value.is_real ? value.real : (double) value.whole;
  const struct firefox_value record = { .time = time, .change = now - own->value };
  own->value = now;
  put_record (t, &own->values, &record, sizeof record);
}

/* Slices of lanes that are open at the end. */
static void
put_open_markers (struct trace *t)
{
  struct firefox *f = t->data;
  for (guint i = 0; i < f->tracks->len; i++) {
    const struct own_track *own = f->tracks->pdata[i];
    for (guint s = 0; !has_calls (own->track) && s < own->open->len; s++) {
      const struct open_slice *slice = &g_array_index (own->open, struct open_slice, s);
      put_marker (t, own->track, own->track->name, slice->name, slice->begin, 0,
                  FIREFOX_PHASE_BEGIN);
    }
  }
}

/* ---- tables ---- */

static bool
flush_part (void *data)
{
  struct export_out *out = data;
  export_flush_much (out);
  return !out->failed;
}

/* A table without its braces. */
static void
put_table (struct trace *t, const struct record_stream *stream,
           const struct firefox_column *columns)
{
  struct firefox *f = t->data;
  for (guint i = 0; columns[i].name != NULL; i++) {
    g_string_append_printf (t->out->bytes, "\"%s\":[", columns[i].name);
    record_store_list (&f->store, stream, &columns[i].texts, t->out->bytes, flush_part, t->out);
    g_string_append (t->out->bytes, "],\n");
  }
  g_string_append_printf (t->out->bytes, "\"length\":%" G_GUINT64_FORMAT, stream->count);
  record_store_check (&f->store, t->out);
}

/* "NAME":[VALUE,VALUE...] with the same value for each row of a table. */
static void
put_same (GString *to, const char *name, const char *value, guint rows)
{
  g_string_append_printf (to, "\"%s\":[", name);
  for (guint i = 0; i < rows; i++) {
    g_string_append (to, value);
    g_string_append_c (to, ',');
  }
  if (rows != 0)
    g_string_truncate (to, to->len - 1);
  g_string_append (to, "],\n");
}

/* The numbers of the rows. */
static void
put_numbers (GString *to, const char *name, guint rows)
{
  g_string_append_printf (to, "\"%s\":[", name);
  for (guint i = 0; i < rows; i++) {
    if (i != 0)
      g_string_append_c (to, ',');
    emitter_append_decimal (to, i);
  }
  g_string_append (to, "],\n");
}

/* ---- threads ---- */

static void
put_json_text (GString *to, const char *text)
{
  emitter_append_json_string (to, text, strlen (text));
}

static void
put_thread (struct trace *t, const struct own_track *own, const struct record_stream *samples,
            bool is_of_calls)
{
  static const struct record_stream nothing;
  const struct trace_track *track = own->track;
  const bool is_second = is_of_calls && own->samples.count != 0;
  GString *to = t->out->bytes;
  g_autofree char *name = g_strconcat (track->name, is_second ? ": calls" : "", NULL);
  g_string_append (to, "{\"processType\":\"default\",\"processStartupTime\":0,"
                       "\"processShutdownTime\":null,\"registerTime\":0,"
                       "\"unregisterTime\":null,\"pausedRanges\":[],\"name\":");
  put_json_text (to, name);
  g_string_append (to, ",\"processName\":");
  put_json_text (to, track->parent != NULL ? track->parent->name : track->name);
  g_string_append_printf (to, ",\"isMainThread\":%s,\"pid\":\"%u\",\"tid\":\"%u%s\",\n",
                          track->kind == TRACE_PROCESS ? "true" : "false", track->pid,
                          track->number, is_second ? "c" : "");
  g_string_append (to, "\"samples\":{");
  put_table (t, samples,
             is_of_calls      ? firefox_call_columns
             : own->has_times ? firefox_timed_hit_columns
                              : firefox_hit_columns);
  g_string_append_printf (to, ",\"weightType\":\"%s\"},\n", is_of_calls ? "tracing-ms" : "samples");
  if (own->allocations.count != 0 && !is_second) {
    g_string_append (to, "\"nativeAllocations\":{");
    put_table (t, &own->allocations, firefox_allocation_columns);
    g_string_append (to, ",\"weightType\":\"bytes\"},\n");
  }
  g_string_append (to, "\"markers\":{");
  put_table (t, is_second ? &nothing : &own->markers, firefox_marker_columns);
  g_string_append (to, "}}");
}

/* Threads of each process, after its own. */
static void
put_threads (struct trace *t)
{
  struct firefox *f = t->data;
  guint number = 0;
  g_string_append (t->out->bytes, "\"threads\":[");
  for (guint i = 0; i < f->tracks->len && !t->out->failed; i++) {
    struct own_track *own = f->tracks->pdata[i];
    if (own->track->kind != TRACE_PROCESS && own->track->kind != TRACE_THREAD)
      continue;
    own->number = number;
    if (own->samples.count != 0 || own->calls.count == 0) {
      g_string_append (t->out->bytes, number++ == 0 ? "\n" : ",\n");
      put_thread (t, own, &own->samples, false);
    }
    if (own->calls.count != 0) {
      g_string_append (t->out->bytes, number++ == 0 ? "\n" : ",\n");
      put_thread (t, own, &own->calls, true);
    }
  }
  g_string_append (t->out->bytes, "]");
}

static void
put_counters (struct trace *t)
{
  struct firefox *f = t->data;
  GString *to = t->out->bytes;
  bool has_counter = false;
  g_string_append (to, ",\n\"counters\":[");
  for (guint i = 0; i < f->tracks->len && !t->out->failed; i++) {
    const struct own_track *own = f->tracks->pdata[i];
    if (own->track->kind != TRACE_COUNTER || own->values.count == 0)
      continue;
    g_string_append (to, has_counter ? ",\n{\"name\":" : "\n{\"name\":");
    has_counter = true;
    put_json_text (to, own->track->name);
    g_string_append (to, ",\"category\":\"Other\",\"description\":");
    put_json_text (to, own->track->name);
    g_string_append_printf (to, ",\"pid\":\"%u\",\"mainThreadIndex\":%u,\"samples\":{",
                            own->track->pid, own_of (t, own->track->parent)->number);
    put_table (t, &own->values, firefox_value_columns);
    g_string_append_printf (to,
                            "},\"display\":{\"graphType\":\"line-accumulated\",\"unit\":\"%s\","
                            "\"color\":\"blue\",\"markerSchemaLocation\":null,\"sortWeight\":%u,"
                            "\"label\":",
                            own->track->unit == TRACE_BYTES ? "bytes" : "number", 10 + i);
    put_json_text (to, own->track->name);
    g_string_append (to, ",\"tooltipRows\":[]}}");
  }
  g_string_append (to, "]}\n");
}

/* ---- tables that threads share ---- */

static void
put_stacks (struct trace *t)
{
  const struct firefox *f = t->data;
  const guint n = f->stacks.keys->len;
  GString *to = t->out->bytes;
  g_string_append (to, "\"stackTable\":{\"frame\":[");
  for (guint i = 1; i <= n && !t->out->failed; i++) {
    if (i != 1)
      g_string_append_c (to, ',');
    emitter_append_decimal (to, trace_stacks_name (&f->stacks, i));
    export_flush_much (t->out);
  }
  g_string_append (to, "],\n\"prefixOffset\":[");
  for (guint i = 1; i <= n && !t->out->failed; i++) {
    const guint outer = trace_stacks_outer (&f->stacks, i);
    if (i != 1)
      g_string_append_c (to, ',');
    emitter_append_decimal (to, outer != 0 ? i - outer : 0);
    export_flush_much (t->out);
  }
  g_string_append_printf (to, "],\n\"length\":%u},\n", n);
}

/* Each name is a function with one frame. */
static void
put_functions (struct trace *t)
{
  static const struct {
    const char *name, *value; /* NULL: the number of the row */
  } columns[] = {
    { "\"frameTable\":{", NULL },
    { "address", "-1" },
    { "lib", "-1" },
    { "inlineDepth", "0" },
    { "category", "1" },
    { "subcategory", "0" },
    { "nativeSymbol", "null" },
    { "innerWindowID", "0" },
    { "line", "null" },
    { "column", "null" },
    { "originalLocation", "null" },
    { "func", NULL },
    { "\"funcTable\":{", NULL },
    { "isJS", "false" },
    { "relevantForJS", "false" },
    { "resource", "-1" },
    { "source", "null" },
    { "lineNumber", "null" },
    { "columnNumber", "null" },
    { "originalLocation", "null" },
    { "name", NULL },
  };
  const guint rows = t->names->len;
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++) {
    if (columns[i].name[0] == '"')
      g_string_append (t->out->bytes, columns[i].name);
    else if (columns[i].value != NULL)
      put_same (t->out->bytes, columns[i].name, columns[i].value, rows);
    else {
      put_numbers (t->out->bytes, columns[i].name, rows);
      g_string_append_printf (t->out->bytes, "\"length\":%u},\n", rows);
    }
    export_flush_much (t->out);
  }
}

static void
put_strings (struct trace *t)
{
  g_string_append (t->out->bytes, "\"stringArray\":[");
  for (guint i = 0; i < t->names->len && !t->out->failed; i++) {
    if (i != 0)
      g_string_append (t->out->bytes, ",\n");
    g_string_append (t->out->bytes, t->names->pdata[i]);
    export_flush_much (t->out);
  }
  g_string_append (t->out->bytes, "]");
}

/* The interval is that of samples in ms, which has to be there: 1 where the log does not state it.
 */
static void
put_meta (struct trace *t)
{
  const struct firefox *f = t->data;
  g_string_append (t->out->bytes, "{\"meta\":{\"interval\":");
  firefox_append_ms (t->out->bytes,
                     f->timed_ns != 0 ? (f->timed_ns + f->timed / 2) / f->timed : 1000000);
  g_string_append (t->out->bytes, ",\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\","
                                  "\"threadCPUDelta\":\"ns\"},\"startTime\":");
  firefox_append_ms (t->out->bytes, t->start_ns);
  g_string_append (
      t->out->bytes,
      ",\"processType\":0,\"product\":\"proflog\",\"stackwalk\":1,\"version\":36,"
      "\"preprocessedProfileVersion\":" FORMAT_VERSION ",\n\"markerSchema\":[{\"name\":\"proflog\","
      "\"chartLabel\":\"{marker.data.text}\",\"tableLabel\":\"{marker.data.text}\","
      "\"tooltipLabel\":\"{marker.name}: {marker.data.text}\","
      "\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],"
      "\"fields\":[{\"key\":\"text\",\"label\":\"Text\",\"format\":\"unique-string\"}]}],\n"
      "\"categories\":[{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},"
      "{\"name\":\"Code\",\"color\":\"yellow\",\"subcategories\":[\"Other\"]}],"
      "\"symbolicated\":true,\"usesOnlyOneStackType\":true,"
      "\"sourceCodeIsNotOnSearchfox\":true,\"importedFrom\":\"proflog " PACKAGE_VERSION
      "\"},\n\"libs\":[],\n");
}

static void
write_profile (struct trace *t)
{
  put_meta (t);
  g_string_append (t->out->bytes, "\"shared\":{");
  put_stacks (t);
  put_functions (t);
  g_string_append (t->out->bytes,
                   "\"resourceTable\":{\"lib\":[],\"name\":[],\"host\":[],\"type\":[],"
                   "\"length\":0},\n"
                   "\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],"
                   "\"functionSize\":[],\"length\":0},\n"
                   "\"sources\":{\"id\":[],\"filename\":[],\"startLine\":[],\"startColumn\":[],"
                   "\"sourceMapURL\":[],\"content\":[],\"length\":0},\n"
                   "\"sourceLocationTable\":{\"source\":[],\"line\":[],\"column\":[],"
                   "\"length\":0},\n");
  put_strings (t);
  g_string_append (t->out->bytes, "},\n");
  put_threads (t);
  put_counters (t);
}

static void
end (struct trace *t)
{
  struct firefox *f = t->data;
  put_open_markers (t);
  end_samples (t);
  if (!t->out->failed)
    write_profile (t);
  record_store_clear (&f->store);
  trace_stacks_clear (&f->stacks);
  g_ptr_array_unref (f->tracks);
  g_free (f);
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
  .allocation = put_allocation,
  .needs_stacks = true,
  .sample = put_sample,
  .sample_time = put_sample_time,
};

const struct export_format export_firefox
    = { "firefox", "samples, calls, markers over time: Firefox Profiler", .trace = &trace };
