/* export-hprof.c -- HPROF 1.0.2: VisualVM, Eclipse MAT.
 *
 * The format has fixed sizes for the objects of a class: 16 bytes and those of its fields.  Classes
 * whose objects are all of one size, with references at offsets that fit, are that, with a field
 * for each offset, which has its name where the log states it.  All others become arrays of
 * objects, whose size is 24 bytes and 8 for each element: so arrays are arrays of their elements'
 * kind, and the name of another class states that its size varies.  Both readers work sizes out by
 * those rules; smaller objects become larger in them.
 *
 * The contents of objects are zeros beside the references.  A log of a few bytes can state
 * terabytes of them: above the limit of the snapshot, large objects are arrays that are shorter.
 *
 * VisualVM reads the system properties: so there are two objects more than in the snapshot, an
 * instance of java.util.Properties and its table, an empty array.
 */
#include "config.h"

#include "decoder/exports/export.h"
#include "decoder/heap/heap-fields.h"
#include <string.h>

enum {
  RECORD_TEXT = 0x01,
  RECORD_CLASS = 0x02,
  RECORD_SEGMENT = 0x1c,
  RECORD_END = 0x2c,
  ROOT_GLOBAL = 0x01,
  ROOT_STICKY = 0x05,
  ROOT_UNKNOWN = 0xff,
  DUMP_CLASS = 0x20,
  DUMP_INSTANCE = 0x21,
  DUMP_ARRAY = 0x22,
  TYPE_OBJECT = 2,
  TYPE_LONG = 11,
};

enum {
  POINTER = 8,
  INSTANCE_HEAD = 16,
  ARRAY_HEAD = 24,
  SEGMENT = 1 << 20, /* bytes, more or less */
  FIELDS_MAX = UINT16_MAX,
  ELEMENTS_MAX = 1 << 27, /* of an array, where a log reports larger ones: it is damaged */
  LEAST_BITS = 8,         /* objects of 256 bytes are always whole */
};

/* Classes that readers search for, in order of their numbers; after them those of the graph. */
enum {
  JAVA_OBJECT,
  JAVA_CLASS,
  JAVA_STRING,
  JAVA_CLASS_LOADER,
  JAVA_SYSTEM,
  JAVA_HASHTABLE,
  JAVA_PROPERTIES,
  JAVA_REFERENCE,
  JAVA_WEAK,
  JAVA_SOFT,
  JAVA_FINAL,
  JAVA_PHANTOM,
  JAVA_OBJECTS,
  JAVA_CLASSES,
};

static const struct java_class {
  const char *name;
  int super;
  const char *field; /* of objects; NULL: none */
} java_classes[JAVA_CLASSES] = {
  [JAVA_OBJECT] = { "java/lang/Object", -1, NULL },
  [JAVA_CLASS] = { "java/lang/Class", JAVA_OBJECT, NULL },
  [JAVA_STRING] = { "java/lang/String", JAVA_OBJECT, NULL },
  [JAVA_CLASS_LOADER] = { "java/lang/ClassLoader", JAVA_OBJECT, NULL },
  [JAVA_SYSTEM] = { "java/lang/System", JAVA_OBJECT, NULL },
  [JAVA_HASHTABLE] = { "java/util/Hashtable", JAVA_OBJECT, "table" },
  [JAVA_PROPERTIES] = { "java/util/Properties", JAVA_HASHTABLE, "defaults" },
  [JAVA_REFERENCE] = { "java/lang/ref/Reference", JAVA_OBJECT, "referent" },
  [JAVA_WEAK] = { "java/lang/ref/WeakReference", JAVA_REFERENCE, NULL },
  [JAVA_SOFT] = { "java/lang/ref/SoftReference", JAVA_REFERENCE, NULL },
  [JAVA_FINAL] = { "java/lang/ref/FinalReference", JAVA_REFERENCE, NULL },
  [JAVA_PHANTOM] = { "java/lang/ref/PhantomReference", JAVA_REFERENCE, NULL },
  [JAVA_OBJECTS] = { "[Ljava/lang/Object;", JAVA_OBJECT, NULL },
};

/* How a class of the graph is reported. */
struct layout {
  bool varies;     /* as arrays */
  uint64_t bytes;  /* of all its objects */
  GArray *offsets; /* of uint32_t: of its references, ascending; NULL: none so far */
  uint32_t most;   /* references of an object, where offsets are not known */
  bool any;        /* objects */
};

