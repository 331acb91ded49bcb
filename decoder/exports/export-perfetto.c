/* export-perfetto.c -- HeapGraph of Perfetto: ui.perfetto.dev, trace_processor.
 *
 * The graph is split over packets, in which `index` counts and all but the last are `continued`.
 */
#include "config.h"

#include "decoder/exports/export.h"
#include "decoder/exports/perfetto.h"
#include "decoder/exports/protobuf.h"
#include "decoder/heap/heap-fields.h"
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
  GString *to;                   /* its bytes */
  struct perfetto_packet packet; /* that is being written, with a part of the graph */
  uint64_t index;                /* of that part */
  GHashTable *fields;            /* name of a field, the graph's -> its number */
};

/* ---- packets ---- */

static struct perfetto_packet
begin_packet (struct graph_writer *t, bool is_first, enum perfetto_field field)
{
  return perfetto_begin_packet (t->out, PERFETTO_SEQUENCE_GRAPH, is_first,
                                t->graph->time_ns - t->shot->zero_ns, field);
}

static void
put_process (struct graph_writer *t)
{
  const struct perfetto_packet packet = begin_packet (t, true, PERFETTO_PACKET_TRACK);
  protobuf_put_number (t->to, PERFETTO_TRACK_UUID, 1);
  const size_t process = protobuf_begin (t->to, PERFETTO_TRACK_PROCESS);
  protobuf_put_number (t->to, PERFETTO_PROCESS_PID, t->shot->pid);
  if (t->shot->program != NULL)
    protobuf_put_bytes (t->to, PERFETTO_PROCESS_NAME, t->shot->program, strlen (t->shot->program));
  protobuf_end (t->to, process);
  perfetto_end_packet (t->out, packet);
}

static void
begin_heap (struct graph_writer *t)
{
  t->packet = begin_packet (t, false, PERFETTO_PACKET_HEAP_GRAPH);
}

static void
end_heap (struct graph_writer *t, bool is_last)
{
  protobuf_put_number (t->to, GRAPH_PID, t->shot->pid);
  protobuf_put_number (t->to, GRAPH_INDEX, t->index++);
  if (!is_last)
    protobuf_put_number (t->to, GRAPH_CONTINUED, 1);
  perfetto_end_packet (t->out, t->packet);
}

/* Ends a message of the graph, and the packet if that is long. */
static void
end_message (struct graph_writer *t, size_t message)
{
  protobuf_end (t->to, message);
  if (t->to->len - t->packet.message < PACKET_BYTES)
    return;
  end_heap (t, false);
  begin_heap (t);
}

/* ---- the graph ---- */

static void
put_interned (struct graph_writer *t, unsigned field, uint64_t id, const char *text)
{
  const size_t interned = protobuf_begin (t->to, field);
  protobuf_put_number (t->to, PERFETTO_INTERNED_ID, id);
  protobuf_put_bytes (t->to, PERFETTO_INTERNED_TEXT, text, strlen (text));
  end_message (t, interned);
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
    const size_t type = protobuf_begin (t->to, GRAPH_TYPES);
    protobuf_put_number (t->to, TYPE_ID, (uint64_t) i + 1);
    protobuf_put_number (t->to, TYPE_LOCATION,
                         GPOINTER_TO_UINT (g_hash_table_lookup (images, image)));
    protobuf_put_bytes (t->to, TYPE_NAME, klass->name, strlen (klass->name));
    protobuf_put_number (t->to, TYPE_KIND, heap_class_is_array (klass) ? KIND_ARRAY : KIND_NORMAL);
    end_message (t, type);
  }
  g_hash_table_destroy (images);
}

/* Numbers of names of references: the first is of those without one of their own, as elements of
 * arrays.  After it are offsets, for fields without a name, and then the names of fields. */
enum { FIELD_ELEMENT = 1, FIELD_OFFSETS, FIELD_NAMES = FIELD_OFFSETS + NAMED_OFFSETS };

