/* report-findings.c -- findings of a Mono log: the figures of the rules of findings.def.
 *
 * Thresholds are such that a program without the fault stays below them.
 */
#include "config.h"

#include "decoder/core/steady-growth.h"
#include "decoder/core/whole-number.h"
#include "decoder/mlpd/analyses/calls.h"
#include "decoder/mlpd/analyses/exceptions.h"
#include "decoder/mlpd/analyses/gc.h"
#include "decoder/mlpd/analyses/heapshots.h"
#include "decoder/mlpd/analyses/hot-method.h"
#include "decoder/mlpd/analyses/monitors.h"
#include "decoder/mlpd/analyses/samples.h"
#include "decoder/mlpd/mlpd-origin.h"
#include "decoder/core/library-names.h"
#include "decoder/core/method-words.h"
#include "decoder/mlpd/query/heap-growth.h"
#include "decoder/mlpd/query/waits.h"
#include "decoder/views/findings.h"
#include "decoder/views/recording-cost.h"
#include "decoder/core/chance.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/views/mlpd/report-parts.h"
#include <string.h>

#define MS UINT64_C (1000000)
#define SECOND UINT64_C (1000000000)

static void
add_duration (const struct report *r, struct finding *f)
{
  finding_add (f, "duration", FIGURE_NS, log_duration (&r->s->log), "log.duration_ns");
}

static void
add_class (const struct report *r, struct finding *f, guint klass, const char *path)
{
  char *name = section_class_name (r->s, klass);
  finding_add_text (f, "type", name, path);
  g_free (name);
}

/* ---- exceptions ---- */

#define THROWS_MIN 500
#define THROWS_PER_SECOND_MIN 100

static uint64_t
sum_objects (struct type_sum sum)
{
  return sum.objects;
}

static uint64_t
sum_bytes (struct type_sum sum)
{
  return sum.bytes;
}

/* The class that has more than half of all, which is the first row of its table then. */
static bool
find_main_class (const struct type_sums *types, uint64_t (*value) (struct type_sum sum),
                 uint64_t all, guint *klass)
{
  for (guint i = 0; i < types->classes->len; i++)
    if (value (g_array_index (types->classes, struct type_sum, i)) > all / 2) {
      *klass = i;
      return true;
    }
  return false;
}

static bool
mono_finding_exceptions (const struct report *r, struct finding *f)
{
  const struct exceptions *x = SUMMARY_STATE (r->s, exceptions);
  const uint64_t duration = log_duration (&r->s->log);
  guint klass;
  if (x->throws < THROWS_MIN
      || (double) x->throws * SECOND < (double) duration * THROWS_PER_SECOND_MIN || duration == 0)
    return false;
  finding_add (f, "throws", FIGURE_COUNT, x->throws, "exceptions.throws");
  add_duration (r, f);
  finding_add (f, "rate", FIGURE_COUNT,
               whole_number ((double) x->throws * SECOND / (double) duration), NULL);
  if (find_main_class (&x->types, sum_objects, x->throws, &klass)) {
    finding_add (f, "type_throws", FIGURE_COUNT,
                 g_array_index (x->types.classes, struct type_sum, klass).objects,
                 "exceptions.types[0].throws");
    add_class (r, f, klass, "exceptions.types[0].name");
  }
  return true;
}

/* ---- locks ---- */

#define LOCK_WAIT_MIN (200 * MS)
#define LOCK_CONTENTIONS_MIN 10

/* One that has most of all waiting, which is a tenth of the time or more; NULL: there is none. */
static const struct monitor_sum *
find_lock (const struct report *r)
{
  const struct monitors *m = SUMMARY_STATE (r->s, monitors);
  const uint64_t duration = log_duration (&r->s->log);
  const struct monitor_sum *most = NULL;
  for (guint i = 0; i < m->locks->len; i++) {
    const struct monitor_sum *lock = g_ptr_array_index (m->locks, i);
    if (most == NULL || lock->wait_total_ns > most->wait_total_ns)
      most = lock;
  }
  if (most == NULL || most->wait_total_ns < MAX (LOCK_WAIT_MIN, duration / 10)
      || most->wait_total_ns <= m->all.wait_total_ns / 2
      || most->contentions < LOCK_CONTENTIONS_MIN)
    return NULL;
  return most;
}

