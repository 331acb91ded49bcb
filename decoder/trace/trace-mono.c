/* trace-mono.c -- the events of a log of Mono as a trace.
 *
 * The functions of the analyses follow beginnings and ends, so a trace has as many slices as
 * reports count.
 */
#include "config.h"

#include "decoder/trace/log-trace-private.h"
#include "decoder/command/message.h"
#include "decoder/trace/trace-deaths.h"
#include "decoder/trace/trace-spans.h"
#include "decoder/mlpd/analyses/calls.h"
#include "decoder/mlpd/analyses/counters.h"
#include "decoder/mlpd/analyses/gc.h"
#include "decoder/mlpd/analyses/monitors.h"
#include "decoder/mlpd/analyses/samples.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/mlpd/mlpd-origin.h"
#include "decoder/mlpd/mlpd-sample-usage.h"
#include "decoder/mlpd/query/waits.h"
#include "decoder/mlpd/model/allocations.h"
#include "decoder/mlpd/model/recording.h"
#include <proflog/memory-parts.h>
#include <string.h>

#define NS_PER_MS 1000000

/* The stack that a thread had before: the next one often has its outer frames in common. */
struct latest_stack {
  uint64_t *addresses; /* of the methods */
  guint *names;        /* names of the methods, as far as they were looked up */
  struct trace_numbers known;
  guint room, n; /* of these frames */
  guint depth;   /* the number of frames of the stack */
};

/* A thread of the log in the trace. */
struct traced_thread {
  struct thread *thread;
  struct trace_track *track;
  struct trace_track *waits; /* a lane for locks; NULL: none yet */
  bool follows_class;        /* the event before announced a class */
  uint64_t klass;            /* the announced class */
  uint64_t class_time;       /* the time of the announcement */
  struct latest_stack stack;
  guint announced; /* methods, when its names were looked up */
};

/* Types that were allocated recently, by hash. */
#define RECENT_TYPES 256

struct recent_type {
  uint64_t address; /* 0: none */
  guint name;
};

/* Size of the table of threads whose events alternate. */
#define RECENT_THREADS 256

struct mono_trace {
  const struct log_trace *to;
  struct trace *trace;
  const struct buffer_filter *filter; /* NULL: everything is selected */
  struct trace_track *process;
  struct trace_track *collections[GC_GENERATIONS], *pauses, *shots, *heap,
      *marks; /* NULL: not yet */
  struct trace_marks *intervals;
  struct trace_spans spans;
  GHashTable *traced;                           /* struct thread * -> struct traced_thread */
  struct traced_thread *recent[RECENT_THREADS]; /* that were looked up, by hash; NULL: none */
  GHashTable *counter_tracks;                   /* struct counter * -> struct trace_track */
  GArray *method_names; /* of guint, by method: number of the name + 1; 0: none yet */
  guint announced;      /* methods so far */
  struct recent_type types[RECENT_TYPES];
  struct symbols symbols;
  struct threads threads;
  struct calls calls;
  struct counters counters;
  struct gc gc;
  struct monitors monitors;
  bool has_sampling; /* `sampling` was looked up */
  uint64_t sampling; /* of allocations: one in this many bytes; 0: all are in the log */
  bool has_deaths;
  struct trace_deaths deaths;    /* if so: of objects */
  bool has_interval;             /* `interval_ns` was looked up */
  uint64_t interval_ns;          /* of samples of processor time; 0: unknown, or of another clock */
  struct traced_thread *sampled; /* the thread of the latest hit */
  bool is_idle;                  /* the hit is idle, if it waits */
  bool has_hit, is_hit_selected; /* the event before was a hit */
  uint64_t selected;
  uint64_t latest; /* time of an event, selected or not */
  uint64_t passed; /* bytes of events */
};

static uint64_t
trace_time (const struct mono_trace *m, uint64_t time)
{
  return span_ns (m->to->zero, time);
}

/* A track that is made when it is needed. */
static struct trace_track *
track_at (struct mono_trace *m, struct trace_track **track, enum trace_track_kind kind,
          const char *name, enum trace_unit unit)
{
  if (*track == NULL)
    *track = trace_add (m->trace, kind, m->process, name, unit);
  return *track;
}

static struct trace_track *
lane_at (struct mono_trace *m, struct trace_track **lane, const char *name, enum trace_role role)
{
  track_at (m, lane, TRACE_LANE, name, TRACE_COUNT)->role = role;
  return *lane;
}

/* ---- threads ---- */

