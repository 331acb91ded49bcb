/* trace-stacks.c -- numbers the stacks of a trace. */
#include "config.h"

#include "decoder/exports/trace-stacks.h"

void
trace_stacks_init (struct trace_stacks *s)
{
  id_map_init (&s->numbers);
  s->keys = g_array_new (FALSE, FALSE, sizeof (uint64_t));
}

void
trace_stacks_clear (struct trace_stacks *s)
{
  id_map_clear (&s->numbers);
  g_array_unref (s->keys);
}

guint
trace_stacks_inner (struct trace_stacks *s, guint outer, guint name)
{
  const uint64_t key = (uint64_t) outer << 32 | name;
  const guint number = id_map_number (&s->numbers, key);
  if (number == s->keys->len)
    g_array_append_val (s->keys, key);
  return number + 1;
}

guint
trace_stacks_number (struct trace_stacks *s, const struct trace_stack *stack)
{
  struct trace_numbers *known = stack->known;
  guint i = known != NULL ? MIN (known->n, stack->n) : 0;
  guint number = i != 0 ? known->numbers[i - 1] : 0;
  for (; i < stack->n; i++) {
    number = trace_stacks_inner (s, number, stack->frames[i]);
    if (known != NULL)
      known->numbers[i] = number;
  }
  if (known != NULL)
    known->n = MAX (known->n, stack->n);
  return number;
}

guint
trace_stacks_sampled (struct trace *t, struct trace_stacks *s, const struct trace_stack *stack)
{
  const guint number = trace_stacks_number (s, stack);
  return number != 0 ? number : trace_stacks_inner (s, 0, trace_name (t, "[unknown]"));
}
