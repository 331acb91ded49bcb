/* ghc-report-findings.c -- findings of an eventlog: the figures of the rules of findings.def.
 *
 * Thresholds are such that a program without the fault stays below them.
 */
#include "config.h"

#include "decoder/ghc/ghc-running.h"
#include "decoder/views/findings.h"
#include "decoder/views/ghc/ghc-bands.h"
#include "decoder/views/ghc/ghc-report-private.h"
#include <string.h>

#define MS UINT64_C (1000000)
#define SECOND UINT64_C (1000000000)

/* ---- collections by several threads ---- */

#define PARALLEL_MIN 20
#define PARALLEL_GC_MIN (100 * MS)
#define BALANCE_MAX 15.0

/* A tenth of the time goes into collections, and one thread does nearly all of their work. */
static bool
collects_with_one (const struct ghc_figures *figures)
{
  double balance;
  return figures->has_gc && figures->balance.threads >= 2 && figures->all.parallel >= PARALLEL_MIN
         && figures->gc_ns >= MAX (PARALLEL_GC_MIN, figures->total_ns / 10)
         && ghc_balance_percent (&figures->balance, &balance) && balance <= BALANCE_MAX;
}

static void
add_times (const struct ghc_figures *figures, struct finding *f)
{
  finding_add (f, "gc", FIGURE_NS, figures->gc_ns, "time.gc_ns");
  finding_add (f, "total", FIGURE_NS, figures->total_ns, "time.total_ns");
  finding_add_share (f, "share", figures->gc_ns, figures->total_ns);
}

static bool
find_parallel_gc (const struct ghc_figures *figures, struct finding *f)
{
  double balance;
  if (!collects_with_one (figures) || !ghc_balance_percent (&figures->balance, &balance))
    return false;
  add_times (figures, f);
  finding_add_real (f, "balance", balance, "gc.work_balance_percent");
  finding_add (f, "threads", FIGURE_COUNT, figures->balance.threads, NULL);
  return true;
}

/* ---- pauses ---- */

#define COLLECTIONS_MIN 10
#define GC_MIN (200 * MS)

/* The generation whose collections took longest; their number, if no collection states one. */
static guint
find_worst (const struct ghc_figures *figures, const struct ghc_generation **worst)
{
  guint at = 0;
  *worst = &figures->unreported;
  for (guint i = 0; i < figures->generations->len; i++) {
    const struct ghc_generation *g
        = &g_array_index (figures->generations, struct ghc_generation, i);
    if (i != 0 && g->pauses[GHC_PAUSE_MAIN].total_ns <= (*worst)->pauses[GHC_PAUSE_MAIN].total_ns)
      continue;
    at = i;
    *worst = g;
  }
  return at;
}

/* A third of the time, where that is not the fault of parallel collections. */
static bool
find_pauses (const struct ghc_figures *figures, struct finding *f)
{
  if (!figures->has_gc || figures->all.collections < COLLECTIONS_MIN
      || figures->gc_ns < MAX (GC_MIN, figures->total_ns / 3) || collects_with_one (figures))
    return false;
  const struct ghc_generation *g;
  const guint worst = find_worst (figures, &g);
  const bool is_known = g != &figures->unreported;
  const struct ghc_pause_sum *pause = &g->pauses[GHC_PAUSE_MAIN];
  add_times (figures, f);
  if (is_known)
    finding_add (f, "generation", FIGURE_COUNT, worst, "gc.generations[%u].generation", worst);
  finding_add (f, "worst", FIGURE_NS, pause->total_ns, "gc.generations[%u].elapsed_ns", worst);
  finding_add (f, "collections", FIGURE_COUNT, g->collections, "gc.generations[%u].collections",
               worst);
  finding_add (f, "longest", FIGURE_NS, pause->max_ns, "gc.generations[%u].pause_max_ns", worst);
  if (is_known)
    finding_add (f, "copied", FIGURE_BYTES, g->copied, "gc.generations[%u].copied_bytes", worst);
  finding_add_text (
      f, "cause",
      !is_known ? "the log does not state of which generation they are"
      : worst + 1 < figures->generations->len
          ? "values outlive the allocation area; a larger -A makes these collections less frequent"
          : "a large part of the heap stays alive",
      NULL);
  return true;
}

/* ---- sparks ---- */

#define SPARKS_MIN 100

