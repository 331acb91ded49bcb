/* report.c -- the figures of a summary, to an emitter. */
#include "decoder/views/report.h"
#include "config.h"
#include "decoder/formats/mlpd-describe.h"
#include "decoder/views/report-log.h"

struct report {
  struct emitter *e;
  const struct summary *s;
  guint limit;
};

/* What a table is made of: indices into an array of sums, the largest first. */
struct order {
  guint index;
  uint64_t key, second_key;
};

static gint
compare_order (gconstpointer a, gconstpointer b)
{
  const struct order *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? 1 : -1;
  if (x->second_key != y->second_key)
    return x->second_key < y->second_key ? 1 : -1;
  return x->index < y->index ? -1 : x->index > y->index;
}

static GArray *
new_order (void)
{
  return g_array_new (FALSE, FALSE, sizeof (struct order));
}

static void
order_add (GArray *order, guint index, uint64_t key, uint64_t second_key)
{
  struct order o = { index, key, second_key };
  g_array_append_val (order, o);
}

/* Sorts; returns how many rows are to be shown. */
static guint
order_sort (const struct report *r, GArray *order)
{
  g_array_sort (order, compare_order);
  return r->limit == 0 ? order->len : MIN (order->len, r->limit);
}

static guint
order_at (const GArray *order, guint i)
{
  return g_array_index (order, struct order, i).index;
}

static void
close_table (const struct report *r, GArray *order, guint shown)
{
  emitter_close_table (r->e, order->len - shown);
  g_array_free (order, TRUE);
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
  emitter_open (r->e, "jit", "JIT");
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
  emitter_open (r->e, "gc", "GC");
  emitter_number (r->e, "resizes", "Heap resizes", gc->resizes);
  emitter_number (r->e, "max_heap_bytes", "Max heap bytes", gc->max_heap_bytes);
  emitter_number (r->e, "moves", "Object moves", gc->moves);
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

static GArray *
order_types (const GArray *types)
{
  GArray *order = new_order ();
  for (guint i = 0; i < types->len; i++) {
    const struct type_sum *sum = &g_array_index (types, struct type_sum, i);
    if (sum->objects != 0)
      order_add (order, i, sum->bytes, sum->objects);
  }
  return order;
}

static void
put_allocations (const struct report *r)
{
  static const struct emitter_column columns[] = { { "bytes", "Bytes", EMIT_NUMBER },
                                                   { "objects", "Objects", EMIT_NUMBER },
                                                   { "name", "Type", EMIT_TEXT } };
  const struct allocations *a = &r->s->allocations;
  emitter_open (r->e, "allocations", "Allocations");
  emitter_number (r->e, "objects", "Objects", a->objects);
  emitter_number (r->e, "bytes", "Bytes", a->bytes);
  TABLE (r, "types", NULL, columns);
  GArray *order = order_types (a->types);
  guint shown = order_sort (r, order);
  for (guint i = 0; i < shown; i++) {
    guint klass = order_at (order, i);
    const struct type_sum *sum = &g_array_index (a->types, struct type_sum, klass);
    char *name = symbols_name (&r->s->symbols, SYMBOL_CLASS, klass);
    emitter_row (r->e,
                 VALUES ({ .number = sum->bytes }, { .number = sum->objects }, { .text = name }));
    g_free (name);
  }
  close_table (r, order, shown);
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
  emitter_open (r->e, "calls", "Calls");
  emitter_number (r->e, "total", "Calls", c->total);
  emitter_number (r->e, "unmatched_leaves",
                  c->unmatched_leaves != 0 ? "Leaves without enter" : NULL, c->unmatched_leaves);
  TABLE (r, "methods", NULL, columns);
  GArray *order = new_order ();
  for (guint i = 0; i < c->methods->len; i++) {
    const struct method_sum *sum = &g_array_index (c->methods, struct method_sum, i);
    if (sum->calls != 0)
      order_add (order, i, sum->total_ns, sum->calls);
  }
  guint shown = order_sort (r, order);
  for (guint i = 0; i < shown; i++) {
    guint method = order_at (order, i);
    const struct method_sum *sum = &g_array_index (c->methods, struct method_sum, method);
    char *name = symbols_name (&r->s->symbols, SYMBOL_METHOD, method);
    emitter_row (r->e, VALUES ({ .number = sum->total_ns }, { .number = sum->self_ns },
                               { .number = sum->calls }, { .text = name }));
    g_free (name);
  }
  close_table (r, order, shown);
  emitter_close (r->e);
}

static void
put_metadata (const struct report *r)
{
  const struct metadata *m = &r->s->metadata;
  emitter_open (r->e, "metadata", "Metadata");
  emitter_number (r->e, "images", "Images", g_hash_table_size (m->images));
  emitter_number (r->e, "assemblies", NULL, g_hash_table_size (m->assemblies));
  emitter_number (r->e, "classes", "Classes", g_hash_table_size (m->classes));
  emitter_number (r->e, "domains", NULL, g_hash_table_size (m->domains));
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
  emitter_open (r->e, "exceptions", "Exceptions");
  emitter_number (r->e, "throws", "Throws", x->throws);
  TABLE (r, "types", NULL, type_columns);
  GArray *order = new_order ();
  const guint unknown = G_MAXUINT;
  for (guint i = 0; i < x->types->len; i++)
    if (g_array_index (x->types, uint64_t, i) != 0)
      order_add (order, i, g_array_index (x->types, uint64_t, i), 0);
  if (x->throws_of_unknown != 0)
    order_add (order, unknown, x->throws_of_unknown, 0);
  guint shown = order_sort (r, order);
  for (guint i = 0; i < shown; i++) {
    guint klass = order_at (order, i);
    char *name = klass == unknown ? g_strdup ("(type not in the log)")
                                  : symbols_name (&r->s->symbols, SYMBOL_CLASS, klass);
    emitter_row (
        r->e, VALUES ({ .number = g_array_index (order, struct order, i).key }, { .text = name }));
    g_free (name);
  }
  close_table (r, order, shown);
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
  emitter_open (r->e, "monitors", "Monitors");
  emitter_number (r->e, "contentions", "Contentions", m->all.contentions);
  emitter_number (r->e, "acquired", "Acquired", m->all.acquired);
  emitter_number (r->e, "failed", "Failed", m->all.failed);
  emitter_ns (r->e, "wait_total_ns", "Wait, total", m->all.wait_total_ns);
  emitter_ns (r->e, "wait_max_ns", "Wait, longest", m->all.wait_max_ns);
  TABLE (r, "objects", NULL, columns);
  GPtrArray *sums = g_ptr_array_new ();
  GArray *order = new_order ();
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, m->objects);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    const struct monitor_sum *sum = value;
    /* Not the index but the address breaks ties: the order of a hash table means nothing. */
    order_add (order, sums->len, sum->wait_total_ns, sum->object);
    g_ptr_array_add (sums, value);
  }
  guint shown = order_sort (r, order);
  for (guint i = 0; i < shown; i++) {
    const struct monitor_sum *sum = g_ptr_array_index (sums, order_at (order, i));
    char *name = sum->type_known ? symbols_name (&r->s->symbols, SYMBOL_CLASS, sum->klass) : NULL;
    emitter_row (r->e,
                 VALUES ({ .number = sum->wait_total_ns }, { .number = sum->wait_max_ns },
                         { .number = sum->contentions }, { .number = sum->acquired },
                         { .number = sum->failed }, { .number = sum->object }, { .text = name }));
    g_free (name);
  }
  close_table (r, order, shown);
  g_ptr_array_free (sums, TRUE);
  emitter_close (r->e);
}

