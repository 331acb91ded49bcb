/* mlpd-part-writer.c -- opens buffers by their contents, and completes counters. */
#include "config.h"

#include "decoder/mlpd/edit/mlpd-part-writer.h"
#include "decoder/mlpd/index/buffer-filter.h"
#include "decoder/mlpd/mlpd-sample-usage.h"
#include <string.h>

void
mlpd_part_writer_init (struct mlpd_part_writer *w)
{
  *w = (struct mlpd_part_writer){ .writer = mlpd_writer_new () };
  counters_init (&w->counters);
}

void
mlpd_part_writer_clear (struct mlpd_part_writer *w)
{
  mlpd_writer_free (w->writer);
  counters_clear (&w->counters);
}

/* ---- buffers ---- */

bool
mlpd_part_writer_header (struct mlpd_part_writer *w, const struct mlpd_file_header *header,
                         GError **error)
{
  w->version = header->data_version;
  return mlpd_writer_header (w->writer, header, error);
}

void
mlpd_part_writer_end_buffer (struct mlpd_part_writer *w)
{
  mlpd_writer_end_buffer (w->writer);
  w->open = MLPD_PART_NONE;
}

enum mlpd_part_buffer
mlpd_part_buffer_of (const struct mlpd_buffer_header *buffer)
{
  if (mlpd_is_reannounced (buffer))
    return MLPD_PART_AGAIN;
  return mlpd_is_context (buffer) ? MLPD_PART_CONTEXT : MLPD_PART_EVENTS;
}

/* Does the event describe a class, or state a name of spans? */
static bool
is_name (const struct mlpd_sample_counters_desc *event)
{
  return event->counters.count != 0
         && (event->counters.items[0].index == MLPD_LAYOUT_INDEX
             || event->counters.items[0].index == MLPD_SPAN_INDEX);
}

bool
mlpd_part_needs (enum mlpd_kind kind, const union mlpd_payload *payload)
{
  if (kind == MLPD_SAMPLE_COUNTERS_DESC)
    return is_name (&payload->sample_counters_desc);
  return buffer_filter_is_name (kind) || kind == MLPD_HEAP_START;
}

static void
begin_buffer (struct mlpd_part_writer *w, struct mlpd_part_place place)
{
  mlpd_writer_begin_buffer (w->writer, place.thread, place.time, NULL);
  if (place.buffer == MLPD_PART_AGAIN)
    mlpd_writer_mark_reannounced (w->writer);
  else if (place.buffer == MLPD_PART_CONTEXT)
    mlpd_writer_mark_context (w->writer);
  w->has_output = true;
  w->open = place.buffer;
}

/* Adds a context event that is nothing but a time. */
static void
put_time (struct mlpd_part_writer *w, uint64_t thread, uint64_t time)
{
  const struct mlpd_part_place place = { MLPD_PART_CONTEXT, thread, time };
  const union mlpd_payload p
      = { .meta_sync_point = { .time = time, .sync_type = MLPD_SYNC_TYPE_PERIODIC } };
  begin_buffer (w, place);
  mlpd_writer_event (w->writer, MLPD_META_SYNC_POINT, &p, NULL);
}

/* The first buffer begins when the log did.  Where there is no event that could be in a buffer
 * before, that is the first one of the output. */
static void
open_buffer (struct mlpd_part_writer *w, struct mlpd_part_place place)
{
  if (w->open == place.buffer)
    return;
  if (!w->has_output && place.time != w->first_time
      && mlpd_writer_has_event (w->version, MLPD_META_SYNC_POINT))
    put_time (w, place.thread, w->first_time);
  if (!w->has_output)
    place.time = w->first_time;
  begin_buffer (w, place);
}

bool
mlpd_part_writer_event (struct mlpd_part_writer *w, struct mlpd_part_place place,
                        enum mlpd_kind kind, const union mlpd_payload *payload, GError **error)
{
  if (kind == MLPD_SAMPLE_COUNTERS_DESC)
    counters_describe (&w->counters, &payload->sample_counters_desc);
  open_buffer (w, place);
  return mlpd_writer_event (w->writer, kind, payload, error);
}

/* ---- counters ---- */

static struct mlpd_string
string_of (const char *text)
{
  return (struct mlpd_string){ text, text != NULL ? strlen (text) : 0 };
}

