/* live-model.c -- merges the items of a stream into figures of each interval.
 *
 * Of a log of Mono scans (scan.h) are merged into a summary as they come.  A summary's data of
 * single objects, heap snapshots, counters and the like would grow with the stream, so such events
 * are left out before a merge, and counted here as far as possible.
 */
#include "config.h"

#include "decoder/core/whole-number.h"
#include "decoder/live/live-model.h"
#include "decoder/live/live-model-private.h"
#include "decoder/mlpd/analyses/calls.h"
#include "decoder/mlpd/analyses/exceptions.h"
#include "decoder/mlpd/analyses/gc.h"
#include "decoder/mlpd/analyses/monitors.h"
#include "decoder/mlpd/analyses/summary.h"
#include "decoder/mlpd/index/buffers.h"
#include "decoder/mlpd/mlpd-losses.h"
#include "decoder/mlpd/model/wait-kind.h"
#include "decoder/mlpd/model/wait-stack.h"
#include "decoder/mlpd/mlpd-origin.h"
#include "decoder/stacks/ghc-time-stacks.h"
#include "decoder/stacks/live-stacks.h"
#include "decoder/stacks/mono-stacks.h"
#include "decoder/system/processes.h"

/* Names that are retained; when there are more (of methods that a program makes and drops, say),
 * all begins anew, and later methods have no name until they are announced again. */
#define SYMBOLS_MAX ((guint) 2 << 20)

/* Threads that ended, and locks, that are remembered at most. */
#define ENDED_MAX 1024
#define LOCKS_MAX 4096

/* The method that a hit is charged to, if it has frames. */
#define NO_METHOD G_MAXUINT
struct sampled_place {
  uint64_t thread;
  guint method; /* or NO_METHOD */
  bool is_idle; /* if it waits */
};

/* Of a method: times by samples. */
struct sampled_times {
  struct live_count cpu_ns, wait_ns;
};

/* Locks of a type: the sums of forgotten ones, and those of the last figures. */
struct lock_type {
  uint64_t contentions, wait_ns;
  uint64_t before_contentions, before_wait_ns;
};

/* Of a thread: its values in the last figures, and its allocations since its beginning. */
struct thread_totals {
  uint64_t events, bytes;
  uint64_t all_bytes;
  struct live_count cpu_ns;
  bool waits; /* by its latest sample of the wall clock */
};

struct live_model {
  enum live_format format;
  long pid;      /* 0: the process is not known */
  char *program; /* its name, or the first program that a log of Mono has; NULL: not known */
  struct summary summary;
  struct scan scan;
  struct live_ghc ghc;
  struct live_marks marks;
  struct live_figures figures;
  struct live_figures before; /* the last ones; of them the counts alone */
  /* By symbol: the values in the last figures. */
  GArray *methods;           /* of struct method_sum */
  GArray *classes, *vtables; /* of struct type_sum */
  GArray *throws_of_classes, *throws_of_vtables;
  GArray *lock_types; /* of struct lock_type: first of unknown types, then by class */
  GArray *sampled;    /* of struct sampled_times, by method */
  bool has_hit;       /* the latest event is a hit, whose usage may follow in a scan of its own: */
  struct sampled_place hit;
  struct live_stacks stacks;
  struct recording recording;
  GHashTable *thread_totals; /* uint64_t id of a thread -> struct thread_totals */
  /* The pause that goes on, and the longest since the last figures. */
  bool is_stopping;
  uint64_t stopping_thread, stop_start;
  uint64_t pause_max_ns;
  uint64_t heap_bytes;
  uint64_t log_start;   /* bytes of the program's logs before this one */
  uint64_t lost_events; /* of all logs of the stream */
};

static GArray *
new_array (size_t size)
{
  return g_array_new (FALSE, TRUE, (guint) size);
}

