/* mono-sizes.c -- the type and the size of a new object.
 *
 * The runtime's functions for these change the state of the thread and back, with a copy of its
 * stack, which takes longer than an allocation.  Objects of one vtable have one size, but for
 * strings and arrays, which state their length.  So both are found once for a vtable, with the
 * first object as proof, and stored.
 *
 * An object begins with its vtable.
 */
#include "config.h"

#include "profiler/mono/mono-private.h"
#include "profiler/os/addresses.h"
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

struct rule {
  uint32_t bytes;     /* of an object, without elements */
  uint32_t unit;      /* of an element; 0: it has none */
  uint32_t length_at; /* where the number of elements is, in 32 bits */
  uint32_t bounds_at; /* where the address of an array's bounds is; 0: it has none */
};

static struct address_table types;

static inline const void *
vtable_of (const MonoObject *object)
{
  const void *vtable;
  memcpy (&vtable, object, sizeof vtable);
  return vtable;
}

static inline uint32_t
length_of (const MonoObject *object, uint32_t at)
{
  uint32_t length;
  memcpy (&length, (const char *) object + at, sizeof length);
  return length;
}

static inline bool
has_bounds (const MonoObject *object, uint32_t at)
{
  const void *bounds;
  memcpy (&bounds, (const char *) object + at, sizeof bounds);
  return bounds != NULL;
}

static inline uint64_t
size_by_rule (const MonoObject *object, const struct rule *r)
{
  return r->bytes + (r->unit != 0 ? (uint64_t) r->unit * length_of (object, r->length_at) : 0);
}

/* The rule of the object's class, which this object of that size obeys.  False if there is none. */
static bool
find_rule (struct rule *r, const MonoObject *object, MonoClass *klass, uint64_t size)
{
  const uint8_t rank = (uint8_t) mono_class_get_rank (klass);
  *r = (struct rule){ 0 };
  if (klass == mono_get_string_class ()) {
    r->unit = 2;
    r->length_at = OBJECT_STRING_LENGTH;
  } else if (rank == 1 && !has_bounds (object, OBJECT_ARRAY_BOUNDS)) {
    r->unit = (uint32_t) mono_array_element_size (klass);
    r->length_at = OBJECT_ARRAY_LENGTH;
    r->bounds_at = OBJECT_ARRAY_BOUNDS;
  } else if (rank != 0)
    return false;
  const uint64_t elements = size_by_rule (object, r);
  if (elements > size || size - elements > UINT32_MAX)
    return false;
  r->bytes = (uint32_t) (size - elements);
  /* An array's header is short.  Other objects have the size of their class. */
  return rank != 0 ? r->bytes <= 8 * sizeof (void *)
                   : r->unit != 0 || r->bytes == (uint32_t) mono_class_instance_size (klass);
}

/* Whether objects begin with their vtable: the first one shows it.  Its memory need not be there,
 * as the runtime may be a test's. */
static bool
have_vtable_first (MonoObject *object)
{
  static _Atomic int known; /* 0: no object came */
  uint64_t first = 0;
  if (atomic_load (&known) == 0) {
    struct iovec local = { &first, sizeof (void *) }, remote = { object, sizeof (void *) };
    const bool is_read = process_vm_readv (getpid (), &local, 1, &remote, 1, 0) > 0;
    atomic_store (&known, is_read && first == address (mono_object_get_vtable (object)) ? 1 : -1);
  }
  return atomic_load (&known) > 0;
}

static struct new_object
read_object (MonoObject *object)
{
  struct new_object o = { .size = rounded_size (mono_object_get_size (object)) };
  if (log_has_vtables ()) {
    MonoVTable *const vtable = mono_object_get_vtable (object);
    name_vtable (vtable);
    o.type = address (vtable);
  } else {
    MonoClass *const klass = mono_object_get_class (object);
    name_class (klass);
    o.type = address (klass);
  }
  return o;
}

/* Its type has a name then, which is not requested again. */
static __attribute__ ((noinline)) struct new_object
learn_object (MonoObject *object)
{
  struct rule r;
  const struct new_object o = read_object (object);
  MonoClass *const klass = mono_object_get_class (object);
  const bool is_named = names_find (log_has_vtables () ? NAME_VTABLE : NAME_CLASS, o.type) != NULL;
  if (is_named && find_rule (&r, object, klass, mono_object_get_size (object))) {
    uint64_t words[ADDRESS_TABLE_WORDS] = { o.type };
    memcpy (&words[1], &r, sizeof r);
    address_table_add (&types, address (vtable_of (object)), words);
  }
  return o;
}

struct new_object
new_object_read (MonoObject *object)
{
  uint64_t words[ADDRESS_TABLE_WORDS];
  struct rule r;
  if (!have_vtable_first (object))
    return read_object (object);
  if (!address_table_find (&types, address (vtable_of (object)), words))
    return learn_object (object);
  memcpy (&r, &words[1], sizeof r);
  if (r.bounds_at != 0 && has_bounds (object, r.bounds_at))
    return read_object (object);
  return (struct new_object){ words[0], rounded_size (size_by_rule (object, &r)) };
}

void
new_objects_forget_types (void)
{
  address_table_clear (&types);
}
