/* live-queue.h -- the pieces of an eventlog that wait for a reader.
 *
 * Several readers share a piece.  Not thread safe: callers hold the lock of ghc-live.c.
 */
#ifndef GHC_LIVE_QUEUE_H
#define GHC_LIVE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct live_piece {
  unsigned references;
  size_t length;
  uint64_t events; /* that are lost without the piece */
  uint8_t bytes[];
};

/* A copy of the bytes, with one reference; NULL without memory. */
struct live_piece *live_piece_new (const uint8_t *bytes, size_t length, uint64_t events);
void live_piece_release (struct live_piece *piece);

/* All 0 at first. */
struct live_queue {
  struct live_link *first, *last;
  size_t at;    /* bytes of the first piece that were sent */
  size_t bytes; /* of all pieces */
};

/* Appends the piece, to which the queue has a reference of its own.  False without memory. */
bool live_queue_append (struct live_queue *queue, struct live_piece *piece);

/* The piece to be sent, from `at` on; NULL: there is none. */
const struct live_piece *live_queue_first (const struct live_queue *queue);

/* Removes that piece. */
void live_queue_remove_first (struct live_queue *queue);

#endif
