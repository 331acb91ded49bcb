/* spool.h -- the file that holds the module's buffers, from which their events are recovered when a
 * program is killed.
 *
 * While a program runs, the buffers of its threads, and the names that wait to be written, are in this
 * file, which is mapped and shared.  The log's own thread writes them out; at a regular end the file
 * is removed.  A reader of a log whose writer is dead gets from it the events that the log lacks: see
 * decoder/input/spool-reader.c.
 *
 * The file is a header, in the first slot, and slots of one size.  Numbers are those of the machine
 * that wrote it.  The stores of a process that is killed are in the file in their order, so data are
 * stored before the number that makes them count.  (If a machine loses power they may not be.)  The
 * writer holds a lock (fcntl, F_WRLCK) on the file while its process runs.
 */
#ifndef PROFLOG_SPOOL_H
#define PROFLOG_SPOOL_H

#include <proflog/mlpd.h>

#define PROFLOG_SPOOL_MAGIC "proflog spool 2\n"
#define PROFLOG_SPOOL_ORDER 0x01020304u
#define PROFLOG_SPOOL_SUFFIX ".spool" /* after the log's name, if it is beside it */

enum {
  PROFLOG_SPOOL_MAGIC_SIZE = 16,
  PROFLOG_SPOOL_LOG_HEADER_MAX = 8192,
};

/* Log offsets are those of the log before compression. */
struct proflog_spool_header {
  char magic[PROFLOG_SPOOL_MAGIC_SIZE];
  uint32_t order; /* PROFLOG_SPOOL_ORDER, as the writer's machine stores it */
  uint32_t slot_size;
  uint64_t slots;       /* this many there are at least, the first one included */
  uint32_t data_offset; /* in a slot, of its data */
  uint32_t log_header_length;
  uint8_t log_header[PROFLOG_SPOOL_LOG_HEADER_MAX]; /* the first bytes of the log */
  uint64_t log_length;                              /* bytes that its file or reader took */
  uint64_t log_time;                                /* the time base of the last buffer of these */
  uint64_t log_end;                                 /* its length when it is whole; 0: it goes on */
  uint64_t writer; /* the thread that names and the end belong to */
  /* The names up to this sequence number are in the log. */
  uint64_t names_written;
  /* Those up to `names_last`, too, if it has come to the length `names_end`; they were to stand in it
   * from `names_start` on.  0 in names_last: none are being written. */
  uint64_t names_last, names_start, names_end;
  uint64_t lost_events; /* that were dropped, and that the log does not state */
  uint32_t log_error;   /* the reason why the log goes no further: an error number; 0: none */
  uint32_t spool_error; /* likewise, why the last buffers may be in neither */
  uint64_t seen_time;   /* a time of the log's clock at which the program lived; 0: not stated */
};

enum proflog_spool_state {
  PROFLOG_SPOOL_FREE,
  PROFLOG_SPOOL_EVENTS, /* a buffer of one thread's events */
  PROFLOG_SPOOL_NAMES,  /* announcements: struct proflog_spool_name, in turn */
};

/* Bytes of events, from `from` up to `to`, and where the log has or was to have them with the header of
 * a buffer in front of them; 0: nowhere yet.  The events before them are in the log. */
struct proflog_spool_part {
  uint64_t log_start;
  uint64_t from, to;
};

/* At the beginning of each slot. */
struct proflog_spool_slot {
  uint32_t state;
  uint32_t number;    /* of the slot, where the first one is 0 */
  uint64_t slots;     /* its length; those after the first have no struct of their own */
  uint64_t published; /* bytes of whole events, or names, that count */
  /* For EVENTS: */
  uint64_t sequence;   /* the order in which buffers were handed over; 0: not yet */
  uint64_t part;       /* which of these counts: 0 or 1 */
  struct proflog_spool_part parts[2];
  /* Of all events; its length is 0 here.  If the log is an eventlog (its header states), these are
   * events of one, time_base is the time of their block's marker and thread its capability; there
   * are no names. */
  struct mlpd_buffer_header header;
};

/* A name: then `length` bytes, a whole buffer of a log with its header, then up to 7 bytes that
 * make the next one begin at a multiple of 8. */
struct proflog_spool_name {
  uint64_t sequence;
  uint64_t time;
  uint64_t length;
};

#define PROFLOG_SPOOL_PADDED(length) (((length) + 7) & ~(uint64_t) 7)

#endif
