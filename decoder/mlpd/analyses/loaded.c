/* loaded.c -- hands loads and unloads to the lifetimes of their kind. */
#include "config.h"

#include "decoder/mlpd/analyses/loaded.h"
#include "decoder/mlpd/analyses/analysis.h"

uint64_t
loaded_errors (const struct loaded *l)
{
  return l->images.errors + l->assemblies.errors + l->domains.errors;
}

static void
init (void *state, const struct scan_options *options)
{
  (void) options;
  struct loaded *l = state;
  lifetimes_init (&l->domains, false);
  lifetimes_init (&l->contexts, true);
  lifetimes_init (&l->images, false);
  lifetimes_init (&l->assemblies, false);
}

static void
clear (void *state)
{
  struct loaded *l = state;
  lifetimes_clear (&l->domains);
  lifetimes_clear (&l->contexts);
  lifetimes_clear (&l->images);
  lifetimes_clear (&l->assemblies);
}

static void
handle_domain (void *state, const struct analysis_event *e)
{
  struct loaded *l = state;
  const struct mlpd_metadata_domain *d = &e->payload->metadata_domain;
  lifetimes_event (&l->domains, d->domain, d->action, d->time, 0, d->name.text, NULL);
}

static void
handle_context (void *state, const struct analysis_event *e)
{
  struct loaded *l = state;
  const struct mlpd_metadata_context *c = &e->payload->metadata_context;
  lifetimes_event (&l->contexts, c->context, c->action, c->time, c->domain, NULL, NULL);
}

static void
handle_image (void *state, const struct analysis_event *e)
{
  struct loaded *l = state;
  const struct mlpd_metadata_image *i = &e->payload->metadata_image;
  lifetimes_event (&l->images, i->image, i->action, i->time, 0, i->name.text, i->mvid.text);
}

static void
handle_assembly (void *state, const struct analysis_event *e)
{
  struct loaded *l = state;
  const struct mlpd_metadata_assembly *a = &e->payload->metadata_assembly;
  lifetimes_event (&l->assemblies, a->assembly, a->action, a->time, a->image, a->name.text, NULL);
}

static const struct analysis_handlers handlers[] = {
  { MLPD_METADATA_DOMAIN, handle_domain, NULL },
  { MLPD_METADATA_CONTEXT, handle_context, NULL },
  { MLPD_METADATA_IMAGE, handle_image, NULL },
  { MLPD_METADATA_ASSEMBLY, handle_assembly, NULL },
};

const struct analysis loaded_analysis = {
  .state_bytes = sizeof (struct loaded), .init = init, .clear = clear, ANALYSIS_HANDLERS (handlers)
};