static void
begin_mono (struct live_model *m)
{
  summary_init (&m->summary, &(const struct scan_options){ .bounded = true });
  scan_init (&m->scan, &m->summary.options);
  m->methods = new_array (sizeof (struct method_sum));
  m->classes = new_array (sizeof (struct type_sum));
  m->vtables = new_array (sizeof (struct type_sum));
  m->throws_of_classes = new_array (sizeof (struct type_sum));
  m->throws_of_vtables = new_array (sizeof (struct type_sum));
  m->lock_types = new_array (sizeof (struct lock_type));
  m->sampled = new_array (sizeof (struct sampled_times));
  m->has_hit = false;
  live_stacks_init (&m->stacks);
  recording_init (&m->recording);
  m->thread_totals = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  m->is_stopping = false;
  m->heap_bytes = m->pause_max_ns = 0;
}

static void
end_mono (struct live_model *m)
{
  scan_clear (&m->scan);
  summary_clear (&m->summary);
  g_array_unref (m->methods);
  g_array_unref (m->classes);
  g_array_unref (m->vtables);
  g_array_unref (m->throws_of_classes);
  g_array_unref (m->throws_of_vtables);
  g_array_unref (m->lock_types);
  g_array_unref (m->sampled);
  live_stacks_clear (&m->stacks);
  recording_clear (&m->recording);
  g_hash_table_destroy (m->thread_totals);
}

struct live_model *
live_model_new (void)
{
  struct live_model *m = g_new0 (struct live_model, 1);
  begin_mono (m);
  live_ghc_init (&m->ghc);
  live_marks_init (&m->marks);
  live_figures_init (&m->figures);
  return m;
}

void
live_model_set_process (struct live_model *m, long pid)
{
  struct process_usage usage;
  m->pid = pid;
  g_free (m->program);
  m->program = pid != 0 ? process_name (pid) : NULL;
  /* Its processor time up to now is not of the first interval. */
  if (pid != 0 && process_usage_read (pid, &usage))
    m->before.process_cpu_ns.all = usage.cpu_ns;
}

void
live_model_free (struct live_model *m)
{
  g_free (m->program);
  end_mono (m);
  live_ghc_clear (&m->ghc);
  live_marks_clear (&m->marks);
  live_figures_clear (&m->figures);
  g_free (m);
}

/* ---- events that are left out ---- */

static void
add_count (struct live_count *to, struct live_count count)
{
  to->now += count.now;
  to->all += count.all;
}

static struct thread_totals *
find_totals (struct live_model *m, uint64_t thread)
{
  struct thread_totals *totals = g_hash_table_lookup (m->thread_totals, &thread);
  if (totals == NULL) {
    totals = g_new0 (struct thread_totals, 1);
    g_hash_table_insert (m->thread_totals, g_memdup2 (&thread, sizeof thread), totals);
  }
  return totals;
}

static void
handle_pause (struct live_model *m, uint64_t thread, const struct mlpd_gc_event *e)
{
  if (e->event == MLPD_GC_EVENT_PRE_STOP_WORLD) {
    m->is_stopping = true;
    m->stopping_thread = thread;
    m->stop_start = e->time;
  } else if (e->event == MLPD_GC_EVENT_POST_START_WORLD && m->is_stopping
             && thread == m->stopping_thread) {
    m->is_stopping = false;
    m->pause_max_ns = MAX (m->pause_max_ns, span_ns (m->stop_start, e->time));
  }
}

/* Adds to the place of the latest hit. */
static void
add_sampled (struct live_model *m, uint64_t cpu_ns, uint64_t wait_ns)
{
  const struct live_count cpu = { cpu_ns, cpu_ns }, wait = { wait_ns, wait_ns };
  if (cpu_ns + wait_ns == 0)
    return;
  add_count (&find_totals (m, m->hit.thread)->cpu_ns, cpu);
  if (cpu_ns != 0)
    live_stacks_add (&m->stacks, cpu_ns);
  if (m->hit.method == NO_METHOD)
    return;
  if (m->hit.method >= m->sampled->len)
    g_array_set_size (m->sampled, m->hit.method + 1);
  struct sampled_times *times = &g_array_index (m->sampled, struct sampled_times, m->hit.method);
  add_count (&times->cpu_ns, cpu);
  add_count (&times->wait_ns, wait);
}

