/* report-stacks.h -- what happened at backtraces, by method or by stack: allocations, throws,
 * waits.
 */
#ifndef PROFLOG_REPORT_STACKS_H
#define PROFLOG_REPORT_STACKS_H

#include "decoder/views/section.h"

/* In place of the symbol of a class, where the log does not state the type. */
#define STACK_TYPE_UNKNOWN G_MAXUINT

/* The name of a class, or that the log does not state it: for table_set_text, with the summary as
 * data. */
char *stack_type_name (const void *summary, uint64_t type);

struct stack_sum {
  guint type;  /* class symbol */
  guint trace; /* TRACE_NONE: there was no backtrace */
  uint64_t count;
  uint64_t amount; /* bytes or ns, ... */
  uint64_t max;    /* ... and the largest at once, where that is known */
};

/* The tables of a section.  Both end with a column "name": of the method, or of the type, which
 * `stacks` have frames for. */
struct stack_tables {
  const struct table_shape *methods, *stacks;
  /* Adds a row with this id; of the name's column the cell is the id, too. */
  void (*add_row) (struct table *table, uint64_t id, const struct stack_sum *sum);
};

struct stack_groups;

/* For a view by method or by stack.  The method is the innermost one that `is_inside` (NULL: none)
 * does not hold for; if it holds for all, the innermost. */
struct stack_groups *stack_groups_new (const struct report *report,
                                       bool (*is_inside) (const char *method));

/* Adds to the sum of the same method, or of the same type and frames as far as they are shown. */
void stack_groups_add (struct stack_groups *groups, const struct stack_sum *sum);

/* Adds all sums of a key of `sums`. */
void stack_groups_add_traces (struct stack_groups *groups, guint type,
                              const struct trace_sums *sums, guint key);

/* Puts the table and frees the groups. */
void stack_groups_put (struct stack_groups *groups, const struct stack_tables *tables);

#endif
