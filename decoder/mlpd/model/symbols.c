/* symbols.c -- names by address, in file order. */
#include "config.h"

#include "decoder/mlpd/model/symbols.h"
#include "decoder/mlpd/mlpd-layout.h"
#include "decoder/mlpd/model/recording.h"

/* Addresses are 64 bits, pointers of this machine may be less. */
static guint
hash_address (gconstpointer key)
{
  return g_int64_hash (key);
}

void
symbols_init (struct symbols *s)
{
  *s = (struct symbols){ 0 };
  for (int i = 0; i < SYMBOL_KINDS; i++) {
    s->current[i] = g_hash_table_new_full (hash_address, g_int64_equal, g_free, NULL);
    s->all[i] = g_array_new (FALSE, FALSE, sizeof (struct symbol));
  }
  s->names = g_string_chunk_new (64 * 1024);
}

void
symbols_clear (struct symbols *s)
{
  for (int i = 0; i < SYMBOL_KINDS; i++) {
    g_hash_table_destroy (s->current[i]);
    g_array_free (s->all[i], TRUE);
  }
  g_string_chunk_free (s->names);
}

static struct recent_symbol *
recent (struct symbols *s, enum symbol_kind kind, uint64_t address)
{
  G_STATIC_ASSERT (SYMBOLS_RECENT == 1 << 8);
  return &s->recent[kind][(address >> 3) * UINT64_C (0x9E3779B97F4A7C15) >> 56];
}

static guint
find (const struct symbols *s, enum symbol_kind kind, uint64_t address)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (s->current[kind], &address));
}

static guint
add (struct symbols *s, enum symbol_kind kind, uint64_t address, const char *name)
{
  struct symbol symbol = { .address = address, .name = name };
  g_array_append_val (s->all[kind], symbol);
  uint64_t *key = g_new (uint64_t, 1);
  *key = address;
  g_hash_table_replace (s->current[kind], key, GUINT_TO_POINTER (s->all[kind]->len));
  *recent (s, kind, address) = (struct recent_symbol){ address, s->all[kind]->len };
  return s->all[kind]->len - 1;
}

guint
symbols_use (struct symbols *s, enum symbol_kind kind, uint64_t address)
{
  struct recent_symbol *r = recent (s, kind, address);
  if (r->place == 0 || r->address != address) {
    guint found = find (s, kind, address);
    if (found == 0)
      return add (s, kind, address, NULL);
    *r = (struct recent_symbol){ address, found };
  }
  return r->place - 1;
}

guint
symbols_announce (struct symbols *s, enum symbol_kind kind, uint64_t address,
                  struct mlpd_string name)
{
  guint found = find (s, kind, address);
  if (found != 0) {
    struct symbol *symbol = &g_array_index (s->all[kind], struct symbol, found - 1);
    if (symbol->name != NULL && strcmp (symbol->name, name.text) == 0)
      return found - 1;
    if (symbol->name == NULL) {
      symbol->name = g_string_chunk_insert_const (s->names, name.text);
      return found - 1;
    }
  }
  return add (s, kind, address, g_string_chunk_insert_const (s->names, name.text));
}

guint
symbols_announce_class (struct symbols *s, uint64_t address, struct mlpd_string name,
                        uint64_t image)
{
  guint index = symbols_announce (s, SYMBOL_CLASS, address, name);
  if (image == 0)
    return index;
  const guint place = symbols_use (s, SYMBOL_IMAGE, image) + 1;
  struct symbol *symbol = &g_array_index (s->all[SYMBOL_CLASS], struct symbol, index);
  if (symbol->image != 0 && symbol->image != place) { /* another one of this name */
    index = add (s, SYMBOL_CLASS, address, symbol->name);
    symbol = &g_array_index (s->all[SYMBOL_CLASS], struct symbol, index);
  }
  symbol->image = place;
  return index;
}

void
symbols_announce_vtable (struct symbols *s, uint64_t address, guint klass)
{
  guint found = find (s, SYMBOL_VTABLE, address);
  struct symbol *symbol
      = found != 0 ? &g_array_index (s->all[SYMBOL_VTABLE], struct symbol, found - 1) : NULL;
  if (symbol == NULL || (symbol->klass != 0 && symbol->klass != klass + 1)) {
    found = add (s, SYMBOL_VTABLE, address, NULL) + 1;
    symbol = &g_array_index (s->all[SYMBOL_VTABLE], struct symbol, found - 1);
  }
  symbol->klass = klass + 1;
}

