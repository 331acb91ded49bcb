/* trace-heat.c -- samples, allocations, pauses, waits and exceptions of a trace into cells. */
#include "config.h"

#include "decoder/trace/trace-heat.h"
#include <string.h>

/* Of a page; stacks that share frames share these. */
#define STACKS_MAX 200000
#define EVENTS_MAX 10000

struct heat_track {
  guint program;
  guint name;   /* of the trace, plus 1; of threads; 0: it has none */
  GArray *open; /* of struct open_wait: waits for locks; NULL: none yet */
};

struct open_wait {
  guint name;
  uint64_t begin;
};

static void
clear_track (void *data)
{
  const struct heat_track *track = data;
  if (track->open != NULL)
    g_array_unref (track->open);
}

static struct heat_track *
track_of (const struct trace_heat *e, const struct trace_track *track)
{
  return &g_array_index (e->tracks, struct heat_track, track->number - 1);
}

/* A time of the trace on the axis from which --time-range counts. */
static uint64_t
axis_time (const struct trace *t, uint64_t time)
{
  return time - MIN (time, t->range_ns);
}

/* ---- entries ---- */

static void
put_waiting_sample (struct trace_heat *e)
{
  if (e->sample.amount != 0)
    heat_cells_add (&e->cells, e->sampled, HEAT_SAMPLES, &e->sample);
  e->sample.amount = 0;
}

/* A frame within an outer stack.  When there are too many, new ones are one. */
static guint
inner_place (struct trace *t, guint outer, guint name, bool *is_summed)
{
  struct trace_heat *e = t->data;
  if (e->stacks.keys->len >= STACKS_MAX
      && id_map_find (&e->stacks.numbers, (uint64_t) outer << 32 | name) == ID_MAP_NONE) {
    *is_summed = true;
    name = trace_name (t, "[other stacks]");
    outer = 0;
  }
  return trace_stacks_inner (&e->stacks, outer, name);
}

/* The number of a stack, whose innermost frame may be a name of its own (less 1; 0: it has none).
 */
static guint
stack_number (struct trace *t, const struct trace_stack *stack, guint innermost)
{
  struct trace_heat *e = t->data;
  bool is_summed = false;
  guint number = 0;
  if (e->stacks.keys->len < STACKS_MAX) {
    number = trace_stacks_number (&e->stacks, stack);
  } else {
    for (guint i = 0; i < stack->n && !is_summed; i++)
      number = inner_place (t, number, stack->frames[i], &is_summed);
  }
  if (innermost != 0 && !is_summed)
    number = inner_place (t, number, innermost - 1, &is_summed);
  e->summed += is_summed;
  return number;
}

static void
put_entry (struct trace *t, const struct trace_track *track, enum heat_weight weight,
           const struct heat_entry *entry)
{
  struct trace_heat *e = t->data;
  put_waiting_sample (e);
  heat_cells_add (&e->cells, track_of (e, track)->program, weight, entry);
}

/* An entry whose stack is a name alone. */
static void
put_named (struct trace *t, const struct trace_track *track, enum heat_weight weight, guint name,
           uint64_t begin, uint64_t end, uint64_t amount)
{
  const struct trace_stack none = { .n = 0 };
  const struct heat_entry entry = { begin, end, amount, stack_number (t, &none, name + 1) };
  put_entry (t, track, weight, &entry);
}

static void
put_sample (struct trace *t, const struct trace_track *track, const struct trace_stack *stack,
            uint64_t time)
{
  struct trace_heat *e = t->data;
  const guint bare = stack->n == 0 ? trace_name (t, "[native code]") + 1 : 0;
  const uint64_t at = axis_time (t, time);
  put_waiting_sample (e);
  e->sample = (struct heat_entry){ at, at, 1, stack_number (t, stack, bare) };
  e->sampled = track_of (e, track)->program;
}

/* The thread ran, or waited: the same rule as for the figures of reports. */
static void
put_sample_time (struct trace *t, const struct trace_track *track, uint64_t cpu_ns,
                 uint64_t wait_ns, bool is_idle)
{
  struct trace_heat *e = t->data;
  struct heat_entry wait = e->sample;
  (void) track;
  wait.amount = wait_ns;
  wait.begin = wait.end - MIN (wait.end, wait_ns);
  if (cpu_ns >= wait_ns)
    put_waiting_sample (e);
  e->sample.amount = 0;
  if (!is_idle)
    heat_cells_add (&e->cells, e->sampled, HEAT_WAITS, &wait);
}

static void
put_allocation (struct trace *t, const struct trace_track *track, guint type,
                const struct trace_stack *stack, struct trace_objects objects, uint64_t time)
{
  const uint64_t at = axis_time (t, time);
  const struct heat_entry entry = { at, at, objects.bytes, stack_number (t, stack, type + 1) };
  put_entry (t, track, HEAT_ALLOCATED, &entry);
}

/* ---- events ---- */

