/* gc-objects.c -- what the collector keeps account of: handles, finalizers, roots. */
#include "config.h"

#include "decoder/views/mlpd/gc-objects.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/views/mlpd/report-traces.h"

/* ---- handles ---- */

static const struct emitter_column created_columns[] = { { "created", "Created", EMIT_NUMBER } };
static const struct table_shape created_at = { .key = "created_at",
                                               TABLE_SHAPE_COLUMNS (created_columns),
                                               .details = TABLE_KEYS ("frames") };

static const struct emitter_column destroyed_columns[]
    = { { "destroyed", "Destroyed", EMIT_NUMBER } };
static const struct table_shape destroyed_at = { .key = "destroyed_at",
                                                 TABLE_SHAPE_COLUMNS (destroyed_columns),
                                                 .details = TABLE_KEYS ("frames") };

static const struct emitter_column handle_columns[] = { { "created", "Created", EMIT_NUMBER },
                                                        { "destroyed", "Destroyed", EMIT_NUMBER },
                                                        { "max", "Max", EMIT_NUMBER },
                                                        { "kind", "Handles", EMIT_TEXT } };
const struct table_shape gc_objects_handles_shape
    = { .key = "handles",
        TABLE_SHAPE_COLUMNS (handle_columns),
        .whole = true,
        .inner = TABLE_SHAPES (&created_at, &destroyed_at) };

static void
put_sites (const void *data, uint64_t kind, struct emitter *e)
{
  const struct report *r = data;
  const struct handles *h = &r->s->handles;
  (void) e; /* the report's */
  traces_put (r, &created_at, &h->created_at, (guint) kind, TRACES_BY_COUNT);
  traces_put (r, &destroyed_at, &h->destroyed_at, (guint) kind, TRACES_BY_COUNT);
}

uint64_t
gc_objects_count_handles (const struct handles *h)
{
  uint64_t count = 0;
  for (guint i = 0; i < HANDLE_KINDS; i++)
    count += h->kinds[i].created + h->kinds[i].destroyed;
  return count;
}

/* Programs find every kind at its place; people if there is any. */
void
gc_objects_put_handles (const struct report *r)
{
  const bool shown
      = report_is_machine_readable (r) || gc_objects_count_handles (&r->s->handles) != 0;
  struct table *t = section_table (r, &gc_objects_handles_shape);
  if (r->view->traces)
    table_set_detail (t, put_sites, r);
  for (guint i = 0; i < HANDLE_KINDS && shown; i++) {
    const struct handle_sum *sum = &r->s->handles.kinds[i];
    const union emitter_value values[] = { { .number = sum->created },
                                           { .number = sum->destroyed },
                                           { .number = sum->max },
                                           { .text = mlpd_value_name (MLPD_UNIT_HANDLE_TYPE, i) } };
    table_add_id (t, i, values);
  }
  table_write (t, r->e);
}

/* ---- finalizers ---- */

static const struct emitter_column finalizer_columns[] = {
  { "phases", "Phases", EMIT_NUMBER },     { "total_ns", "Phases ms", EMIT_NS },
  { "objects", "Finalized", EMIT_NUMBER }, { "objects_total_ns", "Finalized ms", EMIT_NS },
  { "objects_max_ns", "Max ms", EMIT_NS }, { "id", "Finalizers of", EMIT_ADDRESS },
};
const struct table_shape gc_objects_finalizers_shape
    = { .key = "threads",
        TABLE_SHAPE_COLUMNS (finalizer_columns),
        .order = TABLE_KEYS ("objects_total_ns", "id") };

void
gc_objects_put_finalizers (const struct report *r)
{
  const struct finalizers *f = &r->s->finalizers;
  const bool any = f->threads->len != 0;
  emitter_open (r->e, "finalizers", any ? "Finalizers" : NULL);
  emitter_number (r->e, "phases", "Phases", f->all.phases.count);
  emitter_ns (r->e, "total_ns", "Total", f->all.phases.total_ns);
  emitter_ns (r->e, "max_ns", "Longest", f->all.phases.max_ns);
  emitter_number (r->e, "objects", "Objects", f->all.objects.count);
  emitter_ns (r->e, "objects_total_ns", "Objects, total", f->all.objects.total_ns);
  emitter_ns (r->e, "objects_max_ns", "Objects, longest", f->all.objects.max_ns);
  struct table *t = section_table (r, &gc_objects_finalizers_shape);
  for (guint i = 0; i < f->threads->len; i++) {
    const struct finalizer_sum *sum = g_ptr_array_index (f->threads, i);
    SECTION_ROW (t, { .number = sum->phases.count }, { .number = sum->phases.total_ns },
                 { .number = sum->objects.count }, { .number = sum->objects.total_ns },
                 { .number = sum->objects.max_ns }, { .number = sum->thread });
  }
  table_write (t, r->e);
  emitter_close (r->e);
}

/* ---- roots ---- */

const char *
gc_objects_root_source_name (guint source)
{
  const char *name = mlpd_value_name (MLPD_UNIT_ROOT_SOURCE, source);
  return name != NULL ? name : "unknown";
}

static const struct emitter_column root_columns[] = {
  { "registered", "Registered", EMIT_NUMBER },
  { "unregistered", "Unregistered", EMIT_NUMBER },
  { "bytes", "Bytes", EMIT_NUMBER },
  { "max_bytes", "Max bytes", EMIT_NUMBER },
  { "source", "Roots", EMIT_TEXT },
};
const struct table_shape gc_objects_roots_shape
    = { .key = "roots", TABLE_SHAPE_COLUMNS (root_columns), .whole = true };

void
gc_objects_put_roots (const struct report *r)
{
  struct table *t = section_table (r, &gc_objects_roots_shape);
  for (guint i = 0; i < ROOT_SOURCES; i++) {
    const struct root_source *source = &r->s->roots.sources[i];
    if (source->registered != 0)
      SECTION_ROW (t, { .number = source->registered }, { .number = source->unregistered },
                   { .number = source->bytes }, { .number = source->max_bytes },
                   { .text = gc_objects_root_source_name (i) });
  }
  table_write (t, r->e);
}

static const struct emitter_column shot_columns[]
    = { { "roots", "Roots", EMIT_NUMBER }, { "source", "Of", EMIT_TEXT } };
const struct table_shape gc_objects_shot_roots_shape = { .key = "root_sources",
                                                         TABLE_SHAPE_COLUMNS (shot_columns),
                                                         .order = TABLE_KEYS ("roots"),
                                                         .whole = true };

/* By source or, in older logs, by kind. */
static void
add_shot_roots (struct table *t, const struct root_sums *sums, unsigned version)
{
  uint64_t kinds[ROOT_KINDS];
  if (version < MLPD_VERSION_ROOT_ADDRESSES) {
    root_kinds_of (sums, version, kinds);
    for (guint i = 0; i < ROOT_KINDS; i++)
      if (kinds[i] != 0)
        SECTION_ROW (t, { .number = kinds[i] }, { .text = root_kind_name (i) });
    return;
  }
  for (guint i = 0; i < ROOT_SOURCES; i++)
    if (sums->sources[i] != 0)
      SECTION_ROW (t, { .number = sums->sources[i] }, { .text = gc_objects_root_source_name (i) });
}

void
gc_objects_put_shot_roots (const struct report *r, const struct root_sums *sums)
{
  struct table *t = section_table (r, &gc_objects_shot_roots_shape);
  if (r->view->verbose || report_is_machine_readable (r))
    add_shot_roots (t, sums, r->s->log.header.data_version);
  table_write (t, r->e);
}
