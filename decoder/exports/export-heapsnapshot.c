/* export-heapsnapshot.c -- .heapsnapshot of Chrome's developer tools.
 *
 * Nodes are numbers in rows, and so are edges, in order of the nodes that they are of.  The first
 * node is the root; below it "(GC roots)", with a node for each kind of root.  Objects that no root
 * leads to refer to others weakly: the format has no other way to state that they retain nothing.
 */
#include "config.h"

#include "decoder/exports/export.h"
#include "decoder/heap/heap-fields.h"
#include "decoder/output/emitter.h"

#include <string.h>

enum {
  NODE_FIELDS = 7,
  NODE_OBJECT = 3,
  NODE_SYNTHETIC = 9,
  EDGE_ELEMENT = 1,
  EDGE_PROPERTY = 2,
  EDGE_WEAK = 6,
};

/* Strings with numbers of their own come before the names of classes and later ones. */
enum {
  STRING_EMPTY,
  STRING_GC_ROOTS,
  STRINGS,
};

struct snapshot {
  const struct export_shot *shot;
  const struct heap_graph *graph;
  struct export_out *out;
  GPtrArray *kinds;    /* of roots: const char * */
  GArray **roots;      /* by kind: of uint32_t, numbers of roots */
  GHashTable *strings; /* text -> number, of names of roots and offsets; the keys are in `texts` */
  GPtrArray *texts;    /* of char *: from number STRINGS + classes + kinds on */
};

static const char head[]
    = "{\"snapshot\":{\"meta\":{\"node_fields\":[\"type\",\"name\",\"id\",\"self_size\","
      "\"edge_count\",\"trace_node_id\",\"detachedness\"],\"node_types\":[[\"hidden\",\"array\","
      "\"string\",\"object\",\"code\",\"closure\",\"regexp\",\"number\",\"native\",\"synthetic\","
      "\"concatenated string\",\"sliced string\",\"symbol\",\"bigint\",\"object shape\"],"
      "\"string\",\"number\",\"number\",\"number\",\"number\",\"number\"],\"edge_fields\":["
      "\"type\",\"name_or_index\",\"to_node\"],\"edge_types\":[[\"context\",\"element\","
      "\"property\",\"internal\",\"hidden\",\"shortcut\",\"weak\"],\"string_or_number\",\"node\"],"
      "\"trace_function_info_fields\":[\"function_id\",\"name\",\"script_name\",\"script_id\","
      "\"line\",\"column\"],\"trace_node_fields\":[\"id\",\"function_info_index\",\"count\","
      "\"size\",\"children\"],\"sample_fields\":[\"timestamp_us\",\"last_assigned_id\"],"
      "\"location_fields\":[\"object_index\",\"script_id\",\"line\",\"column\"]},";

/* ---- roots ---- */

static guint
kind_of (struct snapshot *s, const char *kind)
{
  guint i = 0;
  while (i < s->kinds->len && strcmp (g_ptr_array_index (s->kinds, i), kind) != 0)
    i++;
  if (i == s->kinds->len)
    g_ptr_array_add (s->kinds, (gpointer) kind);
  return i;
}

static void
sort_roots (struct snapshot *s)
{
  guint *kinds = g_new (guint, s->graph->n_roots);
  s->kinds = g_ptr_array_new ();
  for (uint32_t i = 0; i < s->graph->n_roots; i++)
    kinds[i] = kind_of (s, s->graph->roots[i].kind);
  s->roots = g_new (GArray *, s->kinds->len);
  for (guint kind = 0; kind < s->kinds->len; kind++)
    s->roots[kind] = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  for (uint32_t i = 0; i < s->graph->n_roots; i++)
    g_array_append_val (s->roots[kinds[i]], i);
  g_free (kinds);
}

/* ---- strings ---- */

static guint
kind_string (const struct snapshot *s, guint kind)
{
  return STRINGS + s->graph->n_classes + kind;
}

static guint
string_of (struct snapshot *s, const char *text)
{
  gpointer number = g_hash_table_lookup (s->strings, text);
  if (number == NULL) {
    char *copy = g_strdup (text);
    g_ptr_array_add (s->texts, copy);
    number = GUINT_TO_POINTER (kind_string (s, s->kinds->len) + s->texts->len - 1);
    g_hash_table_insert (s->strings, copy, number);
  }
  return GPOINTER_TO_UINT (number);
}

