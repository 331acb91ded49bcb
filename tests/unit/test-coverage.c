/* test-coverage.c -- coverage events are added up. */
#include "config.h"

#include "decoder/mlpd/analyses/coverage.h"
#include "tests/unit/test.h"

/* Two assemblies of 10 and 5 methods; three statements, of which one never ran. */
TEST (test_sums)
{
  struct coverage c = { 0 };
  coverage_assembly (&c, &(struct mlpd_coverage_assembly){ .methods = 10, .full = 4 });
  coverage_assembly (&c, &(struct mlpd_coverage_assembly){ .methods = 5, .full = 1, .partial = 2 });
  coverage_class (&c);
  coverage_method (&c);
  coverage_method (&c);
  coverage_statement (&c, &(struct mlpd_coverage_statement){ .count = 1000 });
  coverage_statement (&c, &(struct mlpd_coverage_statement){ .count = 0 });
  coverage_statement (&c, &(struct mlpd_coverage_statement){ .count = 1 });
  assert_int_equal (c.assemblies, 2);
  assert_int_equal (c.all_methods, 15);
  assert_int_equal (c.full_methods, 5);
  assert_int_equal (c.partial_methods, 2);
  assert_int_equal (c.classes, 1);
  assert_int_equal (c.methods, 2);
  assert_int_equal (c.statements, 3);
  assert_int_equal (c.covered_statements, 2);
}
