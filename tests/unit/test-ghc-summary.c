/* test-ghc-summary.c -- figures of small eventlogs, computed by hand; the same figures however a
 * log is read. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-figures.h"
#include "decoder/ghc/ghc-describe.h"
#include "decoder/input/log-input.h"
#include "decoder/views/ghc/ghc-report.h"
#include "tests/unit/eventlog-test.h"
#include "tests/unit/fixtures.h"

#define N GHC_NUMBER

/* All that a summary computes without the order of events. */
enum {
  UNORDERED_FEATURES
  = GHC_FEATURE_THREAD_TABLE | GHC_FEATURE_PROFILES | GHC_FEATURE_MARKS | GHC_FEATURE_TICKY,
};

static void
put_stats (guint64 time, guint generation, guint64 copied, guint64 slop, guint threads,
           guint64 most, guint64 total, guint64 balanced)
{
  ghc_put_kind (block, GHC_GC_STATS_GHC, time, N (4, 0), N (2, generation), N (8, copied),
                N (8, slop), N (8, copied / 2), N (4, threads), N (8, most), N (8, total),
                N (8, balanced), 0);
}

static void
put_allocated (guint64 time, guint64 bytes)
{
  ghc_put_kind (block, GHC_HEAP_ALLOCATED, time, N (4, 0), N (8, bytes), 0);
}

static void
put_sparks (guint64 time, guint64 created, guint64 dud, guint64 overflowed, guint64 converted,
            guint64 gcd, guint64 fizzled)
{
  ghc_put_kind (block, GHC_SPARK_COUNTERS, time, N (8, created), N (8, dud), N (8, overflowed),
                N (8, converted), N (8, gcd), N (8, fizzled), N (8, 0), 0);
}

/* Reads bytes into the summary, this many at a time; with spans or one by one. */
static void
read_bytes (struct ghc_summary *s, const guint8 *bytes, gsize length, gsize piece, bool spans)
{
  struct ghc_reader *reader = ghc_reader_new ();
  const struct ghc_item *item;
  struct ghc_span span;
  for (gsize at = 0; at <= length; at += piece) {
    if (at == length)
      ghc_reader_finish (reader);
    else
      ghc_reader_push (reader, bytes + at, MIN (piece, length - at));
    do
      if (spans && ghc_span_of (reader, &span)) {
        ghc_summary_span (s, &span);
        ghc_span_pass (reader, &span);
      }
    while (ghc_reader_next (reader, &item) == PROFLOG_EVENT && (ghc_summary_item (s, item), true));
    if (length - at < piece && at != length)
      at = length - piece;
  }
  ghc_reader_free (reader);
  ghc_summary_finish (s);
}

static void
summarize (struct ghc_summary *s, guint64 from, guint64 to)
{
  ghc_summary_init (s, &(struct ghc_times){ from, to }, GHC_FEATURE_THREAD_TABLE);
  read_bytes (s, log_bytes->data, log_bytes->len, log_bytes->len, true);
}

/* Three collections on two capabilities.  The first, of generation 0, is led by capability 0 from
 * 1100 to 1800, and capability 1 takes part from 1200 to 2000.  The second, of generation 1, is led
 * by 1 from 5050 to 5450, and 0 takes part from 5000 to 5600.  The third, of generation 1 too, is
 * that of 0 alone, from 9000 to 9400. */
