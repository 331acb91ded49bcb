/* memory-sizes.c -- reads the parts of the memory from counters, and bounds their number. */
#include "config.h"

#include "decoder/mlpd/analyses/memory-sizes.h"
#include "decoder/mlpd/analyses/analysis.h"
#include <string.h>

static const char *const names[] = {
#define MEMORY_PART_NAME(ID, name) MLPD_MEMORY name,
  MEMORY_PARTS (MEMORY_PART_NAME)
#undef MEMORY_PART_NAME
};

void
memory_sizes_init (struct memory_sizes *m)
{
  *m = (struct memory_sizes){
    .counters = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL),
    .readings = g_array_new (FALSE, FALSE, sizeof (struct memory_reading)),
    .stride = 1,
  };
}

void
memory_sizes_clear (struct memory_sizes *m)
{
  g_hash_table_destroy (m->counters);
  g_array_unref (m->readings);
}

/* The part + 1; 0: it is another counter. */
static guint
part_of (const struct mlpd_counter *c)
{
  for (guint i = 0; i < MEMORY_PART_COUNT; i++)
    if (c->section == MLPD_COUNTER_SECTION_PROFILER && g_strcmp0 (c->name.text, names[i]) == 0)
      return i + 1;
  return 0;
}

/* An index may be described anew, as another counter. */
void
memory_sizes_describe (struct memory_sizes *m, const struct mlpd_sample_counters_desc *event)
{
  for (size_t i = 0; i < event->counters.count; i++) {
    const struct mlpd_counter *c = &event->counters.items[i];
    const guint part = part_of (c);
    if (part != 0)
      g_hash_table_replace (m->counters, g_memdup2 (&c->index, sizeof c->index),
                            GUINT_TO_POINTER (part));
    else if (g_hash_table_size (m->counters) != 0)
      g_hash_table_remove (m->counters, &c->index);
  }
}

static void
join (struct memory_reading *one, const struct memory_reading *next)
{
  one->least = MIN (one->least, next->least);
  if (next->parts.bytes[MEMORY_RESIDENT] > one->parts.bytes[MEMORY_RESIDENT])
    one->parts = next->parts;
}

static void
join_neighbours (struct memory_sizes *m)
{
  struct memory_reading *all = (struct memory_reading *) m->readings->data;
  const guint n = m->readings->len;
  for (guint i = 0; i < n; i++)
    if (i % 2 == 0)
      all[i / 2] = all[i];
    else
      join (&all[i / 2], &all[i]);
  g_array_set_size (m->readings, (n + 1) / 2);
  m->stride *= 2;
  m->added = m->stride;
}

static void
add_reading (struct memory_sizes *m, uint64_t time)
{
  const struct memory_reading reading
      = { .time = time, .least = m->now.bytes[MEMORY_RESIDENT], .parts = m->now };
  m->last = m->now;
  m->last_time = time;
  if (m->added < m->stride && m->readings->len != 0) {
    join (&g_array_index (m->readings, struct memory_reading, m->readings->len - 1), &reading);
    m->added++;
    return;
  }
  if (m->readings->len == MEMORY_READINGS_MAX)
    join_neighbours (m);
  g_array_append_val (m->readings, reading);
  m->added = 1;
}

void
memory_sizes_update (struct memory_sizes *m, const struct mlpd_sample_counters *event,
                     uint64_t time, bool counts, bool repeated)
{
  bool any = false;
  for (size_t i = 0; i < event->values.count && g_hash_table_size (m->counters) != 0; i++) {
    const struct mlpd_counter_value *v = &event->values.items[i];
    const guint part = GPOINTER_TO_UINT (g_hash_table_lookup (m->counters, &v->index));
    if (part == 0)
      continue;
    any = true;
    uint64_t *const bytes = &m->now.bytes[part - 1];
    *bytes = repeated ? v->number : *bytes + v->number;
  }
  if (any && counts && (!repeated || m->readings->len == 0))
    add_reading (m, time);
}

uint64_t
memory_sizes_heap (const struct memory_parts *p)
{
  return p->bytes[MEMORY_NURSERY] + p->bytes[MEMORY_OLD] + p->bytes[MEMORY_LARGE];
}

uint64_t
memory_sizes_rest (const struct memory_parts *p)
{
  uint64_t rest = p->bytes[MEMORY_RESIDENT];
  for (guint i = 0; i < MEMORY_PART_COUNT; i++)
    if (i != MEMORY_RESIDENT)
      rest -= MIN (rest, p->bytes[i]);
  return rest;
}

uint64_t
memory_sizes_quarter (const struct memory_sizes *m, guint quarter)
{
  const uint64_t first
      = m->readings->len != 0 ? g_array_index (m->readings, struct memory_reading, 0).time : 0;
  const uint64_t ns = m->last_time > first ? m->last_time - first : 0;
  return first + ns / MEMORY_QUARTERS * quarter + ns % MEMORY_QUARTERS * quarter / MEMORY_QUARTERS;
}

bool
memory_sizes_in (const struct memory_sizes *m, uint64_t from, uint64_t to,
                 struct memory_reading *range)
{
  bool any = false;
  for (guint i = 0; i < m->readings->len; i++) {
    const struct memory_reading *r = &g_array_index (m->readings, struct memory_reading, i);
    if (r->time > to)
      break;
    if (!any || r->time <= from)
      *range = *r;
    else
      join (range, r);
    any = true;
  }
  return any;
}

/* ---- as an analysis ---- */

static void
init (void *state, const struct scan_options *options)
{
  (void) options;
  memory_sizes_init (state);
}

static void
clear (void *state)
{
  memory_sizes_clear (state);
}

static void
handle_description (void *state, const struct analysis_event *e)
{
  memory_sizes_describe (state, &e->payload->sample_counters_desc);
}

static void
handle_values (void *state, const struct analysis_event *e)
{
  memory_sizes_update (state, &e->payload->sample_counters, e->payload->sample_counters.time, true,
                       e->repeated);
}

static void
pass_values (void *state, const struct analysis_event *e)
{
  memory_sizes_update (state, &e->payload->sample_counters, 0, false, e->repeated);
}

static const struct analysis_handlers handlers[] = {
  { MLPD_SAMPLE_COUNTERS_DESC, handle_description, handle_description },
  { MLPD_SAMPLE_COUNTERS, handle_values, pass_values },
};

const struct analysis memory_sizes_analysis = { .state_bytes = sizeof (struct memory_sizes),
                                                .init = init,
                                                .clear = clear,
                                                ANALYSIS_HANDLERS (handlers) };
