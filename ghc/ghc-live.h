/* ghc-live.h -- sends the eventlog of a GHC program to readers while it is written.
 *
 * The runtime passes blocks from any threads and never waits: there is a thread that sends them,
 * and for each reader a queue of bounded size.  Blocks that find no room there are dropped, and the
 * reader gets a message with the number of missing events.  A reader that comes later first gets
 * the state of the program: its threads, capabilities, ... (ghc-stream.h).
 *
 * One for the process.  Functions may be called from any threads.
 */
#ifndef PROFLOG_GHC_LIVE_H
#define PROFLOG_GHC_LIVE_H

#include "ghc/ghc-stream.h"
#include <limits.h>

/* Opens a destination and starts the thread.  `output` is unix-listen:PATH, unix:PATH, #DESCRIPTOR,
 * |COMMAND, or the path of a FIFO or file; `memory`: bytes that a reader's queue holds.  False with
 * a message. */
bool ghc_live_open (const char *output, size_t memory, char *why, size_t size);

/* The log ends for the readers that it has, and begins at another destination
 * (ghc_destination_open_other), with the state of the program.  Blocks that wait for a first reader
 * go there, too.  False with a message, after `limit_ms` if all places of readers are in use. */
bool ghc_live_change (const char *output, unsigned limit_ms, char *why, size_t size);

/* Queues bytes that the runtime writes. */
void ghc_live_write (const uint8_t *bytes, size_t length);

/* Recording stops with an end mark, and starts with a header and the state of the program.  False:
 * nothing has changed. */
bool ghc_live_record (bool on);

/* The classes that are on, as bits 1 << enum eventlog_class.  If one was off before, the state of
 * the program is announced again to all readers. */
void ghc_live_set_classes (unsigned classes);
unsigned ghc_live_classes (void);

/* Announces the state of the program again to all readers. */
void ghc_live_sync (void);

struct ghc_live_figures {
  char output[PATH_MAX];
  bool recording;
  unsigned readers;
  uint64_t bytes;   /* that were sent to readers */
  uint64_t waiting; /* bytes that wait in the fullest queue */
  uint64_t memory;  /* that it may have */
  uint64_t dropped; /* events for which a reader's queue had no room */
  uint64_t missed;  /* events since the last reader went */
  struct ghc_stream_figures stream;
};
void ghc_live_get_figures (struct ghc_live_figures *figures);

/* Ends the log and waits for the readers, until they have accepted nothing for `patience_ms`. */
void ghc_live_finish (unsigned patience_ms);

/* Closes and removes the socket at which it listens. */
void ghc_live_close (void);

#endif