static void
put_collections (void)
{
  ghc_put_kind (block, GHC_REQUEST_PAR_GC, 1000, 0);
  ghc_put_kind (block, GHC_GC_START, 1100, 0);
  ghc_put_kind (block, GHC_GC_WORK, 1150, 0);
  ghc_put_kind (block, GHC_GC_IDLE, 1300, 0);
  ghc_put_kind (block, GHC_GC_DONE, 1400, 0);
  ghc_put_kind (block, GHC_GC_IDLE, 1450, 0);
  put_allocated (1500, 1000);
  ghc_put_kind (block, GHC_GC_GLOBAL_SYNC, 1900, 0);
  put_stats (1910, 0, 100, 50, 2, 60, 100, 80);
  ghc_put_kind (block, GHC_GC_END, 1800, 0); /* 100 + 350 idle */
  ghc_put_kind (block, GHC_HEAP_SIZE, 1950, N (4, 0), N (8, 3 << 20), 0);
  ghc_put_kind (block, GHC_GC_START, 5000, 0);
  ghc_put_kind (block, GHC_GC_IDLE, 5100, 0);
  ghc_put_kind (block, GHC_GC_WORK, 5250, 0);
  put_allocated (5300, 5000);
  ghc_put_kind (block, GHC_GC_END, 5600, 0); /* 150 idle, before that it stood by for 100 */
  put_sparks (5700, 10, 1, 2, 3, 4, 5);
  ghc_put_kind (block, GHC_REQUEST_SEQ_GC, 8700, 0);
  ghc_put_kind (block, GHC_GC_START, 9000, 0);
  put_allocated (9100, 6500);
  ghc_put_kind (block, GHC_GC_GLOBAL_SYNC, 9500, 0);
  put_stats (9510, 1, 50, (guint64) -3, 1, 0, 50, 0); /* the slop may be below 0 */
  ghc_put_kind (block, GHC_GC_END, 9400, 0);
  ghc_put_kind (block, GHC_HEAP_LIVE, 9600, N (4, 0), N (8, 700), 0);
  ghc_put_kind (block, GHC_HEAP_SIZE, 9610, N (4, 0), N (8, 2 << 20), 0);
  put_sparks (9800, 20, 1, 2, 6, 4, 5);
  put_block (0, 500, 9900);

  ghc_put_kind (block, GHC_GC_START, 1200, 0);
  put_allocated (1600, 30);
  ghc_put_kind (block, GHC_GC_END, 2000, 0);
  put_block (1, 400, 2500);
  ghc_put_kind (block, GHC_GC_START, 5050, 0);
  put_allocated (5060, 40);
  ghc_put_kind (block, GHC_GC_GLOBAL_SYNC, 5500, 0);
  put_stats (5510, 1, 200, 11, 2, 120, 200, 100);
  ghc_put_kind (block, GHC_GC_END, 5450, 0);
  ghc_put_kind (block, GHC_HEAP_LIVE, 5520, N (4, 0), N (8, 900), 0);
  ghc_put_kind (block, GHC_SPARK_CREATE, 5530, 0);
  ghc_put_kind (block, GHC_SPARK_STEAL, 5540, N (2, 0), 0);
  ghc_put_kind (block, GHC_SPARK_RUN, 5550, 0);
  ghc_put_kind (block, GHC_SPARK_FIZZLE, 5560, 0);
  put_allocated (9950, 60);
  put_block (1, 2800, 9990); /* 300 ns after the one before */
}

static const struct ghc_generation *
generation (const struct ghc_figures *f, guint i)
{
  return &g_array_index (f->generations, struct ghc_generation, i);
}

