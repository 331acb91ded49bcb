/* host-world.c -- what exists in the pretended runtime. */
#include "tests/host/host.h"
#include <stdlib.h>
#include <string.h>

static struct host_entity *entities;
struct host_heap host_heap;

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
host_new_entity (enum host_sort sort, size_t size, const char *symbol)
{
  struct host_entity *e = host_alloc (size);
  e->sort = sort;
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
    if (e->sort != HOST_POOL || !e->alive || address < pool->address)
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
  if (entity->sort != HOST_IMAGE)
    return;
  struct host_image *image = (struct host_image *) entity;
  for (struct host_entity *e = entities; e != NULL; e = e->next) {
    if (!e->alive)
      continue;
    if (e->sort == HOST_CLASS && ((struct host_class *) e)->image == image)
      e->alive = false;
    if (e->sort == HOST_METHOD && ((struct host_method *) e)->klass->image == image)
      e->alive = false;
    if (e->sort == HOST_POOL && ((struct host_pool *) e)->klass->image == image)
      e->alive = false;
  }
}
