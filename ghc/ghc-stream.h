/* ghc-stream.h -- what GHC's runtime gives its writer of eventlogs, taken apart: what is
 * remembered, what is left out, and whole blocks of what remains.
 *
 * One for the process.  Not thread safe: callers hold the lock of ghc-live.c.
 */
#ifndef PROFLOG_GHC_STREAM_H
#define PROFLOG_GHC_STREAM_H

#include <proflog/eventlog-writer.h>

/* Where bytes go: a header, blocks, an end mark, in one piece each; how many events
 * are lost to readers that do not get them: what is announced again has none. */
typedef void (*ghc_stream_put) (void *data, const uint8_t *bytes, size_t length, uint64_t events);

/* False without memory. */
bool ghc_stream_start (void);

/* Takes what the runtime writes: whole blocks, headers, end marks.  The first header is put and
 * blocks are, while it is recorded; other headers and end marks never. */
void ghc_stream_write (const uint8_t *bytes, size_t length, ghc_stream_put put, void *data);

/* Puts the header, if there was one, and all that a new reader has to know.
 * `missed`: this many events passed before, which a message states if there are any. */
void ghc_stream_introduce (uint64_t missed, ghc_stream_put put, void *data);

/* Puts a message of the runtime's that states how many events are missing here. */
void ghc_stream_report_missed (uint64_t missed, ghc_stream_put put, void *data);

/* What is recorded; at first all. */
void ghc_stream_record (bool on);
bool ghc_stream_records (void);
void ghc_stream_enable (enum eventlog_class which, bool on);
bool ghc_stream_is_enabled (enum eventlog_class which);

struct ghc_stream_figures {
  uint64_t events;     /* that the runtime wrote */
  uint64_t left_out;   /* of these: of classes that are off, or while nothing was recorded */
  uint64_t lost_bytes; /* that made no sense */
  uint64_t remembered;
};
void ghc_stream_get_figures (struct ghc_stream_figures *figures);

#endif
