/* ghc-machine.h -- what an eventlog tells of the programs in it: capability sets, processes, their
 * runtime, arguments and clocks, tasks, how the heap is set up. */
#ifndef PROFLOG_GHC_MACHINE_H
#define PROFLOG_GHC_MACHINE_H

#include <glib.h>
#include <proflog/ghc-reader.h>

/* Capability sets that are kept; a program has two. */
#define GHC_CAPSETS_MAX 65536

struct ghc_capset {
  guint id;
  bool has_type;
  guint type;
  bool has_times; /* of the first and the last event that names it */
  uint64_t first, last;
  char *runtime;   /* NULL where it is not told, as are the next */
  char *arguments; /* separated by spaces */
  bool has_pid, has_ppid;
  guint pid, ppid;
  bool has_wall_clock;
  uint64_t wall_clock; /* ns since 1970, at ... */
  uint64_t wall_clock_at;
  bool has_heap;
  struct ghc_heap_info_ghc heap;
};

struct ghc_machine {
  GHashTable *capsets; /* id -> struct ghc_capset */
  GHashTable *tasks;   /* capability and thread of the system -> itself */
  uint64_t task_events;
  bool has_earlier_pid; /* a capability set was of another process before, ... */
  guint earlier_pid;    /* ... the first so, ... */
  guint later_pid;      /* ... and became one of this: logs were joined */
};

void ghc_machine_init (struct ghc_machine *machine);
void ghc_machine_clear (struct ghc_machine *machine);

/* An event that tells something of this; others are passed over. */
void ghc_machine_event (struct ghc_machine *machine, enum ghc_kind kind, uint64_t time,
                        const union ghc_payload *payload);

/* The set, or NULL. */
const struct ghc_capset *ghc_machine_capset (const struct ghc_machine *machine, guint id);

/* The sets that stand for processes of the system, by id (transfer container). */
GPtrArray *ghc_machine_processes (const struct ghc_machine *machine);

/* The set of the first clock that was told, or NULL. */
const struct ghc_capset *ghc_machine_clock (const struct ghc_machine *machine);

/* How many threads of the system were tasks of capabilities for which `has` tells true. */
guint ghc_machine_tasks (const struct ghc_machine *machine,
                         bool (*has) (const void *data, guint cap), const void *data);

#endif
