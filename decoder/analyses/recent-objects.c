/* recent-objects.c -- a direct-mapped table of objects and its divided form. */
#include "decoder/analyses/recent-objects.h"
#include "config.h"

#define STEPS_MIN 256
#define PLACES ((size_t) 1 << RECENT_BITS)

void
recent_objects_clear (struct recent_objects *recent)
{
  g_free (recent->places);
}

void
recent_scan_init (struct recent_scan *scan)
{
  scan->places = g_new0 (struct recent_object, PLACES);
  scan->steps = NULL;
  scan->wrote = false;
  scan->moved = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  scan->epoch = scan->n_steps = scan->room = 0;
}

void
recent_scan_clear (struct recent_scan *scan)
{
  g_free (scan->places);
  g_free (scan->steps);
  g_array_unref (scan->moved);
}

void
recent_scan_start (struct recent_scan *scan)
{
  scan->n_steps = 0;
  scan->wrote = false;
  g_array_set_size (scan->moved, 0);
  if (++scan->epoch == 0) {
    memset (scan->places, 0, PLACES * sizeof *scan->places);
    scan->epoch = 1;
  }
}

static inline void
note (struct recent_scan *scan, struct recent_step step)
{
  if (G_UNLIKELY (scan->n_steps == scan->room)) {
    scan->room = MAX (2 * scan->room, STEPS_MIN);
    scan->steps = g_renew (struct recent_step, scan->steps, scan->room);
  }
  scan->steps[scan->n_steps++] = step;
}

/* An object goes from one place to another; if it is not known, what was at the new address is no
 * longer there. */
static void
move (struct recent_scan *scan, uint64_t from, uint64_t to, guint rare)
{
  struct recent_object *old = &scan->places[recent_place (from)];
  struct recent_object *new = &scan->places[recent_place (to)];
  if (old->epoch == scan->epoch && old->object == from && from != 0) {
    const guint32 type = old->type;
    old->object = 0;
    *new = (struct recent_object){ .object = to, .type = type, .epoch = scan->epoch };
  } else if (old->epoch == scan->epoch) {
    if (new->epoch != scan->epoch)
      note (scan, (struct recent_step){ .step = RECENT_FORGET, .rare = rare, .object = to });
    else if (new->object == to)
      new->object = 0;
  } else {
    if (new->epoch == scan->epoch) {
      /* What was written here is older than the move: it becomes a step before that. */
      note (scan, (struct recent_step){ .step = RECENT_SET,
                                        .rare = rare,
                                        .place = (guint32) recent_place (to),
                                        .object = new->object,
                                        .type = new->type });
      new->epoch = scan->epoch - 1;
    }
    note (scan,
          (struct recent_step){ .step = RECENT_MOVE, .rare = rare, .object = from, .to = to });
  }
}

void
recent_scan_move (struct recent_scan *scan, struct mlpd_list objects, guint rare)
{
  const guint pairs = (guint) objects.count / 2;
  if (!scan->wrote) { /* all depends on what was before */
    const guint first = scan->moved->len;
    g_array_append_vals (scan->moved, objects.items, 2 * pairs);
    note (scan, (struct recent_step){
                    .step = RECENT_MOVES, .rare = rare, .object = first, .to = scan->moved->len });
    return;
  }
  for (size_t i = 0; i + 1 < objects.count; i += 2)
    move (scan, objects.items[i], objects.items[i + 1], rare);
}

struct recent_answer
recent_scan_find (const struct recent_scan *scan, uint64_t object)
{
  const struct recent_object *place = &scan->places[recent_place (object)];
  if (place->epoch != scan->epoch)
    return (struct recent_answer){ .state = RECENT_ASK };
  if (place->object != object || object == 0)
    return (struct recent_answer){ .state = RECENT_UNKNOWN };
  return (struct recent_answer){ .state = RECENT_KNOWN, .type = place->type };
}

static struct recent_object *
place_of (struct recent_objects *recent, uint64_t object)
{
  return &recent->places[recent_place (object)];
}

static void
take_move (struct recent_objects *recent, uint64_t from, uint64_t to)
{
  struct recent_object *old = place_of (recent, from), *new = place_of (recent, to);
  if (old->object == from && from != 0) {
    const guint32 type = old->type;
    old->object = 0;
    *new = (struct recent_object){ .object = to, .type = type };
  } else if (new->object == to) {
    new->object = 0;
  }
}

static void
take_step (struct recent_objects *recent, const struct recent_scan *scan,
           const struct recent_step *step, const guint *types)
{
  struct recent_object *place;
  switch (step->step) {
  case RECENT_SET:
    recent->places[step->place].object = step->object;
    recent->places[step->place].type = step->object != 0 ? types[step->type] : 0;
    break;
  case RECENT_MOVE:
    take_move (recent, step->object, step->to);
    break;
  case RECENT_MOVES:
    for (guint64 i = step->object; i < step->to; i += 2)
      take_move (recent, g_array_index (scan->moved, uint64_t, i),
                 g_array_index (scan->moved, uint64_t, i + 1));
    break;
  case RECENT_FORGET:
    place = place_of (recent, step->object);
    if (place->object == step->object)
      place->object = 0;
    break;
  }
}

static void
make_places (struct recent_objects *recent)
{
  if (recent->places == NULL)
    recent->places = g_new0 (struct recent_object, PLACES);
}

void
recent_objects_merge_steps (struct recent_objects *recent, const struct recent_scan *scan,
                            guint *next, guint rare, const guint *types)
{
  for (; *next < scan->n_steps && scan->steps[*next].rare <= rare; ++*next) {
    const struct recent_step *step = &scan->steps[*next];
    if (step->step == RECENT_SET)
      make_places (recent);
    if (recent->places != NULL) /* else there is nothing to move or forget */
      take_step (recent, scan, step, types);
  }
}

void
recent_objects_merge (struct recent_objects *recent, const struct recent_scan *scan,
                      const guint *types)
{
  if (!scan->wrote)
    return;
  make_places (recent);
  for (size_t i = 0; i < PLACES; i++)
    if (scan->places[i].epoch == scan->epoch) {
      recent->places[i].object = scan->places[i].object;
      if (scan->places[i].object != 0)
        recent->places[i].type = types[scan->places[i].type];
    }
}

bool
recent_objects_find (const struct recent_objects *recent, uint64_t object, guint *type)
{
  if (recent->places == NULL || object == 0
      || recent->places[recent_place (object)].object != object)
    return false;
  *type = recent->places[recent_place (object)].type;
  return true;
}