/* Most sparks are lost after they were created, and hardly any is converted. */
static bool
find_sparks (const struct ghc_figures *figures, struct finding *f)
{
  const uint64_t *sparks = ghc_figures_sparks (figures);
  if (sparks == NULL || sparks[GHC_SPARKS_CREATED] < SPARKS_MIN
      || sparks[GHC_SPARKS_CONVERTED] > sparks[GHC_SPARKS_CREATED] / 5
      || sparks[GHC_SPARKS_FIZZLED] + sparks[GHC_SPARKS_GCD] < sparks[GHC_SPARKS_CREATED] / 2)
    return false;
  finding_add (f, "created", FIGURE_COUNT, sparks[GHC_SPARKS_CREATED], "sparks.created");
  finding_add (f, "converted", FIGURE_COUNT, sparks[GHC_SPARKS_CONVERTED], "sparks.converted");
  finding_add (f, "fizzled", FIGURE_COUNT, sparks[GHC_SPARKS_FIZZLED], "sparks.fizzled");
  finding_add (f, "gcd", FIGURE_COUNT, sparks[GHC_SPARKS_GCD], "sparks.gcd");
  return true;
}

/* Most of the sparks that ran are over before another capability is awake. */
#define SMALL_SPARK_NS (10 * UINT64_C (1000))

static bool
ghc_finding_small_sparks (const struct report *r, struct finding *f)
{
  const struct durations *sparks = &r->ghc->threads.sparks;
  const uint64_t half_ns = durations_at (sparks, 500);
  if (sparks->count < SPARKS_MIN || half_ns > SMALL_SPARK_NS)
    return false;
  finding_add (f, "ran", FIGURE_COUNT, sparks->count, "sparks.ran");
  finding_add (f, "half", FIGURE_NS, half_ns, "sparks.run_p50_ns");
  finding_add (f, "run", FIGURE_NS, sparks->total_ns, "sparks.run_ns");
  return true;
}

/* Rules about figures of all capabilities. */
static bool
with_figures (const struct report *r, struct finding *f,
              bool (*check) (const struct ghc_figures *figures, struct finding *f))
{
  struct ghc_figures figures;
  ghc_figures_init (&figures, r->ghc, NULL);
  const bool holds = check (&figures, f);
  ghc_figures_clear (&figures);
  return holds;
}

static bool
ghc_finding_parallel_gc (const struct report *r, struct finding *f)
{
  return with_figures (r, f, find_parallel_gc);
}

static bool
ghc_finding_pauses (const struct report *r, struct finding *f)
{
  return with_figures (r, f, find_pauses);
}

static bool
ghc_finding_sparks (const struct report *r, struct finding *f)
{
  return with_figures (r, f, find_sparks);
}

/* ---- capabilities ---- */

#define IDLE_DURATION_MIN (400 * MS)

/* Of how the capabilities of a log are used. */
struct usage {
  guint caps, idle_caps;
  guint busiest, idlest; /* rows of the table */
  const struct ghc_cap *busy, *idle;
  uint64_t run_ns;  /* for which the busiest one runs threads */
  uint64_t idle_ns; /* for which the other one is idle */
};

static void
inspect_cap (const struct ghc_summary *s, const struct ghc_cap *cap, uint64_t all_ns,
             struct usage *usage)
{
  const uint64_t idle_ns = ghc_cap_idle_ns (s, cap);
  const uint64_t run_ns = ghc_threads_cap_run_ns (&s->threads, cap->number);
  if (usage->busy == NULL || run_ns > usage->run_ns) {
    usage->busy = cap;
    usage->run_ns = run_ns;
    usage->busiest = usage->caps;
  }
  if (usage->idle == NULL || idle_ns > usage->idle_ns) {
    usage->idle = cap;
    usage->idle_ns = idle_ns;
    usage->idlest = usage->caps;
  }
  usage->idle_caps += idle_ns / 19 >= all_ns / 20; /* 95 % */
  usage->caps++;
}

/* ---- why capabilities are idle ---- */

/* Hardly any spark was converted into work for them. */
static void
add_lost_sparks (const struct report *r, struct finding *f)
{
  struct ghc_figures figures;
  ghc_figures_init (&figures, r->ghc, NULL);
  const uint64_t *sparks = ghc_figures_sparks (&figures);
  if (sparks != NULL && sparks[GHC_SPARKS_CREATED] >= SPARKS_MIN
      && sparks[GHC_SPARKS_CONVERTED] <= sparks[GHC_SPARKS_CREATED] / 5) {
    finding_add (f, "sparks", FIGURE_COUNT, sparks[GHC_SPARKS_CREATED], "sparks.created");
    finding_add (f, "converted", FIGURE_COUNT, sparks[GHC_SPARKS_CONVERTED], "sparks.converted");
  }
  ghc_figures_clear (&figures);
}

