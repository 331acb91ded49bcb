/* frames.c -- see frames.h. */
#include "config.h"

#include "decoder/serve/frames.h"

struct frames {
  GMutex lock;
  guint count;
  uint64_t next;
  GBytes **kept; /* that of number n at n % count */
};

struct frames *
frames_new (guint count)
{
  struct frames *f = g_new0 (struct frames, 1);
  g_mutex_init (&f->lock);
  f->count = count;
  f->kept = g_new0 (GBytes *, count);
  return f;
}

void
frames_free (struct frames *f)
{
  for (guint i = 0; i < f->count; i++)
    g_bytes_unref (f->kept[i]);
  g_mutex_clear (&f->lock);
  g_free (f->kept);
  g_free (f);
}

uint64_t
frames_add (struct frames *f, GString *text)
{
  GBytes *bytes = g_string_free_to_bytes (text);
  g_mutex_lock (&f->lock);
  const uint64_t number = f->next++;
  GBytes *old = f->kept[number % f->count];
  f->kept[number % f->count] = bytes;
  g_mutex_unlock (&f->lock);
  g_bytes_unref (old);
  return number;
}

uint64_t
frames_next (struct frames *f)
{
  g_mutex_lock (&f->lock);
  const uint64_t next = f->next;
  g_mutex_unlock (&f->lock);
  return next;
}

GBytes *
frames_take (struct frames *f, uint64_t *number, uint64_t *lost)
{
  GBytes *bytes = NULL;
  *lost = 0;
  g_mutex_lock (&f->lock);
  const uint64_t first = f->next - MIN (f->next, f->count);
  if (*number < first) {
    *lost = first - *number;
    *number = first;
  }
  if (*number < f->next)
    bytes = g_bytes_ref (f->kept[(*number)++ % f->count]);
  g_mutex_unlock (&f->lock);
  return bytes;
}
