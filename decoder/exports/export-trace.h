/* export-trace.h -- events and their times, for the formats of timelines.
 *
 * A trace has tracks: processes, threads, lanes of either, and counters of processes.  Slices are
 * on threads and lanes; those of one track nest: the end of a slice is that of the one that began
 * last.  Times are ns since the beginning of the trace.  On a track they do not decrease: an event
 * that is earlier than the one before it on its track gets the time of that one.  Events of
 * different tracks may come in any order.
 */
#ifndef PROFLOG_EXPORT_TRACE_H
#define PROFLOG_EXPORT_TRACE_H

#include "decoder/core/timeline.h"
#include "decoder/exports/export-out.h"

#include <stdint.h>

struct trace;

enum trace_track_kind {
  TRACE_PROCESS,
  TRACE_THREAD,
  TRACE_LANE,
  TRACE_COUNTER,
};

enum trace_unit { TRACE_COUNT, TRACE_NS, TRACE_BYTES };

/* The meaning of the slices on a thread or lane, for formats that sum them up. */
enum trace_role {
  TRACE_OTHER,
  TRACE_CALLS,       /* slices are calls of methods, instants exceptions */
  TRACE_RUNS,        /* slices are Haskell threads that a capability runs */
  TRACE_LOCKS,       /* slices are waits for locks of the thread it is a lane of */
  TRACE_COLLECTIONS, /* of the process, or of one capability, with its waits within them */
  TRACE_PAUSES,
  TRACE_MARKS,     /* instants are marks of the program */
  TRACE_INTERVALS, /* slices are intervals between marks, of a thread if they nest */
};

struct trace_track {
  enum trace_track_kind kind;
  enum trace_unit unit;            /* of a counter */
  enum trace_role role;            /* this and the next two: set by those who add the track */
  enum timeline_quantity quantity; /* of a counter */
  uint64_t before;                 /* of a counter: its value before its first event */
  guint number;                    /* from 1, in the trace */
  uint32_t pid;
  uint32_t log_pid;                 /* of a process: as its log states it; 0: unknown */
  uint64_t thread;                  /* of a thread of Mono, after it was added: its id */
  guint earlier;                    /* the number of earlier threads with that id */
  guint threads;                    /* of a process, after its last event: that had events */
  guint generation;                 /* of TRACE_COLLECTIONS of a process of Mono */
  const char *runtime;              /* of a process, after its last event: "mono" or "ghc" */
  const struct trace_track *parent; /* of a process: NULL */
  char *name;
  uint64_t last; /* time of its last event */
  guint depth;   /* slices that are open */
  GArray *open;  /* of struct trace_open: these, if some are left out; NULL: none yet */
  guint written; /* the number of these that the format has */
};

/* The beginning of a slice. */
struct trace_open {
  guint name;
  uint64_t begin;
};

struct trace_value {
  bool is_real;
  union {
    double real;
    int64_t whole;
  };
};

/* Objects that were allocated: where only some are in the log, the number for which they stand. */
struct trace_objects {
  uint64_t parts; /* of an object: TRACE_OBJECT_PARTS are one */
  uint64_t bytes;
  uint64_t size; /* of one of them */
};
#define TRACE_OBJECT_PARTS 1024

/* Objects of a kind, which is the format's own number, that died in a collection.  If this never
 * came, they were dead at the end. */
struct trace_death {
  guint collection; /* counted from 1 */
  guint kind;
  uint64_t objects;
};

/* The stack that a thread had before, as the format numbers stacks: numbers[i] is that of the
 * frames up to frames[i]. */
struct trace_numbers {
  guint *numbers; /* room for each frame of the stack */
  guint n;        /* of these are those of the stack */
};

/* A span of the program that is one of a trace of OpenTelemetry. */
struct trace_linked_span {
  uint64_t trace_high, trace_low; /* the number of the trace */
  uint64_t id;
};

/* Ids of processes are below this; those that are made up begin here. */
#define TRACE_FIRST_OWN_PID (1u << 22)

/* Frames by their numbers as names (trace_name), the outermost first. */
struct trace_stack {
  const guint *frames;
  guint n;
  struct trace_numbers *known; /* NULL: nothing is known */
};

/* The functions of a format.  Times and values are in order, tracks were written before their
 * events. */
struct trace_format {
  void (*begin) (struct trace *trace);
  void (*end) (struct trace *trace);
  void (*track) (struct trace *trace, const struct trace_track *track); /* new, or renamed */
  char *(*name) (struct trace *trace, const char *name); /* a new name, as trace->names has it */