/* One thread ran for nine tenths of the time of all. */
static void
add_only_thread (const struct report *r, const struct ghc_thread *sum, struct finding *f)
{
  g_autoptr (GPtrArray) all = ghc_threads_all (&r->ghc->threads);
  for (guint i = 0; i < all->len; i++) {
    const struct ghc_thread *thread = g_ptr_array_index (all, i);
    if (thread->run_ns < sum->run_ns - sum->run_ns / 10)
      continue;
    finding_add (f, "thread", FIGURE_COUNT, thread->id, "threads[0].id");
    finding_add (f, "thread_run", FIGURE_NS, thread->run_ns, "threads[0].run_ns");
    finding_add (f, "run", FIGURE_NS, sum->run_ns, "scheduling.run_ns");
  }
}

/* Waits for values that others compute, and the thread that computed those of half of that time: 0:
 * none alone. */
struct black_holes {
  uint64_t wait_ns, owner_ns;
  uint32_t owner;
};

static struct black_holes
sum_black_holes (const struct ghc_threads *threads)
{
  struct ghc_thread sum;
  ghc_threads_sum (threads, &sum);
  struct black_holes b = { .wait_ns = sum.waits[GHC_WAIT_BLACK_HOLE].total_ns };
  GHashTable *owned = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GPtrArray) owners = ghc_threads_pairs (&threads->owners);
  for (guint i = 0; i < owners->len; i++) {
    const struct ghc_thread_pair *pair = g_ptr_array_index (owners, i);
    uint64_t *total_ns = g_hash_table_lookup (owned, GUINT_TO_POINTER (pair->from));
    if (total_ns == NULL) {
      total_ns = g_new0 (uint64_t, 1);
      g_hash_table_insert (owned, GUINT_TO_POINTER (pair->from), total_ns);
    }
    *total_ns += pair->total_ns;
    if (pair->from != 0 && *total_ns >= MAX (b.wait_ns / 2, 1) && *total_ns >= b.owner_ns) {
      b.owner_ns = *total_ns;
      b.owner = pair->from;
    }
  }
  g_hash_table_destroy (owned);
  return b;
}

/* A fifth of the time some thread waited so. */
static void
add_black_holes (const struct report *r, uint64_t all_ns, struct finding *f)
{
  const struct black_holes b = sum_black_holes (&r->ghc->threads);
  if (b.wait_ns < all_ns / 5)
    return;
  finding_add (f, "black_holes", FIGURE_NS, b.wait_ns, NULL);
  if (b.owner != 0)
    finding_add (f, "owner", FIGURE_COUNT, b.owner, NULL);
}

/* Of a capability, in collections and until they can start. */
static uint64_t
collecting_ns (const struct ghc_cap *cap)
{
  return cap->own_ns + cap->syncs.total_ns;
}

/* One runs threads for 70 % of the time outside of collections, and half of all are idle for 95 %
 * of the whole time: where they wait for others in collections, too. */
static bool
has_idle_caps (const struct ghc_summary *s, uint64_t all_ns, struct usage *usage)
{
  *usage = (struct usage){ 0 };
  for (guint i = 0; i < s->caps->len; i++)
    if (g_ptr_array_index (s->caps, i) != NULL)
      inspect_cap (s, g_ptr_array_index (s->caps, i), all_ns, usage);
  return all_ns >= IDLE_DURATION_MIN && usage->caps >= 2
         && usage->idle_caps >= (usage->caps + 1) / 2 && usage->run_ns >= all_ns / 10
         && usage->run_ns >= (all_ns - MIN (collecting_ns (usage->busy), all_ns)) / 10 * 7;
}

static bool
ghc_finding_idle_caps (const struct report *r, struct finding *f)
{
  const struct ghc_summary *s = r->ghc;
  const uint64_t all_ns = s->log.last - s->log.first;
  struct ghc_thread sum;
  struct usage usage;
  ghc_threads_sum (&s->threads, &sum);
  if (!has_idle_caps (s, all_ns, &usage))
    return false;
  finding_add (f, "idle_caps", FIGURE_COUNT, usage.idle_caps, NULL);
  finding_add (f, "caps", FIGURE_COUNT, usage.caps, NULL);
  finding_add (f, "idle", FIGURE_COUNT, usage.idle->number, "idle_caps[%u].cap", usage.idlest);
  finding_add (f, "idle_time", FIGURE_NS, usage.idle_ns, "idle_caps[%u].idle_ns", usage.idlest);
  finding_add (f, "duration", FIGURE_NS, all_ns, "log.duration_ns");
  finding_add (f, "busy", FIGURE_COUNT, usage.busy->number, "idle_caps[%u].cap", usage.busiest);
  finding_add (f, "busy_run", FIGURE_NS, usage.run_ns, "idle_caps[%u].run_ns", usage.busiest);
  add_lost_sparks (r, f);
  add_only_thread (r, &sum, f);
  add_black_holes (r, all_ns, f);
  return true;
}

