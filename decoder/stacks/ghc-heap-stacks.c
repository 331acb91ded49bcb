/* ghc-heap-stacks.c -- bands of a heap profile to stacks. */
#include "config.h"

#include "decoder/stacks/ghc-heap-stacks.h"

/* The node of a frame below another one. */
static uint32_t
below (struct export_stacks *stacks, uint32_t parent, const char *name)
{
  return export_stacks_add (stacks, parent, export_stacks_frame (stacks, name), 0);
}

static uint32_t
add_stack (struct export_stacks *stacks, const struct ghc_heap_profiles *profiles,
           const uint32_t *ids, size_t n)
{
  uint32_t node = EXPORT_STACKS_ROOT;
  for (size_t i = n; i > 0; i--) {
    g_autofree char *name = ghc_cost_centres_name (&profiles->centres, ids[i - 1]);
    node = below (stacks, node, name);
  }
  return n != 0 ? node : below (stacks, node, "MAIN");
}

/* The module, the function, and what is made there, with its place. */
static uint32_t
add_table (struct export_stacks *stacks, const struct ghc_provenance *of)
{
  const char *closure = ghc_provenance_closure (of);
  g_autofree char *value = g_strdup_printf (
      "%s%s%s%s%s", of->type[0] != '\0' ? of->type : of->name, closure != NULL ? " " : "",
      closure != NULL ? closure : "", of->location[0] != '\0' ? " " : "", of->location);
  const uint32_t module
      = below (stacks, EXPORT_STACKS_ROOT, of->module[0] != '\0' ? of->module : "(no module)");
  return below (stacks, below (stacks, module, of->label[0] != '\0' ? of->label : of->name), value);
}

static void
add_band (struct export_stacks *stacks, const struct ghc_heap_profiles *profiles,
          const struct ghc_band *band, uint64_t bytes)
{
  size_t n;
  const uint32_t *ids = ghc_band_stack (band, &n);
  const struct ghc_provenance *of = ghc_band_provenance (profiles, band);
  uint32_t node;
  if (ids != NULL) {
    node = add_stack (stacks, profiles, ids, n);
  } else if (of != NULL) {
    node = add_table (stacks, of);
  } else {
    g_autofree char *name = ghc_band_name (profiles, band);
    node = below (stacks, EXPORT_STACKS_ROOT, name);
  }
  export_stacks_add (stacks, g_array_index (stacks->nodes, struct export_node, node).parent,
                     g_array_index (stacks->nodes, struct export_node, node).frame, bytes);
}

void
ghc_heap_stacks_add (struct export_stacks *stacks, const struct ghc_heap_profiles *profiles,
                     bool at_peak)
{
  const struct ghc_heap_profile *profile
      = profiles->all->len != 0 ? g_ptr_array_index (profiles->all, 0) : NULL;
  stacks->cost = at_peak ? "Bytes of the largest sample of the heap profile"
                         : "Bytes of the last sample of the heap profile";
  stacks->unit = "bytes";
  stacks->counted = "samples";
  stacks->weighed = "inuse_space";
  if (profile == NULL || profile->samples->len == 0)
    return;
  const uint32_t sample
      = ghc_heap_profile_retained (profile, at_peak ? profile->largest : profile->end);
  for (guint i = 0; i < profile->bands->len; i++) {
    const struct ghc_band *band = g_ptr_array_index (profile->bands, i);
    const uint64_t bytes = ghc_band_bytes (band, sample);
    if (bytes != 0)
      add_band (stacks, profiles, band, bytes);
  }
}
