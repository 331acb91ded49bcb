/* test-log-fields.c -- texts and lists of an event through the library: how long they stay, and
 * empty ones. */
#include "config.h"

#include "tests/unit/fixtures.h"
#include "tests/unit/test.h"

#include <proflog/log.h>

static bool
is_kind (const struct proflog_log *log, const char *kind)
{
  return g_strcmp0 (proflog_log_kind (log), kind) == 0;
}

/* tests/logs/ghc-heap-hc: a profile by cost centres, whose event has three texts. */
TEST (test_texts_stay)
{
  struct proflog_log *log = fixture_open_log ("ghc-heap-hc.eventlog.gz");
  guint centres = 0;
  while (proflog_log_next (log) == PROFLOG_EVENT) {
    if (!is_kind (log, "heap-prof-cost-centre"))
      continue;
    const char *label = proflog_log_text (log, "label");
    const char *module = proflog_log_text (log, "module");
    const char *place = proflog_log_text (log, "location");
    assert_non_null (label);
    assert_non_null (module);
    assert_non_null (place);
    assert_string_equal (label, proflog_log_text (log, "label"));
    assert_string_equal (module, proflog_log_text (log, "module"));
    assert_string_not_equal (label, place);
    centres++;
  }
  assert_true (centres > 0);
  assert_null (proflog_log_text (log, "label")); /* after the last event */
  proflog_log_close (log);
}

/* tests/logs/make-small.c: an allocation with a backtrace of two methods, and one without. */
TEST (test_lists)
{
  struct proflog_log *log = fixture_open_log ("small.mlpd");
  guint allocations = 0;
  while (proflog_log_next (log) == PROFLOG_EVENT) {
    size_t count = 7;
    if (!is_kind (log, "alloc"))
      continue;
    assert_null (proflog_log_list (log, "size", &count));
    assert_int_equal (count, 7);
    const uint64_t *frames = proflog_log_list (log, "backtrace", &count);
    if (allocations++ != 0) {
      assert_null (frames);
      continue;
    }
    assert_int_equal (count, 2);
    assert_string_equal (proflog_log_method (log, frames[1]), "Small.Program:Work (int)");
  }
  assert_int_equal (allocations, 2);
  proflog_log_close (log);
}

/* A list of nothing is a list: samples with an empty stack, of which tests/logs/ghc-heap-hc has
 * some. */
TEST (test_empty_lists)
{
  struct proflog_log *log = fixture_open_log ("ghc-heap-hc.eventlog.gz");
  guint empty = 0;
  while (proflog_log_next (log) == PROFLOG_EVENT) {
    size_t count = 7;
    if (!is_kind (log, "heap-prof-sample-cost-centre"))
      continue;
    assert_non_null (proflog_log_list (log, "stack", &count));
    empty += count == 0;
  }
  assert_true (empty > 0);
  proflog_log_close (log);
}