static guint
count_earlier (const struct thread *thread)
{
  guint n = 0;
  while ((thread = thread->before) != NULL)
    n++;
  return n;
}

static void
name_thread (struct mono_trace *m, struct traced_thread *t)
{
  g_autofree char *name = t->thread->name != NULL
                              ? g_strdup (t->thread->name)
                              : g_strdup_printf ("Thread 0x%" G_GINT64_MODIFIER "x", t->thread->id);
  if (t->track == NULL) {
    t->track = trace_add (m->trace, TRACE_THREAD, m->process, name, TRACE_COUNT);
    t->track->role = TRACE_CALLS;
    t->track->thread = t->thread->id;
    t->track->earlier = count_earlier (t->thread);
  } else if (strcmp (t->track->name, name) != 0)
    trace_rename (m->trace, t->track, name);
}

static struct traced_thread *
find_traced (struct mono_trace *m, struct thread *thread)
{
  struct traced_thread *t = g_hash_table_lookup (m->traced, thread);
  if (t == NULL) {
    t = g_new0 (struct traced_thread, 1);
    t->thread = thread;
    g_hash_table_insert (m->traced, thread, t);
  }
  return t;
}

/* The thread that had an id at this time.  After its end a thread logs events in the same buffer:
 * another thread with the id has a buffer that begins later. */
static struct traced_thread *
traced_with_id (struct mono_trace *m, uint64_t id, uint64_t time)
{
  G_STATIC_ASSERT (RECENT_THREADS == 1 << 8);
  struct traced_thread **recent = &m->recent[id * UINT64_C (0x9E3779B97F4A7C15) >> 56];
  if (*recent == NULL || (*recent)->thread->id != id || (*recent)->thread->ended)
    *recent = find_traced (m, threads_at (&m->threads, id, time));
  return *recent;
}

static struct trace_track *
track_of (struct mono_trace *m, struct traced_thread *t)
{
  if (t->track == NULL)
    name_thread (m, t);
  return t->track;
}

/* ---- calls ---- */

static guint
name_of_method (struct mono_trace *m, guint method, uint64_t address)
{
  if (method >= m->method_names->len)
    g_array_set_size (m->method_names, method + 1);
  guint *name = &g_array_index (m->method_names, guint, method);
  if (*name != 0)
    return *name - 1;
  const char *known
      = address == RECORDING_METHOD
            ? RECORDING_NAME
            : g_array_index (m->symbols.all[SYMBOL_METHOD], struct symbol, method).name;
  if (known == NULL)
    known = symbols_current_name (m->to->log->mono.names, SYMBOL_METHOD, address);
  g_autofree char *text = known != NULL ? symbols_frame_name (g_strdup (known))
                                        : symbols_name (&m->symbols, SYMBOL_METHOD, method);
  *name = trace_name (m->trace, text[0] != 0 ? text : "[unknown]") + 1;
  return *name - 1;
}

static void
enter (struct mono_trace *m, struct traced_thread *t, uint64_t address, uint64_t time)
{
  if (m->trace->format->no_calls)
    return;
  const guint method = symbols_use (&m->symbols, SYMBOL_METHOD, address);
  calls_enter (&m->calls, t->thread, method, time);
  const guint name = name_of_method (m, method, address);
  trace_slice (m->trace, track_of (m, t), name, trace_time (m, time));
}

/* Calls that are no longer open on the thread end. */
static void
end_calls (struct mono_trace *m, struct traced_thread *t, guint depth, uint64_t time)
{
  for (guint now = calls_depth (t->thread); now < depth; now++)
    trace_slice_end (m->trace, t->track, trace_time (m, time));
}

static void
leave (struct mono_trace *m, struct traced_thread *t, uint64_t address, uint64_t time)
{
  if (m->trace->format->no_calls)
    return;
  const guint method = symbols_use (&m->symbols, SYMBOL_METHOD, address);
  const guint depth = calls_depth (t->thread);
  calls_leave (&m->calls, t->thread, method, time);
  end_calls (m, t, depth, time);
}

/* ---- collections, heap snapshots ---- */

