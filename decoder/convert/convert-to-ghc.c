/* convert-to-ghc.c -- makes an eventlog of a log of Mono, as mono-eventlog.c does while
 * recording. */
#include "config.h"

#include "decoder/convert/convert-to-ghc-private.h"

#include "decoder/convert/convert-cap-names.h"
#include "decoder/ghc/ghc-losses.h"
#include "decoder/mlpd/mlpd-program-span.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/mlpd/mlpd-losses.h"
#include "decoder/mlpd/mlpd-origin.h"
#include "decoder/mlpd/model/allocations.h"

#include <proflog/module-options.h>
#include <stdio.h>
#include <string.h>

void
convert_to_ghc_init (struct convert_to_ghc *c, const struct convert_origin *origin,
                     struct symbols *names)
{
  *c = (struct convert_to_ghc){ .names = names };
  convert_caps_init (&c->caps, origin);
  convert_losses_init (&c->losses);
  c->threads = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  c->thread_names = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  c->types = g_hash_table_new (NULL, NULL);
  c->marks = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  c->allocated = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  c->live = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}

void
convert_to_ghc_clear (struct convert_to_ghc *c)
{
  convert_caps_clear (&c->caps);
  convert_losses_clear (&c->losses);
  g_hash_table_unref (c->threads);
  g_hash_table_unref (c->thread_names);
  g_hash_table_unref (c->types);
  g_hash_table_unref (c->marks);
  g_hash_table_unref (c->allocated);
  g_hash_table_unref (c->live);
}

/* ---- collections ---- */

static void
begin_collection (struct convert_to_ghc *c, struct convert_thread *t, uint64_t time)
{
  convert_ghc_put (c, t, GHC_GC_START, time, (union ghc_payload){ .gc_start = { 0 } });
  t->collection.is_open = true;
}

static void
end_collection (struct convert_to_ghc *c, struct convert_thread *t, uint64_t time)
{
  if (t->collection.is_open)
    convert_ghc_put (c, t, GHC_GC_END, time, (union ghc_payload){ .gc_end = { 0 } });
  t->collection.is_open = t->collection.has_ended = false;
}

static void
end_generation (struct convert_to_ghc *c, struct convert_thread *t, uint64_t generation,
                uint64_t time)
{
  if (t->collection.has_ended) { /* another one of the same stop */
    const uint64_t border = t->collection.began != 0 ? t->collection.began : time;
    end_collection (c, t, border);
    begin_collection (c, t, border);
  }
  convert_ghc_put (c, t, GHC_GC_GLOBAL_SYNC, time, (union ghc_payload){ .gc_global_sync = { 0 } });
  convert_ghc_put (c, t, GHC_GC_STATS_GHC, time,
                   (union ghc_payload){ .gc_stats_ghc = { .heap_capset = CONVERT_PROCESS,
                                                          .generation = (uint16_t) generation,
                                                          .par_n_threads = 1 } });
  t->collection.has_ended = true;
  t->collection.began = 0;
}

static void
put_heap (struct convert_to_ghc *c, const struct convert_thread *t, uint64_t time)
{
  convert_caps_put_allocated (&c->caps, t->cap, time);
  if (c->heap.size != 0 && (c->heap.is_due || !t->is_cap))
    convert_ghc_put (c, t, GHC_HEAP_SIZE, time,
                     (union ghc_payload){
                         .heap_size = { .heap_capset = CONVERT_PROCESS, .bytes = c->heap.size } });
  c->heap.is_due = false;
}

/* As in the module, the next collection reports it, or the end of the log. */
static void
handle_resize (struct convert_to_ghc *c, struct convert_thread *t, const struct mlpd_item *item,
               uint64_t time)
{
  if (c->heap.is_due)
    convert_losses_add (&c->losses, "sizes of the heap before the next one");
  c->heap = (struct convert_heap){ .size = item->payload->gc_resize.size,
                                   .time = time,
                                   .thread = t,
                                   .is_due = !convert_ghc_is_name_only (item) };
  if (t->is_cap && !t->collection.is_open && convert_ghc_has_thread (c, t, time))
    put_heap (c, t, time);
}

/* The size that no collection reported. */
static void
put_last_heap (struct convert_to_ghc *c)
{
  struct convert_thread *t = c->heap.thread;
  if (c->heap.is_due && (t->cap != NULL || convert_ghc_has_thread (c, t, c->heap.time)))
    put_heap (c, t, c->heap.time);
}