/* A reference, at an element of an array. */
struct element {
  uint64_t at;
  uint64_t target;
};

struct dump {
  const struct export_shot *shot;
  const struct heap_graph *graph;
  struct export_out *out;
  GString *body; /* of the record, or segment, that is being made */
  struct layout *layouts;
  GArray *elements;   /* of struct element: the references of an array */
  GHashTable *fields; /* name of a field, the graph's -> number of its text */
  uint64_t most;      /* bytes that an object is written with */
  uint64_t base; /* ids from it on are free: those of classes, and of things without an address */
  uint64_t other_sizes;
};

/* ---- numbers, records ---- */

static void
put_u (GString *to, unsigned bytes, uint64_t number)
{
  for (unsigned i = bytes; i-- > 0;)
    g_string_append_c (to, (char) (number >> (8 * i)));
}

static void
put_zeros (GString *to, uint64_t n)
{
  const gsize old = to->len;
  g_string_set_size (to, old + n);
  memset (to->str + old, 0, n);
}

static void
put_record_head (struct dump *d, unsigned tag, uint64_t length)
{
  put_u (d->out->bytes, 1, tag);
  put_u (d->out->bytes, 4, 0); /* microseconds */
  put_u (d->out->bytes, 4, length);
}

static void
put_record (struct dump *d, unsigned tag)
{
  put_record_head (d, tag, d->body->len);
  g_string_append_len (d->out->bytes, d->body->str, (gssize) d->body->len);
  g_string_truncate (d->body, 0);
  export_flush_much (d->out);
}

static void
end_segment_if_much (struct dump *d)
{
  if (d->body->len >= SEGMENT)
    put_record (d, RECORD_SEGMENT);
}

/* ---- ids ---- */

static uint64_t
java_id (const struct dump *d, unsigned klass)
{
  return d->base + klass;
}

static uint64_t
class_id (const struct dump *d, uint32_t klass)
{
  return d->base + JAVA_CLASSES + klass;
}

/* The instance of Properties, and its table. */
static uint64_t
properties_id (const struct dump *d)
{
  return class_id (d, d->graph->n_classes);
}

/* Texts have ids of their own kind: numbers from 1. */
static uint64_t
put_text (struct dump *d, uint64_t id, const char *text)
{
  put_u (d->body, 8, id);
  g_string_append (d->body, text);
  put_record (d, RECORD_TEXT);
  return id;
}

/* ---- layouts ---- */

/* The largest power of two so that no object of more bytes makes the contents of all larger than
 * the limit of the snapshot. */
static uint64_t
most_bytes (const struct export_shot *shot)
{
  const struct heap_graph *const g = shot->graph;
  uint64_t counts[64] = { 0 }, larger = 0;
  double sums[64] = { 0 }, smaller = 0;
  for (uint32_t i = 0; i < g->n_objects; i++) {
    const unsigned bits = g->bytes[i] <= 1 ? 0 : 64 - (unsigned) __builtin_clzll (g->bytes[i] - 1);
    counts[MIN (bits, 63)]++;
    sums[MIN (bits, 63)] += (double) g->bytes[i];
  }
  for (unsigned i = 0; i < G_N_ELEMENTS (sums); i++)
    smaller += sums[i];
  if (shot->limit == 0 || smaller <= (double) shot->limit)
    return UINT64_MAX;
  unsigned bits = G_N_ELEMENTS (sums) - 1;
  for (; bits > LEAST_BITS; bits--) {
    smaller -= sums[bits];
    larger += counts[bits];
    if (smaller + (double) larger * (double) (UINT64_C (1) << (bits - 1)) <= (double) shot->limit)
      break;
  }
  return UINT64_C (1) << MAX (bits - 1, LEAST_BITS);
}

/* That the object is written with. */
static uint64_t
bytes_of (const struct dump *d, uint32_t object)
{
  return MIN (d->graph->bytes[object], d->most);
}

static void
count_cut (const struct dump *d)
{
  for (uint32_t i = 0; i < d->graph->n_objects; i++)
    d->out->cut += d->graph->bytes[i] > d->most;
  d->out->cut_bytes = d->most;
}

static bool
fits (uint32_t offset, uint64_t bytes)
{
  return offset >= INSTANCE_HEAD && offset % POINTER == 0 && offset + (uint64_t) POINTER <= bytes;
}

