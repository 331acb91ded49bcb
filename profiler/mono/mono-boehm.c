/* mono-boehm.c -- the objects and roots of a heap that Boehm's collector has, as heap snapshots
 * need them.
 *
 * The runtime does not walk this heap.  But its collector exports its functions, and when the world
 * is about to start after a collection, the marks state which memory is reachable.  A piece of
 * memory that is marked and begins with a vtable is an object.  Other memory that the collector
 * searches holds roots: static fields, handles, tables of the runtime.  Further roots are in memory
 * that the runtime has registered, on the stacks, and in the queue of objects to be finalized.
 *
 * The collector searches objects for anything that may be an address.  So does this: a word of an
 * object that is the address of an object is a reference.
 *
 * All of it runs with the world stopped and with the collector's lock: no lock, no malloc.  Memory
 * outside the heap is copied by the kernel, which reports addresses that are none.
 *
 * The layout of headers of blocks and of the table of threads is that of version 6 of the collector
 * with 64 bits.  What is used of it is compared with facts first.
 */
#include "config.h"

#include "profiler/mono/mono-private.h"
#include <stddef.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
  WORD = sizeof (uint64_t),
  BLOCK = 4096,         /* bytes */
  HEADER = 2 * WORD,    /* of an object: vtable and lock */
  VERSION = 6,          /* of the collector */
  VTABLE_WORDS = 6,     /* of a vtable, that are inspected */
  CLASS_WORDS = 20,     /* of a class */
  TYPES = 1 << 13,      /* words that are remembered as vtables or not */
  PIECE = 512,          /* words of memory that are copied at a time */
  ROOTS = 64,           /* that are passed at a time */
  FINALIZABLE = 100000, /* objects of the queue that are searched */
};

/* The kinds of blocks that are of interest here. */
enum kind { WITHOUT_POINTERS, COLLECTABLE, UNCOLLECTABLE, UNCOLLECTABLE_WITHOUT_POINTERS };

struct header {
  uint64_t words; /* of each piece of the block */
  void *links[2];
  uint64_t descriptor;
  void *map;
  uint8_t kind;
};

#define THREAD_HAS_ENDED 1
#define THREAD_IS_FIRST 4
#define THREADS 128

struct thread {
  struct thread *next;
  pthread_t id;
  uint64_t of_stop[2];
  uint64_t stack_pointer;
  uint16_t flags;
  uint64_t stack_end;
};

_Static_assert(sizeof (void *) != WORD
                   || (offsetof (struct header, kind) == 0x28
                       && offsetof (struct thread, stack_pointer) == 0x20
                       && offsetof (struct thread, flags) == 0x28
                       && offsetof (struct thread, stack_end) == 0x30),
               "the collector's layout");

/* The collector's, in no header. */
extern void GC_apply_to_all_blocks (void (*use) (void *block, uintptr_t data), uintptr_t data);
extern void *GC_base (void *address);
extern void *GC_finalize_now;
extern struct header *GC_find_header (void *address);
extern uintptr_t GC_gc_no, GC_greatest_plausible_heap_addr, GC_least_plausible_heap_addr;
extern int GC_incremental;
extern int GC_is_marked (void *address);
extern size_t GC_size (void *address);
extern uint64_t GC_stackbottom;
extern struct thread *GC_threads[THREADS];
extern unsigned GC_version;

static struct {
#define IMPORT(name) __typeof__ (name) *name;
#include "agent/boehm-imports.def"
} gc;

static const char *const names[] = {
#define IMPORT(name) #name,
#include "agent/boehm-imports.def"
};

enum { IMPORTS = sizeof names / sizeof *names };

_Static_assert(sizeof gc == IMPORTS * sizeof (void *), "a pointer for each name");

/* Found out when the runtime has begun. */
static _Atomic (const char *) refusal; /* NULL: none */
static _Atomic bool is_learned;        /* the rest is */
static MonoDomain *root_domain;
static size_t domain_at, image_at, name_at; /* words of a vtable and of a class */

/* Copies memory that may not be there. */
static bool
read_memory (uint64_t from, void *to, size_t bytes)
{
  struct iovec local = { to, bytes }, remote = { (void *) (uintptr_t) from, bytes };
  return process_vm_readv (getpid (), &local, 1, &remote, 1, 0) == (ssize_t) bytes;
}

