/* runtime.c -- hands events to the analyses that they concern. */
#include "decoder/analyses/runtime.h"
#include "config.h"

#define NS_PER_MS 1000000

void
runtime_init (struct runtime *r)
{
  *r = (struct runtime){ .methods = g_array_new (FALSE, FALSE, sizeof (guint)) };
  samples_init (&r->samples);
  counters_init (&r->counters);
  handles_init (&r->handles);
  finalizers_init (&r->finalizers);
  roots_init (&r->roots);
  lives_init (&r->domains, false);
  lives_init (&r->contexts, true);
  lives_init (&r->images, false);
  lives_init (&r->assemblies, false);
}

void
runtime_clear (struct runtime *r)
{
  samples_clear (&r->samples);
  counters_clear (&r->counters);
  handles_clear (&r->handles);
  finalizers_clear (&r->finalizers);
  roots_clear (&r->roots);
  lives_clear (&r->domains);
  lives_clear (&r->contexts);
  lives_clear (&r->images);
  lives_clear (&r->assemblies);
  g_array_free (r->methods, TRUE);
}

static guint
trace_of (struct symbols *symbols, struct traces *traces, struct mlpd_list list)
{
  return traces != NULL ? traces_add_addresses (traces, symbols, list) : TRACE_NONE;
}

static void
take_hit (struct runtime *r, struct symbols *symbols, const struct runtime_place *place,
          const struct mlpd_sample_hit *hit)
{
  g_array_set_size (r->methods, 0);
  for (size_t i = 0; i < hit->frames.count; i++) {
    const guint method = symbols_use (symbols, SYMBOL_METHOD, hit->frames.items[i].method);
    g_array_append_val (r->methods, method);
  }
  const uint64_t thread
      = place->version >= MLPD_VERSION_SAMPLED_THREADS ? hit->thread : place->thread;
  samples_hit (&r->samples, hit, thread, (const guint *) (const void *) r->methods->data);
}

/* Up to data version 12 values have a time of their own. */
static uint64_t
time_of_values (const struct runtime_place *place, const struct mlpd_sample_counters *event)
{
  return place->version < MLPD_VERSION_NO_FLAGS ? place->start + event->timestamp_ms * NS_PER_MS
                                                : event->time;
}

static void
take_load (struct runtime *r, enum mlpd_kind kind, const union mlpd_payload *p)
{
  switch (kind) {
  case MLPD_METADATA_IMAGE:
    lives_event (&r->images, p->metadata_image.image, p->metadata_image.action,
                 p->metadata_image.time, 0, p->metadata_image.name.text,
                 p->metadata_image.mvid.text);
    break;
  case MLPD_METADATA_ASSEMBLY:
    lives_event (&r->assemblies, p->metadata_assembly.assembly, p->metadata_assembly.action,
                 p->metadata_assembly.time, p->metadata_assembly.image,
                 p->metadata_assembly.name.text, NULL);
    break;
  case MLPD_METADATA_DOMAIN:
    lives_event (&r->domains, p->metadata_domain.domain, p->metadata_domain.action,
                 p->metadata_domain.time, 0, p->metadata_domain.name.text, NULL);
    break;
  case MLPD_METADATA_CONTEXT:
    lives_event (&r->contexts, p->metadata_context.context, p->metadata_context.action,
                 p->metadata_context.time, p->metadata_context.domain, NULL, NULL);
    break;
  default:
    break;
  }
}

static void
take_finalizer (struct finalizers *f, uint64_t thread, enum mlpd_kind kind,
                const union mlpd_payload *p)
{
  switch (kind) {
  case MLPD_GC_FINALIZE_START:
    finalizers_start (f, thread, p->gc_finalize_start.time);
    break;
  case MLPD_GC_FINALIZE_END:
    finalizers_end (f, thread, p->gc_finalize_end.time);
    break;
  case MLPD_GC_FINALIZE_OBJECT_START:
    finalizers_object_start (f, thread, p->gc_finalize_object_start.time);
    break;
  case MLPD_GC_FINALIZE_OBJECT_END:
    finalizers_object_end (f, thread, p->gc_finalize_object_end.time);
    break;
  default:
    break;
  }
}