static void
request_collection (struct convert_to_ghc *c, struct convert_thread *t, uint64_t time)
{
  t->collection.has_locks = false;
  if (t->is_cap) /* the log does not have when it was requested */
    return;
  convert_ghc_stop (c, t, GHC_STOP_STATUS_HEAP_OVERFLOW, time);
  convert_ghc_put (c, t, GHC_REQUEST_SEQ_GC, time, (union ghc_payload){ .request_seq_gc = { 0 } });
}

static void
handle_gc (struct convert_to_ghc *c, struct convert_thread *t, const struct mlpd_gc_event *e,
           uint64_t time)
{
  if (t->cap == NULL && !convert_ghc_has_thread (c, t, time))
    return;
  switch (e->event) {
  case MLPD_GC_EVENT_PRE_STOP_WORLD:
    request_collection (c, t, time);
    break;
  case MLPD_GC_EVENT_PRE_STOP_WORLD_LOCKED:
    t->collection.has_locks = true;
    break;
  case MLPD_GC_EVENT_POST_STOP_WORLD:
    t->collection.began = 0;
    begin_collection (c, t, time);
    break;
  case MLPD_GC_EVENT_START:
    if (!t->collection.is_open) /* the log does not have when the threads stood still */
      begin_collection (c, t, time);
    t->collection.began = time;
    break;
  case MLPD_GC_EVENT_END:
    end_generation (c, t, e->generation, time);
    break;
  case MLPD_GC_EVENT_PRE_START_WORLD:
    end_collection (c, t, time);
    put_heap (c, t, time);
    break;
  case MLPD_GC_EVENT_POST_START_WORLD:
    end_collection (c, t, time);
    if (!t->collection.has_locks)
      convert_ghc_has_thread (c, t, time);
    break;
  case MLPD_GC_EVENT_POST_START_WORLD_UNLOCKED:
    convert_ghc_has_thread (c, t, time);
    break;
  default:
    break;
  }
}

/* ---- objects ---- */

/* The bytes for which the object stands, where allocations are sampled. */
static uint64_t
allocated_bytes (struct convert_to_ghc *c, const struct mlpd_item *item)
{
  const uint64_t size = item->payload->alloc.size,
                 sampling = mlpd_header_alloc_sampling (item->header);
  c->is_sampled = sampling != 0;
  return c->is_sampled ? allocation_estimate (size, sampling).bytes : size;
}

static void
handle_alloc (struct convert_to_ghc *c, struct convert_thread *t, const struct mlpd_item *item,
              uint64_t time)
{
  const struct mlpd_alloc *e = &item->payload->alloc;
  const char *type = item->header->data_version >= MLPD_VERSION_VTABLES
                         ? symbols_current_vtable_class (c->names, e->vtable)
                         : symbols_current_name (c->names, SYMBOL_CLASS, e->klass);
  g_hash_table_insert (c->types, GSIZE_TO_POINTER (e->object), (gpointer) type);
  if (t->number == 0)
    convert_ghc_has_thread (c, t, time);
  if (t->cap != NULL)
    convert_caps_allocate (&c->caps, t->cap, time, allocated_bytes (c, item));
}

/* All old addresses first: a new one may be the old one of another object. */
static void
handle_moves (struct convert_to_ghc *c, const struct mlpd_list *objects)
{
  const size_t pairs = objects->count / 2;
  const char **types = g_new (const char *, pairs + 1);
  for (size_t i = 0; i < pairs; i++)
    types[i] = g_hash_table_lookup (c->types, GSIZE_TO_POINTER (objects->items[2 * i]));
  for (size_t i = 0; i < pairs; i++)
    g_hash_table_remove (c->types, GSIZE_TO_POINTER (objects->items[2 * i]));
  for (size_t i = 0; i < pairs; i++)
    if (types[i] != NULL)
      g_hash_table_insert (c->types, GSIZE_TO_POINTER (objects->items[2 * i + 1]),
                           (gpointer) types[i]);
  g_free (types);
  convert_losses_add (&c->losses, mlpd_describe (MLPD_GC_MOVE)->name);
}

static void
handle_throw (struct convert_to_ghc *c, struct convert_thread *t, uint64_t object, uint64_t time)
{
  char text[CONVERT_TEXT_MAX];
  const char *type = t->type_time == time ? t->type : NULL;
  if (type == NULL)
    type = g_hash_table_lookup (c->types, GSIZE_TO_POINTER (object));
  snprintf (text, sizeof text, "throw %s", type != NULL ? type : "");
  if (convert_ghc_has_thread (c, t, time))
    convert_ghc_put (c, t, GHC_USER_MARKER, time,
                     (union ghc_payload){ .user_marker = { .marker = { text, strlen (text) } } });
}

