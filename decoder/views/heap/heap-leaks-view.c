/* heap-leaks-view.c -- suspects in sentences, with the evidence. */
#include "config.h"

#include "decoder/heap/heap-tasks.h"
#include "decoder/mlpd/analyses/heapshots.h"
#include "decoder/mlpd/query/leaks.h"
#include "decoder/output/figure.h"
#include "decoder/views/heap/heap-views.h"
#include <string.h>

/* Classes that grow with the one that is named, and frames of a backtrace that sentences name. */
#define CLASSES_MAX 4
#define FRAMES_MAX 4

#define N G_GUINT64_FORMAT

/* What sentences are made of. */
struct leak_text {
  const struct report *r;
  const struct heap_graph *g;
  const struct heap_growth *growth;
  const struct leak_suspect *suspect;
  const struct leak *leak;      /* the first of those that are alike */
  const struct leak_class *own; /* the class that is named; NULL: none grows at the place itself */
  const struct leak_site *site; /* where its objects were allocated; NULL: not searched for */
  const struct heap_tasks *tasks; /* NULL: no operations grow */
};

static const char *
class_name (const struct leak_text *t, uint32_t object)
{
  return t->g->class_list[t->g->classes[object]].name;
}

static double
percent (uint64_t part, uint64_t all)
{
  return all != 0 ? 100.0 * (double) part / (double) all : 0;
}

/* ---- the growth ---- */

/* "Of these there were 500 in snapshot 1 (0.065 s), and there are 3000 in snapshot 7 ...", where
 * they stand in earlier snapshots; else of all objects of the class. */
static char *
print_growth (const struct leak_text *t)
{
  const struct heap_growth *g = t->growth;
  const struct heap_series *series = t->own->series;
  const guint last = g->n_shots - 1, since = series->since;
  const struct log *log = &t->r->s->log;
  const struct leak_history *own = &t->own->history;
  if (own->is_known)
    return g_strdup_printf (
        "Of these there were %" N " in snapshot %u (%.3f s), and there are %" N " in snapshot %u "
        "(%.3f s), growing since.",
        own->before, g->indexes[own->since], (double) log_when (log, g->times[own->since]) / 1e9,
        own->now, g->indexes[last], (double) log_when (log, g->times[last]) / 1e9);
  return g_strdup_printf ("Of all objects of %s there were %" N " in snapshot %u (%.3f s), and "
                          "there are %" N " in snapshot %u (%.3f s), growing since.",
                          t->g->class_list[t->own->klass].name, series->shots[since].objects,
                          g->indexes[since], (double) log_when (log, g->times[since]) / 1e9,
                          series->shots[last].objects, g->indexes[last],
                          (double) log_when (log, g->times[last]) / 1e9);
}

/* "With them grow System.Byte[] (8000), System.String (8000) and 2 other classes."; NULL: alone. */
static char *
print_others (const struct leak_text *t)
{
  const GArray *all = t->suspect->classes;
  if (all->len < 2)
    return NULL;
  const guint others = all->len - 1;
  GString *text = g_string_new ("With them grow ");
  for (guint i = 0, n = 0; i < all->len && n < CLASSES_MAX; i++) {
    const struct leak_class *c = &g_array_index (all, struct leak_class, i);
    if (c == t->own)
      continue;
    const char *separator = n == 0 ? "" : n + 1 == others ? " and " : ", ";
    g_string_append_printf (text, "%s%s (%" N ")", separator, t->g->class_list[c->klass].name,
                            c->objects);
    n++;
  }
  if (others > CLASSES_MAX)
    g_string_append_printf (text, " and %u other classes", others - CLASSES_MAX);
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}

static bool
has_class (const struct leak_suspect *suspect, uint32_t klass)
{
  for (guint i = 0; i < suspect->classes->len; i++)
    if (g_array_index (suspect->classes, struct leak_class, i).klass == klass)
      return true;
  return false;
}

