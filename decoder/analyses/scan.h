/* scan.h -- what a stretch of a log adds up to by itself.
 *
 * A log is scanned in stretches of whole buffers, on any core and without what came before; the
 * scans are then merged in file order (summary.h).  Events that come in masses (calls,
 * allocations, objects of heap shots, moves) are added up here.  All others are kept as they are
 * and replayed one by one when the scan is merged.  What the masses need from before is left open
 * in a form that merging can close exactly, so that where a log is divided makes no difference:
 *
 * - Addresses have numbers of the scan's own.  Each stands for what the address means at its first
 *   use; an announcement of the address ends that.
 * - A leave that finds no frame opens a new `level` of its thread: the frames below are in an
 *   earlier scan.
 * - Whether a method was entered by itself further down the stack is known when merging; until
 *   then its time is kept by level.
 * - Where a leave may concern a frame below while frames of this scan are open, the rest of the
 *   thread's calls are kept and replayed.
 *
 * A scan is used by one thread at a time.
 */
#ifndef PROFLOG_SCAN_H
#define PROFLOG_SCAN_H

#include "decoder/analyses/buffer-choice.h"
#include "decoder/analyses/heap-records.h"
#include "decoder/analyses/object-filter.h"
#include "decoder/analyses/scan-symbols.h"
#include "decoder/analyses/sought-objects.h"
#include "decoder/analyses/traces.h"
#include "decoder/formats/mlpd-decode.h"

#include <glib.h>
#include <proflog/mlpd-reader.h>
#include <stdbool.h>

/* Sizes of events that are told apart for the statistics by kind; larger ones are added up. */
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
  uint32_t active; /* open frames; no more than the stretch has bytes, as calls */
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
  guint place; /* see scan-symbols.h */
  guint stack; /* with this frame, see struct scan_stacks */
};

static inline guint
scan_frame_method (const struct scan_frame *frame)
{
  return (guint) (frame->place / SCAN_PLACE);
}

/* A leave of a frame of an earlier scan; callees_ns: of calls that it made in this one. */
struct scan_level {
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
  bool enter;
  uint64_t time;
};