/* ---- when the world runs ---- */

bool
boehm_is_there (void)
{
  return mono_gc_max_generation () == 0;
}

/* Once, before there are threads that ask.  It may take the lock of the loader. */
static bool
find_functions (void)
{
  static bool was_searched, is_found;
  void **const pointers = (void **) (void *) &gc;
  if (was_searched)
    return is_found;
  was_searched = is_found = true;
  for (size_t i = 0; i < IMPORTS; i++)
    is_found &= (pointers[i] = imports_find (names[i])) != NULL;
  is_found = is_found && sizeof (void *) == WORD && *gc.GC_version >> 16 == VERSION;
  return is_found;
}

const char *
boehm_refusal (void)
{
  uint64_t word = 0, copy = 0;
  if (!find_functions () || mono_threads_enter_gc_unsafe_region == NULL
      || mono_threads_exit_gc_unsafe_region == NULL)
    return "this runtime has another version of Boehm's collector than the module can walk";
  if (*gc.GC_incremental != 0)
    return "Boehm's collector marks in increments here";
  if (!read_memory (address (&word), &copy, sizeof copy))
    return "the program may not call process_vm_readv";
  return atomic_load (&refusal);
}

/* The first word of these that is `word`; `count`: none is. */
static size_t
find_word (const uint64_t *words, size_t count, uint64_t word)
{
  size_t i = 0;
  while (i < count && words[i] != word)
    i++;
  return i;
}

static bool
has_kind (uint64_t memory, enum kind kind)
{
  void *const p = (void *) (uintptr_t) memory;
  if (memory == 0 || gc.GC_base (p) != p)
    return false;
  const struct header *const h = gc.GC_find_header (p);
  return h->kind == kind && h->words * WORD == gc.GC_size (p);
}

/* The empty string has no references, and String.Empty, which is a static field, is it. */
static bool
learn_layouts (void)
{
  uint64_t vtable[VTABLE_WORDS], klass[CLASS_WORDS];
  root_domain = mono_get_root_domain ();
  if (mono_string_empty == NULL || mono_vtable_get_static_field_data == NULL)
    return false;
  MonoObject *const text = (MonoObject *) mono_string_empty (root_domain);
  if (text == NULL || !has_kind (address (text), WITHOUT_POINTERS))
    return false;
  MonoVTable *const type = mono_object_get_vtable (text);
  MonoClass *const string = mono_vtable_class (type);
  if (*(const uint64_t *) (const void *) text != address (type)
      || !has_kind (address (mono_vtable_get_static_field_data (type)), UNCOLLECTABLE)
      || !read_memory (address (type), vtable, sizeof vtable)
      || !read_memory (address (string), klass, sizeof klass))
    return false;
  domain_at = find_word (vtable, VTABLE_WORDS, address (mono_vtable_domain (type)));
  image_at = find_word (klass, CLASS_WORDS, address (mono_class_get_image (string)));
  name_at = find_word (klass, CLASS_WORDS, address (mono_class_get_name (string)));
  return vtable[0] == address (string) && domain_at < VTABLE_WORDS && image_at < CLASS_WORDS
         && name_at < CLASS_WORDS;
}

void
boehm_learn (void)
{
  if (boehm_refusal () != NULL)
    return;
  const bool is_good = learn_layouts ();
  if (!is_good)
    atomic_store (&refusal, "Boehm's collector has a layout here that the module does not know");
  atomic_store (&is_learned, is_good);
}

/* ---- a collection ---- */

static uintptr_t collections_before;

bool
boehm_begin (void)
{
  if (!atomic_load (&is_learned) || *gc.GC_incremental != 0)
    return false;
  collections_before = *gc.GC_gc_no;
  return true;
}

bool
boehm_has_marked (void)
{
  return *gc.GC_gc_no != collections_before;
}

/* ---- objects ---- */

/* Of a word: no vtable; a vtable whose objects can be recorded; a vtable of another domain than the
 * first that the log does not have. */
enum type { NO_TYPE, KNOWN_TYPE, UNKNOWN_TYPE };