EVENTLOG_TEST (test_collections)
{
  struct ghc_summary s;
  struct ghc_figures f;
  double percent;
  put_collections ();
  summarize (&s, 0, G_MAXUINT64);
  ghc_figures_init (&f, &s, NULL);
  assert_int_equal (f.allocated, 6560);
  assert_int_equal (f.copied, 350);
  assert_int_equal (f.max_live, 900);
  assert_int_equal (f.live_samples, 2);
  assert_int_equal (f.max_slop, 11); /* of the oldest generation only */
  assert_int_equal (f.max_size, 3 << 20);
  assert_int_equal (f.fragmentation, 25);
  assert_int_equal (f.total_ns, 9950);
  assert_int_equal (f.gc_ns, 1500);
  assert_int_equal (ghc_figures_mutator_ns (&f), 8450);

  assert_int_equal (f.generations->len, 2);
  assert_int_equal (generation (&f, 0)->collections, 1);
  assert_int_equal (generation (&f, 0)->parallel, 1);
  assert_int_equal (generation (&f, 1)->collections, 2);
  assert_int_equal (generation (&f, 1)->parallel, 1);
  static const guint64 totals[2][GHC_PAUSES] = { { 700, 750, 800, 900 }, { 800, 900, 1000, 1000 } };
  static const guint64 longest[2][GHC_PAUSES] = { { 700, 750, 800, 900 }, { 400, 500, 600, 600 } };
  for (unsigned g = 0; g < 2; g++)
    for (unsigned p = 0; p < GHC_PAUSES; p++) {
      assert_int_equal (generation (&f, g)->pauses[p].total_ns, totals[g][p]);
      assert_int_equal (generation (&f, g)->pauses[p].max_ns, longest[g][p]);
    }
  assert_int_equal (f.all_durations.of[GHC_PAUSE_AVERAGE].max_ns, 750);
  const struct ghc_pause_durations *old
      = &g_array_index (f.durations, struct ghc_pause_durations, 1 + 1);
  assert_int_equal (old->of[GHC_PAUSE_SPAN].count, 2);
  assert_in_range (durations_at (&old->of[GHC_PAUSE_SPAN], 500), 400, 400 + 400 / 128);
  assert_int_equal (durations_at (&old->of[GHC_PAUSE_SPAN], 990), 600);
  /* The size before the first is unknown; the second does not report its own. */
  assert_int_equal (generation (&f, 0)->heap.count, 0);
  assert_int_equal (generation (&f, 1)->heap.count, 1);
  assert_int_equal (generation (&f, 1)->heap.before_bytes, 3 << 20);
  assert_int_equal (generation (&f, 1)->heap.after_bytes, 2 << 20);
  assert_int_equal (generation (&f, 1)->live_samples, 2);
  assert_int_equal (generation (&f, 1)->live_bytes, 900 + 700);
  assert_int_equal (generation (&f, 1)->max_live, 900);
  assert_true (ghc_balance_percent (&f.balance, &percent));
  assert_float_equal (percent, 60, 1e-9); /* 180 of 300 */
  assert_int_equal (f.syncs.count, 2);
  assert_int_equal (f.syncs.total_ns, 400);
  assert_int_equal (f.syncs.max_ns, 300);
  assert_int_equal (f.gaps.count, 1);
  assert_int_equal (f.gaps.total_ns, 300);
  assert_int_equal (f.unmatched, 0);
  assert_int_equal (f.unfinished, 0);

  assert_int_equal (f.sparks[GHC_SPARKS_CREATED], 20);
  assert_int_equal (f.sparks[GHC_SPARKS_CONVERTED], 6);
  assert_int_equal (f.sparks[GHC_SPARKS_FIZZLED], 5);
  assert_int_equal (f.spark_events[GHC_SPARKS_CREATED], 1);
  assert_int_equal (f.spark_events[GHC_SPARKS_CONVERTED], 2);
  assert_int_equal (f.spark_events[GHC_SPARKS_FIZZLED], 1);
  /* Durations of sparks need the order of time, as do threads. */
  s.features = 0;
  assert_false (ghc_summary_needs_order (&s));
  s.features = GHC_FEATURE_SPARK_TIMES;
  assert_true (ghc_summary_needs_order (&s));
  ghc_figures_clear (&f);
  ghc_summary_clear (&s);
}

EVENTLOG_TEST (test_caps)
{
  struct ghc_summary s;
  put_collections ();
  summarize (&s, 0, G_MAXUINT64);
  struct ghc_cap *cap = g_ptr_array_index (s.caps, 0);
  assert_int_equal (ghc_cap_generation (cap, 0)->taken_part, 1);
  assert_int_equal (ghc_cap_generation (cap, 0)->idle_ns, 450);
  assert_int_equal (ghc_cap_generation (cap, 1)->taken_part, 2);
  assert_int_equal (ghc_cap_generation (cap, 1)->collections, 1);
  assert_int_equal (ghc_cap_generation (cap, 1)->own.total_ns, 1000);
  assert_int_equal (ghc_cap_generation (cap, 1)->own.max_ns, 600);
  assert_int_equal (ghc_cap_generation (cap, 1)->idle_ns, 250);
  cap = g_ptr_array_index (s.caps, 1);
  assert_int_equal (ghc_cap_generation (cap, 0)->own.total_ns, 800);
  assert_int_equal (ghc_cap_all_generations (cap).own.total_ns, 1200);
  assert_int_equal (ghc_cap_all_generations (cap).collections, 1);
  assert_int_equal (cap->blocks, 2);
  ghc_summary_clear (&s);
}

