/* test-findings.c -- each rule of findings.def: a log that it holds for, with the figures that the
 * log was made of, and one that it does not hold for. */
#include "config.h"

#include "decoder/ghc/ghc-describe.h"
#include "decoder/views/findings.h"
#include "decoder/views/ghc/ghc-report.h"
#include "decoder/views/mlpd/report.h"
#include "tests/unit/eventlog-test.h"
#include "tests/unit/summary-test.h"

#include <string.h>

#define N GHC_NUMBER

#define MS UINT64_C (1000000)
#define SECOND UINT64_C (1000000000)

enum { T1 = 1, KLASS = 0x100, OTHER_CLASS = 0x200, LOCK = 0x8000, OTHER_LOCK = 0x9000 };

/* ---- logs of Mono ---- */

static char *
print_mono (enum emitter_format format, struct view view)
{
  GString *out = g_string_new (NULL);
  struct emitter *e = emitter_new (format, out);
  emitter_set_columns (e, 80);
  view.sections = sections_parse (report_sections, "findings", NULL);
  sections_write (e, REPORT_SCHEMA, "my log.mlpd", &summary, &view, report_sections);
  emitter_free (e);
  g_ptr_array_unref (view.sections);
  return g_string_free (out, FALSE);
}

/* Followed by the number of events. */
#define NOTHING "Findings\n  None: nothing unusual in "

static void
assert_findings (const char *text, const char *expected)
{
  if (g_str_equal (expected, NOTHING))
    assert_true (g_str_has_prefix (text, NOTHING));
  else
    assert_string_equal (text, expected);
}

static void
expect_text (const char *expected)
{
  char *text = print_mono (EMITTER_TEXT, (struct view){ 0 });
  assert_findings (text, expected);
  g_free (text);
}

static void
expect_none (void)
{
  expect_text (NOTHING);
}

/* The log lasts for this long, and the events of `put` are from 0 on. */
static void
summarize_bare (uint64_t duration, void (*put) (uint64_t number), uint64_t number)
{
  const struct scan_options options = { .types = true };
  script_begin (&script);
  script_buffer (&script, T1, 0);
  script_class (&script, 0, KLASS, "Game.Thing");
  script_class (&script, 0, OTHER_CLASS, "Game.Other");
  put (number);
  script_buffer (&script, T1, duration);
  script_class (&script, duration, 0x300, "Game.Last");
  script_summarize_with (&script, &summary, &options);
}

static void (*put_more) (uint64_t number);

static void
put_with_call (uint64_t number)
{
  script_enter (&script, 0, 0x7000);
  script_leave (&script, 0, 0x7000);
  put_more (number);
}

/* The same with a call, so that something of time is recorded. */
static void
summarize_mono (uint64_t duration, void (*put) (uint64_t number), uint64_t number)
{
  put_more = put;
  summarize_bare (duration, put_with_call, number);
}

/* Throws of one type but for one in four; a class that is announced with a throw is its type. */
static void
put_throws (uint64_t number)
{
  for (uint64_t i = 0; i < number; i++) {
    script_class (&script, i, i % 4 == 0 ? OTHER_CLASS : KLASS,
                  i % 4 == 0 ? "Game.Other" : "Game.Thing");
    script_throw (&script, i, 0x10000 + 64 * i);
  }
}

TEST_WITH (test_exceptions, NULL, summary_test_end)
{
  summarize_mono (2 * SECOND, put_throws, 1000);
  expect_text ("Findings\n"
               "  - 1000 exceptions were thrown in 2.00 s, 500 each second; 750 of them are\n"
               "    Game.Thing.  Throwing is slow: check the condition instead (as int.TryParse\n"
               "    does).\n"
               "      proflog report --reports exceptions --traces 'my log.mlpd'\n");
}

TEST_WITH (test_few_exceptions, NULL, summary_test_end)
{
  summarize_mono (2 * SECOND, put_throws, 499);
  expect_none ();
}

TEST_WITH (test_rare_exceptions, NULL, summary_test_end)
{
  summarize_mono (11 * SECOND, put_throws, 1000);
  expect_none ();
}

static void
put_wait (uint64_t time, uint64_t lock, uint64_t ns)
{
  script_monitor (&script, time, MLPD_MONITOR_EVENT_CONTENTION, lock);
  script_monitor (&script, time + ns, MLPD_MONITOR_EVENT_DONE, lock);
}

/* Twenty waits for one lock, this long each, and one of 100 ms for another. */
static void
put_waits (uint64_t ms)
{
  for (uint64_t i = 0; i < 20; i++)
    put_wait (MS + i * 60 * MS, LOCK, ms * MS);
  put_wait (1300 * MS, OTHER_LOCK, 100 * MS);
}

TEST_WITH (test_lock, NULL, summary_test_end)
{
  summarize_mono (2 * SECOND, put_waits, 20);
  expect_text ("Findings\n"
               "  - Threads waited 400 ms for one lock, 20 times, in a run of 2.00 s: 80 % of\n"
               "    all waiting for monitors.\n"
               "      proflog report --reports monitors --traces 'my log.mlpd'\n");
}

TEST_WITH (test_short_waits, NULL, summary_test_end)
{
  summarize_mono (1500 * MS, put_waits, 9);
  expect_none ();
}