static void
handle_clause (struct convert_to_ghc *c, struct convert_thread *t,
               const struct mlpd_exception_clause *e, uint64_t time)
{
  char text[CONVERT_TEXT_MAX];
  const char *clause = mlpd_value_name (MLPD_UNIT_CLAUSE_TYPE, e->clause_type);
  const char *name = symbols_current_name (c->names, SYMBOL_METHOD, e->method);
  snprintf (text, sizeof text, "%s in %s", clause != NULL ? clause : "fault",
            name != NULL ? name : "");
  if (convert_ghc_has_thread (c, t, time))
    convert_ghc_put (c, t, GHC_USER_MSG, time,
                     (union ghc_payload){ .user_msg = { .message = { text, strlen (text) } } });
}

/* The end of a wait is that of one in vain, too. */
static void
handle_monitor (struct convert_to_ghc *c, struct convert_thread *t, uint64_t event, uint64_t time)
{
  if (event == MLPD_MONITOR_EVENT_CONTENTION)
    convert_ghc_stop (c, t, GHC_STOP_STATUS_MVAR, time);
  else
    convert_ghc_wake_up (c, t, time);
}

/* ---- marks and losses ---- */

/* Is it one that the log has because it was an eventlog? */
static bool
is_of_capability (struct convert_to_ghc *c, const struct convert_thread *t,
                  const struct mlpd_counter *counter)
{
  if (!t->is_cap || counter->section != MLPD_COUNTER_SECTION_PROFILER)
    return false;
  if (g_str_has_prefix (counter->name.text, CONVERT_LIVE))
    g_hash_table_add (c->live, g_memdup2 (&counter->index, sizeof counter->index));
  else if (g_str_has_prefix (counter->name.text, CONVERT_ALLOCATED))
    g_hash_table_add (c->allocated, g_memdup2 (&counter->index, sizeof counter->index));
  else
    return false;
  return true;
}

static void
handle_counters (struct convert_to_ghc *c, const struct convert_thread *t,
                 const struct mlpd_counters *counters)
{
  for (size_t i = 0; i < counters->count; i++) {
    const struct mlpd_counter *counter = &counters->items[i];
    if (is_of_capability (c, t, counter))
      continue;
    if (counter->section == MLPD_COUNTER_SECTION_PROFILER
        && g_str_has_prefix (counter->name.text, MLPD_MARK))
      g_hash_table_replace (c->marks, g_memdup2 (&counter->index, sizeof counter->index),
                            g_strdup (counter->name.text + strlen (MLPD_MARK)));
    else if (counter->index != MLPD_LOST_EVENTS_INDEX && counter->index != MLPD_LAYOUT_INDEX
             && counter->index != MLPD_SPAN_INDEX)
      convert_losses_add (&c->losses, "counters");
  }
}

static void
put_own_message (struct convert_to_ghc *c, struct convert_thread *t, const char *text,
                 uint64_t time)
{
  if (convert_ghc_has_thread (c, t, time))
    convert_ghc_put (c, t, GHC_LOG_MSG, time,
                     (union ghc_payload){ .log_msg = { .message = { text, strlen (text) } } });
}

static void
put_mark (struct convert_to_ghc *c, struct convert_thread *t, const char *name, uint64_t time)
{
  if (g_str_has_prefix (name, PROFLOG_LIMIT_MARK)) {
    g_autofree char *text = g_strconcat (GHC_LOSSES_START, name, NULL);
    put_own_message (c, t, text, time);
    return;
  }
  if (convert_ghc_has_thread (c, t, time))
    convert_ghc_put (c, t, GHC_USER_MARKER, time,
                     (union ghc_payload){ .user_marker = { .marker = { name, strlen (name) } } });
}

static void
put_losses (struct convert_to_ghc *c, struct convert_thread *t, uint64_t lost, uint64_t time)
{
  char text[GHC_LOSSES_MAX];
  ghc_losses_text (text, lost, 0);
  put_own_message (c, t, text, time);
}

/* Adds a value of a counter that the log has because it was an eventlog. */
static bool
put_capability (struct convert_to_ghc *c, struct convert_thread *t,
                const struct mlpd_counter_value *value, uint64_t time)
{
  if (!t->is_cap || !convert_ghc_has_thread (c, t, time))
    return false;
  if (g_hash_table_contains (c->allocated, &value->index)) {
    convert_caps_allocate (&c->caps, t->cap, time, value->number);
    convert_caps_put_allocated (&c->caps, t->cap, time);
  } else if (g_hash_table_contains (c->live, &value->index)) {
    t->live += value->number;
    convert_ghc_put (
        c, t, GHC_HEAP_LIVE, time,
        (union ghc_payload){ .heap_live = { .heap_capset = CONVERT_PROCESS, .bytes = t->live } });
  } else {
    return false;
  }
  return true;
}