/* Of the stack of the latest hit. */
static bool
is_idle (const struct live_model *m)
{
  const GArray *frames = m->stacks.frames;
  struct wait_stack stack = wait_stack_new (WAIT_NONE, NULL);
  for (guint i = 0; i < frames->len && !stack.has_outside; i++) {
    const guint method = g_array_index (frames, guint, i);
    const char *name
        = g_array_index (m->summary.symbols.all[SYMBOL_METHOD], struct symbol, method).name;
    wait_stack_add_frame (&stack, i, name);
  }
  return stack.has_inside && wait_stack_is_idle (&stack, NULL, NULL);
}

/* Of a hit of the wall clock. */
static void
handle_usage (struct live_model *m, const struct mlpd_sample_usage *usage)
{
  add_sampled (m, usage->cpu_ns, m->hit.is_idle ? 0 : usage->elapsed_ns - usage->cpu_ns);
  find_totals (m, m->hit.thread)->waits = usage->elapsed_ns / 2 > usage->cpu_ns;
}

/* A hit of processor time stands for the interval that the header states; of the wall clock its
 * usage states the time. */
static void
handle_hit (struct live_model *m, const struct mlpd_sample_hit *e,
            const struct mlpd_sample_usage *usage)
{
  const struct log *log = &m->summary.log;
  live_stacks_hit (&m->stacks, &m->summary.symbols, &m->recording, e);
  const GArray *frames = m->stacks.frames;
  m->hit.thread = e->thread;
  m->hit.is_idle = is_idle (m);
  m->hit.method = frames->len != 0 ? g_array_index (frames, guint, 0) : NO_METHOD;
  if (usage->elapsed_ns != 0)
    handle_usage (m, usage);
  else if (log->has_header)
    add_sampled (m, mlpd_header_cpu_sample_interval (&log->header), 0);
}

/* The runtime loads libraries and one program; a process has the name of that in any case. */
static void
handle_image (struct live_model *m, const struct mlpd_metadata_image *image)
{
  if (m->program == NULL && image->name.text != NULL && g_str_has_suffix (image->name.text, ".exe"))
    m->program = g_path_get_basename (image->name.text);
}

/* Inspects the events that the scan has kept. */
static void
handle_retained_events (struct live_model *m)
{
  struct mlpd_sample_usage usage;
  for (guint i = 0; i < m->scan.events->len; i++) {
    const struct scan_event *e = &g_array_index (m->scan.events, struct scan_event, i);
    const uint64_t thread = g_array_index (m->scan.threads, struct scan_thread, e->thread).id;
    recording_note (&m->recording, e->kind, &e->payload);
    if (e->kind == MLPD_GC_EVENT)
      handle_pause (m, thread, &e->payload.gc_event);
    else if (e->kind == MLPD_GC_RESIZE)
      m->heap_bytes = e->payload.gc_resize.size;
    else if (e->kind == MLPD_SAMPLE_HIT)
      handle_hit (m, &e->payload.sample_hit, &e->usage);
    else if (e->kind == MLPD_METADATA_IMAGE)
      handle_image (m, &e->payload.metadata_image);
    else if (m->has_hit && mlpd_sample_usage_of (e->kind, &e->payload, &usage))
      handle_usage (m, &usage);
    m->has_hit = e->kind == MLPD_SAMPLE_HIT;
    live_marks_mono (&m->marks, e->kind, &e->payload);
    m->lost_events += mlpd_losses_of (e->kind, &e->payload);
  }
}

static struct lock_type *
lock_type_of (GArray *types, const struct monitor_sum *lock)
{
  const guint place = lock->type_known ? lock->type + 1 : 0;
  if (place >= types->len)
    g_array_set_size (types, place + 1);
  return &g_array_index (types, struct lock_type, place);
}

