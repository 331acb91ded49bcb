/* test-mlpd-program-span.c -- events and names of spans, of which each byte may be anything. */
#include "config.h"

#include "decoder/mlpd/mlpd-program-span.h"
#include "tests/unit/test.h"
#include <string.h>

static bool
span_of (uint64_t first, uint64_t second, size_t count, struct mlpd_program_span *span)
{
  const struct mlpd_counter_value values[]
      = { { .index = first, .number = 42 }, { .index = second, .number = 3 } };
  const union mlpd_payload payload = { .sample_counters = { .values = { values, count } } };
  return mlpd_program_span_of (MLPD_SAMPLE_COUNTERS, &payload, span);
}

TEST (test_edges)
{
  struct mlpd_program_span span;
  assert_true (span_of (MLPD_SPAN_BEGIN_INDEX, MLPD_SPAN_NAME_INDEX, 2, &span));
  assert_int_equal (span.edge, MLPD_SPAN_BEGIN);
  assert_int_equal (span.id, 42);
  assert_int_equal (span.name, 3);
  assert_true (span_of (MLPD_SPAN_END_INDEX, 0, 1, &span));
  assert_int_equal (span.edge, MLPD_SPAN_END);
  assert_true (span_of (MLPD_SPAN_LEAVE_INDEX, 0, 1, &span));
  assert_int_equal (span.edge, MLPD_SPAN_LEAVE);
  assert_true (span_of (MLPD_SPAN_ENTER_INDEX, 0, 1, &span));
  assert_int_equal (span.edge, MLPD_SPAN_ENTER);
}

/* A begin that states a trace has both halves of its number. */
TEST (test_traces)
{
  struct mlpd_counter_value values[] = { { .index = MLPD_SPAN_BEGIN_INDEX, .number = 42 },
                                         { .index = MLPD_SPAN_NAME_INDEX, .number = 3 },
                                         { .index = MLPD_SPAN_TRACE_INDEX, .number = 7 },
                                         { .index = MLPD_SPAN_TRACE_INDEX, .number = 8 } };
  struct mlpd_program_span span;
  for (size_t n = 2; n <= 4; n++) {
    const union mlpd_payload payload = { .sample_counters = { .values = { values, n } } };
    assert_int_equal (mlpd_program_span_of (MLPD_SAMPLE_COUNTERS, &payload, &span), n != 3);
  }
  assert_int_equal (span.id, 42);
  assert_int_equal (span.name, 3);
  assert_int_equal (span.trace_high, 7);
  assert_int_equal (span.trace_low, 8);
  values[3].index = MLPD_SPAN_NAME_INDEX;
  const union mlpd_payload other = { .sample_counters = { .values = { values, 4 } } };
  assert_false (mlpd_program_span_of (MLPD_SAMPLE_COUNTERS, &other, &span));
}

TEST (test_others)
{
  struct mlpd_program_span span;
  assert_false (span_of (MLPD_SPAN_BEGIN_INDEX, 0, 1, &span));
  assert_false (span_of (MLPD_SPAN_BEGIN_INDEX, 7, 2, &span));
  assert_false (span_of (MLPD_SPAN_BEGIN_INDEX - 1, 0, 1, &span));
  assert_false (span_of (MLPD_SPAN_NAME_INDEX, 0, 1, &span));
  assert_false (span_of (0, 0, 0, &span));
  assert_false (mlpd_program_span_of (MLPD_ALLOC, NULL, &span));
}

static const char *
name_in (const char *text, uint64_t *number)
{
  return mlpd_program_span_name ((struct mlpd_string){ text, text != NULL ? strlen (text) : 0 },
                                 number);
}

TEST (test_names)
{
  uint64_t number;
  assert_string_equal (name_in ("Span: 12 a b", &number), "a b");
  assert_int_equal (number, 12);
  static const char *const texts[]
      = { "Span: ", "Span: 1", "Span: 1 ", "Span: x y", "Span:  1 y", "Mark: 1 y", "", NULL };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    assert_null (name_in (texts[i], &number));
}
