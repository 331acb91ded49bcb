/* scan-event.c -- one event after the other: adds it up, or retains it for the merge. */
#include "config.h"

#include "decoder/mlpd/scan/scan-event.h"

#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/mlpd/scan/scan-bulk.h"
#include "decoder/mlpd/scan/scan-defer.h"
#include "decoder/mlpd/scan/scan-traces.h"

void
scan_forget_before (struct scan *s)
{
  s->after_class = false;
  s->before = NO_HIT;
}

/* ---- buffers ---- */

static guint
find_thread (struct scan *s, uint64_t id, uint64_t offset)
{
  guint found = scan_symbols_use (&s->thread_ids, id, 0);
  if (found < s->threads->len && g_array_index (s->threads, struct scan_thread, found).ended) {
    scan_symbols_announce (&s->thread_ids, id, 0);
    found = scan_symbols_use (&s->thread_ids, id, 0);
  }
  if (found == s->threads->len) {
    const struct scan_thread t = { .id = id,
                                   .deferred_index = s->events->len,
                                   .offset = offset,
                                   .retains_calls = s->options.replay_calls,
                                   .bin = SCAN_BIN_NONE };
    g_array_append_val (s->threads, t);
    s->retained += sizeof t;
  }
  return found;
}

enum buffer_use
scan_buffer_use (const struct scan_options *options, const struct mlpd_buffer_header *header,
                 uint64_t offset)
{
  if (options->query != NULL && header->time_base > options->query->until)
    return BUFFER_SKIP;
  return options->filter == NULL
             ? BUFFER_INCLUDE
             : buffer_filter_use (options->filter, header->thread, header->time_base, offset);
}

void
scan_skip (struct scan *s, const struct mlpd_buffer_header *header)
{
  if (!s->has_time)
    s->first_base = header->time_base;
  s->has_time = true;
}

void
scan_buffer (struct scan *s, const struct mlpd_buffer_header *header, uint64_t offset)
{
  const guint thread = find_thread (s, header->thread, offset);
  s->is_context = mlpd_is_context (header);
  s->use = s->is_context ? BUFFER_INSPECT : scan_buffer_use (&s->options, header, offset);
  if (thread != s->thread) {
    s->thread = thread;
    s->heap_is_open = false;
  }
  scan_forget_before (s);
  if (s->options.bins != NULL)
    scan_pass_buffer (&s->bins, header, offset, s->options.bins->has_all_buffers);
  s->reannounced = mlpd_is_reannounced (header);
  if (mlpd_is_end_mark (header))
    s->threads_ns = header->ptr_base;
  scan_skip (s, header);
  s->blocks += s->block_counts = s->options.filter == NULL && !s->is_context;
  mlpd_decoder_start_buffer (&s->decoder, header);

  /* A leave relies on the data of its frame's method. */
  struct scan_thread *t = scan_current_thread (s);
  if (s->options.bins != NULL && t->n_frames == 0)
    scan_grow_frames (s, t);
  if (t->n_methods == 0 && t->n_frames > 1)
    scan_grow_methods (s, t, s->symbols[SCAN_METHOD].all->len);
}

/* ---- events ---- */

/* A method was announced.  If frames of it are open, only the merge knows whether it has another
 * name now, which a leave does not concern those frames of, or the same, of which a call inside of
 * them is recursion: from here on their threads' calls are retained. */
static void
announce_method (struct scan *s, uint64_t address)
{
  if (!scan_symbols_announce (&s->symbols[SCAN_METHOD], address, s->events->len))
    return;
  recent_traces_forget (&s->recent_traces);
  for (guint i = 0; i < s->threads->len; i++) {
    struct scan_thread *t = &g_array_index (s->threads, struct scan_thread, i);
    for (guint frame = 1; frame < t->n_frames && !t->retains_calls; frame++)
      t->retains_calls = t->frames[frame].address == address;
  }
}