static void
put_two_locks (uint64_t ms)
{
  for (uint64_t i = 0; i < 20; i++) {
    put_wait (MS + i * 60 * MS, LOCK, ms * MS);
    put_wait (31 * MS + i * 60 * MS, OTHER_LOCK, ms * MS);
  }
}

TEST_WITH (test_two_locks, NULL, summary_test_end)
{
  summarize_mono (2 * SECOND, put_two_locks, 20);
  expect_none ();
}

TEST_WITH (test_long_run, NULL, summary_test_end)
{
  summarize_mono (5 * SECOND, put_waits, 20);
  expect_none ();
}

/* ---- samples by the wall clock ---- */

enum {
  FINALIZER = 4,
  MAIN_THREAD = 5,
  POOL_THREAD = 6, /* and more */
  SLEEP = 0x7100,
  POLL = 0x7200,
  WAIT = 0x7300,
  EVENT = 0x7400,
  NATIVE = 0xf000,
  SCATTERED = 0x20000
};

static void
name_thread (uint64_t thread, const char *name)
{
  const union mlpd_payload event
      = { .metadata_thread
          = { .action = MLPD_LOAD_NAME, .thread = thread, .name = { name, strlen (name) } } };
  script_event (&script, MLPD_METADATA_THREAD, &event);
}

/* A hit of a thread in a wrapper that a method of the program called: it waited, but for
 * `cpu_ms`. */
static void
put_long_hit (uint64_t time, uint64_t thread, uint64_t wrapper, uint64_t ms, uint64_t cpu_ms)
{
  const uint64_t ip = NATIVE;
  const struct mlpd_frame frames[] = { { .method = wrapper }, { .method = POLL } };
  const union mlpd_payload hit
      = { .sample_hit
          = { .time = time, .thread = thread, .ips = { &ip, 1 }, .frames = { frames, 2 } } };
  const struct mlpd_counter_value values[]
      = { { MLPD_SAMPLE_ELAPSED_INDEX, MLPD_COUNTER_TYPE_ULONG, .number = ms * MS },
          { MLPD_SAMPLE_CPU_INDEX, MLPD_COUNTER_TYPE_ULONG, .number = cpu_ms * MS } };
  const union mlpd_payload usage = { .sample_counters = { .time = time, .values = { values, 2 } } };
  script_event (&script, MLPD_SAMPLE_HIT, &hit);
  script_event (&script, MLPD_SAMPLE_COUNTERS, &usage);
}

/* Every 100 ms. */
static void
put_hit (uint64_t time, uint64_t thread, uint64_t wrapper, uint64_t cpu_ms)
{
  put_long_hit (time, thread, wrapper, 100, cpu_ms);
}

/* Two seconds, for some tenths of which one thread is in the wrapper; the pool sleeps all the
 * time. */
static void
begin_waits (void)
{
  script_begin_version (&script, 17);
  script_buffer (&script, T1, 0);
  script_jit (&script, 0, SLEEP, 0, 0,
              "(wrapper managed-to-native) System.Threading.Thread:SleepInternal (int)");
  script_jit (&script, 0, WAIT, 0, 0,
              "(wrapper managed-to-native) System.Threading.Thread:JoinInternal (int)");
  script_jit (&script, 0, POLL, 0, 0, "Game.Thing:Poll ()");
  name_thread (MAIN_THREAD, "Main");
  name_thread (POOL_THREAD, "Thread Pool Worker");
}

static void
summarize_waits (uint64_t thread, uint64_t wrapper, uint64_t hits, uint64_t cpu_ms)
{
  begin_waits ();
  for (uint64_t i = 1; i <= 20; i++) {
    if (i <= hits)
      put_hit (100 * MS * i, thread, wrapper, cpu_ms);
    put_hit (100 * MS * i, POOL_THREAD, SLEEP, 0);
  }
  script_summarize (&script, &summary);
}

TEST_WITH (test_sleep, NULL, summary_test_end)
{
  summarize_waits (MAIN_THREAD, SLEEP, 12, 10);
  expect_text ("Findings\n"
               "  - The main thread slept for 1.08 s of 2.00 s (54 %) in Game.Thing:Poll (), and\n"
               "    the program used the processor for only 120 ms: it sleeps for a fixed time;\n"
               "    waiting for an event may be faster.\n"
               "      proflog report --reports waits 'my log.mlpd'\n");
}

/* The same in one hit: its time counts. */
TEST_WITH (test_sleep_in_one_hit, NULL, summary_test_end)
{
  begin_waits ();
  put_long_hit (2 * SECOND, MAIN_THREAD, SLEEP, 1200, 120);
  script_summarize (&script, &summary);
  expect_text ("Findings\n"
               "  - The main thread slept for 1.08 s of 2.00 s (54 %) in Game.Thing:Poll (), and\n"
               "    the program used the processor for only 120 ms: it sleeps for a fixed time;\n"
               "    waiting for an event may be faster.\n"
               "      proflog report --reports waits 'my log.mlpd'\n");
}

/* Then it is another thread that waits most. */
TEST_WITH (test_short_sleep, NULL, summary_test_end)
{
  summarize_waits (MAIN_THREAD, SLEEP, 11, 10);
  expect_text ("Findings\n"
               "  - The program waits: its threads ran 110 ms in 2.00 s; 2 threads waited in\n"
               "    Game.Thing:Poll (), which sleeps, 2.99 s together (100 % of all waiting).\n"
               "      proflog flame --cost wall 'my log.mlpd' -o waits.html\n");
}

