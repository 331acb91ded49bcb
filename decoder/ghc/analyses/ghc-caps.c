/* ghc-caps.c -- adds up the events of each capability. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-caps.h"
#include "decoder/core/whole-number.h"

struct ghc_cap *
ghc_cap_new (unsigned number)
{
  struct ghc_cap *cap = g_new0 (struct ghc_cap, 1);
  cap->number = number;
  cap->generations = g_array_new (FALSE, TRUE, sizeof (struct ghc_generation));
  cap->durations = ghc_pause_durations_new ();
  cap->led.all = g_array_new (FALSE, FALSE, sizeof (struct ghc_interval));
  cap->parts.all = g_array_new (FALSE, FALSE, sizeof (struct ghc_interval));
  return cap;
}

void
ghc_cap_free (struct ghc_cap *cap)
{
  ghc_pause_durations_free (cap->durations);
  g_array_unref (cap->generations);
  g_array_unref (cap->led.all);
  g_array_unref (cap->parts.all);
  g_free (cap);
}

/* ---- sums ---- */

static void
count (struct ghc_counter *c, const struct ghc_times *times, uint64_t time, uint64_t value)
{
  if (time < times->from) {
    c->before = c->last = value;
    return;
  }
  if (!ghc_times_have (times, time))
    return;
  if (value < c->last) { /* another program's */
    c->earlier += c->last - c->before;
    c->before = 0;
  }
  c->last = value;
  c->is_recorded = true;
}

uint64_t
ghc_counter_value (const struct ghc_counter *c)
{
  return c->earlier + c->last - c->before;
}

void
ghc_delays_add (struct ghc_delays *d, uint64_t ns)
{
  d->count++;
  d->total_ns += ns;
  d->max_ns = MAX (d->max_ns, ns);
}

void
ghc_pause_add (struct ghc_pause_sum *sum, uint64_t ns)
{
  sum->total_ns += ns;
  sum->max_ns = MAX (sum->max_ns, ns);
}

uint64_t
ghc_times_overlap (const struct ghc_times *times, uint64_t start, uint64_t end)
{
  const uint64_t from = MAX (start, times->from), to = MIN (end, times->to);
  return to > from ? to - from : 0;
}

struct ghc_generation *
ghc_cap_generation (struct ghc_cap *cap, int generation)
{
  if (generation < 0)
    return &cap->unreported;
  if ((guint) generation >= cap->generations->len)
    g_array_set_size (cap->generations, (guint) generation + 1);
  return &g_array_index (cap->generations, struct ghc_generation, generation);
}

/* ---- durations ---- */

GArray *
ghc_pause_durations_new (void)
{
  return g_array_new (FALSE, TRUE, sizeof (struct ghc_pause_durations));
}

void
ghc_pause_durations_free (GArray *all)
{
  for (guint i = 0; i < all->len; i++)
    for (unsigned p = 0; p < GHC_PAUSES; p++)
      durations_clear (&g_array_index (all, struct ghc_pause_durations, i).of[p]);
  g_array_unref (all);
}

static struct ghc_pause_durations *
pause_durations_at (GArray *all, guint i)
{
  if (i >= all->len)
    g_array_set_size (all, i + 1);
  return &g_array_index (all, struct ghc_pause_durations, i);
}

void
ghc_pause_durations_add (GArray *all, int generation, const uint64_t pauses[GHC_PAUSES])
{
  struct ghc_pause_durations *d = pause_durations_at (all, (guint) (generation + 1));
  for (unsigned p = 0; p < GHC_PAUSES; p++)
    durations_add (&d->of[p], pauses[p]);
}

void
ghc_pause_durations_merge (GArray *to, const GArray *from)
{
  for (guint i = 0; i < from->len; i++) {
    struct ghc_pause_durations *d = pause_durations_at (to, i);
    for (unsigned p = 0; p < GHC_PAUSES; p++)
      durations_merge (&d->of[p], &g_array_index (from, struct ghc_pause_durations, i).of[p]);
  }
}

/* ---- collections ---- */

