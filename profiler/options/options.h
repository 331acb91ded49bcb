/* options.h -- the options of the module, as the user gave them. */
#ifndef PROFILER_OPTIONS_H
#define PROFILER_OPTIONS_H

#include "profiler/options/callspec.h"
#include <proflog/module-options.h>
#include <stdbool.h>
#include <stddef.h>

/* Where backtraces come from. */
enum stacks { STACKS_AUTO, STACKS_WALK, STACKS_NONE };

/* How the log is compressed. */
enum pack { PACK_NONE, PACK_GZIP, PACK_ZSTD };

/* When the log is saved without a request. */
enum { SAVE_TYPES_MAX = 8, SAVE_TYPE_SIZE = 256 };
struct save_options {
  char types[SAVE_TYPES_MAX][SAVE_TYPE_SIZE]; /* of exceptions, with or without their namespace */
  unsigned type_count;
  uint64_t pause_ns, heap_bytes; /* 0: not for these */
  bool by_signal;
  uint64_t every_ms;
  char to[PROFLOG_OPTION_SIZE]; /* "": beside the log */
};

struct options {
  bool help;
  bool alloc, calls, gc, gcmove, exception, monitor;
  bool control;     /* a socket to be controlled through */
  bool follow_fork; /* forked children get logs of their own */
  enum pack pack;
  bool gcroot, gchandle, finalization, jit, sample, counter; /* not in data version 1 */
  bool sample_real;                     /* by the wall clock, not by the process's processor time */
  unsigned sample_hz;                   /* samples in a second */
  bool lines;                           /* source lines of samples */
  bool clauses;                         /* with exceptions, the clauses that run */
  bool perf_map;                        /* names of compiled code for other profilers */
  bool jitdump;                         /* these with the code */
  bool gcmove_given;                    /* and not only by default */
  bool gcroot_given;                    /* with or without "no" */
  struct proflog_calls_mode calls_mode; /* the calls of the class; all members but 0 need 17 */
  uint64_t alloc_sampling; /* record one allocation in this many bytes; 0: all.  Not in 1 either */
  unsigned version;        /* requested data version; 0: the lowest that suffices */
  bool eventlog;           /* an eventlog is requested, which has no data version */
  bool alloc_given;        /* whether allocations are recorded or not */
  bool heapshot_on_shutdown;
  bool heapshot_fork;                          /* a child process walks the heap */
  bool heapshot_strings, heapshot_collections; /* snapshots have what these contain */
  bool heapshot_tasks;                         /* and the states of operations */
  bool native;                                 /* memory that native libraries allocate */
  struct proflog_heapshot_mode heapshot;
  enum stacks stacks;
  unsigned max_frames;
  unsigned call_depth;
  struct callspec callspec;
  uint64_t memory, buffer;          /* bytes */
  uint64_t rotate_bytes, rotate_ms; /* when the log goes on in another file; 0: never */
  uint64_t keep_files, keep_ms;     /* finished files that are kept; 0: all */
  uint64_t ring_bytes;              /* of all files of output=ring:SIZE; 0: it is another output */
  struct save_options save;
  uint64_t duration_ms, max_size; /* when the log ends; 0: with the program */
  uint64_t block_timeout_ms;
  unsigned armed;         /* event classes that may be enabled later */
  bool paused;            /* nothing is recorded until a request starts it */
  uint64_t reannounce_ms; /* 0: names are announced once */
  uint64_t flush_ms;      /* 0: buffers are written when they are full */
  enum { OVERFLOW_AUTO, OVERFLOW_BLOCK, OVERFLOW_DROP } overflow;
  char spool[PROFLOG_OPTION_SIZE];  /* a directory, "none", or "": where it belongs */
  char output[PROFLOG_OPTION_SIZE]; /* as given, not expanded yet */
};

/* Reads the text after --profile= ("proflog", "proflog:alloc,output=x").  Options are separated by
 * commas; \ takes the next character as it is, '...' and "..." all between.  False with a message
 * in `why` at the first that is wrong.  `can_compress`: whether this build has a compression; NULL:
 * that is not checked. */
bool options_parse (struct options *options, const char *description,
                    bool (*can_compress) (enum pack pack), char *why, size_t size);

/* The event classes that the options select (enum event_class). */
unsigned options_classes (const struct options *options);

/* Prints the help text to stdout. */
void options_print_help (void);

#endif
