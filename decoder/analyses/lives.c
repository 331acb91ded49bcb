/* lives.c -- follows loads and unloads. */
#include "decoder/analyses/lives.h"
#include "config.h"

static void
life_free (void *data)
{
  struct life *life = data;
  g_free (life->name);
  g_free (life->mvid);
  g_free (life);
}

static guint
life_hash (gconstpointer key)
{
  const struct life *life = key;
  return g_int64_hash (&life->id) * 31 + g_int64_hash (&life->scope);
}

static gboolean
life_equal (gconstpointer a, gconstpointer b)
{
  const struct life *x = a, *y = b;
  return x->id == y->id && x->scope == y->scope;
}

void
lives_init (struct lives *l, bool of_owners)
{
  *l = (struct lives){ .all = g_ptr_array_new_with_free_func (life_free),
                       .current = g_hash_table_new (life_hash, life_equal),
                       .of_owners = of_owners };
}

void
lives_clear (struct lives *l)
{
  g_hash_table_destroy (l->current);
  g_ptr_array_free (l->all, TRUE);
}

/* The thing that an id means; a new one where there is none, or (for a load) it was unloaded. */
static struct life *
life_of (struct lives *l, uint64_t id, uint64_t owner, bool load)
{
  const struct life key = { .id = id, .scope = l->of_owners ? owner : 0 };
  struct life *life = g_hash_table_lookup (l->current, &key);
  if (life != NULL && !(load && life->unloaded))
    return life;
  life = g_new0 (struct life, 1);
  life->id = id;
  life->scope = key.scope;
  g_ptr_array_add (l->all, life);
  g_hash_table_replace (l->current, life, life);
  return life;
}

static void
set_text (char **to, const char *text)
{
  if (text == NULL || g_strcmp0 (*to, text) == 0)
    return;
  g_free (*to);
  *to = g_strdup (text);
}

static void
set_time (bool *happened, uint64_t *when, uint64_t time)
{
  if (!*happened)
    *when = time;
  *happened = true;
}

void
lives_event (struct lives *l, uint64_t id, uint64_t action, uint64_t time, uint64_t owner,
             const char *name, const char *mvid)
{
  if ((action & MLPD_LOAD_ERROR) != 0) {
    l->errors++;
    return;
  }
  if (action != MLPD_LOAD_NAME && action != MLPD_LOAD_END_LOAD && action != MLPD_LOAD_END_UNLOAD)
    return; /* the start of something: its end tells the same */
  struct life *life = life_of (l, id, owner, action == MLPD_LOAD_END_LOAD);
  if (owner != 0)
    life->owner = owner;
  set_text (&life->name, name);
  set_text (&life->mvid, mvid);
  if (action == MLPD_LOAD_END_LOAD)
    set_time (&life->loaded, &life->load_time, time);
  else if (action == MLPD_LOAD_END_UNLOAD)
    set_time (&life->unloaded, &life->unload_time, time);
}

guint
lives_loaded (const struct lives *l)
{
  guint n = 0;
  for (guint i = 0; i < l->all->len; i++)
    n += ((const struct life *) g_ptr_array_index (l->all, i))->loaded;
  return n;
}
