/* counters.c -- adds up differences, and limits the length of series. */
#include "config.h"

#include "decoder/mlpd/analyses/counters.h"
#include "decoder/mlpd/analyses/analysis.h"
#include "decoder/mlpd/analyses/log.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/mlpd/mlpd-sample-usage.h"
#include <string.h>

static void
clear_point (void *data)
{
  struct counter_point *point = data;
  g_free ((char *) point->value.text);
}

static struct counter *
counter_new (uint64_t index, uint64_t type)
{
  struct counter *c = g_new0 (struct counter, 1);
  c->index = index;
  c->type = type;
  c->stride = 1;
  c->points = g_array_new (FALSE, FALSE, sizeof (struct counter_point));
  return c;
}

/* Forgets the values. */
static void
counter_restart (struct counter *c)
{
  if (counter_kind_of (c) == COUNTER_TEXT) {
    for (guint i = 0; i < c->points->len; i++)
      clear_point (&g_array_index (c->points, struct counter_point, i));
    clear_point (&c->last);
  }
  g_array_set_size (c->points, 0);
  c->last = (struct counter_point){ 0 };
  c->updates = 0;
  c->stride = 1;
}

static void
counter_free (void *data)
{
  struct counter *c = data;
  counter_restart (c);
  g_array_free (c->points, TRUE);
  g_free (c->section_name);
  g_free (c->name);
  g_free (c);
}

void
counters_init (struct counters *c)
{
  c->all = g_ptr_array_new_with_free_func (counter_free);
  c->current = g_hash_table_new (g_int64_hash, g_int64_equal);
}

void
counters_clear (struct counters *c)
{
  g_hash_table_destroy (c->current);
  g_ptr_array_free (c->all, TRUE);
}

uint64_t
counters_lost_events (const struct counters *counters)
{
  for (guint i = 0; i < counters->all->len; i++) {
    const struct counter *c = g_ptr_array_index (counters->all, i);
    if (c->section == MLPD_COUNTER_SECTION_PROFILER && c->index == MLPD_LOST_EVENTS_INDEX
        && g_strcmp0 (c->name, MLPD_LOST_EVENTS) == 0)
      return c->last.value.number;
  }
  return 0;
}

static enum counter_kind
kind_of_type (uint64_t type)
{
  switch (type) {
  case MLPD_COUNTER_TYPE_UINT:
  case MLPD_COUNTER_TYPE_ULONG:
    return COUNTER_UNSIGNED;
  case MLPD_COUNTER_TYPE_DOUBLE:
    return COUNTER_DOUBLE;
  case MLPD_COUNTER_TYPE_STRING:
    return COUNTER_TEXT;
  default:
    return COUNTER_SIGNED;
  }
}

enum counter_kind
counter_kind_of (const struct counter *c)
{
  return kind_of_type (c->type);
}

/* The counter of an index, new where there is none. */
static struct counter *
counter_at (struct counters *all, uint64_t index, uint64_t type)
{
  struct counter *c = g_hash_table_lookup (all->current, &index);
  if (c == NULL) {
    c = counter_new (index, type);
    g_ptr_array_add (all->all, c);
    g_hash_table_replace (all->current, &c->index, c);
  }
  return c;
}

/* ---- descriptions ---- */

static bool
is_same (const struct counter *c, const struct mlpd_counter *d)
{
  return c->section == d->section && c->type == d->type && c->unit == d->unit
         && c->variance == d->variance && g_strcmp0 (c->name, d->name.text) == 0
         && g_strcmp0 (c->section_name, d->section_name.text) == 0;
}

static void
describe (struct counters *all, const struct mlpd_counter *d)
{
  struct counter *c = counter_at (all, d->index, d->type);
  if (c->described && is_same (c, d))
    return;
  if (c->described || kind_of_type (d->type) != counter_kind_of (c)) {
    g_hash_table_remove (all->current, &d->index);
    c = counter_at (all, d->index, d->type);
  }
  c->described = true;
  c->section = d->section;
  c->section_name = g_strdup (d->section_name.text);
  c->name = g_strdup (d->name.text);
  c->type = d->type;
  c->unit = d->unit;
  c->variance = d->variance;
}

void
counters_describe (struct counters *all, const struct mlpd_sample_counters_desc *event)
{
  for (size_t i = 0; i < event->counters.count; i++)
    if (!mlpd_is_sample_usage (event->counters.items[i].index)
        && event->counters.items[i].index != MLPD_LAYOUT_INDEX)
      describe (all, &event->counters.items[i]);
}

/* ---- values ---- */

static union counter_value
value_of (const struct counter *c, const struct mlpd_counter_value *v)
{
  union counter_value value = { .number = v->number };
  switch (counter_kind_of (c)) {
  case COUNTER_DOUBLE:
    memcpy (&value.real, &v->number, sizeof value.real);
    break;
  case COUNTER_TEXT:
    value.text = v->text.text;
    break;
  case COUNTER_SIGNED:
  case COUNTER_UNSIGNED:
    if (c->section != MLPD_COUNTER_SECTION_USER)
      value.number += c->last.value.number;
    break;
  }
  return value;
}

static bool
is_below (enum counter_kind kind, union counter_value a, union counter_value b)
{
  switch (kind) {
  case COUNTER_SIGNED:
    return a.change < b.change;
  case COUNTER_UNSIGNED:
    return a.number < b.number;
  case COUNTER_DOUBLE:
    return a.real < b.real;
  case COUNTER_TEXT:
    break;
  }
  return false;
}

