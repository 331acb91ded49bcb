/* buffer-choice.c -- see buffer-choice.h. */
#include "decoder/analyses/buffer-choice.h"
#include "config.h"
#include "decoder/formats/mlpd-describe.h"
#include <string.h>

/* Up to this one there are neither samples nor counters. */
#define LAST_VERSION_WITHOUT_SAMPLES 3

struct thread_life {
  uint64_t offset;
  bool chosen;
};

/* May buffers that are not asked for have what is?  The log's arguments say so, from the versions
 * on that have them in the header; and of which thread an id was at a time is known from the ends
 * of those before. */
static bool
needs_marks (const struct buffer_index *index, const struct selection *selection)
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
buffer_choice_init (struct buffer_choice *c, const struct selection *selection,
                    const struct buffer_index *index)
{
  *c = (struct buffer_choice){
    .selection = selection,
    .index = index,
    .to = G_MAXUINT64,
    .needs_marks = needs_marks (index, selection),
  };
  if (selection_needs_thread_names (selection))
    c->threads = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                        (GDestroyNotify) g_array_unref);
  /* These have to be looked for, and the way through the log tells everything else. */
  c->needs_marks |= index != NULL && c->threads != NULL;
}

void
buffer_choice_clear (struct buffer_choice *c)
{
  g_clear_pointer (&c->threads, g_hash_table_destroy);
}

void
buffer_choice_add_thread (struct buffer_choice *c, uint64_t id, uint64_t offset, const char *name)
{
  const struct thread_life life
      = { .offset = offset, .chosen = selection_has_thread (c->selection, id, name) };
  GArray *lives = g_hash_table_lookup (c->threads, &id);
  if (lives == NULL) {
    lives = g_array_new (FALSE, FALSE, sizeof (struct thread_life));
    g_hash_table_insert (c->threads, g_memdup2 (&id, sizeof id), lives);
  }
  g_array_append_val (lives, life);
}

void
buffer_choice_begin (struct buffer_choice *c, uint64_t first_time)
{
  if (!c->begun)
    selection_time_bounds (c->selection, first_time, c->last_time, &c->from, &c->to);
  c->begun = true;
}

bool
buffer_choice_has_thread (const struct buffer_choice *c, uint64_t id, uint64_t offset)
{
  if (c->names_only)
    return false;
  if (c->threads == NULL)
    return selection_has_thread (c->selection, id, NULL);
  const GArray *lives = g_hash_table_lookup (c->threads, &id);
  bool chosen = lives == NULL && selection_has_thread (c->selection, id, NULL);
  for (guint i = 0; lives != NULL && i < lives->len; i++) {
    const struct thread_life *life = &g_array_index (lives, struct thread_life, i);
    if (i == 0 || life->offset <= offset)
      chosen = life->chosen;
  }
  return chosen;
}

bool
buffer_choice_has_time (const struct buffer_choice *c, uint64_t time)
{
  return time >= c->from && time < c->to;
}

/* Of a buffer of which it is known what it holds. */
static enum buffer_use
use_of_marked (const struct buffer_choice *c, const struct indexed_buffer *buffer)
{
  if ((buffer->marks & BUFFER_IS_DAMAGED) != 0)
    return BUFFER_LOOK;
  const bool has_time = buffer->earliest < c->to && buffer->latest >= c->from;
  const bool has_others_hits = (buffer->marks & BUFFER_HAS_HITS) != 0 && !c->names_only
                               && c->selection != NULL && c->selection->threads != NULL;
  if (has_time && buffer_choice_has_thread (c, buffer->thread, buffer->offset))
    return buffer->earliest >= c->from && buffer->latest < c->to && !has_others_hits ? BUFFER_TAKE
                                                                                     : BUFFER_LOOK;
  /* Values of counters are differences to earlier ones. */
  const bool has_counters
      = (buffer->marks & BUFFER_HAS_COUNTERS) != 0 && !c->names_only && buffer->earliest < c->to;
  return (buffer->marks & (BUFFER_HAS_NAMES | BUFFER_BEGINS_THREAD)) != 0 || has_counters
                 || (has_others_hits && has_time)
             ? BUFFER_LOOK
             : BUFFER_PASS;
}

/* Of a buffer that was not asked for: names are, where they are many. */
static enum buffer_use
use_of_others (const struct indexed_buffer *buffer)
{
  return buffer->announces ? BUFFER_LOOK : BUFFER_PASS;
}

enum buffer_use
buffer_choice_use (const struct buffer_choice *c, uint64_t thread, uint64_t time_base,
                   uint64_t offset)
{
  const struct indexed_buffer *buffer
      = c->index != NULL ? buffer_index_find (c->index, offset) : NULL;
  if (buffer == NULL)
    return BUFFER_LOOK;
  if (c->index->is_marked)
    return use_of_marked (c, buffer);
  if (!buffer_choice_has_thread (c, thread, offset) || (time_base >= c->to && !buffer->may_be_early)
      || (buffer->has_next && buffer->next_base < c->from))
    return use_of_others (buffer);
  const bool ends_before = c->to == G_MAXUINT64 || (buffer->has_next && buffer->next_base < c->to);
  const bool starts_behind = c->from == 0 || (time_base >= c->from && !buffer->may_be_early);
  return starts_behind && ends_before ? BUFFER_TAKE : BUFFER_LOOK;
}

bool
buffer_choice_has_event (const struct buffer_choice *c, uint64_t thread, uint64_t time,
                         uint64_t offset, unsigned version, enum mlpd_kind kind,
                         const union mlpd_payload *payload)
{
  if (kind == MLPD_SAMPLE_HIT && version >= MLPD_VERSION_SAMPLED_THREADS)
    thread = payload->sample_hit.thread;
  return buffer_choice_has_time (c, time) && buffer_choice_has_thread (c, thread, offset);
}

bool
buffer_choice_is_name (enum mlpd_kind kind)
{
  const uint8_t type = mlpd_describe (kind)->type;
  return type == MLPD_TYPE_METADATA || kind == MLPD_METHOD_JIT || kind == MLPD_SAMPLE_SYMBOL
         || kind == MLPD_SAMPLE_COUNTERS_DESC || kind == MLPD_HEAP_ROOT_REGISTER
         || kind == MLPD_HEAP_ROOT_UNREGISTER;
}