static void
handle_gc (struct mono_trace *m, struct thread *thread, const struct mlpd_gc_event *event)
{
  const uint64_t time = trace_time (m, event->time);
  const uint64_t generation = event->generation;
  char name[32];
  guint what; /* announced before the lane */
  const bool counts = generation < GC_GENERATIONS;
  const bool collects = counts && thread->collecting[generation], stops = thread->stopping;
  gc_event (&m->gc, thread, event);
  if (!counts)
    return;
  g_snprintf (name, sizeof name, "Collections, generation %u", (unsigned) generation);
  struct trace_track **lane = &m->collections[generation];
  switch (event->event) {
  case MLPD_GC_EVENT_START:
    what = trace_name (m->trace, "Collection");
    lane_at (m, lane, name, TRACE_COLLECTIONS)->generation = (guint) generation;
    trace_slice (m->trace, *lane, what, time);
    break;
  case MLPD_GC_EVENT_END:
    if (collects)
      trace_slice_end (m->trace, *lane, time);
    break;
  case MLPD_GC_EVENT_PRE_STOP_WORLD:
    what = trace_name (m->trace, "Pause");
    trace_slice (m->trace, lane_at (m, &m->pauses, "Pauses", TRACE_PAUSES), what, time);
    break;
  case MLPD_GC_EVENT_POST_START_WORLD:
    if (!stops)
      break;
    trace_slice_end (m->trace, m->pauses, time);
    trace_pause (m->trace, m->pauses, (guint) generation, trace_time (m, thread->stop_start), time);
    break;
  default:
    break;
  }
}

static void
handle_resize (struct mono_trace *m, const struct mlpd_gc_resize *event)
{
  const struct trace_value value = { .whole = (int64_t) MIN (event->size, INT64_MAX) };
  track_at (m, &m->heap, TRACE_COUNTER, "Heap size", TRACE_BYTES)->quantity = TIMELINE_HEAP_SIZE;
  trace_counter (m->trace, m->heap, value, trace_time (m, event->time));
}

static void
handle_shot (struct mono_trace *m, bool begins, uint64_t time)
{
  struct trace_track *lane = lane_at (m, &m->shots, "Heap snapshots", TRACE_OTHER);
  if (begins)
    trace_slice (m->trace, lane, trace_name (m->trace, "Heap snapshot"), trace_time (m, time));
  else
    trace_slice_end (m->trace, lane, trace_time (m, time));
}

/* ---- allocations, samples ---- */

static void
make_room (struct latest_stack *s, size_t frames)
{
  if (frames <= s->room)
    return;
  s->room = (guint) frames;
  s->addresses = g_renew (uint64_t, s->addresses, frames);
  s->names = g_renew (guint, s->names, frames);
  s->known.numbers = g_renew (guint, s->known.numbers, frames);
}

/* A stack of `frames` frames follows, the outermost first. */
static void
begin_stack (struct mono_trace *m, struct traced_thread *t, size_t frames)
{
  make_room (&t->stack, frames);
  if (t->announced != m->announced)
    t->stack.n = t->stack.known.n = 0; /* a method may have another name */
  t->announced = m->announced;
  t->stack.depth = 0;
}

static void
add_frame (struct mono_trace *m, struct traced_thread *t, uint64_t address)
{
  struct latest_stack *s = &t->stack;
  const guint place = s->depth++;
  if (place < s->n && s->addresses[place] == address)
    return;
  s->addresses[place] = address;
  s->names[place] = name_of_method (m, symbols_use (&m->symbols, SYMBOL_METHOD, address), address);
  s->n = place + 1;
  s->known.n = MIN (s->known.n, place);
}

static struct trace_stack
thread_stack (struct traced_thread *t)
{
  return (struct trace_stack){ t->stack.names, t->stack.depth, &t->stack.known };
}

static void
free_thread (void *data)
{
  struct traced_thread *t = data;
  g_free (t->stack.addresses);
  g_free (t->stack.names);
  g_free (t->stack.known.numbers);
  g_free (t);
}

static const char *
find_type (const struct mono_trace *m, const struct mlpd_item *item)
{
  const struct mlpd_alloc *e = &item->payload->alloc;
  const struct symbols *const names[] = { &m->symbols, m->to->log->mono.names };
  const char *name = NULL;
  for (guint i = 0; name == NULL && i < G_N_ELEMENTS (names); i++)
    name = item->header->data_version < MLPD_VERSION_ROOT_ADDRESSES
               ? symbols_current_name (names[i], SYMBOL_CLASS, e->klass)
               : symbols_current_vtable_class (names[i], e->vtable);
  return name != NULL ? name : "[unknown]";
}