void
symbols_describe_class (struct symbols *s, const struct mlpd_counter *counter)
{
  uint64_t klass;
  const char *parts;
  struct mlpd_layout_part part = { 0 };
  if (!mlpd_layout_of (counter, &klass, &parts))
    return;
  const char *const layout = g_string_chunk_insert_const (s->names, parts);
  guint base = 0;
  while (base == 0 && mlpd_layout_next (&parts, &part))
    if (part.kind == MLPD_LAYOUT_BASE)
      base = symbols_use (s, SYMBOL_CLASS, part.number) + 1;
  const guint index = symbols_use (s, SYMBOL_CLASS, klass);
  struct symbol *symbol = &g_array_index (s->all[SYMBOL_CLASS], struct symbol, index);
  symbol->layout = layout;
  symbol->base = base;
}

guint
symbols_class_of_vtable (struct symbols *s, guint vtable)
{
  const struct symbol *symbol = &g_array_index (s->all[SYMBOL_VTABLE], struct symbol, vtable);
  return symbol->klass != 0 ? symbol->klass - 1 : symbols_use (s, SYMBOL_CLASS, symbol->address);
}

char *
symbols_name (const struct symbols *s, enum symbol_kind kind, guint index)
{
  static const char *const kinds[] = { "image", "class", "method", "vtable" };
  const struct symbol *symbol = &g_array_index (s->all[kind], struct symbol, index);
  if (symbol->name != NULL)
    return g_strdup (symbol->name);
  return g_strdup_printf ("unresolved %s 0x%" G_GINT64_MODIFIER "x", kinds[kind], symbol->address);
}

int
symbols_compare (const struct symbols *s, enum symbol_kind kind, guint a, guint b)
{
  const struct symbol *x = &g_array_index (s->all[kind], struct symbol, a);
  const struct symbol *y = &g_array_index (s->all[kind], struct symbol, b);
  if (x->name == NULL || y->name == NULL) {
    if (x->name != y->name)
      return x->name == NULL ? 1 : -1;
  } else {
    const int order = strcmp (x->name, y->name);
    if (order != 0)
      return order;
  }
  return x->address != y->address ? (x->address > y->address) - (x->address < y->address)
                                  : (a > b) - (a < b);
}

/* The number that the key has in a table; `number` if it is new. */
static guint
first_of (GHashTable *table, const void *key, guint number)
{
  gpointer first;
  if (g_hash_table_lookup_extended (table, key, NULL, &first))
    return GPOINTER_TO_UINT (first);
  g_hash_table_insert (table, (gpointer) key, GUINT_TO_POINTER (number));
  return number;
}

guint *
symbols_by_name (const struct symbols *s, enum symbol_kind kind)
{
  const GArray *all = s->all[kind];
  GHashTable *names = g_hash_table_new (g_str_hash, g_str_equal);
  GHashTable *addresses = g_hash_table_new (g_int64_hash, g_int64_equal);
  guint *firsts = g_new (guint, all->len + 1);
  for (guint i = 0; i < all->len; i++) {
    const struct symbol *symbol = &g_array_index (all, struct symbol, i);
    firsts[i] = symbol->name != NULL ? first_of (names, symbol->name, i)
                                     : first_of (addresses, &symbol->address, i);
  }
  g_hash_table_destroy (names);
  g_hash_table_destroy (addresses);
  return firsts;
}

const char *
symbols_class_image (const struct symbols *s, guint klass)
{
  const guint image = g_array_index (s->all[SYMBOL_CLASS], struct symbol, klass).image;
  return image != 0 ? g_array_index (s->all[SYMBOL_IMAGE], struct symbol, image - 1).name : NULL;
}

const char *
symbols_current_name (const struct symbols *s, enum symbol_kind kind, uint64_t address)
{
  guint found = find (s, kind, address);
  return found != 0 ? g_array_index (s->all[kind], struct symbol, found - 1).name : NULL;
}

const char *
symbols_current_vtable_class (const struct symbols *s, uint64_t address)
{
  const guint found = find (s, SYMBOL_VTABLE, address);
  const guint klass
      = found != 0 ? g_array_index (s->all[SYMBOL_VTABLE], struct symbol, found - 1).klass : 0;
  return klass != 0 ? g_array_index (s->all[SYMBOL_CLASS], struct symbol, klass - 1).name : NULL;
}

char *
symbols_frame_name (char *name)
{
  static const char wrapper[] = "(wrapper managed-to-native) ";
  if (name == NULL || !g_str_has_prefix (name, wrapper))
    return name;
  char *native = recording_is_method (name)
                     ? g_strdup (RECORDING_NAME)
                     : g_strconcat (name + sizeof wrapper - 1, " [native]", NULL);
  g_free (name);
  return native;
}
