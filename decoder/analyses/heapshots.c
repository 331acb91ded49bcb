/* heapshots.c -- adds the objects of each shot up. */
#include "decoder/analyses/heapshots.h"
#include "config.h"

static void
heapshot_free (void *data)
{
  struct heapshot *shot = data;
  g_array_free (shot->types, TRUE);
  g_free (shot);
}

void
heapshots_init (struct heapshots *h)
{
  *h = (struct heapshots){ .shots = g_ptr_array_new_with_free_func (heapshot_free) };
}

void
heapshots_clear (struct heapshots *h)
{
  g_ptr_array_free (h->shots, TRUE);
}

void
heapshots_start (struct heapshots *h, struct thread *t, uint64_t time)
{
  struct heapshot *shot = g_new0 (struct heapshot, 1);
  shot->time = time;
  shot->types = g_array_new (FALSE, TRUE, sizeof (struct type_sum));
  g_ptr_array_add (h->shots, shot);
  t->shot = shot;
}

void
heapshots_end (struct heapshots *h, struct thread *t)
{
  (void) h;
  if (t->shot != NULL)
    t->shot->complete = true;
  t->shot = NULL;
}

void
heapshots_object (struct heapshots *h, struct thread *t, guint klass,
                  const struct mlpd_heap_object *event)
{
  struct heapshot *shot = t->shot;
  if (shot == NULL) {
    h->stray_objects++;
    return;
  }
  shot->references += event->references.count;
  if (event->size == 0)
    return; /* more references of an object that was counted */
  struct type_sum *sum = type_sums_get (shot->types, klass);
  if (sum->objects++ == 0)
    shot->classes++;
  sum->bytes += event->size;
  shot->objects++;
  shot->bytes += event->size;
}
