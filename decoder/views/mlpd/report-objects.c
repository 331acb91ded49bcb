/* report-objects.c -- the requested objects: where they were allocated, and their history. */
#include "config.h"

#include "decoder/mlpd/analyses/gc.h"
#include "decoder/mlpd/analyses/objects.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/views/mlpd/report-parts.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/views/result.h"

/* ---- found ---- */

static const struct emitter_column found_columns[] = {
  { "time_ns", "Time ms", EMIT_TIME },  { "bytes", "Bytes", EMIT_NUMBER },
  { "object", "Object", EMIT_ADDRESS }, { "thread", "Thread", EMIT_ADDRESS },
  { "name", "Type", EMIT_TEXT },
};
static const struct table_shape found_shape = { .key = "found",
                                                TABLE_SHAPE_COLUMNS (found_columns),
                                                .order = TABLE_KEYS ("time_ns"),
                                                .name = "name",
                                                .bytes = "bytes",
                                                .details = TABLE_KEYS ("frames") };

static void
put_found (const struct report *r)
{
  const GArray *found = SUMMARY_STATE (r->s, objects)->found;
  struct table *t = section_table (r, &found_shape);
  table_set_text (t, "name", section_class_name, r->s);
  if (r->view->traces)
    table_set_detail (t, traces_put_frames, r);
  for (guint i = 0; i < found->len; i++) {
    const struct object_found *f = &g_array_index (found, struct object_found, i);
    SECTION_ROW_ID (t, f->trace, { .change = log_when (&r->s->log, f->time) },
                    { .number = f->bytes }, { .number = f->object }, { .number = f->thread },
                    { .number = f->type });
  }
  table_write (t, r->e);
}

/* ---- followed ---- */

enum { TO, FROM, OFFSET, HANDLE, SHOT, BYTES, CELLS };

static const struct emitter_column event_columns[] = {
  { "time_ns", "Time ms", EMIT_TIME },
  { "event", "Event", EMIT_TEXT },
  { "object", "Address", EMIT_ADDRESS },
  { "thread", "Thread", EMIT_ADDRESS },
  { "to", NULL, EMIT_ANY },
  { "from", NULL, EMIT_ANY },
  { "offset", NULL, EMIT_ANY },
  { "handle", NULL, EMIT_ANY },
  { "shot", NULL, EMIT_ANY },
  { "bytes", NULL, EMIT_ANY },
  { "name", NULL, EMIT_TEXT },
  { NULL, "What", EMIT_TEXT },
};
static const struct table_shape events_shape = { .key = "events",
                                                 TABLE_SHAPE_COLUMNS (event_columns),
                                                 .order = TABLE_KEYS ("time_ns"),
                                                 .details = TABLE_KEYS ("frames") };

/* The facts of an event besides time and place. */
struct event_cells {
  struct emitter_any any[CELLS];
  bool has[CELLS];
  char *name;
  char *text;
};

static void
set_cell (struct event_cells *event_cells, guint cell, enum emitter_type type, uint64_t number)
{
  event_cells->any[cell] = (struct emitter_any){ .type = type, .value = { .number = number } };
  event_cells->has[cell] = true;
}

/* If collections state their moves, an object that is no longer there was collected. */
static const char *
event_name (const struct report *r, enum object_event_kind kind)
{
  static const char *const names[]
      = { "allocated", "moved",      "handle-created", "handle-destroyed", "root",
          "heap-shot", "referenced", "finalized",      "thrown",           "lock" };
  if (kind < G_N_ELEMENTS (names))
    return names[kind];
  return SUMMARY_STATE (r->s, gc)->moves != 0 ? "collected" : "gone";
}

static void
describe_root (const struct report *r, const struct object_event *event,
               struct event_cells *event_cells)
{
  if (r->s->log.header.data_version < MLPD_VERSION_ROOT_ADDRESSES) {
    event_cells->name = g_strdup (root_kind_name ((enum root_kind) event->detail));
    event_cells->text = g_strdup (event_cells->name);
    return;
  }
  set_cell (event_cells, FROM, EMIT_ADDRESS, event->other);
  event_cells->name = g_strdup (section_root_source_name ((guint) event->detail));
  event_cells->text
      = g_strdup_printf ("%s, at 0x%" G_GINT64_MODIFIER "x", event_cells->name, event->other);
}

