/* options.h -- what the user asked the module for. */
#ifndef PROFLOG_OPTIONS_H
#define PROFLOG_OPTIONS_H

#include "profiler/callspec.h"
#include "profiler/pack.h"
#include <proflog/module-options.h>
#include <stdbool.h>
#include <stddef.h>

/* Where backtraces come from. */
enum stacks { STACKS_AUTO, STACKS_SHADOW, STACKS_WALK, STACKS_NONE };

struct options {
  bool help;
  bool alloc, calls, gc, gcmove, exception, monitor;
  bool control;     /* a socket to be controlled through */
  bool follow_fork; /* forked children get logs of their own */
  enum pack pack;
  bool gcroot, gchandle, finalization, jit, sample, counter; /* not in data version 1 */
  bool sample_real;        /* by the wall clock, not by what the process uses of its processors */
  unsigned sample_hz;      /* samples in a second */
  bool gcmove_wanted;      /* and not only by default */
  uint64_t alloc_sampling; /* record one allocation in so many bytes; 0: all.  Not in 1 either */
  unsigned version;        /* data version asked for, 0: that which fits */
  bool eventlog;           /* an eventlog is asked for, which has no data version */
  bool alloc_said;         /* whether allocations are recorded or not */
  bool heapshot_on_shutdown;
  struct proflog_heapshot_mode heapshot;
  enum stacks stacks;
  unsigned max_frames;
  unsigned call_depth;
  struct callspec callspec;
  uint64_t memory, buffer;          /* bytes */
  uint64_t rotate_bytes, rotate_ms; /* when the log goes on in another file; 0: never */
  unsigned patience_ms;
  unsigned armed;    /* event classes that may be enabled later */
  bool paused;       /* nothing is recorded until somebody starts it */
  uint64_t sync_ms;  /* 0: names are said once */
  uint64_t flush_ms; /* 0: buffers are written when they are full */
  enum { OVERFLOW_AUTO, OVERFLOW_BLOCK, OVERFLOW_DROP } overflow;
  char spool[PROFLOG_OPTION_SIZE];  /* a directory, "none", or "": where it belongs */
  char output[PROFLOG_OPTION_SIZE]; /* as given, not expanded yet */
};

/* Reads what follows --profile= ("proflog", "proflog:alloc,output=x").  Options are separated by
 * commas; \ takes the next character as it is, '...' and "..." all between.  False with a message
 * in `why` at the first that is wrong. */
bool options_parse (struct options *options, const char *description, char *why, size_t size);

/* Prints the help text to stdout. */
void options_print_help (void);

#endif