static void
handle_values (struct convert_to_ghc *c, struct convert_thread *t, const struct mlpd_item *item,
               uint64_t time)
{
  const struct mlpd_counter_values *values = &item->payload->sample_counters.values;
  const uint64_t lost = mlpd_losses_of (item->kind, item->payload);
  struct mlpd_program_span span;
  if (mlpd_program_span_of (item->kind, item->payload, &span)) {
    convert_losses_add (&c->losses, "begins and ends of spans");
    return;
  }
  if (convert_ghc_is_name_only (item)) /* values that the counters had before */
    return;
  if (lost != 0)
    put_losses (c, t, lost, time);
  for (size_t i = 0; i < values->count; i++) {
    const char *mark = g_hash_table_lookup (c->marks, &values->items[i].index);
    if (put_capability (c, t, &values->items[i], time))
      continue;
    if (mark != NULL)
      put_mark (c, t, mark, time);
    else if (values->items[i].index != MLPD_LOST_EVENTS_INDEX)
      convert_losses_add (&c->losses, "values of counters");
  }
}

/* ---- events ---- */

/* A class that is announced states the type of the object of an event at the same time, right after
 * it: docs/mlpd-format.md, type marks. */
static void
find_type (struct convert_to_ghc *c, struct convert_thread *t, const struct mlpd_item *item)
{
  const struct mlpd_metadata_class *e = &item->payload->metadata_class;
  t->type = NULL;
  if (item->kind != MLPD_METADATA_CLASS)
    return;
  /* It may have another name by now. */
  symbols_announce (c->names, SYMBOL_CLASS, e->klass, e->name);
  t->type = symbols_current_name (c->names, SYMBOL_CLASS, e->klass);
  t->type_time = e->time;
}

void
convert_to_ghc_event (struct convert_to_ghc *c, const struct mlpd_item *item, uint64_t time)
{
  const union mlpd_payload *p = item->payload;
  struct convert_thread *t = convert_ghc_thread (c, item->buffer->thread);
  switch (item->kind) {
  case MLPD_METADATA_THREAD:
    convert_ghc_handle_thread (c, t, item, time);
    break;
  case MLPD_GC_EVENT:
    handle_gc (c, t, &p->gc_event, time);
    break;
  case MLPD_GC_RESIZE:
    handle_resize (c, t, item, time);
    break;
  case MLPD_ALLOC:
    handle_alloc (c, t, item, time);
    break;
  case MLPD_GC_MOVE:
    handle_moves (c, &p->gc_move.objects);
    break;
  case MLPD_EXCEPTION_THROW:
    handle_throw (c, t, p->exception_throw.object, time);
    break;
  case MLPD_EXCEPTION_CLAUSE:
    handle_clause (c, t, &p->exception_clause, time);
    break;
  case MLPD_MONITOR:
    handle_monitor (c, t, p->monitor.event, time);
    break;
  case MLPD_SAMPLE_COUNTERS_DESC:
    handle_counters (c, t, &p->sample_counters_desc.counters);
    break;
  case MLPD_SAMPLE_COUNTERS:
    handle_values (c, t, item, time);
    break;
  case MLPD_METADATA_CLASS:
  case MLPD_METADATA_VTABLE: /* names of types */
    break;
  default:
    convert_losses_add (&c->losses, mlpd_describe (item->kind)->name);
    break;
  }
  find_type (c, t, item);
}

/* At the end of the log, as any thread's. */
static void
put_message (struct convert_to_ghc *c, const char *text)
{
  const uint64_t time = MAX (c->caps.end, c->caps.start);
  struct convert_cap *cap
      = c->caps.all->len != 0 ? c->caps.all->pdata[0] : convert_caps_take (&c->caps, time);
  const union ghc_payload payload = { .log_msg = { .message = { text, strlen (text) } } };
  convert_caps_put (&c->caps, cap, GHC_LOG_MSG, time, &payload);
}

/* Those that the end of the log states. */
static void
put_last_losses (struct convert_to_ghc *c)
{
  char text[GHC_LOSSES_MAX];
  if (c->has_hole)
    put_message (c, GHC_LOSSES_BY_DAMAGE);
  if (c->lost == 0 && c->lost_error == 0)
    return;
  ghc_losses_text (text, c->lost, c->lost_error);
  put_message (c, text);
}

void
convert_to_ghc_end (struct convert_to_ghc *c)
{
  if (c->is_sampled)
    convert_losses_add (&c->losses, "statement that allocations are sampled: "
                                    "their bytes are an estimate");
  put_last_heap (c);
  put_last_losses (c);
  convert_caps_end (&c->caps);
}