static void
add_locks (GArray *types, const struct monitors *monitors)
{
  for (guint i = 0; i < monitors->locks->len; i++) {
    const struct monitor_sum *lock = g_ptr_array_index (monitors->locks, i);
    struct lock_type *const type = lock_type_of (types, lock);
    type->contentions += lock->contentions;
    type->wait_ns += lock->wait_total_ns;
  }
}

/* Locks by address: only the sums are shown. */
static void
forget_locks (struct live_model *m)
{
  struct monitors *const monitors = SUMMARY_STATE (&m->summary, monitors);
  const struct monitor_sum all = monitors->all;
  struct durations durations = { .count = 0 };
  if (g_hash_table_size (monitors->objects) < LOCKS_MAX)
    return;
  add_locks (m->lock_types, monitors);
  durations_merge (&durations, &monitors->durations);
  monitors_clear (monitors);
  monitors_init (monitors);
  monitors->all = all;
  monitors->durations = durations;
}

static void
forget (struct live_model *m)
{
  forget_locks (m);
  threads_forget_ended (&m->summary.threads, ENDED_MAX);
  guint symbols = 0;
  for (int i = 0; i < SYMBOL_KINDS; i++)
    symbols += m->summary.symbols.all[i]->len;
  if (symbols < SYMBOLS_MAX)
    return;
  end_mono (m);
  begin_mono (m);
}

/* ---- taking ---- */

static void
start_scan (struct live_model *m)
{
  const struct log *log = &m->summary.log;
  scan_start (&m->scan, log->has_header ? &log->header : NULL,
              log->has_header ? mlpd_header_alloc_sampling (&log->header) : 0);
}

/* The stacks of hits need the names of the scan. */
static void
merge_scan (struct live_model *m, uint64_t end)
{
  scan_finish (&m->scan);
  summary_merge (&m->summary, &m->scan, m->log_start + end);
  handle_retained_events (m);
}

/* Whether the log goes on with later events of the same program, in its next file or for its next
 * reader. */
static bool
goes_on (const struct live_model *m, const struct mlpd_file_header *next)
{
  const struct mlpd_file_header *h = &m->summary.log.header;
  return m->summary.log.has_header && h->pid == next->pid && h->start_ms == next->start_ms
         && h->start_ns == next->start_ns && h->data_version == next->data_version
         && h->pointer_size == next->pointer_size;
}

static void
begin_log (struct live_model *m, const struct mlpd_item *item)
{
  m->format = LIVE_MONO;
  if (goes_on (m, item->header)) {
    m->log_start = m->summary.log.bytes;
    return;
  }
  end_mono (m); /* the addresses are others */
  begin_mono (m);
  if (m->pid == 0)
    g_clear_pointer (&m->program, g_free);
  live_marks_reset (&m->marks);
  m->log_start = 0;
  m->before = (struct live_figures){ .lost_events = m->before.lost_events,
                                     .process_cpu_ns = m->before.process_cpu_ns };
  log_item (&m->summary.log, item);
}

/* A thread, and all bytes that the scan has allocations of after a buffer of it. */
struct scanned {
  uint64_t thread, bytes;
};

static struct scanned
scanned_after (const struct live_model *m, uint64_t thread)
{
  struct scanned scanned = { .thread = thread };
  for (guint i = 0; i < m->scan.types->len; i++)
    scanned.bytes += g_array_index (m->scan.types, struct scan_type, i).bytes;
  return scanned;
}

/* Of the buffers of a scan in turn. */
static void
count_bytes (struct live_model *m, const struct scanned *buffers, guint n)
{
  uint64_t before = 0;
  for (guint i = 0; i < n; i++) {
    if (buffers[i].bytes != before)
      find_totals (m, buffers[i].thread)->all_bytes += buffers[i].bytes - before;
    before = buffers[i].bytes;
  }
}

