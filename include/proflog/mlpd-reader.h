/* mlpd-reader.h -- reads Mono profiler logs (.mlpd): push bytes, pull items.
 *
 * The reader does no input of its own, so files, pipes, growing logs and tests all use it the
 * same way:
 *
 *   mlpd_reader_push (reader, bytes, n);             then, until it wants more,
 *   while ((result = mlpd_reader_next (reader, &item)) == PROFLOG_EVENT)
 *     ...
 *   mlpd_reader_finish (reader);                     when the input has ended; pull the rest
 *
 * It stops between whole items only.  Damage is an item of the stream: reading goes on after it.
 * Programs ignore types of items, reasons and kinds that they do not know.  Compressed logs are to be
 * unpacked first; log.h does that, too.  Not thread safe; different readers are independent.
 *
 * docs/mlpd-format.md describes the format.
 */
#ifndef PROFLOG_MLPD_READER_H
#define PROFLOG_MLPD_READER_H

#include <glib.h>
#include <proflog/mlpd.h>
#include <proflog/read.h>
#include <stdbool.h>

G_BEGIN_DECLS

enum mlpd_item_type {
  MLPD_ITEM_FILE_HEADER,
  MLPD_ITEM_BUFFER, /* a buffer begins */
  MLPD_ITEM_EVENT,
  MLPD_ITEM_DAMAGE,
};

enum mlpd_damage_reason {
  MLPD_DAMAGE_TRUNCATED, /* the input ends too early */
  MLPD_DAMAGE_CORRUPT,   /* bytes that make no sense */
  MLPD_DAMAGE_UNKNOWN,   /* an event that this data version does not have */
  MLPD_DAMAGE_OTHER_LOG, /* another log, joined to the one that is read: to the end */
  MLPD_DAMAGE_LOST,      /* a loss mark: events that its writer could not write */
};

struct mlpd_damage {
  enum mlpd_damage_reason reason;
  uint64_t skipped; /* bytes of the input that were skipped */
  uint64_t missing; /* bytes that should have followed the end, 0 where that cannot be determined */
  uint64_t lost;    /* LOST: number of events */
  int error;        /* LOST: the error number with which writing ended; 0: none */
  const char *message; /* not owned, valid as long as the item is */
};

/* An item of the log.  Valid until the next call on the reader.  Items follow each other without a gap; but
 * damage of no bytes, such as a version that is not known, has the offset of the wrong bytes, before. */
struct mlpd_item {
  enum mlpd_item_type type;
  uint64_t offset;                         /* of its first byte in the (uncompressed) log */
  uint64_t size;                           /* its bytes; for a buffer those of its header */
  const struct mlpd_file_header *header;   /* of the file; NULL before it was read */
  const struct mlpd_buffer_header *buffer; /* that the item is in or begins; NULL outside */
  enum mlpd_kind kind;                     /* EVENT: its kind */
  const union mlpd_payload *payload;       /* EVENT: its fields */
  const struct mlpd_damage *damage;        /* DAMAGE */
};

struct mlpd_reader;

/* A new reader, which expects a file header first.  Free it with mlpd_reader_free, which accepts NULL. */
struct mlpd_reader *mlpd_reader_new (void);
void mlpd_reader_free (struct mlpd_reader *reader);

/* Before the first byte: differences of objects in a log of data version 1 count bytes, as the published
 * text has it, and not units of 8 bytes, as in all logs that are known. */
void mlpd_reader_set_byte_objects (struct mlpd_reader *reader, bool has_byte_objects);

/* Gives the reader the next `length` bytes of the log.  The bytes stay the caller's and must
 * stay as they are until mlpd_reader_next returns PROFLOG_NEED_MORE; push only then (or first). */
void mlpd_reader_push (struct mlpd_reader *reader, const void *bytes, size_t length);

/* Reports that nothing follows.  Nothing may be pushed after that. */
void mlpd_reader_finish (struct mlpd_reader *reader);

/* The next item; sets *item with PROFLOG_EVENT only.  PROFLOG_END and PROFLOG_ERROR stay. */
enum proflog_result mlpd_reader_next (struct mlpd_reader *reader, const struct mlpd_item **item);

/* After the item that begins a buffer: skips its events.  The next item is the one after the buffer (or the
 * damage, if the log ends before that). */
void mlpd_reader_skip_buffer (struct mlpd_reader *reader);

/* Whether the reader is where a buffer may begin, with all that was pushed read: then the caller may
 * read whole buffers by itself and pass them. */
bool mlpd_reader_is_at_border (const struct mlpd_reader *reader);

/* The next `length` bytes of the log are whole buffers, which the caller read by itself.
 * `end_mark`: the last of them is empty.  Only where mlpd_reader_is_at_border. */
void mlpd_reader_pass (struct mlpd_reader *reader, uint64_t length, bool end_mark);

/* The error of PROFLOG_ERROR, in PROFLOG_READ_ERROR; NULL when there was none.  The reader's. */
const GError *mlpd_reader_error (const struct mlpd_reader *reader);

G_END_DECLS

#endif
