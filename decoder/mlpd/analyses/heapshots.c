/* heapshots.c -- adds the objects of each snapshot up. */
#include "config.h"

#include "decoder/mlpd/analyses/heapshots.h"
#include "decoder/mlpd/analyses/analysis.h"
#include "decoder/mlpd/analyses/log.h"

static void
heapshot_free (void *data)
{
  struct heapshot *shot = data;
  type_sums_clear (&shot->types);
  shot_references_clear (&shot->by_type);
  g_free (shot);
}

static void
init (void *state, const struct scan_options *options)
{
  (void) options;
  struct heapshots *h = state;
  *h = (struct heapshots){ .shots = g_ptr_array_new_with_free_func (heapshot_free) };
}

static void
clear (void *state)
{
  struct heapshots *h = state;
  g_ptr_array_free (h->shots, TRUE);
  shot_objects_free (h->spare);
}

void
heapshots_start (struct heapshots *h, struct thread *t, uint64_t time, uint64_t damages)
{
  struct heapshot *shot = g_new0 (struct heapshot, 1);
  shot->index = ++h->begun;
  shot->time = time;
  shot->thread = t->id;
  shot->is_open = true;
  h->is_past = false;
  shot->damages = damages;
  type_sums_init (&shot->types);
  shot_references_init (&shot->by_type, &h->spare);
  g_ptr_array_add (h->shots, shot);
  heapshots_cut (t);
  t->shot = shot;
}

void
heapshots_skip (struct heapshots *h)
{
  h->begun++;
}

void
heapshots_cut (struct thread *t)
{
  if (t->shot != NULL) {
    t->shot->is_open = false;
    shot_references_end (&t->shot->by_type, NULL);
  }
  t->shot = NULL;
}

void
heapshots_end (struct thread *t, uint64_t damages, const GArray *roots)
{
  if (t->shot != NULL) {
    t->shot->is_open = false;
    t->shot->state = t->shot->damages != damages ? HEAPSHOT_DAMAGED
                     : t->shot->objects == 0     ? HEAPSHOT_EMPTY
                                                 : HEAPSHOT_COMPLETE;
    shot_references_end (&t->shot->by_type, roots);
  }
  t->shot = NULL;
}

/* NULL: there is none. */
static const struct heapshot *
last_shot (const struct heapshots *h)
{
  return h->shots->len != 0 ? g_ptr_array_index (h->shots, h->shots->len - 1) : NULL;
}

/* The START is recorded after the stop of the snapshot's own collection. */
void
heapshots_collect (struct heapshots *h, const struct thread *t, uint64_t time)
{
  const struct heapshot *last = last_shot (h);
  if (last != NULL && last->is_open && last->thread != t->id && last->time < time)
    h->is_past = true;
}

guint
heapshots_past (const struct heapshots *h)
{
  const struct heapshot *last = last_shot (h);
  return h->is_past && last->is_open ? last->index : 0;
}

void
heapshots_merge (struct heapshots *h, struct thread *t, const struct scan_heap *scanned,
                 const guint *types)
{
  struct heapshot *shot = t->shot;
  if (shot == NULL) {
    h->stray_objects += scanned->records;
    return;
  }
  for (guint i = 0; i < scanned->types->len; i++) {
    const struct scan_type *type = &g_array_index (scanned->types, struct scan_type, i);
    if (type->objects == 0)
      continue;
    struct type_sum *sum = type_sums_get (&shot->types, types[i]);
    sum->objects += type->objects;
    sum->bytes = saturated_sum (sum->bytes, type->bytes);
  }
  shot->objects += scanned->objects;
  shot->bytes = saturated_sum (shot->bytes, scanned->bytes);
  shot->references += scanned->references;
  shot_references_add (&shot->by_type, scanned, types);
}

/* After the last of them. */
static void
heapshots_resolve (struct heapshots *h, struct symbols *symbols)
{
  for (guint i = 0; i < h->shots->len; i++) {
    struct heapshot *shot = g_ptr_array_index (h->shots, i);
    type_sums_resolve (&shot->types, symbols);
    shot_references_resolve (&shot->by_type, symbols);
    shot->classes = 0;
    for (guint j = 0; j < shot->types.classes->len; j++)
      shot->classes += g_array_index (shot->types.classes, struct type_sum, j).objects != 0;
  }
}

/* ---- as an analysis ---- */

static void
finish (void *state, const struct analysis_model *m)
{
  struct heapshots *h = state;
  heapshots_resolve (h, m->symbols);
  /* The start of a heap snapshot need not be selected where its objects are. */
  if (h->stray_objects == 0 || m->log->is_part)
    return;
  char *message = g_strdup_printf (
      "not counted, because outside of any heap snapshot: %" G_GUINT64_FORMAT " records of objects",
      h->stray_objects);
  log_damage (m->log, false, message);
  g_free (message);
}

/* heap-builder.c handles their events. */
const struct analysis heapshots_analysis
    = { .state_bytes = sizeof (struct heapshots), .init = init, .clear = clear, .finish = finish };
