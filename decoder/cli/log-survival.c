/* log-survival.c -- the events of a log that objects are followed by. */
#include "config.h"

#include "decoder/cli/log-survival.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/message.h"
#include "decoder/mlpd/mlpd-origin.h"
#include "decoder/mlpd/model/type-traces.h"

static bool
is_selected (const struct log_survival *s, const struct mlpd_item *item, uint64_t time)
{
  const struct selection *selection = &s->log->r.command->selection;
  return (selection->threads == NULL && !selection_has_times (selection))
         || buffer_filter_has_event (&s->log->mono.filter, item->buffer->thread, time, item->offset,
                                     item->header->data_version, item->kind, item->payload);
}

static guint
row_of (struct log_survival *s, const struct mlpd_item *item)
{
  const struct mlpd_alloc *e = &item->payload->alloc;
  struct symbols *symbols = s->log->mono.names;
  const struct survival_key key
      = { .trace = traces_add_addresses (&s->traces, symbols, e->backtrace),
          .type = item->header->data_version < MLPD_VERSION_ROOT_ADDRESSES
                      ? symbols_use (symbols, SYMBOL_CLASS, e->klass)
                      : symbols_use (symbols, SYMBOL_VTABLE, e->vtable) | TYPE_IS_VTABLE };
  const guint row = id_map_number (&s->numbers, (uint64_t) key.trace << 32 | key.type);
  if (row == s->keys->len)
    g_array_append_val (s->keys, key);
  return row;
}

/* Objects that are not selected are followed, too: they end others at their addresses. */
static void
allocate (struct log_survival *s, const struct mlpd_item *item, uint64_t time)
{
  const struct mlpd_alloc *e = &item->payload->alloc;
  const bool selected = is_selected (s, item, time);
  struct type_sum sum = { selected ? OBJECT_PARTS : 0, selected ? e->size : 0 };
  if (!s->has_sampling)
    s->sampling = mlpd_header_alloc_sampling (item->header);
  s->has_sampling = true;
  s->survival.is_sampled = s->sampling != 0;
  if (selected && s->sampling != 0)
    sum = allocation_estimate (e->size, s->sampling);
  s->objects += selected;
  survival_allocate (&s->survival, e->object, e->size, selected ? row_of (s, item) : 0, sum);
}

static bool
handle_item (void *data, const struct mlpd_item *item, uint64_t time)
{
  struct log_survival *s = data;
  const union mlpd_payload *p = item->payload;
  switch (item->kind) {
  case MLPD_ALLOC:
    allocate (s, item, time);
    break;
  case MLPD_GC_MOVE:
    survival_move (&s->survival, p->gc_move.objects);
    break;
  case MLPD_GC_EVENT:
    survival_collect (&s->survival, &p->gc_event);
    break;
  case MLPD_HEAP_START:
    survival_begin_shot (&s->survival);
    break;
  case MLPD_HEAP_OBJECT:
    survival_find_in_shot (&s->survival, p->heap_object.object);
    break;
  case MLPD_HEAP_END:
    survival_end_shot (&s->survival);
    break;
  default:
    break;
  }
  return true;
}

/* NULL if objects can be followed through the log. */
static const char *
find_lack (const struct log_survival *s)
{
  if (s->objects == 0)
    return selection_is_partial (&s->log->r.command->selection)
               ? "no allocations (of what is selected); 'proflog run --allocs' records them"
               : "no allocations; 'proflog run --allocs' records them";
  if (s->survival.collections != 0 && s->survival.moves == 0)
    return "collections, and no moves of objects: which survived is not known; "
           "'proflog run --allocs' records moves";
  return NULL;
}

static int
read_events (struct log_survival *s)
{
  const char *lack = "only logs of Mono have such stacks";
  if (s->log->format == LOG_FORMAT_GHC) {
    cli_message ("proflog %s: %s is an eventlog of GHC: %s", s->log->r.command->name, s->log->path,
                 lack);
    return CLI_INPUT;
  }
  mlpd_order_events (&s->log->mono.order, s->log->input, handle_item, s);
  lack = find_lack (s);
  if (lack != NULL) {
    cli_message ("proflog %s: %s: it has %s", s->log->r.command->name, s->log->path, lack);
    return CLI_INPUT;
  }
  survival_finish (&s->survival);
  return CLI_OK;
}

int
log_survival_read (struct log_command *c, const char *path, struct log_survival *s)
{
  int status;
  *s = (struct log_survival){ .log = ordered_log_open (c, path, true, &status) };
  if (s->log == NULL)
    return status;
  survival_init (&s->survival);
  traces_init (&s->traces);
  id_map_init (&s->numbers);
  s->keys = g_array_new (FALSE, FALSE, sizeof (struct survival_key));
  const int read = read_events (s);
  status = MAX (status, read);
  if (status != CLI_OK)
    log_survival_clear (s);
  return status;
}

void
log_survival_clear (struct log_survival *s)
{
  survival_clear (&s->survival);
  traces_clear (&s->traces);
  id_map_clear (&s->numbers);
  g_array_unref (s->keys);
  ordered_log_close (s->log);
}
