/* ghc-figures.c -- adds the capabilities of a process up to its figures. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-figures.h"
#include "decoder/core/whole-number.h"

static void
add_sum (struct ghc_pause_sum *to, const struct ghc_pause_sum *from)
{
  to->total_ns += from->total_ns;
  to->max_ns = MAX (to->max_ns, from->max_ns);
}

static void
add_delays (struct ghc_delays *to, const struct ghc_delays *from)
{
  to->count += from->count;
  to->total_ns += from->total_ns;
  to->max_ns = MAX (to->max_ns, from->max_ns);
}

static void
add_generation (struct ghc_generation *to, const struct ghc_generation *from)
{
  to->collections += from->collections;
  to->parallel += from->parallel;
  to->copied = saturated_sum (to->copied, from->copied);
  to->max_slop = MAX (to->max_slop, from->max_slop);
  to->negative_slops += from->negative_slops;
  to->timed += from->timed;
  for (unsigned i = 0; i < GHC_PAUSES; i++)
    add_sum (&to->pauses[i], &from->pauses[i]);
  heap_sizes_merge (&to->heap, &from->heap);
  to->live_samples += from->live_samples;
  to->live_bytes = saturated_sum (to->live_bytes, from->live_bytes);
  to->max_live = MAX (to->max_live, from->max_live);
  to->taken_part += from->taken_part;
  add_sum (&to->own, &from->own);
  to->idle_ns += from->idle_ns;
}

struct ghc_generation
ghc_cap_all_generations (const struct ghc_cap *cap)
{
  struct ghc_generation all = cap->unreported;
  for (guint i = 0; i < cap->generations->len; i++)
    add_generation (&all, &g_array_index (cap->generations, struct ghc_generation, i));
  return all;
}

static void
add_balance (struct ghc_balance *to, const struct ghc_balance *from)
{
  to->is_recorded |= from->is_recorded;
  to->balanced = saturated_sum (to->balanced, from->balanced);
  to->total = saturated_sum (to->total, from->total);
  to->max = saturated_sum (to->max, from->max);
  to->has_balanced |= from->has_balanced;
  to->threads = MAX (to->threads, from->threads);
}

bool
ghc_balance_percent (const struct ghc_balance *b, double *percent)
{
  if (b->has_balanced && b->total != 0)
    *percent = 100.0 * (double) b->balanced / (double) b->total;
  else if (b->is_recorded && !b->has_balanced && b->max != 0 && b->threads > 1)
    *percent = 100.0 * ((double) b->total / (double) b->max - 1) / (b->threads - 1);
  else
    return false;
  return true;
}

static void
add_heap (struct ghc_figures *f, const struct ghc_cap *cap, uint64_t *fragmented_at)
{
  f->has_allocated |= cap->allocated.is_recorded;
  f->allocated = saturated_sum (f->allocated, ghc_counter_value (&cap->allocated));
  f->has_size |= cap->max_size != 0;
  f->max_size = MAX (f->max_size, cap->max_size);
  f->live_samples += cap->live_samples;
  f->max_live = MAX (f->max_live, cap->max_live);
  if (cap->has_fragmentation && (!f->has_fragmentation || cap->fragmented_at >= *fragmented_at)) {
    f->has_fragmentation = true;
    f->fragmentation = cap->fragmentation;
    *fragmented_at = cap->fragmented_at;
  }
}

static void
add_cap (struct ghc_figures *f, const struct ghc_cap *cap)
{
  f->caps += cap->events != 0 || cap->is_created;
  for (guint i = 0; i < cap->generations->len; i++) {
    if (i >= f->generations->len)
      g_array_set_size (f->generations, i + 1);
    add_generation (&g_array_index (f->generations, struct ghc_generation, i),
                    &g_array_index (cap->generations, struct ghc_generation, i));
  }
  add_generation (&f->unreported, &cap->unreported);
  const struct ghc_generation all = ghc_cap_all_generations (cap);
  add_generation (&f->all, &all);
  f->has_stats |= cap->has_stats_events;
  add_balance (&f->balance, &cap->balance);
  ghc_pause_durations_merge (f->durations, cap->durations);
  add_delays (&f->syncs, &cap->syncs);
  add_delays (&f->gaps, &cap->gaps);
  f->unmatched += cap->unmatched;
  f->unfinished += cap->unfinished;
  for (unsigned i = 0; i < GHC_SPARKS; i++) {
    f->has_sparks |= cap->sparks[i].is_recorded;
    f->sparks[i] += ghc_counter_value (&cap->sparks[i]);
    f->spark_events[i] += cap->spark_events[i];
  }
  f->has_spark_events |= cap->has_spark_events;
  f->has_gc |= cap->has_gc_events;
  f->gc_ns += cap->gc_ns;
}

/* Which capabilities are meant. */
struct filter {
  const struct ghc_summary *s;
  const struct ghc_capset *process;
};

