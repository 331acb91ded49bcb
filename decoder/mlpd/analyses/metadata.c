/* metadata.c -- counts loaded entities and compiled methods. */
#include "config.h"

#include "decoder/mlpd/analyses/metadata.h"
#include "decoder/mlpd/analyses/analysis.h"
#include "decoder/mlpd/analyses/log.h"
#define ROOT_DOMAIN 0

static GHashTable *
new_set (void)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}

/* The compiled code of a method. */
struct compiled {
  uint64_t method, code;
  uint64_t size; /* no part of the key */
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
  *m = (struct metadata){ .classes = new_set (),
                          .compiled
                          = g_hash_table_new_full (compiled_hash, compiled_equal, g_free, NULL) };
}

void
metadata_clear (struct metadata *m)
{
  g_hash_table_destroy (m->classes);
  g_hash_table_destroy (m->compiled);
}

/* Of a class's address and name: one that is announced twice counts once, and one at the place of
 * an unloaded class has another name. */
static uint64_t
class_key (const struct mlpd_metadata_class *c)
{
  uint64_t key = c->klass;
  for (size_t i = 0; i < c->name.length; i++)
    key = (key ^ (uint8_t) c->name.text[i]) * UINT64_C (0x100000001b3);
  return key;
}

/* A class was loaded, or (its action) could not be. */
static void
load_class (struct metadata *m, const struct mlpd_metadata_class *c)
{
  if ((c->action & MLPD_LOAD_ERROR) != 0) {
    m->load_errors++;
    return;
  }
  const uint64_t key = class_key (c);
  if (c->action == MLPD_LOAD_END_LOAD && !g_hash_table_contains (m->classes, &key))
    g_hash_table_add (m->classes, g_memdup2 (&key, sizeof key));
}

bool
metadata_names_domain (enum mlpd_kind kind, const union mlpd_payload *p)
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
  struct compiled key = { event->method, event->code, event->size };
  if (g_hash_table_contains (m->compiled, &key))
    return;
  g_hash_table_add (m->compiled, g_memdup2 (&key, sizeof key));
  m->methods++;
}

/* ---- sizes of code ---- */

/* The first data version of a profiler with a writer thread. */
#define FIRST_VERSION_WITH_STALE_CODE 8

#define PAGE_BITS 12
/* Addresses of programs are smaller: a number with these bits is no pointer. */
#define ADDRESS_BITS 56
/* The upper half of a pointer is no size of code that there could be by chance, if it is as large
 * as this. */
#define UPPER_HALF_MIN 4096

/* Where the runtime's own data are: methods, classes, vtables. */
struct data_places {
  GHashTable *pages;  /* uint64_t */
  GHashTable *uppers; /* uint64_t: upper halves of addresses */
};

static void
add_number (GHashTable *set, uint64_t number)
{
  if (!g_hash_table_contains (set, &number))
    g_hash_table_add (set, g_memdup2 (&number, sizeof number));
}

static struct data_places
find_data (const struct symbols *symbols)
{
  const struct data_places places = { new_set (), new_set () };
  for (int kind = 0; kind < SYMBOL_KINDS; kind++)
    for (guint i = 0; i < symbols->all[kind]->len; i++) {
      const uint64_t address = g_array_index (symbols->all[kind], struct symbol, i).address;
      add_number (places.pages, address >> PAGE_BITS);
      add_number (places.uppers, address >> 32);
    }
  return places;
}

/* Code stands neither in the first page of memory, nor where no addresses are, nor in a page with
 * the runtime's data; and where the size should be, freed memory has half a pointer. */
static bool
is_stale (const struct compiled *c, const struct data_places *places)
{
  const uint64_t page = c->code >> PAGE_BITS;
  return page == 0 || c->code >> ADDRESS_BITS != 0 || g_hash_table_contains (places->pages, &page)
         || (c->size >= UPPER_HALF_MIN && g_hash_table_contains (places->uppers, &c->size));
}

/* In no order. */
static GArray *
collect_code (const struct metadata *m, const struct symbols *symbols, unsigned version)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (struct metadata_code));
  GHashTableIter iter;
  gpointer key;
  const bool may_be_stale = version >= FIRST_VERSION_WITH_STALE_CODE;
  const struct data_places places = find_data (symbols);
  g_hash_table_iter_init (&iter, m->compiled);
  while (g_hash_table_iter_next (&iter, &key, NULL)) {
    const struct compiled *c = key;
    const struct metadata_code code = { c->code, c->size, c->method };
    if (c->size < CODE_BYTES_MAX && !(may_be_stale && is_stale (c, &places)))
      g_array_append_val (all, code);
  }
  g_hash_table_destroy (places.pages);
  g_hash_table_destroy (places.uppers);
  return all;
}

static int
compare_starts (const void *a, const void *b)
{
  const struct metadata_code *x = a, *y = b;
  return (x->start > y->start) - (x->start < y->start);
}

GArray *
metadata_list_code (const struct metadata *m, const struct symbols *symbols, unsigned version)
{
  GArray *all = collect_code (m, symbols, version);
  g_array_sort (all, compare_starts);
  return all;
}

void
metadata_finish (struct metadata *m, const struct symbols *symbols, unsigned version)
{
  g_autoptr (GArray) code = collect_code (m, symbols, version);
  for (guint i = 0; i < code->len; i++)
    m->code_bytes += g_array_index (code, struct metadata_code, i).size;
}

/* ---- as an analysis ---- */

static void
init (void *state, const struct scan_options *options)
{
  (void) options;
  metadata_init (state);
}

static void
clear (void *state)
{
  metadata_clear (state);
}

static void
note_domains (void *state, const struct analysis_event *e)
{
  struct metadata *m = state;
  m->has_domains |= metadata_names_domain (e->kind, e->payload);
}

static void
handle_class (void *state, const struct analysis_event *e)
{
  load_class (state, &e->payload->metadata_class);
  note_domains (state, e);
}

static void
handle_method (void *state, const struct analysis_event *e)
{
  metadata_jit (state, &e->payload->method_jit);
}

static void
finish (void *state, const struct analysis_model *m)
{
  metadata_finish (state, m->symbols, m->log->header.data_version);
}

static const struct analysis_handlers handlers[] = {
  { MLPD_METADATA_CLASS, handle_class, note_domains },
  { MLPD_METADATA_IMAGE, note_domains, note_domains },
  { MLPD_METADATA_VTABLE, note_domains, note_domains },
  { MLPD_METADATA_DOMAIN, note_domains, note_domains },
  { MLPD_METHOD_JIT, handle_method, NULL },
};

const struct analysis metadata_analysis = { .state_bytes = sizeof (struct metadata),
                                            .is_bounded = true,
                                            .init = init,
                                            .clear = clear,
                                            .finish = finish,
                                            ANALYSIS_HANDLERS (handlers) };
