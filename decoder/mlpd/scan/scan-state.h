/* scan-state.h -- the sums of a chunk of a log by itself.
 *
 * A log is scanned in chunks of whole buffers, on any core and without the events before; the scans
 * are then merged in file order (summary.h).  Events that come in bulk (calls, allocations, objects
 * of heap snapshots, moves) are added up here.  All others are retained as they are and replayed
 * one by one when the scan is merged.  References of bulk events to earlier ones are left open in a
 * form that merging can close exactly, so that where a log is divided makes no difference:
 *
 * - Addresses have numbers of the scan's own.  Each stands for the meaning of the address at its
 *   first use; an announcement of the address ends that.
 * - A leave that finds no frame opens a new `level` of its thread: the frames below are in an
 *   earlier scan.
 * - Whether a method was entered by itself further down the stack is known when merging; until
 *   then its time is retained by level.
 * - Where a leave may concern a frame below while frames of this scan are open, the rest of the
 *   thread's calls are retained and replayed.
 *
 * A scan is used by one thread at a time.
 */
#ifndef PROFLOG_SCAN_STATE_H
#define PROFLOG_SCAN_STATE_H

#include "decoder/heap/heap-records.h"
#include "decoder/mlpd/index/buffer-filter.h"
#include "decoder/mlpd/mlpd-decode.h"
#include "decoder/mlpd/mlpd-sample-usage.h"
#include "decoder/mlpd/model/address-query.h"
#include "decoder/mlpd/model/allocations.h"
#include "decoder/mlpd/model/call-tree.h"
#include "decoder/mlpd/model/object-filter.h"
#include "decoder/mlpd/model/traces.h"
#include "decoder/mlpd/scan/recent-traces.h"
#include "decoder/mlpd/scan/scan-bins.h"
#include "decoder/mlpd/scan/scan-symbols.h"

#include <glib.h>
#include <stdbool.h>

/* Sizes of events that are distinguished for the statistics by kind; larger ones are added up. */
#define SCAN_SIZES 40

struct scan_kind {
  uint64_t of_size[SCAN_SIZES]; /* events of each size in bytes */
  uint64_t larger;
  uint64_t larger_bytes;
  uint64_t larger_min;
  uint64_t larger_max;
};

/* A method in a thread. */
struct scan_method {
  uint32_t active; /* open frames; no more than the chunk has bytes, as calls */
  uint32_t calls;
  uint64_t total_ns; /* of outermost frames, as far as it is not in the thread's totals yet */
  uint64_t self_ns;
  guint level; /* the one that total_ns belongs to */
};
G_STATIC_ASSERT (sizeof (struct scan_method) == SCAN_PLACE);

/* A method in all threads. */
struct scan_method_sum {
  uint64_t calls;
  uint64_t self_ns;
};

struct scan_frame {
  uint64_t address;
  uint64_t start;
  uint64_t callees_ns;
  uint64_t spent; /* self time that bins have, if these are requested */
  guint place;    /* see scan-symbols.h */
  guint stack;    /* with this frame, see struct scan_stacks */
};

static inline guint
scan_frame_method (const struct scan_frame *frame)
{
  return (guint) (frame->place / SCAN_PLACE);
}

/* A leave of a frame of an earlier scan; callees_ns: of calls that it made in this one. */
struct scan_open_return {
  guint method;
  guint stack; /* before it */
  uint64_t time;
  uint64_t callees_ns;
};

/* Where methods are called from.  A stack is one method on top of another stack, or all frames of
 * earlier scans that a thread has at a level. */
struct scan_stacks {
  struct scan_symbols keys; /* numbers of the stacks; see scan_stack_key */
  GArray *calls;            /* of guint: so often a stack came about, by number */
  GArray *times; /* of struct call_times: of the calls that ended, by number; if requested */
  guint bases;
};

#define SCAN_STACK_NONE G_MAXUINT

/* In place of an address. */
static inline uint64_t
scan_stack_key (guint below, guint place)
{
  return (uint64_t) place << 32 | (below + 1);
}

