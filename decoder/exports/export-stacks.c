/* export-stacks.c -- stacks as a tree, and their frames by name. */
#include "config.h"

#include "decoder/exports/export-stacks.h"
#include "decoder/core/wide.h"
#include "decoder/output/emitter-values.h"

#include <string.h>

void
export_stacks_init (struct export_stacks *s)
{
  *s = (struct export_stacks){
    .nodes = g_array_new (FALSE, TRUE, sizeof (struct export_node)),
    .frames = g_ptr_array_new_with_free_func (g_free),
    .numbers = g_hash_table_new (g_str_hash, g_str_equal),
    .types = g_byte_array_new (),
    .cost = "Samples",
    .unit = "hits",
    .counted = "samples",
  };
  g_array_set_size (s->nodes, EXPORT_STACKS_ROOT + 1);
  id_map_init (&s->places);
}

void
export_stacks_clear (struct export_stacks *s)
{
  g_array_unref (s->nodes);
  id_map_clear (&s->places);
  g_hash_table_destroy (s->numbers);
  g_byte_array_unref (s->types);
  g_ptr_array_unref (s->frames);
  g_clear_pointer (&s->order, g_array_unref);
  g_free (s->title);
  g_free (s->selection);
}

/* All formats are of UTF-8. */
uint32_t
export_stacks_frame (struct export_stacks *s, const char *name)
{
  gpointer number;
  g_autofree char *valid = NULL;
  name = name[0] != 0 ? name : "[unknown]";
  if (g_hash_table_lookup_extended (s->numbers, name, NULL, &number))
    return GPOINTER_TO_UINT (number);
  if (!g_utf8_validate (name, -1, NULL)) {
    name = valid = g_utf8_make_valid (name, -1);
    if (g_hash_table_lookup_extended (s->numbers, name, NULL, &number))
      return GPOINTER_TO_UINT (number);
  }
  char *copy = g_strdup (name);
  g_ptr_array_add (s->frames, copy);
  g_hash_table_insert (s->numbers, copy, GUINT_TO_POINTER (s->frames->len - 1));
  return s->frames->len - 1;
}

void
export_stacks_set_type (struct export_stacks *s, uint32_t frame, enum export_frame_type type)
{
  const guint8 none = EXPORT_FRAME_OTHER;
  while (frame >= s->types->len)
    g_byte_array_append (s->types, &none, 1);
  s->types->data[frame] = (guint8) type;
}

enum export_frame_type
export_stacks_type (const struct export_stacks *s, uint32_t frame)
{
  return frame < s->types->len ? s->types->data[frame] : EXPORT_FRAME_OTHER;
}

static uint32_t
get_node (struct export_stacks *s, uint32_t parent, uint32_t frame)
{
  const guint place
      = id_map_number (&s->places, (uint64_t) parent << 32 | frame) + EXPORT_STACKS_ROOT + 1;
  if (place == s->nodes->len) {
    const struct export_node node = { .parent = parent, .frame = frame };
    g_array_append_val (s->nodes, node);
  }
  return place;
}

uint32_t
export_stacks_add (struct export_stacks *s, uint32_t parent, uint32_t frame, uint64_t weight)
{
  const uint32_t place = get_node (s, parent, frame);
  g_array_index (s->nodes, struct export_node, place).weight += weight;
  s->total += weight;
  return place;
}

void
export_stacks_count (struct export_stacks *s, uint32_t node, uint64_t count)
{
  g_array_index (s->nodes, struct export_node, node).count += count;
}

/* The nodes of the same stacks, by the numbers of the other ones (transfer full). */
static uint32_t *
match_nodes (struct export_stacks *s, const struct export_stacks *others)
{
  uint32_t *places = g_new0 (uint32_t, others->nodes->len);
  for (guint i = EXPORT_STACKS_ROOT + 1; i < others->nodes->len; i++) {
    const struct export_node *n = &g_array_index (others->nodes, struct export_node, i);
    places[i]
        = get_node (s, places[n->parent], export_stacks_frame (s, others->frames->pdata[n->frame]));
  }
  return places;
}

