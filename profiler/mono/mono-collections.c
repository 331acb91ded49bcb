/* mono-collections.c -- where the collections of the runtime's libraries have their counts.
 *
 * The offsets of fields are found once, while the world runs: those of a generic class are the same
 * for all its instances, as no field has the type of an element.  A class is recognized by its
 * image and name, which are read without a lock.
 */
#include "config.h"

#include "profiler/mono/mono-private.h"

/* After vtable, monitor and bounds; the elements follow. */
#define ARRAY_LENGTH_AT (3 * sizeof (void *))
#define ARRAY_ELEMENTS_AT (4 * sizeof (void *))

/* Names of fields are alternatives, of versions of the library; NULL: there is none. */
static struct collection_kind {
  const char *space, *name;
  const char *tables;          /* refers to an object that has the arrays */
  const char *tables_class;    /* of that object */
  const char *array;           /* whose length is the capacity */
  const char *count;           /* with tables: an array, of counts that are added up */
  const char *unused;          /* what of the count is free */
  const char *before;          /* what comes to both, of parts before this one */
  _Atomic (MonoImage *) image; /* NULL: it was not found */
  uint32_t tables_at, array_at, count_at, unused_at, before_at;
} kinds[] = {
  { .space = "System.Collections.Generic", .name = "List`1", .array = "_items", .count = "_size" },
  { .space = "System.Collections.Generic",
    .name = "Dictionary`2",
    .array = "_entries entries",
    .count = "_count count",
    .unused = "_freeCount freeCount" },
  { .space = "System.Collections.Generic",
    .name = "HashSet`1",
    .array = "_slots m_slots _entries",
    .count = "_count m_count" },
  { .space = "System.Collections.Generic", .name = "Queue`1", .array = "_array", .count = "_size" },
  { .space = "System.Collections.Generic", .name = "Stack`1", .array = "_array", .count = "_size" },
  { .space = "System.Collections.Concurrent",
    .name = "ConcurrentDictionary`2",
    .tables = "_tables m_tables",
    .tables_class = "ConcurrentDictionary`2/Tables",
    .array = "_buckets m_buckets",
    .count = "_countPerLock m_countPerLock" },
  { .space = "System.Text",
    .name = "StringBuilder",
    .array = "m_ChunkChars",
    .count = "m_ChunkLength",
    .before = "m_ChunkOffset" },
};

enum { KINDS = sizeof kinds / sizeof *kinds, KIND_ARRAY = KINDS + 1, SEEN = 2048 };

/* Classes that the walk has seen lately. */
static struct seen_class {
  MonoClass *klass;
  unsigned kind;    /* of kinds[kind - 1]; KIND_ARRAY: arrays of references; 0: of none */
  uint32_t element; /* bytes; 0: not known yet */
} seen[SEEN];

/* ---- when the world runs ---- */

static bool
is_name (const char *names, const char *name)
{
  const size_t length = strlen (name);
  for (const char *n = names; (n = strstr (n, name)) != NULL; n += length)
    if ((n == names || n[-1] == ' ') && (n[length] == ' ' || n[length] == 0))
      return true;
  return false;
}

uint32_t
collections_find_field (MonoClass *klass, const char *names)
{
  void *at = NULL;
  for (MonoClassField *field; (field = mono_class_get_fields (klass, &at)) != NULL;)
    if ((mono_field_get_flags (field) & MONO_FIELD_ATTR_STATIC) == 0
        && is_name (names, mono_field_get_name (field)))
      return mono_field_get_offset (field);
  return 0;
}

static bool
find_offset (MonoClass *klass, const char *names, uint32_t *offset)
{
  *offset = names != NULL ? collections_find_field (klass, names) : 0;
  return names == NULL || (*offset != 0 && *offset != UINT32_MAX);
}

