/* junit.h -- results of budgets as JUnit XML, which CI systems read: a test case for each budget.
 */
#ifndef PROFLOG_JUNIT_H
#define PROFLOG_JUNIT_H

#include "decoder/views/compare/budgets.h"

/* The text of the file (transfer full). */
GString *junit_new (const struct budget_results *results);

#endif
