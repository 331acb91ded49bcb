/* log-timeline.c -- logs into timelines. */
#include "config.h"

#include "decoder/mlpd/analyses/bins.h"
#include "decoder/mlpd/analyses/calls.h"
#include "decoder/mlpd/index/buffers.h"
#include "decoder/mlpd/query/waits.h"
#include "decoder/trace/log-timeline.h"
#include "decoder/command/cli.h"
#include "decoder/log/log-open.h"
#include "decoder/log/log-summary.h"
#include "decoder/trace/log-trace.h"
#include "decoder/trace/trace-timeline.h"
#include <string.h>

/* The log's events into a timeline, as a trace of this format.  `zero` is the beginning of the log.
 */
static bool
read_trace (struct log_command *c, const char *path, const struct log_trace_known *known,
            const struct trace_format *format, struct trace_timeline *export, uint64_t zero)
{
  const int status
      = log_trace_read (c, path, known, format, export, zero + export->timeline->begin);
  trace_timeline_clear (export);
  return status == CLI_OK;
}

/* `from` and `last` are the times of the first and the last selected event, since the beginning of
 * the log. */
static struct timeline *
new_timeline (uint64_t from, uint64_t last, uint64_t width, guint bins)
{
  const uint64_t end = MAX (from, last);
  return timeline_new (from, end, width != 0 ? width : timeline_width (end - from, bins));
}

/* ---- logs of Mono ---- */

/* Calls, allocations and the number of events are added up by bins in a scan (bins.h), on all
 * cores.  The rest comes in order of time: a trace. */

static uint64_t
first_selected (const struct threads *threads)
{
  uint64_t first = UINT64_MAX;
  for (guint i = 0; i < threads->all->len; i++) {
    const struct thread *thread = g_ptr_array_index (threads->all, i);
    if (thread->events != 0)
      first = MIN (first, thread->start);
  }
  return first;
}

/* Without stacks: only the number of them. */
static void
put_number_of_calls (struct timeline *t, const struct summary *s)
{
  for (guint i = 0; i < SUMMARY_STATE (s, bins)->calls->len; i++) {
    const struct scan_binned_enters *calls
        = &g_array_index (SUMMARY_STATE (s, bins)->calls, struct scan_binned_enters, i);
    timeline_add_bins (t, TIMELINE_CALLS, TIMELINE_ROOT, calls->bin, calls->bin, calls->calls, 0);
  }
}

static void
put_calls (struct timeline *t, struct summary *s)
{
  struct timeline_cells *const from = calls_cells (SUMMARY_STATE (s, calls)),
                               *const to = &t->tables[TIMELINE_CALLS].cells;
  struct timeline_cells_reader cells;
  struct timeline_cell cell;
  const GArray *nodes = SUMMARY_STATE (s, calls)->tree.nodes;
  g_autofree uint32_t *rows = g_new0 (uint32_t, nodes->len);
  bool are_same = timeline_cells_is_empty (to);
  for (guint i = 1; i < nodes->len; i++) {
    const struct call_node *node = &g_array_index (nodes, struct call_node, i);
    g_autofree char *name
        = symbols_frame_name (symbols_name (&s->symbols, SYMBOL_METHOD, node->method));
    rows[i] = timeline_row (t, TIMELINE_CALLS, rows[node->parent], timeline_name (t, name));
    are_same &= rows[i] == i;
  }
  if (are_same) {
    timeline_cells_move (to, from);
    return;
  }
  timeline_cells_begin (&cells, from);
  while (timeline_cells_next (&cells, &cell)) {
    cell.row = rows[cell.row];
    timeline_cells_add (to, &cell);
  }
}

static void
put_allocations (struct timeline *t, struct summary *s)
{
  const uint64_t parts = s->allocations.sampling != 0 ? 1 : OBJECT_PARTS;
  for (guint i = 0; i < SUMMARY_STATE (s, bins)->types->len; i++) {
    const struct bin_type *type
        = &g_array_index (SUMMARY_STATE (s, bins)->types, struct bin_type, i);
    const struct symbol *symbol = &g_array_index (s->symbols.all[SYMBOL_CLASS], struct symbol,
                                                  type_class (&s->symbols, type->type));
    const char *name = symbol->name != NULL ? symbol->name : "[unknown]";
    const uint32_t row
        = timeline_row (t, TIMELINE_ALLOCATIONS, TIMELINE_ROOT, timeline_name (t, name));
    timeline_add_bins (t, TIMELINE_ALLOCATIONS, row, type->bin, type->bin,
                       type->sum.objects * parts, type->sum.bytes);
  }
}

/* A thread has a lane if it has events. */
static struct timeline_lane *
lane_of_thread (struct trace_timeline *export, GHashTable *lanes, const struct thread *thread)
{
  struct timeline_lane *lane = g_hash_table_lookup (lanes, thread);
  if (lane != NULL)
    return lane;
  g_autofree char *name = thread->name != NULL
                              ? g_strdup (thread->name)
                              : g_strdup_printf ("Thread 0x%" G_GINT64_MODIFIER "x", thread->id);
  struct timeline_thread of = { .id = thread->id };
  lane = timeline_add_lane (export->timeline, name);
  lane->first = thread->start;
  for (const struct thread *earlier = thread->before; earlier != NULL; earlier = earlier->before)
    of.earlier++;
  trace_timeline_set_lane (export, of, lane);
  g_hash_table_insert (lanes, (gpointer) thread, lane);
  return lane;
}