/* "400 operations of Shop:Load (async) have not ended: they wait for Shop:Read (async) ->
 * Task.Delay.", of those that are most the outermost ones; NULL: none grows. */
static char *
print_operations (const struct leak_text *t)
{
  const struct heap_operations *most = NULL;
  guint most_steps = 0;
  for (guint i = 0; t->tasks != NULL && i < t->tasks->operations->len; i++) {
    const struct heap_operations *o
        = &g_array_index (t->tasks->operations, struct heap_operations, i);
    const guint steps = heap_wait_steps (t->tasks, o->wait);
    if (!has_class (t->suspect, o->klass)
        || (most != NULL && (o->count < most->count || steps <= most_steps)))
      continue;
    most = o;
    most_steps = steps;
  }
  if (most == NULL)
    return NULL;
  g_autofree char *operation = heap_operation_text (t->g, most->klass),
                  *wait = heap_wait_text (t->tasks, t->g, most->wait);
  return g_strdup_printf ("%" N " operations of %s have not ended%s%s.", most->count, operation,
                          wait != NULL ? ": they wait for " : "", wait != NULL ? wait : "");
}

/* ---- where they were allocated ---- */

/* The place in which all objects of a class were allocated; known: 0: the log does not state it, or
 * there are several. */
static struct leak_site
find_only_site (const struct leak_text *t, const struct leak_class *c)
{
  const struct summary *s = t->r->s;
  struct leak_site site = { .trace = TRACE_NONE };
  guint sites = 0;
  for (guint i = 0; i < s->allocation_traces.classes.all->len; i++) {
    const struct trace_sum *sum
        = &g_array_index (s->allocation_traces.classes.all, struct trace_sum, i);
    if (g_strcmp0 (g_array_index (s->symbols.all[SYMBOL_CLASS], struct symbol, sum->key).name,
                   t->g->class_list[c->klass].name)
        != 0)
      continue;
    site = (struct leak_site){ .known = sum->count, .count = sum->count, .trace = sum->trace };
    sites++;
  }
  return sites == 1 ? site : (struct leak_site){ .trace = TRACE_NONE };
}

/* "94.0 % of the objects of Listener in the log were allocated in Work, called by Main.", which are
 * all; or "94.0 % of these were allocated in ...". */
static char *
print_trace (const struct leak_text *t, const struct leak_class *c)
{
  const bool is_own = t->site != NULL && t->site->known != 0;
  const struct leak_site site = is_own ? *t->site : find_only_site (t, c);
  guint n = 0;
  const guint *frames
      = site.trace != TRACE_NONE ? traces_frames (&t->r->s->traces, site.trace, &n) : NULL;
  if (n == 0)
    return NULL;
  GString *text = g_string_new (NULL);
  if (is_own)
    g_string_printf (text, "%.1f %% of these were allocated in ", percent (site.count, site.known));
  else
    g_string_printf (text, "%.1f %% of the objects of %s in the log were allocated in ",
                     percent (site.count, site.known), t->g->class_list[c->klass].name);
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
        { "growing_since", "Grows since snapshot", EMIT_NUMBER },
        { "name", "Type", EMIT_TEXT } };
static const struct table_shape classes
    = { .key = "classes", TABLE_SHAPE_COLUMNS (class_columns), .bytes = "retained_bytes" };

static void
add_line (GPtrArray *lines, char *line)
{
  if (line != NULL)
    g_ptr_array_add (lines, line);
}

static void
put_sentences (const struct leak_text *t)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);
  add_line (lines, leak_sentence (t->g, t->r->heap->dominators, t->suspect));
  add_line (lines, leak_path_text (t->g, t->r->heap->dominators, t->suspect));
  if (t->own != NULL) {
    add_line (lines, print_growth (t));
    add_line (lines, print_others (t));
    add_line (lines, print_operations (t));
    add_line (lines, print_trace (t, t->own));
  }
  emitter_lines (t->r->e, "sentences", lines);
  g_ptr_array_unref (lines);
}

