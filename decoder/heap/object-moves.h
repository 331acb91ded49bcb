/* object-moves.h -- objects that the collector moves, for code that follows them.
 *
 * The objects of one event move at once: a new address may be another's old one.  So all leave
 * their places before any arrives at its new one.
 */
#ifndef PROFLOG_OBJECT_MOVES_H
#define PROFLOG_OBJECT_MOVES_H

#include <glib.h>

struct object_mover {
  gpointer (*leave) (void *data, guint nth); /* object at the old address; NULL: none */
  void (*arrive) (void *data, gpointer moved, guint nth); /* at the new one */
  void *data;
};

/* The moves of one event, `n` of them. */
void object_moves_apply (const struct object_mover *mover, guint n);

#endif
