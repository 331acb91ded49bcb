/* test-recording.c -- hits in code of the recording, by names that come before them. */
#include "config.h"

#include "decoder/mlpd/model/recording.h"
#include "tests/unit/test.h"
#include <string.h>

#define WRAPPER "(wrapper managed-to-native) object:__icall_wrapper_"

static struct recording recording;

static void
begin (void)
{
  recording_init (&recording);
}

static void
end (void)
{
  recording_clear (&recording);
}

static void
method (uint64_t address, const char *name)
{
  const union mlpd_payload p
      = { .method_jit = { .method = address, .name = { name, strlen (name) } } };
  recording_note (&recording, MLPD_METHOD_JIT, &p);
}

static void
function (uint64_t address, uint64_t size, const char *name)
{
  const union mlpd_payload p
      = { .sample_symbol = { .address = address, .size = size, .name = { name, strlen (name) } } };
  recording_note (&recording, MLPD_SAMPLE_SYMBOL, &p);
}

/* The frames of a hit that stand for the recording; -1: it is the program's. */
static int
frames_of (uint64_t ip, uint64_t innermost)
{
  const struct mlpd_frame frame = { .method = innermost };
  const struct mlpd_sample_hit hit
      = { .ips = { &ip, 1 }, .frames = { &frame, innermost != 0 ? 1 : 0 } };
  size_t wrappers;
  return recording_has_hit (&recording, &hit, &wrappers) ? (int) wrappers : -1;
}

TEST (test_names)
{
  assert_true (recording_is_method (WRAPPER "mono_profiler_raise_gc_allocation (object)"));
  assert_true (recording_is_method (WRAPPER "mono_profiler_raise_method_leave (intptr,intptr)"));
  assert_false (recording_is_method (WRAPPER "mono_gc_alloc_obj (intptr,intptr)"));
  assert_false (recording_is_method ("Program:mono_profiler_raise_method_leave ()"));
  assert_false (recording_is_method (NULL));
  assert_true (recording_is_function ("mono_profiler_raise_gc_allocation"));
  assert_true (recording_is_function ("libmono-profiler-proflog.so:method_enter"));
  assert_true (recording_is_function ("libmono-profiler-proflog.so+0x1200"));
  assert_false (recording_is_function ("method_enter"));
  assert_false (recording_is_function ("libmono-profiler-log.so+0x1200"));
}

TEST_WITH (test_hits, begin, end)
{
  function (0x1000, 0x100, "libmono-profiler-proflog.so:method_enter");
  function (0x2000, 0x100, "memcpy");
  method (0x10, WRAPPER "mono_profiler_raise_gc_allocation (object)");
  method (0x20, "Program:Main ()");
  assert_int_equal (frames_of (0x1000, 0), 0);
  assert_int_equal (frames_of (0x10ff, 0x20), 0);
  assert_int_equal (frames_of (0x1100, 0x20), -1);
  assert_int_equal (frames_of (0x2000, 0x10), 1);
  assert_int_equal (frames_of (0x2000, 0x20), -1);
}

/* The code of a wrapper was freed, and its address is that of another method. */
TEST_WITH (test_renamed, begin, end)
{
  method (0x10, WRAPPER "mono_profiler_raise_gc_allocation (object)");
  method (0x10, WRAPPER "mono_profiler_raise_gc_allocation (object)");
  assert_int_equal (frames_of (0x2000, 0x10), 1);
  method (0x10, "Program:Main ()");
  assert_int_equal (frames_of (0x2000, 0x10), -1);
}
