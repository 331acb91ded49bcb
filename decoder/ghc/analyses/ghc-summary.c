/* ghc-summary.c -- passes each event of an eventlog to the analyses that need it. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-summary.h"
#include "decoder/ghc/ghc-decode.h"
#include "decoder/ghc/ghc-describe.h"
#include "decoder/ghc/ghc-event.h"
#include "decoder/ghc/ghc-otel.h"
#include "decoder/ghc/ghc-start.h"

void
ghc_summary_init (struct ghc_summary *s, const struct ghc_times *times, unsigned features)
{
  *s = (struct ghc_summary){
    .times = *times,
    .features = features,
    .caps = g_ptr_array_new (),
    .outside = ghc_cap_new (GHC_NO_CAP),
    .stops = g_ptr_array_new (),
  };
  ghc_log_init (&s->log);
  ghc_processes_init (&s->processes);
  ghc_thread_table_init (&s->thread_table);
  ghc_heap_profiles_init (&s->heap_profiles, times->from, times->to);
  ghc_time_profile_init (&s->time_profile, times->from, times->to, &s->heap_profiles.provenances);
  s->time_profile.by_thread = (features & GHC_FEATURE_BY_THREAD) != 0;
  if ((features & GHC_FEATURE_ORDER) != 0)
    ghc_time_profile_keep_order (&s->time_profile);
  ghc_ticky_init (&s->ticky);
  ghc_perf_init (&s->perf);
  ghc_memory_init (&s->memory);
  marks_init (&s->marks);
  ghc_spans_init (&s->spans);
  ghc_threads_init (&s->threads, times->from, times->to);
}

static bool
is_name_selected (const void *selection, const char *name)
{
  return selection_accepts_name (selection, name);
}

void
ghc_summary_select (struct ghc_summary *s, const struct selection *selection)
{
  if (selection_has_names (selection))
    marks_choose (&s->marks, (struct mark_choice){ is_name_selected, selection });
  s->threads.selection = selection;
  s->selection = selection->caps != NULL ? selection : NULL;
  s->time_profile.selection = selection;
}

void
ghc_summary_clear (struct ghc_summary *s)
{
  for (guint i = 0; i < s->caps->len; i++)
    if (g_ptr_array_index (s->caps, i) != NULL)
      ghc_cap_free (g_ptr_array_index (s->caps, i));
  ghc_cap_free (s->outside);
  for (guint i = 0; i < s->stops->len; i++)
    ghc_stops_free (g_ptr_array_index (s->stops, i));
  g_ptr_array_unref (s->caps);
  g_ptr_array_unref (s->stops);
  ghc_log_clear (&s->log);
  ghc_processes_clear (&s->processes);
  ghc_thread_table_clear (&s->thread_table);
  ghc_heap_profiles_clear (&s->heap_profiles);
  ghc_time_profile_clear (&s->time_profile);
  ghc_ticky_clear (&s->ticky);
  ghc_perf_clear (&s->perf);
  ghc_memory_clear (&s->memory);
  marks_clear (&s->marks);
  ghc_spans_clear (&s->spans);
  ghc_threads_clear (&s->threads);
}

static bool
is_selected (const struct ghc_summary *s, unsigned cap)
{
  return s->selection == NULL || selection_has_cap (s->selection, cap);
}

static struct ghc_cap *
new_cap (const struct ghc_summary *s, unsigned number)
{
  struct ghc_cap *cap = ghc_cap_new (number);
  cap->is_selected = is_selected (s, number);
  return cap;
}

/* The capability of a number, made if it is new; NULL for GHC_NO_CAP. */
static struct ghc_cap *
find_cap (struct ghc_summary *s, unsigned number)
{
  if (number == GHC_NO_CAP)
    return NULL;
  if (number >= s->caps->len)
    g_ptr_array_set_size (s->caps, (gint) number + 1);
  if (g_ptr_array_index (s->caps, number) == NULL)
    g_ptr_array_index (s->caps, number) = new_cap (s, number);
  return g_ptr_array_index (s->caps, number);
}

/* The capability that an event of one (NULL: none) is about: a size of the heap counts without one,
 * too. */
static struct ghc_cap *
counted_cap (const struct ghc_summary *s, struct ghc_cap *cap, enum ghc_kind kind)
{
  return cap == NULL && (kind == GHC_HEAP_SIZE || kind == GHC_HEAP_LIVE) ? s->outside : cap;
}

