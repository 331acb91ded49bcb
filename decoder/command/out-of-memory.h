/* out-of-memory.h -- the end of a command without memory.  Only programs link it: it defines two
 * functions of the C library. */
#ifndef PROFLOG_OUT_OF_MEMORY_H
#define PROFLOG_OUT_OF_MEMORY_H

/* At the beginning of main: from here on an allocation of GLib that fails ends the program with one
 * line on standard error and the status CLI_INPUT, instead of a signal.  (Of GLib's own beginning,
 * before main, the same is true.)  `outlast`, if not NULL, is called between the two; unless it
 * returns 0, that is the status.  It must not allocate. */
void out_of_memory_start (int (*outlast) (void));

#endif
