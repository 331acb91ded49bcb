/* log-survival.c -- the events of a log that objects are followed by. */
#include "config.h"

#include "decoder/command/cli.h"
#include "decoder/log/log-ordered.h"
#include "decoder/command/message.h"
#include "decoder/log/log-passes.h"
#include "decoder/mlpd/mlpd-origin.h"
#include "decoder/mlpd/model/type-traces.h"

struct following {
  struct ordered_log *log;
  const struct survival_model *model;
  struct survival *survival;
  uint64_t objects; /* that are selected */
  bool has_sampling;
  uint64_t sampling; /* of allocations: one in this many bytes; 0: all are in the log */
};

static bool
is_selected (const struct following *f, const struct mlpd_item *item, uint64_t time)
{
  const struct selection *selection = &f->log->r.command->selection;
  return (selection->threads == NULL && !selection_has_times (selection))
         || buffer_filter_has_event (&f->log->mono.filter, item->buffer->thread, time, item->offset,
                                     item->header->data_version, item->kind, item->payload);
}

static guint
row_of (const struct following *f, const struct mlpd_item *item)
{
  const struct mlpd_alloc *e = &item->payload->alloc;
  struct symbols *symbols = f->model->symbols;
  const guint type = item->header->data_version < MLPD_VERSION_ROOT_ADDRESSES
                         ? symbols_use (symbols, SYMBOL_CLASS, e->klass)
                         : symbols_use (symbols, SYMBOL_VTABLE, e->vtable) | TYPE_IS_VTABLE;
  return survival_row_of (f->survival, type,
                          traces_add_addresses (f->model->traces, symbols, e->backtrace));
}

/* Objects that are not selected are followed, too: they end others at their addresses. */
static void
allocate (struct following *f, const struct mlpd_item *item, uint64_t time)
{
  const struct mlpd_alloc *e = &item->payload->alloc;
  const bool selected = is_selected (f, item, time);
  struct type_sum sum = { selected, selected ? e->size : 0 };
  if (!f->has_sampling)
    f->sampling = mlpd_header_alloc_sampling (item->header);
  f->has_sampling = true;
  f->survival->is_sampled = f->sampling != 0;
  if (selected && f->sampling != 0)
    sum = allocation_estimate (e->size, f->sampling);
  f->objects += selected;
  survival_allocate (f->survival, e->object, e->size, selected ? row_of (f, item) : 0, sum);
}

static void
announce (const struct following *f, const struct mlpd_item *item)
{
  const union mlpd_payload *p = item->payload;
  struct symbols *symbols = f->model->symbols;
  if (f->model->has_names)
    return;
  if (item->kind == MLPD_METHOD_JIT)
    symbols_announce (symbols, SYMBOL_METHOD, p->method_jit.method, p->method_jit.name);
  else if (item->kind == MLPD_METADATA_CLASS)
    symbols_announce (symbols, SYMBOL_CLASS, p->metadata_class.klass, p->metadata_class.name);
  else
    symbols_announce_vtable (symbols, p->metadata_vtable.vtable,
                             symbols_use (symbols, SYMBOL_CLASS, p->metadata_vtable.klass));
}

static bool
handle_item (void *data, const struct mlpd_item *item, uint64_t time)
{
  struct following *f = data;
  const union mlpd_payload *p = item->payload;
  switch (item->kind) {
  case MLPD_METHOD_JIT:
  case MLPD_METADATA_CLASS:
  case MLPD_METADATA_VTABLE:
    announce (f, item);
    break;
  case MLPD_ALLOC:
    allocate (f, item, time);
    break;
  case MLPD_GC_MOVE:
    survival_move (f->survival, p->gc_move.objects);
    break;
  case MLPD_GC_EVENT:
    survival_collect (f->survival, &p->gc_event);
    break;
  case MLPD_HEAP_START:
    survival_begin_shot (f->survival);
    break;
  case MLPD_HEAP_OBJECT:
    survival_find_in_shot (f->survival, p->heap_object.object);
    break;
  case MLPD_HEAP_END:
    survival_end_shot (f->survival);
    break;
  default:
    break;
  }
  return true;
}

/* NULL if objects can be followed through the log. */
static const char *
find_lack (const struct following *f)
{
  if (f->objects == 0)
    return selection_is_partial (&f->log->r.command->selection)
               ? "no allocations of what is selected; 'proflog run --allocs' records them"
               : "no allocations; 'proflog run --allocs' records them";
  if (f->survival->collections != 0 && f->survival->moves == 0)
    return "collections, and no moves of objects: which survived is not known; "
           "'proflog run --allocs' records moves";
  return NULL;
}

static int
read_events (struct following *f)
{
  const struct ordered_log *log = f->log;
  if (log->kind == &log_kind_ghc) {
    cli_message ("proflog %s: %s is an eventlog of GHC: only logs of Mono have such stacks",
                 log->r.command->name, log->path);
    return CLI_INPUT;
  }
  mlpd_order_events (&log->mono.order, log->input, handle_item, f);
  const char *lack = find_lack (f);
  if (lack != NULL) {
    cli_message ("proflog %s: %s: it has %s", log->r.command->name, log->path, lack);
    return CLI_INPUT;
  }
  survival_finish (f->survival, f->model->symbols);
  return CLI_OK;
}

static struct ordered_log *
open_log (struct log_command *c, const char *path, struct summary *known, int *status)
{
  return known != NULL && known->options.bins != NULL && known->options.bins->has_all_buffers
             ? ordered_log_open_known (c, path, known, false, status)
             : ordered_log_open (c, path, false, status);
}

int
log_survival_read (struct log_command *c, const char *path, const struct survival_model *model,
                   struct survival *survival)
{
  int status;
  struct following f = { .log = open_log (c, path, model->summary, &status),
                         .model = model,
                         .survival = survival };
  survival_init (survival);
  survival->in_shot = model->in_shot;
  survival->in_shot_data = model->in_shot_data;
  if (f.log == NULL)
    return status;
  const int read = read_events (&f);
  ordered_log_close (f.log);
  return MAX (status, read);
}
