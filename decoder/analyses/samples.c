/* samples.c -- looks addresses up in sorted ranges. */
#include "decoder/analyses/samples.h"
#include "config.h"
#include "decoder/analyses/metadata.h"

struct sample_code {
  uint64_t start;
  uint64_t size;
  guint method;
};

void
samples_init (struct samples *s)
{
  *s = (struct samples){
    .threads = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free),
    .ips = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free),
    .codes = g_array_new (FALSE, FALSE, sizeof (struct sample_code)),
    .symbols = g_array_new (FALSE, FALSE, sizeof (struct sample_symbol)),
    .names = g_string_chunk_new (16 * 1024),
    .methods = g_array_new (FALSE, TRUE, sizeof (struct sample_sum)),
    .seen = g_array_new (FALSE, TRUE, sizeof (uint64_t)),
  };
}

void
samples_clear (struct samples *s)
{
  g_hash_table_destroy (s->threads);
  g_hash_table_destroy (s->ips);
  g_array_free (s->codes, TRUE);
  g_array_free (s->symbols, TRUE);
  g_string_chunk_free (s->names);
  g_array_free (s->methods, TRUE);
  g_array_free (s->seen, TRUE);
}

static void
count (GHashTable *table, uint64_t number)
{
  uint64_t *hits = g_hash_table_lookup (table, &number);
  if (hits == NULL) {
    hits = g_new0 (uint64_t, 1);
    g_hash_table_insert (table, g_memdup2 (&number, sizeof number), hits);
  }
  ++*hits;
}

static struct sample_sum *
sum_of (struct samples *s, guint method)
{
  if (method >= s->methods->len)
    g_array_set_size (s->methods, method + 1);
  return &g_array_index (s->methods, struct sample_sum, method);
}

/* Methods on the stack, each once a hit however often it is there. */
static void
count_total (struct samples *s, guint method)
{
  if (method >= s->seen->len)
    g_array_set_size (s->seen, method + 1);
  uint64_t *seen = &g_array_index (s->seen, uint64_t, method);
  if (*seen == s->hits)
    return;
  *seen = s->hits;
  sum_of (s, method)->total++;
}

void
samples_hit (struct samples *s, const struct mlpd_sample_hit *event, uint64_t thread,
             const guint *methods)
{
  s->hits++;
  s->types[event->sample_type < SAMPLE_TYPES ? event->sample_type : 0]++;
  count (s->threads, thread);
  for (size_t i = 0; i < event->frames.count; i++)
    count_total (s, methods[i]);
  /* More than one instruction pointer would be the native stack, innermost first. */
  count (s->ips, event->ips.count > 0 ? event->ips.items[0] : 0);
}

void
samples_code (struct samples *s, guint method, uint64_t code, uint64_t size)
{
  const struct sample_code c = { .start = code, .size = size, .method = method };
  if (code != 0 && size < CODE_BYTES_MAX)
    g_array_append_val (s->codes, c);
}

void
samples_symbol (struct samples *s, const struct mlpd_sample_symbol *event)
{
  const struct sample_symbol symbol
      = { .address = event->address,
          .size = event->size,
          .name = g_string_chunk_insert_const (s->names, event->name.text) };
  g_array_append_val (s->symbols, symbol);
}

/* By address; of those that are the same, the latest last.  The elements begin with theirs. */
static int
compare_addresses (const void *a, const void *b)
{
  const uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return (x > y) - (x < y);
}

/* The last element whose address is not above this one; NULL if there is none. */
static void *
find (const GArray *sorted, uint64_t address)
{
  guint low = 0, high = sorted->len;
  const guint size = g_array_get_element_size ((GArray *) sorted);
  while (low < high) {
    const guint middle = low + (high - low) / 2;
    if (*(const uint64_t *) (const void *) (sorted->data + (size_t) middle * size) <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 ? sorted->data + (size_t) (low - 1) * size : NULL;
}

static void
resolve (struct samples *s, uint64_t ip, uint64_t hits)
{
  const struct sample_code *code = find (s->codes, ip);
  if (code != NULL && ip - code->start < code->size) {
    s->managed += hits;
    sum_of (s, code->method)->hits += hits;
    return;
  }
  s->unmanaged += hits;
  struct sample_symbol *symbol = find (s->symbols, ip);
  if (symbol != NULL && ip - symbol->address < MAX (symbol->size, SAMPLE_SYMBOL_REACH))
    symbol->hits += hits;
  else
    s->unresolved += hits;
}

void
samples_resolve (struct samples *s)
{
  /* Stable, so that of equal addresses the one announced last is found. */
  g_array_sort (s->codes, compare_addresses);
  g_array_sort (s->symbols, compare_addresses);
  for (guint i = 0; i < s->symbols->len; i++)
    g_array_index (s->symbols, struct sample_symbol, i).hits = 0;
  for (guint i = 0; i < s->methods->len; i++)
    g_array_index (s->methods, struct sample_sum, i).hits = 0;
  s->managed = s->unmanaged = s->unresolved = 0;
  GHashTableIter iter;
  gpointer ip, hits;
  g_hash_table_iter_init (&iter, s->ips);
  while (g_hash_table_iter_next (&iter, &ip, &hits))
    resolve (s, *(const uint64_t *) ip, *(const uint64_t *) hits);
}