/* Threads wait for values that others compute, for half of the time and more, and hardly more than
 * one runs, whatever capability runs it. */
static bool
ghc_finding_black_holes (const struct report *r, struct finding *f)
{
  const struct ghc_threads *threads = &r->ghc->threads;
  const uint64_t all_ns = r->ghc->log.last - r->ghc->log.first;
  struct usage usage;
  struct ghc_thread sum;
  ghc_threads_sum (threads, &sum);
  const struct black_holes b = sum_black_holes (threads);
  if (has_idle_caps (r->ghc, all_ns, &usage) || all_ns < IDLE_DURATION_MIN || usage.caps < 2
      || b.wait_ns < all_ns / 2 || threads->busy_ns < all_ns / 3
      || sum.run_ns - threads->busy_ns > threads->busy_ns / 4 * (usage.caps - 1))
    return false;
  finding_add (f, "waited", FIGURE_NS, b.wait_ns, NULL);
  finding_add (f, "duration", FIGURE_NS, all_ns, "log.duration_ns");
  if (b.owner != 0)
    finding_add (f, "owner", FIGURE_COUNT, b.owner, NULL);
  finding_add_real (f, "average", (double) sum.run_ns / (double) threads->busy_ns, NULL);
  finding_add (f, "caps", FIGURE_COUNT, usage.caps, NULL);
  return true;
}

/* ---- one capability ---- */

static guint
count_caps (const struct ghc_summary *s)
{
  guint n = 0;
  for (guint i = 0; i < s->caps->len; i++)
    n += g_ptr_array_index (s->caps, i) != NULL;
  return n;
}

/* Two threads or more wait for the only capability, longer than half of the time together, as it
 * runs others. */
static bool
ghc_finding_one_cap (const struct report *r, struct finding *f)
{
  const struct ghc_threads *threads = &r->ghc->threads;
  const uint64_t all_ns = r->ghc->log.last - r->ghc->log.first;
  uint64_t wait_ns = 0;
  guint n = 0;
  g_autoptr (GPtrArray) all = ghc_threads_all (threads);
  for (guint i = 0; i < all->len; i++) {
    const struct ghc_thread *thread = g_ptr_array_index (all, i);
    if (ghc_thread_is_of_runtime (thread)
        || thread->waits[GHC_WAIT_CPU].total_ns < all_ns / FINDING_SHARE)
      continue;
    n++;
    wait_ns += thread->waits[GHC_WAIT_CPU].total_ns;
  }
  if (all_ns < IDLE_DURATION_MIN || count_caps (r->ghc) != 1 || n < 2 || wait_ns < all_ns / 2
      || threads->busy_ns < all_ns / 2)
    return false;
  finding_add (f, "threads", FIGURE_COUNT, n, NULL);
  finding_add (f, "wait", FIGURE_NS, wait_ns, NULL);
  finding_add (f, "duration", FIGURE_NS, all_ns, "log.duration_ns");
  return true;
}

/* ---- threads that wait for one another ---- */

/* Of all such threads, and of each. */
#define MVAR_WAITS_MIN 100
#define MVAR_WAITS_EACH 10

static uint64_t
mvar_waits (const struct ghc_thread *thread)
{
  return thread->waits[GHC_WAIT_MVAR].count + thread->waits[GHC_WAIT_READ_MVAR].count;
}

static uint64_t
mvar_ns (const struct ghc_thread *thread)
{
  return thread->waits[GHC_WAIT_MVAR].total_ns + thread->waits[GHC_WAIT_READ_MVAR].total_ns;
}

/* It waits for MVars again and again, longer than it runs, for a fifth of the time and more. */
static bool
is_held_up (const struct ghc_thread *thread, uint64_t all_ns)
{
  return thread != NULL && !ghc_thread_is_of_runtime (thread)
         && mvar_waits (thread) >= MVAR_WAITS_EACH && mvar_ns (thread) >= thread->run_ns
         && mvar_ns (thread) >= all_ns / 5;
}

/* One such thread woke another one, each time but every fifth at most; or the log has no wakeups.
 */
static bool
wake_each_other (const struct ghc_threads *threads, uint64_t all_ns, uint64_t waits)
{
  uint64_t wakes = 0;
  g_autoptr (GPtrArray) pairs = ghc_threads_pairs (&threads->wakers);
  for (guint i = 0; i < pairs->len; i++) {
    const struct ghc_thread_pair *pair = g_ptr_array_index (pairs, i);
    if (is_held_up (ghc_threads_find (threads, pair->from), all_ns)
        && is_held_up (ghc_threads_find (threads, pair->to), all_ns))
      wakes += pair->count;
  }
  return pairs->len == 0 || wakes >= waits / 5 * 4;
}

