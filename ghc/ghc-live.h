/* ghc-live.h -- the eventlog of a GHC program on its way to those who read it while it is written.
 *
 * The runtime gives blocks from any threads and is never kept waiting: there is a thread that sends
 * them, and for each reader a queue of bounded size.  What finds no room there is dropped, and the
 * reader is informed how many events are missing.  A reader that comes later first gets what lives.
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

/* The log ends for the readers that it has, and begins at another destination, with what lives
 * (ghc_destination_open_other).  What no reader has come for goes there, too.  False with a
 * message. */
bool ghc_live_change (const char *output, unsigned limit_ms, char *why, size_t size);

/* What the runtime writes. */
void ghc_live_write (const uint8_t *bytes, size_t length);

/* Recording stops with an end mark, and starts with a header and what lives.  False: it was so. */
bool ghc_live_record (bool on);

/* Classes, by bits 1 << enum eventlog_class: what is on is set anew; what lives is re-announced to
 * all readers for classes that were off. */
void ghc_live_set_classes (unsigned classes);
unsigned ghc_live_classes (void);

/* Reports all readers again what lives. */
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

/* Ends the log and waits for the readers as long as they take something, but not without that for
 * longer than `patience_ms`. */
void ghc_live_finish (unsigned patience_ms);

/* The socket at which it listens goes. */
void ghc_live_close (void);

#endif