static bool
scan_buffers (struct live_model *m, const uint8_t *bytes, size_t length, uint64_t offset,
              GArray *scanned)
{
  for (size_t at = 0; at < length;) {
    struct cursor c = cursor_over (bytes + at, length - at);
    struct mlpd_buffer_header buffer;
    mlpd_decode_buffer_header (&c, &buffer);
    if (!scan_block (&m->scan, &buffer, c.at, (size_t) buffer.length,
                     offset + at + MLPD_BUFFER_HEADER_SIZE))
      return false;
    const struct scanned now = scanned_after (m, buffer.thread);
    g_array_append_val (scanned, now);
    at += MLPD_BUFFER_HEADER_SIZE + (size_t) buffer.length;
  }
  return true;
}

bool
live_model_buffers (void *model, const uint8_t *bytes, size_t length, uint64_t offset)
{
  struct live_model *m = model;
  GArray *scanned = new_array (sizeof (struct scanned));
  start_scan (m);
  const bool good = scan_buffers (m, bytes, length, offset, scanned);
  if (good) {
    count_bytes (m, (const struct scanned *) (void *) scanned->data, scanned->len);
    merge_scan (m, offset + length);
    forget (m);
  }
  g_array_unref (scanned);
  return good;
}

/* Events that are no whole buffers come one by one, a buffer a scan. */
void
live_model_mono (void *model, const struct mlpd_item *item)
{
  struct live_model *m = model;
  switch (item->type) {
  case MLPD_ITEM_FILE_HEADER:
    begin_log (m, item);
    break;
  case MLPD_ITEM_BUFFER:
    start_scan (m);
    scan_buffer (&m->scan, item->buffer, item->offset);
    merge_scan (m, item->offset + item->size);
    break;
  case MLPD_ITEM_EVENT:
    start_scan (m);
    scan_buffer (&m->scan, item->buffer, item->offset);
    scan_event (&m->scan, item->kind, item->payload, item->offset, item->size);
    const struct scanned scanned = scanned_after (m, item->buffer->thread);
    count_bytes (m, &scanned, 1);
    merge_scan (m, item->offset + item->size);
    break;
  case MLPD_ITEM_DAMAGE:
    m->lost_events += item->damage->lost;
    if (item->damage->reason != MLPD_DAMAGE_LOST)
      log_item (&m->summary.log, item);
    break;
  }
}

void
live_model_ghc (void *model, const struct ghc_item *item)
{
  struct live_model *m = model;
  m->format = LIVE_GHC;
  if (item->type == GHC_ITEM_HEADER) { /* losses and damage are counted through all logs */
    m->before = (struct live_figures){ .lost_events = m->before.lost_events,
                                       .damages = m->before.damages,
                                       .process_cpu_ns = m->before.process_cpu_ns };
    live_marks_reset (&m->marks);
  }
  live_ghc_item (&m->ghc, item);
  if (item->type == GHC_ITEM_EVENT)
    live_marks_ghc (&m->marks, item);
}

/* ---- figures of Mono ---- */

/* A count that was `before` when it was inspected last, which it becomes. */
static struct live_count
count_since (uint64_t all, uint64_t *before)
{
  const struct live_count count = { .now = all - MIN (all, *before), .all = all };
  *before = all;
  return count;
}

static struct live_row
symbol_row (const struct symbols *symbols, enum symbol_kind kind, guint i)
{
  const struct symbol *s = &g_array_index (symbols->all[kind], struct symbol, i);
  return (struct live_row){ .name = s->name, .address = s->address };
}

