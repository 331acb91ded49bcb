/* window.h -- what a push reader sees of its input: contiguous bytes.
 *
 * The window is what was pushed, as it is; or, where a unit lies across two pushes, a copy of the
 * tail of the one and some of the head of the other.
 */
#ifndef PROFLOG_WINDOW_H
#define PROFLOG_WINDOW_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct window {
  /* The bytes that were not read, and the offset of the first of them in the log. */
  const uint8_t *at;
  const uint8_t *end;
  uint64_t offset;
  bool finished; /* nothing will be pushed */
  /* What was pushed last.  `carry` is the window if in_carry: its last `copied` bytes are the
   * first of the pushed ones. */
  const uint8_t *pushed;
  size_t pushed_length;
  GByteArray *carry;
  size_t copied;
  bool in_carry;
};

void window_init (struct window *window);
void window_clear (struct window *window);

/* May something be pushed? */
bool window_wants (const struct window *window);

/* Gives the window bytes, which must stay as they are until window_keep. */
void window_push (struct window *window, const void *bytes, size_t length);

/* Nothing follows. */
void window_finish (struct window *window);

static inline size_t
window_left (const struct window *w)
{
  return (size_t) (w->end - w->at);
}

/* The next bytes were read. */
static inline void
window_consume (struct window *w, size_t bytes)
{
  w->at += bytes;
  w->offset += bytes;
}

/* Does nothing follow what is in the window? */
bool window_is_last (const struct window *window);

/* Are all bytes read that were pushed, and given back? */
bool window_is_empty (const struct window *window);

/* The window is too short: makes it longer, false if all that was pushed is in it.  Copies no
 * more than the unit across the border needs (twice that at most). */
bool window_widen (struct window *window);

/* Keeps what was not read: the pushed bytes go back to their owner. */
void window_keep (struct window *window);

#endif
