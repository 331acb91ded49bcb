/* heap-predecessors.c -- reverses the references of a graph in a second thread. */
#include "config.h"

#include "decoder/core/large-array.h"
#include "decoder/heap/heap-predecessors.h"
#include <stdlib.h>
#include <string.h>

/* What is accessed in no order is prefetched this far ahead. */
#define AHEAD 24

/* This many references are worth a thread. */
#define MANY_REFERENCES (1u << 16)

/* ---- turning references round ---- */

static void
count_sources (struct heap_predecessors *p)
{
  const struct heap_graph *g = p->g;
  for (uint32_t r = 0; r < g->n_references; r++) {
    if (g->n_references - r > AHEAD)
      __builtin_prefetch (&p->first[g->targets[r + AHEAD]], 1);
    p->first[g->targets[r]]++;
  }
}

static void *
turn_round (void *data)
{
  struct heap_predecessors *p = data;
  const struct heap_graph *g = p->g;
  const size_t n = (size_t) g->n_objects + 1;
  p->first = large_array_zeroed (n, sizeof *p->first);
  p->sources = large_array (g->n_references, sizeof *p->sources);
  count_sources (p);
  for (size_t i = 1; i < n; i++)
    p->first[i] += p->first[i - 1];
  /* From their ends on to their beginnings. */
  for (uint32_t i = 0; i < g->n_objects; i++)
    for (uint32_t r = g->first[i]; r < g->first[i + 1]; r++) {
      if (g->n_references - r > 2 * AHEAD) {
        __builtin_prefetch (&p->first[g->targets[r + 2 * AHEAD]], 1);
        __builtin_prefetch (&p->sources[p->first[g->targets[r + AHEAD]] - 1], 1);
      }
      p->sources[--p->first[g->targets[r]]] = i;
    }
  return NULL;
}

static void
start_worker (struct heap_predecessors *p, void *(*work) (void *) )
{
  p->is_helped
      = p->g->n_references >= MANY_REFERENCES && pthread_create (&p->helper, NULL, work, p) == 0;
}

void
heap_predecessors_start (struct heap_predecessors *p, const struct heap_graph *g)
{
  *p = (struct heap_predecessors){ .g = g };
  pthread_mutex_init (&p->lock, NULL);
  pthread_cond_init (&p->changed, NULL);
  start_worker (p, turn_round);
}

/* ---- blocks ---- */

/* Puts all that refers to the objects of a block in one list, those of the last object first. */
static size_t
gather (struct heap_predecessors *p, const struct heap_block *block, uint32_t *counts)
{
  const struct heap_search *s = p->search;
  uint32_t starts[HEAP_BLOCK];
  size_t n = 0;
  for (uint32_t w = block->from; w < block->end; w++) {
    if (block->end - w > AHEAD)
      __builtin_prefetch (&p->first[s->objects[w + AHEAD]]);
    const uint32_t object = s->objects[w], i = w - block->from;
    const bool is_needed = w != 0 && !heap_search_is_held (s, w);
    starts[i] = is_needed ? p->first[object] : 0;
    counts[i] = is_needed ? p->first[object + 1] - starts[i] : 0;
    n += counts[i];
  }
  if (n + AHEAD > p->room) {
    p->room = n + AHEAD;
    g_free (p->gathered);
    p->gathered = g_new0 (uint32_t, p->room);
  }
  uint32_t *to = p->gathered;
  for (uint32_t i = block->end - block->from; i-- > 0;) {
    if (i >= AHEAD)
      __builtin_prefetch (&p->sources[starts[i - AHEAD]]);
    memcpy (to, &p->sources[starts[i]], counts[i] * sizeof *to);
    to += counts[i];
  }
  return n;
}

static void
make_block (struct heap_predecessors *p, struct heap_block *block)
{
  const struct heap_search *s = p->search;
  block->from = (uint32_t) (block - p->blocks) * HEAP_BLOCK;
  block->end = MIN (s->n - block->from, HEAP_BLOCK) + block->from;
  block->smallest = g_new (uint32_t, HEAP_BLOCK);
  block->ends = g_new (uint32_t, HEAP_BLOCK);
  gather (p, block, block->ends);
  const uint32_t *at = p->gathered;
  uint32_t n = 0;
  for (uint32_t w = block->end; w-- > block->from;) {
    uint32_t smallest = heap_search_is_held (s, w) ? 0 : s->parents[w];
    for (uint32_t left = block->ends[w - block->from]; left > 0; left--, at++) {
      __builtin_prefetch (&s->numbers[at[AHEAD]]);
      const uint32_t number = s->numbers[*at];
      if (number > w)
        p->gathered[n++] = number;
      else if (number != 0 && number < smallest)
        smallest = number;
    }
    block->smallest[w - block->from] = smallest;
    block->ends[w - block->from] = n;
  }
  block->later = g_new0 (uint32_t, n + HEAP_BLOCK_AHEAD);
  memcpy (block->later, p->gathered, n * sizeof *block->later);
}

static void
block_clear (struct heap_block *block)
{
  g_clear_pointer (&block->smallest, g_free);
  g_clear_pointer (&block->ends, g_free);
  g_clear_pointer (&block->later, g_free);
}

static void *
make_blocks (void *data)
{
  struct heap_predecessors *p = data;
  for (uint32_t i = p->n_blocks; i-- > 0;) {
    make_block (p, &p->blocks[i]);
    pthread_mutex_lock (&p->lock);
    p->left = i;
    pthread_cond_signal (&p->changed);
    pthread_mutex_unlock (&p->lock);
  }
  return NULL;
}

void
heap_predecessors_number (struct heap_predecessors *p, const struct heap_search *s)
{
  if (p->is_helped)
    pthread_join (p->helper, NULL);
  else
    turn_round (p);
  p->search = s;
  p->n_blocks = p->left = (s->n - 1) / HEAP_BLOCK + 1;
  p->blocks = g_new0 (struct heap_block, p->n_blocks);
  start_worker (p, make_blocks);
}

const struct heap_block *
heap_predecessors_next_block (struct heap_predecessors *p, uint32_t i)
{
  if (i + 1 < p->n_blocks)
    block_clear (&p->blocks[i + 1]);
  if (!p->is_helped) {
    make_block (p, &p->blocks[i]);
    return &p->blocks[i];
  }
  pthread_mutex_lock (&p->lock);
  while (p->left > i)
    pthread_cond_wait (&p->changed, &p->lock);
  pthread_mutex_unlock (&p->lock);
  return &p->blocks[i];
}

void
heap_predecessors_clear (struct heap_predecessors *p)
{
  if (p->is_helped)
    pthread_join (p->helper, NULL);
  block_clear (&p->blocks[0]);
  g_free (p->blocks);
  g_free (p->gathered);
  free (p->first);
  free (p->sources);
  pthread_cond_destroy (&p->changed);
  pthread_mutex_destroy (&p->lock);
}