/* ---- single events ---- */

/* Capabilities are made and join the sets that stand for processes. */
static void
place_cap (struct ghc_summary *s, enum ghc_kind kind, const union ghc_payload *p)
{
  if (kind == GHC_CAP_CREATE) {
    struct ghc_cap *cap = find_cap (s, p->cap_create.cap);
    if (cap != NULL)
      cap->is_created = true;
  } else if (kind == GHC_CAPSET_ASSIGN_CAP) {
    const struct ghc_capset *set
        = ghc_processes_capset (&s->processes, p->capset_assign_cap.capset);
    struct ghc_cap *cap = find_cap (s, p->capset_assign_cap.cap);
    if (cap == NULL || set == NULL || !set->has_type || set->type != GHC_CAPSET_TYPE_OS_PROCESS)
      return;
    cap->has_process = true;
    cap->process = set->id;
  } else if (kind == GHC_STARTUP) {
    s->started_caps = p->startup.n_caps;
  }
}

/* Begins and ends may be reported twice: the first counts. */
static void
handle_concurrent (struct ghc_summary *s, enum ghc_kind kind, uint64_t time)
{
  struct ghc_concurrent *c = &s->concurrent;
  const bool counts = ghc_times_have (&s->times, time);
  if (kind == GHC_CONC_SYNC_BEGIN && !c->is_syncing) {
    c->is_syncing = true;
    c->sync_start = time;
  } else if (kind == GHC_CONC_SYNC_END && c->is_syncing) {
    if (counts && time >= c->sync_start)
      ghc_delays_add (&c->syncs, time - c->sync_start);
    c->is_syncing = false;
  } else if (kind == GHC_CONC_MARK_BEGIN && !c->is_collecting) {
    c->is_collecting = true;
    c->start = time;
  } else if (kind == GHC_CONC_SWEEP_END && c->is_collecting) {
    if (counts && time >= c->start)
      ghc_delays_add (&c->collections, time - c->start);
    c->is_collecting = false;
  }
}

static bool
is_of_thread (enum ghc_kind kind)
{
  return kind == GHC_CREATE_THREAD || kind == GHC_RUN_THREAD || kind == GHC_STOP_THREAD;
}

/* An event of a capability, when it was. */
static void
date_cap (struct ghc_cap *cap, const struct ghc_item *item, bool counts)
{
  const enum ghc_kind kind = item->kind;
  const uint64_t time = item->time;
  if (is_of_thread (kind) && !cap->has_thread_events) {
    cap->has_thread_events = true;
    cap->has_start = ghc_is_first_of_program (kind, item->payload);
    cap->makes_thread = kind == GHC_CREATE_THREAD;
    cap->first_thread_at = time;
  }
  cap->events += counts;
  if (kind == GHC_THREAD_LABEL)
    return;
  cap->latest = MAX (cap->latest, time);
  if (!counts)
    return;
  cap->first = cap->last == 0 ? time : MIN (cap->first, time);
  cap->last = MAX (cap->last, time);
}

/* An event adds one that waits at most.  Counting them takes a while if there are very many
 * capabilities. */
static void
bound_collections (struct ghc_summary *s)
{
  guint waiting = ghc_collections_waiting (s->caps);
  if (waiting > GHC_INTERVALS_MAX) {
    ghc_collections_match (s->caps, &s->times, s->stops, GHC_INTERVALS_MAX / 2, NULL);
    waiting = ghc_collections_waiting (s->caps);
  }
  s->count_at = s->log.all_events + (GHC_INTERVALS_MAX - MIN (waiting, GHC_INTERVALS_MAX));
}

static void
handle_marker (struct ghc_summary *s, const struct ghc_item *item)
{
  const struct ghc_block_marker *marker = &item->payload->block_marker;
  struct ghc_cap *cap = find_cap (s, marker->cap);
  if (cap != NULL)
    ghc_cap_block (cap, &s->times, item->time, marker);
  if (s->log.all_events >= s->count_at)
    bound_collections (s);
}

