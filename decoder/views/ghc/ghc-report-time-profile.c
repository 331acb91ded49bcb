/* ghc-report-time-profile.c -- the time profile of an eventlog: by cost centre and by stack. */
#include "config.h"

#include "decoder/views/ghc/ghc-report.h"
#include "decoder/views/result.h"

static const struct emitter_column centre_columns[] = {
  { "self_samples", "Self", EMIT_NUMBER },
  { NULL, "%", EMIT_SHARE },
  { "total_samples", "Total", EMIT_NUMBER },
  { NULL, "%", EMIT_SHARE },
  { "self_ns", "Self ms", EMIT_NS },
  { "total_ns", NULL, EMIT_NS },
  { "id", NULL, EMIT_NUMBER },
  { "module", "Module", EMIT_TEXT },
  { "location", "Where", EMIT_TEXT },
  { "name", "Cost centre", EMIT_TEXT },
};
static const struct table_shape centres_shape
    = { .key = "cost_centres",
        .title = "Time by cost centre",
        TABLE_SHAPE_COLUMNS (centre_columns),
        .order = TABLE_KEYS ("self_samples", "total_samples", "name", "id"),
        .name = "name",
        .time = "total_ns" };

/* Nodes have numbers of their own, 0 for MAIN; people see the tree. */
static const struct emitter_column node_columns[] = {
  { "total_samples", "Total", EMIT_NUMBER },
  { NULL, "%", EMIT_SHARE },
  { "self_samples", "Self", EMIT_NUMBER },
  { NULL, "%", EMIT_SHARE },
  { "node", NULL, EMIT_NUMBER },
  { "parent", NULL, EMIT_NUMBER },
  { "depth", NULL, EMIT_NUMBER },
  { "id", NULL, EMIT_NUMBER },
  { "name", NULL, EMIT_TEXT },
  { NULL, "Cost centre", EMIT_TEXT },
};
static const struct table_shape tree_shape = {
  .key = "tree", .title = "Time by stack", TABLE_SHAPE_COLUMNS (node_columns), .name = "name"
};

static const struct emitter_column cap_columns[]
    = { { "cap", "Capability", EMIT_NUMBER }, { "samples", "Samples", EMIT_NUMBER } };
static const struct table_shape caps_shape = { .key = "caps",
                                               .title = "Samples by capability",
                                               TABLE_SHAPE_COLUMNS (cap_columns),
                                               .order = TABLE_KEYS ("samples", "cap"),
                                               .whole = true };

static void
put_centres (struct emitter *e, const struct view *view, const struct ghc_time_profile *p)
{
  GArray *all = ghc_time_profile_centres (p);
  struct table *t = table_new (&centres_shape, view);
  for (guint i = 0; i < all->len; i++) {
    const struct ghc_time_centre *c = &g_array_index (all, struct ghc_time_centre, i);
    const struct ghc_cost_centre *found = ghc_cost_centres_find (&p->centres, c->centre);
    char *name = ghc_cost_centres_name (&p->centres, c->centre);
    SECTION_ROW (t, { .number = c->self }, { .number = emitter_share (c->self, p->samples) },
                 { .number = c->total }, { .number = emitter_share (c->total, p->samples) },
                 { .number = c->self * p->interval }, { .number = c->total * p->interval },
                 { .number = c->centre }, { .text = found != NULL ? found->module : NULL },
                 { .text = found != NULL ? found->location : NULL }, { .text = name });
    g_free (name);
  }
  table_write (t, e);
  g_array_unref (all);
}

static void
put_tree (struct emitter *e, const struct view *view, const struct ghc_time_profile *p)
{
  GArray *tree = ghc_time_profile_tree (p);
  struct table *t = table_new (&tree_shape, view);
  for (guint i = 0; i < tree->len; i++) {
    const guint place = g_array_index (tree, guint, i);
    const struct ghc_time_node *node = &g_array_index (p->nodes, struct ghc_time_node, place);
    char *name = ghc_cost_centres_name (&p->centres, node->centre);
    char *indented = g_strdup_printf ("%*s%s", (int) (node->depth - 1) * 2, "", name);
    SECTION_ROW (t, { .number = node->total },
                 { .number = emitter_share (node->total, p->samples) }, { .number = node->self },
                 { .number = emitter_share (node->self, p->samples) }, { .number = place },
                 { .number = node->parent }, { .number = node->depth }, { .number = node->centre },
                 { .text = name }, { .text = indented });
    g_free (indented);
    g_free (name);
  }
  table_write (t, e);
  g_array_unref (tree);
}

static void
put_caps (struct emitter *e, const struct view *view, const struct ghc_time_profile *p)
{
  struct table *t = table_new (&caps_shape, view);
  GHashTableIter iter;
  gpointer cap, samples;
  g_hash_table_iter_init (&iter, p->caps);
  while (g_hash_table_iter_next (&iter, &cap, &samples))
    SECTION_ROW (t, { .number = GPOINTER_TO_UINT (cap) },
                 { .number = *(const uint64_t *) samples });
  table_write (t, e);
}

static void
put_time_profile (const struct report *r)
{
  const struct ghc_time_profile *p = &r->ghc->time_profile;
  emitter_open (r->e, "time_profile", p->samples != 0 ? "Time profile" : NULL);
  if (p->samples == 0)
    section_absent_rare (r, "Time profile");
  result_number (r->e, TIME_PROFILE_SAMPLES, p->samples);
  result_number (r->e, TIME_PROFILE_INTERVAL_NS, p->interval);
  result_number (r->e, TIME_PROFILE_MAIN_SAMPLES,
                 g_array_index (p->nodes, struct ghc_time_node, 0).self);
  result_number_if (r->e, TIME_PROFILE_CUT_SAMPLES, p->cut != 0, p->cut);
  put_caps (r->e, r->view, p);
  put_centres (r->e, r->view, p);
  put_tree (r->e, r->view, p);
  emitter_close (r->e);
}

const struct section ghc_section_time_profile
    = { .key = "time_profile",
        .put = put_time_profile,
        .tables = SECTION_TABLES (&centres_shape, &tree_shape, &caps_shape),
        .features = GHC_FEATURE_PROFILES };
