/* heap-leaks-view.c -- suspects in sentences, with the evidence. */
#include "config.h"
#include "decoder/views/heap-view.h"

/* Growing classes of a suspect, objects of a way, and frames of a backtrace that sentences name. */
#define CLASSES_MAX 4
#define WAY_MAX 8
#define FRAMES_MAX 4

#define N G_GUINT64_FORMAT

/* What sentences are made of. */
struct telling {
  const struct report *r;
  const struct heap_graph *g;
  const struct heap_growth *growth;
  const struct leak *leak;
};

static const char *
class_name (const struct telling *t, uint32_t object)
{
  return t->g->class_list[t->g->classes[object]].name;
}

static double
percent (uint64_t part, uint64_t all)
{
  return all != 0 ? 100.0 * (double) part / (double) all : 0;
}

/* "System.Object[] 0x7f..., held by a root of kind static (Static Fields of Cache), keeps 4096
 * bytes alive ..." */
static char *
tell_holder (const struct telling *t)
{
  const struct leak *leak = t->leak;
  const struct heap_root *root = &t->g->roots[leak->root];
  const double share = percent (leak->bytes, t->r->heap->dominators->reached_bytes);
  const char *name = root->name != NULL ? root->name : "no name";
  if (leak->holder == HEAP_NONE) {
    const struct leak_class *first = &g_array_index (leak->classes, struct leak_class, 0);
    return g_strdup_printf ("Objects of %s that no single object keeps keep %" N " bytes alive, "
                            "%.1f %% of the heap; one is held by a root of kind %s (%s).",
                            t->g->class_list[first->klass].name, leak->bytes, share, root->kind,
                            name);
  }
  const bool is_first = leak->way->len == 1;
  return g_strdup_printf ("%s 0x%" G_GINT64_MODIFIER "x, %s a root of kind %s (%s), %s %" N
                          " bytes, %.1f %% of the "
                          "heap, of which about %" N " are growth.",
                          class_name (t, leak->holder), t->g->addresses[leak->holder],
                          is_first ? "held by" : "to which leads", root->kind, name, "keeps alive",
                          leak->bytes, share, leak->grown);
}

/* "The way to it: static Static Fields of Cache -> Dictionary -> Entry[]." */
static char *
tell_way (const struct telling *t)
{
  const GArray *way = t->leak->way;
  const struct heap_root *root = &t->g->roots[t->leak->root];
  GString *text = g_string_new ("The way to it: ");
  g_string_append (text, root->name != NULL ? root->name : root->kind);
  for (guint i = 0; i < way->len; i++) {
    if (way->len > WAY_MAX && i == WAY_MAX / 2) {
      g_string_append_printf (text, " -> %u more", way->len - WAY_MAX);
      i += way->len - WAY_MAX;
    }
    g_string_append_printf (text, " -> %s", class_name (t, g_array_index (way, uint32_t, i)));
  }
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}

/* "5000 objects of Listener accumulate below Static Fields of Cache and keep 4096 bytes: ..." */
static char *
tell_class (const struct telling *t, const struct leak_class *c)
{
  const struct heap_growth *g = t->growth;
  const struct heap_root *root = &t->g->roots[t->leak->root];
  const guint last = g->n_shots - 1, since = c->series->since;
  const struct log *log = &t->r->s->log;
  return g_strdup_printf (
      "%" N " objects of %s accumulate below %s and keep %" N " bytes: of all objects of the class "
      "there were %" N " in shot %u (%.3f s) and there are %" N " in shot %u (%.3f s), growing "
      "since.",
      c->objects, t->g->class_list[c->klass].name, root->name != NULL ? root->name : root->kind,
      c->retained, c->series->shots[since].objects, g->indexes[since],
      (double) log_when (log, g->times[since]) / 1e9, c->series->shots[last].objects,
      g->indexes[last], (double) log_when (log, g->times[last]) / 1e9);
}

/* ---- where they were allocated ---- */

/* Where most objects of a class came from; NULL: the log does not tell. */
static const struct trace_sum *
find_trace (const struct telling *t, const struct leak_class *c, uint64_t *all)
{
  const struct summary *s = t->r->s;
  const struct trace_sum *most = NULL;
  *all = 0;
  for (guint i = 0; i < s->allocation_traces.classes.all->len; i++) {
    const struct trace_sum *sum
        = &g_array_index (s->allocation_traces.classes.all, struct trace_sum, i);
    if (g_strcmp0 (g_array_index (s->symbols.all[SYMBOL_CLASS], struct symbol, sum->key).name,
                   t->g->class_list[c->klass].name)
        != 0)
      continue;
    *all += sum->count;
    if (sum->trace != TRACE_NONE && (most == NULL || sum->count > most->count))
      most = sum;
  }
  return most;
}

/* "94.0 % of the objects of Listener were allocated in Work, called by Main." */
static char *
tell_trace (const struct telling *t, const struct leak_class *c)
{
  uint64_t all;
  const struct trace_sum *most = find_trace (t, c, &all);
  guint n = 0;
  const guint *frames = most != NULL ? traces_frames (&t->r->s->traces, most->trace, &n) : NULL;
  if (n == 0)
    return NULL;
  GString *text = g_string_new (NULL);
  g_string_printf (text, "%.1f %% of the objects of %s in the log were allocated in ",
                   percent (most->count, all), t->g->class_list[c->klass].name);
  for (guint i = 0; i < MIN (n, FRAMES_MAX); i++) {
    char *name = section_method_name (t->r->s, frames[n - 1 - i]);
    g_string_append_printf (text, "%s%s", i > 0 ? ", called by " : "", name);
    g_free (name);
  }
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}

