/* ghc-stats.c -- the summary that a program prints itself with +RTS -s, line by line, from its log.
 *
 * Left out are figures that a log cannot state: CPU times, bytes lost by fragmentation, which tasks
 * were workers, the times of the runtime's start and exit.  In other formats than text the sections
 * of the report have these figures.
 */
#include "config.h"

#include "decoder/ghc/ghc-describe.h"
#include "decoder/views/ghc/ghc-report-private.h"
#include "decoder/views/stats.h"

#include <string.h>

static void
put_heap (const struct report *r, const struct ghc_figures *f)
{
  if (f->has_allocated)
    stats_put_number (r, f->allocated, "bytes allocated in the heap");
  if (f->has_stats)
    stats_put_number (r, f->copied, "bytes copied during GC");
  if (MAX (f->allocated, f->copied) == UINT64_MAX)
    stats_line (r, "                 (a sum is too large for 64 bits, and stands there)");
  if (f->live_samples != 0) {
    char *what = g_strdup_printf ("bytes maximum residency (%" G_GUINT64_FORMAT " sample(s))",
                                  f->live_samples);
    stats_put_number (r, f->max_live, what);
    g_free (what);
  }
  if (f->has_stats)
    stats_put_number (r, f->max_slop, "bytes maximum slop");
  if (f->has_stats && f->negative_slops != 0)
    stats_line (r,
                "                 (slop below 0 in %" G_GUINT64_FORMAT
                " collections does not count: +RTS -s takes it for nearly 2^64)",
                f->negative_slops);
  if (f->has_size)
    stats_put_memory (r, f->max_size);
}

/* Of a number, or "?". */
static void
put_generation (const struct report *r, const char *number, const struct ghc_generation *g)
{
  const struct ghc_pause_sum *main = &g->pauses[GHC_PAUSE_MAIN];
  g_autofree char *pauses = stats_pauses (main->total_ns, g->timed, main->max_ns);
  stats_line (
      r, "  Gen %2s     %5" G_GUINT64_FORMAT " colls, %5" G_GUINT64_FORMAT " par            %s",
      number, g->collections, g->parallel, pauses);
}

/* Stops of the collector that marks while the program runs, as often as there were collections of
 * the oldest generation. */
static void
put_syncs (const struct report *r, guint number, const struct ghc_figures *f,
           const struct ghc_delays *syncs)
{
  const uint64_t n = g_array_index (f->generations, struct ghc_generation, number).collections;
  g_autofree char *pauses = stats_pauses (syncs->total_ns, n, syncs->max_ns);
  stats_line (r, "  Gen %2u     %5" G_GUINT64_FORMAT " syncs,                      %s", number, n,
              pauses);
}

static void
put_generations (const struct report *r, const struct ghc_figures *f)
{
  if (!f->has_collections)
    return;
  stats_put_generation_titles (r);
  for (guint i = 0; i < f->generations->len; i++) {
    char number[16];
    g_snprintf (number, sizeof number, "%u", i);
    put_generation (r, number, &g_array_index (f->generations, struct ghc_generation, i));
  }
  if (f->unreported.collections != 0)
    put_generation (r, "?", &f->unreported);
  const struct ghc_delays *syncs = &f->concurrent->syncs;
  if (syncs->count != 0 && f->generations->len != 0)
    put_syncs (r, f->generations->len - 1, f, syncs);
  double percent;
  /* As the runtime does, where nothing was balanced it is left out. */
  if (ghc_balance_percent (&f->balance, &percent) && percent > 0) {
    stats_line (r, "%s", "");
    stats_line (r, "  Parallel GC work balance: %.2f%% (serial 0%%, perfect 100%%)", percent);
  }
}

/* The runtime without threads of its own does not report about its one task. */
static bool
is_threaded (const struct ghc_capset *process)
{
  return process == NULL || process->runtime == NULL || strstr (process->runtime, "rts_") == NULL
         || strstr (process->runtime, "_thr") != NULL;
}

static void
put_tasks_and_sparks (const struct report *r, const struct ghc_capset *process,
                      const struct ghc_figures *f)
{
  const uint64_t *s = ghc_figures_sparks (f);
  if (f->has_tasks && is_threaded (process)) {
    stats_line (r, "%s", "");
    /* The system's threads that collect while the program runs are tasks, too, and not reported. */
    const char *least = f->concurrent->collections.count != 0 ? "at least " : "";
    if (r->ghc->selection == NULL)
      stats_line (r, "  TASKS: %s%u (using -N%u)", least, f->tasks, f->caps);
    else
      stats_line (r, "  TASKS: %s%u", least, f->tasks);
  }
  if (!f->has_sparks) /* as +RTS -s, which has the counters */
    return;
  stats_line (r, "%s", "");
  stats_line (r,
              "  SPARKS: %" G_GUINT64_FORMAT " (%" G_GUINT64_FORMAT " converted, %" G_GUINT64_FORMAT
              " overflowed, %" G_GUINT64_FORMAT " dud, %" G_GUINT64_FORMAT
              " GC'd, %" G_GUINT64_FORMAT " fizzled)",
              s[GHC_SPARKS_CREATED] + s[GHC_SPARKS_DUD] + s[GHC_SPARKS_OVERFLOWED],
              s[GHC_SPARKS_CONVERTED], s[GHC_SPARKS_OVERFLOWED], s[GHC_SPARKS_DUD],
              s[GHC_SPARKS_GCD], s[GHC_SPARKS_FIZZLED]);
}

