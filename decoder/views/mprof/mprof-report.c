/* mprof-report.c -- the report as a whole, and its short sections. */
#include "config.h"

#include "decoder/mlpd/analyses/calls.h"
#include "decoder/mlpd/analyses/exceptions.h"
#include "decoder/mlpd/analyses/gc.h"
#include "decoder/mlpd/analyses/handles.h"
#include "decoder/mlpd/analyses/helpers.h"
#include "decoder/mlpd/analyses/loaded.h"
#include "decoder/mlpd/analyses/metadata.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/views/mprof/mprof.h"
#include <time.h>

/* ---- the log and its program ---- */

/* The local time of the start, as C's ctime prints it.  Its year has a place in `tm_year`, whatever
 * the number of milliseconds is. */
static void
put_start (const struct mprof_report *r, uint64_t start_ms)
{
  static const char *const days[] = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" };
  static const char *const months[]
      = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
  const time_t seconds = (time_t) (start_ms / 1000);
  struct tm parts;
  localtime_r (&seconds, &parts);
  g_string_append_printf (r->out, "\tProgram startup: %s %s %2d %02d:%02d:%02d %d\n",
                          days[parts.tm_wday], months[parts.tm_mon], parts.tm_mday, parts.tm_hour,
                          parts.tm_min, parts.tm_sec, 1900 + parts.tm_year);
}

static void
put_header (const struct mprof_report *r)
{
  const struct log *log = &r->s->log;
  const struct mlpd_file_header *header = &log->header;
  g_string_append (r->out, "\nMono log profiler data\n");
  g_string_append_printf (r->out, "\tProfiler version: %u.%u\n\tData version: %u\n", header->major,
                          header->minor, header->data_version);
  if (header->arguments.text != NULL) {
    g_string_append_printf (r->out, "\tArguments: %s\n", header->arguments.text);
    g_string_append_printf (r->out, "\tArchitecture: %s\n", log_architecture (header));
    g_string_append_printf (r->out, "\tOperating system: %s\n", log_operating_system (header));
  }
  g_string_append_printf (r->out, "\tMean timer overhead: %u nanoseconds\n",
                          (unsigned) header->timer_overhead_ns);
  put_start (r, header->start_ms);
  if (header->pid != 0)
    g_string_append_printf (r->out, "\tProgram ID: %u\n", (unsigned) header->pid);
  if (header->port != 0)
    g_string_append_printf (r->out, "\tServer listening on: %u\n", (unsigned) header->port);
}

const struct mprof_section mprof_section_header
    = { .name = "header", .is_usual = true, .put = put_header };

static void
put_jit (const struct mprof_report *r)
{
  const struct metadata *m = SUMMARY_STATE (r->s, metadata);
  const struct helper_sum *helpers = &SUMMARY_STATE (r->s, helpers)->all;
  g_string_append (r->out, "\nJIT summary\n");
  g_string_append_printf (r->out,
                          "\tCompiled methods: %" G_GUINT64_FORMAT
                          "\n\tGenerated code size: %" G_GUINT64_FORMAT "\n",
                          m->methods, m->code_bytes);
  g_string_append_printf (r->out,
                          "\tJIT helpers: %" G_GUINT64_FORMAT
                          "\n\tJIT helpers code size: %" G_GUINT64_FORMAT "\n",
                          helpers->count, helpers->bytes);
}

const struct mprof_section mprof_section_jit = { .name = "jit", .is_usual = true, .put = put_jit };

/* ---- images, assemblies, threads, domains and contexts ---- */

/* The number of those that were loaded, and with `verbose` their names. */
static void
put_files (const struct mprof_report *r, const char *things, const struct lifetimes *files)
{
  g_string_append_printf (r->out, "\tLoaded %s: %u\n", things, lifetimes_loaded (files));
  for (guint i = 0; r->view->verbose && i < files->all->len; i++) {
    const struct lifetime *file = g_ptr_array_index (files->all, i);
    if (file->loaded)
      g_string_append_printf (r->out, "\t\t%s\n", file->name != NULL ? file->name : "");
  }
}

static void
put_metadata (const struct mprof_report *r)
{
  const struct loaded *loaded = SUMMARY_STATE (r->s, loaded);
  g_string_append (r->out, "\nMetadata summary\n");
  put_files (r, "images", &loaded->images);
  put_files (r, "assemblies", &loaded->assemblies);
}