static void
describe_reference (const struct report *r, const struct object_event *event,
                    struct event_cells *event_cells)
{
  set_cell (event_cells, FROM, EMIT_ADDRESS, event->other);
  set_cell (event_cells, SHOT, EMIT_NUMBER, event->shot);
  event_cells->name = section_class_name (r->s, event->type);
  GString *text = g_string_new (NULL);
  g_string_printf (text, "from 0x%" G_GINT64_MODIFIER "x (%s)", event->other, event_cells->name);
  if (r->s->log.header.data_version >= MLPD_VERSION_REFERENCE_OFFSETS) {
    set_cell (event_cells, OFFSET, EMIT_NUMBER, event->number);
    g_string_append_printf (text, " + %" G_GUINT64_FORMAT, event->number);
  }
  event_cells->text = g_string_free (text, FALSE);
}

static void
describe_handle (const struct object_event *event, struct event_cells *event_cells)
{
  const char *kind = mlpd_value_name (MLPD_UNIT_HANDLE_TYPE, event->detail);
  set_cell (event_cells, HANDLE, EMIT_NUMBER, event->number);
  event_cells->name = g_strdup (kind);
  event_cells->text = g_strdup_printf ("%" G_GUINT64_FORMAT " (%s)", event->number,
                                       kind != NULL ? kind : "unknown");
}

static struct event_cells
describe_event (const struct report *r, const struct object_event *event)
{
  struct event_cells event_cells = { 0 };
  switch (event->kind) {
  case OBJECT_ALLOCATED:
    set_cell (&event_cells, BYTES, EMIT_NUMBER, event->number);
    event_cells.name = section_class_name (r->s, event->type);
    event_cells.text
        = g_strdup_printf ("%" G_GUINT64_FORMAT " bytes, %s", event->number, event_cells.name);
    break;
  case OBJECT_MOVED:
    set_cell (&event_cells, TO, EMIT_ADDRESS, event->other);
    event_cells.text = g_strdup_printf ("to 0x%" G_GINT64_MODIFIER "x", event->other);
    break;
  case OBJECT_HANDLE_CREATED:
  case OBJECT_HANDLE_DESTROYED:
    describe_handle (event, &event_cells);
    break;
  case OBJECT_ROOT:
    describe_root (r, event, &event_cells);
    break;
  case OBJECT_IN_SHOT:
    set_cell (&event_cells, SHOT, EMIT_NUMBER, event->shot);
    set_cell (&event_cells, BYTES, EMIT_NUMBER, event->number);
    event_cells.name = section_class_name (r->s, event->type);
    event_cells.text = g_strdup_printf ("%u", event->shot);
    break;
  case OBJECT_REFERENCED:
    describe_reference (r, event, &event_cells);
    break;
  case OBJECT_LOCK:
    event_cells.name = g_strdup (mlpd_value_name (MLPD_UNIT_MONITOR_EVENT, event->number));
    event_cells.text = g_strdup (event_cells.name);
    break;
  case OBJECT_REPLACED:
    event_cells.text = g_strdup ("another object is at its address");
    break;
  case OBJECT_MISSED:
    set_cell (&event_cells, SHOT, EMIT_NUMBER, event->shot);
    event_cells.text = g_strdup_printf ("not in heap snapshot %u", event->shot);
    break;
  default:
    break;
  }
  return event_cells;
}

static void
put_events (const struct report *r, const struct object_lifetime *lifetime)
{
  struct table *t = section_table (r, &events_shape);
  struct event_cells *all = g_new (struct event_cells, lifetime->events->len);
  if (r->view->traces)
    table_set_detail (t, traces_put_frames, r);
  for (guint i = 0; i < lifetime->events->len; i++) {
    const struct object_event *event = &g_array_index (lifetime->events, struct object_event, i);
    all[i] = describe_event (r, event);
    const struct emitter_any *any[CELLS];
    for (guint cell = 0; cell < CELLS; cell++)
      any[cell] = all[i].has[cell] ? &all[i].any[cell] : NULL;
    SECTION_ROW_ID (t, event->trace, { .change = log_when (&r->s->log, event->time) },
                    { .text = event_name (r, event->kind) }, { .number = event->object },
                    { .number = event->thread }, { .any = any[TO] }, { .any = any[FROM] },
                    { .any = any[OFFSET] }, { .any = any[HANDLE] }, { .any = any[SHOT] },
                    { .any = any[BYTES] }, { .text = all[i].name }, { .text = all[i].text });
  }
  table_write (t, r->e);
  for (guint i = 0; i < lifetime->events->len; i++) {
    g_free (all[i].name);
    g_free (all[i].text);
  }
  g_free (all);
}