static inline guint
scan_stack_below (uint64_t key) /* SCAN_STACK_NONE: of earlier scans */
{
  return (guint) key - 1;
}

static inline guint
scan_stack_method (uint64_t key)
{
  return (guint) (key >> 32) / SCAN_PLACE;
}

struct scan_total {
  guint method;
  guint level;
  uint64_t ns;
};

struct scan_call {
  guint method;
  enum { SCAN_CALL_LEAVE, SCAN_CALL_ENTER, SCAN_CALL_PASS } type; /* PASS: a bin ended after it */
  uint64_t time;
};

struct scan_thread {
  uint64_t id;
  guint deferred_index; /* retained events before its first buffer */
  uint64_t offset;      /* of that */
  bool ended;           /* its end was seen */
  uint64_t events;      /* but for samples that state whose they are */
  uint64_t start;       /* earliest and latest time */
  uint64_t end;
  struct scan_frame *frames; /* frames[0] stands for all of earlier scans */
  guint n_frames;            /* with it */
  guint room;
  GArray *levels; /* of struct scan_open_return */
  struct scan_total *totals;
  guint n_totals;
  guint totals_room;
  struct scan_method *methods;         /* by method */
  guint n_methods;                     /* for which there is room */
  struct type_sum allocations;         /* if they are requested by thread */
  struct allocation_error alloc_error; /* likewise */
  GArray *calls;                       /* of struct scan_call: retained for the merge */
  bool retains_calls;
  /* If bins are requested: */
  guint bin;            /* of its latest event; SCAN_BIN_NONE: it has none */
  uint64_t first;       /* time of its first event */
  uint64_t latest;      /* time of its latest event */
  uint64_t spent_until; /* the time of open frames is known up to here */
  uint64_t hits;        /* events that are samples */
  uint64_t binned;      /* events that earlier bins have */
};

struct scan_type {
  uint64_t objects;
  uint64_t bytes;
};

struct scan_reference {
  uint64_t object;
  guint type;
};

struct scan_references {
  struct scan_reference *items;
  size_t n;
  size_t room;
};

/* Objects of one heap snapshot, all of one thread, in one chunk. */
struct scan_heap {
  guint thread;
  guint deferred_index; /* events that were retained before its last object */
  uint64_t objects;
  uint64_t bytes;
  uint64_t references;
  uint64_t records;
  GArray *types; /* of struct scan_type, by type */
  /* For the references by type, if requested: object and type of each; target and type. */
  struct scan_references object_types;
  struct scan_references reference_types;
  struct heap_records packed; /* for graphs, if requested; bytes NULL: none */
};

/* An event that is retained.  Its strings and lists are the scan's. */
struct scan_event {
  enum mlpd_kind kind;
  guint thread;
  bool name_only;                 /* it does not count, but for names */
  bool repeated;                  /* its buffer repeats announcements (MLPD_REANNOUNCE_BASE) */
  bool follows_class;             /* a METADATA CLASS of the same buffer is right before it */
  uint64_t offset;                /* in the log */
  uint64_t time;                  /* of the latest event in its buffer */
  struct mlpd_sample_usage usage; /* of a hit */
  union mlpd_payload payload;
};

/* Bytes of a block of the arena. */
#define SCAN_ARENA_BLOCK ((size_t) 64 * 1024)

struct selection;
struct shot_selection;

struct scan_options {
  bool traces;       /* backtraces are requested */
  bool alloc_groups; /* allocations are also summed up by thread and by size */
  bool callers;      /* stacks that methods are called from are requested */
  guint frames;      /* of these stacks, at most; 0: all */
  bool call_times;   /* the tree of calls is requested, with times */
  guint depth;       /* of calls that count by themselves; 0: all */
  bool replay_calls; /* calls are retained for the merge: they need whole stacks */
  const struct shot_selection
      *graphs;             /* heap snapshots that graphs are to be made of; NULL: none */
  bool replay[MLPD_KINDS]; /* kinds that are retained besides being added up */
  /* The events of these kinds that are retained; borrowed; NULL: all. */
  const struct object_filter *objects;
  const struct selection
      *names; /* of marks: these stay if there are too many; borrowed; NULL: all */
  struct buffer_filter *filter; /* only its events count; borrowed; NULL: all */
  bool bounded; /* only sums that do not grow with the events: for endless streams */
  bool types;   /* of throws and locks that the log lacks there will be searched for */
  bool spans;   /* of the program: their hits are retained (program-spans.h) */
  struct address_query *query;      /* that are searched for; borrowed; NULL: none */
  const struct scan_bin_spec *bins; /* that sums are also made for; borrowed; NULL: none */
};