const struct mprof_section mprof_section_metadata
    = { .name = "metadata", .is_usual = true, .put = put_metadata };

static void
put_thread (const struct mprof_report *r)
{
  const GPtrArray *all = r->s->threads.all;
  g_string_append (r->out, "\nThread summary\n");
  for (guint i = all->len; i-- > 0;) {
    const struct thread *thread = g_ptr_array_index (all, i);
    if (thread->id == 0 || (thread->events == 0 && !thread->announced))
      continue;
    g_string_append (r->out, "\tThread: ");
    mprof_append_address (r->out, thread->id);
    g_string_append_printf (r->out, ", name: \"%s\"\n", thread->name != NULL ? thread->name : "");
  }
}

const struct mprof_section mprof_section_thread
    = { .name = "thread", .is_usual = true, .put = put_thread };

static void
put_domain (const struct mprof_report *r)
{
  const GPtrArray *all = SUMMARY_STATE (r->s, loaded)->domains.all;
  g_string_append (r->out, "\nDomain summary\n");
  for (guint i = all->len; i-- > 0;) {
    const struct lifetime *domain = g_ptr_array_index (all, i);
    g_string_append (r->out, "\tDomain: ");
    mprof_append_address (r->out, domain->id);
    g_string_append_printf (r->out, ", friendly name: \"%s\"\n",
                            domain->name != NULL ? domain->name : "");
  }
}

const struct mprof_section mprof_section_domain
    = { .name = "domain", .is_usual = true, .put = put_domain };

static void
put_context (const struct mprof_report *r)
{
  const GPtrArray *all = SUMMARY_STATE (r->s, loaded)->contexts.all;
  g_string_append (r->out, "\nContext summary\n");
  for (guint i = all->len; i-- > 0;) {
    const struct lifetime *context = g_ptr_array_index (all, i);
    g_string_append (r->out, "\tContext: ");
    mprof_append_address (r->out, context->id);
    g_string_append (r->out, ", domain: ");
    mprof_append_address (r->out, context->owner);
    g_string_append_c (r->out, '\n');
  }
}

const struct mprof_section mprof_section_context
    = { .name = "context", .is_usual = true, .put = put_context };

/* ---- collections, the heap, GC handles ---- */

#define NS_PER_US 1000

/* The generations and the handle_kinds of handles that have a line. */
#define GENERATIONS 3
static const char *const handle_kinds[] = { "weak", "weaktrack", "normal" };

static void
put_generation (const struct mprof_report *r, guint i)
{
  const struct gc_generation *g = &SUMMARY_STATE (r->s, gc)->generations[i];
  if (g->collections == 0)
    return;
  g_string_append_printf (r->out,
                          "\tGen%u collections: %" G_GUINT64_FORMAT ", max time: %" G_GUINT64_FORMAT
                          "us, total time: %" G_GUINT64_FORMAT "us, average: %" G_GUINT64_FORMAT
                          "us\n",
                          i, g->collections, g->max_ns / NS_PER_US, g->total_ns / NS_PER_US,
                          g->total_ns / g->collections / NS_PER_US);
}

static void
put_handles (const struct mprof_report *r, guint kind)
{
  const struct handles *h = SUMMARY_STATE (r->s, handles);
  const struct handle_sum *sum = &h->kinds[kind];
  if (sum->max == 0)
    return;
  g_string_append_printf (r->out,
                          "\tGC handles %s: created: %" G_GUINT64_FORMAT
                          ", destroyed: %" G_GUINT64_FORMAT ", max: %" G_GUINT64_FORMAT "\n",
                          handle_kinds[kind], sum->created, sum->destroyed, sum->max);
  mprof_append_traces (r, &h->created_at, kind, "created", TRACES_BY_COUNT);
  mprof_append_traces (r, &h->destroyed_at, kind, "destroyed", TRACES_BY_COUNT);
}

