/* report.c -- the figures of a summary, to an emitter. */
#include "decoder/views/report.h"
#include "config.h"
#include "decoder/formats/mlpd-describe.h"
#include "decoder/views/ranking.h"
#include "decoder/views/report-log.h"

struct report {
  struct emitter *e;
  const struct summary *s;
  guint limit;
  GString *absent; /* sections that the log has nothing for */
};

/* A section; one without anything is for programs only. */
static void
open_section (const struct report *r, const char *key, const char *title, bool any)
{
  emitter_open (r->e, key, any ? title : NULL);
  if (!any)
    g_string_append_printf (r->absent, "%s%s", r->absent->len > 0 ? ", " : "", title);
}

static void
close_table (const struct report *r, struct ranking *ranking)
{
  emitter_close_table (r->e, ranking_more (ranking));
  ranking_clear (ranking);
}

#define VALUES(...) ((const union emitter_value[]){ __VA_ARGS__ })
#define TABLE(r, key, title, columns)                                                              \
  emitter_open_table ((r)->e, (key), (title), (columns), G_N_ELEMENTS (columns))

/* A list of the format that data version 1 has nothing for. */
static void
put_empty_list (const struct report *r, const char *key)
{
  emitter_open_list (r->e, key, NULL);
  emitter_close_list (r->e);
}

/* ---- sections ---- */

static void
put_jit (const struct report *r)
{
  open_section (r, "jit", "JIT", r->s->metadata.methods != 0);
  emitter_number (r->e, "methods", "Compiled methods", r->s->metadata.methods);
  emitter_number (r->e, "code_bytes", "Code bytes", r->s->metadata.code_bytes);
  emitter_number (r->e, "helpers", NULL, 0);
  emitter_number (r->e, "helper_bytes", NULL, 0);
  emitter_close (r->e);
}

static void
put_gc (const struct report *r)
{
  static const struct emitter_column columns[] = {
    { "generation", "Generation", EMIT_NUMBER }, { "collections", "Collections", EMIT_NUMBER },
    { "total_ns", "Total ms", EMIT_NS },         { "max_ns", "Max ms", EMIT_NS },
    { "pauses", "Pauses", EMIT_NUMBER },         { "pause_total_ns", "Pause total ms", EMIT_NS },
    { "pause_max_ns", "Pause max ms", EMIT_NS }
  };
  const struct gc *gc = &r->s->gc;
  open_section (r, "gc", "GC", gc->events + gc->resizes + gc->moves != 0);
  emitter_number (r->e, "resizes", "Heap resizes", gc->resizes);
  emitter_number (r->e, "max_heap_bytes", "Max heap bytes", gc->max_heap_bytes);
  emitter_number (r->e, "moves", "Object moves", gc->moves);
  emitter_number (r->e, "ignored_events", gc->ignored != 0 ? "Events of unknown generations" : NULL,
                  gc->ignored);
  TABLE (r, "generations", NULL, columns);
  for (guint i = 0; i < GC_GENERATIONS; i++) {
    const struct gc_generation *g = &gc->generations[i];
    if (g->collections == 0 && g->pauses == 0)
      continue;
    emitter_row (r->e,
                 VALUES ({ .number = i }, { .number = g->collections }, { .number = g->total_ns },
                         { .number = g->max_ns }, { .number = g->pauses },
                         { .number = g->pause_total_ns }, { .number = g->pause_max_ns }));
  }
  emitter_close_table (r->e, 0);
  put_empty_list (r, "handles");
  emitter_close (r->e);
}

static void
rank_types (struct ranking *ranking, const GArray *types)
{
  ranking_init (ranking);
  for (guint i = 0; i < types->len; i++) {
    const struct type_sum *sum = &g_array_index (types, struct type_sum, i);
    if (sum->objects != 0)
      ranking_add (ranking, i, sum->bytes, sum->objects);
  }
}