static uint64_t
field_of (const struct graph_writer *t, uint32_t object, uint32_t reference)
{
  const struct heap_graph *const g = t->graph;
  const char *const name = heap_field_plain (g, object, reference);
  if (name != NULL)
    return GPOINTER_TO_UINT (g_hash_table_lookup (t->fields, name));
  if (g->offsets == NULL || g->offsets[reference] >= NAMED_OFFSETS
      || heap_class_is_array (&g->class_list[g->classes[object]]))
    return FIELD_ELEMENT;
  return (uint64_t) g->offsets[reference] + FIELD_OFFSETS;
}

static void
put_named_fields (struct graph_writer *t)
{
  guint next = FIELD_NAMES;
  for (uint32_t i = 0; i < t->graph->n_classes; i++) {
    const GArray *const fields = t->graph->class_list[i].fields;
    for (guint k = 0; fields != NULL && k < fields->len; k++) {
      const char *const name = g_array_index (fields, struct heap_field, k).name;
      if (g_hash_table_contains (t->fields, name))
        continue;
      g_hash_table_insert (t->fields, (gpointer) name, GUINT_TO_POINTER (next));
      put_interned (t, GRAPH_FIELD_NAMES, next++, name);
    }
  }
}

static void
put_field_names (struct graph_writer *t)
{
  bool *seen = g_new0 (bool, FIELD_NAMES);
  put_interned (t, GRAPH_FIELD_NAMES, FIELD_ELEMENT, "[]");
  put_named_fields (t);
  for (uint32_t i = 0; i < t->graph->n_objects; i++)
    for (uint32_t k = t->graph->first[i]; k < t->graph->first[i + 1]; k++) {
      const uint64_t id = field_of (t, i, k);
      if (id < FIELD_NAMES)
        seen[id] = true;
    }
  for (guint id = FIELD_OFFSETS; id < FIELD_NAMES; id++) {
    char text[16];
    g_snprintf (text, sizeof text, "+%u", id - FIELD_OFFSETS);
    if (seen[id])
      put_interned (t, GRAPH_FIELD_NAMES, id, text);
  }
  g_free (seen);
}

/* Numbers of objects count from 1. */
static void
put_object (struct graph_writer *t, uint32_t object)
{
  const struct heap_graph *const g = t->graph;
  const uint32_t first = g->first[object], end = g->first[object + 1];
  const size_t message = protobuf_begin (t->to, GRAPH_OBJECTS);
  protobuf_put_number (t->to, OBJECT_ID, (uint64_t) object + 1);
  protobuf_put_number (t->to, OBJECT_TYPE, (uint64_t) g->classes[object] + 1);
  protobuf_put_number (t->to, OBJECT_SIZE, g->bytes[object]);
  if (first < end) {
    const size_t fields = protobuf_begin (t->to, OBJECT_FIELDS);
    for (uint32_t i = first; i < end; i++)
      protobuf_put_varint (t->to, field_of (t, object, i));
    protobuf_end (t->to, fields);
    const size_t references = protobuf_begin (t->to, OBJECT_REFERENCES);
    for (uint32_t i = first; i < end; i++)
      protobuf_put_varint (t->to, (uint64_t) g->targets[i] + 1);
    protobuf_end (t->to, references);
  }
  end_message (t, message);
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
    const size_t message = protobuf_begin (t->to, GRAPH_ROOTS);
    const size_t objects = protobuf_begin (t->to, ROOT_OBJECTS);
    protobuf_put_varint (t->to, (uint64_t) root->object + 1);
    protobuf_end (t->to, objects);
    protobuf_put_number (t->to, ROOT_TYPE, root_type (root->kind));
    end_message (t, message);
  }
}

static uint64_t
write_perfetto (const struct export_shot *shot, struct export_out *out)
{
  struct graph_writer t = { .shot = shot,
                            .graph = shot->graph,
                            .out = out,
                            .to = out->bytes,
                            .fields = g_hash_table_new (NULL, NULL) };
  put_process (&t);
  begin_heap (&t);
  put_classes (&t);
  put_field_names (&t);
  for (uint32_t i = 0; i < shot->graph->n_objects && !out->failed; i++)
    put_object (&t, i);
  put_roots (&t);
  end_heap (&t, true);
  export_flush (out);
  g_hash_table_destroy (t.fields);
  return 0;
}

const struct export_format export_perfetto
    = { "perfetto", "events over time, heap snapshot: ui.perfetto.dev, trace_processor",
        .write_shot = write_perfetto, .trace = &perfetto_trace };