/* Words that were inspected, in this walk: types come and go. */
static struct {
  uint64_t word;
  enum type type;
} types[TYPES];

static bool
is_in_heap (uint64_t word)
{
  return word >= *gc.GC_least_plausible_heap_addr && word < *gc.GC_greatest_plausible_heap_addr
         && gc.GC_base ((void *) (uintptr_t) word) != NULL;
}

static enum type
inspect_vtable (uint64_t word)
{
  uint64_t vtable[VTABLE_WORDS], klass[CLASS_WORDS], image;
  unsigned char name;
  if (log_has_vtables () && names_find (NAME_VTABLE, word) != NULL)
    return KNOWN_TYPE;
  if (!read_memory (word, vtable, sizeof vtable) || vtable[0] % WORD != 0 || is_in_heap (vtable[0])
      || !read_memory (vtable[0], klass, sizeof klass)
      || !read_memory (klass[image_at], &image, sizeof image)
      || !read_memory (klass[name_at], &name, sizeof name) || name <= ' ')
    return NO_TYPE;
  if (vtable[domain_at] == address (root_domain))
    return KNOWN_TYPE;
  /* A structure of the runtime may look like it. */
  return names_find (NAME_IMAGE, klass[image_at]) != NULL ? UNKNOWN_TYPE : NO_TYPE;
}

static enum type
find_type (uint64_t word)
{
  if (word < BLOCK || word % WORD != 0 || is_in_heap (word))
    return NO_TYPE;
  const size_t place = (size_t) (word * UINT64_C (0x9E3779B97F4A7C15) >> 32) % TYPES;
  if (types[place].word != word) {
    types[place].word = word;
    types[place].type = inspect_vtable (word);
  }
  return types[place].type;
}

static bool
is_vtable (uint64_t word)
{
  return find_type (word) == KNOWN_TYPE;
}

static uint64_t
word_at (uint64_t at)
{
  return *(const uint64_t *) (uintptr_t) at;
}

/* Whether memory of this kind may be an object: handles, static fields and tables are not. */
static bool
may_be_object (const struct header *h)
{
  return h->kind != UNCOLLECTABLE && h->kind != UNCOLLECTABLE_WITHOUT_POINTERS;
}

/* The object that the word leads to; 0: none.  `inside`: it may be an address within the object. */
static uint64_t
find_object (uint64_t word, bool inside)
{
  if (word < *gc.GC_least_plausible_heap_addr || word >= *gc.GC_greatest_plausible_heap_addr)
    return 0;
  void *const base = gc.GC_base ((void *) (uintptr_t) word);
  const uint64_t object = address (base);
  if (base == NULL || (object != word && !inside) || !gc.GC_is_marked (base)
      || !may_be_object (gc.GC_find_header (base)) || !is_vtable (word_at (object)))
    return 0;
  return object;
}

/* Who gets the objects. */
static struct {
  boehm_object_user *use;
  void *data;
  bool is_over;
  uint64_t left_out; /* objects */
} walk;

/* A thread may have been stopped as it made a string or an array, in memory that has old contents:
 * then the length may be any. */
static bool
fits (const MonoObject *o, MonoClass *klass, uint64_t place)
{
  uint32_t length = 0;
  uint64_t unit = 0;
  if (klass == mono_get_string_class ()) {
    unit = sizeof (uint16_t);
    memcpy (&length, (const char *) o + OBJECT_STRING_LENGTH, sizeof length);
  } else if (mono_class_get_rank (klass) != 0) {
    unit = (uint64_t) mono_array_element_size (klass);
    memcpy (&length, (const char *) o + OBJECT_ARRAY_LENGTH, sizeof length);
  }
  return unit * length <= place;
}