/* The second collection, and the third, which ends after the interval. */
EVENTLOG_TEST (test_interval)
{
  struct ghc_summary s;
  struct ghc_figures f;
  put_collections ();
  summarize (&s, 4000, 9200);
  ghc_figures_init (&f, &s, NULL);
  assert_int_equal (f.allocated, 5500 + 10);
  assert_int_equal (f.copied, 250);
  assert_int_equal (f.live_samples, 1);
  assert_int_equal (f.max_live, 900);
  assert_int_equal (f.max_size, 3 << 20); /* reported before, and still so */
  assert_int_equal (f.start, 4000);
  assert_int_equal (f.total_ns, 5200);
  assert_int_equal (f.gc_ns, 600);
  assert_int_equal (generation (&f, 0)->collections, 0);
  assert_int_equal (generation (&f, 1)->collections, 2);
  assert_int_equal (generation (&f, 1)->pauses[GHC_PAUSE_MAIN].total_ns, 800);
  assert_int_equal (generation (&f, 1)->pauses[GHC_PAUSE_SPAN].total_ns, 1000);
  assert_int_equal (f.sparks[GHC_SPARKS_CREATED], 10);
  assert_int_equal (f.sparks[GHC_SPARKS_DUD], 1);
  ghc_figures_clear (&f);
  ghc_summary_clear (&s);
}

/* Parts add up to the whole. */
EVENTLOG_TEST (test_intervals_add_up)
{
  struct ghc_summary s;
  struct ghc_figures f;
  put_collections ();
  for (guint64 at = 0; at < 10000; at += 7) {
    guint64 allocated = 0, copied = 0, gc = 0, total = 0, collections = 0, span = 0, created = 0;
    for (unsigned part = 0; part < 2; part++) {
      summarize (&s, part == 0 ? 0 : at, part == 0 ? at : G_MAXUINT64);
      ghc_figures_init (&f, &s, NULL);
      allocated += f.allocated;
      copied += f.copied;
      gc += f.gc_ns;
      total += f.total_ns;
      collections += f.all.collections;
      span += f.all.pauses[GHC_PAUSE_SPAN].total_ns;
      created += f.sparks[GHC_SPARKS_CREATED];
      ghc_figures_clear (&f);
      ghc_summary_clear (&s);
    }
    assert_int_equal (allocated, 6560);
    assert_int_equal (copied, 350);
    assert_int_equal (gc, 1500);
    assert_int_equal (total, 9950);
    assert_int_equal (collections, 3);
    assert_int_equal (span, 1900);
    assert_int_equal (created, 20);
  }
}

