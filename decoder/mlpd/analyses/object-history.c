/* object-history.c -- follows objects through their events in order of time. */
#include "config.h"

#include "decoder/mlpd/analyses/object-history.h"
#include "decoder/heap/heap-changes.h"
#include "decoder/mlpd/model/traces.h"

struct tracker {
  const struct object_filter *filter;
  GHashTable *current; /* uint64_t address -> struct object_lifetime that is there */
  GHashTable *handles; /* uint64_t object_handle_key -> struct object_lifetime */
  GPtrArray *all;      /* of struct object_lifetime, as they began */
  uint64_t gc_start;   /* time */
  uint64_t shot_start; /* time */
};

static void
lifetime_free (void *data)
{
  struct object_lifetime *lifetime = data;
  g_array_unref (lifetime->events);
  g_free (lifetime);
}

/* ---- one lifetime ---- */

static void
note (struct object_lifetime *lifetime, const struct object_event *event)
{
  g_array_append_vals (lifetime->events, event, 1);
}

static struct object_lifetime *
begin (struct tracker *t, uint64_t address)
{
  struct object_lifetime *lifetime = g_new (struct object_lifetime, 1);
  *lifetime = (struct object_lifetime){ .first = address,
                                        .type = OBJECT_NO_TYPE,
                                        .events = g_array_new (FALSE, FALSE,
                                                               sizeof (struct object_event)) };
  g_ptr_array_add (t->all, lifetime);
  return lifetime;
}

/* Ends the object at the event's address: by now it is not there. */
static void
end (struct tracker *t, struct object_lifetime *lifetime, enum object_event_kind how,
     const struct object_event *event)
{
  struct object_event last = *event;
  last.kind = how;
  last.object = lifetime->address;
  last.other = last.number = last.detail = 0;
  last.trace = TRACE_NONE;
  note (lifetime, &last);
  lifetime->ended = true;
  g_hash_table_remove (t->current, &lifetime->address);
}

/* Collections report roots by the new addresses of objects, and gather moves to report many at
 * once: roots may come before the move.  Adds those that `old` was known of in this collection;
 * false if nothing is left of it. */
static bool
move_roots (const struct tracker *t, struct object_lifetime *lifetime, struct object_lifetime *old)
{
  guint n = old->events->len;
  while (n > 0) {
    const struct object_event *event = &g_array_index (old->events, struct object_event, n - 1);
    if (event->kind != OBJECT_ROOT || event->time < t->gc_start)
      break;
    note (lifetime, event);
    n--;
  }
  g_array_set_size (old->events, n);
  return n > 0;
}

static void
place (struct tracker *t, struct object_lifetime *lifetime, uint64_t address,
       const struct object_event *event)
{
  struct object_lifetime *old = g_hash_table_lookup (t->current, &address);
  if (old != NULL && event->kind == OBJECT_MOVED && !move_roots (t, lifetime, old))
    old->is_requested = false; /* it was this one */
  else if (old != NULL)
    end (t, old, OBJECT_REPLACED, event);
  lifetime->address = address;
  lifetime->is_requested |= selection_tracks (t->filter->selection, address);
  g_hash_table_insert (t->current, g_memdup2 (&address, sizeof address), lifetime);
}

/* The lifetime at an address; one that began before the log states, if there is none. */
static struct object_lifetime *
at (struct tracker *t, const struct object_event *event)
{
  struct object_lifetime *lifetime = g_hash_table_lookup (t->current, &event->object);
  if (lifetime == NULL) {
    lifetime = begin (t, event->object);
    place (t, lifetime, event->object, event);
  }
  return lifetime;
}

static void
allocate (struct tracker *t, const struct object_event *event)
{
  struct object_lifetime *lifetime = begin (t, event->object);
  place (t, lifetime, event->object, event);
  lifetime->type = event->type;
  lifetime->bytes = event->number;
  lifetime->is_found = g_hash_table_contains (t->filter->found, &event->offset);
  lifetime->is_requested |= lifetime->is_found;
  note (lifetime, event);
}

static void
see_in_shot (struct tracker *t, const struct object_event *event)
{
  struct object_lifetime *lifetime = at (t, event);
  lifetime->type = event->type;
  lifetime->bytes = event->number;
  lifetime->seen = event->shot;
  note (lifetime, event);
}

static void
destroy_handle (struct tracker *t, const struct object_event *event)
{
  const uint64_t key = object_handle_key (event->detail, event->number);
  struct object_lifetime *lifetime = g_hash_table_lookup (t->handles, &key);
  if (lifetime == NULL)
    return;
  struct object_event of_object = *event;
  of_object.object = lifetime->address;
  note (lifetime, &of_object);
  g_hash_table_remove (t->handles, &key);
}