/* Of a thread that is selected: by the labels that it has by then. */
static bool
is_of_selected_thread (const struct ghc_summary *s, uint64_t place)
{
  const struct selection *selection = s->threads.selection;
  if (selection == NULL || selection->threads == NULL)
    return true;
  const struct ghc_lifetime *life
      = ghc_running_is_thread (place)
            ? g_hash_table_lookup (s->thread_table.by_id, GUINT_TO_POINTER (place))
            : NULL;
  return ghc_running_is_thread (place)
         && selection_has_thread (selection, place, life != NULL ? life->labels : NULL);
}

uint64_t
ghc_summary_place (const struct ghc_summary *s, const struct ghc_item *item)
{
  static const struct ghc_running nothing = { 0 };
  const struct ghc_cap *cap
      = item->cap < s->caps->len ? g_ptr_array_index (s->caps, item->cap) : NULL;
  return ghc_running_place (cap != NULL ? &cap->running : &nothing, item->cap);
}

/* Those that do not count may be the other ends of intervals. */
static void
add_mark (struct ghc_summary *s, const struct ghc_item *item, bool counts)
{
  const bool is_message = item->kind == GHC_USER_MSG;
  const struct ghc_text name
      = is_message ? item->payload->user_msg.message : item->payload->user_marker.marker;
  const uint64_t thread = ghc_summary_place (s, item);
  const struct mark_event mark
      = { is_message,
          name.text,
          name.length,
          { item->time, thread, counts && is_of_selected_thread (s, thread) } };
  marks_add (&s->marks, &mark);
}

static void
add_span (struct ghc_summary *s, const struct ghc_item *item, bool counts)
{
  struct ghc_otel span;
  if (!ghc_otel_of (&item->payload->user_binary_msg.bytes, &span))
    return;
  const uint64_t thread = ghc_summary_place (s, item);
  const struct mark_time at = { item->time, thread, counts && is_of_selected_thread (s, thread) };
  ghc_spans_add (&s->spans, &span, &at);
  if (span.kind <= GHC_OTEL_END)
    marks_add_span (&s->marks, span.number, span.text.text, span.text.length, &at);
}

/* A thread that ran before may have stopped. */
static void
forget_running (struct ghc_summary *s)
{
  for (guint i = 0; i < s->caps->len; i++) {
    struct ghc_cap *cap = g_ptr_array_index (s->caps, i);
    if (cap != NULL)
      cap->running.is_known = false;
  }
}

static void
handle_event (struct ghc_summary *s, const struct ghc_item *item)
{
  const unsigned of = item->kind == GHC_BLOCK_MARKER ? item->payload->block_marker.cap : item->cap;
  const bool counts = ghc_times_have (&s->times, item->time) && is_selected (s, of);
  struct ghc_cap *cap = find_cap (s, item->cap);
  if (counts)
    ghc_log_count (&s->log, item->event_type->tag, 1, item->size);
  if (item->kind == GHC_BLOCK_MARKER) {
    handle_marker (s, item);
    return;
  }
  ghc_log_all (&s->log, 1, item->time, item->time);
  if (cap != NULL)
    date_cap (cap, item, counts);
  if (counts)
    ghc_log_span (&s->log, item->time, item->time);
  if (item->kind == GHC_UNKNOWN)
    return;
  ghc_log_note_loss (&s->log, item);
  ghc_processes_event (&s->processes, item->kind, item->time, item->payload);
  place_cap (s, item->kind, item->payload);
  handle_concurrent (s, item->kind, item->time);
  struct ghc_cap *counted = counted_cap (s, cap, item->kind);
  if (counted != NULL)
    ghc_cap_event (counted, &s->times, item->kind, item->time, item->payload);
  if ((s->features & GHC_FEATURE_PROFILES) != 0) {
    ghc_heap_profiles_item (&s->heap_profiles, item);
    ghc_time_profile_item (&s->time_profile, item);
  } else if ((s->features & GHC_FEATURE_CALL_STACKS) != 0 && item->kind == GHC_USER_BINARY_MSG)
    ghc_time_profile_item (&s->time_profile, item);
  if ((s->features & GHC_FEATURE_TICKY) != 0)
    ghc_ticky_event (&s->ticky, item->kind, item->payload, counts);
  if ((s->features & GHC_FEATURE_PERF) != 0)
    ghc_perf_event (&s->perf, item->kind, item->payload, counts);
  if ((s->features & GHC_FEATURE_MEMORY) != 0)
    ghc_memory_event (&s->memory, item->kind, item->time, item->payload, counts);
  if (cap != NULL)
    ghc_running_event (&cap->running, item->kind, item->payload);
  if ((s->features & GHC_FEATURE_MARKS) != 0
      && (item->kind == GHC_USER_MSG || item->kind == GHC_USER_MARKER))
    add_mark (s, item, counts);
  if ((s->features & GHC_FEATURE_MARKS) != 0 && item->kind == GHC_USER_BINARY_MSG)
    add_span (s, item, counts);
  if ((s->features & GHC_FEATURE_THREAD_TABLE) != 0)
    ghc_thread_table_event (&s->thread_table, item->kind, item->time, item->payload, counts);
}