/* Capability 0 is of a process, 1 of another, whose collections overlap with those of 0. */
EVENTLOG_TEST (test_processes)
{
  struct ghc_summary s;
  struct ghc_figures f;
  ghc_put_kind (block, GHC_CAPSET_CREATE, 10, N (4, 3), N (2, GHC_CAPSET_TYPE_OS_PROCESS), 0);
  ghc_put_kind (block, GHC_CAPSET_CREATE, 10, N (4, 1), N (2, GHC_CAPSET_TYPE_CLOCK_DOMAIN), 0);
  ghc_put_kind (block, GHC_CAPSET_CREATE, 300, N (4, 5), N (2, GHC_CAPSET_TYPE_OS_PROCESS), 0);
  ghc_put_kind (block, GHC_CAPSET_ASSIGN_CAP, 310, N (4, 3), N (2, 0), 0);
  ghc_put_kind (block, GHC_CAPSET_ASSIGN_CAP, 310, N (4, 1), N (2, 0), 0);
  ghc_put_kind (block, GHC_CAPSET_ASSIGN_CAP, 310, N (4, 5), N (2, 1), 0);
  ghc_put_kind (block, GHC_CAPSET_ASSIGN_CAP, 310, N (4, 1), N (2, 1), 0);
  ghc_put_kind (block, GHC_TASK_CREATE, 320, N (8, 11), N (2, 0), N (8, 1000), 0);
  ghc_put_kind (block, GHC_TASK_CREATE, 320, N (8, 12), N (2, 0), N (8, 1001), 0);
  ghc_put_kind (block, GHC_TASK_CREATE, 330, N (8, 12), N (2, 0), N (8, 1001),
                0); /* the same one */
  ghc_put_kind (block, GHC_TASK_CREATE, 320, N (8, 13), N (2, 1), N (8, 1002), 0);
  put_block (GHC_NO_CAP, 5, 400);
  put_collections ();
  summarize (&s, 0, G_MAXUINT64);
  GPtrArray *processes = ghc_processes_list (&s.processes);
  assert_int_equal (processes->len, 2);
  ghc_figures_init (&f, &s, g_ptr_array_index (processes, 0));
  assert_int_equal (f.caps, 1);
  assert_int_equal (f.tasks, 2);
  assert_int_equal (f.allocated, 6500);
  assert_int_equal (f.all.collections, 2);
  assert_int_equal (f.all.pauses[GHC_PAUSE_SPAN].total_ns, 1100); /* its own capability alone */
  assert_int_equal (f.unmatched, 1);
  assert_int_equal (f.start, 10);
  assert_int_equal (f.total_ns, 9790);
  ghc_figures_clear (&f);
  ghc_figures_init (&f, &s, g_ptr_array_index (processes, 1));
  assert_int_equal (f.tasks, 1);
  assert_int_equal (f.allocated, 60);
  assert_int_equal (f.all.collections, 1);
  assert_int_equal (f.start, 300);
  assert_int_equal (f.total_ns, 9650);
  ghc_figures_clear (&f);
  ghc_figures_init (&f, &s, NULL);
  assert_int_equal (f.tasks, 3);
  assert_int_equal (f.all.collections, 3);
  ghc_figures_clear (&f);
  g_ptr_array_unref (processes);
  ghc_summary_clear (&s);
}

/* Sizes of the heap that stand in a block of no capability, or outside of any. */
EVENTLOG_TEST (test_heap_outside)
{
  struct ghc_summary s;
  struct ghc_figures f;
  ghc_put_kind (log_bytes, GHC_HEAP_LIVE, 5, N (4, 0), N (8, 700), 0);
  ghc_put_kind (block, GHC_HEAP_LIVE, 10, N (4, 0), N (8, 500), 0);
  ghc_put_kind (block, GHC_HEAP_SIZE, 20, N (4, 0), N (8, 9000), 0);
  put_block (GHC_NO_CAP, 5, 400);
  ghc_put_kind (block, GHC_HEAP_LIVE, 110, N (4, 0), N (8, 600), 0);
  put_block (0, 100, 400);
  summarize (&s, 0, G_MAXUINT64);
  ghc_figures_init (&f, &s, NULL);
  assert_int_equal (f.live_samples, 3);
  assert_int_equal (f.max_live, 700);
  assert_int_equal (f.max_size, 9000);
  assert_int_equal (f.caps, 1);
  ghc_figures_clear (&f);
  ghc_summary_clear (&s);
}

/* Before 7.6 no event reports who leads; of one without start or end nothing is known. */
EVENTLOG_TEST (test_no_leader)
{
  struct ghc_summary s;
  struct ghc_figures f;
  ghc_put_kind (block, GHC_GC_START, 100, 0);
  ghc_put_kind (block, GHC_GC_END, 300, 0);
  ghc_put_kind (block, GHC_GC_END, 400, 0);
  ghc_put_kind (block, GHC_GC_START, 500, 0);
  put_block (0, 50, 600);
  summarize (&s, 0, G_MAXUINT64);
  ghc_figures_init (&f, &s, NULL);
  assert_true (f.has_gc);
  assert_int_equal (f.gc_ns, 200);
  assert_int_equal (f.all.collections, 1);
  assert_int_equal (f.unmatched, 0);
  assert_int_equal (f.unfinished, 2);
  assert_int_equal (f.all.taken_part, 1);
  assert_int_equal (f.all.own.total_ns, 200);
  ghc_figures_clear (&f);
  ghc_summary_clear (&s);
}

/* Four collections whose leader no event states.  The first from 1000 to 1500, which capability 1
 * requested, where it lasts from 1100 to 1400.  The second, of capability 0 alone, from 2000 to
 * 2100.  The third from 3000 to 3400: nobody requested it, and 1 begins and ends at 3300.  In the
 * fourth, from 4000 to 4500, 0 and 1 do not overlap with each other, but both with 2; both
 * requested it, 0 first. */
