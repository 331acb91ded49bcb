/* ghc-report-heap.c -- heap, tasks, times, and each process of an eventlog. */
#include "config.h"

#include "decoder/views/ghc/ghc-report-private.h"
#include "decoder/core/whole-number.h"

#define MAYBE(key, label, is_recorded, value)                                                      \
  ghc_put_maybe (r->e, key, (is_recorded) ? label : NULL, EMIT_NUMBER, is_recorded,                \
                 (union emitter_value){ .number = (is_recorded) ? (value) : 0 })

/* How the heap was set up. */
static void
put_parameters (const struct report *r, const struct ghc_heap_info_ghc *heap)
{
  emitter_open (r->e, "parameters", heap != NULL ? "Parameters" : NULL);
  MAYBE ("generations", "Generations", heap != NULL, heap->generations);
  MAYBE ("max_heap_bytes", "Limit, bytes (0: none)", heap != NULL, heap->max_heap_size);
  MAYBE ("allocation_area_bytes", "Allocation area, bytes", heap != NULL, heap->alloc_area_size);
  MAYBE ("megablock_bytes", "Megablock, bytes", heap != NULL, heap->mblock_size);
  MAYBE ("block_bytes", "Block, bytes", heap != NULL, heap->block_size);
  emitter_close (r->e);
}

void
ghc_put_heap (const struct report *r, const char *title, const struct ghc_figures *f)
{
  emitter_open (r->e, "heap", title);
  MAYBE ("allocated_bytes", "Allocated bytes", f->has_allocated, f->allocated);
  MAYBE ("copied_bytes", "Copied bytes", f->has_stats, f->copied);
  MAYBE ("max_residency_bytes", "Max residency, bytes", f->live_samples != 0, f->max_live);
  emitter_number (r->e, "residency_samples", "Samples of it", f->live_samples);
  MAYBE ("max_slop_bytes", "Max slop, bytes", f->has_stats, f->max_slop);
  MAYBE ("max_memory_bytes", "Max memory, bytes", f->has_size, f->max_size);
  ghc_put_maybe (r->e, "fragmentation_bytes", f->has_fragmentation ? "Fragmentation now" : NULL,
                 f->fragmentation < 0 ? EMIT_CHANGE : EMIT_NUMBER, f->has_fragmentation,
                 (union emitter_value){ .change = f->fragmentation });
  section_put_overflow (r, MAX (f->allocated, f->copied));
  put_parameters (r, f->heap);
  emitter_close (r->e);
}

void
ghc_put_time (const struct report *r, const char *title, const struct ghc_figures *f)
{
  const uint64_t mutator = ghc_figures_mutator_ns (f);
  const bool has_rate = f->has_gc && f->has_allocated && !f->begins_late && mutator != 0;
  emitter_open (r->e, "time", title);
  emitter_ns (r->e, "start_ns", f->start != 0 ? "Start" : NULL, f->start);
  ghc_put_maybe (r->e, "total_ns", "Total", EMIT_NS, f->has_total,
                 (union emitter_value){ .number = f->total_ns });
  ghc_put_maybe (r->e, "mutator_ns", "Mutator", EMIT_NS, f->has_gc,
                 (union emitter_value){ .number = mutator });
  ghc_put_maybe (r->e, "gc_ns", "GC", EMIT_NS, f->has_gc,
                 (union emitter_value){ .number = f->gc_ns });
  const bool has_share = f->has_gc && f->total_ns != 0;
  ghc_put_maybe (r->e, "productivity_permille", "Productivity, %", EMIT_SHARE, has_share,
                 (union emitter_value){ .number = emitter_share (mutator, f->total_ns) });
  ghc_put_maybe (
      r->e, "allocation_rate", "Bytes per mutator s", EMIT_NUMBER, has_rate,
      (union emitter_value){
          .number = has_rate ? whole_number ((double) f->allocated * 1e9 / (double) mutator) : 0 });
  emitter_close (r->e);
}

