/* export-perfetto.c -- HeapGraph of Perfetto: ui.perfetto.dev, trace_processor.
 *
 * The graph is split over packets, in which `index` counts and all but the last are `continued`.
 */
#include "config.h"

#include "decoder/exports/export.h"
#include "decoder/exports/perfetto.h"
#include "decoder/exports/protobuf.h"
#include <string.h>

/* Fields, from perfetto's heap_graph.proto. */
enum {
  GRAPH_PID = 1,
  GRAPH_OBJECTS = 2,
  GRAPH_FIELD_NAMES = 4,
  GRAPH_CONTINUED = 5,
  GRAPH_INDEX = 6,
  GRAPH_ROOTS = 7,
  GRAPH_LOCATIONS = 8,
  GRAPH_TYPES = 9,
  TYPE_ID = 1,
  TYPE_LOCATION = 2,
  TYPE_NAME = 3,
  TYPE_KIND = 7,
  OBJECT_ID = 1,
  OBJECT_TYPE = 2,
  OBJECT_SIZE = 3,
  OBJECT_FIELDS = 4,
  OBJECT_REFERENCES = 5,
  ROOT_OBJECTS = 1,
  ROOT_TYPE = 2,
};

enum {
  KIND_NORMAL = 1,
  KIND_ARRAY = 4,
};

/* Root types of its own that come near to kinds of ours. */
static const struct root_type {
  const char *kind;
  unsigned type;
} root_types[] = {
  { "stack", 3 },         /* ROOT_JAVA_FRAME */
  { "static", 5 },        /* ROOT_STICKY_CLASS */
  { "thread static", 6 }, /* ROOT_THREAD_BLOCK */
  { "GC handle", 1 },     /* ROOT_JNI_GLOBAL */
  { "handle", 1 },        /* ROOT_JNI_GLOBAL */
  { "finalizer", 10 },    /* ROOT_FINALIZING */
  { "finalizer queue", 10 },
};
#define ROOT_VM_INTERNAL 13

/* Bytes of a packet, more or less. */
#define PACKET_BYTES (1u << 18)

/* Offsets with names of their own: those below this, of pointers of 4 bytes at least. */
#define NAMED_OFFSETS 4096

struct graph_writer {
  const struct export_shot *shot;
  const struct heap_graph *graph;
  struct export_out *out;
  GString *heap;    /* HeapGraph of the packet that is being made */
  GString *message; /* of it */
  GString *packed;  /* of a message */
  GString *packet;
  uint64_t index;
};

/* ---- packets ---- */

static void
put_packet (struct graph_writer *t, bool is_first, enum perfetto_field field, GString *message)
{
  perfetto_put_packet (t->out, t->packet, PERFETTO_SEQUENCE_GRAPH, is_first,
                       t->graph->time_ns - t->shot->zero_ns, field, message);
}

static void
put_process (struct graph_writer *t)
{
  protobuf_put_number (t->packed, PERFETTO_PROCESS_PID, t->shot->pid);
  if (t->shot->program != NULL)
    protobuf_put_bytes (t->packed, PERFETTO_PROCESS_NAME, t->shot->program,
                        strlen (t->shot->program));
  protobuf_put_number (t->message, PERFETTO_TRACK_UUID, 1);
  protobuf_put_message (t->message, PERFETTO_TRACK_PROCESS, t->packed);
  put_packet (t, true, PERFETTO_PACKET_TRACK, t->message);
}

static void
put_heap (struct graph_writer *t, bool is_last)
{
  protobuf_put_number (t->heap, GRAPH_PID, t->shot->pid);
  protobuf_put_number (t->heap, GRAPH_INDEX, t->index++);
  if (!is_last)
    protobuf_put_number (t->heap, GRAPH_CONTINUED, 1);
  put_packet (t, false, PERFETTO_PACKET_HEAP_GRAPH, t->heap);
}

static void
put_heap_if_much (struct graph_writer *t)
{
  if (t->heap->len >= PACKET_BYTES)
    put_heap (t, false);
}

/* ---- the graph ---- */

static void
put_interned (struct graph_writer *t, unsigned field, uint64_t id, const char *text)
{
  protobuf_put_number (t->message, PERFETTO_INTERNED_ID, id);
  protobuf_put_bytes (t->message, PERFETTO_INTERNED_TEXT, text, strlen (text));
  protobuf_put_message (t->heap, field, t->message);
  put_heap_if_much (t);
}