static void
put_gc (const struct mprof_report *r)
{
  const struct gc *gc = SUMMARY_STATE (r->s, gc);
  g_string_append (r->out, "\nGC summary\n");
  g_string_append_printf (r->out,
                          "\tGC resizes: %" G_GUINT64_FORMAT "\n\tMax heap size: %" G_GUINT64_FORMAT
                          "\n\tObject moves: %" G_GUINT64_FORMAT "\n",
                          gc->resizes, gc->max_heap_bytes, gc->moves);
  for (guint i = 0; i < GENERATIONS; i++)
    put_generation (r, i);
  for (guint i = 0; i < G_N_ELEMENTS (handle_kinds); i++)
    put_handles (r, i);
}

const struct mprof_section mprof_section_gc = { .name = "gc", .is_usual = true, .put = put_gc };

/* ---- objects and bytes by type ---- */

static void
put_alloc (const struct mprof_report *r)
{
  const struct allocations *a = &r->s->allocations;
  const GArray *classes = a->types.classes;
  GArray *rows = mprof_rows_of_types (r, classes);
  if (rows->len != 0) {
    g_string_append (r->out, "\nAllocation summary\n");
    mprof_append_type_head (r->out, "", "Type name");
  }
  for (guint i = 0; i < rows->len; i++) {
    const guint klass = g_array_index (rows, struct mprof_row, i).symbol;
    const struct type_sum *sum = &g_array_index (classes, struct type_sum, klass);
    g_autofree char *name = symbols_name (&r->s->symbols, SYMBOL_CLASS, klass);
    mprof_append_type_row (r->out, "", sum->bytes, sum->objects, name);
    g_string_append_c (r->out, '\n');
    mprof_append_traces (r, &r->s->allocation_traces.classes, klass, "bytes", TRACES_BY_BYTES);
  }
  if (rows->len != 0)
    g_string_append_printf (r->out,
                            "Total memory allocated: %" G_GUINT64_FORMAT
                            " bytes in %" G_GUINT64_FORMAT " objects\n",
                            a->bytes, a->objects);
  g_array_unref (rows);
}

const struct mprof_section mprof_section_alloc
    = { .name = "alloc", .is_usual = true, .put = put_alloc };

/* ---- calls by method ---- */

#define NS_PER_MS 1000000

static uint64_t
sort_weight (const struct mprof_report *r, const struct method_sum *sum)
{
  switch (r->view->method_order) {
  case MPROF_METHODS_BY_SELF:
    return sum->self_ns;
  case MPROF_METHODS_BY_CALLS:
    return sum->calls;
  default:
    return sum->total_ns;
  }
}

static void
put_call (const struct mprof_report *r)
{
  const struct calls *c = SUMMARY_STATE (r->s, calls);
  GArray *rows = mprof_rows_new ();
  for (guint i = 0; i < c->methods->len; i++) {
    const struct method_sum *sum = &g_array_index (c->methods, struct method_sum, i);
    if (sum->calls != 0 && (r->view->verbose || sum->total_ns >= NS_PER_MS))
      mprof_rows_add (rows, i, sort_weight (r, sum));
  }
  mprof_rows_sort (rows, &r->s->symbols, SYMBOL_METHOD);
  if (rows->len != 0) {
    g_string_append (r->out, "\nMethod call summary\n");
    g_string_append_printf (r->out, "%8s %8s %10s %s\n", "Total(ms)", "Self(ms)", "Calls",
                            "Method name");
  }
  for (guint i = 0; i < rows->len; i++) {
    const guint method = g_array_index (rows, struct mprof_row, i).symbol;
    const struct method_sum *sum = &g_array_index (c->methods, struct method_sum, method);
    g_autofree char *name = symbols_name (&r->s->symbols, SYMBOL_METHOD, method);
    g_string_append_printf (
        r->out, "%8" G_GUINT64_FORMAT " %8" G_GUINT64_FORMAT " %10" G_GUINT64_FORMAT " %s\n",
        sum->total_ns / NS_PER_MS, sum->self_ns / NS_PER_MS, sum->calls, name);
    if (c->has_callers)
      mprof_append_traces (r, &c->callers, method, "calls", TRACES_BY_COUNT);
  }
  if (c->total != 0)
    g_string_append_printf (r->out, "Total calls: %" G_GUINT64_FORMAT "\n", c->total);
  g_array_unref (rows);
}

const struct mprof_section mprof_section_call
    = { .name = "call", .is_usual = true, .put = put_call };

/* ---- throws and clauses ---- */