static void
record_announcement (struct scan *s, enum mlpd_kind kind, const union mlpd_payload *p)
{
  switch (kind) {
  case MLPD_METADATA_CLASS:
    scan_symbols_announce (&s->symbols[SCAN_CLASS], p->metadata_class.klass, s->events->len);
    break;
  case MLPD_METADATA_VTABLE:
    scan_symbols_announce (&s->symbols[SCAN_VTABLE], p->metadata_vtable.vtable, s->events->len);
    break;
  case MLPD_METHOD_JIT:
    announce_method (s, p->method_jit.method);
    break;
  case MLPD_METADATA_THREAD:
    /* Ids are reused: the next buffer of this one is another thread's. */
    if (p->metadata_thread.action == MLPD_LOAD_END_UNLOAD
        && scan_current_thread (s)->id == p->metadata_thread.thread)
      scan_current_thread (s)->ended = true;
    break;
  default:
    break;
  }
}

/* Is it of the kinds that are added up? */
static bool
is_bulk (enum mlpd_kind kind)
{
  switch (kind) {
  case MLPD_METHOD_ENTER:
  case MLPD_METHOD_LEAVE:
  case MLPD_METHOD_EXC_LEAVE:
  case MLPD_ALLOC:
  case MLPD_GC_MOVE:
  case MLPD_HEAP_OBJECT:
    return true;
  default:
    return false;
  }
}

/* An event that is not added up but retained. */
static void
retain_event (struct scan *s, enum mlpd_kind kind, const union mlpd_payload *payload,
              uint64_t offset)
{
  struct scan_event *retained = scan_defer_event (s, kind, payload, offset);
  s->bins.buffer.has_rest |= !is_bulk (kind);
  retained->name_only = s->reannounced && (buffer_filter_is_name (kind) || kind == MLPD_GC_RESIZE);
  retained->repeated = s->reannounced;
  if (kind == MLPD_HEAP_START || kind == MLPD_HEAP_END
      || (kind == MLPD_GC_EVENT && payload->gc_event.event == MLPD_GC_EVENT_PRE_STOP_WORLD))
    s->heap_is_open = false;
  record_announcement (s, kind, payload);
}

static void
add_alloc (struct scan *s, const struct mlpd_alloc *e)
{
  struct type_sum weight;
  const guint type = scan_alloc (s, e, &weight);
  if (s->options.traces)
    scan_add_trace (s, type, e->backtrace, weight);
}

/* Calls do not matter where objects are searched for. */
static void
add_call (struct scan *s, bool enter, uint64_t method, uint64_t time)
{
  if (s->options.query != NULL)
    return;
  if (enter)
    scan_enter (s, method, time);
  else
    scan_leave (s, method, time);
}

/* Adds up an event; false for a kind that is not added up. */
static bool
scan_bulk_event (struct scan *s, enum mlpd_kind kind, const union mlpd_payload *p)
{
  switch (kind) {
  case MLPD_METHOD_ENTER:
    add_call (s, true, p->method_enter.method, p->method_enter.time);
    return true;
  case MLPD_METHOD_LEAVE:
    add_call (s, false, p->method_leave.method, p->method_leave.time);
    return true;
  case MLPD_METHOD_EXC_LEAVE:
    add_call (s, false, p->method_exc_leave.method, p->method_exc_leave.time);
    return true;
  case MLPD_ALLOC:
    add_alloc (s, &p->alloc);
    return true;
  case MLPD_GC_MOVE:
    scan_moves (s, &p->gc_move);
    return true;
  case MLPD_HEAP_OBJECT:
    scan_heap_object (s, &p->heap_object);
    return true;
  default:
    return false;
  }
}

/* Is an event that was added up to be retained, too? */
static bool
is_requested (const struct scan *s, enum mlpd_kind kind, const union mlpd_payload *payload)
{
  return s->options.replay[kind]
         && (s->options.objects == NULL
             || object_filter_accepts (s->options.objects, s->version, kind, payload))
         && (s->options.query == NULL || address_query_matches (s->options.query, kind, payload));
}

/* Is it the usage of the hit right before?  That has it then. */
static bool
add_usage (struct scan *s, enum mlpd_kind kind, const union mlpd_payload *payload)
{
  struct mlpd_sample_usage usage;
  if (s->before != HIT_RETAINED || s->events->len == 0
      || !mlpd_sample_usage_of (kind, payload, &usage))
    return false;
  scan_defer_string (s, &usage.lines);
  g_array_index (s->events, struct scan_event, s->events->len - 1).usage = usage;
  return true;
}

