/* host-world.c -- the entities of the pretended runtime. */
#include "config.h"

#include "tests/host/test-host.h"
#include <stdlib.h>
#include <string.h>

static struct host_entity *entities;
struct host_heap host_heap;

enum { HEAP_CHUNK = 128 }; /* references in one call of a heap walk */

void *
host_alloc (size_t size)
{
  void *p = calloc (1, size);
  if (p == NULL)
    host_fail ("no memory");
  return p;
}

struct host_entity *
host_entities (void)
{
  return entities;
}

struct host_entity *
host_find (const char *symbol)
{
  for (struct host_entity *e = entities; e != NULL; e = e->next)
    if (strcmp (e->symbol, symbol) == 0)
      return e;
  return NULL;
}

void *
host_new_entity (enum host_entity_kind kind, size_t size, const char *symbol)
{
  struct host_entity *e = host_alloc (size);
  e->kind = kind;
  e->symbol = symbol;
  e->next = entities;
  entities = e;
  return e;
}

struct host_pool *
host_pool_at (uint64_t address)
{
  for (struct host_entity *e = entities; e != NULL; e = e->next) {
    struct host_pool *pool = (struct host_pool *) e;
    if (e->kind != HOST_POOL || !e->alive || address < pool->address)
      continue;
    uint64_t offset = address - pool->address;
    if (offset % pool->stride == 0 && offset / pool->stride < pool->count)
      return pool;
  }
  return NULL;
}

char *
host_text (size_t length)
{
  struct kept {
    struct kept *next;
    char text[];
  };
  static struct kept *all_kept; /* so that no leak is seen where there is none */
  struct kept *kept = host_alloc (sizeof *kept + length + 1);
  kept->next = all_kept;
  all_kept = kept;
  return kept->text;
}

/* a, b and c in one text. */
static const char *
join (const char *a, const char *b, const char *c)
{
  size_t length = strlen (a) + strlen (b) + strlen (c);
  char *text = host_text (length);
  snprintf (text, length + 1, "%s%s%s", a, b, c);
  return text;
}

void
host_define_class (struct host_class *klass, struct host_image *image, const char *name_space,
                   const char *name, struct host_class *outer)
{
  klass->entity.alive = true;
  klass->image = image;
  klass->name_space = name_space;
  klass->name = name;
  klass->outer = outer;
  if (outer != NULL)
    klass->type_name = join (outer->type_name, "/", name);
  else
    klass->type_name = join (name_space, *name_space != 0 ? "." : "", name);
}

void
host_define_method (struct host_method *method, struct host_class *klass, const char *name,
                    const char *full_name, uint64_t code, uint64_t code_size, bool aot)
{
  method->entity.alive = true;
  method->klass = klass;
  method->name = name;
  method->full_name
      = full_name != NULL ? full_name : join (klass->type_name, ":", join (name, " ()", ""));
  method->code = code;
  method->code_size = code_size;
  method->aot = aot;
  atomic_store_explicit (&method->instrumentation, -1, memory_order_relaxed);
}

static void
drop_references (struct host_pool *pool)
{
  for (uint64_t i = 0; pool->references != NULL && i < pool->count; i++)
    free (pool->references[i].items);
  free (pool->references);
  pool->references = NULL;
}

void
host_define_pool (struct host_pool *pool, struct host_class *klass, uint64_t address, uint64_t size,
                  uint64_t count, uint64_t stride)
{
  static struct host_domain root
      = { .entity = { .kind = HOST_DOMAIN, .alive = true, .symbol = "root" } };
  pool->vtable = (struct host_vtable){
    .entity = { .kind = HOST_VTABLE, .alive = true, .symbol = pool->entity.symbol },
    .domain = &root,
    .klass = klass,
  };
  drop_references (pool);
  pool->entity.alive = true;
  pool->klass = klass;
  pool->address = address;
  pool->size = size;
  pool->count = count;
  pool->stride = stride;
}

void
host_forget (struct host_entity *entity)
{
  entity->alive = false;
  if (entity->kind != HOST_IMAGE)
    return;
  struct host_image *image = (struct host_image *) entity;
  for (struct host_entity *e = entities; e != NULL; e = e->next) {
    if (!e->alive)
      continue;
    if (e->kind == HOST_CLASS && ((struct host_class *) e)->image == image)
      e->alive = false;
    if (e->kind == HOST_METHOD && ((struct host_method *) e)->klass->image == image)
      e->alive = false;
    if (e->kind == HOST_POOL && ((struct host_pool *) e)->klass->image == image)
      e->alive = false;
  }
}

/* ---- data for the runtime's functions ---- */

bool
host_find_object (uint64_t address, struct host_object *object)
{
  const struct host_pool *pool = host_pool_at (address);
  if (pool == NULL)
    return false;
  *object = (struct host_object){ .klass = pool->klass,
                                  .vtable = (struct host_vtable *) &pool->vtable,
                                  .size = pool->size };
  return true;
}

/* The oldest one of a kind that lives. */
static struct host_entity *
first_of (enum host_entity_kind kind)
{
  struct host_entity *oldest = NULL;
  for (struct host_entity *e = entities; e != NULL; e = e->next)
    if (e->kind == kind && e->alive)
      oldest = e;
  return oldest;
}

struct host_assembly *
host_main_assembly (void)
{
  return (struct host_assembly *) first_of (HOST_ASSEMBLY);
}

struct host_domain *
host_root_domain (void)
{
  return (struct host_domain *) first_of (HOST_DOMAIN);
}

static void
give_object (struct host_pool *pool, uint64_t index, host_walk_heap function, void *data)
{
  void *chunk[HEAP_CHUNK];
  uintptr_t offsets[HEAP_CHUNK];
  uint64_t object = pool->address + index * pool->stride;
  uint64_t count = pool->references != NULL ? pool->references[index].count : 0;
  uint64_t done = 0;
  host_tally (KIND_heap_object, pool->klass->type_name, 0, 0, (pool->size + 7) & ~UINT64_C (7));
  do {
    uint64_t n = count - done < HEAP_CHUNK ? count - done : HEAP_CHUNK;
    for (uint64_t i = 0; i < n; i++) {
      uint64_t target = pool->references[index].items[done + i];
      chunk[i] = (void *) (uintptr_t) target;
      offsets[i] = 16 + 8 * (done + i);
      host_tally (KIND_heap_reference, NULL, object, target, 0);
    }
    function ((void *) (uintptr_t) object, pool->klass, done == 0 ? pool->size : 0, n, chunk,
              offsets, data);
    done += n;
  } while (done < count);
}

void
host_walk_pools (host_walk_heap function, void *data)
{
  for (size_t i = 0; i < host_heap.count; i++)
    for (uint64_t k = 0; k < host_heap.pools[i]->count; k++)
      give_object (host_heap.pools[i], k, function, data);
  if (host_heap.walk_ns != 0)
    host_clock_advance (host_heap.walk_ns);
}
