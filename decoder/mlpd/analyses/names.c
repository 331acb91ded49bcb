/* names.c -- hands announcements of names to the symbols and threads of the model. */
#include "config.h"

#include "decoder/mlpd/analyses/analysis.h"
#include "decoder/mlpd/analyses/log.h"

static guint
announce_class (const struct analysis_event *e)
{
  const struct mlpd_metadata_class *c = &e->payload->metadata_class;
  return symbols_announce_class (e->model->symbols, c->klass, c->name, c->image);
}

/* In logs of data version 1 a class also marks the type of the object of the next event. */
static void
handle_class (void *state, const struct analysis_event *e)
{
  (void) state;
  e->thread->mark_class = announce_class (e);
  e->thread->mark_time = e->payload->metadata_class.time;
}

static void
name_class (void *state, const struct analysis_event *e)
{
  (void) state;
  announce_class (e);
}

static void
name_image (void *state, const struct analysis_event *e)
{
  (void) state;
  const struct mlpd_metadata_image *i = &e->payload->metadata_image;
  symbols_announce (e->model->symbols, SYMBOL_IMAGE, i->image, i->name);
}

static void
name_vtable (void *state, const struct analysis_event *e)
{
  (void) state;
  struct symbols *symbols = e->model->symbols;
  const struct mlpd_metadata_vtable *v = &e->payload->metadata_vtable;
  symbols_announce_vtable (symbols, v->vtable, symbols_use (symbols, SYMBOL_CLASS, v->klass));
}

static void
name_method (void *state, const struct analysis_event *e)
{
  (void) state;
  const struct mlpd_method_jit *j = &e->payload->method_jit;
  symbols_announce (e->model->symbols, SYMBOL_METHOD, j->method, j->name);
}

static void
name_fields (void *state, const struct analysis_event *e)
{
  (void) state;
  const struct mlpd_counters described = e->payload->sample_counters_desc.counters;
  for (size_t i = 0; i < described.count; i++)
    symbols_describe_class (e->model->symbols, &described.items[i]);
}

static bool
is_own_metadata (const struct analysis_event *e)
{
  return e->thread->id == e->payload->metadata_thread.thread;
}

static void
handle_thread (void *state, const struct analysis_event *e)
{
  (void) state;
  log_thread (e->model->log, &e->payload->metadata_thread);
  threads_metadata (e->model->threads, &e->payload->metadata_thread, is_own_metadata (e));
}

static void
name_thread (void *state, const struct analysis_event *e)
{
  (void) state;
  log_thread (e->model->log, &e->payload->metadata_thread);
  threads_name (e->model->threads, &e->payload->metadata_thread, is_own_metadata (e));
}

static const struct analysis_handlers handlers[] = {
  { MLPD_METADATA_CLASS, handle_class, name_class },
  { MLPD_METADATA_IMAGE, name_image, name_image },
  { MLPD_METADATA_VTABLE, name_vtable, name_vtable },
  { MLPD_METADATA_THREAD, handle_thread, name_thread },
  { MLPD_METHOD_JIT, name_method, name_method },
  { MLPD_SAMPLE_COUNTERS_DESC, name_fields, name_fields },
};

const struct analysis names_analysis = { .is_bounded = true, ANALYSIS_HANDLERS (handlers) };
