/* ghc-writer.h -- writes GHC eventlogs: give it a header and events, take bytes.
 *
 *   struct ghc_writer *writer = ghc_writer_new ();
 *   ghc_writer_header (writer, types, n_types, &error);
 *   ghc_writer_event (writer, &marker, &error);           a block marker begins a block
 *   ghc_writer_event (writer, &event, &error); ...
 *   ghc_writer_end_block_at (writer, last_time);
 *   ghc_writer_end (writer, false);
 *   bytes = ghc_writer_take (writer, &length);            now and then, and at the end
 *
 * The writer does no output of its own.  A log is read back as it was given, byte for byte if it came from
 * a reader: sizes of blocks it works out itself.  It holds one block; one that grows above
 * GHC_WRITER_BLOCK_MAX is closed and goes on as another.  Each GError may be NULL; those that are set are
 * the caller's.  Not thread safe; different writers are independent.
 *
 * docs/ghc-format.md has the facts of the format, with their sources.
 */
#ifndef PROFLOG_GHC_WRITER_H
#define PROFLOG_GHC_WRITER_H

#include <glib.h>
#include <proflog/ghc-reader.h>
#include <proflog/ghc.h>

G_BEGIN_DECLS

/* Bytes of a block at most. */
#define GHC_WRITER_BLOCK_MAX (16u << 20)

/* Codes of GHC_WRITER_ERROR; their numbers stay. */
enum ghc_writer_error {
  GHC_WRITER_ERROR_HEADER = 1,     /* types that no header can have */
  GHC_WRITER_ERROR_UNDECLARED = 2, /* an event of a type that the header does not have */
  GHC_WRITER_ERROR_TOO_LONG = 3,   /* an event that its type, or its length, has no room for */
};
/* The domain of errors of writing.  Any thread may call it. */
#define GHC_WRITER_ERROR (ghc_writer_error_quark ())
GQuark ghc_writer_error_quark (void);

/* An event to be written.  Of BLOCK_MARKER the size is computed; a block ends at the next marker,
 * at a header or an end, or where ghc_writer_end_block states so. */
struct ghc_event {
  uint16_t tag; /* as the header declares it */
  uint64_t time;
  /* Of the kind that the tag stands for; NULL: `more` is all of it.  If the size varies, fields
   * that need not be there are written if their bits in `present` are set. */
  const union ghc_payload *payload;
  struct ghc_text more; /* bytes after the known fields; where a size is fixed, zeros fill it up */
};

/* The item of a reader, to be written as it is.  Its contents are valid as long as the item's. */
static inline struct ghc_event
ghc_event_of_item (const struct ghc_item *item)
{
  const size_t more = item->payload != NULL ? item->extra : item->bytes.length;
  return (struct ghc_event){
    .tag = item->event_type->tag,
    .time = item->time,
    .payload = item->payload,
    .more = { item->bytes.text + (item->bytes.length - more), more },
  };
}

struct ghc_writer;

/* A new writer.  Free it with ghc_writer_free, which accepts NULL; untaken bytes are lost. */
struct ghc_writer *ghc_writer_new (void);
void ghc_writer_free (struct ghc_writer *writer);

/* Begins a log.  Of a type `tag`, `size`, `description` and `more` count; texts are copied.  False and
 * GHC_WRITER_ERROR_HEADER if a tag comes twice or a text is longer than GHC_DESCRIPTION_MAX; nothing
 * is written then.  A block that was begun and has no event yet has the header in it, as GHC 9.0.2
 * writes it when it begins anew. */
bool ghc_writer_header (struct ghc_writer *writer, const struct ghc_event_type *types,
                        size_t n_types, GError **error);

/* Adds an event.  On errors (UNDECLARED, TOO_LONG) nothing of it is written. */
bool ghc_writer_event (struct ghc_writer *writer, const struct ghc_event *event, GError **error);

/* Ends the block, if there is one.  `end_time` (ns): when it was closed; else the time in the marker. */
void ghc_writer_end_block (struct ghc_writer *writer);
void ghc_writer_end_block_at (struct ghc_writer *writer, uint64_t end_time);

/* Is a block open? */
bool ghc_writer_is_in_block (const struct ghc_writer *writer);

/* Ends the log with the mark after the last event.  GHC writes it after the last block, from 9.2
 * on into it. */
void ghc_writer_end (struct ghc_writer *writer, bool in_block);

/* Takes the complete bytes: all but the block that is open.  The bytes are the writer's, valid until
 * the next call on it. */
const uint8_t *ghc_writer_take (struct ghc_writer *writer, size_t *length);

G_END_DECLS

#endif
