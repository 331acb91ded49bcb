/* heap-growth-view.c -- all heap snapshots as series, class by class. */
#include "config.h"

#include "decoder/output/emitter-values.h"
#include "decoder/views/heap/heap-views.h"

static const struct emitter_column columns[] = { { "growth_bytes", "Growth", EMIT_CHANGE },
                                                 { "growth_objects", "in objects", EMIT_CHANGE },
                                                 { "bytes_per_s", "Bytes a second", EMIT_CHANGE },
                                                 { "bytes", "Bytes", EMIT_NUMBER },
                                                 { "objects", "Objects", EMIT_NUMBER },
                                                 { "growing_since", NULL, EMIT_ANY },
                                                 { "trend", "Trend", EMIT_TEXT },
                                                 { "series", NULL, EMIT_TEXT },
                                                 { "image", NULL, EMIT_TEXT },
                                                 { "name", "Type", EMIT_TEXT } };
static const struct table_shape types = { .key = "types",
                                          TABLE_SHAPE_COLUMNS (columns),
                                          .order = TABLE_KEYS ("growth_bytes", "bytes", "name"),
                                          .name = "name",
                                          .apart = "image",
                                          .bytes = "bytes" };

/* Characters of a line at most: of more snapshots, some are left out. */
#define WIDTH_MAX 40

/* A small picture of the bytes in each snapshot, from none to the most (transfer full). */
static char *
draw_line (const struct heap_series *s, guint n_shots)
{
  const guint n = MIN (n_shots, WIDTH_MAX);
  GString *line = g_string_new (NULL);
  uint64_t most = 1;
  for (guint i = 0; i < n_shots; i++)
    most = MAX (most, s->shots[i].bytes);
  for (guint i = 0; i < n; i++) {
    const guint shot = n == 1 ? n_shots - 1 : (guint) ((uint64_t) i * (n_shots - 1) / (n - 1));
    emitter_append_bar (line, (double) s->shots[shot].bytes / (double) most);
  }
  return g_string_free (line, FALSE);
}

/* "24,48,72" (transfer full). */
static char *
list_bytes (const struct heap_series *s, guint n_shots)
{
  GString *list = g_string_new (NULL);
  for (guint i = 0; i < n_shots; i++)
    g_string_append_printf (list, "%s%" G_GUINT64_FORMAT, i > 0 ? "," : "", s->shots[i].bytes);
  return g_string_free (list, FALSE);
}

/* `since` is memory for a cell, which the table needs until it is written. */
static void
put_row (struct table *t, const struct heap_growth *g, const struct heap_series *s,
         struct emitter_any *since)
{
  const struct type_sum *first = &s->shots[0], *last = &s->shots[g->n_shots - 1];
  char *line = draw_line (s, g->n_shots), *list = list_bytes (s, g->n_shots);
  *since = (struct emitter_any){ EMIT_NUMBER, { 0 }, NULL };
  if (s->since != HEAP_NOT_GROWING)
    since->value.number = g->indexes[s->since];
  SECTION_ROW (t, { .change = (int64_t) (last->bytes - first->bytes) },
               { .change = (int64_t) (last->objects - first->objects) },
               { .change = (int64_t) s->slope }, { .number = last->bytes },
               { .number = last->objects }, { .any = s->since != HEAP_NOT_GROWING ? since : NULL },
               { .text = line }, { .text = list }, { .text = s->image }, { .text = s->name });
  g_free (line);
  g_free (list);
}

static void
put_all (const struct report *r, const struct heap_growth *g)
{
  struct emitter *e = r->e;
  char *line = draw_line (&g->all, g->n_shots);
  emitter_open (e, "all", "All objects");
  emitter_number (e, "shots", "Heap snapshots", g->n_shots);
  emitter_number (e, "shots_left_out", g->left_out != 0 ? "Left out" : NULL, g->left_out);
  emitter_number (e, "first_shot", "The first", g->indexes[0]);
  emitter_number (e, "last_shot", "The last", g->indexes[g->n_shots - 1]);
  emitter_number (e, "first_bytes", "Bytes in the first", g->all.shots[0].bytes);
  emitter_number (e, "last_bytes", "Bytes in the last", g->all.shots[g->n_shots - 1].bytes);
  emitter_value (e, "bytes_per_s", "Bytes a second", EMIT_CHANGE,
                 (union emitter_value){ .change = (int64_t) g->all.slope });
  emitter_text (e, "trend", "Trend", line);
  emitter_close (e);
  g_free (line);
}

static void
put_growth (const struct report *r)
{
  const struct heap_growth *g = r->heap->growth;
  struct table *t = section_table (r, &types);
  if (emitter_get_format (r->e) != EMITTER_CSV)
    put_all (r, g);
  struct emitter_any *since = g_new (struct emitter_any, g->classes->len + 1);
  for (guint i = 0; i < g->classes->len; i++)
    put_row (t, g, g_ptr_array_index (g->classes, i), &since[i]);
  table_write (t, r->e);
  g_free (since);
}

const struct section heap_section_growth
    = { .key = "growth", .put = put_growth, .tables = SECTION_TABLES (&types) };
