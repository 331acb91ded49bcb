/* live-queue.c -- lists of pieces with counted references. */
#include "config.h"

#include "ghc/live-queue.h"
#include <stdlib.h>
#include <string.h>

struct live_link {
  struct live_link *next;
  struct live_piece *piece;
};

struct live_piece *
live_piece_new (const uint8_t *bytes, size_t length, uint64_t events)
{
  struct live_piece *p = malloc (sizeof *p + length);
  if (p == NULL)
    return NULL;
  *p = (struct live_piece){ .references = 1, .length = length, .events = events };
  memcpy (p->bytes, bytes, length);
  return p;
}

void
live_piece_release (struct live_piece *p)
{
  if (--p->references == 0)
    free (p);
}

bool
live_queue_append (struct live_queue *q, struct live_piece *p)
{
  struct live_link *l = malloc (sizeof *l);
  if (l == NULL)
    return false;
  *l = (struct live_link){ .piece = p };
  p->references++;
  if (q->last != NULL)
    q->last->next = l;
  else
    q->first = l;
  q->last = l;
  q->bytes += p->length;
  return true;
}

const struct live_piece *
live_queue_first (const struct live_queue *q)
{
  return q->first != NULL ? q->first->piece : NULL;
}

void
live_queue_remove_first (struct live_queue *q)
{
  struct live_link *l = q->first;
  q->first = l->next;
  if (q->first == NULL)
    q->last = NULL;
  q->bytes -= l->piece->length;
  q->at = 0;
  live_piece_release (l->piece);
  free (l);
}
