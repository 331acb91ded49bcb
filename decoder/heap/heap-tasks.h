/* heap-tasks.h -- the asynchronous operations of a heap snapshot that have not ended, and what each
 * waits for.
 *
 * An async method that waits is an object, its state machine.  The task that it awaits refers to it
 * by its continuations, and its own task is in its builder.  So its wait leads to the state machine
 * whose task that is, and so on to the innermost wait, for a task that no async method completes.
 */
#ifndef PROFLOG_HEAP_TASKS_H
#define PROFLOG_HEAP_TASKS_H

#include "decoder/heap/heap-changes.h"

/* A step of waiting, and all after it: each class is there once, so that recursion is short. */
struct heap_wait {
  uint32_t klass; /* of a state machine, of a task, or of what completes that */
  uint32_t next;  /* number of the step after it; HEAP_WAIT_NONE: it is the innermost */
};
#define HEAP_WAIT_NONE 0

/* Operations of one async method that wait for the same, in the same state. */
struct heap_operations {
  uint32_t klass; /* of their state machines */
  uint32_t wait;  /* HEAP_WAIT_NONE: it is not known what they wait for */
  bool has_state; /* the log has it */
  int64_t state;
  uint64_t count;
  uint64_t came; /* that an earlier snapshot does not have */
};

struct heap_tasks {
  GArray *waits;      /* of struct heap_wait; the first is none */
  GArray *operations; /* of struct heap_operations: those that are most first */
  uint64_t count;
};

/* Is it the class of a state machine of an async method? */
bool heap_class_is_operation (const struct heap_class *klass);

/* The graph must have fields.  `before`: an earlier snapshot; NULL: none, then nothing has come.
 * `moves`: of objects since then. */
void heap_tasks_init (struct heap_tasks *tasks, const struct heap_graph *graph,
                      const struct heap_graph *before, const struct heap_moves *moves);
void heap_tasks_clear (struct heap_tasks *tasks);

/* The method of a state machine, "Shop.Catalog:PriceOf (async)"; what a task is called, as
 * "Task.Delay", or its class (transfer full). */
char *heap_operation_text (const struct heap_graph *graph, uint32_t klass);

/* The number of its steps. */
guint heap_wait_steps (const struct heap_tasks *tasks, uint32_t wait);

/* "Catalog:Read (async) -> Task.Delay"; NULL: it is not known (transfer full). */
char *heap_wait_text (const struct heap_tasks *tasks, const struct heap_graph *graph,
                      uint32_t wait);

/* The last async method of a wait, or else what is awaited; NULL: it is not known (transfer full).
 */
char *heap_wait_innermost_text (const struct heap_tasks *tasks, const struct heap_graph *graph,
                                uint32_t wait);

#endif
