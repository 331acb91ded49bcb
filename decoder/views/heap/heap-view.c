/* heap-view.c -- what the answers about heap snapshots share, and the list of snapshots. */
#include "config.h"

#include "decoder/heap/heap-fields.h"
#include "decoder/mlpd/analyses/heapshots.h"
#include "decoder/views/heap/heap-views.h"

/* Deeper rows of a tree stand no further to the right. */
#define DEPTH_MAX 40

char *
heap_class_text (const void *graph, uint64_t klass)
{
  const struct heap_graph *g = graph;
  return g_strdup (g->class_list[klass].name);
}

char *
heap_reference_text (const void *graph, uint64_t reference)
{
  return heap_field_of_reference (graph, (uint32_t) MIN (reference, HEAP_NONE));
}

char *
heap_indent (uint32_t depth, const char *text)
{
  return g_strdup_printf ("%*s%s", (int) (2 * MIN (depth, DEPTH_MAX)), "", text);
}

/* ---- the snapshot ---- */

/* A number that is reported to people only where there is any. */
static void
put_any (struct emitter *e, const char *key, const char *label, uint64_t number)
{
  emitter_number (e, key, number != 0 ? label : NULL, number);
}

void
heap_put_shot (const struct report *r, const char *title)
{
  const struct heap_graph *g = r->heap->graph;
  const struct heap_dominators *d = r->heap->dominators;
  struct emitter *e = r->e;
  if (emitter_get_format (e) == EMITTER_CSV)
    return;
  char *full = g_strdup_printf ("%s heap snapshot %u", title, g->index);
  emitter_open (e, "shot", full);
  g_free (full);
  emitter_number (e, "index", NULL, g->index);
  emitter_value (e, "time_ns", "Time", EMIT_TIME,
                 (union emitter_value){ .change = log_when (&r->s->log, g->time_ns) });
  section_put_shot_state (e, g->state);
  emitter_number (e, "objects", "Objects", g->n_objects);
  emitter_number (e, "bytes", "Bytes", g->total_bytes);
  emitter_number (e, "references", "References", g->n_references);
  emitter_number (e, "roots", "Roots", g->n_roots);
  emitter_truth (e, "roots_assumed", NULL, g->roots_are_assumed);
  if (d != NULL) {
    put_any (e, "unreachable_objects", "Unreachable objects", g->n_objects - d->n_reached);
    put_any (e, "unreachable_bytes", "Unreachable bytes", g->total_bytes - d->reached_bytes);
  }
  put_any (e, "dangling_references", "Dangling references", g->dangling_references);
  put_any (e, "dangling_roots", "Dangling roots", g->dangling_roots);
  put_any (e, "duplicate_objects", "Duplicate objects", g->duplicate_objects);
  if (g->roots_are_assumed)
    emitter_note (e,
                  "The log contains no roots: objects without references to them count as roots.");
  emitter_close (e);
}

/* ---- the list ---- */

static const struct emitter_column columns[]
    = { { "index", "Shot", EMIT_NUMBER },      { "time_ns", "Time", EMIT_TIME },
        { "objects", "Objects", EMIT_NUMBER }, { "bytes", "Bytes", EMIT_NUMBER },
        { "classes", "Classes", EMIT_NUMBER }, { "references", "References", EMIT_NUMBER },
        { "roots", "Roots", EMIT_NUMBER },     { "state", "Complete", EMIT_TEXT } };
static const struct table_shape shots = {
  .key = "shots", .title = "Heap snapshots", TABLE_SHAPE_COLUMNS (columns), .bytes = "bytes"
};

static void
put_list (const struct report *r)
{
  const GPtrArray *all = SUMMARY_STATE (r->s, heapshots)->shots;
  struct table *t = section_table (r, &shots);
  for (guint i = 0; i < all->len; i++) {
    const struct heapshot *shot = g_ptr_array_index (all, i);
    SECTION_ROW (t, { .number = shot->index }, { .change = log_when (&r->s->log, shot->time) },
                 { .number = shot->objects }, { .number = shot->bytes },
                 { .number = shot->classes }, { .number = shot->references },
                 { .number = shot->roots.count }, { .text = heapshot_state_name (shot->state) });
  }
  if (all->len == 0)
    section_absent (r, "Heap snapshots");
  table_write (t, r->e);
}

const struct section heap_section_list
    = { .key = "shots", .put = put_list, .tables = SECTION_TABLES (&shots) };