static void
put_events (struct trace_timeline *export, const struct summary *s)
{
  g_autoptr (GHashTable) lanes = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < SUMMARY_STATE (s, bins)->threads->len; i++) {
    const struct bin_thread *of
        = &g_array_index (SUMMARY_STATE (s, bins)->threads, struct bin_thread, i);
    timeline_lane_add_events (lane_of_thread (export, lanes, of->thread), of->bin, of->events);
  }
}

static struct scan_bin_spec
spec_of (const struct timeline *t, uint64_t zero, const struct timeline_request *request)
{
  return (struct scan_bin_spec){ zero + t->begin, t->width, t->bins, request->has_stacks,
                                 request->has_all_buffers };
}

/* First the sums by bins, then the events that come in order of time. */
static bool
put_mono (struct log_command *c, const char *path, struct trace_timeline *export, uint64_t zero,
          struct waits_idle *idle, struct summary *binned)
{
  struct timeline *t = export->timeline;
  if (binned->options.bins->has_stacks)
    put_calls (t, binned);
  else
    put_number_of_calls (t, binned);
  put_allocations (t, binned);
  put_events (export, binned);
  const struct log_trace_known known
      = { .mono = !selection_chooses_events (&c->selection) ? binned : NULL, .idle = idle };
  return read_trace (c, path, &known, &trace_timeline_rest_format, export, zero);
}

/* The same, after a scan that adds up. */
static bool
read_mono (struct log_command *c, const char *path, struct trace_timeline *export, uint64_t zero,
           struct waits_idle *idle, const struct scan_bin_spec *spec)
{
  const struct scan_options options = { .bins = spec };
  struct summary s;
  const bool good = log_command_read_summary (c, path, &options, NULL, &s) == CLI_OK
                    && put_mono (c, path, export, zero, idle, &s);
  summary_clear (&s);
  return good;
}

static bool
is_same_spec (const struct scan_bin_spec *a, const struct scan_bin_spec *b)
{
  return a->zero == b->zero && a->width == b->width && a->count == b->count
         && a->has_stacks == b->has_stacks;
}

static struct timeline *
timeline_of_mono (uint64_t zero, uint64_t first, uint64_t last,
                  const struct timeline_request *request)
{
  return new_timeline (span_ns (zero, MIN (first, last)), span_ns (zero, last), request->width,
                       request->bins);
}

/* Of all events of a file whose headers state where its buffers are. */
bool
log_timeline_foresee (struct log_command *c, const char *path,
                      const struct timeline_request *request, struct scan_bin_spec *spec)
{
  struct log_read_context r = { .command = c, .name = path };
  uint64_t last;
  if (strcmp (path, "-") == 0 || selection_chooses_events (&c->selection))
    return false;
  struct log_input *input = log_read_context_open (&r, path);
  if (input == NULL)
    return false;
  struct buffer_index *index = buffer_index_read (input);
  const bool is_known
      = index != NULL && index->buffers->len != 0 && buffer_index_last_time (index, input, &last);
  if (is_known) {
    const uint64_t zero = g_array_index (index->buffers, struct indexed_buffer, 0).time_base;
    struct timeline *t = timeline_of_mono (zero, zero, MAX (zero, last), request);
    *spec = spec_of (t, zero, request);
    timeline_free (t);
  }
  buffer_index_free (index);
  c->input = input; /* from its beginning on */
  return is_known;
}

static int
compare_begins (gconstpointer a, gconstpointer b)
{
  const struct timeline_lane *const *x = a, *const *y = b;
  if ((*x)->first != (*y)->first)
    return (*x)->first < (*y)->first ? -1 : 1;
  return strcmp ((*x)->name, (*y)->name); /* whatever the order of the file */
}

struct timeline *
log_timeline_of_mono (struct log_command *c, const char *path, struct summary *s,
                      const struct timeline_request *request)
{
  const uint64_t zero = s->log.first_time, last = s->log.last_time;
  const bool was_quiet = c->quiet;
  struct trace_timeline export;
  if (strcmp (path, "-") == 0)
    return NULL;
  struct timeline *t = timeline_of_mono (zero, first_selected (&s->threads), last, request);
  const struct scan_bin_spec spec = spec_of (t, zero, request);
  trace_timeline_init (&export, t, false);
  export.zero = zero + t->begin;
  c->quiet = true;
  struct waits_idle *idle = waits_idle_new (s);
  const bool good = s->options.bins != NULL && is_same_spec (s->options.bins, &spec)
                        ? put_mono (c, path, &export, zero, idle, s)
                        : read_mono (c, path, &export, zero, idle, &spec);
  waits_idle_free (idle);
  c->quiet = was_quiet;
  if (!good)
    g_clear_pointer (&t, timeline_free);
  else
    g_ptr_array_sort (t->lanes, compare_begins);
  return t;
}

/* ---- eventlogs ---- */

static int
compare_names (gconstpointer a, gconstpointer b)
{
  const struct timeline_lane *const *x = a, *const *y = b;
  return strverscmp ((*x)->name, (*y)->name);
}

struct timeline *
log_timeline_of_eventlog (struct log_command *c, const char *path, struct ghc_summary *s,
                          struct log_map *map, uint64_t width, guint bins)
{
  const struct log_trace_known known = { .map = map, .threads = map != NULL ? &s->threads : NULL };
  const struct ghc_times *times = &s->times;
  const uint64_t from = times->from != 0 ? times->from : s->log.first;
  struct trace_timeline export;
  if (strcmp (path, "-") == 0)
    return NULL;
  struct timeline *t = new_timeline (from, MIN (s->log.latest, times->to), width, bins);
  trace_timeline_init (&export, t, false);
  if (read_trace (c, path, &known, &trace_timeline_format, &export, 0))
    g_ptr_array_sort (t->lanes, compare_names);
  else
    g_clear_pointer (&t, timeline_free);
  return t;
}