/* For programs: where those that are alike accumulate. */
static void
put_holders (const struct leak_text *t)
{
  const GPtrArray *alike = t->suspect->alike;
  if (t->leak->holder == HEAP_NONE)
    return;
  emitter_value (t->r->e, "holder", NULL, EMIT_ADDRESS,
                 (union emitter_value){ .number = t->g->addresses[t->leak->holder] });
  emitter_text (t->r->e, "holder_type", NULL, class_name (t, t->leak->holder));
  GPtrArray *addresses = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < alike->len; i++) {
    const struct leak *leak = g_ptr_array_index (alike, i);
    g_ptr_array_add (addresses,
                     g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", t->g->addresses[leak->holder]));
  }
  emitter_texts (t->r->e, "holders", NULL, addresses);
  g_ptr_array_unref (addresses);
}

static void
put_suspect (const struct report *r, const struct leak_suspect *suspect, guint number,
             const struct heap_tasks *tasks)
{
  const GArray *all = suspect->classes;
  const struct leak_text t
      = { .r = r,
          .g = r->heap->graph,
          .growth = r->heap->growth,
          .suspect = suspect,
          .leak = g_ptr_array_index (suspect->alike, 0),
          .own = leak_suspect_own (suspect),
          .site = r->heap->sites != NULL && number <= r->heap->sites->len
                      ? &g_array_index (r->heap->sites, struct leak_site, number - 1)
                      : NULL,
          .tasks = tasks };
  const struct heap_root *root = &t.g->roots[t.leak->root];
  struct emitter *e = r->e;
  char *title = g_strdup_printf ("Suspect %u", number);
  emitter_open (e, NULL, title);
  g_free (title);
  emitter_number (e, "number", NULL, number);
  put_sentences (&t);
  emitter_number (e, "alike", NULL, suspect->alike->len);
  put_holders (&t);
  emitter_text (e, "root_kind", NULL, root->kind);
  emitter_text (e, "root_name", NULL, root->name);
  if (root->field != NULL) {
    emitter_text (e, "root_class", NULL, root->holder);
    emitter_text (e, "root_field", NULL, root->field);
  }
  emitter_number (e, "retained_bytes", NULL, suspect->bytes);
  emitter_number (e, "grown_bytes", NULL, suspect->grown);
  struct table *table = section_table (r, &classes);
  for (guint i = 0; i < all->len; i++) {
    const struct leak_class *c = &g_array_index (all, struct leak_class, i);
    SECTION_ROW (table, { .number = c->retained }, { .number = c->objects },
                 { .number = t.growth->indexes[c->series->since] },
                 { .text = t.g->class_list[c->klass].name });
  }
  table_write (table, e);
  emitter_close (e);
}

/* Which snapshot is inspected, and if it is not the last, why. */
static void
put_shot (const struct report *r)
{
  const struct heap_graph *g = r->heap->graph;
  const struct heapshot *over = r->heap->skipped_shot;
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
  g_autofree char *last = figure_bytes_text (over->bytes),
                  *bytes = figure_bytes_text (g->total_bytes);
  char *line = g_strdup_printf (
      "The last heap snapshot, %u, has %" N " objects (%s), and snapshot %u has %u (%s): the "
      "suspects are those of snapshot %u, before most of its objects were freed.",
      over->index, over->objects, last, g->index, g->n_objects, bytes, g->index);
  emitter_note (e, line);
  g_free (line);
}

/* ---- two snapshots ---- */

static const struct emitter_column grown_columns[]
    = { { "growth_bytes", "Growth", EMIT_CHANGE },
        { "growth_objects", "in objects", EMIT_CHANGE },
        { "bytes", "Bytes", EMIT_NUMBER },
        { "objects", "Objects", EMIT_NUMBER },
        { "name", "Type", EMIT_TEXT } };