TEST_WITH (test_sleep_of_others, NULL, summary_test_end)
{
  summarize_waits (POOL_THREAD, SLEEP, 20, 0);
  char *text = print_mono (EMITTER_CSV, (struct view){ 0 });
  assert_non_null (strstr (text, "program-waits"));
  assert_null (strstr (text, "main-thread-sleeps"));
  g_free (text);
}

/* Threads of the pool wait for events, each in hits of a second, and the finalizer for work; few
 * hits found a thread that works. */
static void
put_starving (guint threads, uint64_t cpu_ms)
{
  begin_waits ();
  script_jit (&script, 0, EVENT, 0, 0,
              "(wrapper managed-to-native) System.Threading.WaitHandle:Wait_internal (intptr*)");
  name_thread (FINALIZER, "Finalizer");
  const uint64_t ip = NATIVE;
  for (guint second = 1; second <= 4; second++) {
    for (guint i = 0; i < threads; i++)
      put_long_hit (second * SECOND, POOL_THREAD + i, EVENT, 1000, 0);
    put_long_hit (second * SECOND, MAIN_THREAD, WAIT, 1000, 0);
    script_hit (&script, second * SECOND, FINALIZER, ip, NULL, 0);
    script_usage (&script, second * SECOND, SECOND, 0);
  }
  put_long_hit (4 * SECOND, MAIN_THREAD, SLEEP, cpu_ms, cpu_ms);
  script_summarize (&script, &summary);
}

TEST_WITH (test_starving, NULL, summary_test_end)
{
  put_starving (19, 30);
  expect_text ("Findings\n"
               "  - The program waits: its threads ran 30.0 ms in 4.00 s; 19 threads waited in\n"
               "    Game.Thing:Poll () for events, 1 min 16 s together (95 % of all waiting).\n"
               "      proflog flame --cost wall 'my log.mlpd' -o waits.html\n");
}

/* Threads that wait in a method each: of few methods each has a share that is worth a sentence. */
static void
put_scattered (guint threads)
{
  begin_waits ();
  script_jit (&script, 0, EVENT, 0, 0,
              "(wrapper managed-to-native) System.Threading.WaitHandle:Wait_internal (intptr*)");
  for (guint i = 0; i < threads; i++) {
    const uint64_t method = SCATTERED + 16 * i, frames[] = { EVENT, method };
    g_autofree char *name = g_strdup_printf ("Game.Thing:Wait%u ()", i);
    script_jit (&script, 0, method, 0, 0, name);
    script_hit (&script, 4 * SECOND, POOL_THREAD + i, NATIVE, frames, G_N_ELEMENTS (frames));
    script_usage (&script, 4 * SECOND, 4 * SECOND, 0);
  }
  script_summarize (&script, &summary);
}

TEST_WITH (test_scattered_waits, NULL, summary_test_end)
{
  put_scattered (20);
  char *text = print_mono (EMITTER_CSV, (struct view){ 0 });
  assert_non_null (strstr (text, "program-waits"));
  g_free (text);
}

TEST_WITH (test_too_scattered_waits, NULL, summary_test_end)
{
  put_scattered (21);
  expect_none ();
}

/* A seventh of the time is work. */
TEST_WITH (test_waiting_with_work, NULL, summary_test_end)
{
  put_starving (19, 610);
  expect_none ();
}

/* ---- samples of processor time ---- */

/* `hits` hits, of 10 ms each. */
static void
begin_cpu_samples (guint hits, const char *arguments)
{
  const uint64_t method = POLL;
  script_begin_with (&script, 17, arguments);
  script_buffer (&script, T1, 0);
  script_jit (&script, 0, POLL, 0, 0, "Game.Thing:Poll ()");
  for (guint i = 0; i < hits; i++)
    script_hit (&script, MS, T1, NATIVE, &method, 1);
}

static void
summarize_cpu_samples (guint hits, uint64_t duration)
{
  begin_cpu_samples (hits, "proflog:sample,cpu-sample-interval=10000000");
  script_buffer (&script, T1, duration);
  script_class (&script, duration, 0x300, "Game.Last");
  script_summarize (&script, &summary);
}

TEST_WITH (test_little_work, NULL, summary_test_end)
{
  summarize_cpu_samples (3, 12500 * MS);
  expect_text ("Findings\n"
               "  - The program waits (or the machine is too busy to run it): its threads used\n"
               "    30.0 ms of processor time in 12.5 s (0.2 %).  'proflog run --wall' (or\n"
               "    'attach --wall') shows what they wait for.\n"
               "      proflog run --wall -o wall.mlpd mono app.exe\n");
}

TEST_WITH (test_no_hits, NULL, summary_test_end)
{
  summarize_cpu_samples (0, 4 * SECOND);
  expect_text ("Findings\n"
               "  - The program waits (or the machine is too busy to run it): its threads used\n"
               "    less than 10.0 ms of processor time in 4.00 s (0 %).  'proflog run --wall'\n"
               "    (or 'attach --wall') shows what they wait for.\n"
               "      proflog run --wall -o wall.mlpd mono app.exe\n");
}

TEST_WITH (test_enough_work, NULL, summary_test_end)
{
  summarize_cpu_samples (31, 2 * SECOND);
  expect_none ();
}