static void
add_offset (struct layout *l, uint32_t offset)
{
  if (l->offsets == NULL)
    l->offsets = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  guint i = l->offsets->len;
  while (i > 0 && g_array_index (l->offsets, uint32_t, i - 1) > offset)
    i--;
  if (i == 0 || g_array_index (l->offsets, uint32_t, i - 1) != offset)
    g_array_insert_val (l->offsets, i, offset);
}

/* References of an object come with rising offsets, of which two may be the same in a damaged log.
 */
static void
measure_object (struct dump *d, uint32_t object)
{
  const struct heap_graph *const g = d->graph;
  struct layout *l = &d->layouts[g->classes[object]];
  const uint64_t bytes = bytes_of (d, object);
  const uint32_t first = g->first[object], end = g->first[object + 1];
  l->varies |= (l->any && l->bytes != bytes) || bytes != g->bytes[object] || bytes < INSTANCE_HEAD
               || bytes % POINTER != 0 || (bytes - INSTANCE_HEAD) / POINTER > FIELDS_MAX;
  l->bytes = bytes;
  l->any = true;
  l->most = MAX (l->most, end - first);
  for (uint32_t i = first; i < end && g->offsets != NULL && !l->varies; i++) {
    l->varies |= !fits (g->offsets[i], bytes) || (i > first && g->offsets[i] <= g->offsets[i - 1]);
    if (!l->varies)
      add_offset (l, g->offsets[i]);
  }
  l->varies |= g->offsets == NULL && INSTANCE_HEAD + (uint64_t) l->most * POINTER > bytes;
}

static void
make_layouts (struct dump *d)
{
  d->layouts = g_new0 (struct layout, d->graph->n_classes);
  for (uint32_t i = 0; i < d->graph->n_classes; i++)
    d->layouts[i].varies = heap_class_is_array (&d->graph->class_list[i]);
  for (uint32_t i = 0; i < d->graph->n_objects; i++)
    measure_object (d, i);
}

/* References that an object of the class has room for. */
static uint32_t
n_fields (const struct dump *d, const struct layout *l)
{
  return d->graph->offsets == NULL ? l->most : l->offsets != NULL ? l->offsets->len : 0;
}

/* ---- classes ---- */

/* Readers take points for dots and slashes for both; arrays are "[L...;". */
static char *
class_name (const struct dump *d, uint32_t klass)
{
  const char *name = d->graph->class_list[klass].name;
  const struct layout *l = &d->layouts[klass];
  GString *text = g_string_new (l->varies ? "[L" : NULL);
  size_t length = strlen (name);
  if (l->varies && g_str_has_suffix (name, "[]"))
    length -= strlen ("[]");
  for (size_t i = 0; i < length; i++)
    g_string_append_c (text, name[i] == '.' ? '/' : name[i] == ';' ? ',' : name[i]);
  if (l->varies)
    g_string_append (text, length == strlen (name) ? " (size varies);" : ";");
  return g_string_free (text, FALSE);
}

static void
put_class_record (struct dump *d, uint64_t id, uint64_t text, const char *name)
{
  put_text (d, text, name);
  put_u (d->body, 4, id - d->base + 1); /* serial */
  put_u (d->body, 8, id);
  put_u (d->body, 4, 0);
  put_u (d->body, 8, text);
  put_record (d, RECORD_CLASS);
}

/* Numbers of texts: of classes as those, then of fields. */
enum {
  FIRST_TEXT = 1,
};

static uint64_t
class_text (uint64_t nth_class)
{
  return FIRST_TEXT + nth_class;
}

static uint64_t
field_text (const struct dump *d, uint64_t field)
{
  return class_text (JAVA_CLASSES + d->graph->n_classes) + JAVA_CLASSES + 1 + field;
}

static uint64_t
java_field_text (const struct dump *d, unsigned klass)
{
  return class_text (JAVA_CLASSES + d->graph->n_classes) + klass;
}

/* The largest offset of a field / 8, or number of one, and how many there are. */
static uint64_t
count_field_texts (const struct dump *d)
{
  uint64_t n = 0;
  for (uint32_t i = 0; i < d->graph->n_classes; i++) {
    const struct layout *l = &d->layouts[i];
    if (!l->varies && n_fields (d, l) > 0)
      n = MAX (n, l->offsets != NULL
                      ? g_array_index (l->offsets, uint32_t, l->offsets->len - 1) / 8 + 1
                      : l->most);
  }
  return n;
}

