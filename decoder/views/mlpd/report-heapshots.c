/* report-heapshots.c -- each heap snapshot, with the change to the one before. */
#include "config.h"

#include "decoder/mlpd/analyses/heapshots.h"
#include "decoder/views/mlpd/report-parts.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/views/section-parts.h"

static const struct emitter_column reference_columns[]
    = { { "references", "References", EMIT_NUMBER }, { "name", "From", EMIT_TEXT } };
static const struct table_shape references = { .key = "references",
                                               TABLE_SHAPE_COLUMNS (reference_columns),
                                               .order = TABLE_KEYS ("references") };

static const struct emitter_column columns[] = { { "bytes", "Bytes", EMIT_NUMBER },
                                                 { "objects", "Objects", EMIT_NUMBER },
                                                 { "bytes_delta", "Bytes change", EMIT_ANY },
                                                 { "objects_delta", "Objects change", EMIT_ANY },
                                                 { "image", NULL, EMIT_TEXT },
                                                 { "name", "Type", EMIT_TEXT } };
static const struct table_shape types
    = { .key = "types",
        TABLE_SHAPE_COLUMNS (columns),
        .order = TABLE_KEYS ("bytes", "objects"),
        .name = "name",
        .apart = "image",
        .bytes = "bytes",
        .details = TABLE_KEYS ("root_references", "pinning_references"),
        .inner = TABLE_SHAPES (&references) };

static struct type_sum
type_sum_at (const GArray *sums, guint klass)
{
  return sums != NULL && klass < sums->len ? g_array_index (sums, struct type_sum, klass)
                                           : (struct type_sum){ 0 };
}

/* Where a row's objects are referred to from. */
struct referred {
  const struct report *r;
  const struct heapshot *shot;
};

static void
put_references (const void *data, uint64_t klass, struct emitter *e)
{
  const struct referred *referred = data;
  const struct report *r = referred->r;
  const struct class_roots roots = shot_references_roots (&referred->shot->by_type, (guint) klass);
  guint n;
  const struct class_reference *all
      = shot_references_to (&referred->shot->by_type, (guint) klass, &n);
  emitter_number (e, "root_references", roots.count != 0 ? "Root references" : NULL, roots.count);
  emitter_number (e, "pinning_references", roots.pinning != 0 ? "Of these pinning" : NULL,
                  roots.pinning);
  struct table *t = section_table (r, &references);
  table_set_text (t, "name", section_class_name, r->s);
  table_set_ties (t, section_compare_classes, r->s);
  for (guint i = 0; i < n; i++)
    SECTION_ROW_ID (t, all[i].from, { .number = all[i].count }, { .number = all[i].from });
  table_write (t, e);
}

/* The objects of a type that came and went. */
struct change {
  struct emitter_any bytes, objects;
};

static struct change
type_change (struct type_sum old, struct type_sum now)
{
  return (struct change){
    .bytes = { EMIT_CHANGE, { .change = (int64_t) (now.bytes - old.bytes) }, NULL },
    .objects = { EMIT_CHANGE, { .change = (int64_t) (now.objects - old.objects) }, NULL },
  };
}

/* Types that are gone are shown too.  Before the first snapshot of a log there was nothing; the
 * state before that of a part is unknown. */
static void
put_types (const struct report *r, const struct heapshot *shot, const struct heapshot *before)
{
  const GArray *old_types = before != NULL ? before->types.classes : NULL;
  const bool knows_change = before != NULL || shot->index == 1;
  const guint n = MAX (shot->types.classes->len, old_types != NULL ? old_types->len : 0);
  struct change *changes = g_new (struct change, n);
  struct table *t = section_table (r, &types);
  const struct referred referred = { r, shot };
  table_set_text (t, "image", section_class_image, r->s);
  table_set_text (t, "name", section_class_name, r->s);
  table_set_ties (t, section_compare_classes, r->s);
  if (r->view->traces)
    table_set_detail (t, put_references, &referred);
  for (guint i = 0; i < n; i++) {
    struct type_sum now = type_sum_at (shot->types.classes, i), old = type_sum_at (old_types, i);
    if (now.objects == 0 && old.objects == 0)
      continue;
    changes[i] = type_change (old, now);
    SECTION_ROW_ID (t, i, { .number = now.bytes }, { .number = now.objects },
                    { .any = knows_change ? &changes[i].bytes : NULL },
                    { .any = knows_change ? &changes[i].objects : NULL }, { .number = i },
                    { .number = i });
  }
  if (!knows_change)
    emitter_note (r->e, "The heap snapshot before this one is not in the selection.");
  table_write (t, r->e);
  g_free (changes);
}

static void
put_shot (const struct report *r, const struct heapshot *shot, const struct heapshot *before)
{
  char *title = g_strdup_printf ("Heap snapshot %u", shot->index);
  emitter_open (r->e, NULL, title);
  g_free (title);
  result_number (r->e, HEAPSHOTS_INDEX, shot->index);
  result_put (r->e, HEAPSHOTS_TIME_NS, true,
              (union emitter_value){ .change = log_when (&r->s->log, shot->time) });
  section_put_shot_state (r->e, shot->state);
  result_number (r->e, HEAPSHOTS_OBJECTS, shot->objects);
  result_number (r->e, HEAPSHOTS_BYTES, shot->bytes);
  section_put_overflow (r, HEAPSHOTS_OVERFLOW, shot->bytes);
  result_number (r->e, HEAPSHOTS_CLASSES, shot->classes);
  result_number (r->e, HEAPSHOTS_REFERENCES, shot->references);
  result_number_if (r->e, HEAPSHOTS_ROOTS, shot->roots.count != 0, shot->roots.count);
  section_put_shot_roots (r, &shot->roots);
  put_types (r, shot, before);
  emitter_close (r->e);
}

/* The snapshots whose types a page has: the first, and the last of them. */
#define PAGE_SHOTS 20u

static guint
count_left_out (const struct report *r, guint shots)
{
  const bool all = !r->view->is_page || r->view->limit == 0;
  return all || shots < PAGE_SHOTS ? 0 : shots - PAGE_SHOTS;
}

static void
put_left_out (const struct report *r, guint shots)
{
  g_autofree char *note
      = g_strdup_printf ("... and %u more heap snapshots (--limit 0 shows all)", shots);
  emitter_note (r->e, note);
}

static void
put_heapshots (const struct report *r)
{
  const GPtrArray *shots = SUMMARY_STATE (r->s, heapshots)->shots;
  emitter_open_list (r->e, "heapshots", NULL);
  table_expect (&section_shot_roots_shape, r->view, "index", r->e);
  table_expect (&types, r->view, "index", r->e);
  if (shots->len == 0)
    section_absent (r, "Heap snapshots");
  const struct heapshot *before = NULL;
  const guint left_out = count_left_out (r, shots->len);
  for (guint i = 0; i < shots->len; i++) {
    const struct heapshot *shot = g_ptr_array_index (shots, i);
    if (i == 0 || i > left_out)
      put_shot (r, shot, before != NULL && before->index + 1 == shot->index ? before : NULL);
    if (i == 0 && left_out != 0)
      put_left_out (r, left_out);
    before = shot;
  }
  emitter_close_list (r->e);
}

const struct section section_heapshots
    = { .key = "heapshots",
        .alias = "heapshot",
        .put = put_heapshots,
        .tables = SECTION_TABLES (&types, &section_shot_roots_shape) };