TEST_WITH (test_little_time, NULL, summary_test_end)
{
  summarize_cpu_samples (3, 999 * MS);
  expect_none ();
}

/* Nothing was recorded for a part of the time. */
TEST_WITH (test_paused, NULL, summary_test_end)
{
  begin_cpu_samples (3, "proflog:sample,paused,cpu-sample-interval=10000000");
  script_buffer (&script, T1, 4 * SECOND);
  script_class (&script, 4 * SECOND, 0x300, "Game.Last");
  script_summarize (&script, &summary);
  expect_none ();
}

/* The log says why: there is that finding alone. */
TEST_WITH (test_lock_and_little_work, NULL, summary_test_end)
{
  begin_cpu_samples (3, "proflog:sample,cpu-sample-interval=10000000");
  script_buffer (&script, T1, 2 * MS);
  put_waits (20);
  script_buffer (&script, T1, 2 * SECOND);
  script_class (&script, 2 * SECOND, 0x300, "Game.Last");
  script_summarize_with (&script, &summary, &(struct scan_options){ .types = true });
  char *text = print_mono (EMITTER_CSV, (struct view){ 0 });
  assert_non_null (strstr (text, "one-contended-lock"));
  assert_null (strstr (text, "little-processor-time"));
  g_free (text);
}

/* The main thread waits for others. */
TEST_WITH (test_join, NULL, summary_test_end)
{
  begin_waits ();
  put_long_hit (2 * SECOND, MAIN_THREAD, WAIT, 2000, 0);
  script_summarize (&script, &summary);
  expect_text ("Findings\n"
               "  - The program waits: its threads ran 0 ns in 2.00 s; 1 thread waited in\n"
               "    Game.Thing:Poll () for the end of threads, 2.00 s together (100 % of all\n"
               "    waiting).\n"
               "      proflog flame --cost wall 'my log.mlpd' -o waits.html\n");
}

/* More than a quarter of the time is work. */
TEST_WITH (test_sleep_with_work, NULL, summary_test_end)
{
  summarize_waits (MAIN_THREAD, SLEEP, 18, 30);
  expect_none ();
}

/* ---- pauses ---- */

/* A pause from PRE_STOP_WORLD to POST_START_WORLD, and a collection that takes half of it. */
static void
put_pause (uint64_t time, uint64_t generation, uint64_t ns)
{
  script_gc (&script, time, MLPD_GC_EVENT_PRE_STOP_WORLD, generation);
  script_gc (&script, time, MLPD_GC_EVENT_START, generation);
  script_gc (&script, time + ns / 2, MLPD_GC_EVENT_END, generation);
  script_gc (&script, time + ns, MLPD_GC_EVENT_POST_START_WORLD, generation);
}

/* Pauses of 20 ms for generation 1, and two of 5 ms for generation 0. */
static void
put_pauses (uint64_t number)
{
  put_pause (0, 0, 5 * MS);
  put_pause (10 * MS, 0, 5 * MS);
  for (uint64_t i = 0; i < number; i++)
    put_pause (20 * MS + 40 * MS * i, 1, 20 * MS);
}

TEST_WITH (test_pauses, NULL, summary_test_end)
{
  summarize_mono (1 * SECOND, put_pauses, 12);
  expect_text ("Findings\n"
               "  - Collections stopped the program for 250 ms of 1.00 s (25 %), 240 ms of it\n"
               "    for those of generation 1 (pauses: 12, the longest 20.0 ms): a large part of\n"
               "    the heap stays alive, or the program requests collections.\n"
               "      proflog report --reports gc 'my log.mlpd'\n");
}

TEST_WITH (test_short_pauses, NULL, summary_test_end)
{
  summarize_mono (1 * SECOND, put_pauses, 9);
  expect_none ();
}

/* One pause that is nearly all of the time, in which hardly anything was collected. */
static void
put_slow_stop (uint64_t ms)
{
  script_gc (&script, 0, MLPD_GC_EVENT_PRE_STOP_WORLD, 1);
  script_gc (&script, 900 * MS - ms * MS, MLPD_GC_EVENT_START, 1);
  script_gc (&script, 900 * MS, MLPD_GC_EVENT_END, 1);
  script_gc (&script, 900 * MS, MLPD_GC_EVENT_POST_START_WORLD, 1);
}

TEST_WITH (test_slow_stop, NULL, summary_test_end)
{
  summarize_mono (1 * SECOND, put_slow_stop, 10);
  expect_none ();
}

TEST_WITH (test_long_collection, NULL, summary_test_end)
{
  summarize_mono (10 * SECOND, put_slow_stop, 600);
  char *text = print_mono (EMITTER_CSV, (struct view){ 0 });
  assert_non_null (strstr (text, "gc-pauses"));
  g_free (text);
}

/* The pause is 900 ms, which is a twentieth of 18 s. */
TEST_WITH (test_long_collection_of_long_program, NULL, summary_test_end)
{
  summarize_mono (18 * SECOND, put_slow_stop, 600);
  char *text = print_mono (EMITTER_CSV, (struct view){ 0 });
  assert_non_null (strstr (text, "gc-pauses"));
  g_free (text);
}

TEST_WITH (test_long_collection_of_longer_program, NULL, summary_test_end)
{
  summarize_mono (19 * SECOND, put_slow_stop, 600);
  expect_none ();
}

