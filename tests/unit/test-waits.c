/* test-waits.c -- the kind, method and thread of a wait, by its stack. */
#include "config.h"

#include "decoder/mlpd/query/waits.h"
#include "tests/unit/summary-test.h"

#include <string.h>

enum { SLEEP = 0x100, THREAD_SLEEP = 0x200, APP = 0x300, POLL = 0x400, MAIN = 0x500 };
enum { APP_CODE = 0x9000, NATIVE_CODE = 0xf000, FUTEX_CODE = 0xf100 };

static void
name_native (uint64_t address, const char *name)
{
  const union mlpd_payload symbol
      = { .sample_symbol
          = { .time = 1000, .address = address, .size = 16, .name = { name, strlen (name) } } };
  script_event (&script, MLPD_SAMPLE_SYMBOL, &symbol);
}

/* A hit of thread 5 with up to three frames, innermost first, which waited for 90 of 100 ns. */
static void
put_hit (uint64_t ip, uint64_t a, uint64_t b, uint64_t c)
{
  const struct mlpd_frame frames[] = { { .method = a }, { .method = b }, { .method = c } };
  const size_t n = (size_t) (a != 0) + (b != 0) + (c != 0);
  const union mlpd_payload hit
      = { .sample_hit = { .time = 1100, .thread = 5, .ips = { &ip, 1 }, .frames = { frames, n } } };
  const struct mlpd_counter_value values[]
      = { { MLPD_SAMPLE_ELAPSED_INDEX, MLPD_COUNTER_TYPE_ULONG, .number = 100 },
          { MLPD_SAMPLE_CPU_INDEX, MLPD_COUNTER_TYPE_ULONG, .number = 10 } };
  const union mlpd_payload usage = { .sample_counters = { .time = 1100, .values = { values, 2 } } };
  script_event (&script, MLPD_SAMPLE_HIT, &hit);
  script_event (&script, MLPD_SAMPLE_COUNTERS, &usage);
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
  name_native (NATIVE_CODE, "mono_something");
  name_native (FUTEX_CODE, "__futex_abstimed_wait_common");
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
  assert_int_equal (w->thread, 5);
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

TEST_WITH (test_native, begin, summary_test_end)
{
  put_hit (FUTEX_CODE, 0, 0, 0);
  expect_wait (WAIT_LOCK, "__futex_abstimed_wait_common");
}

TEST_WITH (test_symbol_below_method, begin, summary_test_end)
{
  put_hit (FUTEX_CODE, APP, MAIN, 0);
  expect_wait (WAIT_LOCK, "App:Work ()");
}

TEST_WITH (test_unknown, begin, summary_test_end)
{
  put_hit (0x1, 0, 0, 0);
  expect_wait (WAIT_OTHER, "[unknown]");
}

/* It was interrupted while it worked. */
TEST_WITH (test_managed_code, begin, summary_test_end)
{
  put_hit (APP_CODE + 4, APP, MAIN, 0);
  expect_wait (WAIT_OTHER, "App:Work ()");
}