/* An event of any kind. */
bool
scan_add_event (struct scan *s, enum mlpd_kind kind, const union mlpd_payload *payload,
                uint64_t offset, uint64_t size)
{
  const bool is_usage = add_usage (s, kind, payload), is_hit = kind == MLPD_SAMPLE_HIT;
  if (!is_usage && !is_hit)
    scan_pass_time (s, s->decoder.bases.time);
  scan_count (s, kind, size);
  if (!is_usage && (!scan_bulk_event (s, kind, payload) || is_requested (s, kind, payload)))
    retain_event (s, kind, payload, offset);
  s->before = is_hit ? HIT_RETAINED : NO_HIT;
  s->after_class
      = kind == MLPD_METADATA_CLASS && payload->metadata_class.action == MLPD_LOAD_END_LOAD;
  const bool is_others = is_usage || (is_hit && s->version >= MLPD_VERSION_SAMPLED_THREADS);
  scan_current_thread (s)->hits += is_hit && !is_others;
  return is_others;
}

/* `is_hit`: its time is none of the thread's events. */
static void
touch (struct scan *s, uint64_t time, bool is_hit)
{
  struct scan_thread *t = scan_current_thread (s);
  if (!is_hit)
    t->latest = MAX (t->latest, time);
  s->bins.buffer.begin = MIN (s->bins.buffer.begin, time);
  if (t->events++ == 0)
    t->start = t->end = time;
  t->start = MIN (t->start, time);
  t->end = MAX (t->end, time);
}

/* An event that does not count. */
static void
retain_name (struct scan *s, enum mlpd_kind kind, const union mlpd_payload *payload,
             uint64_t offset)
{
  scan_forget_before (s);
  if (kind == MLPD_SAMPLE_HIT)
    s->before = HIT_SKIPPED;
  /* Values of counters are written as differences to those of other threads.  Heap snapshots are
   * numbered. */
  const struct buffer_filter *filter = s->options.filter;
  const bool comes_before = kind == MLPD_HEAP_START
                            || (kind == MLPD_SAMPLE_COUNTERS && (filter != NULL || s->is_context)
                                && (filter == NULL || s->decoder.bases.time < filter->to));
  if (!buffer_filter_is_name (kind) && !comes_before)
    return;
  struct scan_event *retained = scan_defer_event (s, kind, payload, offset);
  s->bins.buffer.has_rest |= !is_bulk (kind);
  retained->name_only = true;
  retained->repeated = s->reannounced;
  record_announcement (s, kind, payload);
}

/* The usage of a hit is selected as the hit is, which states its thread. */
static bool
is_selected (const struct scan *s, enum mlpd_kind kind, const union mlpd_payload *payload,
             uint64_t offset)
{
  struct mlpd_sample_usage usage;
  if (s->use == BUFFER_INCLUDE)
    return true;
  if (s->before != NO_HIT && mlpd_sample_usage_of (kind, payload, &usage))
    return s->before == HIT_RETAINED;
  return buffer_filter_has_event (s->options.filter, scan_current_thread (s)->id,
                                  s->decoder.bases.time, offset, s->version, kind, payload);
}

void
scan_event (struct scan *s, enum mlpd_kind kind, const union mlpd_payload *payload, uint64_t offset,
            uint64_t size)
{
  uint64_t time = s->decoder.bases.time;
  mlpd_event_time (kind, payload, &time);
  /* Up to data version 12 hits have a clock of their own: they count where they stand. */
  if (kind != MLPD_SAMPLE_HIT || s->version >= MLPD_VERSION_NO_FLAGS)
    s->decoder.bases.time = time;
  s->latest = MAX (s->latest, s->decoder.bases.time);
  if (s->is_context || !is_selected (s, kind, payload, offset)) {
    retain_name (s, kind, payload, offset);
    return;
  }
  scan_count_block (s);
  s->n_events++;
  if (s->options.bins != NULL)
    scan_pass_prepare (s, scan_current_thread (s)->latest, scan_current_thread (s)->events);
  if (!scan_add_event (s, kind, payload, offset, size))
    touch (s, time, kind == MLPD_SAMPLE_HIT);
}
