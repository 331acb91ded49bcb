/* helpers.h -- code that the JIT compiler made and that is no method, by its purpose. */
#ifndef PROFLOG_HELPERS_H
#define PROFLOG_HELPERS_H

#include <proflog/mlpd.h>

/* Types are 0 to 9; the one after them is for all others. */
#define HELPER_TYPES 11

struct helper_sum {
  uint64_t count;
  uint64_t bytes;
};

struct helpers {
  struct helper_sum all;
  struct helper_sum types[HELPER_TYPES];
};

extern const struct analysis helpers_analysis;

/* `helpers` is all zeros at first. */
void helpers_add (struct helpers *helpers, const struct mlpd_runtime_jit_helper *event);

#endif
