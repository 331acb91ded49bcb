/* analysis.c -- parts of an event that the handlers of several analyses need. */
#include "config.h"

#include "decoder/mlpd/analyses/analysis.h"

guint
analysis_trace (const struct analysis_event *e, struct mlpd_list backtrace)
{
  const struct analysis_model *m = e->model;
  return m->options->traces ? traces_add_addresses (m->traces, m->symbols, backtrace) : TRACE_NONE;
}

guint
analysis_type (const struct analysis_event *e, uint64_t klass, uint64_t vtable)
{
  return e->version < MLPD_VERSION_ROOT_ADDRESSES
             ? symbols_use (e->model->symbols, SYMBOL_CLASS, klass)
             : symbols_use (e->model->symbols, SYMBOL_VTABLE, vtable) | TYPE_IS_VTABLE;
}

struct type_ref
analysis_object_type (const struct analysis_event *e, uint64_t time)
{
  if (e->follows_class && e->thread->mark_time == time)
    return (struct type_ref){ .is_known = true, .type = e->thread->mark_class };
  return (
      struct type_ref){ .is_pending = e->model->options->types, .time = time, .offset = e->offset };
}