/* The text of a string after the fixed ones. */
static const char *
string_text (const struct snapshot *s, guint string)
{
  const guint first_kind = kind_string (s, 0), first_text = kind_string (s, s->kinds->len);
  if (string < first_kind)
    return s->graph->class_list[string - STRINGS].name;
  if (string < first_text)
    return g_ptr_array_index (s->kinds, string - first_kind);
  return g_ptr_array_index (s->texts, string - first_text);
}

static void
put_strings (struct snapshot *s)
{
  const guint n = kind_string (s, s->kinds->len) + s->texts->len;
  g_string_append (s->out->bytes, "\"strings\":[\"\",\n\"(GC roots)\"");
  for (guint i = STRINGS; i < n; i++) {
    const char *text = string_text (s, i);
    g_string_append (s->out->bytes, ",\n");
    emitter_append_json_string (s->out->bytes, text, strlen (text));
    export_flush_much (s->out);
  }
  g_string_append (s->out->bytes, "]}\n");
}

/* ---- nodes ---- */

/* Numbers of nodes: root, "(GC roots)", kinds of roots, objects. */
static uint64_t
node_of (const struct snapshot *s, uint32_t object)
{
  return 2 + s->kinds->len + (uint64_t) object;
}

static void
put_node (struct snapshot *s, unsigned type, uint64_t name, uint64_t node, uint64_t size,
          uint64_t edges)
{
  GString *const bytes = s->out->bytes;
  if (node > 0)
    g_string_append (bytes, ",\n");
  emitter_append_decimal (bytes, type);
  g_string_append_c (bytes, ',');
  emitter_append_decimal (bytes, name);
  g_string_append_c (bytes, ',');
  emitter_append_decimal (bytes, 2 * node + 1); /* ids of objects are odd */
  g_string_append_c (bytes, ',');
  emitter_append_decimal (bytes, size);
  g_string_append_c (bytes, ',');
  emitter_append_decimal (bytes, edges);
  g_string_append (bytes, ",0,0");
  export_flush_much (s->out);
}

/* Sizes have 32 bits in the readers.  Returns how many were larger. */
static uint64_t
put_nodes (struct snapshot *s)
{
  const struct heap_graph *const g = s->graph;
  uint64_t larger = 0;
  g_string_append (s->out->bytes, "\"nodes\":[");
  put_node (s, NODE_SYNTHETIC, STRING_EMPTY, 0, 0, 1);
  put_node (s, NODE_SYNTHETIC, STRING_GC_ROOTS, 1, 0, s->kinds->len);
  for (guint kind = 0; kind < s->kinds->len; kind++)
    put_node (s, NODE_SYNTHETIC, kind_string (s, kind), 2 + kind, 0, s->roots[kind]->len);
  for (uint32_t i = 0; i < g->n_objects && !s->out->failed; i++) {
    larger += g->bytes[i] > UINT32_MAX;
    put_node (s, NODE_OBJECT, STRINGS + g->classes[i], node_of (s, i),
              MIN (g->bytes[i], UINT32_MAX), g->first[i + 1] - g->first[i]);
  }
  g_string_append (s->out->bytes, "],\n");
  return larger;
}

/* ---- edges ---- */

struct edges {
  struct snapshot *s;
  bool any;
};

static void
put_edge (struct edges *e, unsigned type, uint64_t name, uint64_t to)
{
  GString *const bytes = e->s->out->bytes;
  if (e->any)
    g_string_append (bytes, ",\n");
  e->any = true;
  emitter_append_decimal (bytes, type);
  g_string_append_c (bytes, ',');
  emitter_append_decimal (bytes, name);
  g_string_append_c (bytes, ',');
  emitter_append_decimal (bytes, to * NODE_FIELDS);
  export_flush_much (e->s->out);
}