/* Throws of all types. */
static void
put_traces (const struct mprof_report *r)
{
  const struct type_traces *all = &SUMMARY_STATE (r->s, exceptions)->traces;
  struct mprof_traces traces;
  mprof_traces_init (&traces, r);
  for (guint i = 0; i < all->classes.latest->len; i++)
    mprof_traces_add (&traces, &all->classes, i);
  mprof_traces_add (&traces, &all->unknown, 0);
  mprof_traces_append (&traces, "throws", TRACES_BY_COUNT);
  mprof_traces_clear (&traces);
}

static void
put_exception (const struct mprof_report *r)
{
  static const char *const kinds[CLAUSE_TYPES] = { "catch", "filter", "finally", NULL, "fault" };
  const struct exceptions *x = SUMMARY_STATE (r->s, exceptions);
  g_string_append_printf (r->out, "\nException summary\n\tThrows: %" G_GUINT64_FORMAT "\n",
                          x->throws);
  if (r->view->traces)
    put_traces (r);
  for (guint i = 0; i < CLAUSE_TYPES; i++)
    if (kinds[i] != NULL && x->clauses[i] != 0)
      g_string_append_printf (r->out, "\tExecuted %s clauses: %" G_GUINT64_FORMAT "\n", kinds[i],
                              x->clauses[i]);
}

const struct mprof_section mprof_section_exception
    = { .name = "exception", .is_usual = true, .put = put_exception };

/* ---- coverage: a section without text, as mprof-report has none any longer ---- */

static void
put_coverage (const struct mprof_report *r)
{
  (void) r;
}

const struct mprof_section mprof_section_coverage = { .name = "coverage", .put = put_coverage };

/* ---- buffers, and events by kind ---- */

#define BUFFER_HEADER 48

static void
put_stats (const struct mprof_report *r)
{
  const struct log *log = &r->s->log;
  g_string_append_printf (r->out,
                          "\nMlpd statistics\n\tBuffer count %" G_GUINT64_FORMAT
                          "\toverhead %" G_GUINT64_FORMAT " (%d bytes per header)\n",
                          log->blocks, log->blocks * BUFFER_HEADER, BUFFER_HEADER);
  g_string_append (r->out, "\nEvent details:\n");
  for (int kind = 0; kind < MLPD_KINDS; kind++)
    if (log->kind_events[kind] != 0)
      g_string_append_printf (r->out,
                              "\t%26s\tcount %6" G_GUINT64_FORMAT "\tmin %3" G_GUINT64_FORMAT
                              "\tmax %6" G_GUINT64_FORMAT "\tbytes %" G_GUINT64_FORMAT "\n",
                              mlpd_describe ((enum mlpd_kind) kind)->name, log->kind_events[kind],
                              log->kind_min[kind], log->kind_max[kind], log->kind_bytes[kind]);
}

const struct mprof_section mprof_section_stats = { .name = "stats", .put = put_stats };

/* ---- the list of sections ---- */

static const struct mprof_section *const sections[] = {
#define MPROF_SECTION(name) &mprof_section_##name,
#include "decoder/views/mprof/mprof-sections.def"
};

static const struct mprof_section *
find_section (const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS (sections); i++)
    if (strcmp (sections[i]->name, name) == 0)
      return sections[i];
  return NULL;
}

GPtrArray *
mprof_sections_parse (const char *list)
{
  g_auto (GStrv) names = g_strsplit (list, ",", -1);
  GPtrArray *found = g_ptr_array_new ();
  for (guint i = 0; names[i] != NULL; i++) {
    const struct mprof_section *section = find_section (names[i]);
    if (section == NULL) {
      g_ptr_array_unref (found);
      return NULL;
    }
    g_ptr_array_add (found, (gpointer) section);
  }
  return found;
}

void
mprof_report_write (GString *out, const struct summary *summary, const struct mprof_view *view)
{
  const struct mprof_report report = { out, summary, view };
  if (mprof_put_objects (&report))
    return;
  for (guint i = 0; view->sections != NULL && i < view->sections->len; i++)
    ((const struct mprof_section *) g_ptr_array_index (view->sections, i))->put (&report);
  for (size_t i = 0; view->sections == NULL && i < G_N_ELEMENTS (sections); i++)
    if (sections[i]->is_usual)
      sections[i]->put (&report);
}