static void
put_unstated (void)
{
  ghc_put_kind (block, GHC_GC_START, 1000, 0);
  ghc_put_kind (block, GHC_GC_END, 1500, 0);
  ghc_put_kind (block, GHC_GC_START, 2000, 0);
  ghc_put_kind (block, GHC_GC_END, 2100, 0);
  ghc_put_kind (block, GHC_GC_START, 3050, 0);
  ghc_put_kind (block, GHC_GC_END, 3400, 0);
  ghc_put_kind (block, GHC_REQUEST_PAR_GC, 3900, 0);
  ghc_put_kind (block, GHC_GC_START, 4300, 0);
  ghc_put_kind (block, GHC_GC_END, 4500, 0);
  put_block (0, 500, 5000);
  ghc_put_kind (block, GHC_REQUEST_PAR_GC, 990, 0);
  ghc_put_kind (block, GHC_GC_START, 1100, 0);
  ghc_put_kind (block, GHC_GC_END, 1400, 0);
  ghc_put_kind (block, GHC_GC_START, 3000, 0);
  ghc_put_kind (block, GHC_GC_END, 3300, 0);
  ghc_put_kind (block, GHC_REQUEST_PAR_GC, 3950, 0);
  ghc_put_kind (block, GHC_GC_START, 4000, 0);
  ghc_put_kind (block, GHC_GC_END, 4200, 0);
  put_block (1, 500, 5000);
  ghc_put_kind (block, GHC_GC_START, 4100, 0);
  ghc_put_kind (block, GHC_GC_END, 4400, 0);
  put_block (2, 500, 5000);
}

EVENTLOG_TEST (test_unstated_leaders)
{
  struct ghc_summary s;
  struct ghc_figures f;
  put_unstated ();
  summarize (&s, 0, G_MAXUINT64);
  ghc_figures_init (&f, &s, NULL);
  assert_true (f.has_gc);
  assert_false (f.has_stats);
  assert_int_equal (f.all.collections, 4);
  assert_int_equal (f.unreported.collections, 4);
  assert_int_equal (f.generations->len, 0);
  assert_int_equal (f.all.parallel, 3);
  assert_int_equal (f.all.timed, 4);
  assert_int_equal (f.all.taken_part, 8);
  assert_int_equal (f.unmatched, 0);
  assert_int_equal (f.gc_ns, 300 + 100 + 300 + 200);
  assert_int_equal (f.all.pauses[GHC_PAUSE_MAIN].total_ns, 900);
  assert_int_equal (f.all.pauses[GHC_PAUSE_MAIN].max_ns, 300);
  assert_int_equal (f.all.pauses[GHC_PAUSE_SPAN].total_ns, 500 + 100 + 400 + 500);
  assert_int_equal (f.all.pauses[GHC_PAUSE_LONGEST].total_ns, 500 + 100 + 350 + 300);
  assert_int_equal (f.syncs.count, 3);
  assert_int_equal (ghc_cap_all_generations (g_ptr_array_index (s.caps, 0)).collections, 2);
  assert_int_equal (ghc_cap_all_generations (g_ptr_array_index (s.caps, 1)).collections, 2);
  ghc_figures_clear (&f);
  ghc_summary_clear (&s);
}

/* A collection counts if it begins on the capability that leads it in the times that count. */
EVENTLOG_TEST (test_unstated_times)
{
  struct ghc_summary s;
  struct ghc_figures f;
  put_unstated ();
  summarize (&s, 1050, 4300);
  ghc_figures_init (&f, &s, NULL);
  assert_int_equal (f.all.collections, 3);
  assert_int_equal (f.all.pauses[GHC_PAUSE_MAIN].total_ns, 700);
  assert_int_equal (f.gc_ns, 700);
  ghc_figures_clear (&f);
  ghc_summary_clear (&s);
}