static void
put_allocations (const struct report *r)
{
  static const struct emitter_column columns[] = { { "bytes", "Bytes", EMIT_NUMBER },
                                                   { "objects", "Objects", EMIT_NUMBER },
                                                   { "name", "Type", EMIT_TEXT } };
  const struct allocations *a = &r->s->allocations;
  open_section (r, "allocations", "Allocations", a->objects != 0);
  emitter_number (r->e, "objects", "Objects", a->objects);
  emitter_number (r->e, "bytes", "Bytes", a->bytes);
  TABLE (r, "types", NULL, columns);
  struct ranking ranking;
  rank_types (&ranking, a->types);
  ranking_sort (&ranking, r->limit);
  for (guint i = 0; i < ranking.shown; i++) {
    guint klass = ranking_at (&ranking, i);
    const struct type_sum *sum = &g_array_index (a->types, struct type_sum, klass);
    char *name = symbols_name (&r->s->symbols, SYMBOL_CLASS, klass);
    emitter_row (r->e,
                 VALUES ({ .number = sum->bytes }, { .number = sum->objects }, { .text = name }));
    g_free (name);
  }
  close_table (r, &ranking);
  emitter_close (r->e);
}

static void
put_calls (const struct report *r)
{
  static const struct emitter_column columns[] = { { "total_ns", "Total ms", EMIT_NS },
                                                   { "self_ns", "Self ms", EMIT_NS },
                                                   { "calls", "Calls", EMIT_NUMBER },
                                                   { "name", "Method", EMIT_TEXT } };
  const struct calls *c = &r->s->calls;
  open_section (r, "calls", "Calls", c->total + c->unmatched_leaves != 0);
  emitter_number (r->e, "total", "Calls", c->total);
  emitter_number (r->e, "unmatched_leaves",
                  c->unmatched_leaves != 0 ? "Leaves without enter" : NULL, c->unmatched_leaves);
  TABLE (r, "methods", NULL, columns);
  struct ranking ranking;
  ranking_init (&ranking);
  for (guint i = 0; i < c->methods->len; i++) {
    const struct method_sum *sum = &g_array_index (c->methods, struct method_sum, i);
    if (sum->calls != 0)
      ranking_add (&ranking, i, sum->total_ns, sum->calls);
  }
  ranking_sort (&ranking, r->limit);
  for (guint i = 0; i < ranking.shown; i++) {
    guint method = ranking_at (&ranking, i);
    const struct method_sum *sum = &g_array_index (c->methods, struct method_sum, method);
    char *name = symbols_name (&r->s->symbols, SYMBOL_METHOD, method);
    emitter_row (r->e, VALUES ({ .number = sum->total_ns }, { .number = sum->self_ns },
                               { .number = sum->calls }, { .text = name }));
    g_free (name);
  }
  close_table (r, &ranking);
  emitter_close (r->e);
}

static void
put_metadata (const struct report *r)
{
  const struct metadata *m = &r->s->metadata;
  guint images = g_hash_table_size (m->images), assemblies = g_hash_table_size (m->assemblies);
  guint classes = g_hash_table_size (m->classes), domains = g_hash_table_size (m->domains);
  open_section (r, "metadata", "Metadata",
                images + assemblies + classes + domains + m->load_errors != 0);
  emitter_number (r->e, "images", "Images", images);
  emitter_number (r->e, "assemblies", assemblies != 0 ? "Assemblies" : NULL, assemblies);
  emitter_number (r->e, "classes", "Classes", classes);
  emitter_number (r->e, "domains", domains != 0 ? "Domains" : NULL, domains);
  emitter_number (r->e, "contexts", NULL, 0);
  emitter_number (r->e, "load_errors", m->load_errors != 0 ? "Failed loads" : NULL, m->load_errors);
  emitter_close (r->e);
}

