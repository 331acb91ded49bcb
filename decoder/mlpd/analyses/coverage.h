/* coverage.h -- how much of the program ran, as the log itself sums it up (data versions 10 to
 * 15). */
#ifndef PROFLOG_COVERAGE_H
#define PROFLOG_COVERAGE_H

#include <proflog/mlpd.h>

struct coverage {
  uint64_t assemblies;
  uint64_t classes;
  uint64_t methods; /* that have events of their own */
  uint64_t statements;
  uint64_t covered_statements; /* that ran at least once */
  /* Methods of all assemblies, and those of them that ran whole, and in part. */
  uint64_t all_methods;
  uint64_t full_methods;
  uint64_t partial_methods;
};

extern const struct analysis coverage_analysis;

/* `coverage` is all zeros at first. */
void coverage_assembly (struct coverage *coverage, const struct mlpd_coverage_assembly *event);
void coverage_class (struct coverage *coverage);
void coverage_method (struct coverage *coverage);
void coverage_statement (struct coverage *coverage, const struct mlpd_coverage_statement *event);

#endif