/* The names of fields are texts of their own, after the offsets. */
static void
put_field_names (struct dump *d, uint64_t next)
{
  for (uint32_t i = 0; i < d->graph->n_classes; i++) {
    const struct heap_class *const klass = &d->graph->class_list[i];
    const struct layout *const l = &d->layouts[i];
    for (guint f = 0; !l->varies && l->offsets != NULL && f < l->offsets->len; f++) {
      const char *name = heap_class_find_field (klass, g_array_index (l->offsets, uint32_t, f));
      if (name != NULL && !g_hash_table_contains (d->fields, name))
        g_hash_table_insert (d->fields, (gpointer) name,
                             GSIZE_TO_POINTER (put_text (d, field_text (d, next++), name)));
    }
  }
}

/* The text of a field of a class, by its number. */
static uint64_t
text_of_field (const struct dump *d, uint32_t klass, uint32_t field)
{
  const struct layout *l = &d->layouts[klass];
  if (l->offsets == NULL)
    return field_text (d, field);
  const uint32_t offset = g_array_index (l->offsets, uint32_t, field);
  const char *name = heap_class_find_field (&d->graph->class_list[klass], offset);
  return name != NULL ? GPOINTER_TO_SIZE (g_hash_table_lookup (d->fields, name))
                      : field_text (d, offset / POINTER);
}

static void
put_names (struct dump *d)
{
  for (unsigned i = 0; i < JAVA_CLASSES; i++)
    put_class_record (d, java_id (d, i), class_text (i), java_classes[i].name);
  for (uint32_t i = 0; i < d->graph->n_classes; i++) {
    char *name = class_name (d, i);
    put_class_record (d, class_id (d, i), class_text (JAVA_CLASSES + i), name);
    g_free (name);
  }
  for (unsigned i = 0; i < JAVA_CLASSES; i++)
    if (java_classes[i].field != NULL)
      put_text (d, java_field_text (d, i), java_classes[i].field);
  put_text (d, java_field_text (d, JAVA_SYSTEM), "props");
  put_text (d, java_field_text (d, JAVA_CLASSES), "bytes");
  const uint64_t n = count_field_texts (d);
  for (uint64_t i = 0; i < n; i++) {
    char text[32];
    if (d->graph->offsets != NULL)
      g_snprintf (text, sizeof text, "+%" G_GUINT64_FORMAT, i * POINTER);
    else
      g_snprintf (text, sizeof text, "reference %" G_GUINT64_FORMAT, i);
    put_text (d, field_text (d, i), text);
  }
  put_field_names (d, n);
}

/* A class dump up to its fields. */
static void
put_class_head (struct dump *d, uint64_t id, uint64_t super, uint64_t bytes)
{
  put_u (d->body, 1, DUMP_CLASS);
  put_u (d->body, 8, id);
  put_u (d->body, 4, 0);
  put_u (d->body, 8, super);
  put_zeros (d->body, 5 * 8); /* loader, signers, domain, two for later */
  put_u (d->body, 4, bytes);
  put_u (d->body, 2, 0); /* constants */
}

static void
put_field (struct dump *d, uint64_t text, unsigned type)
{
  put_u (d->body, 8, text);
  put_u (d->body, 1, type);
}

static void
put_java_classes (struct dump *d)
{
  for (unsigned i = 0; i < JAVA_CLASSES; i++) {
    const struct java_class *c = &java_classes[i];
    put_class_head (d, java_id (d, i), c->super < 0 ? 0 : java_id (d, (unsigned) c->super),
                    c->field != NULL ? POINTER : 0);
    put_u (d->body, 2, i == JAVA_SYSTEM);
    if (i == JAVA_SYSTEM) {
      put_field (d, java_field_text (d, i), TYPE_OBJECT);
      put_u (d->body, 8, properties_id (d));
    }
    put_u (d->body, 2, c->field != NULL);
    if (c->field != NULL)
      put_field (d, java_field_text (d, i), TYPE_OBJECT);
  }
}

/* Fields for the references, in order of their offsets, and then numbers for the rest of the size.
 */
static void
put_class (struct dump *d, uint32_t klass)
{
  const struct layout *l = &d->layouts[klass];
  const uint64_t bytes = l->varies || !l->any ? 0 : l->bytes - INSTANCE_HEAD;
  const uint32_t references = bytes > 0 ? n_fields (d, l) : 0;
  const uint64_t rest = bytes / POINTER - references;
  put_class_head (d, class_id (d, klass), java_id (d, JAVA_OBJECT), bytes);
  put_u (d->body, 2, 0);
  put_u (d->body, 2, references + rest);
  for (uint32_t i = 0; i < references; i++)
    put_field (d, text_of_field (d, klass, i), TYPE_OBJECT);
  for (uint64_t i = 0; i < rest; i++)
    put_field (d, java_field_text (d, JAVA_CLASSES), TYPE_LONG);
  end_segment_if_much (d);
}

