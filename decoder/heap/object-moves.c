/* object-moves.c -- applies the moves of one event to a table of addresses. */
#include "config.h"

#include "decoder/heap/heap-changes.h"

void
object_moves_apply (const struct object_mover *mover, guint n)
{
  gpointer *moved = g_new (gpointer, n);
  for (guint i = 0; i < n; i++)
    moved[i] = mover->leave (mover->data, i);
  for (guint i = 0; i < n; i++)
    mover->arrive (mover->data, moved[i], i);
  g_free (moved);
}