static void
put_methods (struct live_model *m, struct live_figures *f)
{
  const GArray *sums = SUMMARY_STATE (&m->summary, calls)->methods;
  const guint n
      = MIN (MAX (sums->len, m->sampled->len), m->summary.symbols.all[SYMBOL_METHOD]->len);
  g_array_set_size (m->methods, n);
  g_array_set_size (m->sampled, n);
  for (guint i = 0; i < n; i++) {
    struct method_sum *before = &g_array_index (m->methods, struct method_sum, i);
    struct sampled_times *sampled = &g_array_index (m->sampled, struct sampled_times, i);
    const struct method_sum sum
        = i < sums->len ? g_array_index (sums, struct method_sum, i) : (struct method_sum){ 0 };
    if (sum.calls == 0 && sampled->cpu_ns.all + sampled->wait_ns.all == 0)
      continue;
    struct live_row row = symbol_row (&m->summary.symbols, SYMBOL_METHOD, i);
    row.count = count_since (sum.calls, &before->calls);
    row.self_ns = count_since (sum.self_ns, &before->self_ns);
    row.cpu_ns = sampled->cpu_ns;
    row.wait_ns = sampled->wait_ns;
    sampled->cpu_ns.now = sampled->wait_ns.now = 0;
    f->has_calls |= row.count.all != 0;
    f->has_cpu |= row.cpu_ns.all + row.wait_ns.all != 0;
    f->has_waits |= row.wait_ns.all != 0;
    g_array_append_val (f->methods, row);
  }
}

/* Adds the sums of one kind of types to the rows of their classes; `places`: those rows, + 1. */
static void
put_sums (struct live_model *m, const GArray *sums, GArray *before, bool are_vtables,
          GArray *places, GArray *rows)
{
  const struct symbols *symbols = &m->summary.symbols;
  g_array_set_size (before, sums->len);
  for (guint i = 0; i < sums->len; i++) {
    const struct type_sum *sum = &g_array_index (sums, struct type_sum, i);
    struct type_sum *last = &g_array_index (before, struct type_sum, i);
    if (sum->objects == 0)
      continue;
    guint klass = i;
    if (are_vtables)
      klass = g_array_index (symbols->all[SYMBOL_VTABLE], struct symbol, i).klass - 1;
    const bool is_known = klass < places->len;
    guint place = is_known ? g_array_index (places, guint, klass) : 0;
    if (place == 0) {
      const struct live_row row = is_known ? symbol_row (symbols, SYMBOL_CLASS, klass)
                                           : symbol_row (symbols, SYMBOL_VTABLE, i);
      g_array_append_val (rows, row);
      place = rows->len;
      if (is_known)
        g_array_index (places, guint, klass) = place;
    }
    struct live_row *row = &g_array_index (rows, struct live_row, place - 1);
    add_count (&row->count, count_since (sum->objects, &last->objects));
    add_count (&row->bytes, count_since (sum->bytes, &last->bytes));
  }
}

static void
put_types (struct live_model *m, const struct type_sums *sums, GArray *classes, GArray *vtables,
           GArray *rows)
{
  GArray *places = new_array (sizeof (guint));
  g_array_set_size (places, m->summary.symbols.all[SYMBOL_CLASS]->len);
  put_sums (m, sums->classes, classes, false, places, rows);
  put_sums (m, sums->vtables, vtables, true, places, rows);
  g_array_unref (places);
}

static void
put_locks (struct live_model *m, GArray *rows)
{
  const struct symbols *symbols = &m->summary.symbols;
  GArray *now = g_array_copy (m->lock_types);
  add_locks (now, SUMMARY_STATE (&m->summary, monitors));
  g_array_set_size (m->lock_types, now->len);
  for (guint i = 0; i < now->len; i++) {
    const struct lock_type *const sum = &g_array_index (now, struct lock_type, i);
    struct lock_type *const type = &g_array_index (m->lock_types, struct lock_type, i);
    const bool is_known = i != 0 && i <= symbols->all[SYMBOL_CLASS]->len;
    struct live_row row = { 0 };
    if (sum->contentions == 0)
      continue;
    if (is_known)
      row = symbol_row (symbols, SYMBOL_CLASS, i - 1);
    row.count = count_since (sum->contentions, &type->before_contentions);
    row.wait_ns = count_since (sum->wait_ns, &type->before_wait_ns);
    g_array_append_val (rows, row);
  }
  g_array_unref (now);
}

