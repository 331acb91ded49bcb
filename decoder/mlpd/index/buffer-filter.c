/* buffer-filter.c -- decides for each buffer and event whether it is selected. */
#include "config.h"

#include "decoder/mlpd/index/buffer-filter.h"
#include "decoder/mlpd/mlpd-describe.h"
#include <string.h>

/* Up to this one there are neither samples nor counters. */
#define LAST_VERSION_WITHOUT_SAMPLES 3

struct thread_lifetime {
  uint64_t offset;
  bool selected;
};

/* May buffers that are not requested have requested events?  The log's arguments state so, from the
 * versions on that have them in the header; and of which thread an id was at a time is known from
 * the ends of those before. */
static bool
needs_flags (const struct buffer_index *index, const struct selection *selection)
{
  static const char *const words[] = { "sample", "counter", "heapshot", "gcroot" };
  if (index == NULL)
    return false;
  if (selection_has_times (selection) && index->header.data_version >= MLPD_VERSION_SAMPLED_THREADS)
    return true;
  if (index->arguments == NULL)
    return index->header.data_version > LAST_VERSION_WITHOUT_SAMPLES;
  if (strstr (index->arguments, "nodefaults") == NULL) /* counters are one of these */
    return true;
  for (size_t i = 0; i < G_N_ELEMENTS (words); i++)
    if (strstr (index->arguments, words[i]) != NULL)
      return true;
  return false;
}

void
buffer_filter_init (struct buffer_filter *c, const struct selection *selection,
                    const struct buffer_index *index)
{
  *c = (struct buffer_filter){
    .selection = selection,
    .index = index,
    .to = G_MAXUINT64,
    .needs_flags = needs_flags (index, selection),
  };
  if (selection_needs_thread_names (selection))
    c->threads = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                        (GDestroyNotify) g_array_unref);
  /* These have to be searched for, and the way through the log states everything else. */
  c->needs_flags |= index != NULL && c->threads != NULL;
}

void
buffer_filter_clear (struct buffer_filter *c)
{
  g_clear_pointer (&c->threads, g_hash_table_destroy);
  g_clear_pointer (&c->places, span_places_free);
}

void
buffer_filter_add_thread (struct buffer_filter *c, uint64_t id, uint64_t offset, const char *name)
{
  const struct thread_lifetime lifetime
      = { .offset = offset, .selected = selection_has_thread (c->selection, id, name) };
  GArray *lifetimes = g_hash_table_lookup (c->threads, &id);
  if (lifetimes == NULL) {
    lifetimes = g_array_new (FALSE, FALSE, sizeof (struct thread_lifetime));
    g_hash_table_insert (c->threads, g_memdup2 (&id, sizeof id), lifetimes);
  }
  g_array_append_val (lifetimes, lifetime);
}

void
buffer_filter_begin (struct buffer_filter *c, uint64_t first_time)
{
  if (!c->begun)
    selection_time_bounds (c->selection, first_time, c->last_time, &c->from, &c->to);
  c->begun = true;
}

bool
buffer_filter_has_thread (const struct buffer_filter *c, uint64_t id, uint64_t offset)
{
  if (c->names_only)
    return false;
  if (c->threads == NULL)
    return selection_has_thread (c->selection, id, NULL);
  const GArray *lifetimes = g_hash_table_lookup (c->threads, &id);
  bool selected = lifetimes == NULL && selection_has_thread (c->selection, id, NULL);
  for (guint i = 0; lifetimes != NULL && i < lifetimes->len; i++) {
    const struct thread_lifetime *lifetime = &g_array_index (lifetimes, struct thread_lifetime, i);
    if (i == 0 || lifetime->offset <= offset)
      selected = lifetime->selected;
  }
  return selected;
}

bool
buffer_filter_has_time (const struct buffer_filter *c, uint64_t time)
{
  return time >= c->from && time < c->to;
}

