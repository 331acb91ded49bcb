/* mono-layouts.c -- the fields of the classes in heap snapshots, as readers of their references
 * need them.
 *
 * A class has one description, in the table of names: when it is first in a snapshot, or has
 * static fields in one.  So it is announced, and re-announced, like a name.  The types of objects,
 * vtables, have entries there without a text, once their class was described.
 */
#include "config.h"

#include "profiler/mono/mono-private.h"
#include "agent/native-thread.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum {
  TEXT_MAX = 4000,        /* bytes of a description */
  PATH_MAX_BYTES = 400,   /* bytes of the name of a field within fields */
  DEPTH_MAX = 6,          /* of values in values */
  BASES_MAX = 32,         /* of a class */
  SEEN = 512,             /* types that were seen lately */
  WRITING_LIMIT_MS = 1000 /* how long the end of a domain waits for a description */
};

/* Fields of values count from the header that they would have as objects. */
#define HEADER (2 * (uint32_t) sizeof (void *))

/* Of the heap snapshot that this thread records.  (initial-exec: reaching it must not allocate
 * while the world is stopped.) */
static _Thread_local bool is_open __attribute__ ((tls_model ("initial-exec")));
static _Thread_local uint64_t *seen __attribute__ ((tls_model ("initial-exec")));
static _Thread_local struct address_set new_types __attribute__ ((tls_model ("initial-exec")));
static _Thread_local uint64_t domains_before __attribute__ ((tls_model ("initial-exec")));

/* A snapshot whose classes are to be described.  The collecting thread cannot do that: it has the
 * collector's lock, for which a thread waits that has the runtime's lock of classes. */
static struct pending {
  struct pending *next;
  struct address_set types;
  uint64_t domains_before;
} * _Atomic pending;

/* Wakes the thread that describes them; NULL: there is none. */
static void (*_Atomic wake_describer) (void);

void
layouts_set_waker (void (*wake) (void))
{
  atomic_store (&wake_describer, wake);
}

/* Domains whose end has begun, and has been reached.  All sequentially consistent. */
static _Atomic uint64_t domains_ending, domains_gone;
static _Atomic unsigned writing; /* threads that use types of the runtime */

static bool
is_supported (void)
{
  return recorder_version >= MLPD_VERSION_LAYOUTS && !recorder_is_eventlog
         && mono_class_from_mono_type != NULL && mono_class_get_element_class != NULL
         && mono_class_get_fields != NULL && mono_class_get_parent != NULL
         && mono_class_is_valuetype != NULL && mono_field_get_flags != NULL
         && mono_field_get_name != NULL && mono_field_get_offset != NULL
         && mono_field_get_type != NULL && mono_type_is_reference != NULL
         && mono_type_is_struct != NULL;
}

/* ---- while the world is stopped ---- */