static bool
mono_finding_lock (const struct report *r, struct finding *f)
{
  const struct monitors *m = SUMMARY_STATE (r->s, monitors);
  const struct monitor_sum *most = find_lock (r);
  if (most == NULL)
    return false;
  finding_add (f, "wait", FIGURE_NS, most->wait_total_ns, "monitors.objects[0].wait_total_ns");
  finding_add (f, "contentions", FIGURE_COUNT, most->contentions,
               "monitors.objects[0].contentions");
  finding_add_share (f, "share", most->wait_total_ns, m->all.wait_total_ns);
  add_duration (r, f);
  if (most->type_known)
    add_class (r, f, most->type, "monitors.objects[0].type");
  return true;
}

/* ---- sleep ---- */

#define SLEEP_MIN (1 * SECOND)

/* In the table of waits it is after these. */
static guint
count_longer (const struct waits *waits, const struct wait *wait)
{
  guint n = 0;
  for (guint i = 0; i < waits->all->len; i++)
    n += g_array_index (waits->all, struct wait, i).ns > wait->ns;
  return n;
}

static void
add_sleep (const struct report *r, struct finding *f, const struct wait *sleep, guint row)
{
  g_autofree char *path = g_strdup_printf ("waits[%u].method", row);
  finding_add (f, "sleep", FIGURE_NS, sleep->ns, "waits[%u].total_ns", row);
  add_duration (r, f);
  finding_add_share (f, "share", sleep->ns, log_duration (&r->s->log));
  finding_add_text (f, "method", sleep->method, path);
  finding_add (f, "cpu", FIGURE_NS, SUMMARY_STATE (r->s, samples)->cpu_ns, "cpu.total_ns");
}

/* The main thread sleeps in one method for more than half of the time, and no others work
 * meanwhile: a thread that only waits for others, or for input, is as it should be, and so are all
 * other threads.  Returns this wait; NULL: there is none. */
static const struct wait *
find_sleep (const struct report *r, const struct waits *waits)
{
  const struct samples *samples = SUMMARY_STATE (r->s, samples);
  const uint64_t duration = log_duration (&r->s->log);
  const struct wait *most = NULL;
  if (samples->wait_ns < SLEEP_MIN || samples->cpu_ns > duration / 4)
    return NULL;
  for (guint i = 0; i < waits->all->len; i++) {
    const struct wait *w = &g_array_index (waits->all, struct wait, i);
    if (w->kind == WAIT_SLEEP && (most == NULL || w->ns > most->ns)
        && g_strcmp0 (w->thread->name, "Main") == 0)
      most = w;
  }
  return most != NULL && most->ns >= MAX (SLEEP_MIN, duration / 2) ? most : NULL;
}

static bool
mono_finding_sleep (const struct report *r, struct finding *f)
{
  struct waits waits;
  waits_init (&waits, r->s);
  const struct wait *sleep = find_sleep (r, &waits);
  const guint row = sleep != NULL ? count_longer (&waits, sleep) : 0;
  const bool holds = sleep != NULL && (r->view->limit == 0 || row < r->view->limit);
  if (holds)
    add_sleep (r, f, sleep, row);
  waits_clear (&waits);
  return holds;
}

/* ---- pauses ---- */

#define PAUSES_MIN 10
#define PAUSE_TOTAL_MIN (100 * MS)
#define COLLECTION_LONG (500 * MS)

static bool
has_generation (const struct gc_generation *g)
{
  return g->collections != 0 || g->pauses.count != 0;
}

/* Why the pauses of a generation take long. */
static const char *
pause_cause (const struct gc_generation *g, guint generation)
{
  if (g->total_ns < g->pauses.total_ns / 2)
    return "most of it passed while threads were stopped and restarted";
  return generation == 0
             ? "the program allocates a lot"
             : "a large part of the heap stays alive, or the program requests collections";
}

