/* mprof-objects.c -- a line for each event of objects, in file order. */
#include "config.h"

#include "decoder/mlpd/analyses/objects.h"
#include "decoder/views/mprof/mprof.h"

/* An event with a line. */
struct object_line {
  uint64_t offset; /* in the log */
  const struct object_event *event;
  const struct object_found *found; /* instead of an event; NULL: an event */
};

static int
compare_lines (const void *a, const void *b)
{
  const struct object_line *const x = a, *const y = b;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

static void
append_object (const struct mprof_report *r, uint64_t object)
{
  g_string_append (r->out, "Object ");
  mprof_append_address (r->out, object);
}

static void
append_time (const struct mprof_report *r, uint64_t time)
{
  g_string_append (r->out, " at ");
  mprof_append_seconds (r->out, (double) log_when (&r->s->log, time), 3);
  g_string_append (r->out, " secs.\n");
}

static void
append_trace (const struct mprof_report *r, guint trace)
{
  if (r->view->traces && trace != TRACE_NONE)
    mprof_append_frames (r, trace, "\t");
}

static void
put_created (const struct mprof_report *r, uint64_t object, guint type, uint64_t bytes,
             uint64_t time, guint trace)
{
  g_autofree char *name = type != OBJECT_NO_TYPE ? symbols_name (&r->s->symbols, SYMBOL_CLASS, type)
                                                 : g_strdup ("unresolved class (nil)");
  append_object (r, object);
  g_string_append_printf (r->out, " created (%s, %" G_GUINT64_FORMAT " bytes)", name, bytes);
  append_time (r, time);
  append_trace (r, trace);
}

/* A move is of the address before, unless only the one after it is requested. */
static void
put_moved (const struct mprof_report *r, const struct object_event *event)
{
  const bool is_new = r->view->selection != NULL
                      && selection_tracks (r->view->selection, event->other)
                      && !selection_tracks (r->view->selection, event->object);
  append_object (r, is_new ? event->other : event->object);
  g_string_append (r->out, is_new ? " moved from " : " moved to ");
  mprof_append_address (r->out, is_new ? event->object : event->other);
  g_string_append_c (r->out, '\n');
}

static void
put_event (const struct mprof_report *r, const struct object_event *event)
{
  g_autofree char *name = NULL;
  switch (event->kind) {
  case OBJECT_ALLOCATED:
    put_created (r, event->object, event->type, event->number, event->time, event->trace);
    break;
  case OBJECT_MOVED:
    put_moved (r, event);
    break;
  case OBJECT_HANDLE_CREATED:
    append_object (r, event->object);
    g_string_append_printf (r->out, " referenced from handle %" G_GUINT64_FORMAT, event->number);
    append_time (r, event->time);
    append_trace (r, event->trace);
    break;
  case OBJECT_REFERENCED:
    name = symbols_name (&r->s->symbols, SYMBOL_CLASS, event->type);
    append_object (r, event->object);
    g_string_append (r->out, " referenced from ");
    mprof_append_address (r->out, event->other);
    g_string_append_printf (r->out, " (%s).\n", name);
    break;
  default:
    break;
  }
}

bool
mprof_put_objects (const struct mprof_report *r)
{
  const struct objects *o = SUMMARY_STATE (r->s, objects);
  if (o->found->len == 0 && (r->view->selection == NULL || r->view->selection->tracked == NULL))
    return false;
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (struct object_line));
  for (guint i = 0; i < o->found->len; i++) {
    const struct object_found *found = &g_array_index (o->found, struct object_found, i);
    const struct object_line line = { found->offset, NULL, found };
    g_array_append_val (lines, line);
  }
  for (guint i = 0; o->lifetimes != NULL && i < o->lifetimes->len; i++) {
    const struct object_lifetime *lifetime = g_ptr_array_index (o->lifetimes, i);
    for (guint j = 0; j < lifetime->events->len; j++) {
      const struct object_event *event = &g_array_index (lifetime->events, struct object_event, j);
      const struct object_line line = { event->offset, event, NULL };
      if (!lifetime->is_found || event->kind != OBJECT_ALLOCATED)
        g_array_append_val (lines, line);
    }
  }
  g_array_sort (lines, compare_lines);
  for (guint i = 0; i < lines->len; i++) {
    const struct object_line *line = &g_array_index (lines, struct object_line, i);
    if (line->found != NULL)
      put_created (r, line->found->object, line->found->type, line->found->bytes, line->found->time,
                   line->found->trace);
    else
      put_event (r, line->event);
  }
  g_array_unref (lines);
  return true;
}