/* Of two processes, parts of the same time are two collections. */
EVENTLOG_TEST (test_unstated_processes)
{
  struct ghc_summary s;
  struct ghc_figures f;
  ghc_put_kind (block, GHC_CAPSET_CREATE, 10, N (4, 3), N (2, GHC_CAPSET_TYPE_OS_PROCESS), 0);
  ghc_put_kind (block, GHC_CAPSET_CREATE, 10, N (4, 5), N (2, GHC_CAPSET_TYPE_OS_PROCESS), 0);
  ghc_put_kind (block, GHC_CAPSET_ASSIGN_CAP, 20, N (4, 3), N (2, 0), 0);
  ghc_put_kind (block, GHC_CAPSET_ASSIGN_CAP, 20, N (4, 5), N (2, 1), 0);
  put_block (GHC_NO_CAP, 5, 400);
  for (guint cap = 0; cap < 2; cap++) {
    ghc_put_kind (block, GHC_GC_START, 1000 + cap, 0);
    ghc_put_kind (block, GHC_GC_END, 1500, 0);
    put_block (cap, 500, 2000);
  }
  summarize (&s, 0, G_MAXUINT64);
  ghc_figures_init (&f, &s, NULL);
  assert_int_equal (f.all.collections, 2);
  assert_int_equal (f.all.parallel, 0);
  ghc_figures_clear (&f);
  ghc_summary_clear (&s);
}

/* A counter that falls is another program's, after the first in the same file. */
EVENTLOG_TEST (test_counter)
{
  struct ghc_summary s;
  struct ghc_figures f;
  put_allocated (100, 500);
  put_allocated (200, 700);
  put_allocated (300, 40);
  put_allocated (400, 50);
  put_block (0, 50, 600);
  summarize (&s, 0, G_MAXUINT64);
  ghc_figures_init (&f, &s, NULL);
  assert_int_equal (f.allocated, 750);
  ghc_figures_clear (&f);
  ghc_summary_clear (&s);
}

/* Of more threads than have times of their own only those are listed that have: nothing is known of
 * the others as if it were 0. */
EVENTLOG_TEST (test_many_threads)
{
  enum { MORE = 10 };
  struct ghc_summary s;
  struct view view = { .sections = g_ptr_array_new () };
  const struct ghc_item *item;
  guint rows = 0;
  GString *text = g_string_new (NULL);
  for (guint id = 1; id <= GHC_THREADS_MAX + MORE; id++) {
    ghc_put_kind (block, GHC_RUN_THREAD, 10 * id, N (4, id), 0);
    ghc_put_kind (block, GHC_STOP_THREAD, 10 * id + 3, N (4, id), N (2, GHC_STOP_STATUS_FINISHED),
                  N (4, 0), 0);
  }
  put_block (0, 10, 10 * (GHC_THREADS_MAX + MORE) + 3);
  g_byte_array_append (log_bytes, (const guint8 *) "\377\377", 2);
  ghc_summary_init (&s, &(struct ghc_times){ 0, UINT64_MAX },
                    GHC_FEATURE_THREAD_TABLE | GHC_FEATURE_THREADS);
  struct ghc_reader *reader = ghc_reader_new ();
  ghc_reader_push (reader, log_bytes->data, log_bytes->len);
  while (ghc_reader_next (reader, &item) == PROFLOG_EVENT) {
    ghc_summary_item (&s, item);
    ghc_summary_ordered (&s, item);
  }
  ghc_reader_free (reader);
  ghc_summary_finish (&s);
  assert_int_equal (s.threads.folded, MORE);
  assert_true (ghc_summary_needs_order (&s));
  s.features = GHC_FEATURE_SPARK_TIMES; /* there are none */
  assert_false (ghc_summary_needs_order (&s));
  struct emitter *e = emitter_new (EMITTER_JSON, text);
  g_ptr_array_add (view.sections, (gpointer) &ghc_section_thread_times);
  sections_write_eventlog (e, "test", "log", &s, &view, ghc_report_sections);
  emitter_free (e);
  /* By lines: sanitizers measure the whole text for each search in it. */
  const char *end = text->str + text->len;
  for (const char *line = text->str; line < end;) {
    const char *next = memchr (line, '\n', (size_t) (end - line));
    if (next == NULL)
      next = end;
    rows += g_strstr_len (line, next - line, "\"run_ns\": 3,") != NULL;
    line = next + 1;
  }
  assert_int_equal (rows, GHC_THREADS_MAX);
  assert_null (strstr (text->str, "\"run_ns\": 0,"));
  g_ptr_array_unref (view.sections);
  g_string_free (text, TRUE);
  ghc_summary_clear (&s);
}