/* The pauses of all generations, and the generation that has most of them. */
struct all_pauses {
  uint64_t total, count, longest_collection;
  guint worst;
};

static struct all_pauses
sum_pauses (const struct report *r)
{
  const struct gc_generation *all = SUMMARY_STATE (r->s, gc)->generations;
  struct all_pauses sum = { 0 };
  for (guint i = 0; i < GC_GENERATIONS; i++) {
    sum.total += all[i].pauses.total_ns;
    sum.count += all[i].pauses.count;
    sum.longest_collection = MAX (sum.longest_collection, all[i].max_ns);
    if (all[i].pauses.total_ns > all[sum.worst].pauses.total_ns)
      sum.worst = i;
  }
  return sum;
}

/* Many pauses that are a fifth of the time, or a long collection in a time of which pauses are
 * enough.  One pause may also be that of a thread that is slow to stop, as at the end of a program;
 * and heap snapshots are pauses for the profiler. */
static bool
has_pauses (const struct report *r, const struct all_pauses *sum)
{
  const uint64_t duration = log_duration (&r->s->log);
  return SUMMARY_STATE (r->s, heapshots)->begun == 0
         && ((sum->count >= PAUSES_MIN && sum->total >= PAUSE_TOTAL_MIN
              && sum->total >= duration / 5)
             || (sum->longest_collection >= COLLECTION_LONG
                 && sum->total >= duration / FINDING_SHARE));
}

static bool
mono_finding_pauses (const struct report *r, struct finding *f)
{
  const uint64_t duration = log_duration (&r->s->log);
  const struct gc_generation *all = SUMMARY_STATE (r->s, gc)->generations;
  const struct all_pauses sum = sum_pauses (r);
  const guint worst = sum.worst;
  guint row = 0;
  if (!has_pauses (r, &sum))
    return false;
  for (guint i = 0; i < worst; i++)
    row += has_generation (&all[i]);
  const struct gc_generation *g = &all[worst];
  finding_add (f, "pause", FIGURE_NS, sum.total, NULL);
  add_duration (r, f);
  finding_add_share (f, "share", sum.total, duration);
  finding_add (f, "generation", FIGURE_COUNT, worst, "gc.generations[%u].generation", row);
  finding_add (f, "worst", FIGURE_NS, g->pauses.total_ns, "gc.generations[%u].pause_total_ns", row);
  finding_add (f, "pauses", FIGURE_COUNT, g->pauses.count, "gc.generations[%u].pauses", row);
  finding_add (f, "longest", FIGURE_NS, g->pauses.max_ns, "gc.generations[%u].pause_max_ns", row);
  finding_add_text (f, "cause", pause_cause (g, worst), NULL);
  return true;
}

/* ---- waiting ---- */

#define WAITING_MIN (1 * SECOND)
#define WORK_MAX 15 /* percent of the time of one processor */

/* Threads used next to nothing of the time, and nothing else says why.  Pauses are the collector's
 * work. */
static bool
has_little_work (const struct report *r)
{
  const struct samples *samples = SUMMARY_STATE (r->s, samples);
  const uint64_t duration = log_duration (&r->s->log);
  const struct all_pauses pauses = sum_pauses (r);
  return duration >= WAITING_MIN && r->s->log.lost_events == 0
         && samples->cpu_ns < duration / 100 * WORK_MAX
         && pauses.total < duration / 100 * WORK_MAX - samples->cpu_ns && !has_pauses (r, &pauses)
         && find_lock (r) == NULL;
}

/* The words for a wait, after the method that waits. */
static const char *
wait_words (enum wait_kind kind)
{
  static const char *const words[WAIT_KINDS] = {
    [WAIT_LOCK] = " for locks",
    [WAIT_EVENT] = " for events",
    [WAIT_JOIN] = " for the end of threads",
    [WAIT_CHILD] = " for child processes",
    [WAIT_SLEEP] = ", which sleeps",
    [WAIT_IO] = " for input and output",
    [WAIT_POLL] = " for input",
    [WAIT_GC] = " for the collector",
  };
  return words[kind] != NULL ? words[kind] : "";
}

