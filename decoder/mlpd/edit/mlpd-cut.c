/* mlpd-cut.c -- decides which events of a Mono log a part has, and in which buffers. */
#include "config.h"

#include "decoder/mlpd/edit/mlpd-cut.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/mlpd/mlpd-sample-usage.h"
#include <string.h>

void
mlpd_cut_init (struct mlpd_cut *c, const struct buffer_filter *filter)
{
  *c = (struct mlpd_cut){ .writer = mlpd_writer_new (), .filter = filter };
  counters_init (&c->counters);
  c->written = g_hash_table_new_full (NULL, NULL, NULL, g_free);
}

void
mlpd_cut_clear (struct mlpd_cut *c)
{
  mlpd_writer_free (c->writer);
  counters_clear (&c->counters);
  g_hash_table_unref (c->written);
}

/* ---- buffers ---- */

/* Makes the buffer that is written one of this kind; `time`: where it begins. */
static bool
open_buffer (struct mlpd_cut *c, const struct mlpd_item *item, enum mlpd_cut_buffer kind,
             uint64_t time, GError **error)
{
  if (c->open == kind)
    return true;
  if (!mlpd_writer_begin_buffer (c->writer, item->buffer->thread,
                                 c->has_output ? time : c->first_time, error))
    return false;
  if (kind == MLPD_CUT_AGAIN)
    mlpd_writer_mark_reannounced (c->writer);
  else if (kind == MLPD_CUT_CONTEXT)
    mlpd_writer_mark_context (c->writer);
  c->has_output = true;
  c->open = kind;
  return true;
}

/* ---- counters ---- */

static struct mlpd_string
string_of (const char *text)
{
  return (struct mlpd_string){ text != NULL ? text : "", text != NULL ? strlen (text) : 0 };
}

/* The value of the counter that the part has; NULL: it does not describe it yet. */
static uint64_t *
written_of (struct mlpd_cut *c, uint64_t index, const struct counter **counter)
{
  *counter = g_hash_table_lookup (c->counters.current, &index);
  return *counter != NULL ? g_hash_table_lookup (c->written, *counter) : NULL;
}

/* Describes a counter before its first value. */
static bool
describe (struct mlpd_cut *c, const struct mlpd_item *item, const struct counter *counter,
          GError **error)
{
  const struct mlpd_counter described = { .section = counter->section,
                                          .section_name = string_of (counter->section_name),
                                          .name = string_of (counter->name),
                                          .type = counter->type,
                                          .unit = counter->unit,
                                          .variance = counter->variance,
                                          .index = counter->index };
  const union mlpd_payload p
      = { .sample_counters_desc = { .time = c->time, .counters = { &described, 1 } } };
  g_hash_table_insert (c->written, (gpointer) counter, g_new0 (uint64_t, 1));
  return !counter->described
         || (open_buffer (c, item, MLPD_CUT_CONTEXT, c->time, error)
             && mlpd_writer_event (c->writer, MLPD_SAMPLE_COUNTERS_DESC, &p, error));
}

static bool
describe_all (struct mlpd_cut *c, const struct mlpd_item *item, GError **error)
{
  const struct mlpd_counter_values values = item->payload->sample_counters.values;
  const struct counter *counter;
  bool good = true;
  for (size_t i = 0; good && i < values.count; i++)
    if (!mlpd_is_sample_usage (values.items[i].index)
        && written_of (c, values.items[i].index, &counter) == NULL && counter != NULL)
      good = describe (c, item, counter, error);
  return good;
}

/* Values that are differences count from the last one in the part. */
static uint64_t
value_in_part (struct mlpd_cut *c, const struct mlpd_counter_value *v)
{
  const struct counter *counter;
  uint64_t *written = written_of (c, v->index, &counter);
  if (written == NULL || counter_kind_of (counter) == COUNTER_TEXT
      || counter_kind_of (counter) == COUNTER_DOUBLE
      || counter->section == MLPD_COUNTER_SECTION_USER)
    return v->number;
  const uint64_t difference = counter->last.value.number - *written;
  *written = counter->last.value.number;
  return difference;
}

static bool
write_values (struct mlpd_cut *c, const struct mlpd_item *item, uint64_t before, GError **error)
{
  const struct mlpd_sample_counters *event = &item->payload->sample_counters;
  union mlpd_payload p = { .sample_counters = *event };
  counters_update (&c->counters, event, 0);
  if (!describe_all (c, item, error) || !open_buffer (c, item, MLPD_CUT_EVENTS, before, error))
    return false;
  struct mlpd_counter_value *values
      = g_memdup2 (event->values.items, event->values.count * sizeof *values);
  for (size_t i = 0; i < event->values.count; i++)
    if (!mlpd_is_sample_usage (values[i].index))
      values[i].number = value_in_part (c, &values[i]);
  p.sample_counters.values.items = values;
  const bool good = mlpd_writer_event (c->writer, MLPD_SAMPLE_COUNTERS, &p, error);
  g_free (values);
  return good;
}