static void
add_balance (struct ghc_balance *b, const struct ghc_gc_stats_ghc *stats)
{
  const uint32_t balanced_bit = 1u << 8; /* the last field */
  b->is_recorded = true;
  b->total = saturated_sum (b->total, stats->par_tot_copied);
  b->max = saturated_sum (b->max, stats->par_max_copied);
  b->balanced = saturated_sum (b->balanced, stats->par_balanced_copied);
  b->has_balanced |= (stats->present & balanced_bit) != 0;
  b->threads = MAX (b->threads, stats->par_n_threads);
}

/* Adds the figures of a collection that began at this time (if that is not known: reported them).
 */
static void
add_stats (struct ghc_cap *cap, const struct ghc_times *times, uint64_t time,
           const struct ghc_gc_stats_ghc *stats)
{
  if (!ghc_times_have (times, time))
    return;
  const int generation = stats->generation < GHC_GENERATIONS_MAX ? stats->generation : -1;
  struct ghc_generation *g = ghc_cap_generation (cap, generation);
  g->collections++;
  g->copied = saturated_sum (g->copied, stats->copied);
  if ((int64_t) stats->slop > 0)
    g->max_slop = MAX (g->max_slop, stats->slop);
  g->negative_slops += (int64_t) stats->slop < 0; /* with the non-moving collector */
  cap->has_fragmentation = true;
  cap->fragmentation = (int64_t) stats->fragmentation;
  cap->fragmented_at = time;
  if (stats->par_n_threads > 1) {
    g->parallel++;
    add_balance (&cap->balance, stats);
  }
}

/* Adds the figures of the collection that has ended. */
static void
settle (struct ghc_cap *cap, const struct ghc_times *times)
{
  struct ghc_interval *now = &cap->now;
  if (cap->has_stats) {
    cap->is_main = true;
    if (cap->stats.generation < GHC_GENERATIONS_MAX)
      now->generation = cap->stats.generation;
    add_stats (cap, times, now->start, &cap->stats);
  } else if (cap->is_main && ghc_times_have (times, now->start)) {
    cap->unreported.collections++;
  }
  cap->has_leads |= cap->is_main;
  cap->own_ns += ghc_times_overlap (times, now->start, now->end);
  cap->idle_ns += cap->counted.idle_ns;
  if (!cap->is_main)
    cap->standby_ns += cap->counted.standby_ns;
  if (cap->is_main)
    cap->gc_ns += ghc_times_overlap (times, now->start, now->end);
  /* The first part that begins after the times may belong to a collection that does not. */
  if (now->end >= times->from && !cap->is_behind)
    g_array_append_val (cap->is_main ? cap->led.all : cap->parts.all, *now);
  cap->is_behind |= now->start >= times->to;
  cap->has_ended = cap->has_stats = false;
}

static void
start (struct ghc_cap *cap, const struct ghc_times *times, uint64_t time)
{
  if (cap->has_ended)
    settle (cap, times);
  cap->unfinished += cap->is_collecting;
  cap->is_collecting = cap->has_gc_events = true;
  cap->has_stats = cap->is_main = cap->is_idle = cap->has_worked = false;
  cap->is_standing_by = true;
  cap->standby_since = time;
  cap->counted.idle_ns = cap->counted.standby_ns = 0;
  cap->now
      = (struct ghc_interval){ .start = time,
                               .end = time,
                               .requested = cap->is_requested ? cap->requested : GHC_NOT_REQUESTED,
                               .generation = -1 };
  if (cap->is_requested && time >= cap->requested && ghc_times_have (times, time))
    ghc_delays_add (&cap->syncs, time - cap->requested);
  cap->is_requested = false;
}

static void
end_idle (struct ghc_cap *cap, const struct ghc_times *times, uint64_t time)
{
  if (cap->is_idle && time > cap->idle_since) {
    cap->now.idle_ns += time - cap->idle_since;
    cap->counted.idle_ns += ghc_times_overlap (times, cap->idle_since, time);
  }
  cap->is_idle = false;
}

static void
end_standby (struct ghc_cap *cap, const struct ghc_times *times, uint64_t time)
{
  if (cap->is_standing_by && time > cap->standby_since) {
    cap->now.standby_ns += time - cap->standby_since;
    cap->counted.standby_ns += ghc_times_overlap (times, cap->standby_since, time);
  }
  cap->is_standing_by = false;
}