/* ---- objects ---- */

/* Readers count references of objects that no root leads to as if they retained something: those
 * are left out. */
static uint64_t
target_of (const struct dump *d, uint32_t object, uint32_t reference)
{
  const struct heap_graph *const g = d->graph;
  return export_is_reached (d->shot, object) ? g->addresses[g->targets[reference]] : 0;
}

static void
put_instance (struct dump *d, uint32_t object)
{
  const struct heap_graph *const g = d->graph;
  const struct layout *l = &d->layouts[g->classes[object]];
  const uint32_t n = n_fields (d, l);
  const uint64_t bytes = l->bytes - INSTANCE_HEAD;
  uint32_t i = g->first[object];
  put_u (d->body, 1, DUMP_INSTANCE);
  put_u (d->body, 8, g->addresses[object]);
  put_u (d->body, 4, 0);
  put_u (d->body, 8, class_id (d, g->classes[object]));
  put_u (d->body, 4, bytes);
  for (uint32_t field = 0; field < n; field++) {
    const bool is_set
        = i < g->first[object + 1]
          && (l->offsets == NULL || g->offsets[i] == g_array_index (l->offsets, uint32_t, field));
    put_u (d->body, 8, is_set ? target_of (d, object, i++) : 0);
  }
  put_zeros (d->body, bytes - (uint64_t) n * POINTER);
}

static gint
compare_elements (gconstpointer first, gconstpointer second)
{
  const struct element *const a = first, *const b = second;
  return (a->at > b->at) - (a->at < b->at);
}

/* Some references have an element that there is not, or that another one has: these get the first
 * ones that are free. */
static void
move_elements (GArray *elements, uint64_t n)
{
  struct element *const all = (struct element *) (void *) elements->data;
  guint placed = 0;
  g_array_sort (elements, compare_elements);
  for (guint i = 1, kept = 0; i < elements->len; i++)
    if (all[i].at == all[kept].at)
      all[i].at = n;
    else
      kept = i;
  g_array_sort (elements, compare_elements);
  while (placed < elements->len && all[placed].at < n)
    placed++;
  uint64_t free = 0;
  guint next = 0;
  for (guint i = placed; i < elements->len; i++, free++) {
    for (; next < placed && all[next].at == free; next++)
      free++;
    all[i].at = free;
  }
  g_array_sort (elements, compare_elements);
}

/* Finds the elements of the references of an array of n elements, in their order.  Offsets rise,
 * except in a damaged log. */
static void
place_elements (struct dump *d, uint32_t object, uint64_t n)
{
  const struct heap_graph *const g = d->graph;
  const uint32_t first = g->first[object], end = g->first[object + 1];
  bool rises = true;
  uint64_t least = 0;
  g_array_set_size (d->elements, 0);
  for (uint32_t i = first; i < end; i++) {
    const uint64_t at = g->offsets != NULL ? heap_array_element (g->offsets[i]) : i - first;
    const struct element element = { MIN (at, n), target_of (d, object, i) };
    rises &= at >= least && at < n;
    least = at + 1;
    g_array_append_val (d->elements, element);
  }
  if (!rises)
    move_elements (d->elements, n);
}

/* Elements without a reference. */
static void
put_empty (struct dump *d, GString *to, uint64_t n)
{
  while (n > 0 && !d->out->failed) {
    const uint64_t some = MIN (n, SEGMENT / POINTER);
    put_zeros (to, some * POINTER);
    export_flush_much (d->out);
    n -= some;
  }
}

