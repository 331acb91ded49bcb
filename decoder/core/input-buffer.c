/* input-buffer.c -- joins the bytes of successive pushes where a unit lies across them. */
#include "config.h"

#include "decoder/core/input-buffer.h"

#define FIRST_COPY 256

static void
set_visible (struct input_buffer *w, const uint8_t *bytes, size_t length)
{
  w->at = bytes;
  w->end = bytes + length;
}

void
input_buffer_init (struct input_buffer *w)
{
  *w = (struct input_buffer){ .carry = g_byte_array_sized_new (FIRST_COPY) };
  set_visible (w, w->carry->data, 0);
}

void
input_buffer_clear (struct input_buffer *w)
{
  g_byte_array_unref (w->carry);
}

bool
input_buffer_can_push (const struct input_buffer *w)
{
  return !w->finished && w->pushed_length == 0;
}

void
input_buffer_push (struct input_buffer *w, const void *bytes, size_t length)
{
  w->pushed = bytes;
  w->pushed_length = length;
  w->copied = 0;
  if (!w->in_carry)
    set_visible (w, bytes, length);
}

void
input_buffer_finish (struct input_buffer *w)
{
  w->finished = true;
}

bool
input_buffer_is_last (const struct input_buffer *w)
{
  return w->finished && (!w->in_carry || w->copied == w->pushed_length);
}

bool
input_buffer_is_empty (const struct input_buffer *w)
{
  return !w->in_carry && w->pushed_length == 0;
}

bool
input_buffer_extend (struct input_buffer *w)
{
  if (!w->in_carry || w->copied == w->pushed_length)
    return false;
  const size_t unread = input_buffer_left (w);
  if (unread <= w->copied) {
    /* Read up to where the pushed bytes begin: they serve as they are. */
    const size_t from = w->copied - unread;
    w->in_carry = false;
    set_visible (w, w->pushed + from, w->pushed_length - from);
    return true;
  }
  const size_t read = w->carry->len - unread;
  const size_t more = MIN (MAX (w->copied, FIRST_COPY), w->pushed_length - w->copied);
  if (read != 0)
    g_byte_array_remove_range (w->carry, 0, (guint) read);
  g_byte_array_append (w->carry, w->pushed + w->copied, (guint) more);
  w->copied += more;
  set_visible (w, w->carry->data, w->carry->len);
  return true;
}

void
input_buffer_retain (struct input_buffer *w)
{
  const size_t unread = input_buffer_left (w);
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
  set_visible (w, w->carry->data, unread);
}