/* Programs built for profiling take heap profiles apart from the time of their collections, which
 * a log does not. */
static bool
has_profiles (const struct ghc_summary *s, const struct ghc_capset *process)
{
  return process != NULL && process->runtime != NULL && strstr (process->runtime, "_p") != NULL
         && s->log.tags[ghc_describe (GHC_HEAP_PROF_SAMPLE_BEGIN)->tag].events
                    + s->log.tags[ghc_describe (GHC_HEAP_BIO_PROF_SAMPLE_BEGIN)->tag].events
                != 0;
}

static void
put_times (const struct report *r, const struct ghc_capset *process, const struct ghc_figures *f)
{
  const uint64_t mutator = ghc_figures_mutator_ns (f);
  if (!f->has_gc && !f->has_total)
    return;
  stats_line (r, "%s", "");
  if (f->has_gc) {
    stats_put_time (r, "MUT", mutator, f->start == 0 ? ", with INIT and EXIT" : NULL);
    stats_put_time (r, "GC", f->gc_ns,
                    has_profiles (r->ghc, process) ? ", with RP and PROF" : NULL);
  }
  if (f->has_total)
    stats_put_time (r, "Total", f->total_ns, NULL);
  if (!f->has_gc || mutator == 0)
    return;
  if (f->has_allocated && !f->begins_late)
    stats_put_rate (r, f->allocated, mutator);
  stats_put_productivity (r, mutator, f->total_ns);
}

/* Lines that only +RTS -s has; docs/limits.md has the reasons. */
static void
put_unavailable (const struct report *r, const struct ghc_capset *process,
                 const struct ghc_figures *f)
{
  if (!f->has_gc)
    return;
  stats_line (r, "%s", "");
  stats_line (r, "  Not in the log: CPU times, INIT and EXIT apart from MUT%s%s%s",
              f->has_collections ? ", peak fragmentation" : "",
              f->has_tasks && is_threaded (process) ? ", bound and peak workers" : "",
              f->concurrent->collections.count != 0 ? ", concurrent collection apart" : "");
}

/* Lines that +RTS -s does not have. */
static void
put_more (const struct report *r, const struct ghc_figures *f)
{
  const struct ghc_heap_info_ghc *h = f->heap;
  if (!f->has_fragmentation && h == NULL)
    return;
  stats_line (r, "%s", "");
  if (f->has_fragmentation) {
    char *number = stats_number ((uint64_t) ABS (f->fragmentation));
    stats_line (r, "  Fragmentation after the last GC  %s%s bytes", f->fragmentation < 0 ? "-" : "",
                number);
    g_free (number);
  }
  if (h == NULL)
    return;
  char *area = stats_number (h->alloc_area_size), *limit = stats_number (h->max_heap_size);
  stats_line (r, "  Heap  %u generations, %s bytes allocation area, %s%s", h->generations, area,
              h->max_heap_size != 0 ? limit : "no limit",
              h->max_heap_size != 0 ? " bytes at most" : "");
  g_free (area);
  g_free (limit);
}

static void
put_summary (const struct report *r, const struct ghc_capset *process)
{
  struct ghc_figures f;
  ghc_figures_init (&f, r->ghc, process);
  if (process != NULL) {
    char *name = ghc_process_name (process), *safe = emitter_printable (name);
    stats_line (r, "%s", safe);
    g_free (safe);
    g_free (name);
  }
  put_heap (r, &f);
  put_generations (r, &f);
  put_tasks_and_sparks (r, process, &f);
  put_times (r, process, &f);
  put_more (r, &f);
  put_unavailable (r, process, &f);
  ghc_figures_clear (&f);
}

/* Of several processes, one after the other. */
static void
put_layout (const struct report *r)
{
  if (emitter_get_format (r->e) != EMITTER_TEXT)
    return;
  GPtrArray *processes = ghc_processes_list (&r->ghc->processes);
  if (processes->len == 0)
    put_summary (r, NULL);
  for (guint i = 0; i < processes->len; i++) {
    if (i != 0)
      stats_line (r, "%s", "");
    put_summary (r, g_ptr_array_index (processes, i));
  }
  g_ptr_array_unref (processes);
}

const struct section ghc_section_layout = { .key = "summary", .put = put_layout, .is_text = true };
