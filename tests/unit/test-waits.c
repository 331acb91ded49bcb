/* test-waits.c -- the kind, method, object and thread of a wait, by its stack and by contention. */
#include "config.h"

#include "decoder/filter/filter-options.h"
#include "decoder/mlpd/analyses/monitors.h"
#include "decoder/mlpd/query/waits.h"
#include "tests/unit/summary-test.h"

#include <string.h>

enum { SLEEP = 0x100, THREAD_SLEEP = 0x200, APP = 0x300, POLL = 0x400, MAIN = 0x500 };
enum { EVENT = 0x800, PROCESS_WAIT = 0x900 };
enum { APP_CODE = 0x9000, NATIVE_CODE = 0xf000, FUTEX_CODE = 0xf100 };

static void
native_names_add (uint64_t address, const char *name)
{
  const union mlpd_payload symbol
      = { .sample_symbol
          = { .time = 1000, .address = address, .size = 16, .name = { name, strlen (name) } } };
  script_event (&script, MLPD_SAMPLE_SYMBOL, &symbol);
}

/* A hit of thread 5 with up to three frames, innermost first, which waited for 90 of 100 ns. */
static void
put_hit_at (uint64_t time, uint64_t ip, uint64_t a, uint64_t b, uint64_t c)
{
  const uint64_t methods[] = { a, b, c };
  script_hit (&script, time, 5, ip, methods, (size_t) (a != 0) + (b != 0) + (c != 0));
  script_usage (&script, time, 100, 10);
}

static void
put_hit (uint64_t ip, uint64_t a, uint64_t b, uint64_t c)
{
  put_hit_at (1100, ip, a, b, c);
}

static void
begin (void)
{
  script_begin_version (&script, 17);
  script_buffer (&script, 9, 1000);
  script_jit (&script, 1000, SLEEP, 0, 0,
              "(wrapper managed-to-native) System.Threading.Thread:SleepInternal (int)");
  script_jit (&script, 1000, THREAD_SLEEP, 0, 0, "System.Threading.Thread:Sleep (int)");
  script_jit (&script, 1000, APP, APP_CODE, 16, "App:Work ()");
  script_jit (&script, 1000, POLL, 0, 0, "(wrapper managed-to-native) App:poll (intptr)");
  script_jit (&script, 1000, MAIN, 0, 0, "App:Main ()");
  script_jit (&script, 1000, EVENT, 0, 0,
              "(wrapper managed-to-native) System.Threading.WaitHandle:Wait_internal (intptr*)");
  script_jit (&script, 1000, PROCESS_WAIT, 0, 0, "System.Diagnostics.Process:WaitForExit (int)");
  native_names_add (NATIVE_CODE, "mono_something");
  native_names_add (FUTEX_CODE, "__futex_abstimed_wait_common");
}

/* The only wait of the log. */
static void
expect_wait (enum wait_kind kind, const char *method)
{
  struct waits waits;
  script_summarize (&script, &summary);
  waits_init (&waits, &summary);
  assert_int_equal (waits.all->len, 1);
  const struct wait *w = &g_array_index (waits.all, struct wait, 0);
  assert_int_equal (w->kind, kind);
  assert_string_equal (w->method, method);
  assert_null (w->object);
  assert_int_equal (w->thread->id, 5);
  assert_int_equal (w->ns, 90);
  assert_int_equal (w->count, 1);
  waits_clear (&waits);
}

TEST_WITH (test_wrapper, begin, summary_test_end)
{
  put_hit (NATIVE_CODE, SLEEP, THREAD_SLEEP, APP);
  expect_wait (WAIT_SLEEP, "App:Work ()");
}

TEST_WITH (test_function_of_libc, begin, summary_test_end)
{
  put_hit (NATIVE_CODE, POLL, APP, MAIN);
  expect_wait (WAIT_POLL, "App:Work ()");
}

