/* ghc-stats.c -- the summary that a program prints itself with +RTS -s, line by line, from its log.
 *
 * Left out is what a log cannot state: CPU times, what was lost due to fragmentation, which tasks
 * were workers, the times of the runtime's start and exit.  In other formats than text the sections
 * of the report have these figures.
 */
#include "config.h"

#include "decoder/ghc/ghc-describe.h"
#include "decoder/views/ghc/ghc-report-private.h"

#include <string.h>

static void G_GNUC_PRINTF (2, 3) line (const struct report *r, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  char *text = g_strdup_vprintf (format, args);
  va_end (args);
  emitter_note (r->e, text);
  g_free (text);
}

/* With commas (transfer full). */
static char *
with_commas (uint64_t number)
{
  GString *s = g_string_new (NULL);
  g_string_printf (s, "%" G_GUINT64_FORMAT, number);
  for (gssize at = (gssize) s->len - 3; at > 0; at -= 3)
    g_string_insert_c (s, at, ',');
  return g_string_free (s, FALSE);
}

/* A number to the right, as wide as +RTS -s has it. */
static void
bytes_line (const struct report *r, uint64_t bytes, const char *what)
{
  char *number = with_commas (bytes);
  line (r, "%16s %s", number, what);
  g_free (number);
}

static double
seconds (uint64_t ns)
{
  return (double) ns / 1e9;
}

static void
put_heap (const struct report *r, const struct ghc_figures *f)
{
  if (f->has_allocated)
    bytes_line (r, f->allocated, "bytes allocated in the heap");
  if (f->has_collections)
    bytes_line (r, f->copied, "bytes copied during GC");
  if (f->live_samples != 0) {
    char *what = g_strdup_printf ("bytes maximum residency (%" G_GUINT64_FORMAT " sample(s))",
                                  f->live_samples);
    bytes_line (r, f->max_live, what);
    g_free (what);
  }
  if (f->has_collections)
    bytes_line (r, f->max_slop, "bytes maximum slop");
  if (f->has_size)
    line (r, "%16" G_GUINT64_FORMAT " MiB total memory in use", f->max_size >> 20);
}

static void
put_generation (const struct report *r, guint number, const struct ghc_generation *g)
{
  const struct ghc_pause_sum *main = &g->pauses[GHC_PAUSE_MAIN];
  const double total = seconds (main->total_ns);
  line (r,
        "  Gen %2u     %5" G_GUINT64_FORMAT " colls, %5" G_GUINT64_FORMAT
        " par            %6.3fs     %3.4fs    %3.4fs",
        number, g->collections, g->parallel, total, g->timed != 0 ? total / (double) g->timed : 0.0,
        seconds (main->max_ns));
}

/* Stops of the collector that marks while the program runs, as often as there were collections of
 * the oldest generation. */
static void
put_syncs (const struct report *r, guint number, const struct ghc_figures *f,
           const struct ghc_delays *syncs)
{
  const uint64_t n = g_array_index (f->generations, struct ghc_generation, number).collections;
  const double total = seconds (syncs->total_ns);
  line (r,
        "  Gen %2u     %5" G_GUINT64_FORMAT
        " syncs,                      %6.3fs     %3.4fs    %3.4fs",
        number, n, total, n != 0 ? total / (double) n : 0.0, seconds (syncs->max_ns));
}

