/* sql-groups.h -- rows of which only columns of few values are used: counted by these values, and
 * handed out again with those that are the same one after the other.
 *
 * GROUP BY then needs no sorter, which would have all rows.
 */
#ifndef PROFLOG_SQL_GROUPS_H
#define PROFLOG_SQL_GROUPS_H

#include "decoder/sql/sql-value.h"

enum { SQL_GROUPS_COLUMNS = 8 }; /* at most */

struct sql_groups;

/* For rows of `columns` columns.  With `is_once` rows that are the same are handed out once.  The
 * memory is SQLite's, as its limits hold; NULL if there is none. */
struct sql_groups *sql_groups_new (unsigned columns, bool is_once);
void sql_groups_free (struct sql_groups *groups);

/* Counts a row, and takes copies of its values.  False if there is no memory. */
bool sql_groups_add (struct sql_groups *groups, const struct sql_value *row);

/* After the last row: the first call goes to the first row, in the order of their values, and each
 * further one to the next.  False at the end. */
bool sql_groups_next (struct sql_groups *groups);

/* A value of the row. */
const struct sql_value *sql_groups_value (const struct sql_groups *groups, unsigned column);

#endif
