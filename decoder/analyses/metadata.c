/* metadata.c -- counts what was loaded and compiled. */
#include "decoder/analyses/metadata.h"
#include "config.h"

static GHashTable *
new_set (void)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}

void
metadata_init (struct metadata *m)
{
  *m = (struct metadata){
    .images = new_set (), .classes = new_set (), .assemblies = new_set (), .domains = new_set ()
  };
}

void
metadata_clear (struct metadata *m)
{
  g_hash_table_destroy (m->images);
  g_hash_table_destroy (m->classes);
  g_hash_table_destroy (m->assemblies);
  g_hash_table_destroy (m->domains);
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

void
metadata_jit (struct metadata *m, const struct mlpd_method_jit *event)
{
  if (event->code == 0)
    return; /* a name only */
  m->methods++;
  m->code_bytes += event->size;
}
