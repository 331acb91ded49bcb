/* metadata.c -- counts what was loaded and compiled. */
#include "decoder/analyses/metadata.h"
#include "config.h"

#define ROOT_DOMAIN 0

static GHashTable *
new_set (void)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}

/* What a method was compiled to. */
struct compiled {
  uint64_t method, code;
};

static guint
compiled_hash (gconstpointer key)
{
  const struct compiled *c = key;
  return g_int64_hash (&c->method) * 31 + g_int64_hash (&c->code);
}

static gboolean
compiled_equal (gconstpointer a, gconstpointer b)
{
  const struct compiled *x = a, *y = b;
  return x->method == y->method && x->code == y->code;
}

void
metadata_init (struct metadata *m)
{
  *m = (struct metadata){ .images = new_set (),
                          .classes = new_set (),
                          .assemblies = new_set (),
                          .domains = new_set (),
                          .compiled
                          = g_hash_table_new_full (compiled_hash, compiled_equal, g_free, NULL) };
}

void
metadata_clear (struct metadata *m)
{
  g_hash_table_destroy (m->images);
  g_hash_table_destroy (m->classes);
  g_hash_table_destroy (m->assemblies);
  g_hash_table_destroy (m->domains);
  g_hash_table_destroy (m->compiled);
}

void
metadata_load (struct metadata *m, GHashTable *set, uint64_t address, uint64_t action)
{
  if ((action & MLPD_LOAD_ERROR) != 0) {
    m->load_errors++;
    return;
  }
  if (action != MLPD_LOAD_END_LOAD || g_hash_table_contains (set, &address))
    return;
  uint64_t *key = g_new (uint64_t, 1);
  *key = address;
  g_hash_table_add (set, key);
}

bool
metadata_tells_domains (enum mlpd_kind kind, const union mlpd_payload *p)
{
  switch (kind) {
  case MLPD_METADATA_VTABLE:
    return p->metadata_vtable.domain != ROOT_DOMAIN;
  case MLPD_METADATA_DOMAIN:
    return p->metadata_domain.domain != ROOT_DOMAIN;
  case MLPD_METADATA_CLASS:
    return p->metadata_class.action == MLPD_LOAD_END_UNLOAD;
  case MLPD_METADATA_IMAGE:
    return p->metadata_image.action == MLPD_LOAD_END_UNLOAD;
  default:
    return false;
  }
}

void
metadata_jit (struct metadata *m, const struct mlpd_method_jit *event)
{
  if (event->code == 0)
    return; /* a name only */
  struct compiled key = { event->method, event->code };
  if (g_hash_table_contains (m->compiled, &key))
    return;
  g_hash_table_add (m->compiled, g_memdup2 (&key, sizeof key));
  m->methods++;
  m->code_bytes += event->size < CODE_BYTES_MAX ? event->size : 0;
}