/* ---- ways to read ---- */

/* A report with all that needs no order of events, as JSON. */
static GString *
report_of (const guint8 *bytes, gsize length, gsize piece, bool spans, guint64 to)
{
  struct ghc_summary s;
  struct view view = { .verbose = true };
  GString *text = g_string_new (NULL);
  ghc_summary_init (&s, &(struct ghc_times){ 0, to }, UNORDERED_FEATURES);
  read_bytes (&s, bytes, length, piece, spans);
  struct emitter *e = emitter_new (EMITTER_JSON, text);
  sections_write_eventlog (e, "test", "log", &s, &view, ghc_report_sections);
  emitter_free (e);
  ghc_summary_clear (&s);
  return text;
}

static void
check_ways (const guint8 *bytes, gsize length)
{
  static const struct {
    gsize piece;
    bool spans;
  } ways[] = { { 1 << 30, true }, { 4096, true }, { 1000, true }, { 77, true }, { 77, false } };
  for (unsigned part = 0; part < 2; part++) {
    const guint64 to = part == 0 ? G_MAXUINT64 : 5000000;
    GString *expected = report_of (bytes, length, 1 << 30, false, to);
    for (unsigned i = 0; i < G_N_ELEMENTS (ways); i++) {
      GString *found = report_of (bytes, length, ways[i].piece, ways[i].spans, to);
      assert_string_equal (found->str, expected->str);
      g_string_free (found, TRUE);
    }
    g_string_free (expected, TRUE);
  }
}

EVENTLOG_TEST (test_ways)
{
  put_collections ();
  ghc_put_kind (block, GHC_THREAD_LABEL, 9991, N (2, 6), N (4, 1), N (2, 'a' << 8 | 'b'), 0);
  ghc_put_kind (block, GHC_USER_MSG, 9992, N (2, 1), N (1, 'x'), 0);
  put_block (0, 9990, 9999);
  check_ways (log_bytes->data, log_bytes->len);
  /* Cut, and with something else in it. */
  check_ways (log_bytes->data, log_bytes->len - 30);
  memset (log_bytes->data + log_bytes->len - 400, 0, 60);
  check_ways (log_bytes->data, log_bytes->len);
}

EVENTLOG_TEST (test_ways_of_real_logs)
{
  GPtrArray *paths = fixture_paths ("logs", ".eventlog.gz", 20);
  for (guint i = 0; i < paths->len; i++) {
    GByteArray *log = fixture_log (g_ptr_array_index (paths, i));
    check_ways (log->data, log->len);
    g_byte_array_unref (log);
  }
  g_ptr_array_unref (paths);
}

/* An event whose declared size has no room for its fields is unknown, whichever way it is read. */
static void
check_declared_size (const struct ghc_description *d, guint size)
{
  struct ghc_summary s;
  g_byte_array_set_size (log_bytes, 0);
  ghc_put_header_begin (log_bytes);
  ghc_put_type (log_bytes, ghc_describe (GHC_BLOCK_MARKER)->tag, 14, "marker");
  ghc_put_type (log_bytes, d->tag, size, "too small");
  ghc_put_header_end (log_bytes);
  ghc_put_event (block, d->tag, 1000);
  for (guint i = 0; i < size; i++)
    ghc_put (block, 1, 1);
  put_block (0, 900, 2000);
  check_ways (log_bytes->data, log_bytes->len);
  summarize (&s, 0, G_MAXUINT64);
  assert_int_equal (s.log.all_events, 1);
  ghc_summary_clear (&s);
}

EVENTLOG_TEST (test_declared_sizes)
{
  for (guint kind = 0; kind < GHC_KINDS; kind++) {
    const struct ghc_description *d = ghc_describe ((enum ghc_kind) kind);
    const unsigned least = ghc_least_size (d, d->size);
    if (kind == GHC_BLOCK_MARKER || d->size == GHC_VARIABLE || least == 0)
      continue;
    check_declared_size (d, 0);
    check_declared_size (d, least - 1);
  }
}