/* The first row of the table; NULL: it has none. */
static const struct wait_sum *
find_main_wait (const GArray *sums)
{
  const struct wait_sum *most = NULL;
  for (guint i = 0; i < sums->len; i++) {
    const struct wait_sum *sum = &g_array_index (sums, struct wait_sum, i);
    if (most == NULL || sum->ns > most->ns)
      most = sum;
  }
  return most;
}

#define POOL_THREADS_MIN 4

/* The threads of the pool that waited so.  Mono names them. */
static guint
count_pool_threads (const struct waits *waits, const struct wait_sum *most)
{
  guint n = 0;
  for (guint i = 0; i < waits->all->len; i++) {
    const struct wait *w = &g_array_index (waits->all, struct wait, i);
    n += w->kind == most->kind && g_strcmp0 (w->method, most->method) == 0
         && g_strcmp0 (w->thread->name, "Thread Pool Worker") == 0;
  }
  return n;
}

static void
add_wait (const struct report *r, struct finding *f, const struct wait_sum *most,
          const struct waits *waits)
{
  const guint pool = count_pool_threads (waits, most);
  g_autofree char *threads = g_strdup_printf ("%" G_GUINT64_FORMAT " %s", most->threads,
                                              most->threads == 1 ? "thread" : "threads");
  finding_add (f, "cpu", FIGURE_NS, SUMMARY_STATE (r->s, samples)->cpu_ns, "cpu.total_ns");
  add_duration (r, f);
  finding_add (f, "wait", FIGURE_NS, most->ns, "wait_methods[0].total_ns");
  finding_add_share (f, "share", most->ns, waits->total_ns);
  finding_add_text (f, "method", most->method, "wait_methods[0].method");
  finding_add_text (f, "threads", threads, NULL);
  finding_add_text (f, "what", wait_words (most->kind), NULL);
  if (most->kind == WAIT_EVENT && pool >= POOL_THREADS_MIN && pool > most->threads / 2)
    finding_add (f, "pool", FIGURE_COUNT, pool, NULL);
}

/* Of samples of the wall clock, unless the main thread sleeps, which has a sentence of its own. */
static bool
mono_finding_waits (const struct report *r, struct finding *f)
{
  struct waits waits;
  if (SUMMARY_STATE (r->s, samples)->wait_ns == 0 || !has_little_work (r))
    return false;
  waits_init (&waits, r->s);
  g_autoptr (GArray) sums = waits_by_method (&waits);
  const struct wait_sum *most = find_main_wait (sums);
  const bool holds = most != NULL && most->ns >= log_duration (&r->s->log) / 2
                     && most->ns >= waits.total_ns / FINDING_SHARE
                     && find_sleep (r, &waits) == NULL;
  if (holds)
    add_wait (r, f, most, &waits);
  waits_clear (&waits);
  return holds;
}

/* Of samples of processor time, which do not see waiting threads.  A recording that was paused has
 * none of a part of the time. */
static bool
mono_finding_little_work (const struct report *r, struct finding *f)
{
  const struct samples *samples = SUMMARY_STATE (r->s, samples);
  const uint64_t interval = mlpd_header_cpu_sample_interval (&r->s->log.header),
                 cpu = samples->cpu_ns;
  const char *arguments = r->s->log.header.arguments.text;
  if (interval == 0 || samples->wait_ns != 0 || !has_little_work (r)
      || (arguments != NULL && strstr (arguments, "paused") != NULL))
    return false;
  if (cpu != 0) {
    finding_add (f, "cpu", FIGURE_NS, cpu, "cpu.total_ns");
  } else {
    g_autofree char *one = figure_text (FIGURE_NS, interval);
    g_autofree char *less = g_strconcat ("less than ", one, NULL);
    finding_add_text (f, "cpu", less, NULL);
  }
  add_duration (r, f);
  finding_add_share (f, "share", cpu, log_duration (&r->s->log));
  return true;
}