static bool
has_cap (const void *data, guint number)
{
  const struct filter *filter = data;
  const GPtrArray *caps = filter->s->caps;
  const struct ghc_cap *cap = number < caps->len ? g_ptr_array_index (caps, number) : NULL;
  return filter->process == NULL
         || (cap != NULL && cap->has_process && cap->process == filter->process->id);
}

/* The same, of those that are requested. */
static bool
has_selected (const void *data, guint number)
{
  const struct filter *filter = data;
  return has_cap (data, number)
         && (filter->s->selection == NULL || selection_has_cap (filter->s->selection, number));
}

/* Is the first event of a thread, which this capability has, the program's?  Where logs of several
 * were merged, threads have other numbers. */
static bool
begins (const struct ghc_summary *s, const struct ghc_cap *cap)
{
  if (cap->has_start || !cap->makes_thread)
    return cap->has_start;
  g_autoptr (GPtrArray) processes = ghc_processes_list (&s->processes);
  return processes->len > 1;
}

/* The time of the first event of a thread, if that is not the program's first.  0 if it is. */
static uint64_t
late_start (const struct ghc_summary *s, const struct filter *filter)
{
  const struct ghc_cap *first = NULL;
  for (guint i = 0; i < s->caps->len; i++) {
    const struct ghc_cap *cap = g_ptr_array_index (s->caps, i);
    if (cap != NULL && cap->has_thread_events && has_cap (filter, i)
        && (first == NULL || cap->first_thread_at < first->first_thread_at))
      first = cap;
  }
  return first != NULL && !begins (s, first) ? first->first_thread_at : 0;
}

/* A program's time goes from the start of the clock to the last event of its capabilities, which is
 * when +RTS -s inspects the clock; capabilities and their sets are taken apart then.  Of several
 * processes each begins with the first event that names it. */
static void
set_times (struct ghc_figures *f, const struct ghc_summary *s, const struct filter *filter)
{
  const uint64_t late = late_start (s, filter);
  uint64_t start = UINT64_MAX, end = 0;
  for (guint i = 0; i < s->caps->len; i++) {
    const struct ghc_cap *cap = g_ptr_array_index (s->caps, i);
    if (cap == NULL || cap->latest == 0 || !has_cap (filter, i))
      continue;
    end = MAX (end, cap->latest);
    f->has_total |= cap->has_thread_events || cap->has_gc_events;
    if (cap->last != 0)
      start = MIN (start, cap->first);
  }
  f->begins_late = late != 0;
  f->is_part |= f->begins_late;
  if (late != 0)
    start = MIN (start, late);
  else if (filter->process == NULL)
    start = 0;
  else if (filter->process->has_times)
    start = MIN (start, filter->process->first);
  if (end == 0)
    end = filter->process == NULL ? s->log.latest : filter->process->last;
  f->start = MAX (start, s->times.from);
  end = MIN (end, s->times.to);
  f->total_ns = end > f->start ? end - f->start : 0;
}

static const struct ghc_heap_info_ghc *
find_heap (const struct ghc_summary *s, const struct ghc_capset *process, bool alone)
{
  if (process != NULL && process->has_heap)
    return &process->heap;
  const struct ghc_heap_info_ghc *found = NULL;
  GHashTableIter i;
  gpointer value;
  g_hash_table_iter_init (&i, s->processes.capsets);
  while (alone && g_hash_table_iter_next (&i, NULL, &value))
    if (((struct ghc_capset *) value)->has_heap)
      found = &((struct ghc_capset *) value)->heap;
  return found;
}