/* Nothing but the library's waiting itself is on the stack. */
TEST_WITH (test_library, begin, summary_test_end)
{
  put_hit (NATIVE_CODE, THREAD_SLEEP, 0, 0);
  expect_wait (WAIT_OTHER, "System.Threading.Thread:Sleep (int)");
}

static void
name_thread (const char *name)
{
  const union mlpd_payload event
      = { .metadata_thread
          = { .action = MLPD_LOAD_NAME, .thread = 5, .name = { name, strlen (name) } } };
  script_event (&script, MLPD_METADATA_THREAD, &event);
}

TEST_WITH (test_native, begin, summary_test_end)
{
  name_thread ("Main");
  put_hit (FUTEX_CODE, 0, 0, 0);
  expect_wait (WAIT_EVENT, "__futex_abstimed_wait_common");
}

/* All waits are of a thread that has nothing to do: no share of the time is theirs. */
static void
expect_idle (guint stacks, const char *name, uint64_t ns)
{
  struct waits waits;
  script_summarize (&script, &summary);
  waits_init (&waits, &summary);
  assert_string_equal (waits.source, "samples");
  assert_int_equal (waits.all->len, 0);
  assert_int_equal (waits.total_ns, 0);
  assert_int_equal (waits.idle->len, stacks);
  g_autoptr (GArray) sums = waits_idle_by_name (&waits);
  assert_int_equal (sums->len, 1);
  const struct wait_sum *sum = &g_array_index (sums, struct wait_sum, 0);
  assert_int_equal (sum->threads, 1);
  assert_int_equal (sum->ns, ns);
  assert_int_equal (g_strcmp0 (sum->method, name), 0);
  waits_clear (&waits);
}

TEST_WITH (test_thread_of_runtime, begin, summary_test_end)
{
  put_hit (FUTEX_CODE, 0, 0, 0);
  expect_idle (1, NULL, 90);
}

TEST_WITH (test_finalizer, begin, summary_test_end)
{
  name_thread ("Finalizer");
  put_hit (FUTEX_CODE, 0, 0, 0);
  put_hit (FUTEX_CODE, EVENT, 0, 0);
  expect_idle (2, "Finalizer", 180);
}

/* A thread of the program, whose stack was not read the second time. */
TEST_WITH (test_unread_stack, begin, summary_test_end)
{
  struct waits waits;
  put_hit (FUTEX_CODE, APP, MAIN, 0);
  put_hit (FUTEX_CODE, 0, 0, 0);
  script_summarize (&script, &summary);
  waits_init (&waits, &summary);
  assert_int_equal (waits.idle->len, 0);
  assert_int_equal (waits.total_ns, 180);
  waits_clear (&waits);
}

/* A worker of the pool works, and waits for work. */
TEST_WITH (test_worker, begin, summary_test_end)
{
  struct waits waits;
  name_thread ("Thread Pool Worker");
  put_hit (FUTEX_CODE, APP, MAIN, 0);
  put_hit (FUTEX_CODE, 0, 0, 0);
  script_summarize (&script, &summary);
  waits_init (&waits, &summary);
  assert_int_equal (waits.idle->len, 1);
  assert_int_equal (waits.total_ns, 90);
  waits_clear (&waits);
}

/* The method of the program, below those of the library; the wait of the library. */
TEST_WITH (test_child, begin, summary_test_end)
{
  put_hit (NATIVE_CODE, EVENT, PROCESS_WAIT, APP);
  expect_wait (WAIT_CHILD, "App:Work ()");
}

