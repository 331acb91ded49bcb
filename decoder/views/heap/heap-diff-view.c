/* heap-diff-view.c -- what came, went and grew from one heap snapshot to another, by class; and the
 * heaps of two logs. */
#include "config.h"

#include "decoder/heap/heap-compare.h"
#include "decoder/views/heap/heap-views.h"

static const struct emitter_column columns[] = { { "bytes_change", "Change", EMIT_CHANGE },
                                                 { "objects_change", "in objects", EMIT_CHANGE },
                                                 { "new_objects", "New", EMIT_NUMBER },
                                                 { "gone_objects", "Gone", EMIT_NUMBER },
                                                 { "grown_objects", NULL, EMIT_NUMBER },
                                                 { "new_bytes", NULL, EMIT_NUMBER },
                                                 { "gone_bytes", NULL, EMIT_NUMBER },
                                                 { "grown_bytes", NULL, EMIT_NUMBER },
                                                 { "bytes", "Bytes", EMIT_NUMBER },
                                                 { "objects", "Objects", EMIT_NUMBER },
                                                 { "retained_bytes", "Retained", EMIT_NUMBER },
                                                 { "retained_change", "Change", EMIT_CHANGE },
                                                 { "image", NULL, EMIT_TEXT },
                                                 { "name", "Type", EMIT_TEXT } };
static const struct table_shape types
    = { .key = "types",
        TABLE_SHAPE_COLUMNS (columns),
        .order = TABLE_KEYS ("bytes_change", "retained_change", "bytes", "name"),
        .name = "name",
        .apart = "image",
        .bytes = "bytes" };

/* ---- of two logs ---- */

static const struct emitter_column class_columns[]
    = { { "bytes_change", "Change", EMIT_CHANGE },
        { "objects_change", "in objects", EMIT_CHANGE },
        { "bytes", "Bytes", EMIT_NUMBER },
        { "objects", "Objects", EMIT_NUMBER },
        { "retained_bytes", "Retained", EMIT_NUMBER },
        { "retained_change", "Change", EMIT_CHANGE },
        { "image", NULL, EMIT_TEXT },
        { "name", "Type", EMIT_TEXT } };
static const struct table_shape classes
    = { .key = "classes",
        TABLE_SHAPE_COLUMNS (class_columns),
        .order = TABLE_KEYS ("bytes_change", "retained_change", "bytes", "name"),
        .name = "name",
        .apart = "image",
        .bytes = "bytes" };

static const struct emitter_column holder_columns[]
    = { { "bytes_change", "Change", EMIT_CHANGE },
        { "objects_change", "in objects", EMIT_CHANGE },
        { "bytes", "Bytes", EMIT_NUMBER },
        { "objects", "Objects", EMIT_NUMBER },
        { "name", "Type", EMIT_TEXT },
        { "holder", "Held by", EMIT_TEXT } };
static const struct table_shape holders
    = { .key = "holders",
        .title = "By what holds them",
        TABLE_SHAPE_COLUMNS (holder_columns),
        .order = TABLE_KEYS ("bytes_change", "bytes", "name", "holder"),
        .name = "name",
        .bytes = "bytes" };

static const struct emitter_column site_columns[] = { { "objects_change", "Change", EMIT_CHANGE },
                                                      { "objects", "Objects", EMIT_NUMBER },
                                                      { "name", "Type", EMIT_TEXT },
                                                      { "site", "Allocated in", EMIT_TEXT } };
static const struct table_shape sites
    = { .key = "sites",
        .title = "By where they were allocated",
        TABLE_SHAPE_COLUMNS (site_columns),
        .order = TABLE_KEYS ("objects_change", "objects", "name", "site"),
        .name = "name" };

static int64_t
change (uint64_t before, uint64_t now)
{
  return (int64_t) (now - before);
}

static void
put_classes (const struct report *r)
{
  const struct heap_diff *d = r->heap->diff;
  struct table *t = section_table (r, &classes);
  for (guint i = 0; i < d->classes->len; i++) {
    const struct heap_change *c = &g_array_index (d->classes, struct heap_change, i);
    if (c->before.objects != 0 || c->now.objects != 0)
      SECTION_ROW (t, { .change = change (c->before.bytes, c->now.bytes) },
                   { .change = change (c->before.objects, c->now.objects) },
                   { .number = c->now.bytes }, { .number = c->now.objects },
                   { .number = c->retained_now },
                   { .change = change (c->retained_before, c->retained_now) }, { .text = c->image },
                   { .text = c->name });
  }
  table_write (t, r->e);
}