static void
put_lifetime (const struct report *r, const struct object_lifetime *lifetime, guint index)
{
  char *title = g_strdup_printf ("Object 0x%" G_GINT64_MODIFIER "x", lifetime->first);
  char *name = lifetime->type != OBJECT_NO_TYPE ? section_class_name (r->s, lifetime->type) : NULL;
  emitter_open (r->e, NULL, title);
  result_number (r->e, OBJECTS_FOLLOWED_INDEX, index);
  result_put (r->e, OBJECTS_FOLLOWED_OBJECT, true,
              (union emitter_value){ .number = lifetime->first });
  result_text_if (r->e, OBJECTS_FOLLOWED_NAME, name != NULL, name);
  result_number_if (r->e, OBJECTS_FOLLOWED_BYTES, lifetime->bytes != 0, lifetime->bytes);
  put_events (r, lifetime);
  emitter_close (r->e);
  g_free (name);
  g_free (title);
}

/* Does the table of those found state all of it? */
static bool
is_listed (const struct object_lifetime *lifetime)
{
  return lifetime->is_found && lifetime->events->len == 1;
}

static void
put_lifetimes (const struct report *r)
{
  const GPtrArray *lifetimes = SUMMARY_STATE (r->s, objects)->lifetimes;
  guint index = 0;
  emitter_open_list (r->e, "followed", NULL);
  table_expect (&events_shape, r->view, "index", r->e);
  for (guint i = 0; lifetimes != NULL && i < lifetimes->len; i++)
    if (section_is_machine_readable (r) || !is_listed (g_ptr_array_index (lifetimes, i)))
      put_lifetime (r, g_ptr_array_index (lifetimes, i), ++index);
  emitter_close_list (r->e);
}

/* ---- all ---- */

static bool
was_at (const struct object_lifetime *lifetime, uint64_t address)
{
  for (guint i = 0; i < lifetime->events->len; i++)
    if (g_array_index (lifetime->events, struct object_event, i).object == address)
      return true;
  return lifetime->address == address;
}

/* Addresses that the log states nothing about. */
static GPtrArray *
warn_not_seen (const struct report *r)
{
  const GArray *tracked = r->view->selection != NULL ? r->view->selection->tracked : NULL;
  const GPtrArray *lifetimes = SUMMARY_STATE (r->s, objects)->lifetimes;
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; tracked != NULL && i < tracked->len; i++) {
    const uint64_t address = g_array_index (tracked, uint64_t, i);
    bool met = false;
    for (guint j = 0; lifetimes != NULL && j < lifetimes->len && !met; j++)
      met = was_at (g_ptr_array_index (lifetimes, j), address);
    if (!met)
      g_ptr_array_add (texts, g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", address));
  }
  return texts;
}

static void
put_objects (const struct report *r)
{
  const struct objects *o = SUMMARY_STATE (r->s, objects);
  const struct selection *s = r->view->selection;
  if (!selection_has_objects (s) && r->view->sections == NULL)
    return;
  GPtrArray *nothing = warn_not_seen (r);
  const bool selected = selection_has_objects (s);
  emitter_open (r->e, "objects", selected ? "Objects" : NULL);
  result_number_if (r->e, OBJECTS_MATCHING, s != NULL && s->finds != NULL, o->n_found);
  result_number_if (r->e, OBJECTS_NOT_LISTED, o->n_unlisted != 0, o->n_unlisted);
  result_number_if (r->e, OBJECTS_EVENTS_LEFT_OUT, o->events_left_out != 0, o->events_left_out);
  emitter_truth (r->e, "complete", o->complete ? NULL : "Complete", o->complete);
  emitter_texts (r->e, "not_met", nothing->len != 0 ? "Never seen" : NULL, nothing);
  put_found (r);
  put_lifetimes (r);
  emitter_close (r->e);
  if (!selected)
    emitter_note (r->e, "--find S:BYTES or --find T:PART lists objects, --track ADDRESS follows "
                        "them.");
  g_ptr_array_unref (nothing);
}

const struct section section_objects = { .key = "objects",
                                         .put = put_objects,
                                         .tables = SECTION_TABLES (&found_shape, &events_shape) };