struct scan_thread {
  uint64_t id;
  guint rare;      /* kept events before its first buffer */
  uint64_t offset; /* of that */
  bool ended;      /* its end was seen */
  uint64_t events; /* but for samples that tell whose they are */
  uint64_t start;  /* earliest and latest time */
  uint64_t end;
  struct scan_frame *frames; /* frames[0] stands for all of earlier scans */
  guint n_frames;            /* with it */
  guint room;
  GArray *levels; /* of struct scan_level */
  struct scan_total *totals;
  guint n_totals;
  guint totals_room;
  struct scan_method *methods; /* by method */
  guint n_methods;             /* for which there is room */
  GArray *calls;               /* of struct scan_call: kept for the merge */
  bool keeps_calls;
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

/* Objects of one heap shot, all of one thread, in one stretch. */
struct scan_heap {
  guint thread;
  guint rare; /* events that were kept before its last object */
  uint64_t objects;
  uint64_t bytes;
  uint64_t references;
  uint64_t records;
  GArray *types; /* of struct scan_type, by type */
  /* For the references by type, if asked for: object and type of each; target and type. */
  struct scan_references object_types;
  struct scan_references reference_types;
  struct heap_records packed; /* for graphs, if asked for; bytes NULL: none */
};

/* An event that is kept.  Its strings and lists are the scan's. */
struct scan_event {
  enum mlpd_kind kind;
  guint thread;
  bool name_only;     /* it does not count, but for names */
  bool follows_class; /* a METADATA CLASS of the same buffer is right before it */
  uint64_t offset;    /* in the log */
  uint64_t time;      /* of the latest event in its buffer */
  union mlpd_payload payload;
};

struct heap_choice;

struct scan_options {
  bool traces;                      /* backtraces are wanted */
  bool callers;                     /* stacks that methods are called from are wanted ... */
  guint frames;                     /* ... and of these so many frames; 0: all */
  guint depth;                      /* of calls that count by themselves; 0: all */
  bool replay_calls;                /* calls are kept for the merge: they need whole stacks */
  const struct heap_choice *graphs; /* heap shots that graphs are to be made of; NULL: none */
  bool replay[MLPD_KINDS];          /* kinds that are kept besides being added up */
  /* Of these kinds, what is kept; borrowed; NULL: all. */
  const struct object_filter *objects;
  struct buffer_choice *choice; /* only what it has counts; borrowed; NULL: all */
  bool types; /* of throws and locks that the log does not tell right there will be looked for */
  struct sought_objects *sought; /* that are looked for; borrowed; NULL: none */
};

/* See scan-traces.h. */
struct recent_traces {
  struct recent_trace *slots; /* by hash; NULL: traces are not wanted */
  GByteArray *bytes;          /* of those that are in slots, or were */
};

struct scan {
  struct scan_options options;
  unsigned version;        /* data version */
  uint64_t alloc_sampling; /* 0: the log has all allocations (mlpd-origin.h) */
  struct mlpd_decoder decoder;
  struct mlpd_file_header header; /* that the decoder was begun with */
  struct mlpd_passed passed;      /* of the present buffer */
  struct scan_symbols symbols[SCAN_SORTS];
  struct scan_symbols thread_ids; /* numbers of `threads` */
  GArray *methods;                /* of struct scan_method_sum, by method */
  size_t kept_methods;            /* of threads */
  struct scan_stacks stacks;      /* if callers are wanted, and not by replaying calls */
  GArray *threads;                /* of struct scan_thread */
  GArray *events;                 /* of struct scan_event */
  GArray *heaps;                  /* of struct scan_heap */
  GArray *types;                  /* of struct scan_type: allocations by type */
  uint64_t alloc_samples;         /* allocations, where they are sampled */
  GPtrArray *arena; /* blocks of ARENA_BLOCK bytes, of which arena_blocks are in use */
  guint arena_blocks;
  size_t arena_used; /* of the last of them */
  GPtrArray *large;  /* what is too large for them */
  size_t kept;       /* bytes that events, calls and references are kept in */
  struct scan_kind kinds[MLPD_KINDS];
  guint thread;      /* index of the one whose buffer is scanned */
  bool heap_is_open; /* the last of heaps can take objects of this thread */
  bool after_class;
  uint64_t moves;
  uint64_t n_events;
  uint64_t blocks;
  bool has_time;
  uint64_t first_base;  /* time base of the first buffer */
  uint64_t latest;      /* time of events, whether they count or not, where they are looked at */
  enum buffer_use use;  /* of the present buffer */
  bool block_counts;    /* ... it is among `blocks` */
  bool said_again;      /* ... its names were said before, and are none that were loaded now */
  struct traces traces; /* of allocations, of the scan's methods */
  struct trace_sums trace_sums; /* by type */
  GArray *trace_methods;        /* of guint: of the trace that is looked up */
  struct recent_traces recent_traces;
};

static inline bool
scan_has_stacks (const struct scan *s)
{
  return s->options.callers && !s->options.replay_calls;
}

void scan_init (struct scan *scan, const struct scan_options *options);
void scan_clear (struct scan *scan);

/* Makes a used scan empty, for buffers of a log with this header (NULL: the one before), of whose
 * texts it needs to know no more than the sampling of allocations. */
void scan_start (struct scan *scan, const struct mlpd_file_header *header, uint64_t alloc_sampling);

/* The buffer of this header, which is at `offset` of the log, begins; its events follow. */
void scan_buffer (struct scan *scan, const struct mlpd_buffer_header *header, uint64_t offset);

/* What is done with a buffer. */
enum buffer_use scan_use (const struct scan_options *options,
                          const struct mlpd_buffer_header *header, uint64_t offset);

/* A buffer that is passed. */
void scan_pass (struct scan *scan, const struct mlpd_buffer_header *header);

/* An event of that buffer: `size` bytes at `offset` of the log. */
void scan_event (struct scan *scan, enum mlpd_kind kind, const union mlpd_payload *payload,
                 uint64_t offset, uint64_t size);

/* A whole buffer: its header and the bytes behind it, which begin at `offset` of the log.  False
 * if they are damaged, or leave too many calls open: then the scan holds what it should not and is
 * of no use. */
bool scan_block (struct scan *scan, const struct mlpd_buffer_header *header, const uint8_t *bytes,
                 size_t length, uint64_t offset);

/* Ends the scan: after it, it can be merged. */
void scan_finish (struct scan *scan);

#endif
