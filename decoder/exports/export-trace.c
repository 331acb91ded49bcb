/* export-trace.c -- tracks, names, and the order of times on a track. */
#include "config.h"

#include "decoder/exports/export-trace.h"
#include "decoder/output/emitter-values.h"
#include "decoder/output/figure.h"
#include <math.h>
#include <string.h>

static void
free_track (void *data)
{
  struct trace_track *track = data;
  g_free (track->name);
  if (track->open != NULL)
    g_array_unref (track->open);
  g_free (track);
}

void
trace_begin (struct trace *t, const struct trace_format *format, struct export_out *out)
{
  *t = (struct trace){
    .format = format,
    .out = out,
    .tracks = g_ptr_array_new_with_free_func (free_track),
    .names = g_ptr_array_new_with_free_func (g_free),
    .numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .pids = g_hash_table_new (NULL, NULL),
    .natives = g_hash_table_new (NULL, NULL),
  };
  for (guint i = 0; i < G_N_ELEMENTS (t->scratch); i++)
    t->scratch[i] = g_string_new (NULL);
  format->begin (t);
}

/* Slices within a long one may be short, but none is longer than those around it: the format has
 * the outer ones of a track, up to a number of them. */
static void
write_open (struct trace *t, struct trace_track *track)
{
  for (; track->open != NULL && track->written < track->open->len; track->written++) {
    const struct trace_open *slice
        = &g_array_index (track->open, struct trace_open, track->written);
    t->format->slice (t, track, slice->name, slice->begin);
  }
}

/* A slice that the format does not have is gone if it is short; else the format has it now.
 * Returns whether the format needs its end. */
static bool
end_open (struct trace *t, struct trace_track *track, uint64_t time)
{
  const guint last = track->open->len - 1;
  const bool is_short
      = track->written <= last
        && time - g_array_index (track->open, struct trace_open, last).begin < t->min_ns;
  if (!is_short)
    write_open (t, track);
  t->n_short += is_short;
  g_array_set_size (track->open, last);
  track->written = MIN (track->written, last);
  return !is_short;
}

void
trace_end (struct trace *t)
{
  for (guint i = 0; t->min_ns != 0 && i < t->tracks->len; i++)
    write_open (t, t->tracks->pdata[i]);
  t->format->end (t);
  export_flush (t->out);
  for (guint i = 0; i < G_N_ELEMENTS (t->scratch); i++)
    g_string_free (t->scratch[i], TRUE);
  g_ptr_array_unref (t->tracks);
  g_ptr_array_unref (t->names);
  g_hash_table_unref (t->numbers);
  g_hash_table_unref (t->pids);
  g_hash_table_unref (t->natives);
}

char *
trace_short_text (const struct trace *t)
{
  if (t->n_short == 0)
    return NULL;
  g_autofree char *time = figure_text (FIGURE_NS, t->min_ns);
  return g_strdup_printf ("%" G_GUINT64_FORMAT " slices shorter than %s are left out", t->n_short,
                          time);
}

/* ---- tracks ---- */

static struct trace_track *
add_track (struct trace *t, const struct trace_track *model)
{
  struct trace_track *track = g_memdup2 (model, sizeof *model);
  track->number = t->tracks->len + 1;
  g_ptr_array_add (t->tracks, track);
  t->format->track (t, track);
  return track;
}

struct trace_track *
trace_add_process (struct trace *t, uint64_t pid, const char *name)
{
  uint32_t own = TRACE_FIRST_OWN_PID;
  if (pid == 0 || pid >= TRACE_FIRST_OWN_PID
      || g_hash_table_contains (t->pids, GUINT_TO_POINTER (pid)))
    while (g_hash_table_contains (t->pids, GUINT_TO_POINTER (own)))
      own++;
  else
    own = (uint32_t) pid;
  g_hash_table_add (t->pids, GUINT_TO_POINTER (own));
  return add_track (t, &(const struct trace_track){ .kind = TRACE_PROCESS,
                                                    .pid = own,
                                                    .log_pid = (uint32_t) pid,
                                                    .name = g_strdup (name) });
}

struct trace_track *
trace_add (struct trace *t, enum trace_track_kind kind, const struct trace_track *parent,
           const char *name, enum trace_unit unit)
{
  return add_track (t, &(const struct trace_track){ .kind = kind,
                                                    .unit = unit,
                                                    .pid = parent->pid,
                                                    .parent = parent,
                                                    .name = g_strdup (name) });
}

void
trace_rename (struct trace *t, struct trace_track *track, const char *name)
{
  g_free (track->name);
  track->name = g_strdup (name);
  t->format->track (t, track);
}

char *
trace_quote_name (struct trace *t, const char *name)
{
  (void) t;
  GString *quoted = g_string_new (NULL);
  emitter_append_json_string (quoted, name, strlen (name));
  return g_string_free (quoted, FALSE);
}

guint
trace_name (struct trace *t, const char *name)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (t->numbers, name));
  if (number == 0) {
    g_ptr_array_add (t->names, t->format->name (t, name));
    number = t->names->len;
    g_hash_table_insert (t->numbers, g_strdup (name), GUINT_TO_POINTER (number));
  }
  return number - 1;
}

guint
trace_native_name (struct trace *t, const char *name)
{
  const guint number = trace_name (t, name);
  g_hash_table_add (t->natives, GUINT_TO_POINTER (number));
  return number;
}

char *
trace_copy_name (struct trace *t, const char *name)
{
  (void) t;
  return g_strdup (name);
}

/* ---- events ---- */

static uint64_t
advance (struct trace_track *track, uint64_t time)
{
  return track->last = MAX (track->last, time);
}

void
trace_slice (struct trace *t, struct trace_track *track, guint name, uint64_t time)
{
  track->depth++;
  if (t->format->slice == NULL)
    return;
  const struct trace_open slice = { .name = name, .begin = advance (track, time) };
  if (t->min_ns == 0)
    t->format->slice (t, track, name, slice.begin);
  else if (track->open == NULL)
    track->open = g_array_new (FALSE, FALSE, sizeof slice);
  if (t->min_ns != 0)
    g_array_append_val (track->open, slice);
  export_flush_much (t->out);
}

void
trace_slice_end (struct trace *t, struct trace_track *track, uint64_t time)
{
  if (track->depth == 0)
    return;
  track->depth--;
  if (t->format->slice_end == NULL)
    return;
  const uint64_t end = advance (track, time);
  if (t->min_ns == 0 || end_open (t, track, end))
    t->format->slice_end (t, track, end);
  export_flush_much (t->out);
}

void
trace_pause (struct trace *t, const struct trace_track *track, guint generation, uint64_t begin,
             uint64_t end)
{
  if (t->format->pause != NULL)
    t->format->pause (t, track, generation, begin, end);
}

void
trace_instant (struct trace *t, struct trace_track *track, const char *text, uint64_t time)
{
  if (t->format->instant != NULL)
    t->format->instant (t, track, text, advance (track, time));
  export_flush_much (t->out);
}

void
trace_counter (struct trace *t, struct trace_track *track, struct trace_value value, uint64_t time)
{
  if (value.is_real && !isfinite (value.real))
    return;
  if (t->format->counter != NULL)
    t->format->counter (t, track, value, advance (track, time));
  export_flush_much (t->out);
}
