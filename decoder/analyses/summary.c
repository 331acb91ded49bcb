/* summary.c -- hands each item to the analyses that it concerns.
 *
 * What the analyses have in common is kept here: the thread of the buffer, the time, and the class
 * of an object where an event has no field for it.
 */
#include "decoder/analyses/summary.h"
#include "config.h"
#include "decoder/formats/mlpd-describe.h"

void
summary_init (struct summary *s)
{
  *s = (struct summary){ 0 };
  log_init (&s->log);
  symbols_init (&s->symbols);
  threads_init (&s->threads);
  metadata_init (&s->metadata);
  allocations_init (&s->allocations);
  calls_init (&s->calls);
  exceptions_init (&s->exceptions);
  monitors_init (&s->monitors);
  heapshots_init (&s->heapshots);
  runtime_init (&s->runtime);
  traces_init (&s->traces);
}

void
summary_clear (struct summary *s)
{
  log_clear (&s->log);
  symbols_clear (&s->symbols);
  threads_clear (&s->threads);
  metadata_clear (&s->metadata);
  allocations_clear (&s->allocations);
  calls_clear (&s->calls);
  exceptions_clear (&s->exceptions);
  monitors_clear (&s->monitors);
  heapshots_clear (&s->heapshots);
  runtime_clear (&s->runtime);
  traces_clear (&s->traces);
}

/* The class of an object: from the type mark right before, else from its allocation. */
static bool
class_of (struct summary *s, uint64_t object, uint64_t time, guint *klass)
{
  if (s->thread->marked && s->thread->mark_time == time) {
    *klass = s->thread->mark_class;
    return true;
  }
  return allocations_find_class (&s->allocations, object, klass);
}

static void
take_class (struct summary *s, const struct mlpd_metadata_class *e)
{
  metadata_load (&s->metadata, s->metadata.classes, e->klass, e->action);
  s->thread->mark_class = symbols_announce (&s->symbols, SYMBOL_CLASS, e->klass, e->name);
  s->thread->mark_time = e->time;
}

static void
take_event (struct summary *s, const struct mlpd_item *item)
{
  const union mlpd_payload *p = item->payload;
  struct thread *t = s->thread;
  bool known;
  guint klass = 0;
  switch (item->kind) {
  case MLPD_ALLOC:
    klass = symbols_use (&s->symbols, SYMBOL_CLASS, p->alloc.klass);
    allocations_alloc (&s->allocations, klass, &p->alloc);
    break;
  case MLPD_GC_EVENT:
    gc_event (&s->gc, t, &p->gc_event);
    break;
  case MLPD_GC_RESIZE:
    gc_resize (&s->gc, &p->gc_resize);
    break;
  case MLPD_GC_MOVE:
    gc_move (&s->gc, &p->gc_move);
    allocations_move (&s->allocations, p->gc_move.objects);
    break;
  case MLPD_METADATA_CLASS:
    take_class (s, &p->metadata_class);
    break;
  case MLPD_METADATA_IMAGE:
    metadata_load (&s->metadata, s->metadata.images, p->metadata_image.image,
                   p->metadata_image.action);
    symbols_announce (&s->symbols, SYMBOL_IMAGE, p->metadata_image.image, p->metadata_image.name);
    break;
  case MLPD_METADATA_ASSEMBLY:
    metadata_load (&s->metadata, s->metadata.assemblies, p->metadata_assembly.assembly,
                   p->metadata_assembly.action);
    break;
  case MLPD_METADATA_DOMAIN:
    metadata_load (&s->metadata, s->metadata.domains, p->metadata_domain.domain,
                   p->metadata_domain.action);
    break;
  case MLPD_METHOD_ENTER:
    calls_enter (&s->calls, t, symbols_use (&s->symbols, SYMBOL_METHOD, p->method_enter.method),
                 p->method_enter.time);
    break;
  case MLPD_METHOD_LEAVE:
    calls_leave (&s->calls, t, symbols_use (&s->symbols, SYMBOL_METHOD, p->method_leave.method),
                 p->method_leave.time);
    break;
  case MLPD_METHOD_EXC_LEAVE:
    calls_leave (&s->calls, t, symbols_use (&s->symbols, SYMBOL_METHOD, p->method_exc_leave.method),
                 p->method_exc_leave.time);
    break;
  case MLPD_METHOD_JIT:
    metadata_jit (&s->metadata, &p->method_jit);
    symbols_announce (&s->symbols, SYMBOL_METHOD, p->method_jit.method, p->method_jit.name);
    break;
  case MLPD_EXCEPTION_THROW:
    known = class_of (s, p->exception_throw.object, p->exception_throw.time, &klass);
    exceptions_throw (&s->exceptions, known, klass);
    break;
  case MLPD_EXCEPTION_CLAUSE:
    exceptions_clause (&s->exceptions, &p->exception_clause);
    break;
  case MLPD_MONITOR:
    known = class_of (s, p->monitor.object, p->monitor.time, &klass);
    monitors_event (&s->monitors, t, &p->monitor, known, klass);
    break;
  case MLPD_HEAP_START:
    heapshots_start (&s->heapshots, t, p->heap_start.time);
    break;
  case MLPD_HEAP_END:
    if (t->shot != NULL)
      t->shot->roots = roots_shot_ends (&s->runtime.roots);
    heapshots_end (&s->heapshots, t);
    break;
  case MLPD_HEAP_OBJECT:
    klass = symbols_use (&s->symbols, SYMBOL_CLASS, p->heap_object.klass);
    heapshots_object (&s->heapshots, t, klass, &p->heap_object);
    break;
  default:
    break;
  }
  const struct runtime_place place = { .version = s->log.header.data_version,
                                       .start = s->log.first_time,
                                       .thread = t->id };
  runtime_event (&s->runtime, &s->symbols, &s->traces, &place, item->kind, p);
  t->marked = item->kind == MLPD_METADATA_CLASS && p->metadata_class.action == MLPD_LOAD_END_LOAD;
}

void
summary_item (struct summary *s, const struct mlpd_item *item)
{
  switch (item->type) {
  case MLPD_ITEM_BUFFER:
    if (s->thread != NULL)
      calls_pause_thread (s->thread);
    s->thread = threads_get (&s->threads, item->buffer->thread);
    s->thread->marked = false;
    s->time = item->buffer->time_base;
    break;
  case MLPD_ITEM_EVENT:
    mlpd_event_time (item->kind, item->payload, &s->time);
    thread_touch (s->thread, s->time);
    take_event (s, item);
    break;
  default:
    break;
  }
  log_item (&s->log, item, s->time);
}

void
summary_finish (struct summary *s)
{
  runtime_finish (&s->runtime);
  for (guint i = 0; i < s->threads.all->len; i++)
    calls_end_thread (&s->calls, g_ptr_array_index (s->threads.all, i));
  if (s->heapshots.stray_objects != 0) {
    char *message = g_strdup_printf (
        "not counted, because outside of any heap shot: %" G_GUINT64_FORMAT " records of objects",
        s->heapshots.stray_objects);
    log_damage (&s->log, false, message);
    g_free (message);
  }
}
