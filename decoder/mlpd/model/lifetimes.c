/* lifetimes.c -- follows loads and unloads. */
#include "config.h"

#include "decoder/mlpd/model/lifetimes.h"

static void
lifetime_free (void *data)
{
  struct lifetime *lifetime = data;
  g_free (lifetime->name);
  g_free (lifetime->mvid);
  g_free (lifetime);
}

static guint
lifetime_hash (gconstpointer key)
{
  const struct lifetime *lifetime = key;
  return g_int64_hash (&lifetime->id) * 31 + g_int64_hash (&lifetime->scope);
}

static gboolean
lifetime_equal (gconstpointer a, gconstpointer b)
{
  const struct lifetime *x = a, *y = b;
  return x->id == y->id && x->scope == y->scope;
}

void
lifetimes_init (struct lifetimes *l, bool of_owners)
{
  *l = (struct lifetimes){ .all = g_ptr_array_new_with_free_func (lifetime_free),
                           .current = g_hash_table_new (lifetime_hash, lifetime_equal),
                           .of_owners = of_owners };
}

void
lifetimes_clear (struct lifetimes *l)
{
  g_hash_table_destroy (l->current);
  g_ptr_array_free (l->all, TRUE);
}

/* Is a load at this time of the next thing that has the id?  The buffer of another thread may have
 * had the end of a thing before its beginning. */
static bool
is_of_next (const struct lifetime *lifetime, uint64_t time)
{
  return lifetime->unloaded
         && (time > lifetime->unload_time || (time == lifetime->unload_time && lifetime->loaded));
}

/* The thing that an id means; a new one where there is none, or it was unloaded before this load.
 */
/* Not all logs state that an image was unloaded before another one is loaded at its address. */
static bool
is_another (const struct lifetime *lifetime, const char *name)
{
  return lifetime->loaded && lifetime->name != NULL && name != NULL
         && strcmp (lifetime->name, name) != 0;
}

static struct lifetime *
lifetime_of (struct lifetimes *l, uint64_t id, uint64_t owner, bool load, uint64_t time,
             const char *name)
{
  const struct lifetime key = { .id = id, .scope = l->of_owners ? owner : 0 };
  struct lifetime *lifetime = g_hash_table_lookup (l->current, &key);
  if (lifetime != NULL && !(load && (is_of_next (lifetime, time) || is_another (lifetime, name))))
    return lifetime;
  lifetime = g_new0 (struct lifetime, 1);
  lifetime->id = id;
  lifetime->scope = key.scope;
  g_ptr_array_add (l->all, lifetime);
  g_hash_table_replace (l->current, lifetime, lifetime);
  return lifetime;
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
lifetimes_event (struct lifetimes *l, uint64_t id, uint64_t action, uint64_t time, uint64_t owner,
                 const char *name, const char *mvid)
{
  if ((action & MLPD_LOAD_ERROR) != 0) {
    l->errors++;
    return;
  }
  if (action != MLPD_LOAD_NAME && action != MLPD_LOAD_END_LOAD && action != MLPD_LOAD_END_UNLOAD)
    return; /* the start of something: its end states the same */
  struct lifetime *lifetime = lifetime_of (l, id, owner, action == MLPD_LOAD_END_LOAD, time, name);
  if (owner != 0)
    lifetime->owner = owner;
  set_text (&lifetime->name, name);
  set_text (&lifetime->mvid, mvid);
  if (action == MLPD_LOAD_END_LOAD)
    set_time (&lifetime->loaded, &lifetime->load_time, time);
  else if (action == MLPD_LOAD_END_UNLOAD)
    set_time (&lifetime->unloaded, &lifetime->unload_time, time);
}

guint
lifetimes_loaded (const struct lifetimes *l)
{
  guint n = 0;
  for (guint i = 0; i < l->all->len; i++)
    n += ((const struct lifetime *) g_ptr_array_index (l->all, i))->loaded;
  return n;
}
