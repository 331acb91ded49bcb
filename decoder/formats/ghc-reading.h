/* ghc-reading.h -- the insides of the reader of eventlogs, which its parts share:
 *
 *   ghc-reader.c       the reader, its items, the end of its input
 *   ghc-read-header.c  steps in a header
 *   ghc-read-events.c  steps among events and blocks, and between logs
 *   ghc-sense.c        what makes sense as an event or block where one is expected
 *   ghc-search.c       the search for one behind damage
 */
#ifndef PROFLOG_GHC_READING_H
#define PROFLOG_GHC_READING_H

#include "decoder/cursor.h"
#include "decoder/formats/ghc-types.h"
#include "decoder/formats/steps.h"

#include <proflog/ghc-reader.h>

#define GHC_ID_SIZE 4
#define GHC_HEADER_IDS_SIZE 8 /* of a header and of its list */
#define GHC_TYPE_HEAD_SIZE 12 /* id, tag, size, length of the description */

enum state {
  STATE_START, /* nothing was read */
  STATE_TYPES, /* in a header */
  STATE_EVENTS,
  STATE_SKIP,   /* in a block that the user does not want */
  STATE_BEHIND, /* the end mark */
  STATE_SEARCH, /* for something that makes sense */
  STATE_ENDING, /* the input has ended */
  STATE_END,
  STATE_ERROR,
};

struct ghc_reader {
  enum state state;
  struct window window;

  bool has_header;
  struct ghc_header header;
  struct ghc_types types; /* of the header */
  struct ghc_types next;  /* of the one that is being read */
  uint64_t header_offset;

  /* The block. */
  uint64_t block_end; /* its first byte behind; 0: none */
  uint64_t earliest;  /* times of its events */
  uint64_t latest;    /* 0: not told */
  uint64_t last;      /* that of the last one, as far as times are in order ... */
  uint64_t before;    /* ... and of the one before */
  unsigned cap;
  bool is_stray; /* events of a block whose marker is lost are read */

  bool is_closed; /* there is an end mark, or its absence was told */
  union ghc_payload payload;

  /* Damage whose end is not reached yet. */
  uint64_t damage_offset;
  struct ghc_damage damage;
  uint64_t walked; /* bytes of blocks that were gone through whole in search of its end */
  char *message;

  struct ghc_item item;
  GError *error;
};

static inline size_t
ghc_left (const struct ghc_reader *r)
{
  return window_left (&r->window);
}

static inline void
ghc_consume (struct ghc_reader *r, size_t bytes)
{
  window_consume (&r->window, bytes);
}

static inline uint64_t
ghc_number_at (const uint8_t *bytes, unsigned size)
{
  struct cursor c = cursor_over (bytes, size);
  return cursor_big_endian (&c, size);
}

static inline uint64_t
ghc_time_at (const uint8_t *event)
{
  return ghc_number_at (event + 2, 8);
}

/* ---- items ---- */

enum step ghc_give (struct ghc_reader *r, enum ghc_item_type type, uint64_t offset, uint64_t size);

/* Notes damage that begins here; what it covers is known when its end is found. */
void ghc_begin_damage (struct ghc_reader *r, enum ghc_damage_reason reason, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* The damage goes as far as the log was read. */
enum step ghc_give_damage (struct ghc_reader *r);

/* What begins here is no event: looks for one. */
enum step ghc_search (struct ghc_reader *r);

/* The header that is read makes no sense here.  The first one is needed. */
enum step ghc_refuse_header (struct ghc_reader *r, const char *format, ...) G_GNUC_PRINTF (2, 3);

enum step ghc_fail (struct ghc_reader *r, enum proflog_read_error code, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* ---- what makes sense ---- */

enum sense {
  SENSE_NO,
  SENSE_YES,
  SENSE_SHORT, /* the window ends before that is clear */
  SENSE_CUT,   /* so does the log */
};

/* That so many bytes are there. */
enum sense ghc_needs (const struct ghc_reader *r, size_t bytes);

/* Does a header begin `at` bytes from here? */
enum sense ghc_is_header (const struct ghc_reader *r, size_t at);

/* A block's marker without the rest of its block, as GHC 9.0.2 writes it before the header when it
 * is told to begin anew. */
enum sense ghc_is_stray_marker (const struct ghc_reader *r);

/* The size of an event of a type that is declared and of which at least tag and time are there, the
 * length, too, if it has one. */
size_t ghc_size_at (const uint8_t *event, const struct ghc_event_type *type);

/* Does it make sense that an event of `size` bytes begins here?  Its time may be a strange one
 * (Eden writes such) if what follows is in order; zeros are no event. */
enum sense ghc_is_likely (const struct ghc_reader *r, unsigned tag, uint64_t time, size_t size);

/* Does the event of `size` bytes that begins here end with a zero, and zeros that are no event
 * follow?  Nobody knows then whether they begin in it. */
enum sense ghc_is_touched (const struct ghc_reader *r, size_t size);

/* Does something that makes sense begin `at` bytes from here: an event of the block, or what may
 * be at its end? */
enum sense ghc_fits_at (const struct ghc_reader *r, size_t at);

/* The window has the log to its end: does it end with an end mark?  Then it is hardly cut. */
static inline bool
ghc_ends_with_mark (const struct ghc_reader *r)
{
  return ghc_left (r) >= 2 && ghc_number_at (r->window.end - 2, 2) == GHC_DATA_END;
}

/* At an end mark: is it one?  In a block, not at its end, it may be anything; then nothing follows,
 * or another log. */
enum sense ghc_is_end (const struct ghc_reader *r);

/* ---- the search ---- */

/* Where a block was not expected: does one begin here? */
enum sense ghc_is_block (struct ghc_reader *r);

/* Behind damage: do several events that belong together begin here, up to the end of a block or
 * more than a few? */
enum sense ghc_is_chain (const struct ghc_reader *r);

/* ---- steps ---- */

enum step ghc_begin_header (struct ghc_reader *r);
enum step ghc_step_types (struct ghc_reader *r);
enum step ghc_step_events (struct ghc_reader *r);
enum step ghc_step_start (struct ghc_reader *r);
enum step ghc_step_behind (struct ghc_reader *r);
enum step ghc_step_search (struct ghc_reader *r);

#endif
