/* exceptions.h -- exceptions by class, clauses by kind. */
#ifndef PROFLOG_EXCEPTIONS_H
#define PROFLOG_EXCEPTIONS_H

#include "decoder/mlpd/model/type-traces.h"

#include <glib.h>
#include <proflog/mlpd.h>
#include <stdbool.h>

/* Clause types are 0, 1, 2 and 4. */
#define CLAUSE_TYPES 5

struct exceptions {
  uint64_t events; /* throws and clauses */
  uint64_t throws;
  uint64_t throws_of_unknown;
  struct type_sums types;    /* throws as objects */
  struct type_traces traces; /* where, if that is requested */
  uint64_t clauses[CLAUSE_TYPES];
  uint64_t clauses_of_unknown;
};

extern const struct analysis exceptions_analysis;

#endif
