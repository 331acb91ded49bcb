/* trace-stacks.h -- stacks of a trace as a tree: each is a frame within an outer stack. */
#ifndef PROFLOG_TRACE_STACKS_H
#define PROFLOG_TRACE_STACKS_H

#include "decoder/core/id-map.h"
#include "decoder/exports/export-trace.h"

struct trace_stacks {
  struct id_map numbers; /* outer stack and name -> number, less 1 */
  GArray *keys;          /* of uint64_t: of each stack */
};

void trace_stacks_init (struct trace_stacks *stacks);
void trace_stacks_clear (struct trace_stacks *stacks);

/* The number, from 1, of a frame within an outer stack, which is 0 for the outermost one. */
guint trace_stacks_inner (struct trace_stacks *stacks, guint outer, guint name);

/* The number of a stack; 0 if it has no frames. */
guint trace_stacks_number (struct trace_stacks *stacks, const struct trace_stack *stack);

/* The same of a sample: one without frames has a frame that is called so. */
guint trace_stacks_sampled (struct trace *trace, struct trace_stacks *stacks,
                            const struct trace_stack *stack);

static inline guint
trace_stacks_outer (const struct trace_stacks *stacks, guint number)
{
  return (guint) (g_array_index (stacks->keys, uint64_t, number - 1) >> 32);
}

/* The innermost frame, as trace_name has it. */
static inline guint
trace_stacks_name (const struct trace_stacks *stacks, guint number)
{
  return (guint) g_array_index (stacks->keys, uint64_t, number - 1);
}

#endif