static guint
type_of_allocation (struct mono_trace *m, const struct mlpd_item *item)
{
  G_STATIC_ASSERT (RECENT_TYPES == 1 << 8);
  const uint64_t address = item->payload->alloc.klass | item->payload->alloc.vtable; /* one is 0 */
  struct recent_type *recent = &m->types[(address >> 3) * UINT64_C (0x9E3779B97F4A7C15) >> 56];
  if (recent->address != address || address == 0)
    *recent = (struct recent_type){ address, trace_name (m->trace, find_type (m, item)) };
  return recent->name;
}

static void
find_sampling (struct mono_trace *m, const struct mlpd_item *item)
{
  if (m->has_sampling)
    return;
  m->has_sampling = true;
  m->sampling = mlpd_header_alloc_sampling (item->header);
  m->has_deaths = m->trace->format->death != NULL;
  if (m->has_deaths)
    trace_deaths_init (&m->deaths, m->trace, m->sampling != 0);
}

static void
handle_alloc (struct mono_trace *m, struct traced_thread *t, const struct mlpd_item *item)
{
  const struct mlpd_alloc *e = &item->payload->alloc;
  struct trace_objects objects = { TRACE_OBJECT_PARTS, e->size, e->size };
  if (m->trace->format->allocation == NULL)
    return;
  if (m->sampling != 0) {
    const struct type_sum sum = allocation_estimate (e->size, m->sampling);
    objects = (struct trace_objects){ sum.objects, sum.bytes, e->size };
  }
  const size_t frames = m->trace->format->needs_stacks ? e->backtrace.count : 0;
  begin_stack (m, t, frames);
  for (size_t i = 0; i < frames; i++)
    add_frame (m, t, e->backtrace.items[i]);
  const struct trace_stack stack = thread_stack (t);
  const guint type = type_of_allocation (m, item);
  trace_allocation (m->trace, track_of (m, t), type, &stack, objects, trace_time (m, e->time));
}

/* The method or native function that a hit without methods was in; false: it has no name. */
static bool
find_bare (struct mono_trace *m, const struct mlpd_sample_hit *hit, guint *name)
{
  const struct summary *s = m->to->summary;
  guint method;
  if (s == NULL || !m->trace->format->has_natives || hit->frames.count != 0)
    return false;
  const struct samples *samples = SUMMARY_STATE (s, samples);
  const char *native = samples_native_name (samples, samples_ip (hit));
  if (samples_method_at (samples, samples_ip (hit), &method)) {
    g_autofree char *text = symbols_frame_name (symbols_name (&s->symbols, SYMBOL_METHOD, method));
    *name = trace_name (m->trace, text);
    return true;
  }
  if (native != NULL)
    *name = trace_native_name (m->trace, native);
  return native != NULL;
}

static struct trace_stack
stack_of_hit (struct mono_trace *m, struct traced_thread *t, const struct mlpd_sample_hit *hit,
              bool is_recording, size_t wrappers)
{
  begin_stack (m, t, hit->frames.count + is_recording);
  for (size_t i = hit->frames.count; i-- > wrappers;)
    add_frame (m, t, hit->frames.items[i].method);
  if (is_recording)
    add_frame (m, t, RECORDING_METHOD);
  return thread_stack (t);
}

/* The thread that recorded a hit need not be the one that was sampled. */
static void
handle_hit (struct mono_trace *m, struct traced_thread *t, const struct mlpd_item *item,
            uint64_t time)
{
  const struct mlpd_sample_hit *hit = &item->payload->sample_hit;
  if (m->trace->format->sample == NULL)
    return;
  if (item->header->data_version >= MLPD_VERSION_SAMPLED_THREADS)
    t = traced_with_id (m, hit->thread, 0);
  size_t wrappers;
  const bool is_recording = recording_has_hit (&m->to->log->mono.recording, hit, &wrappers);
  guint bare;
  const struct trace_stack stack = !is_recording && find_bare (m, hit, &bare)
                                       ? (struct trace_stack){ &bare, 1, NULL }
                                       : stack_of_hit (m, t, hit, is_recording, wrappers);
  trace_sample (m->trace, track_of (m, t), &stack, trace_time (m, time));
  if (!m->has_interval) {
    m->has_interval = true;
    m->interval_ns = mlpd_header_cpu_sample_interval (item->header);
  }
  m->sampled = t;
  m->is_idle = !is_recording && m->to->idle != NULL
               && waits_idle_has (m->to->idle, t->thread->id, time, hit);
  if (m->interval_ns != 0 && m->trace->format->sample_time != NULL)
    m->trace->format->sample_time (m->trace, track_of (m, t), m->interval_ns, 0, false);
}