/* ---- spans ---- */

/* The action for events of fixed size. */
static enum ghc_scan_action
action_of (const struct ghc_summary *s, const struct ghc_event_type *type)
{
  guint thread;
  const union ghc_payload none = { .run_thread = { .present = 0 } };
  if (ghc_cap_handles (type->kind))
    return ghc_describe (type->kind)->n_fields == 0 || type->kind == GHC_SPARK_STEAL
               ? GHC_SCAN_CAP
               : GHC_SCAN_CAP_FIELDS;
  if (ghc_thread_table_names (type->kind, &none, &thread)) {
    if ((s->features & GHC_FEATURE_THREAD_TABLE) != 0)
      return GHC_SCAN_LIFE;
    const bool runs = type->kind == GHC_RUN_THREAD || type->kind == GHC_STOP_THREAD;
    return runs && (s->features & GHC_FEATURE_MARKS) != 0 ? GHC_SCAN_RUN : GHC_SCAN_COUNT;
  }
  switch (type->kind) {
  case GHC_TICKY_COUNTER_SAMPLE:
    return (s->features & GHC_FEATURE_TICKY) != 0 ? GHC_SCAN_LEAVE : GHC_SCAN_COUNT;
  case GHC_BLOCKS_SIZE:
  case GHC_MEM_RETURN:
    return (s->features & GHC_FEATURE_MEMORY) != 0 ? GHC_SCAN_CAP_FIELDS : GHC_SCAN_COUNT;
  case GHC_UNKNOWN:
  case GHC_NONMOVING_HEAP_CENSUS:
  case GHC_CONC_UPD_REM_SET_FLUSH:
    return GHC_SCAN_COUNT;
  case GHC_PERF_COUNTER:
  case GHC_PERF_TRACEPOINT:
    return (s->features & GHC_FEATURE_PERF) != 0 ? GHC_SCAN_LEAVE : GHC_SCAN_COUNT;
  default: /* rare */
    return GHC_SCAN_LEAVE;
  }
}

/* The same of variable size. */
static enum ghc_scan_action
action_of_variable (const struct ghc_summary *s, enum ghc_kind kind)
{
  switch (kind) {
  case GHC_UNKNOWN:
  case GHC_USER_MSG:
  case GHC_USER_MARKER:
    return (s->features & GHC_FEATURE_MARKS) != 0 ? GHC_SCAN_LEAVE : GHC_SCAN_VARIABLE;
  case GHC_TICKY_COUNTER_DEF:
    return (s->features & GHC_FEATURE_TICKY) != 0 ? GHC_SCAN_LEAVE : GHC_SCAN_VARIABLE;
  case GHC_USER_BINARY_MSG:
    return (s->features & (GHC_FEATURE_MARKS | GHC_FEATURE_PROFILES | GHC_FEATURE_CALL_STACKS)) != 0
               ? GHC_SCAN_LEAVE
               : GHC_SCAN_VARIABLE;
  case GHC_IPE:
  case GHC_HEAP_PROF_SAMPLE_STRING:
  case GHC_HEAP_PROF_SAMPLE_COST_CENTRE:
  case GHC_PROF_SAMPLE_COST_CENTRE:
    return (s->features & GHC_FEATURE_PROFILES) != 0 ? GHC_SCAN_LEAVE : GHC_SCAN_VARIABLE;
  default:
    return GHC_SCAN_LEAVE;
  }
}

/* The events that were passed are counted. */
static void
count_types (struct ghc_summary *s)
{
  for (unsigned tag = 0; tag < GHC_SPAN_TAGS; tag++) {
    struct ghc_scan_type *t = &s->types[tag];
    if (t->events != 0)
      ghc_log_count (&s->log, tag, t->events, t->bytes);
    t->events = t->bytes = 0;
  }
}