void
export_stacks_compare (struct export_stacks *s, const struct export_stacks *before)
{
  g_autofree uint32_t *places = match_nodes (s, before);
  for (guint i = EXPORT_STACKS_ROOT + 1; i < before->nodes->len; i++)
    g_array_index (s->nodes, struct export_node, places[i]).before
        = g_array_index (before->nodes, struct export_node, i).weight;
  g_autofree char *title = s->title;
  s->title = g_strdup_printf ("%s, compared with %s", title != NULL ? title : "a log",
                              before->title != NULL ? before->title : "another one");
  s->is_comparison = true;
  s->total_before = before->total;
  s->sample_before = before->sample;
}

void
export_stacks_scale (struct export_stacks *s, uint64_t total)
{
  uint64_t seen = 0, placed = 0;
  for (guint i = EXPORT_STACKS_ROOT + 1; i < s->nodes->len && s->total != 0; i++) {
    struct export_node *const n = &g_array_index (s->nodes, struct export_node, i);
    seen += n->weight;
    n->weight = wide_scale (seen, total, 0, s->total) - placed;
    placed += n->weight;
  }
  if (s->total == 0)
    return;
  s->sample *= (double) total / (double) s->total;
  s->total = total;
}

void
export_stacks_subtract (struct export_stacks *s, const struct export_stacks *before)
{
  g_autofree uint32_t *places = match_nodes (s, before);
  for (guint i = EXPORT_STACKS_ROOT + 1; i < before->nodes->len; i++) {
    const struct export_node *n = &g_array_index (before->nodes, struct export_node, i);
    struct export_node *const now = &g_array_index (s->nodes, struct export_node, places[i]);
    const uint64_t weight = MIN (now->weight, n->weight);
    now->weight -= weight;
    now->count -= MIN (now->count, n->count);
    s->total -= weight;
  }
}

void
export_stacks_path (const struct export_stacks *s, uint32_t node, GArray *frames)
{
  g_array_set_size (frames, 0);
  while (node != EXPORT_STACKS_ROOT) {
    const struct export_node *n = &g_array_index (s->nodes, struct export_node, node);
    g_array_append_val (frames, n->frame);
    node = n->parent;
  }
  for (guint i = 0, j = frames->len; i + 1 < j; i++) {
    uint32_t *const all = (uint32_t *) (gpointer) frames->data;
    const uint32_t outer = all[--j];
    all[j] = all[i];
    all[i] = outer;
  }
}

enum figure_unit
export_stacks_figure (const struct export_stacks *s)
{
  return strcmp (s->unit, "ns") == 0      ? FIGURE_NS
         : strcmp (s->unit, "bytes") == 0 ? FIGURE_BYTES
                                          : FIGURE_COUNT;
}

const char *
export_stacks_unit_name (const struct export_stacks *s)
{
  const enum figure_unit unit = export_stacks_figure (s);
  return unit == FIGURE_NS ? "nanoseconds" : unit == FIGURE_BYTES ? "bytes" : "count";
}

static void
free_named (void *data)
{
  struct export_named_stacks *named = data;
  export_stacks_clear (&named->stacks);
  g_free (named);
}

GPtrArray *
export_named_stacks_new (void)
{
  return g_ptr_array_new_with_free_func (free_named);
}

struct export_stacks *
export_named_stacks_add (GPtrArray *all, const char *name)
{
  struct export_named_stacks *named = g_new (struct export_named_stacks, 1);
  named->name = name;
  export_stacks_init (&named->stacks);
  g_ptr_array_add (all, named);
  return &named->stacks;
}

/* ';' separates frames, and a line is a stack. */
static void
put_name (GString *bytes, const char *name)
{
  g_autofree char *printable = emitter_printable (name);
  g_strdelimit (printable, ";", ':');
  g_string_append (bytes, printable);
}

void
export_stacks_fold (const struct export_stacks *stacks, const GArray *frames, GString *to)
{
  for (guint f = 0; f < frames->len; f++) {
    if (f != 0)
      g_string_append_c (to, ';');
    put_name (to, g_ptr_array_index (stacks->frames, g_array_index (frames, uint32_t, f)));
  }
}