static void
pass_object (uint64_t object, const struct header *h)
{
  enum { REFERENCES = 128 };
  static MonoObject *references[REFERENCES];
  static uintptr_t offsets[REFERENCES];
  MonoObject *const o = (MonoObject *) (uintptr_t) object;
  MonoClass *const klass = mono_vtable_class (mono_object_get_vtable (o));
  const uint64_t place = h->words * WORD;
  const uint64_t size = fits (o, klass, place) ? rounded_size (mono_object_get_size (o)) : 0;
  if (size == 0 || size > place) {
    walk.left_out++;
    return;
  }
  const uint64_t end = h->kind != WITHOUT_POINTERS ? size : 0;
  uintptr_t passed = size, count = 0;
  for (uint64_t at = HEADER; at < end && !walk.is_over; at += WORD) {
    const uint64_t to = find_object (word_at (object + at), false);
    if (to == 0)
      continue;
    if (count == REFERENCES) {
      walk.is_over = walk.use (o, klass, passed, count, references, offsets, walk.data) != 0;
      passed = count = 0; /* the same object goes on */
    }
    references[count] = (MonoObject *) (uintptr_t) to;
    offsets[count++] = at;
  }
  if (!walk.is_over)
    walk.is_over = walk.use (o, klass, passed, count, references, offsets, walk.data) != 0;
}

/* The pieces of a block that are marked. */
static void
visit_block (void *block, void (*visit) (uint64_t piece, const struct header *h))
{
  const struct header *const h = gc.GC_find_header (block);
  const uint64_t size = h->words * WORD, first = address (block);
  const uint64_t count = size > BLOCK / 2 ? 1 : size != 0 ? BLOCK / size : 0;
  for (uint64_t i = 0; i < count; i++)
    if (gc.GC_is_marked ((void *) (uintptr_t) (first + i * size)))
      visit (first + i * size, h);
}

/* Memory that begins with no vtable that is known may be that of the runtime. */
static void
visit_for_objects (uint64_t piece, const struct header *h)
{
  if (walk.is_over || !may_be_object (h))
    return;
  const enum type type = find_type (word_at (piece));
  if (type == KNOWN_TYPE)
    pass_object (piece, h);
  walk.left_out += type == UNKNOWN_TYPE;
}

static void
walk_block (void *block, uintptr_t data)
{
  (void) data;
  visit_block (block, visit_for_objects);
}

void
boehm_walk (boehm_object_user *use, void *data)
{
  walk.use = use;
  walk.data = data;
  walk.is_over = false;
  walk.left_out = 0;
  gc.GC_apply_to_all_blocks (walk_block, 0);
}

uint64_t
boehm_left_out (void)
{
  return walk.left_out;
}

/* ---- roots ---- */

static struct {
  boehm_roots_user *use;
  uint64_t count;
  const mono_byte *addresses[ROOTS];
  MonoObject *objects[ROOTS];
} found;

static void
flush_roots (void)
{
  if (found.count != 0)
    found.use (found.count, found.addresses, found.objects);
  found.count = 0;
}

static void
pass_root (uint64_t at, uint64_t object)
{
  if (found.count == ROOTS)
    flush_roots ();
  found.addresses[found.count] = (const mono_byte *) (uintptr_t) at;
  found.objects[found.count++] = (MonoObject *) (uintptr_t) object;
}

/* Searches memory that may not be there, from its start on. */
static void
search_memory (uint64_t from, uint64_t to, bool inside)
{
  uint64_t words[PIECE];
  for (uint64_t at = (from + WORD - 1) & ~(uint64_t) (WORD - 1); at + WORD <= to;) {
    uint64_t count = (to - at) / WORD < PIECE ? (to - at) / WORD : PIECE;
    if (!read_memory (at, words, count * WORD))
      return;
    for (uint64_t i = 0; i < count; i++) {
      const uint64_t object = find_object (words[i], inside);
      if (object != 0)
        pass_root (at + i * WORD, object);
    }
    at += count * WORD;
  }
}

/* Memory that the runtime has registered, but for that in the heap, which is visited as such, and
 * for whole stacks, of which parts are not in use. */
static void
search_registered (const struct name *root)
{
  if (root->image != MONO_ROOT_SOURCE_STACK && !is_in_heap (root->address))
    search_memory (root->address, root->address + root->size, false);
}

static void
visit_for_roots (uint64_t piece, const struct header *h)
{
  if (h->kind == WITHOUT_POINTERS || h->kind == UNCOLLECTABLE_WITHOUT_POINTERS
      || (may_be_object (h) && is_vtable (word_at (piece))))
    return; /* or it is an object */
  for (uint64_t at = piece; at < piece + h->words * WORD; at += WORD) {
    const uint64_t object = find_object (word_at (at), false);
    if (object != 0)
      pass_root (at, object);
  }
}

