/* trace-spans.c -- numbers spans, whose ids may be those of others that are open. */
#include "config.h"

#include "decoder/trace/trace-spans.h"
#include "decoder/mlpd/mlpd-program-span.h"

void
trace_spans_init (struct trace_spans *s)
{
  s->names = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  s->open
      = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify) g_array_unref);
  s->begun = 0;
}

void
trace_spans_clear (struct trace_spans *s)
{
  g_hash_table_unref (s->names);
  g_hash_table_unref (s->open);
}

static void
begin (struct trace_spans *s, struct trace_marks *marks, const struct mlpd_program_span *span,
       const struct mark_time *at)
{
  const char *name = g_hash_table_lookup (s->names, &span->name);
  GArray *open = g_hash_table_lookup (s->open, &span->id);
  if (open == NULL) {
    open = g_array_new (FALSE, FALSE, sizeof (uint64_t));
    g_hash_table_insert (s->open, g_memdup2 (&span->id, sizeof span->id), open);
  }
  g_array_append_val (open, s->begun);
  trace_mark_span (marks, s->begun++, name != NULL ? name : "(unknown)", at);
}

static void
end (struct trace_spans *s, struct trace_marks *marks, uint64_t id, const struct mark_time *at)
{
  GArray *open = g_hash_table_lookup (s->open, &id);
  if (open == NULL)
    return; /* it began before the log */
  trace_mark_span (marks, g_array_index (open, uint64_t, open->len - 1), NULL, at);
  g_array_set_size (open, open->len - 1);
  if (open->len == 0)
    g_hash_table_remove (s->open, &id);
}

void
trace_spans_note (struct trace_spans *s, struct trace_marks *marks, const struct mlpd_item *item,
                  const struct mark_time *at)
{
  struct mlpd_program_span span;
  uint64_t number;
  const char *name = mlpd_program_span_announced (item->kind, item->payload, &number);
  if (name != NULL)
    g_hash_table_replace (s->names, g_memdup2 (&number, sizeof number), g_strdup (name));
  else if (!mlpd_program_span_of (item->kind, item->payload, &span))
    return;
  else if (span.edge == MLPD_SPAN_BEGIN)
    begin (s, marks, &span, at);
  else if (span.edge == MLPD_SPAN_END)
    end (s, marks, span.id, at);
}