static void
set_types (struct ghc_summary *s, const struct ghc_header *header)
{
  count_types (s);
  memset (s->types, 0, sizeof s->types);
  for (size_t i = 0; i < header->n_types; i++) {
    const struct ghc_event_type *type = &header->types[i];
    if (type->tag >= GHC_SPAN_TAGS)
      continue;
    const bool is_variable = type->size == GHC_VARIABLE;
    struct ghc_scan_type *t = &s->types[type->tag];
    t->type = type;
    t->action = is_variable ? action_of_variable (s, type->kind) : action_of (s, type);
    /* Events that are not decoded, but may be damaged, are left to the reader. */
    if (!is_variable && ghc_event_has_sizes (type->tag))
      t->action = t->action == GHC_SCAN_CAP_FIELDS ? GHC_SCAN_CAP_SIZES : GHC_SCAN_LEAVE;
    if (t->action != GHC_SCAN_LEAVE)
      t->form = ghc_event_form (type->real_size);
  }
}

/* Events of variable size are left to the reader if they are large, or do not end with their
 * fields.
 */
static bool
is_small_and_whole (const struct ghc_event_type *type, const uint8_t *event,
                    struct ghc_event_head head)
{
  union ghc_payload payload;
  struct ghc_item item;
  return head.size <= GHC_EVENT_SMALL && ghc_event_decode (type, event, head.size, &payload, &item)
         && item.extra == 0;
}

/* Is a size in the event damaged? */
static __attribute__ ((noinline)) bool
has_wrong_size (const struct ghc_event_type *type, const uint8_t *event)
{
  union ghc_payload payload;
  struct cursor c = cursor_over (event + GHC_EVENT_HEADER_SIZE, type->real_size);
  ghc_decode_payload (type->kind, type->real_size, &c, &payload);
  return c.error == CURSOR_OK && ghc_event_wrong_size (type->kind, &payload) != NULL;
}

/* An event about a thread, which all of them begin with. */
static void
handle_thread (struct ghc_summary *s, struct ghc_cap *cap, const struct ghc_scan_type *t,
               const uint8_t *event, struct ghc_event_head head, bool counts)
{
  union ghc_payload payload;
  payload.run_thread.thread = proflog_be32 (event + head.start);
  if (cap != NULL)
    ghc_running_event (&cap->running, t->type->kind, &payload);
  if (t->action == GHC_SCAN_LIFE && counts)
    ghc_thread_table_add (&s->thread_table, payload.run_thread.thread, head.time);
}

/* Something more than counting. */
static void
handle (struct ghc_summary *s, struct ghc_cap *cap, const struct ghc_scan_type *t,
        const uint8_t *event, struct ghc_event_head head, bool counts)
{
  union ghc_payload payload;
  const struct ghc_event_type *type = t->type;
  if (t->action == GHC_SCAN_RUN || t->action == GHC_SCAN_LIFE) {
    handle_thread (s, cap, t, event, head, counts);
    return;
  }
  if (t->action == GHC_SCAN_CAP) {
    if (cap != NULL)
      ghc_cap_event (cap, &s->times, type->kind, head.time, NULL);
    return;
  }
  struct cursor c = cursor_over (event + head.start, type->real_size);
  ghc_decode_payload (type->kind, type->real_size, &c, &payload);
  if (c.error != CURSOR_OK) /* of a size that it cannot have, it is an unknown event */
    return;
  if ((s->features & GHC_FEATURE_MEMORY) != 0)
    ghc_memory_event (&s->memory, type->kind, head.time, &payload, counts);
  cap = counted_cap (s, cap, type->kind);
  if (cap != NULL)
    ghc_cap_event (cap, &s->times, type->kind, head.time, &payload);
}

