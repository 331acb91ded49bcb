/* object-filter.c -- matches events against types, addresses and handles. */
#include "config.h"

#include "decoder/mlpd/model/object-filter.h"

static GHashTable *
new_set (void)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}

static bool
add (GHashTable *set, uint64_t number)
{
  return !g_hash_table_contains (set, &number)
         && g_hash_table_add (set, g_memdup2 (&number, sizeof number));
}

void
object_filter_init (struct object_filter *f, const struct selection *selection)
{
  *f = (struct object_filter){
    .selection = selection, .addresses = new_set (), .handles = new_set (), .found = new_set ()
  };
  for (guint i = 0; selection->tracked != NULL && i < selection->tracked->len; i++)
    object_filter_add_address (f, g_array_index (selection->tracked, uint64_t, i));
}

void
object_filter_clear (struct object_filter *f)
{
  g_clear_pointer (&f->types, g_hash_table_destroy);
  g_hash_table_destroy (f->addresses);
  g_hash_table_destroy (f->handles);
  g_hash_table_destroy (f->found);
}

bool
object_filter_is_active (const struct object_filter *f)
{
  return selection_has_objects (f->selection);
}

bool
object_filter_needs_names (const struct object_filter *f)
{
  return f->selection->finds != NULL
         && (selection_finds_names (f->selection) || selection_has_names (f->selection));
}

bool
object_filter_finds (const struct object_filter *f, const char *name, uint64_t size)
{
  return selection_finds (f->selection, name, size) && selection_accepts_name (f->selection, name)
         && size >= f->selection->min_bytes;
}

bool
object_filter_may_find (const struct object_filter *f, uint64_t type, uint64_t size)
{
  return selection_finds_size (f->selection, size) && size >= f->selection->min_bytes
         && (!object_filter_needs_names (f)
             || (f->types != NULL && g_hash_table_contains (f->types, &type)));
}

void
object_filter_kinds (const struct object_filter *f, bool kinds[MLPD_KINDS])
{
  const bool follows = g_hash_table_size (f->addresses) != 0;
  const bool finds
      = f->selection->finds != NULL && (!object_filter_needs_names (f) || f->types != NULL);
  kinds[MLPD_ALLOC] |= follows || finds;
  kinds[MLPD_GC_MOVE] |= follows;
  kinds[MLPD_HEAP_OBJECT] |= follows;
}

bool
object_filter_has (const struct object_filter *f, uint64_t address)
{
  return g_hash_table_contains (f->addresses, &address);
}

static bool
has_any (const struct object_filter *f, const uint64_t *addresses, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (object_filter_has (f, addresses[i]))
      return true;
  return false;
}

bool
object_filter_accepts (const struct object_filter *f, unsigned version, enum mlpd_kind kind,
                       const union mlpd_payload *p)
{
  switch (kind) {
  case MLPD_ALLOC:
    return object_filter_may_find (
               f, version < MLPD_VERSION_ROOT_ADDRESSES ? p->alloc.klass : p->alloc.vtable,
               p->alloc.size)
           || object_filter_has (f, p->alloc.object);
  case MLPD_GC_MOVE:
    return has_any (f, p->gc_move.objects.items, p->gc_move.objects.count);
  case MLPD_HEAP_OBJECT:
    return object_filter_has (f, p->heap_object.object)
           || has_any (f, p->heap_object.references.items, p->heap_object.references.count);
  default:
    return true;
  }
}

bool
object_filter_add_names (struct object_filter *f, struct symbols *symbols)
{
  if (!object_filter_needs_names (f) || f->types != NULL)
    return false;
  f->types = new_set ();
  for (guint i = 0; i < symbols->all[SYMBOL_VTABLE]->len; i++) /* may make classes */
    symbols_class_of_vtable (symbols, i);
  bool *takes = g_new0 (bool, symbols->all[SYMBOL_CLASS]->len + 1);
  for (guint i = 0; i < symbols->all[SYMBOL_CLASS]->len; i++) {
    char *name = symbols_name (symbols, SYMBOL_CLASS, i);
    takes[i]
        = selection_accepts_name (f->selection, name) && selection_finds_name (f->selection, name);
    if (takes[i])
      add (f->types, g_array_index (symbols->all[SYMBOL_CLASS], struct symbol, i).address);
    g_free (name);
  }
  for (guint i = 0; i < symbols->all[SYMBOL_VTABLE]->len; i++)
    if (takes[symbols_class_of_vtable (symbols, i)])
      add (f->types, g_array_index (symbols->all[SYMBOL_VTABLE], struct symbol, i).address);
  g_free (takes);
  return true;
}

bool
object_filter_add_address (struct object_filter *f, uint64_t address)
{
  if (address == 0 || object_filter_has (f, address))
    return false;
  f->is_full |= g_hash_table_size (f->addresses) >= OBJECT_ADDRESSES_MAX;
  return !f->is_full && add (f->addresses, address);
}

bool
object_filter_add_handle (struct object_filter *f, uint64_t key)
{
  return add (f->handles, key);
}

bool
object_filter_add_found (struct object_filter *f, uint64_t offset)
{
  return add (f->found, offset);
}

uint64_t
object_handle_key (uint64_t handle_type, uint64_t handle)
{
  return handle << 3 | (handle_type & 7);
}