static void
put_exceptions (const struct report *r)
{
  static const struct emitter_column type_columns[]
      = { { "throws", "Throws", EMIT_NUMBER }, { "name", "Type", EMIT_TEXT } };
  static const struct emitter_column clause_columns[]
      = { { "count", "Clauses run", EMIT_NUMBER }, { "kind", "Kind", EMIT_TEXT } };
  const struct exceptions *x = &r->s->exceptions;
  open_section (r, "exceptions", "Exceptions", x->events != 0);
  emitter_number (r->e, "throws", "Throws", x->throws);
  TABLE (r, "types", NULL, type_columns);
  struct ranking ranking;
  ranking_init (&ranking);
  const guint unknown = G_MAXUINT;
  for (guint i = 0; i < x->types->len; i++)
    if (g_array_index (x->types, uint64_t, i) != 0)
      ranking_add (&ranking, i, g_array_index (x->types, uint64_t, i), 0);
  if (x->throws_of_unknown != 0)
    ranking_add (&ranking, unknown, x->throws_of_unknown, 0);
  ranking_sort (&ranking, r->limit);
  for (guint i = 0; i < ranking.shown; i++) {
    guint klass = ranking_at (&ranking, i);
    uint64_t throws
        = klass == unknown ? x->throws_of_unknown : g_array_index (x->types, uint64_t, klass);
    char *name = klass == unknown ? g_strdup ("(type not in the log)")
                                  : symbols_name (&r->s->symbols, SYMBOL_CLASS, klass);
    emitter_row (r->e, VALUES ({ .number = throws }, { .text = name }));
    g_free (name);
  }
  close_table (r, &ranking);
  TABLE (r, "clauses", NULL, clause_columns);
  for (guint type = 0; type < CLAUSE_TYPES; type++)
    if (x->clauses[type] != 0) {
      const char *name = mlpd_value_name (MLPD_UNIT_CLAUSE_TYPE, type);
      emitter_row (r->e, VALUES ({ .number = x->clauses[type] },
                                 { .text = name != NULL ? name : "unknown" }));
    }
  if (x->clauses_of_unknown != 0)
    emitter_row (r->e, VALUES ({ .number = x->clauses_of_unknown }, { .text = "unknown" }));
  emitter_close_table (r->e, 0);
  emitter_close (r->e);
}

static void
put_monitors (const struct report *r)
{
  static const struct emitter_column columns[] = { { "wait_total_ns", "Wait ms", EMIT_NS },
                                                   { "wait_max_ns", "Max ms", EMIT_NS },
                                                   { "contentions", "Contentions", EMIT_NUMBER },
                                                   { "acquired", "Acquired", EMIT_NUMBER },
                                                   { "failed", "Failed", EMIT_NUMBER },
                                                   { "object", "Lock", EMIT_ADDRESS },
                                                   { "type", "Type", EMIT_TEXT } };
  const struct monitors *m = &r->s->monitors;
  open_section (r, "monitors", "Monitors",
                m->all.contentions + m->all.acquired + m->all.failed != 0);
  emitter_number (r->e, "contentions", "Contentions", m->all.contentions);
  emitter_number (r->e, "acquired", "Acquired", m->all.acquired);
  emitter_number (r->e, "failed", "Failed", m->all.failed);
  emitter_ns (r->e, "wait_total_ns", "Wait, total", m->all.wait_total_ns);
  emitter_ns (r->e, "wait_max_ns", "Wait, longest", m->all.wait_max_ns);
  TABLE (r, "objects", NULL, columns);
  GPtrArray *sums = g_ptr_array_new ();
  struct ranking ranking;
  ranking_init (&ranking);
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, m->objects);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    const struct monitor_sum *sum = value;
    /* Not the index but the address breaks ties: the order of a hash table means nothing. */
    ranking_add (&ranking, sums->len, sum->wait_total_ns, sum->object);
    g_ptr_array_add (sums, value);
  }
  ranking_sort (&ranking, r->limit);
  for (guint i = 0; i < ranking.shown; i++) {
    const struct monitor_sum *sum = g_ptr_array_index (sums, ranking_at (&ranking, i));
    char *name = sum->type_known ? symbols_name (&r->s->symbols, SYMBOL_CLASS, sum->klass) : NULL;
    emitter_row (r->e,
                 VALUES ({ .number = sum->wait_total_ns }, { .number = sum->wait_max_ns },
                         { .number = sum->contentions }, { .number = sum->acquired },
                         { .number = sum->failed }, { .number = sum->object }, { .text = name }));
    g_free (name);
  }
  close_table (r, &ranking);
  g_ptr_array_free (sums, TRUE);
  emitter_close (r->e);
}

static void
put_samples (const struct report *r)
{
  emitter_open (r->e, "samples", NULL);
  emitter_number (r->e, "hits", NULL, 0);
  emitter_number (r->e, "managed", NULL, 0);
  emitter_number (r->e, "unmanaged", NULL, 0);
  emitter_number (r->e, "unresolved", NULL, 0);
  put_empty_list (r, "methods");
  emitter_close (r->e);
}

