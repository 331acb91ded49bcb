/* ghc-reading.h -- the insides of the reader of eventlogs, which its parts share:
 *
 *   ghc-reader.c       the reader, its items, the end of its input
 *   ghc-read-header.c  steps in a header
 *   ghc-read-events.c  steps among events and blocks, and between logs
 *   ghc-sense.c        what makes sense as an event or block, and the search for it
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
  unsigned cap;

  bool is_closed; /* there is an end mark, or its absence was told */
  union ghc_payload payload;

  /* Damage whose end is not reached yet. */
  uint64_t damage_offset;
  struct ghc_damage damage;
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

enum step ghc_fail (struct ghc_reader *r, enum proflog_read_error code, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* ---- what makes sense ---- */

enum sense {
  SENSE_NO,
  SENSE_YES,
  SENSE_SHORT, /* the window ends before that is clear */
  SENSE_CUT,   /* so does the log */
};

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

/* Where a block was not expected: does one begin here? */
enum sense ghc_is_block (const struct ghc_reader *r);

/* At an end mark: is it one?  In a block, not at its end, it may be anything; then nothing follows,
 * or another log. */
enum sense ghc_is_end (const struct ghc_reader *r);

/* ---- steps ---- */

enum step ghc_begin_header (struct ghc_reader *r);
enum step ghc_step_types (struct ghc_reader *r);
enum step ghc_step_events (struct ghc_reader *r);
enum step ghc_step_start (struct ghc_reader *r);
enum step ghc_step_behind (struct ghc_reader *r);
enum step ghc_step_search (struct ghc_reader *r);

#endif
