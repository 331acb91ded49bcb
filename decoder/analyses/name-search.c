/* name-search.c -- see name-search.h. */
#include "decoder/analyses/name-search.h"
#include "config.h"
#include "decoder/formats/mlpd-decode.h"

struct search {
  struct summary *s;
  GHashTable *missing[SYMBOL_SORTS]; /* uint64_t address -> index + 1 of its symbol */
  struct symbols announced;          /* classes, which a vtable may be of, and images */
  struct mlpd_decoder decoder;
};

static void
miss (struct search *x, enum symbol_sort sort, guint index)
{
  const struct symbol *symbol = &g_array_index (x->s->symbols.all[sort], struct symbol, index);
  g_hash_table_replace (x->missing[sort], g_memdup2 (&symbol->address, sizeof symbol->address),
                        GUINT_TO_POINTER (index + 1));
}

static void
begin_search (struct search *x)
{
  for (int sort = 0; sort < SYMBOL_SORTS; sort++) {
    x->missing[sort] = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
    const GArray *all = x->s->symbols.all[sort];
    for (guint i = 0; i < all->len; i++) {
      const struct symbol *symbol = &g_array_index (all, struct symbol, i);
      if (sort == SYMBOL_VTABLE ? symbol->klass == 0 : symbol->name == NULL)
        miss (x, (enum symbol_sort) sort, i);
    }
  }
}

static bool
is_done (const struct search *x)
{
  guint missing = 0;
  for (int sort = 0; sort < SYMBOL_SORTS; sort++)
    missing += g_hash_table_size (x->missing[sort]);
  return missing == 0;
}

/* The symbol that waits for what is announced; NULL if none does. */
static struct symbol *
found (struct search *x, enum symbol_sort sort, uint64_t address)
{
  const guint place = GPOINTER_TO_UINT (g_hash_table_lookup (x->missing[sort], &address));
  g_hash_table_remove (x->missing[sort], &address);
  return place != 0 ? &g_array_index (x->s->symbols.all[sort], struct symbol, place - 1) : NULL;
}

static void
take_name (struct search *x, enum symbol_sort sort, uint64_t address, const char *name)
{
  struct symbol *symbol = found (x, sort, address);
  if (symbol != NULL)
    symbol->name = g_string_chunk_insert_const (x->s->symbols.names, name);
}

/* A class was found to be of the image at this address. */
static void
set_image (struct search *x, struct symbol *klass, uint64_t address)
{
  if (klass->image != 0 || address == 0)
    return;
  const guint image = symbols_use (&x->s->symbols, SYMBOL_IMAGE, address);
  klass->image = image + 1;
  if (g_array_index (x->s->symbols.all[SYMBOL_IMAGE], struct symbol, image).name != NULL)
    return;
  miss (x, SYMBOL_IMAGE, image);
  const char *name = symbols_current_name (&x->announced, SYMBOL_IMAGE, address);
  if (name != NULL)
    take_name (x, SYMBOL_IMAGE, address, name);
}

static void
take_class (struct search *x, uint64_t address, const char *name, uint64_t image)
{
  struct symbol *symbol = found (x, SYMBOL_CLASS, address);
  if (symbol == NULL)
    return;
  symbol->name = g_string_chunk_insert_const (x->s->symbols.names, name);
  set_image (x, symbol, image);
}

/* The address of the image of a class that was announced; 0: not told. */
static uint64_t
announced_image (struct search *x, uint64_t klass)
{
  const struct symbols *s = &x->announced;
  const guint index = symbols_use (&x->announced, SYMBOL_CLASS, klass);
  const guint image = g_array_index (s->all[SYMBOL_CLASS], struct symbol, index).image;
  return image != 0 ? g_array_index (s->all[SYMBOL_IMAGE], struct symbol, image - 1).address : 0;
}

static void
take_vtable (struct search *x, uint64_t vtable, uint64_t address)
{
  struct symbol *symbol = found (x, SYMBOL_VTABLE, vtable);
  if (symbol == NULL)
    return;
  const guint klass = symbols_use (&x->s->symbols, SYMBOL_CLASS, address);
  symbol->klass = klass + 1;
  if (g_array_index (x->s->symbols.all[SYMBOL_CLASS], struct symbol, klass).name != NULL)
    return;
  miss (x, SYMBOL_CLASS, klass);
  const char *name = symbols_current_name (&x->announced, SYMBOL_CLASS, address);
  if (name != NULL)
    take_class (x, address, name, announced_image (x, address));
}

