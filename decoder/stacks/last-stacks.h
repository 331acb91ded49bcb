/* last-stacks.h -- what each thread of a Mono log did last, as of a program that was killed: its
 * last stack, and the lock that it waited for.
 *
 * Give it all items, in the order of the file.
 */
#ifndef PROFLOG_LAST_STACKS_H
#define PROFLOG_LAST_STACKS_H

#include "decoder/mlpd/analyses/monitors.h"
#include "decoder/mlpd/model/recording.h"
#include "decoder/mlpd/model/symbols.h"
#include "decoder/mlpd/model/threads.h"
#include "decoder/mlpd/model/wait-kind.h"
#include <proflog/mlpd-reader.h>

/* The event that has a stack. */
enum last_event { LAST_NONE, LAST_SAMPLE, LAST_LOCK, LAST_ALLOCATION, LAST_EXCEPTION, LAST_EVENTS };

/* "sample"; NULL of LAST_NONE. */
const char *last_stacks_event_name (enum last_event event);

struct last_stack {
  struct thread *thread;
  enum last_event event;
  uint64_t time;       /* of the event */
  GArray *frames;      /* of guint: methods, the innermost first */
  bool waits;          /* a sample found it waiting */
  GArray *lock_frames; /* those with which it began to wait for a lock last; NULL: not in the log */
  char *lock;          /* the class of the lock that it waited for last; NULL: not in the log */
};

struct last_stacks {
  struct symbols symbols;
  struct threads threads;
  struct recording recording;
  struct monitors monitors;
  GHashTable *all;        /* struct thread * -> struct last_stack */
  struct last_stack *hit; /* of the hit right before; NULL: there is none */
  const char *klass;      /* that was announced right before, ... */
  uint64_t klass_time;    /* ... at this time; NULL: none was */
  bool has_time;
  uint64_t first, last; /* times of events */
  bool has_loss;        /* the end of a wait may be missing */
};

void last_stacks_init (struct last_stacks *stacks);
void last_stacks_clear (struct last_stacks *stacks);

void last_stacks_item (struct last_stacks *stacks, const struct mlpd_item *item);

/* Those of threads that did not end, in the order in which they appeared (transfer container). */
GPtrArray *last_stacks_all (struct last_stacks *stacks);

/* Whether the thread still waited for a lock (its wait_object) at the end. */
bool last_stacks_waits_for_lock (const struct last_stacks *stacks, const struct last_stack *stack);

/* The stack of the thread whose id is that of the owner of the lock that this one waits for; NULL:
 * unknown. */
const struct last_stack *last_stacks_owner (const struct last_stacks *stacks,
                                            const struct last_stack *stack);

/* Whether that wait may end by itself, as of Monitor.TryEnter with a limit of time; true where its
 * stack is not known. */
bool last_stacks_has_limit (const struct last_stacks *stacks, const struct last_stack *stack);

/* What it waited for when a sample found it waiting, by its innermost method; else WAIT_NONE. */
enum wait_kind last_stacks_wait (const struct last_stacks *stacks, const struct last_stack *stack);

/* The names of its methods, the innermost first (of char *; transfer full). */
GPtrArray *last_stacks_names (const struct last_stacks *stacks, const struct last_stack *stack);

#endif
