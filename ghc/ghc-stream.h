/* ghc-stream.h -- splits the bytes that GHC's runtime passes to its writer of eventlogs: remembers
 * events for late readers, leaves out events of classes that are off, and puts whole blocks of the
 * others.
 *
 * One for the process.  Not thread safe: callers hold the lock of ghc-live.c.
 */
#ifndef PROFLOG_GHC_STREAM_H
#define PROFLOG_GHC_STREAM_H

#include <proflog/eventlog-writer.h>

/* Receives a header, a block or an end mark, in one piece.  `events`: the number that is lost to a
 * reader that does not get the piece; 0 if they are announced again. */
typedef void (*ghc_stream_put) (void *data, const uint8_t *bytes, size_t length, uint64_t events);

/* False without memory. */
bool ghc_stream_start (void);

/* Processes bytes that the runtime writes: whole blocks, headers, end marks.  Puts the first
 * header, and blocks while recording is on; never other headers and end marks. */
void ghc_stream_write (const uint8_t *bytes, size_t length, ghc_stream_put put, void *data);

/* Puts the header, if there was one, and the remembered events, for a new reader.  `missed`: so
 * many events passed before, which a message states if there are any. */
void ghc_stream_introduce (uint64_t missed, ghc_stream_put put, void *data);

/* Puts a message of the runtime's that states how many events are missing here. */
void ghc_stream_report_missed (uint64_t missed, ghc_stream_put put, void *data);

/* Whether events are recorded, and of which classes; at first all. */
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