/* Several threads are one row. */
TEST_WITH (test_methods, begin, summary_test_end)
{
  struct waits waits;
  const uint64_t methods[] = { EVENT, APP };
  for (uint64_t thread = 5; thread < 8; thread++) {
    script_hit (&script, 1100, thread, NATIVE_CODE, methods, 2);
    script_usage (&script, 1100, 100, 0);
  }
  put_hit (NATIVE_CODE, EVENT, APP, 0);
  script_summarize (&script, &summary);
  waits_init (&waits, &summary);
  g_autoptr (GArray) sums = waits_by_method (&waits);
  assert_int_equal (sums->len, 1);
  const struct wait_sum *sum = &g_array_index (sums, struct wait_sum, 0);
  assert_int_equal (sum->kind, WAIT_EVENT);
  assert_int_equal (sum->threads, 3);
  assert_int_equal (sum->ns, 390);
  assert_int_equal (sum->count, 4);
  waits_clear (&waits);
}

TEST_WITH (test_symbol_below_method, begin, summary_test_end)
{
  put_hit (FUTEX_CODE, APP, MAIN, 0);
  expect_wait (WAIT_EVENT, "App:Work ()");
}

TEST_WITH (test_unknown, begin, summary_test_end)
{
  name_thread ("Main");
  put_hit (0x1, 0, 0, 0);
  expect_wait (WAIT_OTHER, "[unknown]");
}

/* It was interrupted while it worked. */
TEST_WITH (test_managed_code, begin, summary_test_end)
{
  put_hit (APP_CODE + 4, APP, MAIN, 0);
  expect_wait (WAIT_OTHER, "App:Work ()");
}

/* ---- contention ---- */

enum { ENTER = 0x600, ENTER_CLASS = 0x700, DOOR = 0x800, LOCK = 0x8000, OTHER_LOCK = 0x9000 };
enum {
  CONTENTION = MLPD_MONITOR_EVENT_CONTENTION,
  DONE = MLPD_MONITOR_EVENT_DONE,
  FAIL = MLPD_MONITOR_EVENT_FAIL,
};

static void
begin_locks (void)
{
  begin ();
  script_jit (&script, 1000, ENTER, 0, 0,
              "(wrapper managed-to-native) System.Threading.Monitor:Enter (object)");
  script_jit (&script, 1000, ENTER_CLASS, 0, 0, "System.Threading.Monitor:TryEnter (object,int)");
}

/* Contention with a backtrace, outermost frame first, of a lock whose class is DOOR. */
static void
put_contention (uint64_t time, uint64_t object, const uint64_t *frames, size_t n)
{
  const union mlpd_payload event
      = { .monitor
          = { .time = time, .event = CONTENTION, .object = object, .backtrace = { frames, n } } };
  script_class (&script, time, DOOR, "Door");
  script_event (&script, MLPD_MONITOR, &event);
}

/* Thread 5 waits 50 and 30 in Work, and 7 in vain in Main; thread 6 20 for a lock of unknown class.
 */
static void
put_contentions (void)
{
  static const uint64_t work[] = { MAIN, APP }, try[] = { MAIN, ENTER_CLASS };
  script_buffer (&script, 5, 2000);
  put_contention (2000, LOCK, work, 2);
  script_monitor (&script, 2050, DONE, LOCK);
  put_contention (2100, OTHER_LOCK, work, 2);
  script_monitor (&script, 2130, DONE, OTHER_LOCK);
  put_contention (2200, LOCK, try, 2);
  script_monitor (&script, 2207, FAIL, LOCK);
  script_monitor (&script, 2300, DONE, LOCK);
  script_buffer (&script, 6, 2000);
  script_monitor (&script, 2000, CONTENTION, LOCK);
  script_monitor (&script, 2020, DONE, LOCK);
}

static const struct wait *
find_wait (const struct waits *waits, uint64_t thread, const char *method, const char *object)
{
  for (guint i = 0; i < waits->all->len; i++) {
    const struct wait *w = &g_array_index (waits->all, struct wait, i);
    if (w->thread->id == thread && g_strcmp0 (w->method, method) == 0
        && g_strcmp0 (w->object, object) == 0)
      return w;
  }
  fail_msg ("no wait of thread %u in %s for %s", (unsigned) thread, method, object);
  return NULL;
}

