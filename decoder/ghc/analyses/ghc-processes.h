/* ghc-processes.h -- the programs of an eventlog: capability sets, processes, their runtime,
 * arguments and clocks, tasks, how the heap is set up. */
#ifndef PROFLOG_GHC_PROCESSES_H
#define PROFLOG_GHC_PROCESSES_H

#include <glib.h>
#include <proflog/ghc-reader.h>

/* Capability sets that are retained; a program has two. */
#define GHC_CAPSETS_MAX 65536

struct ghc_capset {
  guint id;
  bool has_type;
  guint type;
  bool has_times; /* of the first and the last event that names it */
  uint64_t first, last;
  char *runtime;   /* NULL where it is not known, as are the next */
  char *arguments; /* separated by spaces */
  char *host;      /* HOSTNAME in its environment */
  bool has_pid, has_ppid;
  guint pid, ppid;
  bool has_wall_clock;
  uint64_t wall_clock; /* ns since 1970 */
  uint64_t wall_clock_at;
  bool has_heap;
  struct ghc_heap_info_ghc heap;
};

struct ghc_processes {
  GHashTable *capsets; /* id -> struct ghc_capset */
  GHashTable *tasks;   /* capability and thread of the system -> itself */
  uint64_t task_events;
  bool has_earlier_pid; /* a capability set was of another process before */
  guint earlier_pid;    /* the first process of that set */
  guint later_pid;      /* the process that it became: logs were joined */
};

void ghc_processes_init (struct ghc_processes *processes);
void ghc_processes_clear (struct ghc_processes *processes);

/* An event that states something about this; others are skipped. */
void ghc_processes_event (struct ghc_processes *processes, enum ghc_kind kind, uint64_t time,
                          const union ghc_payload *payload);

/* The set, or NULL. */
const struct ghc_capset *ghc_processes_capset (const struct ghc_processes *processes, guint id);

/* The sets that stand for processes of the system, by id (transfer container). */
GPtrArray *ghc_processes_list (const struct ghc_processes *processes);

/* The set of the first clock that was reported, or NULL. */
const struct ghc_capset *ghc_processes_clock (const struct ghc_processes *processes);

/* The host that the first set states which states one; NULL: none does. */
const char *ghc_processes_host (const struct ghc_processes *processes);

/* Whether all that state their runtime are of Mono: the module and `convert` write its logs as
 * eventlogs, where a thread runs from its start to its end, as nobody knows when it does. */
bool ghc_processes_are_mono (const struct ghc_processes *processes);

/* How many threads of the system were tasks of capabilities for which `has` is true. */
guint ghc_processes_tasks (const struct ghc_processes *processes,
                           bool (*has) (const void *data, guint cap), const void *data);

#endif
