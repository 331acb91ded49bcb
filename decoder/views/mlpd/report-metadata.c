/* report-metadata.c -- compiled methods and loaded assemblies, and the part of these that ran. */
#include "config.h"

#include "decoder/mlpd/analyses/coverage.h"
#include "decoder/mlpd/analyses/helpers.h"
#include "decoder/mlpd/analyses/loaded.h"
#include "decoder/mlpd/analyses/metadata.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/views/result.h"

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
  result_number (r->e, JIT_METHODS, m->methods);
  result_number (r->e, JIT_CODE_BYTES, m->code_bytes);
  result_number_if (r->e, JIT_HELPERS, any, helpers->count);
  result_number_if (r->e, JIT_HELPER_BYTES, any, helpers->bytes);
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
  result_number (r->e, METADATA_COVERAGE_ASSEMBLIES, c->assemblies);
  result_number (r->e, METADATA_COVERAGE_CLASSES, c->classes);
  result_number (r->e, METADATA_COVERAGE_METHODS, c->all_methods);
  result_number (r->e, METADATA_COVERAGE_FULL_METHODS, c->full_methods);
  result_number (r->e, METADATA_COVERAGE_PARTIAL_METHODS, c->partial_methods);
  result_number (r->e, METADATA_COVERAGE_DETAILED_METHODS, c->methods);
  result_number (r->e, METADATA_COVERAGE_STATEMENTS, c->statements);
  result_number (r->e, METADATA_COVERAGE_COVERED_STATEMENTS, c->covered_statements);
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
  result_number (r->e, METADATA_IMAGES, n_images);
  result_number_if (r->e, METADATA_ASSEMBLIES, n_assemblies != 0, n_assemblies);
  result_number (r->e, METADATA_CLASSES, classes);
  result_number_if (r->e, METADATA_DOMAINS, domains != 0, domains);
  result_number_if (r->e, METADATA_CONTEXTS, contexts != 0, contexts);
  result_number_if (r->e, METADATA_LOAD_ERRORS, load_errors != 0, load_errors);
  if (!r->view->is_brief) {
    put_loaded (r, &u->images, &images);
    put_loaded (r, &u->assemblies, &assemblies);
  }
  put_coverage (r);
  emitter_close (r->e);
}

const struct section section_metadata
    = { .key = "metadata", .put = put_metadata, .tables = SECTION_TABLES (&images, &assemblies) };
