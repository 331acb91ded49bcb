/* heap-diff-view.c -- what came, went and grew from one heap snapshot to another, by class. */
#include "config.h"

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

static void
put_shot_pair (const struct report *r, const struct heap_diff *d)
{
  const struct heap_graph *before = r->heap->before, *now = r->heap->graph;
  struct emitter *e = r->e;
  char *title = g_strdup_printf ("From heap snapshot %u to %u", before->index, now->index);
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
  emitter_number (e, "same_objects", "In both", d->followed);
  emitter_number (e, "moved_objects", "Of these, moved", d->moved);
  emitter_close (e);
}

static void
put_diff (const struct report *r)
{
  const struct heap_diff *d = r->heap->diff;
  struct table *t = section_table (r, &types);
  if (emitter_get_format (r->e) != EMITTER_CSV)
    put_shot_pair (r, d);
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

const struct section heap_section_diff
    = { .key = "diff", .put = put_diff, .tables = SECTION_TABLES (&types) };