/* Of a buffer whose contents are known. */
static enum buffer_use
flagged_buffer_use (const struct buffer_filter *c, const struct indexed_buffer *buffer)
{
  if ((buffer->flags & BUFFER_IS_DAMAGED) != 0)
    return BUFFER_INSPECT;
  const bool has_time = buffer->earliest < c->to && buffer->latest >= c->from;
  const bool has_others_hits = (buffer->flags & BUFFER_HAS_HITS) != 0 && !c->names_only
                               && c->selection != NULL && c->selection->threads != NULL;
  if (has_time && buffer_filter_has_thread (c, buffer->thread, buffer->offset))
    return buffer->earliest >= c->from && buffer->latest < c->to && !has_others_hits
               ? BUFFER_INCLUDE
               : BUFFER_INSPECT;
  /* Values of counters are differences to earlier ones. */
  const bool has_counters
      = (buffer->flags & BUFFER_HAS_COUNTERS) != 0 && !c->names_only && buffer->earliest < c->to;
  return (buffer->flags & (BUFFER_HAS_NAMES | BUFFER_BEGINS_THREAD)) != 0 || has_counters
                 || (has_others_hits && has_time)
             ? BUFFER_INSPECT
             : BUFFER_SKIP;
}

/* Of a buffer that was not requested: names are, where they are many. */
static enum buffer_use
use_of_others (const struct indexed_buffer *buffer)
{
  return buffer->announces ? BUFFER_INSPECT : BUFFER_SKIP;
}

/* Without regard to spans. */
static enum buffer_use
use_of (const struct buffer_filter *c, uint64_t thread, uint64_t time_base, uint64_t offset)
{
  const struct indexed_buffer *buffer
      = c->index != NULL ? buffer_index_find (c->index, offset) : NULL;
  if (buffer == NULL)
    return BUFFER_INSPECT;
  if (c->index->has_flags)
    return flagged_buffer_use (c, buffer);
  if (!buffer_filter_has_thread (c, thread, offset) || (time_base >= c->to && !buffer->may_be_early)
      || (buffer->has_next && buffer->next_base < c->from))
    return use_of_others (buffer);
  const bool ends_before = c->to == G_MAXUINT64 || (buffer->has_next && buffer->next_base < c->to);
  const bool starts_after = c->from == 0 || (time_base >= c->from && !buffer->may_be_early);
  return starts_after && ends_before ? BUFFER_INCLUDE : BUFFER_INSPECT;
}

enum buffer_use
buffer_filter_use (const struct buffer_filter *c, uint64_t thread, uint64_t time_base,
                   uint64_t offset)
{
  const enum buffer_use use = use_of (c, thread, time_base, offset);
  return use == BUFFER_INCLUDE && c->places != NULL ? BUFFER_INSPECT : use;
}

bool
buffer_filter_has_event (const struct buffer_filter *c, uint64_t thread, uint64_t time,
                         uint64_t offset, unsigned version, enum mlpd_kind kind,
                         const union mlpd_payload *payload)
{
  if (kind == MLPD_SAMPLE_HIT && version >= MLPD_VERSION_SAMPLED_THREADS)
    thread = payload->sample_hit.thread;
  return buffer_filter_has_time (c, time) && buffer_filter_has_thread (c, thread, offset)
         && (c->places == NULL || span_places_has (c->places, thread, time));
}

bool
buffer_filter_is_name (enum mlpd_kind kind)
{
  static const uint8_t types[] = {
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc) type,
#include <proflog/mlpd-events.def>
  };
  return types[kind] == MLPD_TYPE_METADATA || kind == MLPD_METHOD_JIT || kind == MLPD_SAMPLE_SYMBOL
         || kind == MLPD_SAMPLE_COUNTERS_DESC || kind == MLPD_HEAP_ROOT_REGISTER
         || kind == MLPD_HEAP_ROOT_UNREGISTER;
}