static const struct table_shape grown = { .key = "grown",
                                          .title = "What has grown",
                                          TABLE_SHAPE_COLUMNS (grown_columns),
                                          .order = TABLE_KEYS ("growth_bytes", "bytes", "name"),
                                          .name = "name",
                                          .bytes = "growth_bytes" };

/* Two snapshots show no trend, but what has grown. */
static void
put_grown (const struct report *r)
{
  const struct heap_growth *g = r->heap->growth;
  if (g->n_shots != LEAK_SHOTS_MIN - 1)
    return;
  struct table *t = section_table (r, &grown);
  for (guint i = 0; i < g->classes->len; i++) {
    const struct heap_series *s = g_ptr_array_index (g->classes, i);
    const struct type_sum *before = &s->shots[0], *now = &s->shots[1];
    if (now->bytes > before->bytes)
      SECTION_ROW (t, { .change = (int64_t) (now->bytes - before->bytes) },
                   { .change = (int64_t) (now->objects - before->objects) },
                   { .number = now->bytes }, { .number = now->objects }, { .text = s->name });
  }
  table_write (t, r->e);
  char *line = g_strdup_printf ("These have grown from heap snapshot %u to %u: that is growth, and "
                                "no trend yet, which three snapshots make.",
                                g->indexes[0], g->indexes[1]);
  emitter_note (r->e, line);
  g_free (line);
}

/* What it means that there are no suspects. */
static void
put_verdict (const struct report *r, guint suspects)
{
  const struct heap_growth *growth = r->heap->growth;
  g_autofree char *unjudged = heap_leaks_unjudged (r->heap->graph, r->heap->dominators, growth);
  if (unjudged != NULL) {
    g_autofree char *line = g_strdup_printf ("Leaks cannot be judged: %s.", unjudged);
    emitter_text (r->e, "cannot_be_judged", NULL, unjudged);
    emitter_note (r->e, line);
  }
  if (growth->n_shots < LEAK_SHOTS_MIN && r->heap->graph->state != HEAPSHOT_EMPTY)
    emitter_note (r->e,
                  "Leaks grow from heap snapshot to heap snapshot.  At least three complete ones "
                  "are needed, and more are better: 'proflog run --heapshot' takes one in each "
                  "second or two, --heapshot=100ms one at a collection in each 100 ms, "
                  "'proflog ctl PID heapshot' takes one now.");
  else if (suspects == 0 && unjudged == NULL)
    emitter_note (r->e,
                  "No suspect: nothing that grows steadily has grown by a twentieth of the heap.");
}

/* Does a class of operations grow? */
static bool
has_operations (const GPtrArray *suspects, const struct heap_graph *g)
{
  for (guint i = 0; i < suspects->len; i++) {
    const GArray *growing = ((const struct leak_suspect *) suspects->pdata[i])->classes;
    for (guint k = 0; k < growing->len; k++)
      if (heap_class_is_operation (
              &g->class_list[g_array_index (growing, struct leak_class, k).klass]))
        return true;
  }
  return false;
}

static void
put_leaks (const struct report *r)
{
  GPtrArray *all = leak_suspects_new (r->heap->leaks, r->heap->graph);
  struct heap_tasks tasks;
  const bool has_tasks = has_operations (all, r->heap->graph);
  if (has_tasks)
    heap_tasks_init (&tasks, r->heap->graph, NULL, NULL);
  put_shot (r);
  emitter_open_list (r->e, "suspects", NULL);
  table_expect (&classes, r->view, "number", r->e);
  for (guint i = 0; i < all->len; i++)
    put_suspect (r, g_ptr_array_index (all, i), i + 1, has_tasks ? &tasks : NULL);
  if (has_tasks)
    heap_tasks_clear (&tasks);
  emitter_close_list (r->e);
  put_grown (r);
  put_verdict (r, all->len);
  g_ptr_array_unref (all);
}

const struct section heap_section_leaks
    = { .key = "leaks", .put = put_leaks, .tables = SECTION_TABLES (&classes, &grown) };