/* Two threads or more of that kind do most of the work, less than half of them at once, and it is
 * they that wake each other: who waits for work is woken by another one. */
static bool
ghc_finding_mvar (const struct report *r, struct finding *f)
{
  const struct ghc_threads *threads = &r->ghc->threads;
  const uint64_t all_ns = r->ghc->log.last - r->ghc->log.first;
  struct ghc_thread sum = { 0 };
  guint n = 0;
  g_autoptr (GPtrArray) all = ghc_threads_all (threads);
  for (guint i = 0; i < all->len; i++) {
    const struct ghc_thread *thread = g_ptr_array_index (all, i);
    if (!is_held_up (thread, all_ns))
      continue;
    n++;
    sum.run_ns += thread->run_ns;
    sum.waits[GHC_WAIT_MVAR].count += mvar_waits (thread);
    sum.waits[GHC_WAIT_MVAR].total_ns += mvar_ns (thread);
  }
  const double average
      = threads->busy_ns != 0 ? (double) sum.run_ns / (double) threads->busy_ns : 0;
  const uint64_t waits = sum.waits[GHC_WAIT_MVAR].count;
  if (n < 2 || waits < MVAR_WAITS_MIN || threads->busy_ns < all_ns / 3
      || sum.run_ns < threads->busy_ns / 2 || average * 2 > n
      || !wake_each_other (threads, all_ns, waits))
    return false;
  finding_add (f, "threads", FIGURE_COUNT, n, NULL);
  finding_add (f, "waits", FIGURE_COUNT, waits, NULL);
  finding_add (f, "waited", FIGURE_NS, sum.waits[GHC_WAIT_MVAR].total_ns, NULL);
  if (count_caps (r->ghc) > 1) /* of one, one runs at most */
    finding_add_real (f, "average", average, NULL);
  finding_add (f, "busy", FIGURE_NS, threads->busy_ns, "scheduling.busy_ns");
  return true;
}

/* ---- intervals ---- */

#define SLOWER 3
#define SLOW_MIN (20 * MS)
#define SLOW_THREADS_MIN 3

/* By how much intervals take longer in their slowest thread than in the next one, if that is SLOWER
 * times as long. */
static uint64_t
excess_ns (const struct mark_interval *interval)
{
  const struct mark_share *slowest = &interval->slowest;
  const uint64_t slow = marks_share_average (slowest),
                 second = marks_share_average (&interval->second);
  return interval->threads >= SLOW_THREADS_MIN && slow / SLOWER >= second
             ? slowest->self_ns - second * slowest->count
             : 0;
}

static void
add_slow_thread (const struct report *r, const struct mark_interval *interval, guint row,
                 struct finding *f)
{
  const struct mark_share *slowest = &interval->slowest;
  const struct ghc_lifetime *life
      = g_hash_table_lookup (r->ghc->thread_table.by_id, GUINT_TO_POINTER (slowest->thread));
  finding_add_text (f, "name", interval->name, NULL);
  finding_add (f, "thread", FIGURE_COUNT, slowest->thread, NULL);
  if (life != NULL && life->label != NULL)
    finding_add_text (f, "label", life->label, NULL);
  finding_add (f, "slow", FIGURE_NS, marks_share_average (slowest), NULL);
  finding_add (f, "count", FIGURE_COUNT, slowest->count, NULL);
  finding_add (f, "others", FIGURE_COUNT, interval->threads - 1, NULL);
  finding_add (f, "other", FIGURE_NS, marks_share_average (&interval->second), NULL);
  finding_add (f, "total", FIGURE_NS, interval->total_ns, "marks.intervals[%u].total_ns", row);
}

/* Intervals of one name take much longer in one thread than in each of the others, for a twentieth
 * of the time and more. */
static bool
ghc_finding_slow_thread (const struct report *r, struct finding *f)
{
  const struct ghc_log *log = &r->ghc->log;
  struct marks marks = r->ghc->marks; /* the order of edges changes, and nothing else */
  struct mark_intervals intervals;
  uint64_t most_ns = MAX (SLOW_MIN, (log->last - log->first) / FINDING_SHARE);
  bool is_found = false;
  guint row = 0;
  marks_measure (&marks, &intervals);
  for (guint i = 0; i < intervals.all->len; i++) {
    const struct mark_interval *interval = g_ptr_array_index (intervals.all, i);
    const uint64_t ns = excess_ns (interval);
    if (ns < most_ns || !ghc_running_is_thread (interval->slowest.thread))
      continue;
    is_found = true;
    most_ns = ns + 1;
    row = i;
  }
  if (is_found)
    add_slow_thread (r, g_ptr_array_index (intervals.all, row), row, f);
  marks_clear_intervals (&intervals);
  return is_found;
}