/* A selected description stays as it is. */
static void
note_descriptions (struct mlpd_cut *c, struct mlpd_counters described, bool selected)
{
  const struct counter *counter;
  for (size_t i = 0; selected && i < described.count; i++)
    if (written_of (c, described.items[i].index, &counter) == NULL && counter != NULL)
      g_hash_table_insert (c->written, (gpointer) counter, g_new0 (uint64_t, 1));
}

/* ---- events ---- */

/* The usage of a hit is selected as the hit is. */
static bool
is_selected (struct mlpd_cut *c, const struct mlpd_item *item)
{
  struct mlpd_sample_usage usage;
  const bool is_usage = c->is_after_hit && mlpd_sample_usage_of (item->kind, item->payload, &usage);
  if (!is_usage)
    c->is_hit_selected
        = !mlpd_is_context (item->buffer)
          && buffer_filter_has_event (c->filter, item->buffer->thread, c->time, item->offset,
                                      item->header->data_version, item->kind, item->payload);
  c->is_after_hit = item->kind == MLPD_SAMPLE_HIT;
  return c->is_hit_selected;
}

/* Counters are described before their first value. */
static bool
is_context (enum mlpd_kind kind)
{
  return (buffer_filter_is_name (kind) && kind != MLPD_SAMPLE_COUNTERS_DESC)
         || kind == MLPD_HEAP_START;
}

static bool
cut_event (struct mlpd_cut *c, const struct mlpd_item *item, GError **error)
{
  const uint64_t before = c->time;
  mlpd_event_time (item->kind, item->payload, &c->time);
  const bool selected = is_selected (c, item);
  if (c->events++ == 0 || c->time > c->latest) {
    c->latest = c->time;
    c->latest_thread = item->buffer->thread;
  }
  c->taken += selected;
  if (item->kind == MLPD_SAMPLE_COUNTERS_DESC) {
    counters_describe (&c->counters, &item->payload->sample_counters_desc);
    note_descriptions (c, item->payload->sample_counters_desc.counters, selected);
  }
  if (selected && item->kind == MLPD_SAMPLE_COUNTERS)
    return write_values (c, item, before, error);
  if (item->kind == MLPD_SAMPLE_COUNTERS)
    counters_skip (&c->counters, &item->payload->sample_counters);
  if (!selected && !is_context (item->kind))
    return true;
  const enum mlpd_cut_buffer kind = !selected                            ? MLPD_CUT_CONTEXT
                                    : mlpd_is_reannounced (item->buffer) ? MLPD_CUT_AGAIN
                                                                         : MLPD_CUT_EVENTS;
  return open_buffer (c, item, kind, before, error)
         && mlpd_writer_event (c->writer, item->kind, item->payload, error);
}

/* ---- headers, marks ---- */

static void
begin_buffer (struct mlpd_cut *c, const struct mlpd_buffer_header *header)
{
  mlpd_writer_end_buffer (c->writer);
  c->open = MLPD_CUT_NONE;
  c->is_after_hit = false;
  c->time = header->time_base;
  if (!c->has_time)
    c->first_time = header->time_base;
  c->has_time = true;
  c->has_end |= mlpd_is_end_mark (header);
  c->end_time = header->time_base;
  c->end_thread = header->thread;
}

bool
mlpd_cut_item (struct mlpd_cut *c, const struct mlpd_item *item, GError **error)
{
  switch (item->type) {
  case MLPD_ITEM_FILE_HEADER:
    c->version = item->header->data_version;
    return mlpd_writer_header (c->writer, item->header, error);
  case MLPD_ITEM_BUFFER:
    begin_buffer (c, item->buffer);
    return true;
  case MLPD_ITEM_EVENT:
    return cut_event (c, item, error);
  default: /* it was reported; what a loss mark states stays */
    return item->damage->reason != MLPD_DAMAGE_LOST
           || mlpd_writer_loss (c->writer, c->time, 0, item->damage->lost, item->damage->error,
                                error);
  }
}

/* Rates, and times in percent, count up to the log's last event. */
static bool
write_last_time (struct mlpd_cut *c, GError **error)
{
  const union mlpd_payload p
      = { .meta_sync_point = { .time = c->latest, .sync_type = MLPD_SYNC_TYPE_PERIODIC } };
  if (c->events == 0 || !mlpd_writer_has_event (c->version, MLPD_META_SYNC_POINT))
    return true;
  if (!mlpd_writer_begin_buffer (c->writer, c->latest_thread,
                                 c->has_output ? c->latest : c->first_time, error))
    return false;
  mlpd_writer_mark_context (c->writer);
  return mlpd_writer_event (c->writer, MLPD_META_SYNC_POINT, &p, error);
}

bool
mlpd_cut_end (struct mlpd_cut *c, GError **error)
{
  if (!write_last_time (c, error))
    return false;
  mlpd_writer_end_buffer (c->writer);
  return !c->has_end || mlpd_writer_end (c->writer, c->end_time, c->end_thread, error);
}
