/* pack.c -- see pack.h. */
#include "config.h"

#include "profiler/pack-sorts.h"
#include <stdlib.h>

static const struct pack_sort *const sorts[] = {
  [PACK_NONE] = NULL,
  [PACK_GZIP] = &pack_gzip,
#ifdef HAVE_ZSTD
  [PACK_ZSTD] = &pack_zstd,
#else
  [PACK_ZSTD] = NULL,
#endif
};

struct packer {
  const struct pack_sort *sort;
  void *state;
};

bool
pack_is_there (enum pack pack)
{
  return pack == PACK_NONE || sorts[pack] != NULL;
}

struct packer *
packer_new (enum pack pack)
{
  struct packer *p = malloc (sizeof *p);
  if (p == NULL)
    return NULL;
  p->sort = sorts[pack];
  p->state = p->sort->begin ();
  if (p->state != NULL)
    return p;
  free (p);
  return NULL;
}

void
packer_free (struct packer *p)
{
  if (p == NULL)
    return;
  p->sort->free (p->state);
  free (p);
}

int
packer_run (struct packer *p, const void *bytes, size_t length, enum pack_then then,
            const struct pack_to *to)
{
  return p->sort->run (p->state, bytes, length, then, to);
}

size_t
packer_tail (const struct packer *p, unsigned char *to)
{
  return p->sort->tail (p->state, to);
}