static void
put_thread (struct live_model *m, const struct thread *t, struct live_figures *f)
{
  struct thread_totals *totals = find_totals (m, t->id);
  if (totals->events > t->events) /* another thread that has the id */
    *totals = (struct thread_totals){ .all_bytes = totals->all_bytes - totals->bytes,
                                      .cpu_ns = { totals->cpu_ns.now, totals->cpu_ns.now } };
  struct live_thread row = { .id = t->id,
                             .name = live_figures_name (f, t->name),
                             .events = count_since (t->events, &totals->events),
                             .run_ns = totals->cpu_ns,
                             .has_bytes = m->summary.allocations.objects != 0,
                             .bytes = count_since (totals->all_bytes, &totals->bytes) };
  totals->cpu_ns.now = 0;
  row.state = m->is_stopping && m->stopping_thread == t->id ? LIVE_COLLECTING
              : t->waiting                                  ? LIVE_WAITING
              : totals->waits                               ? LIVE_BLOCKED
              : row.events.now != 0                         ? LIVE_RUNNING
                                                            : LIVE_UNKNOWN;
  g_array_append_val (f->threads, row);
}

static gboolean
is_gone (void *id, void *totals, void *by_id)
{
  const struct thread *t = g_hash_table_lookup (by_id, id);
  (void) totals;
  return t == NULL || t->ended;
}

/* The threads of the profiler itself have events, but are not announced. */
static void
put_threads (struct live_model *m, struct live_figures *f)
{
  const GPtrArray *all = m->summary.threads.all;
  if (g_hash_table_size (m->thread_totals) > 2 * all->len + ENDED_MAX)
    g_hash_table_foreach_remove (m->thread_totals, is_gone, m->summary.threads.by_id);
  for (guint i = 0; i < all->len; i++) {
    const struct thread *t = g_ptr_array_index (all, i);
    if (t->ended || (t->events == 0 && !t->announced))
      continue;
    put_thread (m, t, f);
    f->living += t->announced;
  }
  if (f->living == 0) /* no thread is announced */
    f->living = f->threads->len;
}

/* Names may go before the figures do. */
static void
finish_methods (struct live_figures *f)
{
  for (guint i = 0; i < f->methods->len; i++) {
    struct live_row *row = &g_array_index (f->methods, struct live_row, i);
    if (row->wait_ns.all == 0 || row->wait_ns.all > row->cpu_ns.all)
      row->waits = wait_kind_name (wait_kind_of_method (row->name));
    g_autofree char *name = symbols_frame_name (g_strdup (row->name));
    row->name = live_figures_name (f, name);
  }
}

/* Names may go before the figures do; of sampled objects parts were counted. */
static void
finish_rows (struct live_figures *f, GArray *rows, uint64_t parts)
{
  for (guint i = 0; i < rows->len; i++) {
    struct live_row *row = &g_array_index (rows, struct live_row, i);
    row->name = live_figures_name (f, row->name);
    row->count.now /= parts;
    row->count.all /= parts;
  }
}

