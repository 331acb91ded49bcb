/* test-exceptions.c -- throws by type, clauses by kind. */
#include "config.h"

#include "decoder/mlpd/analyses/exceptions.h"
#include "tests/unit/summary-test.h"

enum { OOPS = 0x1000, OTHER = 0x2000, METHOD = 0x5000, OBJECT = 0x8000 };

static uint64_t
throws_of (uint64_t klass)
{
  guint index = symbol_of (&summary, SYMBOL_CLASS, klass);
  return type_sums_get (&STATE (exceptions)->types, index)->objects;
}

/* A type mark counts for the one throw right after it, at the same time, in the same buffer. */
SUMMARY_TEST (test_type_marks)
{
  script_class (&script, 1000, OOPS, "Oops");
  script_throw (&script, 1000, OBJECT); /* Oops */
  script_throw (&script, 1000, OBJECT); /* the mark was the other's */
  script_class (&script, 1010, OTHER, "Other");
  script_throw (&script, 1011, OBJECT); /* a class load, a moment before */
  script_class (&script, 1020, OTHER, "Other");
  script_enter (&script, 1020, METHOD);
  script_throw (&script, 1020, OBJECT); /* not right after it */
  script_class (&script, 1030, OTHER, "Other");
  script_buffer (&script, 1, 1030);
  script_throw (&script, 1030, OBJECT); /* not in the same buffer */
  script_class (&script, 1040, OOPS, "Oops");
  script_class (&script, 1040, OTHER, "Other");
  script_throw (&script, 1040, OBJECT); /* Other */
  script_summarize (&script, &summary);
  assert_int_equal (STATE (exceptions)->throws, 6);
  assert_int_equal (throws_of (OOPS), 1);
  assert_int_equal (throws_of (OTHER), 1);
  assert_int_equal (STATE (exceptions)->throws_of_unknown, 4);
}

SUMMARY_TEST (test_failed_load_is_no_mark)
{
  const union mlpd_payload failed = {
    .metadata_class
    = { .action = MLPD_LOAD_END_LOAD_ERROR, .time = 1000, .klass = OOPS, .name = { "Oops", 4 } }
  };
  script_event (&script, MLPD_METADATA_CLASS, &failed);
  script_throw (&script, 1000, OBJECT);
  script_summarize (&script, &summary);
  assert_int_equal (STATE (exceptions)->throws_of_unknown, 1);
}

/* catch 0, filter 1, finally 2, fault 4 */
SUMMARY_TEST (test_clauses)
{
  static const uint64_t types[] = { 0, 0, 0, 1, 2, 2, 4, 3, 5, UINT64_MAX };
  for (size_t i = 0; i < G_N_ELEMENTS (types); i++)
    script_clause (&script, 1000 + i, types[i], METHOD);
  script_summarize (&script, &summary);
  static const uint64_t expected[CLAUSE_TYPES] = { 3, 1, 2, 1, 1 };
  for (size_t i = 0; i < CLAUSE_TYPES; i++)
    assert_int_equal (STATE (exceptions)->clauses[i], expected[i]);
  assert_int_equal (STATE (exceptions)->clauses_of_unknown, 2);
  assert_int_equal (STATE (exceptions)->throws, 0);
}