/* The profiler's own: a heap snapshot. */
static void
put_shot (uint64_t number)
{
  put_pauses (number);
  script_shot_start (&script, 600 * MS);
  script_shot_end (&script, 601 * MS);
}

TEST_WITH (test_pauses_for_shots, NULL, summary_test_end)
{
  summarize_mono (1 * SECOND, put_shot, 12);
  expect_none ();
}

/* Objects of 1 MB, three in four of one type. */
static void
put_allocations (uint64_t number)
{
  for (uint64_t i = 0; i < number; i++)
    script_alloc (&script, i, i % 4 == 0 ? OTHER_CLASS : KLASS, 0x10000000 * (i + 1), 1000000);
}

TEST_WITH (test_allocations, NULL, summary_test_end)
{
  summarize_mono (4 * SECOND, put_allocations, 400);
  expect_text ("Findings\n"
               "  - 300.0 MB of 400.0 MB that were allocated (75 %) are 300 objects of one type,\n"
               "    Game.Thing; the program allocates 100.0 MB each second.\n"
               "      proflog report --reports allocations --traces 'my log.mlpd'\n");
}

TEST_WITH (test_slow_allocations, NULL, summary_test_end)
{
  summarize_mono (41 * SECOND, put_allocations, 400);
  expect_none ();
}

TEST_WITH (test_few_allocations, NULL, summary_test_end)
{
  summarize_mono (1 * SECOND, put_allocations, 99);
  expect_none ();
}

/* No type has more than half. */
static void
put_two_types (uint64_t number)
{
  for (uint64_t i = 0; i < number; i++)
    script_alloc (&script, i, i % 2 == 0 ? OTHER_CLASS : KLASS, 0x10000000 * (i + 1), 1000000);
}

TEST_WITH (test_two_types, NULL, summary_test_end)
{
  summarize_mono (4 * SECOND, put_two_types, 400);
  expect_none ();
}

/* Heap snapshots with these numbers of objects of 1 MB. */
static void
put_shots (const guint *objects, guint n)
{
  for (guint i = 0; i < n; i++) {
    script_shot_start (&script, MS + 90 * MS * i);
    for (guint k = 0; k < objects[i]; k++)
      script_shot_object (&script, 0x10000000 * (k + 1), KLASS, 1000000, NULL, 0);
    script_shot_end (&script, 2 * MS + 90 * MS * i);
  }
}

static void
put_growing_shots (uint64_t number)
{
  put_shots ((const guint[]){ 4, 5, 6, 7, 8 }, (guint) number);
}

TEST_WITH (test_growth, NULL, summary_test_end)
{
  summarize_mono (1 * SECOND, put_growing_shots, 5);
  expect_text ("Findings\n"
               "  - The heap grew from 4.0 MB in heap snapshot 1 to 8.0 MB in heap snapshot 5,\n"
               "    and from each of these 5 snapshots to the next.\n"
               "      proflog heap leaks 'my log.mlpd'\n");
}

/* After the fourth snapshot the program frees nearly all. */
static void
put_shots_to_the_end (uint64_t number)
{
  put_shots ((const guint[]){ 4, 5, 6, 8, 1, 1, 1 }, (guint) number);
}

TEST_WITH (test_growth_to_the_end, NULL, summary_test_end)
{
  summarize_mono (1 * SECOND, put_shots_to_the_end, 6);
  expect_text ("Findings\n"
               "  - The heap grew from 4.0 MB in heap snapshot 1 to 8.0 MB in heap snapshot 4,\n"
               "    and from each of these 4 snapshots to the next.\n"
               "      proflog heap leaks 'my log.mlpd'\n");
}

TEST_WITH (test_freed, NULL, summary_test_end)
{
  summarize_mono (1 * SECOND, put_shots_to_the_end, 7);
  expect_none ();
}

TEST_WITH (test_few_shots, NULL, summary_test_end)
{
  summarize_mono (1 * SECOND, put_growing_shots, 2);
  expect_none ();
}

static void
put_other_shots (uint64_t which)
{
  static const guint shots[][5] = { { 4, 5, 4, 7, 8 },      /* once it shrinks */
                                    { 40, 70, 80, 81, 82 }, /* it grows at the beginning */
                                    { 10, 11, 12, 13, 14 }, /* by less than half */
                                    { 100, 110, 120, 130, 140 },
                                    { 20, 60, 100, 100, 100 } };
  put_shots (shots[which], 5);
}

TEST_WITH (test_shrinking, NULL, summary_test_end)
{
  summarize_mono (1 * SECOND, put_other_shots, 0);
  expect_none ();
}

TEST_WITH (test_warm_up, NULL, summary_test_end)
{
  summarize_mono (1 * SECOND, put_other_shots, 1);
  expect_none ();
}

/* The heap has grown by less than half; the class goes on growing. */
TEST_WITH (test_little_growth, NULL, summary_test_end)
{
  summarize_mono (1 * SECOND, put_other_shots, 2);
  expect_none ();
}

/* The same with objects enough that `heap leaks` has a suspect. */
TEST_WITH (test_class_growth, NULL, summary_test_end)
{
  summarize_mono (1 * SECOND, put_other_shots, 3);
  expect_text ("Findings\n"
               "  - There are more and more objects of Game.Thing: 100 in heap snapshot 1, 140\n"
               "    in heap snapshot 5.  'proflog heap leaks' shows how much they keep alive.\n"
               "      proflog heap leaks 'my log.mlpd'\n");
}