/* ---- processor time ---- */

#define HOT_HITS_MIN 50

static char *
words_for (const struct report *r, guint method)
{
  g_autofree char *name = section_method_name (r->s, method);
  return method_words (name, false);
}

/* One method of the program has more than half of the processor time, for sure. */
static bool
mono_finding_hot (const struct report *r, struct finding *f)
{
  const struct samples *samples = SUMMARY_STATE (r->s, samples);
  struct hot_method hot;
  if (samples->cpu_ns == 0 || samples_own_hits (samples) < HOT_HITS_MIN
      || !hot_method_find (samples, &r->s->symbols, &hot))
    return false;
  const double share = (double) hot.hits / (double) hot.of,
               weighed = samples_of_one_weight (samples),
               error = chance_share_error (share * weighed, weighed);
  if (share - error < 0.5)
    return false;
  g_autofree char *range = g_strdup_printf ("%.0f", 100 * error + 0.5);
  g_autofree char *method = words_for (r, hot.method);
  g_autofree char *caller = hot.has_caller ? words_for (r, hot.caller) : NULL;
  finding_add_share (f, "share", hot.hits, hot.of);
  finding_add_text (f, "error", range, NULL);
  finding_add (f, "hits", FIGURE_COUNT, hot.hits, NULL);
  finding_add (f, "cpu", FIGURE_NS, samples->cpu_ns, "cpu.total_ns");
  finding_add_text (f, "method", method, NULL);
  if (caller != NULL && strcmp (caller, method) != 0) /* lambdas in one method have one name */
    finding_add_text (f, "caller", caller, NULL);
  return true;
}

/* ---- allocations ---- */

#define GARBAGE_COLLECTIONS_MIN 50
#define GARBAGE_SHARE 3 /* a part of the processor time */

/* A large part of the processor time is in allocations and the collections that they begin, and the
 * log does not show the allocations. */
static bool
mono_finding_garbage (const struct report *r, struct finding *f)
{
  const struct samples *samples = SUMMARY_STATE (r->s, samples);
  const struct gc_generation *all = SUMMARY_STATE (r->s, gc)->generations;
  const GArray *names = r->s->symbols.all[SYMBOL_METHOD];
  const uint64_t own = samples_own_hits (samples);
  uint64_t hits = 0, collections = 0;
  for (guint i = 0; i < samples->methods->len; i++) {
    const char *const name = g_array_index (names, struct symbol, i).name;
    if (name != NULL && library_names_allocates (name))
      hits += g_array_index (samples->methods, struct sample_sum, i).hits;
  }
  for (guint i = 0; i < GC_GENERATIONS; i++)
    collections += all[i].collections;
  if (samples->cpu_ns == 0 || own < HOT_HITS_MIN || hits < own / GARBAGE_SHARE
      || collections < GARBAGE_COLLECTIONS_MIN || r->s->allocations.objects != 0)
    return false;
  finding_add_share (f, "share", hits, own);
  finding_add (f, "cpu", FIGURE_NS, samples->cpu_ns, "cpu.total_ns");
  finding_add (f, "collections", FIGURE_COUNT, collections, NULL);
  add_duration (r, f);
  return true;
}

#define ALLOCATED_MIN UINT64_C (100000000)
#define ALLOCATED_PER_SECOND_MIN 10e6 /* recording makes programs slow */

/* One class has more than half of all bytes, at a high rate. */
static bool
mono_finding_allocations (const struct report *r, struct finding *f)
{
  const struct allocations *a = &r->s->allocations;
  const uint64_t duration = log_duration (&r->s->log);
  const double rate = duration != 0 ? (double) a->bytes * 1e9 / (double) duration : 0;
  guint klass;
  if (a->bytes < ALLOCATED_MIN || rate < ALLOCATED_PER_SECOND_MIN
      || !find_main_class (&a->types, sum_bytes, a->bytes, &klass))
    return false;
  const struct type_sum *sum = &g_array_index (a->types.classes, struct type_sum, klass);
  add_class (r, f, klass, "allocations.types[0].name");
  finding_add (f, "type_bytes", FIGURE_BYTES, sum->bytes, "allocations.types[0].bytes");
  finding_add (f, "type_objects", FIGURE_COUNT, sum->objects, "allocations.types[0].objects");
  finding_add (f, "bytes", FIGURE_BYTES, a->bytes, "allocations.bytes");
  finding_add_share (f, "share", sum->bytes, a->bytes);
  finding_add (f, "rate", FIGURE_BYTES, whole_number (rate), NULL);
  if (recording_cost_is_large (r->s))
    finding_add_text (f, "slowed", "slowed by the recording", NULL);
  return true;
}