/* An array that fills a segment is not made in memory. */
static void
put_array (struct dump *d, uint32_t object)
{
  enum { HEAD = 1 + 8 + 4 + 4 + 8 };
  const struct heap_graph *const g = d->graph;
  const uint64_t bytes = bytes_of (d, object), references = g->first[object + 1] - g->first[object];
  const uint64_t room = bytes < ARRAY_HEAD ? 0 : MIN ((bytes - ARRAY_HEAD) / POINTER, ELEMENTS_MAX);
  const uint64_t n = MAX (room, references);
  const bool is_large = n * POINTER >= SEGMENT;
  GString *const to = is_large ? d->out->bytes : d->body;
  uint64_t at = 0;
  d->other_sizes += ARRAY_HEAD + n * POINTER != bytes && bytes == g->bytes[object];
  place_elements (d, object, n);
  if (is_large && d->body->len != 0)
    put_record (d, RECORD_SEGMENT);
  if (is_large)
    put_record_head (d, RECORD_SEGMENT, HEAD + n * POINTER);
  put_u (to, 1, DUMP_ARRAY);
  put_u (to, 8, g->addresses[object]);
  put_u (to, 4, 0);
  put_u (to, 4, n);
  put_u (to, 8, class_id (d, g->classes[object]));
  for (guint i = 0; i < d->elements->len; i++) {
    const struct element element = g_array_index (d->elements, struct element, i);
    put_empty (d, to, element.at - at);
    put_u (to, 8, element.target);
    at = element.at + 1;
  }
  put_empty (d, to, n - at);
}

static void
put_properties (struct dump *d)
{
  put_u (d->body, 1, DUMP_ARRAY);
  put_u (d->body, 8, properties_id (d) + 1);
  put_u (d->body, 4, 0);
  put_u (d->body, 4, 0);
  put_u (d->body, 8, java_id (d, JAVA_OBJECTS));
  put_u (d->body, 1, DUMP_INSTANCE);
  put_u (d->body, 8, properties_id (d));
  put_u (d->body, 4, 0);
  put_u (d->body, 8, java_id (d, JAVA_PROPERTIES));
  put_u (d->body, 4, 2 * POINTER);
  put_u (d->body, 8, 0); /* defaults */
  put_u (d->body, 8, properties_id (d) + 1);
}

/* Weak roots have no place here. */
static void
put_roots (struct dump *d)
{
  for (uint32_t i = 0; i < d->graph->n_roots; i++) {
    const struct heap_root *root = &d->graph->roots[i];
    const bool is_handle = strstr (root->kind, "handle") != NULL;
    if (root->is_weak)
      continue;
    put_u (d->body, 1,
           is_handle                            ? ROOT_GLOBAL
           : strcmp (root->kind, "static") == 0 ? ROOT_STICKY
                                                : ROOT_UNKNOWN);
    put_u (d->body, 8, d->graph->addresses[root->object]);
    if (is_handle)
      put_u (d->body, 8, 0);
    end_segment_if_much (d);
  }
  put_u (d->body, 1, ROOT_UNKNOWN);
  put_u (d->body, 8, properties_id (d));
}

static uint64_t
free_ids_of (const struct heap_graph *g)
{
  return g->n_objects == 0 ? 4096 : g->addresses[g->n_objects - 1] + 4096;
}

static uint64_t
write_hprof (const struct export_shot *shot, struct export_out *out)
{
  const struct heap_graph *const g = shot->graph;
  struct dump d = { .shot = shot,
                    .graph = g,
                    .out = out,
                    .body = g_string_new (NULL),
                    .base = free_ids_of (g),
                    .elements = g_array_new (FALSE, FALSE, sizeof (struct element)),
                    .fields = g_hash_table_new (NULL, NULL),
                    .most = most_bytes (shot) };
  count_cut (&d);
  make_layouts (&d);
  g_string_append_len (out->bytes, "JAVA PROFILE 1.0.2", sizeof "JAVA PROFILE 1.0.2");
  put_u (out->bytes, 4, POINTER);
  put_u (out->bytes, 8, shot->start_ms);
  put_names (&d);
  put_java_classes (&d);
  for (uint32_t i = 0; i < g->n_classes; i++)
    put_class (&d, i);
  put_properties (&d);
  for (uint32_t i = 0; i < g->n_objects && !out->failed; i++) {
    if (d.layouts[g->classes[i]].varies)
      put_array (&d, i);
    else
      put_instance (&d, i);
    end_segment_if_much (&d);
  }
  put_roots (&d);
  put_record (&d, RECORD_SEGMENT);
  put_record (&d, RECORD_END);
  export_flush (out);
  for (uint32_t i = 0; i < g->n_classes; i++)
    g_clear_pointer (&d.layouts[i].offsets, g_array_unref);
  g_free (d.layouts);
  g_array_unref (d.elements);
  g_hash_table_destroy (d.fields);
  g_string_free (d.body, TRUE);
  return d.other_sizes;
}

const struct export_format export_hprof
    = { "hprof", "heap snapshot: VisualVM, Eclipse MAT; sizes by its own rule",
        .write_shot = write_hprof };