/* A cache that is full in the last three. */
TEST_WITH (test_full, NULL, summary_test_end)
{
  summarize_mono (1 * SECOND, put_other_shots, 4);
  expect_none ();
}

/* Two pauses of four events each, and the 3 classes that each log here has. */
TEST_WITH (test_unrecorded, NULL, summary_test_end)
{
  summarize_bare (2 * SECOND, put_pauses, 0);
  expect_text ("Findings\n"
               "  - The log has 11 events in 2.00 s, but no samples, calls, allocations or heap\n"
               "    snapshots, so it does not show where time and memory go.  proflog run\n"
               "    records samples; --calls, --allocs and --heapshot record the others.\n"
               "      proflog run --help\n");
}

TEST_WITH (test_short_run, NULL, summary_test_end)
{
  summarize_bare (2 * SECOND - 1, put_pauses, 0);
  expect_none ();
}

TEST_WITH (test_recorded, NULL, summary_test_end)
{
  summarize_mono (2 * SECOND, put_pauses, 0);
  expect_none ();
}

/* ---- all formats ---- */

/* Nothing in text if it is not wanted; none are searched in a part, and none are in an empty log.
 */
TEST_WITH (test_hidden, NULL, summary_test_end)
{
  struct selection selection = { .min_bytes = 1 };
  summarize_mono (2 * SECOND, put_throws, 1000);
  char *text = print_mono (EMITTER_TEXT, (struct view){ .hides_findings = true });
  assert_string_equal (text, "");
  g_free (text);
  text = print_mono (EMITTER_TEXT, (struct view){ .selection = &selection });
  assert_string_equal (text, "Findings\n  Not searched: of a whole log only\n");
  g_free (text);
}

TEST_WITH (test_programs, NULL, summary_test_end)
{
  summarize_mono (2 * SECOND, put_throws, 1000);
  char *json = print_mono (EMITTER_JSON, (struct view){ 0 });
  assert_non_null (strstr (json, "\"id\": \"exceptions-as-control-flow\""));
  assert_non_null (strstr (json, "\"command\": \"proflog report --reports exceptions --traces 'my "
                                 "log.mlpd'\""));
  assert_non_null (strstr (json, "\"path\": \"exceptions.types[0].throws\""));
  g_free (json);
  char *markdown = print_mono (EMITTER_MARKDOWN, (struct view){ 0 });
  assert_non_null (strstr (markdown, "\n- 1000 exceptions were thrown in 2.00 s"));
  g_free (markdown);
}

/* ---- eventlogs ---- */

/* The items of a block are in order of time, and blocks too. */
static void
expect_eventlog (const char *expected)
{
  struct ghc_summary s;
  struct view view = { .sections = sections_parse (ghc_report_sections, "findings", NULL) };
  const struct ghc_item *item;
  GString *text = g_string_new (NULL);
  g_byte_array_append (log_bytes, (const guint8 *) "\377\377", 2);
  ghc_summary_init (&s, &(struct ghc_times){ 0, UINT64_MAX },
                    GHC_FEATURE_THREADS | GHC_FEATURE_PROFILES | GHC_FEATURE_MARKS);
  struct ghc_reader *reader = ghc_reader_new ();
  ghc_reader_push (reader, log_bytes->data, log_bytes->len);
  ghc_reader_finish (reader);
  while (ghc_reader_next (reader, &item) == PROFLOG_EVENT) {
    ghc_summary_item (&s, item);
    ghc_summary_ordered (&s, item);
  }
  ghc_reader_free (reader);
  ghc_summary_finish (&s);
  struct emitter *e = emitter_new (EMITTER_TEXT, text);
  emitter_set_columns (e, 80);
  sections_write_eventlog (e, "test", "-", &s, &view, ghc_report_sections);
  emitter_free (e);
  assert_findings (text->str, expected);
  g_string_free (text, TRUE);
  g_ptr_array_unref (view.sections);
  ghc_summary_clear (&s);
}

/* Thirty collections of 10 ms by two threads: of each 1000 bytes that are copied the one that
 * copies most copies all but `others`. */
static void
put_collections (uint64_t others)
{
  ghc_put_kind (block, GHC_RUN_THREAD, 0, N (4, 1), 0);
  for (uint64_t i = 0; i < 30; i++) {
    const uint64_t start = 30 * MS * i;
    ghc_put_kind (block, GHC_GC_START, start + 1, 0);
    ghc_put_kind (block, GHC_GC_GLOBAL_SYNC, start + 10 * MS + 2, 0);
    ghc_put_kind (block, GHC_GC_STATS_GHC, start + 10 * MS + 3, N (4, 0), N (2, 1), N (8, 1000),
                  N (8, 0), N (8, 0), N (4, 2), N (8, 1000 - others), N (8, 1000),
                  N (8, 2 * others), 0);
    ghc_put_kind (block, GHC_GC_END, start + 10 * MS + 1, 0);
  }
  ghc_put_kind (block, GHC_STOP_THREAD, 1000 * MS, N (4, 1), N (2, 5), N (4, 0), 0);
  put_block (0, 0, 1000 * MS);
}