struct scan {
  struct scan_options options;
  unsigned version;        /* data version */
  uint64_t alloc_sampling; /* 0: the log has all allocations (mlpd-origin.h) */
  struct mlpd_decoder decoder;
  struct mlpd_file_header header;     /* that the decoder was begun with */
  struct mlpd_skipped_traces skipped; /* of the present buffer */
  struct scan_symbols symbols[SCAN_SYMBOL_KINDS];
  struct scan_symbols thread_ids;          /* numbers of `threads` */
  GArray *methods;                         /* of struct scan_method_sum, by method */
  size_t n_thread_methods;                 /* of threads */
  struct scan_stacks stacks;               /* if they are requested, and not by replaying calls */
  GArray *threads;                         /* of struct scan_thread */
  GArray *events;                          /* of struct scan_event */
  GArray *heaps;                           /* of struct scan_heap */
  GArray *types;                           /* of struct scan_type: allocations by type */
  struct type_sum sizes[ALLOCATION_SIZES]; /* likewise by size, if requested */
  uint64_t alloc_samples;                  /* allocations, where they are sampled */
  GArray *alloc_errors;                    /* of struct allocation_error, by type: likewise */
  GPtrArray *arena; /* blocks of SCAN_ARENA_BLOCK bytes, of which arena_blocks are in use */
  guint arena_blocks;
  size_t arena_used; /* of the last of them */
  GPtrArray *large;  /* data too large for them */
  size_t retained;   /* bytes that events, calls and references are retained in */
  struct scan_kind kinds[MLPD_KINDS];
  guint thread;      /* index of the one whose buffer is scanned */
  bool heap_is_open; /* objects of this thread can be added to the last of heaps */
  bool after_class;
  enum { NO_HIT, HIT_RETAINED, HIT_SKIPPED } before; /* the event right before, in the buffer */
  uint64_t moves;
  uint64_t n_events;
  uint64_t blocks;
  bool has_time;
  uint64_t first_base; /* time base of the first buffer */
  uint64_t threads_ns; /* processor time of the module's own threads, by its end mark; 0: unknown */
  uint64_t latest;     /* time of events, whether they count or not, where they are inspected */
  enum buffer_use use; /* of the present buffer */
  bool block_counts;   /* the buffer is among `blocks` */
  bool
      reannounced; /* the buffer's names were announced before, and are none that were loaded now */
  bool is_context; /* the buffer is of names that count as nothing */
  struct traces traces;         /* of allocations, of the scan's methods */
  struct trace_sums trace_sums; /* by type */
  GArray *trace_methods;        /* of guint: of the trace that is searched */
  struct recent_traces recent_traces;
  struct scan_bins bins; /* if they are requested */
};

static inline bool
scan_has_stacks (const struct scan *s)
{
  return (s->options.callers || s->options.call_times) && !s->options.replay_calls;
}

static inline bool
scan_has_stack_times (const struct scan *s)
{
  return s->options.call_times && !s->options.replay_calls;
}

/* The thread whose buffer is scanned. */
static inline struct scan_thread *
scan_current_thread (const struct scan *s)
{
  return &((struct scan_thread *) (void *) s->threads->data)[s->thread];
}

/* Prepares a scan; the options are copied.  Free its memory with scan_clear. */
void scan_init (struct scan *scan, const struct scan_options *options);
void scan_clear (struct scan *scan);

/* Makes a used scan empty, for buffers of a log with this header (NULL: the one before), of whose
 * texts it needs to know no more than the sampling of allocations. */
void scan_start (struct scan *scan, const struct mlpd_file_header *header, uint64_t alloc_sampling);

#endif