static void
take_coverage (struct coverage *c, enum mlpd_kind kind, const union mlpd_payload *p)
{
  switch (kind) {
  case MLPD_COVERAGE_ASSEMBLY:
    coverage_assembly (c, &p->coverage_assembly);
    break;
  case MLPD_COVERAGE_CLASS:
    coverage_class (c);
    break;
  case MLPD_COVERAGE_METHOD:
    coverage_method (c);
    break;
  case MLPD_COVERAGE_STATEMENT:
    coverage_statement (c, &p->coverage_statement);
    break;
  default:
    break;
  }
}

void
runtime_event (struct runtime *r, struct symbols *symbols, struct traces *traces,
               const struct runtime_place *place, enum mlpd_kind kind, const union mlpd_payload *p)
{
  switch (kind) {
  case MLPD_METHOD_JIT:
    samples_code (&r->samples, symbols_use (symbols, SYMBOL_METHOD, p->method_jit.method),
                  p->method_jit.code, p->method_jit.size);
    break;
  case MLPD_SAMPLE_HIT:
    take_hit (r, symbols, place, &p->sample_hit);
    break;
  case MLPD_SAMPLE_SYMBOL:
    samples_symbol (&r->samples, &p->sample_symbol);
    break;
  case MLPD_SAMPLE_COUNTERS_DESC:
    counters_describe (&r->counters, &p->sample_counters_desc);
    break;
  case MLPD_SAMPLE_COUNTERS:
    counters_update (&r->counters, &p->sample_counters,
                     time_of_values (place, &p->sample_counters));
    break;
  case MLPD_GC_HANDLE_CREATED:
    handles_created (&r->handles, &p->gc_handle_created,
                     trace_of (symbols, traces, p->gc_handle_created.backtrace));
    break;
  case MLPD_GC_HANDLE_DESTROYED:
    handles_destroyed (&r->handles, &p->gc_handle_destroyed,
                       trace_of (symbols, traces, p->gc_handle_destroyed.backtrace));
    break;
  case MLPD_RUNTIME_JIT_HELPER:
    helpers_add (&r->helpers, &p->runtime_jit_helper);
    break;
  case MLPD_HEAP_START:
    roots_shot_starts (&r->roots, place->version);
    break;
  case MLPD_HEAP_ROOT:
    roots_met (&r->roots, &p->heap_root, place->version);
    break;
  case MLPD_HEAP_ROOT_REGISTER:
    roots_register (&r->roots, &p->heap_root_register);
    break;
  case MLPD_HEAP_ROOT_UNREGISTER:
    roots_unregister (&r->roots, &p->heap_root_unregister);
    break;
  default:
    take_load (r, kind, p);
    take_finalizer (&r->finalizers, place->thread, kind, p);
    take_coverage (&r->coverage, kind, p);
    break;
  }
}

void
runtime_name (struct runtime *r, struct symbols *symbols, enum mlpd_kind kind,
              const union mlpd_payload *p)
{
  switch (kind) {
  case MLPD_METHOD_JIT:
    samples_code (&r->samples, symbols_use (symbols, SYMBOL_METHOD, p->method_jit.method),
                  p->method_jit.code, p->method_jit.size);
    break;
  case MLPD_SAMPLE_SYMBOL:
    samples_symbol (&r->samples, &p->sample_symbol);
    break;
  case MLPD_SAMPLE_COUNTERS_DESC:
    counters_describe (&r->counters, &p->sample_counters_desc);
    break;
  case MLPD_SAMPLE_COUNTERS:
    counters_pass (&r->counters, &p->sample_counters);
    break;
  case MLPD_HEAP_ROOT_REGISTER:
    roots_know (&r->roots, &p->heap_root_register);
    break;
  case MLPD_HEAP_ROOT_UNREGISTER:
    roots_forget (&r->roots, p->heap_root_unregister.start);
    break;
  default:
    break;
  }
}

void
runtime_finish (struct runtime *r)
{
  samples_resolve (&r->samples);
  handles_finish (&r->handles);
}
