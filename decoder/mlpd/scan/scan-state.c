/* scan-state.c -- makes, empties and frees the state of a scan. */
#include "config.h"

#include "decoder/mlpd/scan/scan-state.h"
#include "decoder/mlpd/scan/recent-traces.h"

#include <string.h>

void
scan_init (struct scan *s, const struct scan_options *options)
{
  *s = (struct scan){ .options = *options };
  for (int i = 0; i < SCAN_SYMBOL_KINDS; i++)
    scan_symbols_init (&s->symbols[i]);
  s->threads = g_array_new (FALSE, TRUE, sizeof (struct scan_thread));
  s->events = g_array_new (FALSE, FALSE, sizeof (struct scan_event));
  s->heaps = g_array_new (FALSE, FALSE, sizeof (struct scan_heap));
  s->types = g_array_new (FALSE, TRUE, sizeof (struct scan_type));
  s->alloc_errors = g_array_new (FALSE, TRUE, sizeof (struct allocation_error));
  traces_init (&s->traces);
  trace_sums_init (&s->trace_sums);
  s->trace_methods = g_array_new (FALSE, FALSE, sizeof (guint));
  s->methods = g_array_new (FALSE, TRUE, sizeof (struct scan_method_sum));
  scan_symbols_init (&s->thread_ids);
  s->arena = g_ptr_array_new_with_free_func (g_free);
  s->large = g_ptr_array_new_with_free_func (g_free);
  if (options->traces)
    recent_traces_init (&s->recent_traces);
  if (scan_has_stacks (s)) {
    scan_symbols_init (&s->stacks.keys);
    s->stacks.calls = g_array_new (FALSE, TRUE, sizeof (guint));
    s->stacks.times = g_array_new (FALSE, TRUE, sizeof (struct call_times));
  }
  if (options->bins != NULL)
    scan_bins_init (&s->bins);
}

static void
forget_threads (struct scan *s)
{
  for (guint i = 0; i < s->threads->len; i++) {
    struct scan_thread *t = &g_array_index (s->threads, struct scan_thread, i);
    g_free (t->frames);
    g_clear_pointer (&t->levels, g_array_unref);
    g_free (t->totals);
    g_clear_pointer (&t->calls, g_array_unref);
    g_free (t->methods);
  }
  g_array_set_size (s->threads, 0);
}

static void
forget_heaps (struct scan *s)
{
  for (guint i = 0; i < s->heaps->len; i++) {
    struct scan_heap *heap = &g_array_index (s->heaps, struct scan_heap, i);
    g_array_unref (heap->types);
    g_free (heap->object_types.items);
    g_free (heap->reference_types.items);
    g_clear_pointer (&heap->packed.bytes, g_byte_array_unref);
  }
  g_array_set_size (s->heaps, 0);
}

void
scan_clear (struct scan *s)
{
  forget_threads (s);
  forget_heaps (s);
  mlpd_decoder_clear (&s->decoder);
  for (int i = 0; i < SCAN_SYMBOL_KINDS; i++)
    scan_symbols_clear (&s->symbols[i]);
  g_array_unref (s->methods);
  g_array_unref (s->threads);
  g_array_unref (s->events);
  g_array_unref (s->heaps);
  g_array_unref (s->types);
  g_array_unref (s->alloc_errors);
  traces_clear (&s->traces);
  trace_sums_clear (&s->trace_sums);
  g_array_unref (s->trace_methods);
  recent_traces_clear (&s->recent_traces);
  scan_symbols_clear (&s->thread_ids);
  if (scan_has_stacks (s)) {
    scan_symbols_clear (&s->stacks.keys);
    g_array_unref (s->stacks.calls);
    g_array_unref (s->stacks.times);
  }
  if (s->options.bins != NULL)
    scan_bins_clear (&s->bins);
  g_ptr_array_unref (s->arena);
  g_ptr_array_unref (s->large);
}

void
scan_start (struct scan *s, const struct mlpd_file_header *header, uint64_t alloc_sampling)
{
  forget_threads (s);
  forget_heaps (s);
  for (int i = 0; i < SCAN_SYMBOL_KINDS; i++)
    scan_symbols_start (&s->symbols[i]);
  scan_symbols_start (&s->thread_ids);
  if (scan_has_stacks (s)) {
    scan_symbols_start (&s->stacks.keys);
    g_array_set_size (s->stacks.calls, 0);
    g_array_set_size (s->stacks.times, 0);
    s->stacks.bases = 0;
  }
  if (s->options.bins != NULL)
    scan_bins_start (&s->bins);
  g_ptr_array_set_size (s->large, 0);
  g_array_set_size (s->methods, 0);
  g_array_set_size (s->events, 0);
  g_array_set_size (s->types, 0);
  g_array_set_size (s->alloc_errors, 0);
  traces_start (&s->traces);
  trace_sums_start (&s->trace_sums);
  recent_traces_forget (&s->recent_traces);
  s->arena_blocks = 0;
  s->arena_used = SCAN_ARENA_BLOCK;
  s->retained = 0;
  memset (s->kinds, 0, sizeof s->kinds);
  memset (s->sizes, 0, sizeof s->sizes);
  s->thread = G_MAXUINT;
  s->heap_is_open = s->after_class = s->has_time = false;
  s->before = NO_HIT;
  s->latest = s->threads_ns = 0;
  s->use = BUFFER_INCLUDE;
  s->moves = s->alloc_samples = s->n_events = s->blocks = s->n_thread_methods = 0;
  if (header != NULL && memcmp (header, &s->header, sizeof *header) != 0) {
    mlpd_decoder_start_file (&s->decoder, header);
    s->header = *header;
  }
  if (header != NULL)
    s->alloc_sampling = alloc_sampling;
  s->version = s->decoder.bases.version;
}
