/* test-hot-method.c -- hits are charged to the program's own methods. */
#include "config.h"

#include "decoder/mlpd/analyses/hot-method.h"
#include "decoder/mlpd/model/recording.h"
#include "tests/unit/test.h"
#include <string.h>

static struct samples samples;
static struct symbols symbols;
static struct hot_method hot;
static guint program_main, work, other, library, recording;

static guint
method (uint64_t address, const char *name)
{
  return symbols_announce (&symbols, SYMBOL_METHOD, address,
                           (struct mlpd_string){ name, strlen (name) });
}

static void
begin (void)
{
  samples_init (&samples);
  symbols_init (&symbols);
  library = method (0x10, "System.String:Concat (string,string)");
  program_main = method (0x20, "App:Main ()");
  other = method (0x30, "App:Other ()");
  work = method (0x40, "App:Work (int)");
  recording = method (0x50, RECORDING_NAME);
}

static void
end (void)
{
  samples_clear (&samples);
  symbols_clear (&symbols);
}

/* `count` hits with these methods on the stack, innermost first. */
static void
hits (guint count, const guint *methods, size_t n)
{
  static const struct mlpd_frame frames[8];
  const struct mlpd_sample_hit event
      = { .sample_type = MLPD_SAMPLE_TYPE_CYCLES, .frames = { frames, n } };
  for (guint i = 0; i < count; i++)
    samples_hit (&samples, &event, 1, 1, methods, (struct sample_time){ 0 });
}

#define HITS(count, ...)                                                                           \
  hits (count, (const guint[]){ __VA_ARGS__ }, sizeof (guint[]){ __VA_ARGS__ } / sizeof (guint))

static void
expect_hot (guint expected, uint64_t count, uint64_t of)
{
  samples_resolve (&samples, &symbols);
  assert_true (hot_method_find (&samples, &symbols, &hot));
  assert_int_equal (hot.method, expected);
  assert_int_equal (hot.hits, count);
  assert_int_equal (hot.of, of);
}

/* Time in the library is that of the method that called it, and of that alone. */
TEST_WITH (test_library, begin, end)
{
  HITS (60, library, work, program_main);
  HITS (10, library, library, work, program_main);
  HITS (5, work, program_main);
  HITS (15, other, program_main);
  HITS (10, program_main);
  expect_hot (work, 75, 100);
  assert_true (hot.has_caller);
  assert_int_equal (hot.caller, program_main);
}

/* A method that calls itself has another caller; without one most of them share there is none. */
TEST_WITH (test_callers, begin, end)
{
  HITS (40, work, work, work, other, program_main);
  HITS (20, library, work, library, other, program_main);
  HITS (30, work, program_main);
  expect_hot (work, 90, 90);
  assert_true (hot.has_caller);
  assert_int_equal (hot.caller, other);
}

TEST_WITH (test_no_caller, begin, end)
{
  HITS (30, work, other);
  HITS (30, work, program_main);
  HITS (30, work);
  expect_hot (work, 90, 90);
  assert_false (hot.has_caller);
}

/* The recording is nobody's time. */
TEST_WITH (test_recording, begin, end)
{
  HITS (50, recording, work, program_main);
  HITS (20, other, program_main);
  HITS (10, work, program_main);
  expect_hot (other, 20, 80);
}

TEST_WITH (test_none, begin, end)
{
  HITS (3, library);
  samples_resolve (&samples, &symbols);
  assert_false (hot_method_find (&samples, &symbols, &hot));
}
