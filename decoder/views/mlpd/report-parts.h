/* report-parts.h -- the parts that sections about Mono logs share. */
#ifndef PROFLOG_REPORT_PARTS_H
#define PROFLOG_REPORT_PARTS_H

#include "decoder/core/timeline.h"
#include "decoder/mlpd/analyses/roots.h"
#include "decoder/mlpd/analyses/summary.h"
#include "decoder/output/view.h"
#include "decoder/views/result.h"
#include "decoder/views/section.h"

/* ---- the roots of the section "gc", for the sections of heap snapshots and objects ---- */

extern const struct table_shape section_shot_roots_shape;

/* The table "root_sources" of a heap snapshot; people see it with --verbose. */
void section_put_shot_roots (const struct report *report, const struct root_sums *sums);

/* The owner of a root: "static", "unknown" and others.  Static. */
const char *section_root_source_name (guint source);

/* ---- findings ---- */

/* The first finding of a whole log, a sentence (transfer full), and its id; NULL: there is none. */
char *report_findings_first (const struct summary *summary, const char **id);

/* Does the heap, or a class in it, grow to the last snapshot, so that the search for leaks is worth
 * its time? */
bool report_findings_heap_grows (const struct summary *summary);

/* ---- the tables of --by time: an interval a row ---- */

/* Puts the width of an interval (`interval`) and a table whose columns are the time; a count and,
 * where the shape has five columns, an amount, of the events that began in the interval; the rate
 * per second; a bar for people.  `is_of_amount`: the rate is that of the amount. */
void over_time_put (const struct report *report, const struct table_shape *shape,
                    enum result interval, enum timeline_table_key key, bool is_of_amount);

/* ---- backtraces in rows of tables ---- */

/* "traces": the numbers of traces_put, and the frames. */
extern const struct table_shape traces_shape;

/* Puts a table of the sums of a key where the emitter is, a row a backtrace.  The shape's columns
 * are a count and, where there are two, bytes.  In each row are the frames, outermost first; of too
 * many the innermost ones are shown.  Those that read the same are one row.  Events without a
 * backtrace have a row without frames, if others had one: the rows add up to the key's sums. */
void traces_put (const struct report *report, const struct table_shape *shape,
                 const struct trace_sums *sums, guint key, enum trace_order order);

/* The frames of one backtrace, for table_set_detail with the report as data and a trace, or
 * TRACE_NONE, as id. */
void traces_put_frames (const void *report, uint64_t trace, struct emitter *emitter);

/* The same, where people read that there is none. */
void traces_put_stack (const void *report, uint64_t trace, struct emitter *emitter);

/* The number in `traces` of the frames that are shown of a backtrace, each by the first method of
 * its name; `frames` (of guint) has them then. */
guint traces_add_shown (const struct report *report, struct traces *traces, guint trace,
                        GArray *frames);

/* ---- allocations, throws and waits at backtraces, by method or by stack ---- */

/* In place of the symbol of a class, where the log does not state the type. */
#define STACK_TYPE_UNKNOWN G_MAXUINT

/* The name of a class, or that the log does not state it: for table_set_text, with the summary as
 * data. */
char *stack_type_name (const void *summary, uint64_t type);

struct stack_sum {
  guint type;  /* class symbol */
  guint trace; /* TRACE_NONE: there was no backtrace */
  uint64_t count;
  uint64_t amount;               /* bytes or ns */
  uint64_t max;                  /* the largest amount at once, where that is known */
  struct allocation_error error; /* of estimates */
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

/* ---- the tree of the section `tree` ---- */

/* That of calls, or that of samples? */
bool report_tree_is_of_calls (const struct summary *summary, enum view_source source);

#endif
