/* allocation-merge.c -- adds the allocations of scans to those of the model. */
#include "config.h"

#include "decoder/mlpd/analyses/analysis.h"
#include "decoder/mlpd/analyses/log.h"
#include "decoder/mlpd/mlpd-origin.h"

/* Adds the error of a type's objects without a backtrace. */
static void
add_rest_of_error (const struct analysis_scan *m, guint type, const struct allocation_error *traced)
{
  const struct allocation_error *all
      = &g_array_index (m->scan->alloc_errors, struct allocation_error, type);
  const struct allocation_error rest
      = { MAX (all->objects - traced->objects, 0), MAX (all->bytes - traced->bytes, 0) };
  type_traces_add_error (m->model->allocation_traces, m->types[type], TRACE_NONE, &rest);
}

/* The scan's backtraces of allocations. */
static void
merge_traces (const struct analysis_scan *m)
{
  const struct scan *scan = m->scan;
  guint *traces = g_new (guint, scan->traces.all->len + 1);
  GArray *methods = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < scan->traces.all->len; i++) {
    guint n;
    const guint *frames = traces_frames (&scan->traces, i, &n);
    g_array_set_size (methods, n);
    for (guint j = 0; j < n; j++)
      g_array_index (methods, guint, j) = m->symbols[SCAN_METHOD][frames[j]];
    traces[i] = traces_add (m->model->traces, (const guint *) (const void *) methods->data, n);
  }
  struct type_sum *traced = g_new0 (struct type_sum, scan->types->len);
  struct allocation_error *errors = g_new0 (struct allocation_error, scan->types->len);
  for (guint i = 0; i < scan->trace_sums.all->len; i++) {
    const struct trace_sum *sum = &g_array_index (scan->trace_sums.all, struct trace_sum, i);
    type_traces_add (m->model->allocation_traces, m->types[sum->key], traces[sum->trace],
                     sum->count, sum->bytes);
    if (sum->error.objects > 0)
      type_traces_add_error (m->model->allocation_traces, m->types[sum->key], traces[sum->trace],
                             &sum->error);
    traced[sum->key].objects += sum->count;
    traced[sum->key].bytes += sum->bytes;
    allocation_error_add (&errors[sum->key], &sum->error);
  }
  for (guint i = 0; i < scan->types->len; i++) { /* the rest has none */
    const struct scan_type *type = &g_array_index (scan->types, struct scan_type, i);
    if (type->objects != traced[i].objects)
      type_traces_add (m->model->allocation_traces, m->types[i], TRACE_NONE,
                       type->objects - traced[i].objects, type->bytes - traced[i].bytes);
    if (i < scan->alloc_errors->len && type->objects != traced[i].objects)
      add_rest_of_error (m, i, &errors[i]);
  }
  g_array_free (methods, TRUE);
  g_free (errors);
  g_free (traces);
  g_free (traced);
}

static void
merge_groups (const struct analysis_scan *m)
{
  for (guint i = 0; i < ALLOCATION_SIZES; i++)
    type_sum_add (&m->model->allocations->sizes[i], &m->scan->sizes[i]);
  for (guint i = 0; i < m->scan->threads->len; i++) {
    const struct type_sum *sum
        = &g_array_index (m->scan->threads, struct scan_thread, i).allocations;
    m->threads[i]->allocated_objects += sum->objects;
    m->threads[i]->allocated_bytes += sum->bytes;
    allocation_error_add (&m->threads[i]->allocated_error,
                          &g_array_index (m->scan->threads, struct scan_thread, i).alloc_error);
  }
}

static void
merge (void *state, const struct analysis_scan *m)
{
  (void) state;
  const struct scan *scan = m->scan;
  for (guint i = 0; i < scan->types->len; i++) {
    const struct scan_type *type = &g_array_index (scan->types, struct scan_type, i);
    if (type->objects != 0)
      allocations_add (m->model->allocations, m->types[i], type->objects, type->bytes);
  }
  for (guint i = 0; i < scan->alloc_errors->len; i++)
    allocation_error_add (allocations_error_at (m->model->allocations, m->types[i]),
                          &g_array_index (scan->alloc_errors, struct allocation_error, i));
  m->model->allocations->samples += scan->alloc_samples;
  if (scan->options.alloc_groups)
    merge_groups (m);
  if (scan->options.traces)
    merge_traces (m);
}

static void
finish (void *state, const struct analysis_model *m)
{
  (void) state;
  type_sums_resolve (&m->allocations->types, m->symbols);
  allocations_resolve_errors (m->allocations, m->symbols);
  type_traces_resolve (m->allocation_traces, m->symbols);
  if (m->allocations->samples == 0)
    return;
  m->allocations->sampling = mlpd_header_alloc_sampling (&m->log->header);
  allocations_round (m->allocations);
  for (guint i = 0; i < m->threads->all->len; i++) {
    struct thread *t = g_ptr_array_index (m->threads->all, i);
    t->allocated_objects = allocation_whole_objects (t->allocated_objects);
  }
  type_traces_round (m->allocation_traces);
}

const struct analysis allocations_analysis
    = { .is_bounded = true, .merge = merge, .finish = finish };