/* One of two threads copies 95 %: 10 % of the work that both could have done at once is done so. */
EVENTLOG_TEST (test_parallel_gc)
{
  put_collections (50);
  expect_eventlog (
      "Findings\n"
      "  - Parallel collections took 300 ms of 1.00 s (30 %) with a work balance of\n"
      "    10.00 %: one of 2 threads did nearly all the work.  +RTS -qg collects with\n"
      "    one thread, and a larger -A makes collections less frequent.\n"
      "      proflog report --reports gc LOG\n");
}

EVENTLOG_TEST (test_balanced_gc)
{
  put_collections (100);
  expect_eventlog (NOTHING);
}

/* Twelve collections of generation 0 that take 25 ms, and two of generation 1 that take 30 ms. */
static void
put_all_pauses (uint64_t end)
{
  ghc_put_kind (block, GHC_RUN_THREAD, 0, N (4, 1), 0);
  for (uint64_t i = 0; i < 14; i++) {
    const uint64_t start = 40 * MS * i, ns = i < 12 ? 25 * MS : 30 * MS;
    ghc_put_kind (block, GHC_GC_START, start + 1, 0);
    ghc_put_kind (block, GHC_GC_GLOBAL_SYNC, start + ns + 2, 0);
    ghc_put_kind (block, GHC_GC_STATS_GHC, start + ns + 3, N (4, 0), N (2, i < 12 ? 0 : 1),
                  N (8, 1000000), N (8, 0), N (8, 0), N (4, 1), N (8, 0), N (8, 1000000), N (8, 0),
                  0);
    ghc_put_kind (block, GHC_GC_END, start + ns + 1, 0);
  }
  ghc_put_kind (block, GHC_STOP_THREAD, end, N (4, 1), N (2, 5), N (4, 0), 0);
  put_block (0, 0, end);
}

EVENTLOG_TEST (test_ghc_pauses)
{
  put_all_pauses (1000 * MS);
  expect_eventlog (
      "Findings\n"
      "  - Collections took 360 ms of 1.00 s (36 %), 300 ms of it for 12 collections of\n"
      "    generation 0 (the longest 25.0 ms), which copied 12.0 MB: values outlive the\n"
      "    allocation area; a larger -A makes these collections less frequent.\n"
      "      proflog report --reports gc LOG\n");
}

EVENTLOG_TEST (test_ghc_few_pauses)
{
  put_all_pauses (1100 * MS);
  expect_eventlog (NOTHING);
}

static void
put_sparks (uint64_t converted, uint64_t gcd, uint64_t fizzled)
{
  ghc_put_kind (block, GHC_SPARK_COUNTERS, 100, N (8, converted + gcd + fizzled), N (8, 0),
                N (8, 0), N (8, converted), N (8, gcd), N (8, fizzled), N (8, 0), 0);
  put_block (0, 50, 200);
}

EVENTLOG_TEST (test_sparks)
{
  put_sparks (20, 80, 100);
  expect_eventlog (
      "Findings\n"
      "  - Only 20 of 200 sparks were converted into parallel work; 100 fizzled and 80\n"
      "    were garbage collected: their values were computed before, or never needed.\n"
      "      proflog report --reports sparks LOG\n");
}

EVENTLOG_TEST (test_good_sparks)
{
  put_sparks (100, 10, 90);
  expect_eventlog (NOTHING);
}

EVENTLOG_TEST (test_few_sparks)
{
  put_sparks (0, 0, 99);
  expect_eventlog (NOTHING);
}

/* A thread that runs from the begin of the log for a time, on each of two capabilities; the log
 * lasts for 2 s. */
static void
put_threads (uint64_t busy_ms, uint64_t other_ms)
{
  ghc_put_kind (block, GHC_RUN_THREAD, 0, N (4, 1), 0);
  ghc_put_kind (block, GHC_STOP_THREAD, busy_ms * MS, N (4, 1), N (2, 5), N (4, 0), 0);
  ghc_put_kind (block, GHC_CREATE_THREAD, 2000 * MS, N (4, 3), 0);
  put_block (0, 0, 2000 * MS);
  ghc_put_kind (block, GHC_RUN_THREAD, 0, N (4, 2), 0);
  ghc_put_kind (block, GHC_STOP_THREAD, other_ms * MS, N (4, 2), N (2, 5), N (4, 0), 0);
  put_block (1, 0, 2000 * MS);
}

EVENTLOG_TEST (test_idle_caps)
{
  put_threads (1900, 20);
  expect_eventlog (
      "Findings\n"
      "  - 1 of 2 capabilities had next to nothing to do: capability 1 was idle for\n"
      "    1.98 s of 2.00 s, while capability 0 ran threads for 1.90 s.  Thread 1 ran\n"
      "    for 1.90 s of the 1.92 s of all threads.\n"
      "      proflog report --reports waits LOG\n");
}

EVENTLOG_TEST (test_used_caps)
{
  put_threads (1900, 200);
  expect_eventlog (NOTHING);
}

EVENTLOG_TEST (test_idle_program)
{
  put_threads (1000, 20);
  expect_eventlog (NOTHING);
}

/* Threads that run in turn, `ms` each, for two seconds; each other one could run. */
static void
put_turns (guint threads, uint64_t ms)
{
  for (guint i = 0; i < threads; i++)
    ghc_put_kind (block, GHC_CREATE_THREAD, 1, N (4, i + 1), 0);
  for (guint i = 0; i < 2000 / ms; i++) {
    ghc_put_kind (block, GHC_RUN_THREAD, i * ms * MS + 1, N (4, i % threads + 1), 0);
    ghc_put_kind (block, GHC_STOP_THREAD, (i + 1) * ms * MS, N (4, i % threads + 1), N (2, 3),
                  N (4, 0), 0);
  }
  put_block (0, 1, 2000 * MS);
}