void
layouts_begin (void)
{
  if (seen == NULL) {
    void *const memory = mmap (NULL, SEEN * sizeof *seen, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    seen = memory != MAP_FAILED ? memory : NULL;
  }
  domains_before = atomic_load (&domains_ending);
  is_open = true;
}

bool
layouts_note_type (uint64_t type)
{
  uint64_t *const place = seen != NULL ? &seen[(type >> 4) % SEEN] : NULL;
  if (place != NULL && *place == type)
    return false;
  if (place != NULL)
    *place = type;
  if (is_supported () && names_find (NAME_LAYOUT, type) == NULL)
    address_set_add (&new_types, type);
  return true;
}

/* ---- a description ---- */

struct layout_text {
  char bytes[TEXT_MAX];
  size_t length;
  uint64_t next; /* the offset after the last field; NO_NEXT: it is to be stated */
  /* Of the fields that are added: */
  bool is_static;
  const uint8_t *values; /* their memory, of which only fields that refer to an object are of
                            interest; NULL: all */
};

#define NO_NEXT UINT64_MAX

/* Adds all of it, or nothing where there is no room. */
static bool __attribute__ ((format (printf, 2, 3)))
append (struct layout_text *t, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  const size_t room = sizeof t->bytes - t->length;
  const int n = vsnprintf (t->bytes + t->length, room, format, arguments);
  const bool fits = n >= 0 && (size_t) n < room;
  t->length += fits ? (size_t) n : 0;
  t->bytes[t->length] = 0;
  va_end (arguments);
  return fits;
}

static void
append_field (struct layout_text *t, uint64_t offset, const char *name)
{
  if (t->values != NULL && *(const void *const *) (const void *) (t->values + offset) == NULL)
    return;
  const bool fits = offset == t->next ? append (t, " :%s", name)
                                      : append (t, " %s%llu:%s", t->is_static ? "s" : "",
                                                (unsigned long long) offset, name);
  t->next = fits ? offset + MLPD_LAYOUT_STEP : NO_NEXT;
}

/* Adds the fields of a class itself that refer to objects, also those in values.  `base`: added to
 * offsets; `path`: the fields that the values are in, each with a dot.  Spaces are separators. */
static void
add_fields (struct layout_text *t, MonoClass *klass, uint32_t base, const char *path,
            unsigned depth)
{
  void *at = NULL;
  const bool is_static = t->is_static && depth == 0;
  for (MonoClassField *field; (field = mono_class_get_fields (klass, &at)) != NULL;) {
    const uint32_t flags = mono_field_get_flags (field);
    const uint32_t offset = mono_field_get_offset (field);
    MonoType *const type = mono_field_get_type (field);
    if (((flags & MONO_FIELD_ATTR_STATIC) != 0) != is_static
        || (flags & MONO_FIELD_ATTR_LITERAL) != 0 || offset == UINT32_MAX || type == NULL)
      continue; /* constants, and fields of threads and contexts, have no place there */
    char name[PATH_MAX_BYTES];
    snprintf (name, sizeof name, "%s%s", path, mono_field_get_name (field));
    for (char *c = name; *c != 0; c++)
      if ((unsigned char) *c <= ' ')
        *c = '_';
    if (mono_type_is_reference (type)) {
      append_field (t, base + offset, name);
    } else if (mono_type_is_struct (type) && depth < DEPTH_MAX) {
      MonoClass *const value = mono_class_from_mono_type (type);
      const size_t length = strlen (name);
      if (value == NULL || value == klass || length + 1 >= sizeof name)
        continue;
      memcpy (name + length, ".", 2);
      add_fields (t, value, base + offset - HEADER, name, depth + 1);
    }
  }
}

/* Of the runtime's own library most static fields are never set. */
static void
add_static_fields (struct layout_text *t, MonoClass *klass, MonoVTable *vtable)
{
  const bool is_own
      = mono_class_get_image (klass) == mono_class_get_image (mono_get_string_class ());
  t->next = NO_NEXT;
  t->is_static = true;
  t->values = is_own && vtable != NULL && mono_vtable_get_static_field_data != NULL
                  ? mono_vtable_get_static_field_data (vtable)
                  : NULL;
  add_fields (t, klass, 0, "", 0);
}

/* Adds the parts of elements that refer to objects; of an array of references all is known. */
static void
add_elements (struct layout_text *t, MonoClass *array)
{
  MonoClass *const element = mono_class_get_element_class (array);
  if (element == NULL || !mono_class_is_valuetype (element))
    return;
  const size_t before = t->length;
  append (t, " [%d", mono_array_element_size (array));
  const size_t head = t->length;
  add_fields (t, element, 0U - HEADER, "", 1);
  if (t->length == head)
    t->length = before;
}

/* Describes a class, unless there is nothing to state.  `base`: the nearest base that has a
 * description; NULL: none.  `vtable`: one of the class; NULL: it is not known.  `is_base`: it is
 * described for a class that can refer to `base` as well. */
static void
describe_class (MonoClass *klass, MonoClass *base, MonoVTable *vtable, bool is_base)
{
  struct layout_text t = { .next = NO_NEXT };
  append (&t, MLPD_LAYOUT "%llx", (unsigned long long) address (klass));
  size_t head = t.length;
  if (base != NULL)
    append (&t, " <%llx", (unsigned long long) address (base));
  if (is_base)
    head = t.length;
  if (mono_class_get_rank (klass) > 0) {
    add_elements (&t, klass);
  } else {
    add_fields (&t, klass, 0, "", 0);
    add_static_fields (&t, klass, vtable);
  }
  if (t.length != head)
    names_add (NAME_LAYOUT, address (klass), address (mono_class_get_image (klass)), t.bytes, 0,
               NO_DOMAIN);
}

/* Describes the bases of a class, then the class. */
static void
describe_all (MonoClass *klass, MonoVTable *vtable)
{
  MonoClass *bases[BASES_MAX], *base = NULL;
  unsigned n = 0;
  if (mono_class_get_rank (klass) == 0)
    for (MonoClass *c = klass; n < BASES_MAX && (c = mono_class_get_parent (c)) != NULL;)
      bases[n++] = c;
  while (n-- > 0) {
    if (names_find (NAME_LAYOUT, address (bases[n])) == NULL)
      describe_class (bases[n], base, NULL, true);
    if (names_find (NAME_LAYOUT, address (bases[n])) != NULL)
      base = bases[n];
  }
  describe_class (klass, base, vtable, false);
}

/* ---- when the world runs ---- */

static void
describe_type (uint64_t type)
{
  if (names_find (NAME_LAYOUT, type) != NULL)
    return;
  MonoVTable *const vtable = log_has_vtables () ? (MonoVTable *) (uintptr_t) type : NULL;
  MonoClass *const klass
      = vtable != NULL ? mono_vtable_class (vtable) : (MonoClass *) (uintptr_t) type;
  if (name_class (klass) == NULL)
    return;
  operations_learn (klass);
  if (names_find (NAME_LAYOUT, address (klass)) == NULL)
    describe_all (klass, vtable);
  if (names_find (NAME_LAYOUT, type) == NULL)
    names_set (NAME_LAYOUT, type, address (mono_class_get_image (klass)), "", 0,
               vtable != NULL ? (uint64_t) mono_domain_get_id (mono_vtable_domain (vtable))
                              : NO_DOMAIN);
}

/* The classes whose static fields are roots.  The types of a domain that ends may be gone. */
static void
describe_static_fields (void)
{
  size_t count;
  uint64_t *const vtables = names_list_codes (NAME_ROOT, MLPD_ROOT_SOURCE_STATIC, &count);
  for (size_t i = 0; i < count; i++)
    if (vtables[i] != 0)
      describe_type (vtables[i]);
  free (vtables);
}

void
layouts_end (void)
{
  if (!is_open)
    return;
  void (*const wake) (void) = atomic_load (&wake_describer);
  struct pending *const p = is_supported () && wake != NULL ? malloc (sizeof *p) : NULL;
  is_open = false;
  if (seen != NULL)
    munmap (seen, SEEN * sizeof *seen);
  seen = NULL;
  if (p == NULL) {
    address_set_clear (&new_types);
    return;
  }
  *p = (struct pending){ atomic_load (&pending), new_types, domains_before };
  new_types = (struct address_set){ 0 };
  while (!atomic_compare_exchange_weak (&pending, &p->next, p))
    ;
  wake ();
}

static void
describe_pending (const struct pending *p)
{
  for (size_t i = 0; i < p->types.size; i++)
    if (p->types.slots[i] != 0)
      describe_type (p->types.slots[i]);
  if (log_has_vtables () && atomic_load (&domains_gone) == p->domains_before)
    describe_static_fields ();
}

void
layouts_write (void)
{
  struct pending *next;
  for (struct pending *p = atomic_exchange (&pending, NULL); p != NULL; p = next) {
    next = p->next;
    atomic_fetch_add (&writing, 1);
    if (atomic_load (&domains_ending) == p->domains_before)
      describe_pending (p);
    atomic_fetch_sub (&writing, 1);
    address_set_clear (&p->types);
    free (p);
  }
}

void
layouts_note_domain_ending (void)
{
  atomic_fetch_add (&domains_ending, 1);
  for (int i = 0; i < WRITING_LIMIT_MS && atomic_load (&writing) != 0; i++)
    native_thread_sleep (1);
}

void
layouts_note_domain_gone (void)
{
  atomic_fetch_add (&domains_gone, 1);
}