/* Moves of one event. */
struct move_job {
  struct tracker *t;
  const struct object_event *events;
};

static gpointer
leave (void *data, guint nth)
{
  const struct move_job *m = data;
  struct object_lifetime *lifetime = at (m->t, &m->events[nth]);
  g_hash_table_remove (m->t->current, &m->events[nth].object);
  return lifetime;
}

static void
arrive (void *data, gpointer lifetime, guint nth)
{
  const struct move_job *m = data;
  note (lifetime, &m->events[nth]);
  place (m->t, lifetime, m->events[nth].other, &m->events[nth]);
}

static void
move (struct tracker *t, const struct object_event *events, guint n)
{
  struct move_job move_job = { t, events };
  const struct object_mover mover = { leave, arrive, &move_job };
  object_moves_apply (&mover, n);
}

/* Objects that a whole heap snapshot lacks are gone, but for those created during it. */
static void
end_shot (struct tracker *t, const struct object_event *event)
{
  GHashTableIter iter;
  gpointer value;
  GPtrArray *missed = g_ptr_array_new ();
  g_hash_table_iter_init (&iter, t->current);
  while (event->detail != 0 && g_hash_table_iter_next (&iter, NULL, &value)) {
    const struct object_lifetime *lifetime = value;
    if (lifetime->seen != event->shot
        && g_array_index (lifetime->events, struct object_event, 0).time < t->shot_start)
      g_ptr_array_add (missed, value);
  }
  for (guint i = 0; i < missed->len; i++)
    end (t, g_ptr_array_index (missed, i), OBJECT_MISSED, event);
  g_ptr_array_unref (missed);
}

/* ---- all events ---- */

static void
handle (struct tracker *t, const struct object_event *event)
{
  struct object_lifetime *lifetime;
  switch (event->kind) {
  case OBJECT_ALLOCATED:
    allocate (t, event);
    break;
  case OBJECT_IN_SHOT:
    see_in_shot (t, event);
    break;
  case OBJECT_HANDLE_CREATED:
    lifetime = at (t, event);
    note (lifetime, event);
    const uint64_t key = object_handle_key (event->detail, event->number);
    g_hash_table_insert (t->handles, g_memdup2 (&key, sizeof key), lifetime);
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
compare_lifetimes (gconstpointer a, gconstpointer b)
{
  const struct object_lifetime *x = *(const struct object_lifetime *const *) a,
                               *y = *(const struct object_lifetime *const *) b;
  return compare_events (x->events->data, y->events->data);
}

/* Lifetimes that were not requested are of objects that were at these addresses at other times. */
static GPtrArray *
selected_lifetimes (GPtrArray *all)
{
  GPtrArray *requested = g_ptr_array_new_with_free_func (lifetime_free);
  for (guint i = 0; i < all->len; i++) {
    struct object_lifetime *lifetime = g_ptr_array_index (all, i);
    if (lifetime->is_requested)
      g_ptr_array_add (requested, lifetime);
    else
      lifetime_free (lifetime);
  }
  g_ptr_array_sort (requested, compare_lifetimes);
  return requested;
}

GPtrArray *
object_lifetimes_build (GArray *events, const struct object_filter *filter)
{
  struct tracker t = { .filter = filter,
                       .current = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL),
                       .handles = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL),
                       .all = g_ptr_array_new () };
  g_array_sort (events, compare_events); /* those of one event stay as they were */
  const struct object_event *all = (const struct object_event *) (const void *) events->data;
  for (guint i = 0, n; i < events->len; i += n) {
    n = 1;
    if (all[i].kind != OBJECT_MOVED) {
      handle (&t, &all[i]);
      continue;
    }
    while (i + n < events->len && all[i + n].kind == OBJECT_MOVED
           && all[i + n].offset == all[i].offset)
      n++;
    move (&t, &all[i], n);
  }
  g_hash_table_destroy (t.current);
  g_hash_table_destroy (t.handles);
  GPtrArray *requested = selected_lifetimes (t.all);
  g_ptr_array_unref (t.all);
  return requested;
}

bool
object_lifetimes_extend_filter (const GPtrArray *lifetimes, struct object_filter *filter)
{
  bool new = false;
  for (guint i = 0; i < lifetimes->len; i++) {
    const struct object_lifetime *lifetime = g_ptr_array_index (lifetimes, i);
    for (guint j = 0; j < lifetime->events->len; j++) {
      const struct object_event *event = &g_array_index (lifetime->events, struct object_event, j);
      new |= object_filter_add_address (filter, event->object);
      if (event->kind == OBJECT_MOVED)
        new |= object_filter_add_address (filter, event->other);
      else if (event->kind == OBJECT_HANDLE_CREATED)
        new |= object_filter_add_handle (filter, object_handle_key (event->detail, event->number));
    }
  }
  return new;
}