/* ---- heap snapshots ---- */

#define SHOTS_MIN 3 /* make a trend, as 'proflog heap leaks' has it */
#define GROWTH_MIN UINT64_C (1000000)

/* Snapshots that are taken while a program ends, at most. */
#define SHOTS_AT_END 2

static const struct heapshot *
nth_shot (const GPtrArray *shots, const GArray *places, guint i)
{
  return g_ptr_array_index (shots, g_array_index (places, guint, i));
}

/* Places of the complete snapshots in the list, without those of the program's end, where most is
 * freed (transfer container). */
static GArray *
complete_shots (const GPtrArray *shots)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (guint));
  guint largest = 0;
  for (guint i = 0; i < shots->len; i++) {
    const struct heapshot *shot = g_ptr_array_index (shots, i);
    if (shot->state != HEAPSHOT_COMPLETE)
      continue;
    g_array_append_val (places, i);
    if (shot->bytes >= nth_shot (shots, places, largest)->bytes)
      largest = places->len - 1;
  }
  if (largest + SHOTS_AT_END + 1 >= places->len && places->len != 0
      && nth_shot (shots, places, places->len - 1)->bytes
             < nth_shot (shots, places, largest)->bytes / 2)
    g_array_set_size (places, largest + 1);
  return places;
}

/* By half and more, to the end; and still so in the later half of them, when a program has all that
 * it needs. */
static bool
is_growing (const GPtrArray *shots, const GArray *places)
{
  const guint n = places->len, parts = MIN (n, (guint) STEADY_GROWTH_PARTS);
  double means[STEADY_GROWTH_PARTS] = { 0 };
  if (n < SHOTS_MIN
      || (int64_t) (nth_shot (shots, places, n - 1)->time - nth_shot (shots, places, 0)->time)
             < HEAP_GROWTH_SPAN)
    return false;
  const uint64_t first = nth_shot (shots, places, 0)->bytes;
  const uint64_t last = nth_shot (shots, places, n - 1)->bytes;
  for (guint i = 0; i < n; i++) {
    const guint part = (guint) ((uint64_t) i * parts / n);
    const guint from = (part * n + parts - 1) / parts, to = ((part + 1) * n + parts - 1) / parts;
    means[part] += (double) nth_shot (shots, places, i)->bytes / (to - from);
  }
  return steady_growth (means, parts) && last > first && last - first >= MAX (GROWTH_MIN, first / 2)
         && (double) last >= means[parts - 2];
}

static bool
is_growing_always (const GPtrArray *shots, const GArray *places)
{
  for (guint i = 1; i < places->len; i++)
    if (nth_shot (shots, places, i)->bytes <= nth_shot (shots, places, i - 1)->bytes)
      return false;
  return true;
}

static void
add_shot (struct finding *f, const GPtrArray *shots, guint place, const char *bytes,
          const char *index)
{
  const struct heapshot *shot = g_ptr_array_index (shots, place);
  finding_add (f, bytes, FIGURE_BYTES, shot->bytes, "heapshots[%u].bytes", place);
  finding_add (f, index, FIGURE_COUNT, shot->index, "heapshots[%u].index", place);
}

