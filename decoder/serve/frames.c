/* frames.c -- shares frames between readers by reference counts. */
#include "config.h"

#include "decoder/serve/served.h"
#include <pthread.h>
#include <string.h>

struct frames {
  pthread_mutex_t lock;
  guint count;
  uint64_t next;
  struct frame **kept; /* that of number n at n % count */
};

void
frame_unref (struct frame *frame)
{
  if (frame != NULL && atomic_fetch_sub (&frame->users, 1) == 1)
    g_free (frame);
}

struct frames *
frames_new (guint count)
{
  struct frames *f = g_new0 (struct frames, 1);
  pthread_mutex_init (&f->lock, NULL);
  f->count = count;
  f->kept = g_new0 (struct frame *, count);
  return f;
}

void
frames_free (struct frames *f)
{
  for (guint i = 0; i < f->count; i++)
    frame_unref (f->kept[i]);
  pthread_mutex_destroy (&f->lock);
  g_free (f->kept);
  g_free (f);
}

uint64_t
frames_add (struct frames *f, const GString *text)
{
  struct frame *frame = g_malloc (sizeof *frame + text->len);
  atomic_init (&frame->users, 1);
  frame->length = text->len;
  memcpy (frame->text, text->str, text->len);
  pthread_mutex_lock (&f->lock);
  const uint64_t number = f->next++;
  struct frame *old = f->kept[number % f->count];
  f->kept[number % f->count] = frame;
  pthread_mutex_unlock (&f->lock);
  frame_unref (old);
  return number;
}

uint64_t
frames_next (struct frames *f)
{
  pthread_mutex_lock (&f->lock);
  const uint64_t next = f->next;
  pthread_mutex_unlock (&f->lock);
  return next;
}

struct frame *
frames_pop (struct frames *f, uint64_t *number, uint64_t *lost)
{
  struct frame *frame = NULL;
  *lost = 0;
  pthread_mutex_lock (&f->lock);
  const uint64_t first = f->next - MIN (f->next, f->count);
  if (*number < first) {
    *lost = first - *number;
    *number = first;
  }
  if (*number < f->next) {
    frame = f->kept[(*number)++ % f->count];
    atomic_fetch_add (&frame->users, 1);
  }
  pthread_mutex_unlock (&f->lock);
  return frame;
}
