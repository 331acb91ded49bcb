/* ghc-reader-private.h -- the insides of the reader of eventlogs, which its parts share.  Each
 * calls only those above it:
 *
 *   ghc-reader-emit.c  items, damage, errors
 *   ghc-plausible.c    is this an event, a header, an end?
 *   ghc-resync.c       is this a block or a chain of events?  The search for one after damage
 *   ghc-read-header.c  steps in a header
 *   ghc-read-events.c  steps among events and blocks, and between logs
 *   ghc-span.c         the events that the reader has at hand, unread
 *   ghc-reader.c       the table of states and their steps, the end of the input
 */
#ifndef PROFLOG_GHC_READER_PRIVATE_H
#define PROFLOG_GHC_READER_PRIVATE_H

#include "decoder/core/cursor.h"
#include "decoder/ghc/ghc-event.h"
#include "decoder/core/input-buffer.h"

#include <proflog/ghc-reader.h>

#define GHC_ID_SIZE 4
#define GHC_HEADER_IDS_SIZE 8 /* of a header and of its list */
#define GHC_TYPE_HEAD_SIZE 12 /* id, tag, size, length of the description */

enum state {
  STATE_START, /* nothing was read */
  STATE_TYPES, /* in a header */
  STATE_EVENTS,
  STATE_SKIP,      /* in a block that the user does not want */
  STATE_AFTER_END, /* the end mark */
  STATE_RESYNC,    /* for something that makes sense */
  STATE_ENDING,    /* the input has ended */
  STATE_END,
  STATE_ERROR,
};

struct ghc_reader {
  enum state state;
  struct input_buffer input;

  bool has_header;
  struct ghc_types types; /* of the header */
  struct ghc_types next;  /* of the one that is being read */
  uint64_t header_offset;

  /* The block. */
  uint64_t block_end; /* its first byte after; 0: none */
  uint64_t earliest;  /* times of its events */
  uint64_t latest;    /* 0: unknown */
  uint64_t last;      /* that of the last one, as far as times are in order */
  uint64_t before;    /* that of the one before */
  unsigned cap;
  bool is_stray; /* events of a block whose marker is lost are read */

  bool is_closed; /* there is an end mark, or its absence was reported */
  union ghc_payload payload;

  /* Damage whose end is not reached yet. */
  uint64_t damage_offset;
  struct ghc_damage damage;
  uint64_t walked; /* bytes of blocks that were read whole in search of its end */
  char *message;

  const bool *wanted; /* by kind; NULL: all (ghc_span_want) */
  struct ghc_item item;
  GError *error;
};

static inline size_t
ghc_left (const struct ghc_reader *r)
{
  return input_buffer_left (&r->input);
}

static inline void
ghc_consume (struct ghc_reader *r, size_t bytes)
{
  input_buffer_consume (&r->input, bytes);
}

/* The head of the event that is `at` bytes from here. */
static inline enum ghc_head
ghc_head_at (const struct ghc_reader *r, size_t at, struct ghc_event_head *head)
{
  return ghc_event_head (r->input.at + at, ghc_left (r) - at, r->types.forms, head);
}

/* ---- items ---- */

enum step ghc_emit (struct ghc_reader *r, enum ghc_item_type type, uint64_t offset, uint64_t size);

/* Notes damage that begins here; its extent is known when its end is found. */
void ghc_begin_damage (struct ghc_reader *r, enum ghc_damage_reason reason, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* The damage goes as far as the log was read. */
enum step ghc_emit_damage (struct ghc_reader *r);

enum step ghc_fail (struct ghc_reader *r, enum proflog_read_error code, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* ---- whether bytes make sense ---- */

enum plausibility {
  PLAUSIBLE_NO,
  PLAUSIBLE_YES,
  PLAUSIBLE_NEED_MORE, /* the window ends before that is clear */
  PLAUSIBLE_CUT,       /* so does the log */
};

/* That this many bytes are there. */
enum plausibility ghc_needs (const struct ghc_reader *r, size_t bytes);

/* Does a header begin `at` bytes from here? */
enum plausibility ghc_is_header (const struct ghc_reader *r, size_t at);

/* A block's marker without the rest of its block, as GHC 9.0.2 writes it before the header
 * when it is instructed to begin anew. */
enum plausibility ghc_is_stray_marker (const struct ghc_reader *r);

/* Events that follow a lost marker may go on for long, but their times do not leap: does this one?
 */
bool ghc_is_leap (const struct ghc_reader *r, uint64_t time);

/* Does it make sense that an event with this head begins here?  Its time may be a strange one (Eden
 * writes such) if the next ones are in order; zeros are no event. */
enum plausibility ghc_event_plausible_in_block (const struct ghc_reader *r,
                                                struct ghc_event_head head);

/* Does something that makes sense begin `at` bytes from here: an event of the block, or another
 * thing at its end? */
enum plausibility ghc_plausible_at (const struct ghc_reader *r, size_t at);

/* The window has the log to its end: does it end with an end mark?  Then it is hardly cut. */
static inline bool
ghc_ends_with_mark (const struct ghc_reader *r)
{
  return ghc_left (r) >= 2 && proflog_be16 (r->input.end - 2) == GHC_DATA_END;
}

/* At an end mark: is it one?  In a block, not at its end, it may be anything; then nothing follows,
 * or another log. */
enum plausibility ghc_is_end (const struct ghc_reader *r);

/* ---- the search ---- */

/* Where a block was not expected: does one begin here? */
enum plausibility ghc_is_block (struct ghc_reader *r);

/* Does it make sense that an event with this head begins here?  As ghc_event_plausible_in_block,
 * and by the events after it where its block is unknown and its time leaps. */
enum plausibility ghc_event_plausible (const struct ghc_reader *r, struct ghc_event_head head);

/* ---- steps ---- */

/* The header that is read makes no sense here.  The first one is needed. */
enum step ghc_refuse_header (struct ghc_reader *r, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Takes the next event of the block that is wanted, if it and those before it are of a fixed size
 * and nothing makes them doubtful, as nearly all are.  Else the steps go on with the first that is
 * not. */
bool ghc_take_event (struct ghc_reader *r);

enum step ghc_begin_header (struct ghc_reader *r);
enum step ghc_step_types (struct ghc_reader *r);
enum step ghc_step_events (struct ghc_reader *r);
enum step ghc_step_start (struct ghc_reader *r);
enum step ghc_step_after_end (struct ghc_reader *r);
enum step ghc_step_resync (struct ghc_reader *r);

#endif