/* The capability begins to work in the collection, has no more of it, or has done it. */
static void
handle_work (struct ghc_cap *cap, const struct ghc_times *times, enum ghc_kind kind, uint64_t time)
{
  end_idle (cap, times, time);
  end_standby (cap, times, time);
  cap->has_worked = true;
  cap->is_idle = cap->is_collecting && kind == GHC_GC_IDLE;
  cap->idle_since = time;
  cap->is_standing_by = cap->is_collecting && kind == GHC_GC_DONE;
  cap->standby_since = time;
}

static void
end (struct ghc_cap *cap, const struct ghc_times *times, uint64_t time)
{
  if (!cap->is_collecting) {
    cap->unfinished++;
    return;
  }
  end_idle (cap, times, time);
  if (cap->has_worked) /* else the log does not state who works when */
    end_standby (cap, times, time);
  cap->now.end = MAX (time, cap->now.start);
  cap->is_collecting = false;
  cap->has_ended = true;
  if (cap->has_stats)
    settle (cap, times);
}

/* The figures of a collection whose start and end are missing count nevertheless. */
static void
handle_stats (struct ghc_cap *cap, const struct ghc_times *times, uint64_t time,
              const struct ghc_gc_stats_ghc *stats)
{
  cap->has_stats_events = cap->has_leads = true;
  if (!cap->is_collecting && !cap->has_ended) {
    add_stats (cap, times, time, stats);
    return;
  }
  cap->stats = *stats;
  cap->has_stats = true;
  if (cap->has_ended)
    settle (cap, times);
}

/* ---- events ---- */

bool
ghc_cap_handles (enum ghc_kind kind)
{
  switch (kind) {
  case GHC_GC_START:
  case GHC_GC_END:
  case GHC_GC_IDLE:
  case GHC_GC_WORK:
  case GHC_GC_DONE:
  case GHC_GC_GLOBAL_SYNC:
  case GHC_GC_STATS_GHC:
  case GHC_REQUEST_SEQ_GC:
  case GHC_REQUEST_PAR_GC:
  case GHC_HEAP_ALLOCATED:
  case GHC_HEAP_SIZE:
  case GHC_HEAP_LIVE:
  case GHC_SPARK_COUNTERS:
  case GHC_SPARK_CREATE:
  case GHC_SPARK_DUD:
  case GHC_SPARK_OVERFLOW:
  case GHC_SPARK_RUN:
  case GHC_SPARK_STEAL:
  case GHC_SPARK_FIZZLE:
  case GHC_SPARK_GC:
    return true;
  default:
    return false;
  }
}

static void
count_sparks (struct ghc_cap *cap, const struct ghc_times *times, uint64_t time,
              const struct ghc_spark_counters *c)
{
  count (&cap->sparks[GHC_SPARKS_CREATED], times, time, c->created);
  count (&cap->sparks[GHC_SPARKS_DUD], times, time, c->dud);
  count (&cap->sparks[GHC_SPARKS_OVERFLOWED], times, time, c->overflowed);
  count (&cap->sparks[GHC_SPARKS_CONVERTED], times, time, c->converted);
  count (&cap->sparks[GHC_SPARKS_GCD], times, time, c->gcd);
  count (&cap->sparks[GHC_SPARKS_FIZZLED], times, time, c->fizzled);
}

static void
count_spark (struct ghc_cap *cap, const struct ghc_times *times, uint64_t time,
             enum ghc_spark spark)
{
  if (!ghc_times_have (times, time))
    return;
  cap->spark_events[spark]++;
  cap->has_spark_events = true;
}

/* The sizes that follow a collection are of the heap that it left. */
static void
settle_heap (struct ghc_cap *cap, enum ghc_kind kind, const union ghc_payload *p)
{
  struct ghc_interval *last = &cap->now;
  if (!cap->is_collecting && !cap->has_ended) {
    if (!cap->is_main || cap->led.first == cap->led.all->len)
      return;
    last = &g_array_index (cap->led.all, struct ghc_interval, cap->led.all->len - 1);
    if (last->start != cap->now.start)
      return;
  }
  if (kind == GHC_HEAP_SIZE)
    last->heap_after = p->heap_size.bytes;
  else if (kind == GHC_HEAP_LIVE)
    last->live_after = p->heap_live.bytes;
}

