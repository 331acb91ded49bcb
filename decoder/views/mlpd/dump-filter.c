/* dump-filter.c -- which items pass --filter, --exclude, --min-bytes and --depth. */
#include "config.h"

#include "decoder/views/mlpd/dump.h"
#include "decoder/mlpd/mlpd-sample-usage.h"
#include "decoder/views/mlpd/dump-filter.h"
#include "decoder/views/mlpd/dump-private.h"

struct names {
  const struct dump *dump;
  bool wanted;   /* some name is */
  bool unwanted; /* likewise */
  bool large;    /* some size is */
};

static void
match (struct names *n, const char *name)
{
  n->wanted |= selection_filters (n->dump->selection, name);
  n->unwanted |= selection_excludes (n->dump->selection, name);
}

static void
match_number (const struct mlpd_field *field, uint64_t value, void *data)
{
  struct names *n = data;
  n->large |= field->unit == MLPD_UNIT_BYTES && value >= n->dump->selection->min_bytes;
  bool named = field->unit == MLPD_UNIT_CLASS || field->unit == MLPD_UNIT_VTABLE
               || field->unit == MLPD_UNIT_METHOD;
  const char *name = named ? dump_name (&n->dump->names, field->unit, value) : NULL;
  if (name != NULL)
    match (n, name);
}

static void
match_text (const struct mlpd_field *field, struct mlpd_string text, void *data)
{
  (void) field;
  match (data, text.text);
}

/* Is the thread requested, and the time? */
static bool
is_selected (const struct dump *d, const struct mlpd_item *item)
{
  if (d->filter == NULL || item->buffer == NULL || item->type == MLPD_ITEM_DAMAGE)
    return true;
  if (item->type == MLPD_ITEM_EVENT)
    return buffer_filter_has_event (d->filter, item->buffer->thread, d->time, item->offset,
                                    item->header->data_version, item->kind, item->payload);
  return buffer_filter_has_time (d->filter, d->time)
         && buffer_filter_has_thread (d->filter, item->buffer->thread, item->offset);
}

/* Hits have times and threads of their own. */
bool
dump_passes_buffer (const struct dump *d, const struct indexed_buffer *buffer)
{
  const struct buffer_filter *filter = d->filter;
  if (filter == NULL || d->selection->depth != 0
      || (buffer->flags & (BUFFER_HAS_NAMES | BUFFER_HAS_HITS)) != 0)
    return false;
  return !buffer_filter_has_thread (filter, buffer->thread, buffer->offset)
         || (!buffer_filter_has_time (filter, buffer->time_base)
             && !(buffer->earliest < filter->to && buffer->latest >= filter->from));
}

/* Follows the stacks.  Is the event a call, or its end, that is deeper than is requested? */
static bool
is_too_deep (struct dump *d, const struct mlpd_item *item)
{
  const union mlpd_payload *p = item->payload;
  if (d->selection == NULL || d->selection->depth == 0 || item->type != MLPD_ITEM_EVENT)
    return false;
  const guint depth = d->selection->depth;
  struct thread *t = threads_get (&d->threads, item->buffer->thread);
  switch (item->kind) {
  case MLPD_METHOD_ENTER:
    calls_enter (&d->calls, t,
                 symbols_use (&d->names.symbols, SYMBOL_METHOD, p->method_enter.method), 0);
    return calls_depth (t) > depth;
  case MLPD_METHOD_LEAVE:
    calls_leave (&d->calls, t,
                 symbols_use (&d->names.symbols, SYMBOL_METHOD, p->method_leave.method), 0);
    break;
  case MLPD_METHOD_EXC_LEAVE:
    calls_leave (&d->calls, t,
                 symbols_use (&d->names.symbols, SYMBOL_METHOD, p->method_exc_leave.method), 0);
    break;
  case MLPD_METADATA_THREAD:
    threads_name (&d->threads, &p->metadata_thread, p->metadata_thread.thread == t->id);
    return false;
  default:
    return false;
  }
  return calls_depth (t) >= depth;
}

static bool
accepts (struct dump *d, const struct mlpd_item *item)
{
  /* Not of lists: an event is not about its backtrace, nor about the references of an object. */
  static const struct mlpd_visitor visitor = { .number = match_number, .text = match_text };
  const struct selection *s = d->selection;
  const bool too_deep = is_too_deep (d, item);
  if (too_deep || !is_selected (d, item))
    return false;
  if (item->type == MLPD_ITEM_DAMAGE || s == NULL
      || (!selection_has_names (s) && s->min_bytes == 0))
    return true;
  /* A filter does not select events without a name; likewise without a size. */
  struct names n = { .dump = d, .wanted = s->filters == NULL, .large = s->min_bytes == 0 };
  if (item->type == MLPD_ITEM_EVENT)
    mlpd_visit (item->kind, item->payload, item->header->data_version, &visitor, &n);
  return n.wanted && !n.unwanted && n.large;
}

/* The usage of a hit has a line where the hit has one. */
bool
dump_accepts (struct dump *d, const struct mlpd_item *item)
{
  struct mlpd_sample_usage usage;
  const bool is_event = item->type == MLPD_ITEM_EVENT;
  const bool is_usage
      = d->is_after_hit && is_event && mlpd_sample_usage_of (item->kind, item->payload, &usage);
  d->is_accepted = is_usage ? d->is_accepted : accepts (d, item);
  d->is_after_hit = is_event && item->kind == MLPD_SAMPLE_HIT;
  return d->is_accepted;
}