static void
expect_lock (const struct waits *waits, uint64_t thread, const char *method, const char *object,
             uint64_t ns, uint64_t count)
{
  const struct wait *w = find_wait (waits, thread, method, object);
  assert_int_equal (w->kind, WAIT_LOCK);
  assert_int_equal (w->ns, ns);
  assert_int_equal (w->count, count);
}

TEST_WITH (test_contention, begin_locks, summary_test_end)
{
  struct waits waits;
  put_contentions ();
  script_summarize (&script, &summary);
  waits_init (&waits, &summary);
  assert_string_equal (waits.source, "monitors");
  assert_int_equal (waits.all->len, 3);
  expect_lock (&waits, 5, "App:Work ()", "Door", 80, 2);
  expect_lock (&waits, 5, "App:Main ()", "Door", 7, 1);
  expect_lock (&waits, 6, NULL, NULL, 20, 1);
  assert_int_equal (waits.total_ns, STATE (monitors)->all.wait_total_ns);
  waits_clear (&waits);
}

/* Those of a thread, and of a time: contention before it has no wait. */
static void
expect_part (const char *thread, uint64_t from, uint64_t total_ns, guint rows)
{
  struct selection selection = { 0 };
  struct buffer_filter filter;
  struct waits waits;
  assert_true (selection_thread (&selection, thread, NULL));
  buffer_filter_init (&filter, &selection, NULL);
  buffer_filter_begin (&filter, 1000);
  filter.from = MAX (filter.from, from);
  script_summarize_with (&script, &summary, &(struct scan_options){ .filter = &filter });
  waits_init (&waits, &summary);
  assert_int_equal (waits.total_ns, total_ns);
  assert_int_equal (waits.total_ns, STATE (monitors)->all.wait_total_ns);
  assert_int_equal (waits.all->len, rows);
  waits_clear (&waits);
  buffer_filter_clear (&filter);
  selection_clear (&selection);
}

TEST_WITH (test_contention_of_thread, begin_locks, summary_test_end)
{
  put_contentions ();
  expect_part ("6", 0, 20, 1);
}

TEST_WITH (test_contention_of_time, begin_locks, summary_test_end)
{
  put_contentions ();
  expect_part ("*", 2010, 37, 2);
}

/* Hits have the class of the lock that their thread waits for, or waited for when half of their
 * time had passed, also of a wait without an end; the waits of contention count once. */
TEST_WITH (test_objects_of_hits, begin_locks, summary_test_end)
{
  struct waits waits;
  put_hit_at (1900, NATIVE_CODE, ENTER, APP, MAIN);
  put_hit_at (2050, NATIVE_CODE, ENTER, APP, MAIN);
  put_hit_at (2120, NATIVE_CODE, ENTER, APP, MAIN);
  put_hit_at (2130, NATIVE_CODE, SLEEP, APP, MAIN);
  put_contentions ();
  script_buffer (&script, 5, 3000);
  put_contention (3000, LOCK, NULL, 0);
  script_buffer (&script, 9, 3000);
  put_hit_at (2096, NATIVE_CODE, ENTER, APP, MAIN);
  put_hit_at (9000, NATIVE_CODE, ENTER, MAIN, 0);
  script_summarize (&script, &summary);
  waits_init (&waits, &summary);
  assert_string_equal (waits.source, "samples");
  assert_int_equal (waits.total_ns, 6 * 90);
  expect_lock (&waits, 5, "App:Work ()", "Door", 180, 2);
  expect_lock (&waits, 5, "App:Main ()", "Door", 90, 1);
  assert_int_equal (waits.all->len, 4);
  for (guint i = 0; i < waits.all->len; i++) {
    const struct wait *w = &g_array_index (waits.all, struct wait, i);
    if (w->object == NULL)
      assert_int_equal (w->ns, w->kind == WAIT_SLEEP ? 90 : 180);
  }
  waits_clear (&waits);
}
