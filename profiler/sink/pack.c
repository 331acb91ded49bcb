/* pack.c -- passes bytes to the selected compression. */
#include "config.h"

#include "profiler/sink/pack-private.h"
#include <stdlib.h>

static const struct pack_backend *const backends[] = {
  [PACK_NONE] = NULL,
  [PACK_GZIP] = &pack_gzip,
#ifdef HAVE_ZSTD
  [PACK_ZSTD] = &pack_zstd,
#else
  [PACK_ZSTD] = NULL,
#endif
};

struct packer {
  const struct pack_backend *backend;
  void *state;
};

bool
pack_is_there (enum pack pack)
{
  return pack == PACK_NONE || backends[pack] != NULL;
}

struct packer *
packer_new (enum pack pack)
{
  struct packer *p = malloc (sizeof *p);
  if (p == NULL)
    return NULL;
  p->backend = backends[pack];
  p->state = p->backend->begin ();
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
  p->backend->free (p->state);
  free (p);
}

int
packer_run (struct packer *p, const void *bytes, size_t length, enum pack_then then,
            const struct pack_to *to)
{
  return p->backend->run (p->state, bytes, length, then, to);
}

size_t
packer_tail (const struct packer *p, unsigned char *to)
{
  return p->backend->tail (p->state, to);
}