/* If a list is full, every second one of it goes. */
static void
put_event (struct trace *t, const struct trace_track *track, enum heat_event_kind kind, guint name,
           uint64_t begin, uint64_t end)
{
  struct trace_heat *e = t->data;
  struct heat_events *of = &e->events[kind];
  if (of->count++ % of->step != 0)
    return;
  if (of->list->len >= EVENTS_MAX) {
    for (guint i = 0; i < of->list->len / 2; i++)
      g_array_index (of->list, struct heat_event, i)
          = g_array_index (of->list, struct heat_event, 2 * i);
    g_array_set_size (of->list, of->list->len / 2);
    of->step *= 2;
    if ((of->count - 1) % of->step != 0)
      return;
  }
  const struct heat_event event = { .kind = kind,
                                    .program = track_of (e, track)->program,
                                    .name = name,
                                    .thread = track_of (e, track)->name,
                                    .begin = begin,
                                    .ns = end - MIN (end, begin) };
  g_array_append_val (of->list, event);
}

static void
put_pause (struct trace *t, const struct trace_track *track, guint generation, uint64_t begin,
           uint64_t end)
{
  char text[32] = "collection";
  if (generation != TIMELINE_GENERATION_UNKNOWN)
    g_snprintf (text, sizeof text, "generation %u", generation);
  const guint name = trace_name (t, text);
  const uint64_t from = axis_time (t, begin), to = axis_time (t, end);
  put_named (t, track, HEAT_PAUSES, name, from, to, end - MIN (begin, end));
  put_event (t, track, HEAT_COLLECTION, name, from, to);
}

static void
put_slice (struct trace *t, const struct trace_track *track, guint name, uint64_t time)
{
  struct heat_track *own = track_of (t->data, track);
  if (track->role != TRACE_LOCKS)
    return;
  if (own->open == NULL)
    own->open = g_array_new (FALSE, FALSE, sizeof (struct open_wait));
  g_array_append_val (own->open, ((const struct open_wait){ name, time }));
}

static void
put_slice_end (struct trace *t, const struct trace_track *track, uint64_t time)
{
  GArray *open = track_of (t->data, track)->open;
  if (track->role != TRACE_LOCKS || open == NULL || open->len == 0)
    return;
  const struct open_wait wait = g_array_index (open, struct open_wait, open->len - 1);
  g_array_set_size (open, open->len - 1);
  const uint64_t from = axis_time (t, wait.begin), to = axis_time (t, time);
  put_named (t, track, HEAT_LOCKS, wait.name, from, to, time - MIN (time, wait.begin));
  put_event (t, track->parent, HEAT_CONTENTION, wait.name, from, to);
}

static void
put_instant (struct trace *t, const struct trace_track *track, const char *text, uint64_t time)
{
  static const char thrown[] = "throw ";
  const uint64_t at = axis_time (t, time);
  const bool is_throw = track->role == TRACE_CALLS;
  if (!is_throw && track->role != TRACE_MARKS)
    return;
  if (is_throw && g_str_has_prefix (text, thrown))
    text += strlen (thrown);
  const guint name = trace_name (t, text);
  if (is_throw)
    put_named (t, track, HEAT_EXCEPTIONS, name, at, at, 1);
  put_event (t, track, is_throw ? HEAT_EXCEPTION : HEAT_MARK, name, at, at);
}

/* ---- the trace ---- */

static void
begin (struct trace *t)
{
  (void) t;
}

static void
end (struct trace *t)
{
  struct trace_heat *e = t->data;
  put_waiting_sample (e);
  heat_cells_finish (&e->cells);
  e->names = g_ptr_array_ref (t->names);
  e->start_ns = t->start_ns != 0 ? t->start_ns + t->range_ns : 0;
}

static void
put_track (struct trace *t, const struct trace_track *track)
{
  struct trace_heat *e = t->data;
  const bool is_known = track->number <= e->tracks->len; /* it has another name */
  struct heat_track own = { .program = e->programs->len };
  if (is_known)
    own = *track_of (e, track);
  else if (track->kind == TRACE_PROCESS)
    g_ptr_array_add (e->programs, g_strdup (track->name));
  else
    own.program = track_of (e, track->parent)->program;
  if (track->kind == TRACE_THREAD)
    own.name = trace_name (t, track->name) + 1;
  if (is_known)
    *track_of (e, track) = own;
  else
    g_array_append_val (e->tracks, own);
}

const struct trace_format trace_heat_format = {
  .needs_stacks = true,
  .needs_idle = true,
  .begin = begin,
  .end = end,
  .track = put_track,
  .name = trace_copy_name,
  .slice = put_slice,
  .slice_end = put_slice_end,
  .pause = put_pause,
  .instant = put_instant,
  .allocation = put_allocation,
  .sample = put_sample,
  .sample_time = put_sample_time,
};

void
trace_heat_init (struct trace_heat *e)
{
  *e = (struct trace_heat){ .programs = g_ptr_array_new_with_free_func (g_free),
                            .tracks = g_array_new (FALSE, FALSE, sizeof (struct heat_track)) };
  g_array_set_clear_func (e->tracks, clear_track);
  heat_cells_init (&e->cells);
  trace_stacks_init (&e->stacks);
  for (unsigned i = 0; i < HEAT_KINDS; i++)
    e->events[i]
        = (struct heat_events){ .list = g_array_new (FALSE, FALSE, sizeof (struct heat_event)),
                                .step = 1 };
}

void
trace_heat_clear (struct trace_heat *e)
{
  heat_cells_clear (&e->cells);
  trace_stacks_clear (&e->stacks);
  for (unsigned i = 0; i < HEAT_KINDS; i++)
    g_array_unref (e->events[i].list);
  g_ptr_array_unref (e->programs);
  g_array_unref (e->tracks);
  if (e->names != NULL)
    g_ptr_array_unref (e->names);
}