static void
put_threads (const struct report *r)
{
  static const struct emitter_column columns[] = { { "id", "Thread", EMIT_ADDRESS },
                                                   { "start_ns", "First event ms", EMIT_NS },
                                                   { "end_ns", "Last event ms", EMIT_NS },
                                                   { "events", "Events", EMIT_NUMBER },
                                                   { "name", "Name", EMIT_TEXT } };
  TABLE (r, "threads", "Threads", columns);
  GArray *order = new_order ();
  for (guint i = 0; i < r->s->threads.all->len; i++) {
    const struct thread *t = g_ptr_array_index (r->s->threads.all, i);
    if (t->events != 0)
      order_add (order, i, t->events, 0);
  }
  guint shown = order_sort (r, order);
  uint64_t zero = r->s->log.first_time;
  for (guint i = 0; i < shown; i++) {
    const struct thread *t = g_ptr_array_index (r->s->threads.all, order_at (order, i));
    emitter_row (r->e,
                 VALUES ({ .number = t->id }, { .number = t->start - zero },
                         { .number = t->end - zero }, { .number = t->events }, { .text = NULL }));
  }
  close_table (r, order, shown);
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
  GArray *order = new_order ();
  for (guint i = 0; i < MAX (shot->types->len, old_types != NULL ? old_types->len : 0); i++) {
    struct type_sum now = type_sum_at (shot->types, i);
    if (now.objects != 0 || type_sum_at (old_types, i).objects != 0)
      order_add (order, i, now.bytes, now.objects);
  }
  TABLE (r, "types", NULL, columns);
  guint shown = order_sort (r, order);
  for (guint i = 0; i < shown; i++) {
    guint klass = order_at (order, i);
    struct type_sum now = type_sum_at (shot->types, klass), old = type_sum_at (old_types, klass);
    char *name = symbols_name (&r->s->symbols, SYMBOL_CLASS, klass);
    emitter_row (r->e,
                 VALUES ({ .number = now.bytes }, { .number = now.objects },
                         { .change = (int64_t) (now.bytes - old.bytes) },
                         { .change = (int64_t) (now.objects - old.objects) }, { .text = name }));
    g_free (name);
  }
  close_table (r, order, shown);
}

static void
put_heapshots (const struct report *r)
{
  const GPtrArray *shots = r->s->heapshots.shots;
  emitter_open_list (r->e, "heapshots", NULL);
  for (guint i = 0; i < shots->len; i++) {
    const struct heapshot *shot = g_ptr_array_index (shots, i);
    char *title = g_strdup_printf ("Heap shot %u", i + 1);
    emitter_open (r->e, NULL, title);
    g_free (title);
    emitter_number (r->e, "index", NULL, i + 1);
    emitter_ns (r->e, "time_ns", "Time", shot->time - r->s->log.first_time);
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
  const struct report r = { e, s, limit };
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
  put_threads (&r);
  put_samples (&r);
  put_heapshots (&r);
  put_empty_list (&r, "counters");
  emitter_end (e);
}
