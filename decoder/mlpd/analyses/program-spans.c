/* program-spans.c -- collects the data of spans that must be known in advance. */
#include "config.h"

#include "decoder/mlpd/analyses/program-spans.h"
#include "decoder/mlpd/analyses/analysis.h"
#include "decoder/mlpd/analyses/log.h"
#include "decoder/mlpd/analyses/samples.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/mlpd/mlpd-origin.h"
#include "decoder/mlpd/model/wait-stack.h"

static bool
is_needed (const struct scan_options *options)
{
  return options->spans;
}

static void
init (void *state, const struct scan_options *options)
{
  struct program_spans *p = state;
  (void) options;
  p->hits = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}

static void
clear (void *state)
{
  struct program_spans *p = state;
  GHashTableIter i;
  gpointer hits;
  g_hash_table_iter_init (&i, p->hits);
  while (g_hash_table_iter_next (&i, NULL, &hits))
    g_array_unref (hits);
  g_hash_table_unref (p->hits);
  if (p->has_costs)
    span_costs_clear (&p->costs);
}

static void
handle_description (void *state, const struct analysis_event *e)
{
  struct program_spans *p = state;
  uint64_t number;
  p->has_names |= mlpd_program_span_announced (e->kind, e->payload, &number) != NULL;
}

static void
handle_values (void *state, const struct analysis_event *e)
{
  struct program_spans *p = state;
  struct mlpd_program_span span;
  p->edges += mlpd_program_span_of (e->kind, e->payload, &span);
}

/* By its methods; its native function may have no name yet. */
static enum wait_kind
kind_of (const struct analysis_event *e)
{
  struct symbols *symbols = e->model->symbols;
  const struct mlpd_frames *frames = &e->payload->sample_hit.frames;
  struct wait_stack stack = wait_stack_new (WAIT_NONE, NULL);
  for (size_t i = 0; i < frames->count; i++) {
    const guint method = symbols_use (symbols, SYMBOL_METHOD, frames->items[i].method);
    const char *name = g_array_index (symbols->all[SYMBOL_METHOD], struct symbol, method).name;
    wait_stack_add_frame (&stack, i, name);
  }
  return stack.kind;
}

static void
handle_hit (void *state, const struct analysis_event *e)
{
  struct program_spans *p = state;
  const uint64_t thread = e->payload->sample_hit.thread;
  uint64_t time = e->time;
  if (!p->has_names)
    return;
  mlpd_event_time (e->kind, e->payload, &time);
  const uint64_t elapsed = MIN (e->usage.elapsed_ns, time);
  const struct span_hit hit
      = { .begin = time - elapsed,
          .end = time,
          .cpu_ns = elapsed != 0 ? e->usage.cpu_ns
                                 : mlpd_header_cpu_sample_interval (&e->model->log->header),
          .wait_ns = elapsed - MIN (e->usage.cpu_ns, elapsed),
          .ip = samples_ip (&e->payload->sample_hit),
          .kind = kind_of (e) };
  GArray *hits = g_hash_table_lookup (p->hits, &thread);
  if (hits == NULL) {
    hits = g_array_new (FALSE, FALSE, sizeof (struct span_hit));
    g_hash_table_insert (p->hits, g_memdup2 (&thread, sizeof thread), hits);
  }
  g_array_append_val (hits, hit);
}

static const struct analysis_handlers handlers[] = {
  { MLPD_SAMPLE_COUNTERS_DESC, handle_description, handle_description },
  { MLPD_SAMPLE_COUNTERS, handle_values, NULL },
  { MLPD_SAMPLE_HIT, handle_hit, NULL },
};

const struct analysis program_spans_analysis = { .state_bytes = sizeof (struct program_spans),
                                                 .is_needed = is_needed,
                                                 .init = init,
                                                 .clear = clear,
                                                 ANALYSIS_HANDLERS (handlers) };
