/* ghc-report-heap.c -- heap, tasks, times, and each process of an eventlog. */
#include "config.h"

#include "decoder/views/ghc/ghc-report-private.h"
#include "decoder/core/whole-number.h"
#include "decoder/views/section-parts.h"

#define MAYBE(result, is_recorded, value)                                                          \
  result_put_known (r->e, result, is_recorded, is_recorded,                                        \
                    (union emitter_value){ .number = (is_recorded) ? (value) : 0 })

/* How the heap was set up. */
static void
put_parameters (const struct report *r, const struct ghc_heap_info_ghc *heap)
{
  emitter_open (r->e, "parameters", heap != NULL ? "Parameters" : NULL);
  MAYBE (HEAP_PARAMETERS_GENERATIONS, heap != NULL, heap->generations);
  MAYBE (HEAP_PARAMETERS_MAX_HEAP_BYTES, heap != NULL, heap->max_heap_size);
  MAYBE (HEAP_PARAMETERS_ALLOCATION_AREA_BYTES, heap != NULL, heap->alloc_area_size);
  MAYBE (HEAP_PARAMETERS_MEGABLOCK_BYTES, heap != NULL, heap->mblock_size);
  MAYBE (HEAP_PARAMETERS_BLOCK_BYTES, heap != NULL, heap->block_size);
  emitter_close (r->e);
}

void
ghc_put_heap (const struct report *r, const char *title, const struct ghc_figures *f)
{
  emitter_open (r->e, "heap", title);
  MAYBE (HEAP_ALLOCATED_BYTES, f->has_allocated, f->allocated);
  MAYBE (HEAP_COPIED_BYTES, f->has_stats, f->copied);
  MAYBE (HEAP_MAX_RESIDENCY_BYTES, f->live_samples != 0, f->max_live);
  result_number (r->e, HEAP_RESIDENCY_SAMPLES, f->live_samples);
  MAYBE (HEAP_MAX_SLOP_BYTES, f->has_stats, f->max_slop);
  MAYBE (HEAP_MAX_MEMORY_BYTES, f->has_size, f->max_size);
  const struct emitter_any fragmentation
      = { f->fragmentation < 0 ? EMIT_CHANGE : EMIT_NUMBER, { .change = f->fragmentation }, NULL };
  result_put (r->e, HEAP_FRAGMENTATION_BYTES, f->has_fragmentation,
              (union emitter_value){ .any = f->has_fragmentation ? &fragmentation : NULL });
  section_put_overflow (r, HEAP_OVERFLOW, MAX (f->allocated, f->copied));
  put_parameters (r, f->heap);
  emitter_close (r->e);
}

void
ghc_put_time (const struct report *r, const char *title, const struct ghc_figures *f)
{
  const uint64_t mutator = ghc_figures_mutator_ns (f);
  const bool has_rate = f->has_gc && f->has_allocated && !f->begins_late && mutator != 0;
  emitter_open (r->e, "time", title);
  result_number_if (r->e, TIME_START_NS, f->start != 0, f->start);
  result_put_known (r->e, TIME_TOTAL_NS, true, f->has_total,
                    (union emitter_value){ .number = f->total_ns });
  result_put_known (r->e, TIME_MUTATOR_NS, true, f->has_gc,
                    (union emitter_value){ .number = mutator });
  result_put_known (r->e, TIME_GC_NS, true, f->has_gc, (union emitter_value){ .number = f->gc_ns });
  const bool has_share = f->has_gc && f->total_ns != 0;
  result_put_known (r->e, TIME_PRODUCTIVITY_PERMILLE, true, has_share,
                    (union emitter_value){ .number = emitter_share (mutator, f->total_ns) });
  result_put_known (
      r->e, TIME_ALLOCATION_RATE, true, has_rate,
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
  MAYBE (TASKS, f.has_tasks, f.tasks);
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
  result_number (r->e, PROCESSES_CAPSET, process->id);
  result_put_known (r->e, PROCESSES_PID, true, process->has_pid,
                    (union emitter_value){ .number = process->pid });
  result_text_if (r->e, PROCESSES_RUNTIME, process->runtime != NULL, process->runtime);
  result_text (r->e, PROCESSES_ARGUMENTS, process->arguments);
  result_number (r->e, PROCESSES_CAPS, f.caps);
  MAYBE (PROCESSES_TASKS, f.has_tasks, f.tasks);
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