/* Of samples of the wall clock the time comes after the hit. */
static void
handle_usage (struct mono_trace *m, const struct mlpd_sample_usage *usage)
{
  if (usage->elapsed_ns != 0 && m->sampled != NULL && m->trace->format->sample_time != NULL)
    m->trace->format->sample_time (m->trace, track_of (m, m->sampled), usage->cpu_ns,
                                   span_ns (usage->cpu_ns, usage->elapsed_ns), m->is_idle);
}

/* ---- exceptions, locks ---- */

/* "throw System.Exception": logs of our module announce the type directly before (transfer full).
 */
static char *
text_with_type (const struct mono_trace *m, const struct traced_thread *t, uint64_t time,
                const char *before, const char *unknown)
{
  const char *type = t->follows_class && t->class_time == time
                         ? symbols_current_name (&m->symbols, SYMBOL_CLASS, t->klass)
                         : NULL;
  return g_strconcat (before, type != NULL ? type : unknown, NULL);
}

static void
handle_throw (struct mono_trace *m, struct traced_thread *t, uint64_t time)
{
  g_autofree char *text = text_with_type (m, t, time, "throw ", "an exception");
  trace_instant (m->trace, track_of (m, t), text, trace_time (m, time));
}

static void
handle_monitor (struct mono_trace *m, struct traced_thread *t, const struct mlpd_monitor *event)
{
  const bool waits = t->thread->waiting;
  monitors_event (&m->monitors, t->thread, event);
  if (event->event == MLPD_MONITOR_EVENT_CONTENTION) {
    g_autofree char *text = text_with_type (m, t, event->time, "lock of ", "an object");
    if (t->waits == NULL)
      t->waits = trace_add (m->trace, TRACE_LANE, track_of (m, t), "waits for locks", TRACE_COUNT);
    t->waits->role = TRACE_LOCKS;
    trace_slice (m->trace, t->waits, trace_name (m->trace, text), trace_time (m, event->time));
  } else if (waits && !t->thread->waiting) {
    trace_slice_end (m->trace, t->waits, trace_time (m, event->time));
  }
}

/* ---- counters, marks ---- */

/* Is it one of those of our module whose names begin with this? */
static bool
is_of_module (const struct counter *c, const char *prefix)
{
  return c->section == MLPD_COUNTER_SECTION_PROFILER && c->name != NULL
         && g_str_has_prefix (c->name, prefix);
}

static struct trace_track *
track_of_counter (struct mono_trace *m, const struct counter *c)
{
  struct trace_track *track = g_hash_table_lookup (m->counter_tracks, c);
  if (track != NULL)
    return track;
  const bool is_memory = is_of_module (c, MLPD_MEMORY);
  const char *section = is_memory ? NULL : counter_section (c);
  g_autofree char *number = g_strdup_printf ("Counter %" G_GUINT64_FORMAT, c->index);
  g_autofree char *name = g_strconcat (section != NULL ? section : "", section != NULL ? ": " : "",
                                       c->name != NULL ? c->name : number, NULL);
  track = trace_add (m->trace, TRACE_COUNTER, m->process, name,
                     counter_ns (c) != 0                  ? TRACE_NS
                     : c->unit == MLPD_COUNTER_UNIT_BYTES ? TRACE_BYTES
                                                          : TRACE_COUNT);
  if (is_memory)
    track->quantity = TIMELINE_MEMORY;
  g_hash_table_insert (m->counter_tracks, (gpointer) c, track);
  return track;
}

static void
put_counter (struct mono_trace *m, const struct counter *c, uint64_t time)
{
  const uint64_t ns = counter_ns (c), scale = ns != 0 ? ns : 1;
  const union counter_value v = c->last.value;
  struct trace_value value = { .whole = (int64_t) (v.number * scale) }; /* unless it is too large */
  switch (counter_kind_of (c)) {
  case COUNTER_TEXT:
    return;
  case COUNTER_DOUBLE:
    value = (struct trace_value){ .is_real = true, .real = v.real };
    break;
  case COUNTER_UNSIGNED:
    if (v.number > (uint64_t) INT64_MAX / scale)
      value = (struct trace_value){ .is_real = true, .real = (double) v.number * (double) scale };
    break;
  case COUNTER_SIGNED:
    if (v.change > INT64_MAX / (int64_t) scale || v.change < INT64_MIN / (int64_t) scale)
      value = (struct trace_value){ .is_real = true, .real = (double) v.change * (double) scale };
    break;
  }
  trace_counter (m->trace, track_of_counter (m, c), value, time);
}