static void
put_classes (struct graph_writer *t)
{
  GHashTable *images = g_hash_table_new (g_str_hash, g_str_equal);
  for (uint32_t i = 0; i < t->graph->n_classes; i++) {
    const struct heap_class *klass = &t->graph->class_list[i];
    const char *image = klass->image != NULL ? klass->image : "";
    if (!g_hash_table_contains (images, image)) {
      const guint id = g_hash_table_size (images) + 1;
      g_hash_table_insert (images, (gpointer) image, GUINT_TO_POINTER (id));
      put_interned (t, GRAPH_LOCATIONS, id, image);
    }
    protobuf_put_number (t->message, TYPE_ID, (uint64_t) i + 1);
    protobuf_put_number (t->message, TYPE_LOCATION,
                         GPOINTER_TO_UINT (g_hash_table_lookup (images, image)));
    protobuf_put_bytes (t->message, TYPE_NAME, klass->name, strlen (klass->name));
    protobuf_put_number (t->message, TYPE_KIND, export_is_array (klass) ? KIND_ARRAY : KIND_NORMAL);
    protobuf_put_message (t->heap, GRAPH_TYPES, t->message);
    put_heap_if_much (t);
  }
  g_hash_table_destroy (images);
}

/* Names of references: the first for what has none of its own, as elements of arrays. */
static uint64_t
field_of (const struct graph_writer *t, uint32_t object, uint32_t reference)
{
  const struct heap_graph *const g = t->graph;
  if (g->offsets == NULL || g->offsets[reference] >= NAMED_OFFSETS
      || export_is_array (&g->class_list[g->classes[object]]))
    return 1;
  return (uint64_t) g->offsets[reference] + 2;
}

static void
put_field_names (struct graph_writer *t)
{
  bool *met = g_new0 (bool, NAMED_OFFSETS + 2);
  put_interned (t, GRAPH_FIELD_NAMES, 1, "[]");
  for (uint32_t i = 0; i < t->graph->n_objects; i++)
    for (uint32_t k = t->graph->first[i]; k < t->graph->first[i + 1]; k++)
      met[field_of (t, i, k)] = true;
  for (guint id = 2; id < NAMED_OFFSETS + 2; id++) {
    char text[16];
    g_snprintf (text, sizeof text, "+%u", id - 2);
    if (met[id])
      put_interned (t, GRAPH_FIELD_NAMES, id, text);
  }
  g_free (met);
}

/* Numbers of objects count from 1. */
static void
put_object (struct graph_writer *t, uint32_t object)
{
  const struct heap_graph *const g = t->graph;
  const uint32_t first = g->first[object], end = g->first[object + 1];
  protobuf_put_number (t->message, OBJECT_ID, (uint64_t) object + 1);
  protobuf_put_number (t->message, OBJECT_TYPE, (uint64_t) g->classes[object] + 1);
  protobuf_put_number (t->message, OBJECT_SIZE, g->bytes[object]);
  for (uint32_t i = first; i < end; i++)
    protobuf_put_varint (t->packed, field_of (t, object, i));
  if (first < end)
    protobuf_put_message (t->message, OBJECT_FIELDS, t->packed);
  for (uint32_t i = first; i < end; i++)
    protobuf_put_varint (t->packed, (uint64_t) g->targets[i] + 1);
  if (first < end)
    protobuf_put_message (t->message, OBJECT_REFERENCES, t->packed);
  protobuf_put_message (t->heap, GRAPH_OBJECTS, t->message);
  put_heap_if_much (t);
}

static unsigned
root_type (const char *kind)
{
  for (size_t i = 0; i < G_N_ELEMENTS (root_types); i++)
    if (strcmp (root_types[i].kind, kind) == 0)
      return root_types[i].type;
  return ROOT_VM_INTERNAL;
}

/* Weak roots have no place here. */
static void
put_roots (struct graph_writer *t)
{
  for (uint32_t i = 0; i < t->graph->n_roots; i++) {
    const struct heap_root *root = &t->graph->roots[i];
    if (root->is_weak)
      continue;
    protobuf_put_varint (t->packed, (uint64_t) root->object + 1);
    protobuf_put_message (t->message, ROOT_OBJECTS, t->packed);
    protobuf_put_number (t->message, ROOT_TYPE, root_type (root->kind));
    protobuf_put_message (t->heap, GRAPH_ROOTS, t->message);
    put_heap_if_much (t);
  }
}

static uint64_t
write_perfetto (const struct export_shot *shot, struct export_out *out)
{
  struct graph_writer t = { .shot = shot,
                            .graph = shot->graph,
                            .out = out,
                            .heap = g_string_new (NULL),
                            .message = g_string_new (NULL),
                            .packed = g_string_new (NULL),
                            .packet = g_string_new (NULL) };
  put_process (&t);
  put_classes (&t);
  put_field_names (&t);
  for (uint32_t i = 0; i < shot->graph->n_objects && !out->failed; i++)
    put_object (&t, i);
  put_roots (&t);
  put_heap (&t, true);
  export_flush (out);
  g_string_free (t.heap, TRUE);
  g_string_free (t.message, TRUE);
  g_string_free (t.packed, TRUE);
  g_string_free (t.packet, TRUE);
  return 0;
}

const struct export_format export_perfetto
    = { "perfetto", "events over time, heap snapshot: ui.perfetto.dev, trace_processor",
        .write_shot = write_perfetto, .trace = &perfetto_trace };