void
ghc_summary_span (struct ghc_summary *s, struct ghc_span *span)
{
  struct ghc_cap *cap = find_cap (s, span->cap);
  const struct ghc_times times
      = is_selected (s, span->cap) ? s->times : (struct ghc_times){ UINT64_MAX, UINT64_MAX };
  const uint8_t *at = span->at;
  const bool wants_thread = cap != NULL && !cap->has_thread_events;
  const uint8_t *const end = span->end;
  uint64_t before = span->before, previous = span->last;
  uint64_t all = 0, events = 0, first = UINT64_MAX, last = 0, begin = UINT64_MAX, latest = 0;
  struct ghc_event_head head;
  while (end - at >= GHC_EVENT_HEADER_SIZE) {
    head.tag = proflog_be16 (at);
    if (head.tag >= GHC_SPAN_TAGS)
      break;
    struct ghc_scan_type *t = &s->types[head.tag];
    if (!ghc_span_head (span, at, t->form, previous, &head)
        || (wants_thread && is_of_thread (t->type->kind))
        || (head.start != GHC_EVENT_HEADER_SIZE && !is_small_and_whole (t->type, at, head)))
      break;
    const uint64_t time = head.time;
    if (t->action > GHC_SCAN_VARIABLE) {
      if (t->action == GHC_SCAN_CAP_SIZES && has_wrong_size (t->type, at))
        break;
      handle (s, cap, t, at, head, ghc_times_have (&times, time));
    }
    at += head.size;
    before = previous;
    previous = time;
    all++;
    begin = MIN (begin, time);
    latest = MAX (latest, time);
    if (time - times.from >= times.to - times.from)
      continue;
    t->events++;
    t->bytes += head.size;
    events++;
    first = MIN (first, time);
    last = MAX (last, time);
  }
  if (all != 0)
    ghc_log_all (&s->log, all, begin, latest);
  if (cap != NULL)
    cap->latest = MAX (cap->latest, latest);
  if (events != 0) {
    ghc_log_span (&s->log, first, last);
    if (cap != NULL) {
      cap->first = cap->last == 0 ? first : MIN (cap->first, first);
      cap->last = MAX (cap->last, last);
      cap->events += events;
    }
  }
  span->at = at;
  span->before = before;
  span->last = previous;
  span->events = all;
  span->first_time = begin;
  span->last_time = latest;
}

/* ---- items ---- */

void
ghc_summary_item (struct ghc_summary *s, const struct ghc_item *item)
{
  ghc_log_item (&s->log, item);
  if (item->type == GHC_ITEM_DAMAGE || (item->type == GHC_ITEM_HEADER && s->has_header))
    forget_running (s);
  s->has_header |= item->type == GHC_ITEM_HEADER;
  if (item->type == GHC_ITEM_HEADER)
    set_types (s, item->header);
  else if (item->type == GHC_ITEM_EVENT)
    handle_event (s, item);
}

bool
ghc_summary_needs_order (const struct ghc_summary *s)
{
  bool has_sparks = false;
  for (guint i = 0; i < s->caps->len; i++) {
    const struct ghc_cap *cap = g_ptr_array_index (s->caps, i);
    has_sparks |= cap != NULL && cap->has_spark_events;
  }
  return (s->features & GHC_FEATURE_THREADS) != 0
         || ((s->features & GHC_FEATURE_SPARK_TIMES) != 0 && has_sparks);
}

void
ghc_summary_ordered (struct ghc_summary *s, const struct ghc_item *item)
{
  ghc_threads_item (&s->threads, item);
}

/* Of a part of a log the times are those that were requested, as far as the log goes: what is idle
 * or waits has no event at the end. */
static void
clip_to_interval (struct ghc_summary *s)
{
  const uint64_t from = MAX (s->times.from, s->log.earliest), to = MIN (s->times.to, s->log.latest);
  if ((s->times.from == 0 && s->times.to == UINT64_MAX) || from >= to)
    return;
  s->log.first = from;
  s->log.last = to;
  s->log.has_time = true;
}

void
ghc_summary_finish (struct ghc_summary *s)
{
  clip_to_interval (s);
  ghc_heap_profiles_finish (&s->heap_profiles);
  ghc_time_profile_finish (&s->time_profile);
  ghc_memory_finish (&s->memory);
  ghc_spans_finish (&s->spans);
  /* Threads stay in their states to the end of the log. */
  s->threads.last = MAX (s->threads.last, s->log.latest);
  ghc_threads_finish (&s->threads);
  if (ghc_processes_are_mono (&s->processes))
    ghc_threads_forget_times (&s->threads);
  count_types (s);
  for (guint i = 0; i < s->caps->len; i++)
    if (g_ptr_array_index (s->caps, i) != NULL)
      ghc_cap_finish (g_ptr_array_index (s->caps, i), &s->times);
  ghc_collections_match (s->caps, &s->times, s->stops, 0, NULL);
  ghc_log_damage_by_losses (&s->log);
}
