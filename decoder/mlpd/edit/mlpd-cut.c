/* mlpd-cut.c -- decides which events of a Mono log a part has, and in which buffers. */
#include "config.h"

#include "decoder/mlpd/edit/mlpd-cut.h"
#include "decoder/mlpd/mlpd-losses.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/mlpd/mlpd-sample-usage.h"

void
mlpd_cut_init (struct mlpd_cut *c, const struct buffer_filter *filter)
{
  *c = (struct mlpd_cut){ .filter = filter };
  mlpd_part_writer_init (&c->part);
  counters_init (&c->counters);
}

void
mlpd_cut_clear (struct mlpd_cut *c)
{
  mlpd_part_writer_clear (&c->part);
  counters_clear (&c->counters);
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

/* The values are part of the log, whether they are selected or not. */
static void
update_counters (struct mlpd_cut *c, const struct mlpd_item *item)
{
  mlpd_part_update_counters (&c->counters, mlpd_part_buffer_of (item->buffer),
                             &item->payload->sample_counters);
}

static bool
cut_values (struct mlpd_cut *c, const struct mlpd_item *item, struct mlpd_part_place place,
            bool selected, GError **error)
{
  if (selected
      && !mlpd_part_writer_values (&c->part, place, &c->counters, &item->payload->sample_counters,
                                   error))
    return false;
  update_counters (c, item);
  return true;
}

static bool
cut_event (struct mlpd_cut *c, const struct mlpd_item *item, GError **error)
{
  const uint64_t before = c->time;
  mlpd_event_time (item->kind, item->payload, &c->time);
  const bool selected = is_selected (c, item);
  const struct mlpd_part_place place
      = { selected ? mlpd_part_buffer_of (item->buffer) : MLPD_PART_CONTEXT, item->buffer->thread,
          before };
  if (c->events++ == 0 || c->time > c->latest) {
    c->latest = c->time;
    c->latest_thread = item->buffer->thread;
  }
  c->taken += selected;
  if (item->kind == MLPD_SAMPLE_COUNTERS_DESC)
    counters_describe (&c->counters, &item->payload->sample_counters_desc);
  if (item->kind == MLPD_SAMPLE_COUNTERS)
    return cut_values (c, item, place, selected, error);
  return (!selected && !mlpd_part_needs (item->kind, item->payload))
         || mlpd_part_writer_event (&c->part, place, item->kind, item->payload, error);
}

/* ---- headers, marks ---- */

static void
begin_buffer (struct mlpd_cut *c, const struct mlpd_buffer_header *header)
{
  if (mlpd_is_check_mark (header))
    return;
  mlpd_part_writer_end_buffer (&c->part);
  c->is_after_hit = false;
  c->time = header->time_base;
  if (!c->has_time)
    c->part.first_time = header->time_base;
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
    return mlpd_part_writer_header (&c->part, item->header, error);
  case MLPD_ITEM_BUFFER:
    begin_buffer (c, item->buffer);
    return true;
  case MLPD_ITEM_EVENT:
    return cut_event (c, item, error);
  default: /* it was reported; a loss mark stays */
    if (item->damage->reason == MLPD_DAMAGE_LOST)
      mlpd_writer_loss (c->part.writer, c->time, 0, item->damage->lost, item->damage->error, NULL);
    c->is_damaged |= mlpd_damage_is_left_out (item->damage);
    return true;
  }
}

void
mlpd_cut_end (struct mlpd_cut *c)
{
  if (c->events != 0)
    mlpd_part_writer_last_time (&c->part, c->latest_thread, c->latest);
  mlpd_part_writer_end_buffer (&c->part);
  if (c->is_damaged)
    mlpd_writer_loss (c->part.writer, c->latest, 0, 0, MLPD_LOSS_BY_DAMAGE, NULL);
  if (c->has_end)
    mlpd_writer_end (c->part.writer, c->end_time, c->end_thread, NULL);
}