static void
put_counter_or_mark (struct mono_trace *m, const struct thread *thread, const struct counter *c,
                     uint64_t time)
{
  if (!is_of_module (c, MLPD_MARK)) {
    put_counter (m, c, trace_time (m, time));
    return;
  }
  const struct mark_time at = { time, thread->id, true };
  lane_at (m, &m->marks, "Marks", TRACE_MARKS);
  trace_mark (m->trace, m->intervals, m->marks, c->name + strlen (MLPD_MARK), &at);
}

/* Does the event repeat an announcement? */
static bool
is_repeated (const struct mlpd_item *item)
{
  return mlpd_is_reannounced (item->buffer);
}

/* Up to data version 12 values have a time of their own. */
static void
handle_counters (struct mono_trace *m, const struct thread *thread,
                 const struct mlpd_sample_counters *event, bool repeated)
{
  const struct mlpd_order *order = &m->to->log->mono.order;
  const uint64_t time = order->header.data_version < MLPD_VERSION_NO_FLAGS
                            ? order->first_time + event->timestamp_ms * NS_PER_MS
                            : event->time;
  if (repeated)
    counters_repeat (&m->counters, event, time, true);
  else
    counters_update (&m->counters, event, time);
  for (size_t i = 0; i < event->values.count; i++) {
    const struct counter *c
        = g_hash_table_lookup (m->counters.current, &event->values.items[i].index);
    if (c != NULL)
      put_counter_or_mark (m, thread, c, time);
  }
}

/* ---- events ---- */

/* Names count, whether the event is selected or not. */
static void
handle_name (struct mono_trace *m, struct thread *thread, const struct mlpd_item *item)
{
  const union mlpd_payload *p = item->payload;
  struct traced_thread *t;
  switch (item->kind) {
  case MLPD_METADATA_CLASS:
    symbols_announce (&m->symbols, SYMBOL_CLASS, p->metadata_class.klass, p->metadata_class.name);
    memset (m->types, 0, sizeof m->types);
    break;
  case MLPD_METADATA_VTABLE:
    symbols_announce_vtable (&m->symbols, p->metadata_vtable.vtable,
                             symbols_use (&m->symbols, SYMBOL_CLASS, p->metadata_vtable.klass));
    memset (m->types, 0, sizeof m->types);
    break;
  case MLPD_METHOD_JIT:
    symbols_announce (&m->symbols, SYMBOL_METHOD, p->method_jit.method, p->method_jit.name);
    m->announced++;
    break;
  case MLPD_SAMPLE_COUNTERS_DESC:
    counters_describe (&m->counters, &p->sample_counters_desc);
    break;
  case MLPD_METADATA_THREAD:
    t = find_traced (m, threads_name (&m->threads, &p->metadata_thread,
                                      p->metadata_thread.thread == thread->id));
    if (t->track != NULL)
      name_thread (m, t);
    break;
  default:
    break;
  }
}

static void
handle_event (struct mono_trace *m, struct traced_thread *t, const struct mlpd_item *item)
{
  const union mlpd_payload *p = item->payload;
  switch (item->kind) {
  case MLPD_METHOD_ENTER:
    enter (m, t, p->method_enter.method, p->method_enter.time);
    break;
  case MLPD_METHOD_LEAVE:
    leave (m, t, p->method_leave.method, p->method_leave.time);
    break;
  case MLPD_METHOD_EXC_LEAVE:
    leave (m, t, p->method_exc_leave.method, p->method_exc_leave.time);
    break;
  case MLPD_ALLOC:
    handle_alloc (m, t, item);
    break;
  case MLPD_GC_EVENT:
    handle_gc (m, t->thread, &p->gc_event);
    break;
  case MLPD_GC_RESIZE:
    handle_resize (m, &p->gc_resize);
    break;
  case MLPD_HEAP_START:
    handle_shot (m, true, p->heap_start.time);
    break;
  case MLPD_HEAP_END:
    handle_shot (m, false, p->heap_end.time);
    break;
  case MLPD_EXCEPTION_THROW:
    handle_throw (m, t, p->exception_throw.time);
    break;
  case MLPD_MONITOR:
    handle_monitor (m, t, &p->monitor);
    break;
  case MLPD_SAMPLE_COUNTERS:
    handle_counters (m, t->thread, &p->sample_counters, is_repeated (item));
    break;
  case MLPD_METADATA_THREAD:
    if (m->trace->format->thread_end != NULL && t->thread->ended)
      m->trace->format->thread_end (m->trace, track_of (m, t),
                                    trace_time (m, p->metadata_thread.time));
    break;
  default:
    break;
  }
}

