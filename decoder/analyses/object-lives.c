/* object-lives.c -- see object-lives.h. */
#include "decoder/analyses/object-lives.h"
#include "config.h"
#include "decoder/analyses/object-moves.h"
#include "decoder/analyses/traces.h"

struct tracking {
  const struct object_filter *filter;
  GHashTable *current; /* uint64_t address -> struct object_life that is there */
  GHashTable *handles; /* uint64_t object_handle_key -> struct object_life */
  GPtrArray *all;      /* of struct object_life, as they began */
  uint64_t gc_start;   /* time */
  uint64_t shot_start; /* time */
};

static void
life_free (void *data)
{
  struct object_life *life = data;
  g_array_unref (life->events);
  g_free (life);
}

/* ---- one life ---- */

static void
note (struct object_life *life, const struct object_event *event)
{
  g_array_append_vals (life->events, event, 1);
}

static struct object_life *
begin (struct tracking *t, uint64_t address)
{
  struct object_life *life = g_new (struct object_life, 1);
  *life
      = (struct object_life){ .first = address,
                              .type = OBJECT_NO_TYPE,
                              .events = g_array_new (FALSE, FALSE, sizeof (struct object_event)) };
  g_ptr_array_add (t->all, life);
  return life;
}

/* Ends what is at the event's address: by now it is not there. */
static void
end (struct tracking *t, struct object_life *life, enum object_event_kind how,
     const struct object_event *event)
{
  struct object_event last = *event;
  last.kind = how;
  last.object = life->address;
  last.other = last.number = last.sort = 0;
  last.trace = TRACE_NONE;
  note (life, &last);
  life->ended = true;
  g_hash_table_remove (t->current, &life->address);
}

/* Collections tell of roots by the new addresses of objects, and gather moves to tell of many at
 * once: roots may come before the move.  Takes those that `old` was told of in this collection;
 * false if nothing is left of it. */
static bool
take_roots (const struct tracking *t, struct object_life *life, struct object_life *old)
{
  guint n = old->events->len;
  while (n > 0) {
    const struct object_event *event = &g_array_index (old->events, struct object_event, n - 1);
    if (event->kind != OBJECT_ROOT || event->time < t->gc_start)
      break;
    note (life, event);
    n--;
  }
  g_array_set_size (old->events, n);
  return n > 0;
}

static void
place (struct tracking *t, struct object_life *life, uint64_t address,
       const struct object_event *event)
{
  struct object_life *old = g_hash_table_lookup (t->current, &address);
  if (old != NULL && event->kind == OBJECT_MOVED && !take_roots (t, life, old))
    old->is_asked = false; /* it was this one */
  else if (old != NULL)
    end (t, old, OBJECT_REPLACED, event);
  life->address = address;
  life->is_asked |= selection_tracks (t->filter->selection, address);
  g_hash_table_insert (t->current, g_memdup2 (&address, sizeof address), life);
}

/* The life at an address; one that began before the log tells, if there is none. */
static struct object_life *
at (struct tracking *t, const struct object_event *event)
{
  struct object_life *life = g_hash_table_lookup (t->current, &event->object);
  if (life == NULL) {
    life = begin (t, event->object);
    place (t, life, event->object, event);
  }
  return life;
}

static void
allocate (struct tracking *t, const struct object_event *event)
{
  struct object_life *life = begin (t, event->object);
  place (t, life, event->object, event);
  life->type = event->type;
  life->bytes = event->number;
  life->is_found = g_hash_table_contains (t->filter->found, &event->offset);
  life->is_asked |= life->is_found;
  note (life, event);
}

static void
see_in_shot (struct tracking *t, const struct object_event *event)
{
  struct object_life *life = at (t, event);
  life->type = event->type;
  life->bytes = event->number;
  life->seen = event->shot;
  note (life, event);
}

static void
destroy_handle (struct tracking *t, const struct object_event *event)
{
  const uint64_t key = object_handle_key (event->sort, event->number);
  struct object_life *life = g_hash_table_lookup (t->handles, &key);
  if (life == NULL)
    return;
  struct object_event of_object = *event;
  of_object.object = life->address;
  note (life, &of_object);
  g_hash_table_remove (t->handles, &key);
}

/* Moves of one event. */
struct moving {
  struct tracking *t;
  const struct object_event *events;
};

static gpointer
leave (void *data, guint nth)
{
  const struct moving *m = data;
  struct object_life *life = at (m->t, &m->events[nth]);
  g_hash_table_remove (m->t->current, &m->events[nth].object);
  return life;
}

static void
arrive (void *data, gpointer life, guint nth)
{
  const struct moving *m = data;
  note (life, &m->events[nth]);
  place (m->t, life, m->events[nth].other, &m->events[nth]);
}