/* The first thread of this id, if it has events and no name. */
static struct thread *
nameless_thread (const struct search *x, uint64_t id)
{
  const GPtrArray *all = x->s->threads.all;
  for (guint i = 0; i < all->len; i++) {
    struct thread *t = g_ptr_array_index (all, i);
    if (t->id == id)
      return t->events != 0 && t->name == NULL ? t : NULL;
  }
  return NULL;
}

static void
take_thread (struct search *x, const struct mlpd_metadata_thread *e)
{
  struct thread *t = nameless_thread (x, e->thread);
  if (t != NULL && e->action == MLPD_LOAD_NAME && e->name.text != NULL)
    t->name = g_strdup (e->name.text);
}

static void
take_event (struct search *x, enum mlpd_kind kind, const union mlpd_payload *p)
{
  x->s->has_domains |= metadata_tells_domains (kind, p);
  switch (kind) {
  case MLPD_METHOD_JIT:
    take_name (x, SYMBOL_METHOD, p->method_jit.method, p->method_jit.name.text);
    break;
  case MLPD_METADATA_CLASS:
    symbols_announce_class (&x->announced, p->metadata_class.klass, p->metadata_class.name,
                            p->metadata_class.image);
    take_class (x, p->metadata_class.klass, p->metadata_class.name.text, p->metadata_class.image);
    break;
  case MLPD_METADATA_IMAGE:
    symbols_announce (&x->announced, SYMBOL_IMAGE, p->metadata_image.image, p->metadata_image.name);
    take_name (x, SYMBOL_IMAGE, p->metadata_image.image, p->metadata_image.name.text);
    break;
  case MLPD_METADATA_VTABLE:
    take_vtable (x, p->metadata_vtable.vtable, p->metadata_vtable.klass);
    break;
  case MLPD_METADATA_THREAD:
    take_thread (x, &p->metadata_thread);
    break;
  default:
    break;
  }
}

static void
search_buffer (struct search *x, const uint8_t *bytes, size_t length)
{
  struct cursor c = cursor_over (bytes, length);
  struct mlpd_buffer_header header;
  enum mlpd_kind kind;
  mlpd_decode_buffer_header (&c, &header);
  mlpd_decoder_start_buffer (&x->decoder, &header);
  while (c.at < c.end && mlpd_decode_event (&x->decoder, &c, &kind) == MLPD_DECODED)
    take_event (x, kind, &x->decoder.payload);
}

static void
search_buffers (struct search *x, struct log_input *input, const struct buffer_choice *choice)
{
  const GArray *buffers = choice->index->buffers;
  GByteArray *bytes = g_byte_array_new ();
  for (guint i = 0; i < buffers->len; i++) {
    const struct indexed_buffer *buffer = &g_array_index (buffers, struct indexed_buffer, i);
    const bool may_name_thread = buffer->is_first && nameless_thread (x, buffer->thread) != NULL;
    if (is_done (x) && !may_name_thread)
      continue;
    if (buffer_choice_use (choice, buffer->thread, buffer->time_base, buffer->offset)
        != BUFFER_PASS)
      continue;
    g_byte_array_set_size (bytes, (guint) indexed_buffer_size (buffer));
    if (log_input_read_at (input, buffer->offset, bytes->data, bytes->len) == bytes->len)
      search_buffer (x, bytes->data, bytes->len);
  }
  g_byte_array_unref (bytes);
}

void
name_search (struct summary *s, struct log_input *input, const struct buffer_choice *choice)
{
  struct search x = { .s = s };
  symbols_init (&x.announced);
  begin_search (&x);
  mlpd_decoder_start_file (&x.decoder, &choice->index->header);
  search_buffers (&x, input, choice);
  mlpd_decoder_clear (&x.decoder);
  for (int sort = 0; sort < SYMBOL_SORTS; sort++)
    g_hash_table_destroy (x.missing[sort]);
  symbols_clear (&x.announced);
}