/* The usage of a hit is selected as the hit is. */
static bool
is_selected (struct mono_trace *m, const struct mlpd_item *item, uint64_t time, bool is_usage)
{
  if (mlpd_is_context (item->buffer))
    return false;
  if (m->filter == NULL)
    return true;
  if (is_usage)
    return m->is_hit_selected;
  return buffer_filter_has_event (m->filter, item->buffer->thread, time, item->offset,
                                  item->header->data_version, item->kind, item->payload);
}

/* The last time of a thread is the end of its open calls.  A hit is an event of the sampled thread.
 */
static void
touch (struct mono_trace *m, struct thread *thread, const struct mlpd_item *item, uint64_t time)
{
  bool is_late;
  if (item->kind == MLPD_SAMPLE_HIT && item->header->data_version >= MLPD_VERSION_SAMPLED_THREADS) {
    threads_sampled (&m->threads, item->payload->sample_hit.thread, time, &is_late);
    return;
  }
  thread->end = thread->events == 0 ? time : MAX (thread->end, time);
  thread->events++;
}

/* Objects are followed, whether the event is selected or not; after it. */
static void
follow (struct mono_trace *m, const struct mlpd_item *item, bool is_selected, uint64_t time)
{
  if (!m->has_deaths)
    return;
  if (item->kind == MLPD_ALLOC)
    trace_deaths_allocate (&m->deaths, &item->payload->alloc, is_selected);
  else
    trace_deaths_follow (&m->deaths, item, trace_time (m, time));
}

/* A call of a thread: most events of most logs are. */
static void
put_call (struct mono_trace *m, struct traced_thread *t, const struct mlpd_item *item,
          uint64_t time)
{
  m->selected++;
  touch (m, t->thread, item, time);
  if (m->trace->format->activity != NULL)
    trace_activity (m->trace, track_of (m, t), trace_time (m, time));
  if (item->kind == MLPD_METHOD_ENTER)
    enter (m, t, item->payload->method_enter.method, time);
  else
    leave (m, t, item->payload->method_leave.method, time);
  m->has_hit = t->follows_class = false;
}

static bool
put_item (void *data, const struct mlpd_item *item, uint64_t time)
{
  struct mono_trace *m = data;
  struct mlpd_sample_usage usage;
  struct traced_thread *t = traced_with_id (m, item->buffer->thread, item->buffer->time_base);
  struct thread *thread = t->thread;
  find_sampling (m, item);
  trace_log_progress (m->to, &m->passed, item->size);
  m->latest = MAX (m->latest, time);
  if (m->filter == NULL && (item->kind == MLPD_METHOD_ENTER || item->kind == MLPD_METHOD_LEAVE)) {
    put_call (m, t, item, time);
    return !m->trace->out->failed;
  }
  const bool is_usage = m->has_hit && mlpd_sample_usage_of (item->kind, item->payload, &usage);
  const bool selected = is_selected (m, item, time, is_usage);
  m->has_hit = item->kind == MLPD_SAMPLE_HIT;
  m->is_hit_selected = selected;
  handle_name (m, thread, item);
  trace_spans_note (&m->spans, m->intervals, item,
                    &(const struct mark_time){ time, thread->id, selected });
  if (selected && !is_usage) {
    m->selected++;
    touch (m, thread, item, time);
    if (m->trace->format->activity != NULL && item->kind != MLPD_SAMPLE_HIT)
      trace_activity (m->trace, track_of (m, t), trace_time (m, time));
    if (item->kind == MLPD_SAMPLE_HIT)
      handle_hit (m, t, item, time);
    else
      handle_event (m, t, item);
  } else if (selected) {
    handle_usage (m, &usage);
  } else if (item->kind == MLPD_SAMPLE_COUNTERS && is_repeated (item)) {
    counters_repeat (&m->counters, &item->payload->sample_counters, time, false);
  } else if (item->kind == MLPD_SAMPLE_COUNTERS) {
    counters_skip (&m->counters, &item->payload->sample_counters);
  }
  follow (m, item, selected, time);
  t->follows_class = item->kind == MLPD_METADATA_CLASS;
  if (t->follows_class) {
    t->klass = item->payload->metadata_class.klass;
    t->class_time = item->payload->metadata_class.time;
  }
  return !m->trace->out->failed;
}