static void
put_mono (struct live_model *m, struct live_figures *f)
{
  const struct summary *s = &m->summary;
  const struct monitors *monitors = SUMMARY_STATE (s, monitors);
  const struct gc *gc = SUMMARY_STATE (s, gc);
  const struct exceptions *exceptions = SUMMARY_STATE (s, exceptions);
  const uint64_t parts = s->allocations.samples != 0 ? OBJECT_PARTS : 1;
  f->format = LIVE_MONO;
  f->pid = s->log.has_header ? s->log.header.pid : 0;
  f->log_ns = s->log.has_time ? span_ns (s->log.first_time, s->log.last_time) : 0;
  f->events.all = s->log.events;
  f->log_bytes.all = s->log.bytes;
  f->alloc_bytes.all = s->allocations.bytes;
  f->alloc_objects.all = s->allocations.objects / parts;
  f->heap_bytes = m->heap_bytes;
  f->heap_max_bytes = gc->max_heap_bytes;
  for (int i = 0; i < LIVE_GENERATIONS; i++) {
    const struct gc_generation *g = &gc->generations[i];
    f->collections[i].all = g->collections;
    f->pauses.all += g->pauses.count;
    f->pause_ns.all += g->pauses.total_ns;
    f->pause_max_ever_ns = MAX (f->pause_max_ever_ns, g->pauses.max_ns);
    f->pause_durations[i] = live_durations_of (&g->pauses);
  }
  f->pause_max_ns = m->pause_max_ns;
  m->pause_max_ns = 0;
  f->contentions.all = monitors->all.contentions;
  f->wait_ns.all = monitors->all.wait_total_ns;
  f->wait_durations = live_durations_of (&monitors->durations);
  f->exceptions.all = exceptions->throws;
  f->lost_events.all = m->lost_events;
  f->damages.all = s->log.damages;
  put_methods (m, f);
  put_types (m, &s->allocations.types, m->classes, m->vtables, f->types);
  put_types (m, &exceptions->types, m->throws_of_classes, m->throws_of_vtables, f->throws);
  put_locks (m, f->locks);
  finish_methods (f);
  finish_rows (f, f->types, parts);
  finish_rows (f, f->throws, 1);
  finish_rows (f, f->locks, 1);
  put_threads (m, f);
}

/* ---- figures ---- */

/* After its end a process has its last figures. */
static void
put_process (struct live_model *m, struct live_figures *f, uint64_t interval_ns)
{
  struct process_usage usage = { .cpu_ns = m->before.process_cpu_ns.all };
  if (m->pid != 0) {
    process_usage_read (m->pid, &usage);
    f->pid = (uint64_t) m->pid;
  }
  f->process_cpu_ns.all = usage.cpu_ns;
  f->process_memory_bytes = usage.memory_bytes;
  f->process_interval_ns = interval_ns;
}

/* All counts of the figures that are reported as sums. */
static void
count_interval (struct live_figures *f, struct live_figures *b)
{
#define GAUGE(member, name, unit, help)
  struct live_count *const counts[] = {
#define COUNTER(member, name, unit, help) &f->member,
#include "decoder/live/live-figures.def"
  };
#define GAUGE(member, name, unit, help)
  struct live_count *const before[] = {
#define COUNTER(member, name, unit, help) &b->member,
#include "decoder/live/live-figures.def"
  };
  for (size_t i = 0; i < G_N_ELEMENTS (counts); i++)
    *counts[i] = count_since (counts[i]->all, &before[i]->all);
  for (int i = 0; i < LIVE_GENERATIONS; i++)
    f->collections[i] = count_since (f->collections[i].all, &b->collections[i].all);
}

const struct live_figures *
live_model_figures (struct live_model *m, uint64_t interval_ns)
{
  struct live_figures *f = &m->figures;
  live_figures_clear (f);
  live_figures_init (f);
  if (m->format == LIVE_MONO)
    put_mono (m, f);
  else if (m->format == LIVE_GHC)
    m->before.alloc_bytes.all
        = saturated_sum (m->before.alloc_bytes.all, live_ghc_figures (&m->ghc, f));
  if (m->program != NULL && m->program[0] != 0)
    f->program = live_figures_name (f, m->program);
  live_marks_figures (&m->marks, f);
  put_process (m, f, interval_ns);
  count_interval (f, &m->before);
  f->interval_ns = MAX (interval_ns, f->log_ns - MIN (f->log_ns, m->before.log_ns));
  m->before.log_ns = f->log_ns;
  return f;
}

const struct live_stacks *
live_model_stacks (const struct live_model *m)
{
  return &m->stacks;
}

const struct symbols *
live_model_symbols (const struct live_model *m)
{
  return &m->summary.symbols;
}

void
live_model_add_stacks (struct live_model *m, struct export_stacks *stacks)
{
  mono_stacks_add_live (stacks, live_model_stacks (m), live_model_symbols (m));
  if (m->ghc.samples.samples == 0)
    return;
  ghc_time_profile_finish (&m->ghc.samples);
  ghc_time_stacks_add (stacks, &m->ghc.samples, false);
}