void
collections_learn (MonoImage *image)
{
  if (!profiler.options.heapshot_collections || mono_class_from_name == NULL)
    return;
  for (size_t i = 0; i < KINDS; i++) {
    struct collection_kind *const kind = &kinds[i];
    if (atomic_load (&kind->image) != NULL)
      continue;
    MonoClass *const klass = mono_class_from_name (image, kind->space, kind->name);
    MonoClass *const tables = kind->tables != NULL
                                  ? mono_class_from_name (image, kind->space, kind->tables_class)
                                  : klass;
    if (klass != NULL && tables != NULL && mono_class_get_image (klass) == image
        && find_offset (klass, kind->tables, &kind->tables_at)
        && find_offset (tables, kind->array, &kind->array_at)
        && find_offset (tables, kind->count, &kind->count_at)
        && find_offset (klass, kind->unused, &kind->unused_at)
        && find_offset (klass, kind->before, &kind->before_at))
      atomic_store (&kind->image, image);
  }
}

/* ---- while the world is stopped ---- */

void
collections_begin (void)
{
  memset (seen, 0, sizeof seen);
}

static unsigned
find_kind (MonoClass *klass)
{
  MonoImage *const image = mono_class_get_image (klass);
  if (mono_class_get_rank (klass) != 0)
    return mono_class_get_rank (klass) == 1 && mono_class_get_element_class != NULL
                   && mono_class_is_valuetype != NULL
                   && !mono_class_is_valuetype (mono_class_get_element_class (klass))
               ? KIND_ARRAY
               : 0;
  for (unsigned i = 0; i < KINDS; i++)
    if (atomic_load_explicit (&kinds[i].image, memory_order_acquire) == image
        && strcmp (mono_class_get_name (klass), kinds[i].name) == 0
        && strcmp (mono_class_get_namespace (klass), kinds[i].space) == 0)
      return i + 1;
  return 0;
}

static struct seen_class *
see_class (MonoClass *klass)
{
  struct seen_class *const place
      = &seen[(address (klass) * UINT64_C (0x9E3779B97F4A7C15) >> 32) % SEEN];
  if (place->klass != klass)
    *place = (struct seen_class){ klass, find_kind (klass), 0 };
  return place;
}

static uint64_t
read_number (const char *object, uint32_t offset)
{
  int32_t number = 0;
  if (offset != 0)
    memcpy (&number, object + offset, sizeof number);
  return number > 0 ? (uint64_t) number : 0;
}

static const char *
read_pointer (const char *object, uint32_t offset)
{
  const char *pointer;
  memcpy (&pointer, object + offset, sizeof pointer);
  return pointer;
}

static uint32_t
length_of (const char *array)
{
  uint32_t length = 0;
  if (array != NULL)
    memcpy (&length, array + ARRAY_LENGTH_AT, sizeof length);
  return length;
}

/* The sum of an array of numbers. */
static uint64_t
add_up (const char *array)
{
  uint64_t sum = 0;
  for (uint32_t i = length_of (array); i-- > 0;)
    sum += read_number (array, (uint32_t) (ARRAY_ELEMENTS_AT + i * sizeof (int32_t)));
  return sum;
}

static uint64_t
count_of (const struct collection_kind *kind, const char *object)
{
  if (object == NULL)
    return 0;
  return kind->tables_at == 0 ? read_number (object, kind->count_at)
                              : add_up (read_pointer (object, kind->count_at));
}

bool
collections_read (MonoObject *o, MonoClass *klass, struct collection_sizes *sizes)
{
  struct seen_class *const place = see_class (klass);
  const char *const object = (const char *) o;
  if (place->kind == 0)
    return false;
  if (place->kind == KIND_ARRAY) {
    *sizes = (struct collection_sizes){ .is_array = true,
                                        .element = sizeof (void *),
                                        .capacity = length_of (object) };
    return true;
  }
  const struct collection_kind *const kind = &kinds[place->kind - 1];
  const char *const tables = kind->tables_at != 0 ? read_pointer (object, kind->tables_at) : object;
  const char *const array = tables != NULL ? read_pointer (tables, kind->array_at) : NULL;
  if (place->element == 0 && array != NULL)
    place->element = (uint32_t) mono_array_element_size (
        mono_object_get_class ((MonoObject *) (uintptr_t) array));
  const uint64_t before = read_number (object, kind->before_at);
  const uint64_t used = count_of (kind, tables);
  const uint64_t unused = read_number (object, kind->unused_at);
  *sizes = (struct collection_sizes){ .element = place->element,
                                      .count = before + used - (unused < used ? unused : used),
                                      .capacity = before + length_of (array) };
  return true;
}