static void
set_stops (struct ghc_figures *f, const struct ghc_summary *s, const struct filter *filter)
{
  guint found = 0;
  for (guint i = 0; i < s->stops->len; i++) {
    const struct ghc_stops *stops = g_ptr_array_index (s->stops, i);
    if (filter->process != NULL && (!stops->has_process || stops->process != filter->process->id))
      continue;
    f->stops = stops;
    found++;
  }
  if (found != 1)
    f->stops = NULL;
}

/* Slop counts of collections of the oldest generation only, as +RTS -s has it.  If no collection
 * states its generation, none has any. */
static void
set_generations (struct ghc_figures *f)
{
  guint n = f->generations->len;
  if (f->heap != NULL && f->heap->generations <= GHC_GENERATIONS_MAX)
    n = MAX (n, f->heap->generations);
  if (f->has_collections)
    n = f->unreported.collections < f->all.collections ? MAX (n, 1) : 0;
  g_array_set_size (f->generations, n);
  if (n != 0) {
    f->max_slop = g_array_index (f->generations, struct ghc_generation, n - 1).max_slop;
    f->negative_slops = g_array_index (f->generations, struct ghc_generation, n - 1).negative_slops;
  }
  f->copied = f->all.copied;
}

static void
set_durations (struct ghc_figures *f)
{
  for (guint i = 0; i < f->durations->len; i++)
    for (unsigned p = 0; p < GHC_PAUSES; p++)
      durations_merge (&f->all_durations.of[p],
                       &g_array_index (f->durations, struct ghc_pause_durations, i).of[p]);
}

void
ghc_figures_init (struct ghc_figures *f, const struct ghc_summary *s,
                  const struct ghc_capset *process)
{
  GPtrArray *processes = ghc_processes_list (&s->processes);
  /* The only one has all capabilities, also those of which that is not known. */
  const bool alone = process == NULL || processes->len <= 1;
  const struct filter filter = { s, alone ? NULL : process };
  uint64_t fragmented_at = 0;
  *f = (struct ghc_figures){ .generations
                             = g_array_new (FALSE, TRUE, sizeof (struct ghc_generation)),
                             .durations = ghc_pause_durations_new () };
  for (guint i = 0; i < s->caps->len; i++)
    if (g_ptr_array_index (s->caps, i) != NULL && has_selected (&filter, i)) {
      add_heap (f, g_ptr_array_index (s->caps, i), &fragmented_at);
      add_cap (f, g_ptr_array_index (s->caps, i));
    }
  if (alone && s->selection == NULL) {
    add_heap (f, s->outside, &fragmented_at);
    f->caps = MAX (f->caps, s->started_caps);
  }
  f->has_tasks = s->processes.task_events != 0 && (s->selection == NULL || f->caps != 0);
  f->tasks = ghc_processes_tasks (&s->processes, has_selected, &filter);
  f->heap = find_heap (s, process, alone);
  f->concurrent = &s->concurrent;
  f->is_part = s->times.from != 0 || s->times.to != UINT64_MAX;
  f->has_collections = f->all.collections != 0;
  f->has_stats &= f->has_collections;
  /* Collections of some capabilities state nothing about the program's time. */
  f->has_gc = s->selection == NULL && (f->has_collections || (f->has_gc && f->all.taken_part == 0));
  set_generations (f);
  set_durations (f);
  set_stops (f, s, &filter);
  set_times (f, s, &filter);
  g_ptr_array_unref (processes);
}

void
ghc_figures_clear (struct ghc_figures *f)
{
  g_array_unref (f->generations);
  ghc_pause_durations_free (f->durations);
  for (unsigned i = 0; i < GHC_PAUSES; i++)
    durations_clear (&f->all_durations.of[i]);
}

const uint64_t *
ghc_figures_sparks (const struct ghc_figures *f)
{
  if (f->has_sparks && !(f->is_part && f->has_spark_events))
    return f->sparks;
  return f->has_spark_events ? f->spark_events : NULL;
}

uint64_t
ghc_figures_mutator_ns (const struct ghc_figures *f)
{
  return f->total_ns > f->gc_ns ? f->total_ns - f->gc_ns : 0;
}