static void
put_generations (const struct report *r, const struct ghc_figures *f)
{
  if (!f->has_collections)
    return;
  line (r, "%s", "");
  line (r, "                                              (elapsed)  Avg pause  Max pause");
  for (guint i = 0; i < f->generations->len; i++)
    put_generation (r, i, &g_array_index (f->generations, struct ghc_generation, i));
  const struct ghc_delays *syncs = &f->concurrent->syncs;
  if (syncs->count != 0)
    put_syncs (r, f->generations->len - 1, f, syncs);
  double percent;
  /* As the runtime does, where nothing was balanced it is left out. */
  if (ghc_balance_percent (&f->balance, &percent) && percent > 0) {
    line (r, "%s", "");
    line (r, "  Parallel GC work balance: %.2f%% (serial 0%%, perfect 100%%)", percent);
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
    line (r, "%s", "");
    /* The system's threads that collect while the program runs are tasks, too, and not reported. */
    const char *least = f->concurrent->collections.count != 0 ? "at least " : "";
    if (r->ghc->selection == NULL)
      line (r, "  TASKS: %s%u (using -N%u)", least, f->tasks, f->caps);
    else
      line (r, "  TASKS: %s%u", least, f->tasks);
  }
  if (!f->has_sparks) /* as +RTS -s, which has the counters */
    return;
  line (r, "%s", "");
  line (r,
        "  SPARKS: %" G_GUINT64_FORMAT " (%" G_GUINT64_FORMAT " converted, %" G_GUINT64_FORMAT
        " overflowed, %" G_GUINT64_FORMAT " dud, %" G_GUINT64_FORMAT " GC'd, %" G_GUINT64_FORMAT
        " fizzled)",
        s[GHC_SPARKS_CREATED] + s[GHC_SPARKS_DUD] + s[GHC_SPARKS_OVERFLOWED],
        s[GHC_SPARKS_CONVERTED], s[GHC_SPARKS_OVERFLOWED], s[GHC_SPARKS_DUD], s[GHC_SPARKS_GCD],
        s[GHC_SPARKS_FIZZLED]);
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
  line (r, "%s", "");
  if (f->has_gc) {
    line (r, "  MUT     time            (%7.3fs elapsed%s)", seconds (mutator),
          f->start == 0 ? ", with INIT and EXIT" : "");
    line (r, "  GC      time            (%7.3fs elapsed%s)", seconds (f->gc_ns),
          has_profiles (r->ghc, process) ? ", with RP and PROF" : "");
  }
  if (f->has_total)
    line (r, "  Total   time            (%7.3fs elapsed)", seconds (f->total_ns));
  if (!f->has_gc || mutator == 0)
    return;
  if (f->has_allocated && !f->begins_late) {
    char *rate = with_commas ((uint64_t) ((double) f->allocated / seconds (mutator)));
    line (r, "%s", "");
    line (r, "  Alloc rate    %s bytes per elapsed MUT second", rate);
    g_free (rate);
  }
  line (r, "%s", "");
  line (r, "  Productivity  %.1f%% of total elapsed",
        100.0 * (double) mutator / (double) f->total_ns);
}

/* What +RTS -s does not show. */
static void
put_more (const struct report *r, const struct ghc_figures *f)
{
  const struct ghc_heap_info_ghc *h = f->heap;
  if (!f->has_fragmentation && h == NULL)
    return;
  line (r, "%s", "");
  if (f->has_fragmentation) {
    char *number = with_commas ((uint64_t) ABS (f->fragmentation));
    line (r, "  Fragmentation after the last GC  %s%s bytes", f->fragmentation < 0 ? "-" : "",
          number);
    g_free (number);
  }
  if (h == NULL)
    return;
  char *area = with_commas (h->alloc_area_size), *limit = with_commas (h->max_heap_size);
  line (r, "  Heap  %u generations, %s bytes allocation area, %s%s", h->generations, area,
        h->max_heap_size != 0 ? limit : "no limit", h->max_heap_size != 0 ? " bytes at most" : "");
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
    line (r, "%s", safe);
    g_free (safe);
    g_free (name);
  }
  put_heap (r, &f);
  put_generations (r, &f);
  put_tasks_and_sparks (r, process, &f);
  put_times (r, process, &f);
  put_more (r, &f);
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
      line (r, "%s", "");
    put_summary (r, g_ptr_array_index (processes, i));
  }
  g_ptr_array_unref (processes);
}

const struct section ghc_section_layout = { .key = "summary", .put = put_layout, .is_text = true };