static void
move (struct tracking *t, const struct object_event *events, guint n)
{
  struct moving moving = { t, events };
  const struct object_mover mover = { leave, arrive, &moving };
  object_moves_apply (&mover, n);
}

/* What a whole heap shot does not have is gone, but for what came while it was made. */
static void
end_shot (struct tracking *t, const struct object_event *event)
{
  GHashTableIter iter;
  gpointer value;
  GPtrArray *missed = g_ptr_array_new ();
  g_hash_table_iter_init (&iter, t->current);
  while (event->sort != 0 && g_hash_table_iter_next (&iter, NULL, &value)) {
    const struct object_life *life = value;
    if (life->seen != event->shot
        && g_array_index (life->events, struct object_event, 0).time < t->shot_start)
      g_ptr_array_add (missed, value);
  }
  for (guint i = 0; i < missed->len; i++)
    end (t, g_ptr_array_index (missed, i), OBJECT_MISSED, event);
  g_ptr_array_unref (missed);
}

/* ---- all events ---- */

static void
take (struct tracking *t, const struct object_event *event)
{
  struct object_life *life;
  switch (event->kind) {
  case OBJECT_ALLOCATED:
    allocate (t, event);
    break;
  case OBJECT_IN_SHOT:
    see_in_shot (t, event);
    break;
  case OBJECT_HANDLE_CREATED:
    life = at (t, event);
    note (life, event);
    const uint64_t key = object_handle_key (event->sort, event->number);
    g_hash_table_insert (t->handles, g_memdup2 (&key, sizeof key), life);
    break;
  case OBJECT_HANDLE_DESTROYED:
    destroy_handle (t, event);
    break;
  case OBJECT_GC_STARTS:
    t->gc_start = event->time;
    break;
  case OBJECT_SHOT_STARTS:
    t->shot_start = event->time;
    break;
  case OBJECT_SHOT_ENDS:
    end_shot (t, event);
    break;
  default:
    note (at (t, event), event);
    break;
  }
}

static gint
compare_events (gconstpointer a, gconstpointer b)
{
  const struct object_event *x = a, *y = b;
  if (x->time != y->time)
    return (x->time > y->time) - (x->time < y->time);
  return (x->offset > y->offset) - (x->offset < y->offset);
}

static gint
compare_lives (gconstpointer a, gconstpointer b)
{
  const struct object_life *x = *(const struct object_life *const *) a,
                           *y = *(const struct object_life *const *) b;
  return compare_events (x->events->data, y->events->data);
}

/* Lives that nobody asked for are of objects that were at these addresses at other times. */
static GPtrArray *
asked_lives (GPtrArray *all)
{
  GPtrArray *asked = g_ptr_array_new_with_free_func (life_free);
  for (guint i = 0; i < all->len; i++) {
    struct object_life *life = g_ptr_array_index (all, i);
    if (life->is_asked)
      g_ptr_array_add (asked, life);
    else
      life_free (life);
  }
  g_ptr_array_sort (asked, compare_lives);
  return asked;
}

GPtrArray *
object_lives_make (GArray *events, const struct object_filter *filter)
{
  struct tracking t
      = { .filter = filter,
          .current = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL),
          .handles = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL),
          .all = g_ptr_array_new () };
  g_array_sort (events, compare_events); /* those of one event stay as they were */
  const struct object_event *all = (const struct object_event *) (const void *) events->data;
  for (guint i = 0, n; i < events->len; i += n) {
    n = 1;
    if (all[i].kind != OBJECT_MOVED) {
      take (&t, &all[i]);
      continue;
    }
    while (i + n < events->len && all[i + n].kind == OBJECT_MOVED
           && all[i + n].offset == all[i].offset)
      n++;
    move (&t, &all[i], n);
  }
  g_hash_table_destroy (t.current);
  g_hash_table_destroy (t.handles);
  GPtrArray *asked = asked_lives (t.all);
  g_ptr_array_unref (t.all);
  return asked;
}

bool
object_lives_learn (const GPtrArray *lives, struct object_filter *filter)
{
  bool new = false;
  for (guint i = 0; i < lives->len; i++) {
    const struct object_life *life = g_ptr_array_index (lives, i);
    for (guint j = 0; j < life->events->len; j++) {
      const struct object_event *event = &g_array_index (life->events, struct object_event, j);
      new |= object_filter_add_address (filter, event->object);
      if (event->kind == OBJECT_MOVED)
        new |= object_filter_add_address (filter, event->other);
      else if (event->kind == OBJECT_HANDLE_CREATED)
        new |= object_filter_add_handle (filter, object_handle_key (event->sort, event->number));
    }
  }
  return new;
}