  /* NULL: the format has no use for them. */
  void (*slice) (struct trace *trace, const struct trace_track *track, guint name, uint64_t time);
  void (*slice_end) (struct trace *trace, const struct trace_track *track, uint64_t time);
  void (*instant) (struct trace *trace, const struct trace_track *track, const char *text,
                   uint64_t time);
  void (*counter) (struct trace *trace, const struct trace_track *track, struct trace_value value,
                   uint64_t time);
  void (*activity) (struct trace *trace, const struct trace_track *track, uint64_t time);
  void (*allocation) (struct trace *trace, const struct trace_track *track, guint type,
                      const struct trace_stack *stack, struct trace_objects objects, uint64_t time);
  bool needs_stacks; /* of allocations; else they are empty */
  /* Both or neither: a collection began; after the last event objects that died, in any order.  The
   * format states the kind of each allocation in trace->kind. */
  void (*collection) (struct trace *trace, guint number, uint64_t time);
  void (*death) (struct trace *trace, const struct trace_death *death);
  /* A process was paused, as reports count it: for a collection of this generation, or of an
   * unknown one.  A slice is there, too: of TRACE_PAUSES, or the collection of a capability. */
  void (*pause) (struct trace *trace, const struct trace_track *track, guint generation,
                 uint64_t begin, uint64_t end);
  bool has_runs;   /* Haskell threads have lanes, beside those of capabilities */
  bool no_calls;   /* of calls and allocations only the times are needed, not all of them */
  bool needs_idle; /* of samples of the wall clock: `is_idle`; logs may be read once more for it */
  bool is_of_one_log;
  bool has_paths;   /* processes have the whole names of logs */
  bool has_natives; /* samples without methods have the native function as their frame, and those of
                     * GHC the times for which they stand; logs may be read once more for it */
  void (*sample) (struct trace *trace, const struct trace_track *track,
                  const struct trace_stack *stack, uint64_t time);
  /* The times for which the latest sample of the thread stands.  `is_idle`: it waits for work. */
  void (*sample_time) (struct trace *trace, const struct trace_track *track, uint64_t cpu_ns,
                       uint64_t wait_ns, bool is_idle);
  /* A span was on a thread from then on.  Before the samples of that time, or after them. */
  void (*linked_span) (struct trace *trace, const struct trace_track *track,
                       const struct trace_linked_span *span, uint64_t from, uint64_t to);
  /* A thread of Mono ended. */
  void (*thread_end) (struct trace *trace, const struct trace_track *track, uint64_t time);
  /* A Haskell thread of a process could run for a time, but did not.  In any order. */
  void (*runnable) (struct trace *trace, const struct trace_track *process, uint64_t begin,
                    uint64_t end);
};

struct trace {
  const struct trace_format *format;
  struct export_out *out;  /* borrowed */
  void *data;              /* borrowed; of the format's own use */
  bool has_event;          /* of the format's own use */
  guint kind;              /* of the latest allocation, for formats with deaths */
  uint64_t start_ns;       /* when the trace begins, since 1970; 0: unknown */
  uint64_t range_ns;       /* from this time of the trace on, times of --time-range count */
  uint64_t from_ns, to_ns; /* times of the trace that are selected, as far as the log that came has
                              events; after its last event */
  uint64_t min_ns;         /* shorter slices are left out */
  uint64_t n_short;        /* the number of these */
  int64_t clock_error_ns;  /* of the log whose tracks come: true times are later by less than this;
                              negative: unknown */
  GString *scratch[3];     /* likewise */
  GPtrArray *tracks;       /* of struct trace_track *; owns them */
  GPtrArray *names;        /* of char *, of slices, by number, as the format has them */
  GHashTable *numbers;     /* name -> number + 1 */
  GHashTable *pids;        /* that processes have */
  GHashTable *natives;     /* numbers of names that are those of native functions */
};

void trace_begin (struct trace *trace, const struct trace_format *format, struct export_out *out);

/* Writes the end, and frees the trace. */
void trace_end (struct trace *trace);

/* States how many slices were left out, also after trace_end (transfer full); NULL: none were. */
char *trace_short_text (const struct trace *trace);

/* A new track of a process.  If `pid` is 0 or that of another process of the trace, it gets another
 * one. */
struct trace_track *trace_add_process (struct trace *trace, uint64_t pid, const char *name);

/* A new track of any other kind; `unit` is that of a counter. */
struct trace_track *trace_add (struct trace *trace, enum trace_track_kind kind,
                               const struct trace_track *parent, const char *name,
                               enum trace_unit unit);

void trace_rename (struct trace *trace, struct trace_track *track, const char *name);

/* A name as a JSON string (transfer full), for formats that are JSON: trace_format.name. */
char *trace_quote_name (struct trace *trace, const char *name);

/* The number of a name of slices, frames or types. */
guint trace_name (struct trace *trace, const char *name);

/* The same of a native function. */
guint trace_native_name (struct trace *trace, const char *name);

/* For formats that have names as they are. */
char *trace_copy_name (struct trace *trace, const char *name);

/* With min_ns the format has a slice when one within it, or itself, ends after that time; those
 * that are open at the end of the trace it has in any case. */
void trace_slice (struct trace *trace, struct trace_track *track, guint name, uint64_t time);

/* Without an open slice nothing happens. */
void trace_slice_end (struct trace *trace, struct trace_track *track, uint64_t time);

void trace_instant (struct trace *trace, struct trace_track *track, const char *text,
                    uint64_t time);

/* A number that is infinite or none is left out. */
void trace_counter (struct trace *trace, struct trace_track *track, struct trace_value value,
                    uint64_t time);

/* For formats that have `pause`. */
void trace_pause (struct trace *trace, const struct trace_track *track, guint generation,
                  uint64_t begin, uint64_t end);

/* An event of a thread, for formats that have `activity`. */
static inline void
trace_activity (struct trace *trace, const struct trace_track *track, uint64_t time)
{
  trace->format->activity (trace, track, time);
}

/* Objects of a type, whose name is as of trace_name, were allocated, for formats that have
 * `allocation`. */
static inline void
trace_allocation (struct trace *trace, const struct trace_track *track, guint type,
                  const struct trace_stack *stack, struct trace_objects objects, uint64_t time)
{
  trace->format->allocation (trace, track, type, stack, objects, time);
}

/* A thread was sampled, for formats that have `sample`. */
static inline void
trace_sample (struct trace *trace, const struct trace_track *track, const struct trace_stack *stack,
              uint64_t time)
{
  trace->format->sample (trace, track, stack, time);
}

#endif