static void
put_root_edges (struct edges *e, const GArray *roots)
{
  for (guint i = 0; i < roots->len; i++) {
    const struct heap_root *root = &e->s->graph->roots[g_array_index (roots, uint32_t, i)];
    const uint64_t to = node_of (e->s, root->object);
    g_autofree char *field
        = root->field != NULL ? heap_field_of_class (root->holder, root->field) : NULL;
    const char *name = field != NULL ? field : root->name;
    if (root->is_weak)
      put_edge (e, EDGE_WEAK, string_of (e->s, name != NULL ? name : ""), to);
    else if (name != NULL)
      put_edge (e, EDGE_PROPERTY, string_of (e->s, name), to);
    else
      put_edge (e, EDGE_ELEMENT, i, to);
  }
}

/* The name of a field, or its offset. */
static guint
property_string (struct snapshot *s, uint32_t object, uint32_t reference)
{
  const char *field = heap_field_plain (s->graph, object, reference);
  char text[16];
  if (field != NULL)
    return string_of (s, field);
  g_snprintf (text, sizeof text, "+%u", s->graph->offsets[reference]);
  return string_of (s, text);
}

static void
put_object_edges (struct edges *e, uint32_t object)
{
  const struct heap_graph *const g = e->s->graph;
  const bool is_weak = !export_is_reached (e->s->shot, object);
  const bool is_array = heap_class_is_array (&g->class_list[g->classes[object]]);
  for (uint32_t i = g->first[object]; i < g->first[object + 1]; i++) {
    const uint64_t to = node_of (e->s, g->targets[i]);
    if (is_weak)
      put_edge (e, EDGE_WEAK, STRING_EMPTY, to);
    else if (g->offsets == NULL)
      put_edge (e, EDGE_ELEMENT, i - g->first[object], to);
    else if (is_array)
      put_edge (e, EDGE_ELEMENT, heap_array_element (g->offsets[i]), to);
    else
      put_edge (e, EDGE_PROPERTY, property_string (e->s, object, i), to);
  }
}

static void
put_edges (struct snapshot *s)
{
  struct edges e = { s, false };
  g_string_append (s->out->bytes, "\"edges\":[");
  put_edge (&e, EDGE_ELEMENT, 1, 1);
  for (guint kind = 0; kind < s->kinds->len; kind++)
    put_edge (&e, EDGE_ELEMENT, kind, 2 + kind);
  for (guint kind = 0; kind < s->kinds->len; kind++)
    put_root_edges (&e, s->roots[kind]);
  for (uint32_t i = 0; i < s->graph->n_objects && !s->out->failed; i++)
    put_object_edges (&e, i);
  g_string_append (s->out->bytes, "],\n");
}

static uint64_t
write_heapsnapshot (const struct export_shot *shot, struct export_out *out)
{
  struct snapshot s = { .shot = shot,
                        .graph = shot->graph,
                        .out = out,
                        .strings = g_hash_table_new (g_str_hash, g_str_equal),
                        .texts = g_ptr_array_new_with_free_func (g_free) };
  sort_roots (&s);
  const uint64_t nodes = node_of (&s, shot->graph->n_objects);
  const uint64_t edges
      = 1 + (uint64_t) s.kinds->len + shot->graph->n_roots + shot->graph->n_references;
  g_string_append (out->bytes, head);
  g_string_append_printf (out->bytes,
                          "\"node_count\":%" G_GUINT64_FORMAT ",\"edge_count\":%" G_GUINT64_FORMAT
                          ",\"trace_function_count\":0},\n",
                          nodes, edges);
  const uint64_t larger = put_nodes (&s);
  put_edges (&s);
  g_string_append (out->bytes, "\"trace_function_infos\":[],\"trace_tree\":[],\"samples\":[],"
                               "\"locations\":[],\n");
  put_strings (&s);
  export_flush (out);
  for (guint kind = 0; kind < s.kinds->len; kind++)
    g_array_unref (s.roots[kind]);
  g_free (s.roots);
  g_ptr_array_unref (s.kinds);
  g_hash_table_destroy (s.strings);
  g_ptr_array_unref (s.texts);
  return larger;
}

const struct export_format export_heapsnapshot
    = { "heapsnapshot", "heap snapshot: Chrome's developer tools (Memory, Load), memlab",
        .write_shot = write_heapsnapshot };
