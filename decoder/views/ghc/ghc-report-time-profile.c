/* ghc-report-time-profile.c -- the time profile of an eventlog, or its call stacks: by cost centre
 * or function, and by stack. */
#include "config.h"

#include "decoder/views/ghc/ghc-report.h"
#include "decoder/views/result.h"
#include "decoder/views/section-parts.h"

static const struct emitter_column centre_columns[] = {
  { "self_samples", "Self", EMIT_NUMBER },
  { NULL, "%", EMIT_SHARE },
  SECTION_INTERVAL ("self_samples", "", EMIT_NUMBER),
  { "total_samples", "Total", EMIT_NUMBER },
  { NULL, "%", EMIT_SHARE },
  SECTION_INTERVAL_RAW ("total_samples", "", EMIT_NUMBER),
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
  SECTION_INTERVAL ("total_samples", "", EMIT_NUMBER),
  { "self_samples", "Self", EMIT_NUMBER },
  { NULL, "%", EMIT_SHARE },
  SECTION_INTERVAL_RAW ("self_samples", "", EMIT_NUMBER),
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

/* Of call stacks: they have no time. */
static const struct emitter_column frame_columns[] = {
  { "self_samples", "Self", EMIT_NUMBER },
  { NULL, "%", EMIT_SHARE },
  SECTION_INTERVAL ("self_samples", "", EMIT_NUMBER),
  { "total_samples", "Total", EMIT_NUMBER },
  { NULL, "%", EMIT_SHARE },
  SECTION_INTERVAL_RAW ("total_samples", "", EMIT_NUMBER),
  { "id", NULL, EMIT_NUMBER },
  { "kind", NULL, EMIT_TEXT },
  { "module", NULL, EMIT_TEXT },
  { "location", "Where", EMIT_TEXT },
  { "name", "Function", EMIT_TEXT },
};
static const struct table_shape frames_shape
    = { .key = "frames",
        .title = "Samples by function",
        TABLE_SHAPE_COLUMNS (frame_columns),
        .order = TABLE_KEYS ("self_samples", "total_samples", "name", "id"),
        .name = "name" };

static const struct emitter_column frame_node_columns[] = {
  { "total_samples", "Total", EMIT_NUMBER },
  { NULL, "%", EMIT_SHARE },
  SECTION_INTERVAL ("total_samples", "", EMIT_NUMBER),
  { "self_samples", "Self", EMIT_NUMBER },
  { NULL, "%", EMIT_SHARE },
  SECTION_INTERVAL_RAW ("self_samples", "", EMIT_NUMBER),
  { "node", NULL, EMIT_NUMBER },
  { "parent", NULL, EMIT_NUMBER },
  { "depth", NULL, EMIT_NUMBER },
  { "id", NULL, EMIT_NUMBER },
  { "name", NULL, EMIT_TEXT },
  { NULL, "Function", EMIT_TEXT },
};
static const struct table_shape frame_tree_shape = { .key = "tree",
                                                     .title = "Samples by stack",
                                                     TABLE_SHAPE_COLUMNS (frame_node_columns),
                                                     .name = "name" };

static const struct emitter_column cap_columns[]
    = { { "cap", "Capability", EMIT_NUMBER }, { "samples", "Samples", EMIT_NUMBER } };
static const struct table_shape caps_shape = { .key = "caps",
                                               .title = "Samples by capability",
                                               TABLE_SHAPE_COLUMNS (cap_columns),
                                               .order = TABLE_KEYS ("samples", "cap"),
                                               .whole = true };

static struct section_interval
interval_of (const struct ghc_time_profile *p, uint64_t samples)
{
  return section_interval (samples, p->samples, (double) p->samples);
}

static void
put_centres (struct emitter *e, const struct view *view, const struct ghc_time_profile *p)
{
  GArray *all = ghc_time_profile_frames (p);
  struct table *t = table_new (&centres_shape, view);
  for (guint i = 0; i < all->len; i++) {
    const struct ghc_time_frame *f = &g_array_index (all, struct ghc_time_frame, i);
    g_autofree char *name = ghc_time_profile_name (p, f->frame);
    g_autofree char *location = ghc_time_profile_location (p, f->frame);
    const struct section_interval self = interval_of (p, f->self),
                                  total = interval_of (p, f->total);
    SECTION_ROW (t, { .number = f->self }, { .number = emitter_share (f->self, p->samples) },
                 SECTION_INTERVAL_CELLS (self), { .number = f->total },
                 { .number = emitter_share (f->total, p->samples) }, { .number = total.low },
                 { .number = total.high }, { .number = f->self * p->interval },
                 { .number = f->total * p->interval }, { .number = f->frame },
                 { .text = ghc_time_profile_module (p, f->frame) }, { .text = location },
                 { .text = name });
  }
  table_write (t, e);
  g_array_unref (all);
}

static void
put_functions (struct emitter *e, const struct view *view, const struct ghc_time_profile *p)
{
  GArray *all = ghc_time_profile_frames (p);
  struct table *t = table_new (&frames_shape, view);
  for (guint i = 0; i < all->len; i++) {
    const struct ghc_time_frame *f = &g_array_index (all, struct ghc_time_frame, i);
    g_autofree char *name = ghc_time_profile_name (p, f->frame);
    g_autofree char *location = ghc_time_profile_location (p, f->frame);
    const struct section_interval self = interval_of (p, f->self),
                                  total = interval_of (p, f->total);
    SECTION_ROW (t, { .number = f->self }, { .number = emitter_share (f->self, p->samples) },
                 SECTION_INTERVAL_CELLS (self), { .number = f->total },
                 { .number = emitter_share (f->total, p->samples) }, { .number = total.low },
                 { .number = total.high }, { .number = f->frame },
                 { .text = ghc_time_profile_kind (p, f->frame) },
                 { .text = ghc_time_profile_module (p, f->frame) }, { .text = location },
                 { .text = name });
  }
  table_write (t, e);
  g_array_unref (all);
}

static void
put_tree (struct emitter *e, const struct view *view, const struct ghc_time_profile *p)
{
  GArray *tree = ghc_time_profile_tree (p);
  struct table *t = table_new (p->has_call_stacks ? &frame_tree_shape : &tree_shape, view);
  for (guint i = 0; i < tree->len; i++) {
    const guint place = g_array_index (tree, guint, i);
    const struct ghc_time_node *node = &g_array_index (p->nodes, struct ghc_time_node, place);
    g_autofree char *name = ghc_time_profile_name (p, node->frame);
    g_autofree char *indented = g_strdup_printf ("%*s%s", (int) (node->depth - 1) * 2, "", name);
    const struct section_interval self = interval_of (p, node->self),
                                  total = interval_of (p, node->total);
    SECTION_ROW (t, { .number = node->total },
                 { .number = emitter_share (node->total, p->samples) },
                 SECTION_INTERVAL_CELLS (total), { .number = node->self },
                 { .number = emitter_share (node->self, p->samples) }, { .number = self.low },
                 { .number = self.high }, { .number = place }, { .number = node->parent },
                 { .number = node->depth }, { .number = node->frame }, { .text = name },
                 { .text = indented });
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

/* A count that people see if there is something to count. */
static void
put_fault (struct emitter *e, enum result result, uint64_t count)
{
  result_number_if (e, result, count != 0, count);
}

/* The origin of the stacks, and their gaps. */
static void
put_call_stacks (struct emitter *e, const struct ghc_time_profile *p)
{
  const struct ghc_call_stacks *stacks = &p->stacks;
  const uint64_t functions = stacks->tables.count, texts = stacks->marks.count;
  uint64_t unnamed_functions = 0, unnamed_texts = 0;
  for (uint64_t i = 0; i < functions; i++)
    unnamed_functions += !ghc_call_stacks_names (stacks, p->provenances, (uint32_t) (2 * i));
  for (uint64_t i = 0; i < texts; i++)
    unnamed_texts += !ghc_call_stacks_names (stacks, p->provenances, (uint32_t) (2 * i + 1));
  result_text (e, TIME_PROFILE_ORDER, p->is_innermost ? "innermost first" : "outermost first");
  put_fault (e, TIME_PROFILE_EMPTY_SAMPLES, g_array_index (p->nodes, struct ghc_time_node, 0).self);
  put_fault (e, TIME_PROFILE_IN_PARTS, stacks->in_parts);
  put_fault (e, TIME_PROFILE_INCOMPLETE, ghc_call_stacks_incomplete (stacks));
  put_fault (e, TIME_PROFILE_DAMAGED, stacks->damaged);
  put_fault (e, TIME_PROFILE_UNNAMED_FUNCTIONS, unnamed_functions);
  put_fault (e, TIME_PROFILE_UNNAMED_TEXTS, unnamed_texts);
  put_fault (e, TIME_PROFILE_CUT_SAMPLES, p->cut + stacks->cut);
}

static void
put_time_profile (const struct report *r)
{
  const struct ghc_time_profile *p = &r->ghc->time_profile;
  emitter_open (r->e, "time_profile",
                p->samples == 0      ? NULL
                : p->has_call_stacks ? "Call stacks"
                                     : "Time profile");
  if (p->samples == 0)
    section_absent_rare (r, "Time profile");
  result_number (r->e, TIME_PROFILE_SAMPLES, p->samples);
  if (p->has_call_stacks) {
    put_call_stacks (r->e, p);
  } else {
    result_number (r->e, TIME_PROFILE_INTERVAL_NS, p->interval);
    result_number (r->e, TIME_PROFILE_MAIN_SAMPLES,
                   g_array_index (p->nodes, struct ghc_time_node, 0).self);
    put_fault (r->e, TIME_PROFILE_CUT_SAMPLES, p->cut);
  }
  if (p->others != 0)
    result_number (r->e,
                   p->has_call_stacks ? TIME_PROFILE_OF_COST_CENTRES : TIME_PROFILE_OF_CALL_STACKS,
                   p->others);
  put_caps (r->e, r->view, p);
  if (p->has_call_stacks)
    put_functions (r->e, r->view, p);
  else
    put_centres (r->e, r->view, p);
  put_tree (r->e, r->view, p);
  emitter_close (r->e);
}

const struct section ghc_section_time_profile
    = { .key = "time_profile",
        .put = put_time_profile,
        .tables = SECTION_TABLES (&centres_shape, &tree_shape, &frames_shape, &frame_tree_shape,
                                  &caps_shape),
        .features = GHC_FEATURE_PROFILES };
