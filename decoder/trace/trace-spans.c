/* trace-spans.c -- numbers spans, whose ids may be those of others that are open. */
#include "config.h"

#include "decoder/trace/trace-spans.h"
#include "decoder/mlpd/mlpd-program-span.h"

/* ---- spans of traces ---- */

static void
note_link (void *data, uint64_t id, const char *name)
{
  struct trace_spans *s = data;
  const struct trace_linked_span link = { s->present->trace_high, s->present->trace_low, id };
  (void) name;
  g_array_append_val (s->links, link);
}

static void
put_stay (void *data, uint64_t number, uint64_t thread, uint64_t from, uint64_t to)
{
  const struct trace_spans *s = data;
  const struct trace_linked_span *link
      = &g_array_index (s->links, struct trace_linked_span, number);
  if ((link->trace_high | link->trace_low) != 0)
    s->put (s->data, thread, link, from, to);
}

static void
ignore_end (void *data, uint64_t number, uint64_t duration_ns)
{
  (void) data;
  (void) number;
  (void) duration_ns;
}

static void
follow_links (struct trace_spans *s, const struct mlpd_item *item,
              const struct mlpd_program_span *span, uint64_t time)
{
  s->present = span;
  span_costs_edge (&s->places, span_costs_thread (&s->places, item->buffer->thread, time, true),
                   time, span);
}

void
trace_spans_finish (struct trace_spans *s)
{
  if (s->put != NULL)
    span_costs_finish (&s->places);
}

/* ---- all spans ---- */

void
trace_spans_init (struct trace_spans *s, trace_spans_put *put, void *data)
{
  s->put = put;
  s->data = data;
  if (put != NULL) {
    s->watch = (struct span_watch){ note_link, put_stay, ignore_end, s };
    s->links = g_array_new (FALSE, FALSE, sizeof (struct trace_linked_span));
    span_costs_init (&s->places, 0, UINT64_MAX);
    s->places.watch = &s->watch;
  }
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
  if (s->put != NULL) {
    span_costs_clear (&s->places);
    g_array_unref (s->links);
  }
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
  if (name != NULL || !mlpd_program_span_of (item->kind, item->payload, &span))
    return;
  if (s->put != NULL)
    follow_links (s, item, &span, at->time);
  if (span.edge == MLPD_SPAN_BEGIN)
    begin (s, marks, &span, at);
  else if (span.edge == MLPD_SPAN_END)
    end (s, marks, span.id, at);
}