/* ---- a suspect ---- */

static const struct emitter_column class_columns[]
    = { { "retained_bytes", "Retained", EMIT_NUMBER },
        { "objects", "Objects", EMIT_NUMBER },
        { "growing_since", "Grows since shot", EMIT_NUMBER },
        { "name", "Type", EMIT_TEXT } };
static const struct table_shape classes
    = { .key = "classes", TABLE_SHAPE_COLUMNS (class_columns), .bytes = "retained_bytes" };

static void
put_sentences (const struct telling *t)
{
  const GArray *all = t->leak->classes;
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (lines, tell_holder (t));
  if (t->leak->way->len > 1)
    g_ptr_array_add (lines, tell_way (t));
  for (guint i = 0; i < MIN (all->len, CLASSES_MAX); i++)
    g_ptr_array_add (lines, tell_class (t, &g_array_index (all, struct leak_class, i)));
  for (guint i = 0; i < MIN (all->len, CLASSES_MAX); i++) {
    char *line = tell_trace (t, &g_array_index (all, struct leak_class, i));
    if (line != NULL)
      g_ptr_array_add (lines, line);
  }
  emitter_lines (t->r->e, "sentences", lines);
  g_ptr_array_unref (lines);
}

static void
put_suspect (const struct report *r, const struct leak *leak, guint number)
{
  const struct telling t = { r, r->heap->graph, r->heap->growth, leak };
  const struct heap_root *root = &t.g->roots[leak->root];
  struct emitter *e = r->e;
  char *title = g_strdup_printf ("Suspect %u", number);
  emitter_open (e, NULL, title);
  g_free (title);
  emitter_number (e, "number", NULL, number);
  put_sentences (&t);
  if (leak->holder != HEAP_NONE) {
    emitter_value (e, "holder", NULL, EMIT_ADDRESS,
                   (union emitter_value){ .number = t.g->addresses[leak->holder] });
    emitter_text (e, "holder_type", NULL, class_name (&t, leak->holder));
  }
  emitter_text (e, "root_kind", NULL, root->kind);
  emitter_text (e, "root_name", NULL, root->name);
  emitter_number (e, "retained_bytes", NULL, leak->bytes);
  emitter_number (e, "grown_bytes", NULL, leak->grown);
  struct table *table = section_table (r, &classes);
  for (guint i = 0; i < leak->classes->len; i++) {
    const struct leak_class *c = &g_array_index (leak->classes, struct leak_class, i);
    SECTION_ROW (table, { .number = c->retained }, { .number = c->objects },
                 { .number = t.growth->indexes[c->series->since] },
                 { .text = t.g->class_list[c->klass].name });
  }
  table_write (table, e);
  emitter_close (e);
}

/* Which shot is looked at, and if it is not the last, why. */
static void
put_shot (const struct report *r)
{
  const struct heap_graph *g = r->heap->graph;
  const struct heapshot *over = r->heap->passed_over;
  struct emitter *e = r->e;
  if (emitter_get_format (e) == EMITTER_CSV)
    return;
  emitter_number (e, "shot", NULL, g->index);
  emitter_number (e, "shot_objects", NULL, g->n_objects);
  emitter_number (e, "shot_bytes", NULL, g->total_bytes);
  if (over == NULL)
    return;
  emitter_open (e, "passed_over", NULL);
  emitter_number (e, "shot", NULL, over->index);
  emitter_number (e, "objects", NULL, over->objects);
  emitter_number (e, "bytes", NULL, over->bytes);
  emitter_close (e);
  char *line = g_strdup_printf (
      "The last heap shot, %u, has %" N " objects (%" N " bytes), and shot %u has %u (%" N
      " bytes): looked at shot %u, before that was gone.",
      over->index, over->objects, over->bytes, g->index, g->n_objects, g->total_bytes, g->index);
  emitter_note (e, line);
  g_free (line);
}

static void
put_leaks (const struct report *r)
{
  const GPtrArray *all = r->heap->leaks->all;
  put_shot (r);
  emitter_open_list (r->e, "suspects", NULL);
  table_expect (&classes, r->view, "number", r->e);
  for (guint i = 0; i < all->len; i++)
    put_suspect (r, g_ptr_array_index (all, i), i + 1);
  emitter_close_list (r->e);
  if (r->heap->growth->n_shots < LEAK_SHOTS_MIN)
    emitter_note (r->e,
                  "Leaks are what grows from shot to shot, and these are too few whole shots to "
                  "tell: three are needed, and more are better.");
  else if (all->len == 0)
    emitter_note (r->e,
                  "No suspect: nothing that keeps growing has grown by a twentieth of the heap.");
}

const struct section heap_section_leaks
    = { .key = "leaks", .put = put_leaks, .tables = SECTION_TABLES (&classes) };
