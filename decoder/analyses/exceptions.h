/* exceptions.h -- exceptions by class, clauses by kind. */
#ifndef PROFLOG_EXCEPTIONS_H
#define PROFLOG_EXCEPTIONS_H

#include <glib.h>
#include <proflog/mlpd.h>
#include <stdbool.h>

/* Clause types are 0, 1, 2 and 4. */
#define CLAUSE_TYPES 5

struct exceptions {
  uint64_t events; /* throws and clauses */
  uint64_t throws;
  uint64_t throws_of_unknown;
  GArray *types; /* of uint64_t throws, by class symbol */
  uint64_t clauses[CLAUSE_TYPES];
  uint64_t clauses_of_unknown;
};

void exceptions_init (struct exceptions *exceptions);
void exceptions_clear (struct exceptions *exceptions);

/* An exception whose class is `klass`, or is not known. */
void exceptions_throw (struct exceptions *exceptions, bool known, guint klass);
void exceptions_clause (struct exceptions *exceptions, const struct mlpd_exception_clause *event);

#endif