/* ---- heap profiles ---- */

#define PROFILE_SAMPLES_MIN 12
#define GROWTH_MIN UINT64_C (1000000)

static uint64_t
sample_bytes (const struct ghc_heap_profile *profile, guint i)
{
  return g_array_index (profile->samples, struct ghc_heap_sample, i).bytes;
}

/* Of a band that grows. */
static uint64_t
band_growth (const struct ghc_band *band)
{
  return band->steps[GHC_BAND_STEPS - 1] - band->steps[0];
}

/* The profile that is inspected, the first of the log; NULL: it is too short. */
static const struct ghc_heap_profile *
first_profile (const struct report *r)
{
  const GPtrArray *all = r->ghc->heap_profiles.all;
  const struct ghc_heap_profile *profile = all->len != 0 ? g_ptr_array_index (all, 0) : NULL;
  return profile != NULL && profile->samples->len >= PROFILE_SAMPLES_MIN ? profile : NULL;
}

/* The heap is twice as large at the end as after a quarter of the samples, and grows all the time:
 * a program that has all that it needs grows no more. */
static bool
heap_grows (const struct ghc_heap_profile *profile)
{
  const guint end = profile->end, quarter = end / 4, half = end / 2;
  const uint64_t first = sample_bytes (profile, quarter), middle = sample_bytes (profile, half);
  const uint64_t later = sample_bytes (profile, half + quarter), last = sample_bytes (profile, end);
  return profile->grows && first < middle && middle < later && later < last
         && last - first >= MAX (GROWTH_MIN, first) && last - middle >= (last - first) / 2;
}

/* If the profile goes on after the sample up to which growth is judged. */
static void
add_end (struct finding *f, const struct ghc_heap_profile *profile)
{
  if (profile->end + 1 < profile->samples->len)
    finding_add (f, "sample", FIGURE_COUNT, profile->end, "heap_profiles[0].growth_to_sample");
}

/* If the bands of one module have half of what all bands grew by. */
static void
add_module (const struct report *r, const struct ghc_heap_profile *profile, struct finding *f)
{
  const struct ghc_bands shown = { &r->ghc->heap_profiles, profile, r->view };
  const uint64_t from = sample_bytes (profile, profile->first),
                 to = sample_bytes (profile, profile->end);
  uint64_t first, last;
  g_autofree char *module = ghc_bands_growing_module (&shown, &first, &last);
  if (module == NULL || to <= from || last - first < (to - from) / 2)
    return;
  finding_add_text (f, "module", module, NULL);
  finding_add (f, "module_first", FIGURE_BYTES, first, NULL);
  finding_add (f, "module_last", FIGURE_BYTES, last, NULL);
}

static bool
ghc_finding_growth (const struct report *r, struct finding *f)
{
  const struct ghc_heap_profile *profile = first_profile (r);
  if (profile == NULL || !heap_grows (profile))
    return false;
  const guint end = profile->end, quarter = end / 4, half = end / 2;
  finding_add (f, "first", FIGURE_BYTES, sample_bytes (profile, quarter),
               "heap_profiles[0].samples[%u].bytes", quarter);
  finding_add (f, "half", FIGURE_BYTES, sample_bytes (profile, half),
               "heap_profiles[0].samples[%u].bytes", half);
  finding_add (f, "last", FIGURE_BYTES, sample_bytes (profile, end),
               "heap_profiles[0].samples[%u].bytes", end);
  add_end (f, profile);
  add_module (r, profile, f);
  return true;
}

/* A band grows by a tenth of the peak and more, though the heap as a whole may not. */
static bool
ghc_finding_band (const struct report *r, struct finding *f)
{
  const struct ghc_heap_profiles *profiles = &r->ghc->heap_profiles;
  const struct ghc_heap_profile *profile = first_profile (r);
  const struct ghc_band *most = NULL;
  if (profile == NULL || heap_grows (profile))
    return false;
  for (guint i = 0; i < profile->bands->len; i++) {
    const struct ghc_band *band = g_ptr_array_index (profile->bands, i);
    if (band->grows && (most == NULL || band_growth (band) > band_growth (most)))
      most = band;
  }
  if (most == NULL
      || band_growth (most) < MAX (GROWTH_MIN, sample_bytes (profile, profile->largest) / 10))
    return false;
  g_autofree char *name = ghc_band_name (profiles, most);
  finding_add_text (f, "band", name, NULL);
  finding_add (f, "first", FIGURE_BYTES, most->steps[0], NULL);
  finding_add (f, "last", FIGURE_BYTES, most->steps[GHC_BAND_STEPS - 1], NULL);
  add_end (f, profile);
  return true;
}

