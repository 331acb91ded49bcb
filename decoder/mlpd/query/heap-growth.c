/* heap-growth.c -- compares the classes of all heap snapshots. */
#include "config.h"

#include "decoder/mlpd/analyses/heapshots.h"
#include "decoder/mlpd/query/heap-growth.h"

/* Steps from snapshot to snapshot, the last ones, that are inspected: in all of them but one a
 * class must grow to be growing now, in two at least, and in none may it shrink.  The snapshot at
 * the end of a program often is as the one before. */
#define STEPS 4
#define STEPS_MIN 2

/* Steps without a new object after which growth has begun again. */
#define STANDSTILL 2

/* Of the growth of even steps, the part in the last ones that is growth still. */
#define LAST_STEPS 0.25

/* Objects that it must have grown by. */
#define OBJECTS_MIN 16

/* Classes of one name in images of one name are one: a program may load them twice. */
static char *
make_key (const char *name, const char *image)
{
  return g_strdup_printf ("%s\n%s", name, image != NULL ? image : "");
}

static struct heap_series *
series_new (char *name, const char *image, guint n_shots)
{
  struct heap_series *series = g_new0 (struct heap_series, 1);
  series->name = name;
  series->image = image;
  series->shots = g_new0 (struct type_sum, n_shots + 1);
  return series;
}

static void
series_free (void *data)
{
  struct heap_series *series = data;
  g_free (series->name);
  g_free (series->shots);
  g_free (series);
}

/* ---- the series ---- */

/* Seconds since the first snapshot; below 0 if another thread recorded an earlier one after it. */
static double
seconds_at (const struct heap_growth *g, guint shot)
{
  return (double) (int64_t) (g->times[shot] - g->times[0]) / 1e9;
}

/* Least squares. */
static double
series_slope (const struct heap_growth *g, const struct heap_series *s)
{
  double t_mean = 0, b_mean = 0, above = 0, below = 0;
  for (guint i = 0; i < g->n_shots; i++) {
    t_mean += seconds_at (g, i) / g->n_shots;
    b_mean += (double) s->shots[i].bytes / g->n_shots;
  }
  for (guint i = 0; i < g->n_shots; i++) {
    const double t = seconds_at (g, i) - t_mean;
    above += t * ((double) s->shots[i].bytes - b_mean);
    below += t * t;
  }
  return below > 0 ? above / below : 0;
}

/* Objects of a step to a snapshot from the one before. */
static int64_t
step_to (const struct heap_series *s, guint shot)
{
  return (int64_t) (s->shots[shot].objects - s->shots[shot - 1].objects);
}

/* The snapshot before the first step of the growth that the last snapshots have. */
static guint
begin_of_growth (const struct heap_growth *g, const struct heap_series *s)
{
  guint since = g->n_shots - 1, standing = 0;
  for (guint shot = since; shot > 0 && standing < STANDSTILL && step_to (s, shot) >= 0; shot--) {
    standing = step_to (s, shot) == 0 ? standing + 1 : 0;
    if (standing == 0)
      since = shot - 1;
  }
  return since;
}

static guint
grows_since (const struct heap_growth *g, const struct heap_series *s)
{
  guint growing = 0, steps = 0;
  for (guint shot = g->n_shots; steps < STEPS && shot-- > 1; steps++) {
    if (step_to (s, shot) < 0)
      return HEAP_NOT_GROWING;
    growing += step_to (s, shot) > 0;
  }
  if (growing < STEPS_MIN || growing + 1 < steps)
    return HEAP_NOT_GROWING;
  const guint since = begin_of_growth (g, s);
  return s->shots[g->n_shots - 1].objects - s->shots[since].objects < OBJECTS_MIN
                 || heap_growth_span (g, since) < HEAP_GROWTH_SPAN
             ? HEAP_NOT_GROWING
             : since;
}

static void
finish (const struct heap_growth *g, struct heap_series *s)
{
  s->slope = series_slope (g, s);
  s->since = grows_since (g, s);
}

/* ---- making ---- */

static void
add_class (struct heap_growth *g, const struct summary *s, guint klass, guint place,
           const struct type_sum *sum)
{
  char *name = symbols_name (&s->symbols, SYMBOL_CLASS, klass);
  const char *image = symbols_class_image (&s->symbols, klass);
  char *key = make_key (name, image);
  struct heap_series *series = g_hash_table_lookup (g->by_name, key);
  if (series == NULL) {
    series = series_new (name, image, g->n_shots);
    g_ptr_array_add (g->classes, series);
    g_hash_table_insert (g->by_name, key, series);
  } else {
    g_free (name);
    g_free (key);
  }
  series->shots[place].objects += sum->objects;
  series->shots[place].bytes += sum->bytes;
}

static void
add_shot (struct heap_growth *g, const struct summary *s, const struct heapshot *shot, guint place)
{
  g->indexes[place] = shot->index;
  g->times[place] = shot->time;
  g->all.shots[place] = (struct type_sum){ shot->objects, shot->bytes };
  for (guint klass = 0; klass < shot->types.classes->len; klass++) {
    const struct type_sum *sum = &g_array_index (shot->types.classes, struct type_sum, klass);
    if (sum->objects != 0)
      add_class (g, s, klass, place, sum);
  }
}

static bool
is_in_range (const struct heapshot *shot, guint last)
{
  return last == 0 || shot->index <= last;
}

static bool
is_inspected (const struct heapshot *shot, guint last)
{
  return shot->state == HEAPSHOT_COMPLETE && is_in_range (shot, last);
}

void
heap_growth_init (struct heap_growth *g, const struct summary *s, guint last)
{
  const GPtrArray *shots = SUMMARY_STATE (s, heapshots)->shots;
  *g = (struct heap_growth){ .indexes = g_new (guint, shots->len + 1),
                             .times = g_new (uint64_t, shots->len + 1),
                             .classes = g_ptr_array_new_with_free_func (series_free),
                             .by_name
                             = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) };
  for (guint i = 0; i < shots->len; i++) {
    g->n_shots += is_inspected (g_ptr_array_index (shots, i), last);
    g->left_out += is_in_range (g_ptr_array_index (shots, i), last);
  }
  g->left_out -= g->n_shots;
  g->all.shots = g_new0 (struct type_sum, g->n_shots + 1);
  for (guint i = 0, place = 0; i < shots->len; i++) {
    const struct heapshot *shot = g_ptr_array_index (shots, i);
    if (is_inspected (shot, last))
      add_shot (g, s, shot, place++);
  }
  for (guint i = 0; i < g->classes->len; i++)
    finish (g, g_ptr_array_index (g->classes, i));
  finish (g, &g->all);
}

void
heap_growth_clear (struct heap_growth *g)
{
  g_free (g->indexes);
  g_free (g->times);
  g_free (g->all.shots);
  g_ptr_array_unref (g->classes);
  g_hash_table_destroy (g->by_name);
}

int64_t
heap_growth_span (const struct heap_growth *g, guint since)
{
  return (int64_t) (g->times[g->n_shots - 1] - g->times[since]);
}

bool
heap_growth_goes_on (uint64_t before, uint64_t late, uint64_t now, guint steps, guint late_steps)
{
  const double all = (double) now - (double) before, since_late = (double) now - (double) late;
  return now > before && since_late >= LAST_STEPS * all * late_steps / steps;
}

const struct heap_series *
heap_growth_find (const struct heap_growth *g, const char *name, const char *image)
{
  char *key = make_key (name, image);
  const struct heap_series *series = g_hash_table_lookup (g->by_name, key);
  g_free (key);
  return series;
}