/* Does the section layout, the summary of +RTS -s, state the same?  It is written in text only. */
static bool
has_layout (const struct report *r)
{
  return emitter_get_format (r->e) == EMITTER_TEXT;
}

static void
put_heap (const struct report *r)
{
  struct ghc_figures f;
  ghc_figures_init (&f, r->ghc, NULL);
  ghc_put_heap (r, "Heap", &f);
  ghc_figures_clear (&f);
}

static void
put_quiet_heap (const struct report *r)
{
  struct ghc_figures f;
  ghc_figures_init (&f, r->ghc, NULL);
  ghc_put_heap (r, has_layout (r) ? NULL : "Heap", &f);
  ghc_figures_clear (&f);
}

static void
put_tasks (const struct report *r)
{
  struct ghc_figures f;
  ghc_figures_init (&f, r->ghc, NULL);
  MAYBE ("tasks", "Tasks", f.has_tasks, f.tasks);
  ghc_figures_clear (&f);
}

static void
put_quiet_tasks (const struct report *r)
{
  if (!has_layout (r))
    put_tasks (r);
}

static void
put_time (const struct report *r)
{
  struct ghc_figures f;
  ghc_figures_init (&f, r->ghc, NULL);
  ghc_put_time (r, "Time", &f);
  ghc_figures_clear (&f);
}

static void
put_quiet_time (const struct report *r)
{
  struct ghc_figures f;
  ghc_figures_init (&f, r->ghc, NULL);
  ghc_put_time (r, has_layout (r) ? NULL : "Time", &f);
  ghc_figures_clear (&f);
}

const struct section ghc_section_heap = { .key = "heap", .put = put_heap };
const struct section ghc_section_quiet_heap = { .key = "heap", .put = put_quiet_heap };
const struct section ghc_section_tasks = { .key = "tasks", .put = put_tasks };
const struct section ghc_section_quiet_tasks = { .key = "tasks", .put = put_quiet_tasks };
const struct section ghc_section_time = { .key = "time", .put = put_time };
const struct section ghc_section_quiet_time = { .key = "time", .put = put_quiet_time };

/* ---- processes ---- */

static void
put_process (const struct report *r, const struct ghc_capset *process)
{
  struct ghc_figures f;
  char *name = ghc_process_name (process);
  ghc_figures_init (&f, r->ghc, process);
  emitter_open (r->e, NULL, name);
  emitter_number (r->e, "capset", "Capability set", process->id);
  ghc_put_maybe (r->e, "pid", NULL, EMIT_NUMBER, process->has_pid,
                 (union emitter_value){ .number = process->pid });
  emitter_text (r->e, "runtime", process->runtime != NULL ? "Runtime" : NULL, process->runtime);
  emitter_text (r->e, "arguments", NULL, process->arguments);
  emitter_number (r->e, "caps", "Capabilities", f.caps);
  MAYBE ("tasks", "Tasks", f.has_tasks, f.tasks);
  ghc_put_time (r, "Time", &f);
  ghc_put_heap (r, "Heap", &f);
  ghc_put_gc (r, "GC", &f);
  ghc_put_sparks (r, "Sparks", &f);
  emitter_close (r->e); /* the sparks */
  emitter_close (r->e);
  g_free (name);
  ghc_figures_clear (&f);
}

/* Of a log with one process all figures are that one's. */
static void
put_processes (const struct report *r)
{
  GPtrArray *all = ghc_processes_list (&r->ghc->processes);
  emitter_open_list (r->e, "processes", all->len > 1 ? "Processes" : NULL);
  for (guint i = 0; i < all->len && all->len > 1; i++)
    put_process (r, g_ptr_array_index (all, i));
  emitter_close_list (r->e);
  g_ptr_array_unref (all);
}

const struct section ghc_section_processes = { .key = "processes", .put = put_processes };
