/* native-memory.c -- matches ends of sampled native memory with its allocations. */
#include "config.h"

#include "decoder/mlpd/analyses/native-memory.h"
#include "decoder/mlpd/analyses/analysis.h"

struct native_block {
  uint64_t id;
  uint64_t size;
  guint place; /* of its sum */
};

static void
init (void *state, const struct scan_options *options)
{
  struct native_memory *n = state;
  (void) options;
  *n = (struct native_memory){
    .live = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free),
    .sums = g_array_new (FALSE, FALSE, sizeof (struct native_sum)),
    .places = g_hash_table_new (NULL, NULL),
  };
}

static void
clear (void *state)
{
  struct native_memory *n = state;
  g_hash_table_destroy (n->live);
  g_hash_table_destroy (n->places);
  g_array_unref (n->sums);
}

static guint
place_of (struct native_memory *n, guint trace)
{
  const guint known = GPOINTER_TO_UINT (g_hash_table_lookup (n->places, GUINT_TO_POINTER (trace)));
  if (known != 0)
    return known - 1;
  const struct native_sum sum = { .trace = trace };
  g_array_append_val (n->sums, sum);
  g_hash_table_insert (n->places, GUINT_TO_POINTER (trace), GUINT_TO_POINTER (n->sums->len));
  return n->sums->len - 1;
}

/* The sample stands for other memory of its size, too. */
static void
add (struct native_amount *amount, uint64_t size)
{
  const struct type_sum estimate = allocation_estimate (size, MLPD_NATIVE_SAMPLING);
  const struct allocation_error error = allocations_error_of (&estimate);
  amount->samples++;
  amount->bytes = saturated_sum (amount->bytes, estimate.bytes);
  allocation_error_add (&amount->error, &error);
}

/* The values after the size are methods, innermost first; backtraces begin with the outermost. */
static guint
trace_of (const struct analysis_event *e, const struct mlpd_counter_values *values)
{
  g_autofree uint64_t *methods = g_new (uint64_t, values->count);
  size_t n = 0;
  for (size_t i = values->count; i-- > 2;)
    if (values->items[i].index == MLPD_NATIVE_METHOD_INDEX)
      methods[n++] = values->items[i].number;
  const struct mlpd_list list = { methods, n };
  return traces_add_addresses (e->model->traces, e->model->symbols, list);
}

static void
handle_values (void *state, const struct analysis_event *e)
{
  struct native_memory *n = state;
  const struct mlpd_counter_values *values = &e->payload->sample_counters.values;
  const size_t count = values->count;
  const struct mlpd_counter_value *first = values->items;
  if (count >= 2 && first->index == MLPD_NATIVE_INDEX && first[1].index == MLPD_NATIVE_SIZE_INDEX) {
    struct native_block *block = g_new (struct native_block, 1);
    *block = (struct native_block){ first->number, first[1].number,
                                    place_of (n, trace_of (e, values)) };
    g_hash_table_replace (n->live, &block->id, block);
    add (&g_array_index (n->sums, struct native_sum, block->place).allocated, block->size);
  } else if (count == 1 && first->index == MLPD_NATIVE_FREE_INDEX) {
    n->freed += g_hash_table_remove (n->live, &first->number);
  }
}

/* The memory that is still there. */
static void
finish (void *state, const struct analysis_model *m)
{
  struct native_memory *n = state;
  GHashTableIter i;
  void *value;
  (void) m;
  g_hash_table_iter_init (&i, n->live);
  while (g_hash_table_iter_next (&i, NULL, &value)) {
    const struct native_block *block = value;
    add (&g_array_index (n->sums, struct native_sum, block->place).live, block->size);
  }
}

static const struct analysis_handlers handlers[]
    = { { MLPD_SAMPLE_COUNTERS, handle_values, NULL } };

const struct analysis native_memory_analysis = { .state_bytes = sizeof (struct native_memory),
                                                 .init = init,
                                                 .clear = clear,
                                                 .finish = finish,
                                                 ANALYSIS_HANDLERS (handlers) };