static bool
mono_finding_growth (const struct report *r, struct finding *f)
{
  const GPtrArray *shots = SUMMARY_STATE (r->s, heapshots)->shots;
  g_autoptr (GArray) places = complete_shots (shots);
  if (!is_growing (shots, places))
    return false;
  add_shot (f, shots, g_array_index (places, guint, 0), "first", "from");
  add_shot (f, shots, g_array_index (places, guint, places->len - 1), "last", "to");
  if (is_growing_always (shots, places))
    finding_add (f, "shots", FIGURE_COUNT, places->len, NULL);
  return true;
}

/* The class whose objects have grown most, to the last snapshot; NULL: none does. */
static const struct heap_series *
find_growing_class (const struct heap_growth *g)
{
  const struct heap_series *most = NULL;
  uint64_t most_bytes = 0;
  for (guint i = 0; i < g->classes->len; i++) {
    const struct heap_series *s = g_ptr_array_index (g->classes, i);
    const guint last = g->n_shots - 1, since = s->since,
                late = last > since + HEAP_GROWTH_END ? last - HEAP_GROWTH_END : since;
    if (since == HEAP_NOT_GROWING
        || !heap_growth_goes_on (s->shots[since].objects, s->shots[late].objects,
                                 s->shots[last].objects, last - since, last - late))
      continue;
    const uint64_t now = s->shots[last].bytes, before = s->shots[since].bytes;
    if (now > before && now - before > most_bytes) {
      most = s;
      most_bytes = now - before;
    }
  }
  return most_bytes >= GROWTH_MIN
                 && most_bytes >= g->all.shots[g->n_shots - 1].bytes / FINDING_SHARE
             ? most
             : NULL;
}

/* Of the suspects of `proflog heap leaks`, the class whose objects have grown most; NULL: there are
 * none. */
static const struct heap_series *
find_suspect (const struct heap_growth *g, GHashTable *suspects)
{
  const guint last = g->n_shots - 1;
  const struct heap_series *most = NULL;
  for (guint i = 0; i < g->classes->len; i++) {
    const struct heap_series *s = g_ptr_array_index (g->classes, i);
    if (s->since != HEAP_NOT_GROWING && g_hash_table_contains (suspects, s->name)
        && s->shots[last].bytes > s->shots[s->since].bytes
        && (most == NULL
            || s->shots[last].bytes - s->shots[s->since].bytes
                   > most->shots[last].bytes - most->shots[most->since].bytes))
      most = s;
  }
  return most;
}

/* Growth up to the last complete snapshot. */
struct growth_found {
  bool is_whole;                  /* the heap as a whole does */
  const struct heap_series *most; /* the class that does most; NULL: none does by enough */
  struct heap_growth all;
};

/* False if nothing grows; then nothing is to be cleared. */
static bool
find_growth (const struct summary *s, struct growth_found *found)
{
  const GPtrArray *shots = SUMMARY_STATE (s, heapshots)->shots;
  g_autoptr (GArray) places = complete_shots (shots);
  if (places->len < SHOTS_MIN)
    return false;
  heap_growth_init (&found->all, s, nth_shot (shots, places, places->len - 1)->index);
  found->is_whole = is_growing (shots, places);
  found->most = find_growing_class (&found->all);
  if (found->is_whole || found->most != NULL)
    return true;
  heap_growth_clear (&found->all);
  return false;
}

static void
add_growth (struct finding *f, const struct heap_growth *growth, const struct heap_series *most)
{
  const guint last = growth->n_shots - 1;
  finding_add_text (f, "type", most->name, NULL);
  finding_add (f, "before", FIGURE_COUNT, most->shots[most->since].objects, NULL);
  finding_add (f, "from", FIGURE_COUNT, growth->indexes[most->since], NULL);
  finding_add (f, "now", FIGURE_COUNT, most->shots[last].objects, NULL);
  finding_add (f, "to", FIGURE_COUNT, growth->indexes[last], NULL);
  finding_add (f, "bytes", FIGURE_BYTES, most->shots[last].bytes, NULL);
  finding_add (f, "heap", FIGURE_BYTES, growth->all.shots[last].bytes, NULL);
}

/* A class grows, though the heap as a whole may not; or the objects that accumulate in one that
 * does are known. */