static struct mlpd_counter
description_of (const struct counter *c)
{
  return (struct mlpd_counter){ .section = c->section,
                                .section_name = string_of (c->section_name),
                                .name = string_of (c->name),
                                .type = c->type,
                                .unit = c->unit,
                                .variance = c->variance,
                                .index = c->index };
}

static bool
is_same (const struct counter *a, const struct counter *b)
{
  return a->described && a->section == b->section && a->unit == b->unit
         && a->variance == b->variance && g_strcmp0 (a->name, b->name) == 0
         && g_strcmp0 (a->section_name, b->section_name) == 0;
}

/* Describes the counter of a value unless the output does. */
static bool
complete_description (struct mlpd_part_writer *w, struct mlpd_part_place place, uint64_t time,
                      const struct counter *counter, GError **error)
{
  const struct counter *written
      = counter != NULL ? g_hash_table_lookup (w->counters.current, &counter->index) : NULL;
  if (counter == NULL || !counter->described || (written != NULL && is_same (written, counter)))
    return true;
  const struct mlpd_counter described = description_of (counter);
  const union mlpd_payload p
      = { .sample_counters_desc = { .time = time, .counters = { &described, 1 } } };
  return mlpd_part_writer_event (w, place, MLPD_SAMPLE_COUNTERS_DESC, &p, error);
}

/* The number that a value of this type counts from; 0 if it is no difference. */
static uint64_t
number_before (const struct counter *counter, uint64_t type)
{
  const struct counter of_type = { .type = type };
  if (counter == NULL || counter->section == MLPD_COUNTER_SECTION_USER
      || counter_kind_of (counter) != counter_kind_of (&of_type)
      || counter_kind_of (counter) == COUNTER_DOUBLE || counter_kind_of (counter) == COUNTER_TEXT)
    return 0;
  return counter->last.value.number;
}

/* Adds the counter's former value, unless the output has it there. */
static bool
complete_value (struct mlpd_part_writer *w, struct mlpd_part_place place,
                const struct mlpd_sample_counters *event, const struct mlpd_counter_value *v,
                const struct counter *counter, GError **error)
{
  const uint64_t before = number_before (counter, v->type);
  const uint64_t written
      = number_before (g_hash_table_lookup (w->counters.current, &v->index), v->type);
  if (written == before)
    return true;
  const struct mlpd_counter_value value
      = { .index = v->index, .type = v->type, .number = before - written };
  const union mlpd_payload p
      = { .sample_counters
          = { .time = event->time, .timestamp_ms = event->timestamp_ms, .values = { &value, 1 } } };
  counters_skip (&w->counters, &p.sample_counters);
  return mlpd_part_writer_event (w, place, MLPD_SAMPLE_COUNTERS, &p, error);
}

void
mlpd_part_update_counters (struct counters *counters, enum mlpd_part_buffer buffer,
                           const struct mlpd_sample_counters *event)
{
  if (buffer == MLPD_PART_AGAIN)
    counters_repeat (counters, event, 0, false);
  else
    counters_skip (counters, event);
}

bool
mlpd_part_writer_values (struct mlpd_part_writer *w, struct mlpd_part_place place,
                         const struct counters *counters, const struct mlpd_sample_counters *event,
                         GError **error)
{
  const struct mlpd_counter_values values = event->values;
  const union mlpd_payload p = { .sample_counters = *event };
  const bool is_again = place.buffer == MLPD_PART_AGAIN;
  const struct mlpd_part_place context = { MLPD_PART_CONTEXT, place.thread, place.time };
  for (size_t i = 0; i < values.count; i++) {
    const struct mlpd_counter_value *v = &values.items[i];
    const struct counter *counter = g_hash_table_lookup (counters->current, &v->index);
    if (!mlpd_is_sample_usage (v->index)
        && (!complete_description (w, context, event->time, counter, error)
            || (!is_again && !complete_value (w, context, event, v, counter, error))))
      return false;
  }
  mlpd_part_update_counters (&w->counters, place.buffer, event);
  return mlpd_part_writer_event (w, place, MLPD_SAMPLE_COUNTERS, &p, error);
}

/* ---- the end ---- */

void
mlpd_part_writer_last_time (struct mlpd_part_writer *w, uint64_t thread, uint64_t time)
{
  if (!mlpd_writer_has_event (w->version, MLPD_META_SYNC_POINT))
    return;
  if (!w->has_output && time != w->first_time)
    put_time (w, thread, w->first_time);
  put_time (w, thread, time);
}