static void
search_block (void *block, uintptr_t data)
{
  (void) data;
  visit_block (block, visit_for_roots);
}

/* Each piece has an object, and the next piece. */
static void
search_finalizable (void)
{
  const uint64_t queue = address (gc.GC_finalize_now);
  uint64_t piece = word_at (queue);
  for (int i = 0; i < FINALIZABLE && is_in_heap (piece); i++) {
    const uint64_t object = find_object (word_at (piece), false);
    if (object != 0)
      pass_root (queue, object);
    piece = word_at (piece + WORD);
  }
}

/* The lowest address of this thread's stack that the collector used, or a lower one. */
static uint64_t stack_begin;

/* The stack of a thread that is stopped, or of this one.  False if there is none. */
static bool
find_stack (const struct thread *t, struct boehm_memory *stack)
{
  const uint64_t most = UINT64_C (1) << 30;
  const uint64_t start = pthread_equal (t->id, pthread_self ()) ? stack_begin : t->stack_pointer,
                 end = (t->flags & THREAD_IS_FIRST) != 0 ? *gc.GC_stackbottom : t->stack_end;
  *stack = (struct boehm_memory){ .start = start,
                                  .size = end - start,
                                  .source = MONO_ROOT_SOURCE_STACK,
                                  .key = (uint64_t) (uintptr_t) t->id,
                                  .name = "Thread Stack" };
  return (t->flags & THREAD_HAS_ENDED) == 0 && start != 0 && start < end && end - start < most;
}

/* Of all threads, or of this one.  Whether there is any. */
static bool
visit_stacks (bool of_all, void (*use) (const struct boehm_memory *stack))
{
  struct boehm_memory stack;
  bool is_any = false;
  for (int i = 0; i < THREADS; i++)
    for (const struct thread *t = (*gc.GC_threads)[i]; t != NULL; t = t->next)
      if ((of_all || pthread_equal (t->id, pthread_self ())) && find_stack (t, &stack)) {
        is_any = true;
        if (use != NULL)
          use (&stack);
      }
  return is_any;
}

/* Passes stacks and the queue. */
static void
visit_memory (void (*use) (const struct boehm_memory *memory))
{
  const struct boehm_memory queue = { .start = address (gc.GC_finalize_now),
                                      .size = WORD,
                                      .source = MONO_ROOT_SOURCE_FINALIZER_QUEUE,
                                      .name = "Finalizer Queue" };
  /* The table of threads is as it should be: this one is there. */
  if (visit_stacks (false, NULL))
    visit_stacks (true, use);
  use (&queue);
}

static void
search_stack_or_queue (const struct boehm_memory *memory)
{
  if (memory->source == MONO_ROOT_SOURCE_STACK)
    search_memory (memory->start, memory->start + memory->size, true);
  else
    search_finalizable ();
}

static struct {
  uint64_t address;
  bool is_registered;
} wanted;

static void
compare_memory (const struct name *root)
{
  wanted.is_registered |= wanted.address - root->address < root->size;
}

static void (*use_unregistered) (const struct boehm_memory *memory);

static void
select_memory (const struct boehm_memory *memory)
{
  wanted.address = memory->start;
  wanted.is_registered = false;
  names_visit (NAME_ROOT, compare_memory);
  if (!wanted.is_registered)
    use_unregistered (memory);
}

void
boehm_visit_memory (void (*use) (const struct boehm_memory *memory))
{
  use_unregistered = use;
  visit_memory (select_memory);
}

void
boehm_begin_walk (void)
{
  uint64_t lowest = 0;
  __builtin_unwind_init (); /* registers that functions retain are in this frame */
  stack_begin = address (&lowest);
  memset (types, 0, sizeof types);
}

void
boehm_find_roots (boehm_roots_user *use)
{
  found.use = use;
  found.count = 0;
  names_visit (NAME_ROOT, search_registered);
  gc.GC_apply_to_all_blocks (search_block, 0);
  visit_memory (search_stack_or_queue);
  flush_roots ();
}