static void
put_places (const struct report *r)
{
  const struct heap_compare *const c = r->heap->compare;
  struct table *t = section_table (r, &holders);
  for (guint i = 0; i < c->holders->len; i++) {
    const struct heap_place *p = &g_array_index (c->holders, struct heap_place, i);
    SECTION_ROW (t, { .change = change (p->before.bytes, p->now.bytes) },
                 { .change = change (p->before.objects, p->now.objects) },
                 { .number = p->now.bytes }, { .number = p->now.objects }, { .text = p->name },
                 { .text = p->place });
  }
  table_write (t, r->e);
  t = section_table (r, &sites);
  for (guint i = 0; i < c->sites->len; i++) {
    const struct heap_place *p = &g_array_index (c->sites, struct heap_place, i);
    SECTION_ROW (t, { .change = change (p->before.objects, p->now.objects) },
                 { .number = p->now.objects }, { .text = p->name }, { .text = p->place });
  }
  table_write (t, r->e);
}

/* ---- of two snapshots ---- */

static void
put_shot_pair (const struct report *r, const struct heap_diff *d)
{
  const struct heap_graph *before = r->heap->before, *now = r->heap->graph;
  struct emitter *e = r->e;
  const bool is_one_log = r->heap->compare == NULL;
  char *title = g_strdup_printf (is_one_log ? "From heap snapshot %u to %u"
                                            : "From heap snapshot %u of the first log to %u",
                                 before->index, now->index);
  emitter_open (e, "shots", title);
  g_free (title);
  emitter_number (e, "before", NULL, before->index);
  emitter_number (e, "now", NULL, now->index);
  emitter_value (
      e, "bytes_change", "Change of bytes", EMIT_CHANGE,
      (union emitter_value){ .change = (int64_t) (now->total_bytes - before->total_bytes) });
  emitter_value (
      e, "objects_change", "Change of objects", EMIT_CHANGE,
      (union emitter_value){ .change = (int64_t) now->n_objects - (int64_t) before->n_objects });
  emitter_number (e, "bytes_before", "Bytes before", before->total_bytes);
  emitter_number (e, "bytes", "Bytes now", now->total_bytes);
  emitter_number (e, "objects_before", "Objects before", before->n_objects);
  emitter_number (e, "objects", "Objects now", now->n_objects);
  emitter_number (e, "same_objects", is_one_log ? "In both" : NULL, d->followed);
  emitter_number (e, "moved_objects", is_one_log ? "Of these, moved" : NULL, d->moved);
  emitter_close (e);
}

static void
put_diff (const struct report *r)
{
  const struct heap_diff *d = r->heap->diff;
  if (emitter_get_format (r->e) != EMITTER_CSV)
    put_shot_pair (r, d);
  if (r->heap->compare != NULL) {
    put_classes (r);
    put_places (r);
    return;
  }
  struct table *t = section_table (r, &types);
  for (guint i = 0; i < d->classes->len; i++) {
    const struct heap_change *c = &g_array_index (d->classes, struct heap_change, i);
    if (c->before.objects == 0 && c->now.objects == 0)
      continue;
    SECTION_ROW (
        t, { .change = (int64_t) (c->now.bytes - c->before.bytes) },
        { .change = (int64_t) (c->now.objects - c->before.objects) }, { .number = c->come.objects },
        { .number = c->gone.objects }, { .number = c->other_size.objects },
        { .number = c->come.bytes }, { .number = c->gone.bytes }, { .number = c->other_size.bytes },
        { .number = c->now.bytes }, { .number = c->now.objects }, { .number = c->retained_now },
        { .change = (int64_t) (c->retained_now - c->retained_before) }, { .text = c->image },
        { .text = c->name });
  }
  table_write (t, r->e);
}

const struct section heap_section_diff = {
  .key = "diff", .put = put_diff, .tables = SECTION_TABLES (&types, &classes, &holders, &sites)
};