static void
widen (struct counter *c, union counter_value value)
{
  const enum counter_kind kind = counter_kind_of (c);
  if (c->updates == 0 || is_below (kind, value, c->min))
    c->min = value;
  if (c->updates == 0 || is_below (kind, c->max, value))
    c->max = value;
}

/* A point of its own: text is owned. */
static struct counter_point
copy_point (enum counter_kind kind, uint64_t time, union counter_value value)
{
  struct counter_point point = { time, value };
  if (kind == COUNTER_TEXT)
    point.value.text = g_strdup (value.text);
  return point;
}

/* Every other point goes; the first one stays. */
static void
thin_out (struct counter *c)
{
  struct counter_point *points = &g_array_index (c->points, struct counter_point, 0);
  for (guint i = 0; i < c->points->len; i++)
    if (i % 2 == 0)
      points[i / 2] = points[i];
    else if (counter_kind_of (c) == COUNTER_TEXT)
      clear_point (&points[i]);
  g_array_set_size (c->points, (c->points->len + 1) / 2);
  c->stride *= 2;
}

static void
update (struct counters *all, const struct mlpd_counter_value *v, uint64_t time, bool counts)
{
  struct counter *c = counter_at (all, v->index, v->type);
  if (counter_kind_of (c) != kind_of_type (v->type)) {
    counter_restart (c);
    c->type = v->type;
  }
  const enum counter_kind kind = counter_kind_of (c);
  const union counter_value value = value_of (c, v);
  if (kind != COUNTER_TEXT && counts)
    widen (c, value);
  if (counts && c->updates++ % c->stride == 0) {
    if (c->points->len == COUNTER_POINTS_MAX)
      thin_out (c);
    const struct counter_point point = copy_point (kind, time, value);
    g_array_append_val (c->points, point);
  }
  if (kind == COUNTER_TEXT)
    clear_point (&c->last);
  c->last = copy_point (kind, time, value);
}

void
counters_update (struct counters *all, const struct mlpd_sample_counters *event, uint64_t time)
{
  for (size_t i = 0; i < event->values.count; i++)
    if (!mlpd_is_sample_usage (event->values.items[i].index)) /* of a hit that is missing */
      update (all, &event->values.items[i], time, true);
}

void
counters_skip (struct counters *all, const struct mlpd_sample_counters *event)
{
  for (size_t i = 0; i < event->values.count; i++)
    if (!mlpd_is_sample_usage (event->values.items[i].index))
      update (all, &event->values.items[i], 0, false);
}

void
counters_repeat (struct counters *all, const struct mlpd_sample_counters *event, uint64_t time,
                 bool counts)
{
  for (size_t i = 0; i < event->values.count; i++) {
    const struct mlpd_counter_value *v = &event->values.items[i];
    struct counter *c = counter_at (all, v->index, v->type);
    if (counter_kind_of (c) != COUNTER_TEXT)
      c->last.value = (union counter_value){ .number = 0 };
    update (all, v, time, counts && c->updates == 0);
  }
}

/* ---- names ---- */

const char *
counter_section (const struct counter *c)
{
  if (c->section_name != NULL)
    return c->section_name;
  return c->described ? mlpd_value_name (MLPD_UNIT_COUNTER_SECTION, c->section) : NULL;
}

const char *
counter_unit (const struct counter *c)
{
  switch (counter_ns (c)) {
  case 100:
    return "100ns";
  case 1000:
    return "us";
  default:
    return mlpd_value_name (MLPD_UNIT_COUNTER_UNIT, c->unit);
  }
}

uint64_t
counter_ns (const struct counter *c)
{
  if (c->type == MLPD_COUNTER_TYPE_TIME_INTERVAL)
    return 1000;
  if ((c->type == MLPD_COUNTER_TYPE_LONG || c->type == MLPD_COUNTER_TYPE_ULONG)
      && c->unit == MLPD_COUNTER_UNIT_TIME)
    return 100;
  return 0;
}

/* ---- as an analysis ---- */

#define NS_PER_MS 1000000

static void
init (void *state, const struct scan_options *options)
{
  (void) options;
  counters_init (state);
}

static void
clear (void *state)
{
  counters_clear (state);
}

static void
handle_description (void *state, const struct analysis_event *e)
{
  counters_describe (state, &e->payload->sample_counters_desc);
}

/* Up to data version 12 values have a time of their own. */
static void
handle_values (void *state, const struct analysis_event *e)
{
  const struct mlpd_sample_counters *values = &e->payload->sample_counters;
  const uint64_t time = e->version < MLPD_VERSION_NO_FLAGS
                            ? e->model->log->first_time + values->timestamp_ms * NS_PER_MS
                            : values->time;
  if (e->repeated)
    counters_repeat (state, values, time, true);
  else
    counters_update (state, values, time);
}

static void
pass_values (void *state, const struct analysis_event *e)
{
  if (e->repeated)
    counters_repeat (state, &e->payload->sample_counters, 0, false);
  else
    counters_skip (state, &e->payload->sample_counters);
}

static void
finish (void *state, const struct analysis_model *m)
{
  g_free (log_damage_by_losses (m->log, counters_lost_events (state)));
}

static const struct analysis_handlers handlers[] = {
  { MLPD_SAMPLE_COUNTERS_DESC, handle_description, handle_description },
  { MLPD_SAMPLE_COUNTERS, handle_values, pass_values },
};

const struct analysis counters_analysis = { .state_bytes = sizeof (struct counters),
                                            .init = init,
                                            .clear = clear,
                                            .finish = finish,
                                            ANALYSIS_HANDLERS (handlers) };