static struct type_sum
type_sum_at (const GArray *types, guint klass)
{
  return types != NULL && klass < types->len ? g_array_index (types, struct type_sum, klass)
                                             : (struct type_sum){ 0 };
}

/* Types of a shot, with the change to the shot before; types that are gone are shown too. */
static void
put_shot_types (const struct report *r, const struct heapshot *shot, const struct heapshot *before)
{
  static const struct emitter_column columns[]
      = { { "bytes", "Bytes", EMIT_NUMBER },
          { "objects", "Objects", EMIT_NUMBER },
          { "bytes_delta", "Bytes change", EMIT_CHANGE },
          { "objects_delta", "Objects change", EMIT_CHANGE },
          { "name", "Type", EMIT_TEXT } };
  const GArray *old_types = before != NULL ? before->types : NULL;
  struct ranking ranking;
  ranking_init (&ranking);
  for (guint i = 0; i < MAX (shot->types->len, old_types != NULL ? old_types->len : 0); i++) {
    struct type_sum now = type_sum_at (shot->types, i);
    if (now.objects != 0 || type_sum_at (old_types, i).objects != 0)
      ranking_add (&ranking, i, now.bytes, now.objects);
  }
  TABLE (r, "types", NULL, columns);
  ranking_sort (&ranking, r->limit);
  for (guint i = 0; i < ranking.shown; i++) {
    guint klass = ranking_at (&ranking, i);
    struct type_sum now = type_sum_at (shot->types, klass), old = type_sum_at (old_types, klass);
    char *name = symbols_name (&r->s->symbols, SYMBOL_CLASS, klass);
    emitter_row (r->e,
                 VALUES ({ .number = now.bytes }, { .number = now.objects },
                         { .change = (int64_t) (now.bytes - old.bytes) },
                         { .change = (int64_t) (now.objects - old.objects) }, { .text = name }));
    g_free (name);
  }
  close_table (r, &ranking);
}

static void
put_heapshots (const struct report *r)
{
  const GPtrArray *shots = r->s->heapshots.shots;
  emitter_open_list (r->e, "heapshots", NULL);
  if (shots->len == 0)
    g_string_append_printf (r->absent, "%sHeap shots", r->absent->len > 0 ? ", " : "");
  for (guint i = 0; i < shots->len; i++) {
    const struct heapshot *shot = g_ptr_array_index (shots, i);
    char *title = g_strdup_printf ("Heap shot %u", i + 1);
    emitter_open (r->e, NULL, title);
    g_free (title);
    emitter_number (r->e, "index", NULL, i + 1);
    emitter_value (r->e, "time_ns", "Time", EMIT_TIME,
                   (union emitter_value){ .change = log_when (&r->s->log, shot->time) });
    emitter_truth (r->e, "complete", shot->complete ? NULL : "Complete", shot->complete);
    emitter_number (r->e, "objects", "Objects", shot->objects);
    emitter_number (r->e, "bytes", "Bytes", shot->bytes);
    emitter_number (r->e, "classes", "Classes", shot->classes);
    emitter_number (r->e, "references", "References", shot->references);
    emitter_number (r->e, "roots", NULL, 0);
    put_shot_types (r, shot, i > 0 ? g_ptr_array_index (shots, i - 1) : NULL);
    emitter_close (r->e);
  }
  emitter_close_list (r->e);
}

void
report_write (struct emitter *e, const char *log_name, const struct summary *s, guint limit)
{
  const struct report r = { e, s, limit, g_string_new (NULL) };
  emitter_begin (e, "proflog.report/1");
  report_log (e, log_name, &s->log);
  report_damage (e, &s->log);
  put_jit (&r);
  put_gc (&r);
  put_allocations (&r);
  put_calls (&r);
  put_metadata (&r);
  put_exceptions (&r);
  put_monitors (&r);
  report_threads (e, &s->threads, &s->log, limit);
  put_samples (&r);
  put_heapshots (&r);
  put_empty_list (&r, "counters");
  if (r.absent->len > 0) {
    g_string_prepend (r.absent, "Nothing in the log of: ");
    emitter_note (e, "");
    emitter_note (e, r.absent->str);
  }
  g_string_free (r.absent, TRUE);
  emitter_end (e);
}