#define THUNKS_MIN (UINT64_C (10) << 20)

/* A band of closures of this type: of a profile by type, or by info table. */
static bool
is_band_of (const struct ghc_heap_profiles *profiles, const struct ghc_band *band, const char *type)
{
  const struct ghc_provenance *p = ghc_band_provenance (profiles, band);
  g_autofree char *name = p == NULL ? ghc_band_name (profiles, band) : NULL;
  const char *of = p != NULL ? ghc_provenance_closure (p) : name;
  return of != NULL && g_str_has_prefix (of, type);
}

static uint64_t
bytes_of_bands (const GPtrArray *bands, guint sample)
{
  uint64_t bytes = 0;
  for (guint i = 0; i < bands->len; i++)
    bytes += ghc_band_bytes (g_ptr_array_index (bands, i), sample);
  return bytes;
}

static GPtrArray *
list_bands_of (const struct report *r, const struct ghc_heap_profile *profile, const char *type)
{
  GPtrArray *bands = g_ptr_array_new ();
  for (guint i = 0; i < profile->bands->len; i++)
    if (is_band_of (&r->ghc->heap_profiles, g_ptr_array_index (profile->bands, i), type))
      g_ptr_array_add (bands, g_ptr_array_index (profile->bands, i));
  return bands;
}

/* The sample in which these bands have most; only those that bands retain. */
static guint
find_most (const struct ghc_heap_profile *profile, const GPtrArray *bands)
{
  guint most = 0;
  uint64_t most_bytes = 0;
  for (guint i = 0; i < profile->samples->len; i++) {
    const uint64_t bytes
        = ghc_heap_profile_retained (profile, i) == i ? bytes_of_bands (bands, i) : 0;
    if (bytes > most_bytes) {
      most = i;
      most_bytes = bytes;
    }
  }
  return most;
}

/* 10 MB and a third of the heap, in some sample. */
static bool
ghc_finding_thunks (const struct report *r, struct finding *f)
{
  const GPtrArray *all = r->ghc->heap_profiles.all;
  const struct ghc_heap_profile *profile = all->len != 0 ? g_ptr_array_index (all, 0) : NULL;
  if (profile == NULL || profile->samples->len == 0
      || (profile->breakdown != GHC_BREAKDOWN_CLOSURE_TYPE
          && profile->breakdown != GHC_BREAKDOWN_INFO_TABLE))
    return false;
  g_autoptr (GPtrArray) thunks = list_bands_of (r, profile, "THUNK");
  g_autoptr (GPtrArray) stacks = list_bands_of (r, profile, "STACK");
  const guint most = find_most (profile, thunks);
  const uint64_t bytes = bytes_of_bands (thunks, most), heap = sample_bytes (profile, most);
  const uint64_t stack = bytes_of_bands (stacks, find_most (profile, stacks));
  if (bytes < THUNKS_MIN || bytes < heap / 3)
    return false;
  finding_add (f, "thunks", FIGURE_BYTES, bytes, NULL);
  finding_add (f, "heap", FIGURE_BYTES, heap, "heap_profiles[0].samples[%u].bytes", most);
  finding_add_share (f, "share", bytes, heap);
  if (stack >= THUNKS_MIN)
    finding_add (f, "stack", FIGURE_BYTES, stack, NULL);
  return true;
}

/* ---- memory that is not the program's data ---- */

#define MEMORY_GROWTH_MIN (UINT64_C (16) << 20)

/* Sizes in the second, the third and the last quarter: the first one has the start of the program.
 */
struct memory_use {
  struct ghc_memory_range held[3], live[3];
};

static bool
measure_memory (const struct ghc_memory *memory, struct memory_use *use)
{
  bool is_known = true;
  for (guint i = 0; i < 3; i++) {
    const uint64_t from = ghc_memory_quarter (memory, i + 1),
                   to = ghc_memory_quarter (memory, i + 2);
    is_known &= ghc_memory_in (memory, GHC_MEMORY_HELD, from, to, &use->held[i])
                && ghc_memory_in (memory, GHC_MEMORY_LIVE, from, to, &use->live[i]);
  }
  return is_known;
}

/* Is old data left where it is, as an option of the runtime requests?  Its collections may not be
 * in the log. */
static bool
has_nonmoving (const struct ghc_summary *s)
{
  bool has = s->concurrent.collections.count != 0;
  g_autoptr (GPtrArray) processes = ghc_processes_list (&s->processes);
  for (guint i = 0; i < processes->len; i++) {
    const struct ghc_capset *process = g_ptr_array_index (processes, i);
    has |= process->arguments != NULL
           && (strstr (process->arguments, "--nonmoving-gc") != NULL
               || strstr (process->arguments, "-xn") != NULL);
  }
  return has;
}

