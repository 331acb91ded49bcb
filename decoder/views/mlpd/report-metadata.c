/* report-metadata.c -- what was compiled and loaded, and how much of it ran. */
#include "config.h"

#include "decoder/mlpd/analyses/coverage.h"
#include "decoder/mlpd/analyses/helpers.h"
#include "decoder/mlpd/analyses/loaded.h"
#include "decoder/mlpd/analyses/metadata.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/views/mlpd/report.h"

/* ---- jit ---- */

static const struct emitter_column helper_columns[] = { { "helpers", "Helpers", EMIT_NUMBER },
                                                        { "bytes", "Bytes", EMIT_NUMBER },
                                                        { "type", "Of", EMIT_TEXT } };
static const struct table_shape helper_types = { .key = "helper_types",
                                                 TABLE_SHAPE_COLUMNS (helper_columns),
                                                 .order = TABLE_KEYS ("helpers"),
                                                 .whole = true,
                                                 .aside = true };

static void
put_helper_types (const struct report *r)
{
  const struct helpers *helpers = SUMMARY_STATE (r->s, helpers);
  struct table *t = section_table (r, &helper_types);
  for (guint i = 0; i < HELPER_TYPES; i++) {
    const struct helper_sum *sum = &helpers->types[i];
    const uint64_t type = i < HELPER_TYPES - 1 ? i : MLPD_HELPER_TYPE_UNKNOWN;
    if (sum->count != 0)
      SECTION_ROW (t, { .number = sum->count }, { .number = sum->bytes },
                   { .text = mlpd_value_name (MLPD_UNIT_HELPER_TYPE, type) });
  }
  table_write (t, r->e);
}

static void
put_jit (const struct report *r)
{
  const struct metadata *m = SUMMARY_STATE (r->s, metadata);
  const struct helper_sum *helpers = &SUMMARY_STATE (r->s, helpers)->all;
  const bool any = helpers->count != 0;
  section_open (r, "jit", "JIT", m->methods != 0 || any);
  emitter_number (r->e, "methods", "Compiled methods", m->methods);
  emitter_number (r->e, "code_bytes", "Code bytes", m->code_bytes);
  emitter_number (r->e, "helpers", any ? "Helpers" : NULL, helpers->count);
  emitter_number (r->e, "helper_bytes", any ? "Helper bytes" : NULL, helpers->bytes);
  put_helper_types (r);
  emitter_close (r->e);
}

const struct section section_jit
    = { .key = "jit", .put = put_jit, .tables = SECTION_TABLES (&helper_types) };

/* ---- metadata ---- */

static const struct emitter_column image_columns[] = { { "image", NULL, EMIT_ADDRESS },
                                                       { "mvid", NULL, EMIT_TEXT },
                                                       { "name", "Image", EMIT_TEXT } };
static const struct table_shape images
    = { .key = "image_files", TABLE_SHAPE_COLUMNS (image_columns), .whole = true, .aside = true };

static const struct emitter_column assembly_columns[]
    = { { "image", NULL, EMIT_ADDRESS }, { "name", "Assembly", EMIT_TEXT } };
static const struct table_shape assemblies = {
  .key = "assembly_names", TABLE_SHAPE_COLUMNS (assembly_columns), .whole = true, .aside = true
};

static void
put_loaded (const struct report *r, const struct lifetimes *lifetimes,
            const struct table_shape *shape)
{
  struct table *t = section_table (r, shape);
  for (guint i = 0; i < lifetimes->all->len; i++) {
    const struct lifetime *lifetime = g_ptr_array_index (lifetimes->all, i);
    if (lifetime->loaded && shape == &images)
      SECTION_ROW (t, { .number = lifetime->id }, { .text = lifetime->mvid },
                   { .text = lifetime->name });
    else if (lifetime->loaded)
      SECTION_ROW (t, { .number = lifetime->owner }, { .text = lifetime->name });
  }
  table_write (t, r->e);
}

/* Coverage was recorded by few versions: programs always find it, people if there is any. */
static void
put_coverage (const struct report *r)
{
  const struct coverage *c = SUMMARY_STATE (r->s, coverage);
  const bool any = c->assemblies + c->classes + c->methods + c->statements != 0;
  emitter_open (r->e, "coverage", any ? "Coverage" : NULL);
  emitter_number (r->e, "assemblies", "Assemblies", c->assemblies);
  emitter_number (r->e, "classes", "Classes", c->classes);
  emitter_number (r->e, "methods", "Methods", c->all_methods);
  emitter_number (r->e, "full_methods", "Covered methods", c->full_methods);
  emitter_number (r->e, "partial_methods", "In part", c->partial_methods);
  emitter_number (r->e, "detailed_methods", NULL, c->methods);
  emitter_number (r->e, "statements", "Statements", c->statements);
  emitter_number (r->e, "covered_statements", "Covered statements", c->covered_statements);
  emitter_close (r->e);
}

static void
put_metadata (const struct report *r)
{
  const struct metadata *m = SUMMARY_STATE (r->s, metadata);
  const struct loaded *u = SUMMARY_STATE (r->s, loaded);
  const uint64_t load_errors = m->load_errors + loaded_errors (u);
  const guint n_images = lifetimes_loaded (&u->images),
              n_assemblies = lifetimes_loaded (&u->assemblies);
  const guint classes = g_hash_table_size (m->classes);
  const guint domains = u->domains.all->len, contexts = u->contexts.all->len;
  section_open (r, "metadata", "Metadata",
                n_images + n_assemblies + classes + domains + contexts + load_errors != 0);
  emitter_number (r->e, "images", "Images", n_images);
  emitter_number (r->e, "assemblies", n_assemblies != 0 ? "Assemblies" : NULL, n_assemblies);
  emitter_number (r->e, "classes", "Classes", classes);
  emitter_number (r->e, "domains", domains != 0 ? "Domains" : NULL, domains);
  emitter_number (r->e, "contexts", contexts != 0 ? "Contexts" : NULL, contexts);
  emitter_number (r->e, "load_errors", load_errors != 0 ? "Failed loads" : NULL, load_errors);
  if (!r->view->is_brief) {
    put_loaded (r, &u->images, &images);
    put_loaded (r, &u->assemblies, &assemblies);
  }
  put_coverage (r);
  emitter_close (r->e);
}

const struct section section_metadata
    = { .key = "metadata", .put = put_metadata, .tables = SECTION_TABLES (&images, &assemblies) };
