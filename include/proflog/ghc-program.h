/* ghc-program.h -- functions of libproflog-ghc for a GHC program's main function; the library sends the
 * program's eventlog to readers while it runs.
 *
 * Programs need none of this by themselves: proflog-main.c, which is compiled with the program, has the
 * main function and knows the runtime's interface.  The environment variable PROFLOG_GHC selects the
 * options; see proflog-ghc(7).
 *
 * proflog_ghc_open, _ready and _exit are called once each, in this order, by the main thread, and the
 * others in between: by whatever thread of the runtime fits, also several at a time.  In the child of a
 * fork they do nothing.  None may be called from a signal handler.  Nothing here ends the process: without
 * memory, events are lost and counted.
 */
#ifndef PROFLOG_GHC_PROGRAM_H
#define PROFLOG_GHC_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Before the runtime starts.  False if PROFLOG_GHC is not set, or cannot be done (which one line on
 * standard error states): then nothing else may be called. */
bool proflog_ghc_open (void);

/* When the runtime has started.  `flush`: is called from a thread of ours now and then, and has the runtime
 * give the contents of its buffers, or collect; NULL if no thread but the runtime's may call it.
 * `at_once`: it has done so when it returns; else proflog_ghc_restarts states when to. */
void proflog_ghc_ready (void (*flush) (void), bool at_once);

/* The runtime's EventLogWriter: `bytes`, which are copied where the library retains them, are always
 * received (true).  Stop sends the rest, waits for slow readers for a while, and ends the log. */
bool proflog_ghc_write (void *bytes, size_t length);
void proflog_ghc_stop (void);

/* After each collection, when no capability runs: whether to end the eventlog and start it again,
 * so that all buffers are given to us; and that it was done. */
bool proflog_ghc_restarts (void);
void proflog_ghc_restarted (void);

/* For a program whose runtime has one thread, before it calls proflog_control (proflog/program.h) and
 * collects: that collection gives us the contents of the runtime's buffers.  From any thread; without a log
 * it does nothing. */
void proflog_ghc_request_flush (void);

/* When the runtime begins to end: `flush` is no longer called. */
void proflog_ghc_exit (void);

#ifdef __cplusplus
}
#endif

#endif
