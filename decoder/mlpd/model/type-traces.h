/* type-traces.h -- backtraces by type of object.
 *
 * A type is known by its class or by its vtable, of which the class may be reported later: at the
 * end those of vtables are added to those of their classes.
 */
#ifndef PROFLOG_TYPE_TRACES_H
#define PROFLOG_TYPE_TRACES_H

#include "decoder/mlpd/model/allocations.h"
#include "decoder/mlpd/model/traces.h"

struct type_traces {
  struct trace_sums classes; /* by class symbol */
  struct trace_sums vtables; /* by vtable symbol; empty at the end */
  struct trace_sums unknown; /* of types that the log lacks: all under key 0 */
};

void type_traces_init (struct type_traces *traces);
void type_traces_clear (struct type_traces *traces);

/* This many objects of a type have this backtrace. */
void type_traces_add (struct type_traces *traces, guint type, guint trace, uint64_t count,
                      uint64_t bytes);

/* The error of them, where they are estimates. */
void type_traces_add_error (struct type_traces *traces, guint type, guint trace,
                            const struct allocation_error *error);

/* Makes whole objects of their parts, after the following. */
void type_traces_round (struct type_traces *traces);

/* Adds the backtraces of vtables to those of their classes. */
void type_traces_resolve (struct type_traces *traces, struct symbols *symbols);

/* The trace of these addresses of methods, as they are called now; TRACE_NONE if there are none. */
guint traces_add_addresses (struct traces *traces, struct symbols *symbols, struct mlpd_list list);

#endif
