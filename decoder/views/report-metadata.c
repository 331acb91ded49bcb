/* report-metadata.c -- what was compiled and loaded. */
#include "config.h"

#include "decoder/views/report.h"

static void
put_jit (const struct report *r)
{
  section_open (r, "jit", "JIT", r->s->metadata.methods != 0);
  emitter_number (r->e, "methods", "Compiled methods", r->s->metadata.methods);
  emitter_number (r->e, "code_bytes", "Code bytes", r->s->metadata.code_bytes);
  emitter_number (r->e, "helpers", NULL, 0);
  emitter_number (r->e, "helper_bytes", NULL, 0);
  emitter_close (r->e);
}

const struct section section_jit = { .key = "jit", .put = put_jit };

static void
put_metadata (const struct report *r)
{
  const struct metadata *m = &r->s->metadata;
  guint images = g_hash_table_size (m->images), assemblies = g_hash_table_size (m->assemblies);
  guint classes = g_hash_table_size (m->classes), domains = g_hash_table_size (m->domains);
  section_open (r, "metadata", "Metadata",
                images + assemblies + classes + domains + m->load_errors != 0);
  emitter_number (r->e, "images", "Images", images);
  emitter_number (r->e, "assemblies", assemblies != 0 ? "Assemblies" : NULL, assemblies);
  emitter_number (r->e, "classes", "Classes", classes);
  emitter_number (r->e, "domains", domains != 0 ? "Domains" : NULL, domains);
  emitter_number (r->e, "contexts", NULL, 0);
  emitter_number (r->e, "load_errors", m->load_errors != 0 ? "Failed loads" : NULL, m->load_errors);
  emitter_close (r->e);
}

const struct section section_metadata = { .key = "metadata", .put = put_metadata };