EVENTLOG_TEST (test_one_cap)
{
  put_turns (4, 20);
  expect_eventlog (
      "Findings\n"
      "  - 4 threads could run, but the program has one capability: they waited 6.00 s\n"
      "    for it in 2.00 s, while it ran one of them at a time.  +RTS -N gives a\n"
      "    program that was linked with -threaded one for each processor.\n"
      "      proflog report --reports waits LOG\n");
}

EVENTLOG_TEST (test_one_thread)
{
  put_turns (1, 20);
  expect_eventlog (NOTHING);
}

/* A heap profile of one band, in samples of these bytes. */
static void
put_profile (const uint64_t *samples, guint n)
{
  ghc_put_kind (block, GHC_RUN_THREAD, 0, N (4, 1), 0);
  for (guint i = 0; i < n; i++) {
    ghc_put_kind (block, GHC_HEAP_PROF_SAMPLE_BEGIN, 1000 * (i + 1), N (8, i), 0);
    ghc_put_kind (block, GHC_HEAP_PROF_SAMPLE_STRING, 1000 * (i + 1), N (2, 11), N (1, 0),
                  N (8, samples[i]), N (1, 'x'), N (1, 0), 0);
    ghc_put_kind (block, GHC_HEAP_PROF_SAMPLE_END, 1000 * (i + 1), N (8, i), 0);
  }
  put_block (0, 0, 1000 * (n + 1));
}

#define MB UINT64_C (1000000)

EVENTLOG_TEST (test_ghc_growth)
{
  const uint64_t samples[12] = { 1 * MB, 2 * MB, 3 * MB, 4 * MB,  5 * MB,  6 * MB,
                                 7 * MB, 8 * MB, 9 * MB, 10 * MB, 11 * MB, 12 * MB };
  put_profile (samples, 12);
  expect_eventlog ("Findings\n"
                   "  - The heap grew from 3.0 MB after a quarter of the heap profile to 6.0 MB\n"
                   "    after half of it, and to 12.0 MB.\n"
                   "      proflog report --reports heap_profiles LOG\n");
}

/* Bytes that were freed at the end are no fall, but the sentence does not state it as the end. */
EVENTLOG_TEST (test_ghc_growth_before_end)
{
  uint64_t samples[13];
  for (guint i = 0; i < 12; i++)
    samples[i] = (i + 1) * MB;
  samples[12] = MB / 10;
  put_profile (samples, 13);
  expect_eventlog (
      "Findings\n"
      "  - The heap grew from 3.0 MB after a quarter of the heap profile to 6.0 MB\n"
      "    after half of it, and to 12.0 MB in sample 11; then the program freed most\n"
      "    of it.\n"
      "      proflog report --reports heap_profiles LOG\n");
}

EVENTLOG_TEST (test_ghc_warm_up)
{
  const uint64_t samples[12] = { 1 * MB,  2 * MB,  3 * MB,  5 * MB,  8 * MB,  9 * MB,
                                 10 * MB, 10 * MB, 11 * MB, 11 * MB, 12 * MB, 12 * MB };
  put_profile (samples, 12);
  expect_eventlog (NOTHING);
}

/* It fell before the end, or was full: no growth, however much it was. */
EVENTLOG_TEST (test_ghc_rise_and_fall)
{
  const uint64_t samples[12] = { 1 * MB, 2 * MB, 4 * MB, 6 * MB, 8 * MB, 10 * MB,
                                 9 * MB, 7 * MB, 5 * MB, 3 * MB, 2 * MB, 1 * MB };
  put_profile (samples, 12);
  expect_eventlog (NOTHING);
}

/* Growth from 10 to 14.4 MB: not the double, so that the heap as a whole is no finding. */
EVENTLOG_TEST (test_ghc_growing_band)
{
  uint64_t samples[12];
  for (guint i = 0; i < 12; i++)
    samples[i] = 10 * MB + i * (MB / 10) * 4;
  put_profile (samples, 12);
  expect_eventlog ("Findings\n"
                   "  - A part of the heap keeps growing: x, from 10.0 MB at the beginning of the\n"
                   "    heap profile to 14.4 MB.\n"
                   "      proflog heap leaks LOG\n");
}

/* Two events that state nothing of the program's work. */
static void
put_names (uint64_t duration)
{
  ghc_put_kind (block, GHC_CREATE_THREAD, 1000, N (4, 1), 0);
  ghc_put_kind (block, GHC_CREATE_THREAD, 1000 + duration, N (4, 2), 0);
  put_block (0, 1000, 1000 + duration);
}

EVENTLOG_TEST (test_ghc_unrecorded)
{
  put_names (2 * SECOND);
  expect_eventlog (
      "Findings\n"
      "  - The log has 2 events in 2.00 s, but none of the scheduler, the collector or\n"
      "    the heap, so it does not show where time and memory go.  +RTS -l records\n"
      "    them.\n"
      "      proflog report --reports kinds LOG\n");
}

EVENTLOG_TEST (test_ghc_short_run)
{
  put_names (2 * SECOND - 1);
  expect_eventlog (NOTHING);
}
