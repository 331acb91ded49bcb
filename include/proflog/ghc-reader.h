/* ghc-reader.h -- reads GHC eventlogs: push bytes, pull items.
 *
 * The reader does no input of its own, so files, pipes, growing logs and tests all use it the
 * same way:
 *
 *   ghc_reader_push (reader, bytes, n);              then, until it wants more,
 *   while ((result = ghc_reader_next (reader, &item)) == PROFLOG_EVENT)
 *     ...
 *   ghc_reader_finish (reader);                      when the input has ended; pull the rest
 *
 * Items come in the order of the file, and together they cover all bytes of it.  How the bytes are pushed
 * makes no difference.  Damage is an item of the stream: reading goes on at the next event or block
 * that makes sense.  An event whose end may be lost (it ends with a zero, or is long) is returned when
 * enough of the bytes after it are there, or the input has ended.  Several logs in a row are one stream with
 * several headers.  Memory does not grow with the log.  Programs ignore types of items, reasons and
 * kinds that they do not know.  Not thread safe; different readers are independent.
 *
 * docs/ghc-format.md describes the format.
 */
#ifndef PROFLOG_GHC_READER_H
#define PROFLOG_GHC_READER_H

#include <glib.h>
#include <proflog/ghc.h>
#include <proflog/read.h>

G_BEGIN_DECLS

enum ghc_item_type {
  GHC_ITEM_HEADER,
  GHC_ITEM_EVENT, /* markers of blocks among them */
  GHC_ITEM_END,   /* the mark after the last event */
  GHC_ITEM_DAMAGE,
};

enum ghc_damage_reason {
  GHC_DAMAGE_TRUNCATED, /* the input ends too early */
  GHC_DAMAGE_CORRUPT,   /* bytes that make no sense */
};

struct ghc_damage {
  enum ghc_damage_reason reason;
  uint64_t skipped; /* bytes of the input that were skipped */
  uint64_t missing; /* bytes that should have followed the end, 0 where that cannot be determined */
  const char *message; /* not owned, valid as long as the item is */
};

/* One thing that the log holds.  Valid until the next call on the reader. */
struct ghc_item {
  enum ghc_item_type type;
  uint64_t offset;                 /* of its first byte in the (uncompressed) log */
  uint64_t size;                   /* its bytes */
  const struct ghc_header *header; /* NULL before it was read */
  bool in_block; /* it is in a block.  Early writers put some events beside the blocks; and so is,
                  * after damage, the rest of a block whose marker is lost */
  /* EVENT: */
  const struct ghc_event_type *event_type; /* as the header declares it */
  uint64_t time;                           /* ns since the runtime started its clock */
  unsigned cap;                            /* whose block it is in, or GHC_NO_CAP */
  enum ghc_kind kind;                      /* GHC_UNKNOWN: there are only the bytes of it */
  const union ghc_payload *payload;        /* NULL if it is unknown */
  struct ghc_text bytes;                   /* of the payload, also the extra ones */
  size_t extra;                    /* number of bytes at the end that are no known field */
  const struct ghc_damage *damage; /* DAMAGE */
};

struct ghc_reader;

/* A new reader, which expects a header first.  Free it with ghc_reader_free, which accepts NULL. */
struct ghc_reader *ghc_reader_new (void);
void ghc_reader_free (struct ghc_reader *reader);

/* Gives the reader the next `length` bytes of the log.  The bytes stay the caller's and must
 * stay as they are until ghc_reader_next returns PROFLOG_NEED_MORE; push only then (or first). */
void ghc_reader_push (struct ghc_reader *reader, const void *bytes, size_t length);

/* Reports that nothing follows.  Nothing may be pushed after that. */
void ghc_reader_finish (struct ghc_reader *reader);

/* The next item; sets *item with PROFLOG_EVENT only.  PROFLOG_END and PROFLOG_ERROR stay. */
enum proflog_result ghc_reader_next (struct ghc_reader *reader, const struct ghc_item **item);

/* After the marker of a block: its other events are skipped unread, whatever they are, and the next item is
 * the one after the block, an end mark in it, or damage, if the log ends there. */
void ghc_reader_skip_block (struct ghc_reader *reader);

/* In a block that is skipped, when the reader needs more: reading goes on at this offset, where
 * another block begins, and which the caller pushes from next.  False if it is not in such a block,
 * or past that. */
bool ghc_reader_skip_to (struct ghc_reader *reader, uint64_t offset);

/* Whether the reader is where a block may begin, with all that was pushed read: then the caller may
 * read whole blocks by itself and pass them. */
bool ghc_reader_is_at_border (const struct ghc_reader *reader);

/* The next `length` bytes of the log are whole blocks, which the caller read by itself.  Only where
 * ghc_reader_is_at_border. */
void ghc_reader_pass (struct ghc_reader *reader, uint64_t length);

/* The error of PROFLOG_ERROR, in PROFLOG_READ_ERROR; NULL when there was none.  The reader's. */
const GError *ghc_reader_error (const struct ghc_reader *reader);

G_END_DECLS

#endif