static void
handle_heap (struct ghc_cap *cap, const struct ghc_times *times, enum ghc_kind kind, uint64_t time,
             const union ghc_payload *p)
{
  cap->has_gc_events = true;
  settle_heap (cap, kind, p);
  if (kind == GHC_HEAP_ALLOCATED)
    count (&cap->allocated, times, time, p->heap_allocated.bytes);
  else if (kind == GHC_HEAP_SIZE && time < times->from)
    cap->max_size = p->heap_size.bytes;
  else if (kind == GHC_HEAP_SIZE && time < times->to)
    cap->max_size = MAX (cap->max_size, p->heap_size.bytes);
  else if (kind == GHC_HEAP_LIVE && ghc_times_have (times, time)) {
    cap->live_samples++;
    cap->max_live = MAX (cap->max_live, p->heap_live.bytes);
  }
}

void
ghc_cap_event (struct ghc_cap *cap, const struct ghc_times *times, enum ghc_kind kind,
               uint64_t time, const union ghc_payload *payload)
{
  switch (kind) {
  case GHC_GC_START:
    start (cap, times, time);
    break;
  case GHC_GC_END:
    end (cap, times, time);
    break;
  case GHC_GC_IDLE:
  case GHC_GC_WORK:
  case GHC_GC_DONE:
    handle_work (cap, times, kind, time);
    break;
  case GHC_GC_GLOBAL_SYNC:
    if (cap->is_collecting || cap->has_ended)
      cap->is_main = true;
    break;
  case GHC_GC_STATS_GHC:
    handle_stats (cap, times, time, &payload->gc_stats_ghc);
    break;
  case GHC_REQUEST_SEQ_GC:
  case GHC_REQUEST_PAR_GC:
    cap->is_requested = true;
    cap->requested = time;
    break;
  case GHC_HEAP_ALLOCATED:
  case GHC_HEAP_SIZE:
  case GHC_HEAP_LIVE:
    handle_heap (cap, times, kind, time, payload);
    break;
  case GHC_SPARK_COUNTERS:
    count_sparks (cap, times, time, &payload->spark_counters);
    break;
  case GHC_SPARK_CREATE:
    count_spark (cap, times, time, GHC_SPARKS_CREATED);
    break;
  case GHC_SPARK_DUD:
    count_spark (cap, times, time, GHC_SPARKS_DUD);
    break;
  case GHC_SPARK_OVERFLOW:
    count_spark (cap, times, time, GHC_SPARKS_OVERFLOWED);
    break;
  case GHC_SPARK_RUN:
  case GHC_SPARK_STEAL:
    count_spark (cap, times, time, GHC_SPARKS_CONVERTED);
    break;
  case GHC_SPARK_FIZZLE:
    count_spark (cap, times, time, GHC_SPARKS_FIZZLED);
    break;
  case GHC_SPARK_GC:
    count_spark (cap, times, time, GHC_SPARKS_GCD);
    break;
  default:
    break;
  }
}

void
ghc_cap_block (struct ghc_cap *cap, const struct ghc_times *times, uint64_t time,
               const struct ghc_block_marker *marker)
{
  if (ghc_times_have (times, time)) {
    cap->blocks++;
    cap->bytes += marker->block_size;
    if (cap->has_block && time >= cap->block_end)
      ghc_delays_add (&cap->gaps, time - cap->block_end);
  }
  cap->has_block = true;
  cap->block_end = marker->end_time;
}

void
ghc_cap_settle (struct ghc_cap *cap, const struct ghc_times *times)
{
  if (cap->has_ended)
    settle (cap, times);
}

void
ghc_cap_finish (struct ghc_cap *cap, const struct ghc_times *times)
{
  ghc_cap_settle (cap, times);
  cap->unfinished += cap->is_collecting;
  cap->is_collecting = false;
}
