/* window.c -- see window.h. */
#include "decoder/formats/window.h"

#define FIRST_COPY 256

static void
set_window (struct window *w, const uint8_t *bytes, size_t length)
{
  w->at = bytes;
  w->end = bytes + length;
}

void
window_init (struct window *w)
{
  *w = (struct window){ .carry = g_byte_array_sized_new (FIRST_COPY) };
  set_window (w, w->carry->data, 0);
}

void
window_clear (struct window *w)
{
  g_byte_array_unref (w->carry);
}

bool
window_wants (const struct window *w)
{
  return !w->finished && w->pushed_length == 0;
}

void
window_push (struct window *w, const void *bytes, size_t length)
{
  w->pushed = bytes;
  w->pushed_length = length;
  w->copied = 0;
  if (!w->in_carry)
    set_window (w, bytes, length);
}

void
window_finish (struct window *w)
{
  w->finished = true;
}

bool
window_is_last (const struct window *w)
{
  return w->finished && (!w->in_carry || w->copied == w->pushed_length);
}

bool
window_is_empty (const struct window *w)
{
  return !w->in_carry && w->pushed_length == 0;
}

bool
window_widen (struct window *w)
{
  if (!w->in_carry || w->copied == w->pushed_length)
    return false;
  const size_t unread = window_left (w);
  if (unread <= w->copied) {
    /* Read up to where the pushed bytes begin: they serve as they are. */
    const size_t from = w->copied - unread;
    w->in_carry = false;
    set_window (w, w->pushed + from, w->pushed_length - from);
    return true;
  }
  const size_t read = w->carry->len - unread;
  const size_t more = MIN (MAX (w->copied, FIRST_COPY), w->pushed_length - w->copied);
  if (read != 0)
    g_byte_array_remove_range (w->carry, 0, (guint) read);
  g_byte_array_append (w->carry, w->pushed + w->copied, (guint) more);
  w->copied += more;
  set_window (w, w->carry->data, w->carry->len);
  return true;
}

void
window_keep (struct window *w)
{
  const size_t unread = window_left (w);
  if (w->in_carry) {
    const size_t read = w->carry->len - unread;
    if (read != 0)
      g_byte_array_remove_range (w->carry, 0, (guint) read);
  } else {
    g_byte_array_set_size (w->carry, 0);
    if (unread != 0)
      g_byte_array_append (w->carry, w->at, (guint) unread);
  }
  w->in_carry = unread != 0;
  w->pushed = NULL;
  w->pushed_length = w->copied = 0;
  set_window (w, w->carry->data, unread);
}