static bool
mono_finding_class_growth (const struct report *r, struct finding *f)
{
  GHashTable *const suspects = r->view->suspects;
  struct growth_found found;
  if (!find_growth (r->s, &found))
    return false;
  const struct heap_series *const suspect
      = suspects != NULL ? find_suspect (&found.all, suspects) : NULL;
  const struct heap_series *const most = suspect != NULL || found.is_whole ? suspect : found.most;
  if (most != NULL)
    add_growth (f, &found.all, most);
  if (suspect != NULL)
    finding_add_text (f, "way", g_hash_table_lookup (suspects, suspect->name), NULL);
  heap_growth_clear (&found.all);
  return most != NULL;
}

bool
report_findings_heap_grows (const struct summary *s)
{
  struct growth_found found;
  const bool grows = find_growth (s, &found);
  if (grows)
    heap_growth_clear (&found.all);
  return grows;
}

/* ---- events that were not recorded ---- */

/* With the stock profiler, a program that does nothing may take a second to end. */
#define UNRECORDED_MIN (2 * SECOND)

/* Do the module's options request it, though the program may have had no such event? */
static bool
is_requested (const struct log *log)
{
  static const char *const options[] = { "sample", "calls", "alloc", "heapshot" };
  const char *arguments = log->header.arguments.text;
  for (guint i = 0; arguments != NULL && i < G_N_ELEMENTS (options); i++)
    if (strstr (arguments, options[i]) != NULL)
      return true;
  return false;
}

static bool
mono_finding_recording (const struct report *r, struct finding *f)
{
  const struct samples *s = SUMMARY_STATE (r->s, samples);
  const char *const advice = recording_cost_advice (r->s);
  if (!recording_cost_is_large (r->s) || s->recording_ns == 0)
    return false;
  finding_add (f, "recording", FIGURE_NS, s->recording_ns, "cpu.recording_ns");
  finding_add (f, "cpu", FIGURE_NS, s->cpu_ns, "cpu.total_ns");
  finding_add_share (f, "share", s->recording_ns, s->cpu_ns);
  if (advice != NULL)
    finding_add_text (f, "advice", advice, NULL);
  return true;
}

static bool
mono_finding_interpreter (const struct report *r, struct finding *f)
{
  const struct calls *calls = SUMMARY_STATE (r->s, calls);
  const struct samples *s = SUMMARY_STATE (r->s, samples);
  const uint64_t hits = samples_interpreted_hits (s, &r->s->symbols);
  if (hits == 0 || calls->total + calls->skipped != 0)
    return false;
  finding_add (f, "interpreted", FIGURE_COUNT, hits, NULL);
  finding_add (f, "hits", FIGURE_COUNT, samples_own_hits (s), NULL);
  finding_add_share (f, "share", hits, samples_own_hits (s));
  return true;
}

static bool
mono_finding_unrecorded (const struct report *r, struct finding *f)
{
  const struct summary *s = r->s;
  const struct calls *calls = SUMMARY_STATE (s, calls);
  if (log_duration (&s->log) < UNRECORDED_MIN || SUMMARY_STATE (s, samples)->hits != 0
      || calls->total + calls->skipped != 0 || s->allocations.objects != 0
      || SUMMARY_STATE (s, heapshots)->begun != 0 || is_requested (&s->log))
    return false;
  finding_add (f, "events", FIGURE_COUNT, s->log.events, "log.events");
  add_duration (r, f);
  return true;
}

/* ---- all of them ---- */

static const struct finding_rule rules[] = {
#define MONO(name, id, text, command) { id, mono_finding_##name, text, command },
#define GHC(name, id, text, command)
#include "decoder/views/findings.def"
  { .id = NULL },
};

static void
put_findings (const struct report *r)
{
  findings_put (r, rules);
}

char *
report_findings_first (const struct summary *s, const char **id)
{
  const struct view view = { .limit = 0 };
  const struct report r = { .s = s, .view = &view };
  return findings_first (&r, rules, id);
}

const struct section section_findings
    = { .key = "findings", .put = put_findings, .tables = SECTION_TABLES (&findings_shape) };