/* Why the memory is there, and which options of the runtime change that. */
static const char *
memory_cause (const struct report *r, uint64_t growth)
{
  const struct ghc_memory *memory = &r->ghc->memory;
  const uint64_t from = ghc_memory_quarter (memory, 3),
                 to = ghc_memory_quarter (memory, GHC_MEMORY_QUARTERS);
  struct ghc_memory_range held, needed, blocks;
  ghc_memory_in (memory, GHC_MEMORY_HELD, from, to, &held);
  if (has_nonmoving (r->ghc))
    return "the collector that does not move data leaves blocks partly filled, and returns little; "
           "the copying one, without --nonmoving-gc, fills them";
  if (ghc_memory_in (memory, GHC_MEMORY_NEEDED, from, to, &needed) && held.least >= needed.most
      && held.least - needed.most >= growth / 2)
    return "the collector does not need it, and returns it slowly; +RTS -Fd1 returns it sooner, "
           "and "
           "a smaller -F retains less";
  if (ghc_memory_in (memory, GHC_MEMORY_BLOCKS, from, to, &blocks) && held.least >= blocks.most
      && held.least - blocks.most >= growth / 2)
    return "blocks in use lie scattered among free ones, which cannot be returned; +RTS -c, which "
           "compacts, and a smaller -A scatter fewer";
  return "blocks are partly filled, as by pinned data (ByteString), or memory is not returned; "
         "+RTS -c compacts the rest, and -Fd1 (from GHC 9.2 on) returns memory sooner";
}

/* The program's memory grows by a quarter and goes on growing, while its live data grow by less
 * than a quarter of that. */
static bool
ghc_finding_memory (const struct report *r, struct finding *f)
{
  struct memory_use use;
  if (!measure_memory (&r->ghc->memory, &use))
    return false;
  const uint64_t first = use.held[0].least, last = use.held[2].least;
  const uint64_t live_first = use.live[0].most, live_last = use.live[2].most;
  if (first >= use.held[1].least || use.held[1].least >= last
      || last - first < MAX (MEMORY_GROWTH_MIN, first / 4)
      || live_last > live_first + (last - first) / 4)
    return false;
  finding_add (f, "first", FIGURE_BYTES, first, "memory.quarters[1].least_held_bytes");
  finding_add (f, "last", FIGURE_BYTES, last, "memory.quarters[3].least_held_bytes");
  finding_add (f, "live_first", FIGURE_BYTES, live_first, "memory.quarters[1].live_bytes");
  finding_add (f, "live_last", FIGURE_BYTES, live_last, "memory.quarters[3].live_bytes");
  finding_add_text (f, "cause", memory_cause (r, last - first), NULL);
  return true;
}

/* ---- events that were not recorded ---- */

#define UNRECORDED_MIN (2 * SECOND)

static bool
has_figures (const struct ghc_summary *s)
{
  struct ghc_figures figures;
  struct ghc_thread sum;
  ghc_figures_init (&figures, s, NULL);
  ghc_threads_sum (&s->threads, &sum);
  const bool has_any = figures.all.collections + figures.all.taken_part + sum.run_ns != 0
                       || figures.has_allocated || figures.has_sparks || figures.has_spark_events
                       || s->heap_profiles.all->len != 0 || s->time_profile.samples != 0
                       || s->memory.has_time;
  ghc_figures_clear (&figures);
  return has_any;
}

static bool
ghc_finding_unrecorded (const struct report *r, struct finding *f)
{
  const struct ghc_log *log = &r->ghc->log;
  const uint64_t duration = log->has_time ? log->last - log->first : 0;
  if (duration < UNRECORDED_MIN || has_figures (r->ghc))
    return false;
  finding_add (f, "events", FIGURE_COUNT, log->events, "log.events");
  finding_add (f, "duration", FIGURE_NS, duration, "log.duration_ns");
  return true;
}

/* ---- all of them ---- */

static const struct finding_rule rules[] = {
#define MONO(name, id, text, command)
#define GHC(name, id, text, command) { id, ghc_finding_##name, text, command },
#include "decoder/views/findings.def"
  { .id = NULL },
};

static void
put_findings (const struct report *r)
{
  findings_put (r, rules);
}

const struct section ghc_section_findings
    = { .key = "findings",
        .put = put_findings,
        .tables = SECTION_TABLES (&findings_shape),
        .features = GHC_FEATURE_THREADS | GHC_FEATURE_PROFILES | GHC_FEATURE_MEMORY
                    | GHC_FEATURE_MARKS | GHC_FEATURE_THREAD_TABLE };