/* Calls that are open end with their threads. */
static void
end_threads (struct mono_trace *m)
{
  threads_finish (&m->threads);
  for (guint i = 0; i < m->threads.all->len; i++) {
    struct thread *thread = g_ptr_array_index (m->threads.all, i);
    const guint depth = calls_depth (thread);
    calls_end_thread (&m->calls, thread);
    if (depth != 0)
      end_calls (m, find_traced (m, thread), depth, thread->end);
  }
}

static void
set_selected_times (struct mono_trace *m)
{
  const struct buffer_filter *f = m->filter;
  m->trace->from_ns = f != NULL && f->from != 0 ? trace_time (m, f->from) : 0;
  m->trace->to_ns = trace_time (m, f != NULL ? MIN (m->latest, f->to) : m->latest);
}

static const struct trace_track *
lane_of_intervals (void *data, uint64_t id, uint64_t time, char **name)
{
  const struct mono_trace *m = data;
  const struct thread *thread = threads_find (&m->threads, id, time);
  const struct traced_thread *t = thread != NULL ? g_hash_table_lookup (m->traced, thread) : NULL;
  const bool has_track = t != NULL && t->track != NULL;
  *name = has_track ? g_strdup ("intervals")
                    : g_strdup_printf ("Thread 0x%" G_GINT64_MODIFIER "x: intervals", id);
  return has_track ? t->track : NULL;
}

static void
put_linked_span (void *data, uint64_t id, const struct trace_linked_span *span, uint64_t from,
                 uint64_t to)
{
  struct mono_trace *m = data;
  m->trace->format->linked_span (m->trace, track_of (m, traced_with_id (m, id, from)), span,
                                 trace_time (m, from), to == UINT64_MAX ? to : trace_time (m, to));
}

static void
finish_deaths (struct mono_trace *m)
{
  if (!m->has_deaths)
    return;
  if (!trace_deaths_finish (&m->deaths) && !m->to->log->r.command->quiet)
    cli_message ("proflog %s: %s: warning: nothing is freed, as the log has collections and no "
                 "moves of objects: which survived is not known; 'proflog run --allocs' records "
                 "moves",
                 m->to->log->r.command->name, m->to->log->path);
  trace_deaths_clear (&m->deaths);
}

uint64_t
trace_mono (const struct log_trace *to)
{
  const struct ordered_log *log = to->log;
  const struct selection *s = &log->r.command->selection;
  struct mono_trace m = { .to = to,
                          .trace = to->trace,
                          .intervals = trace_marks_new (to->zero),
                          .traced = g_hash_table_new_full (NULL, NULL, NULL, free_thread),
                          .counter_tracks = g_hash_table_new (NULL, NULL),
                          .method_names = g_array_new (FALSE, TRUE, sizeof (guint)) };
  if (s->threads != NULL || selection_has_times (s))
    m.filter = &log->mono.filter;
  trace_spans_init (&m.spans, to->trace->format->linked_span != NULL ? put_linked_span : NULL, &m);
  symbols_init (&m.symbols);
  threads_init (&m.threads);
  calls_init (&m.calls, &(const struct scan_options){ .traces = false });
  counters_init (&m.counters);
  monitors_init (&m.monitors);
  gc_init (&m.gc, true);
  m.process = trace_add_process (to->trace, log->mono.order.header.pid, to->name);
  m.process->runtime = "mono";
  if (to->trace->format->no_calls && m.filter == NULL)
    mlpd_order_run_ends (&log->mono.order, log->input, put_item, &m);
  else
    mlpd_order_events (&log->mono.order, log->input, put_item, &m);
  end_threads (&m);
  trace_spans_finish (&m.spans);
  trace_log_end_marks (to, m.intervals, m.process,
                       &(const struct trace_threads){ &m, lane_of_intervals });
  m.process->threads = threads_with_events (&m.threads);
  set_selected_times (&m);
  finish_deaths (&m);
  trace_spans_clear (&m.spans);
  g_hash_table_unref (m.traced);
  g_hash_table_unref (m.counter_tracks);
  g_array_unref (m.method_names);
  symbols_clear (&m.symbols);
  threads_clear (&m.threads);
  calls_clear (&m.calls);
  counters_clear (&m.counters);
  monitors_clear (&m.monitors);
  gc_clear (&m.gc);
  return m.selected;
}
