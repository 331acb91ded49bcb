/* name-search.c -- reads skipped buffers until all missing names are found. */
#include "config.h"

#include "decoder/mlpd/query/name-search.h"
#include "decoder/mlpd/mlpd-decode.h"

struct name_query {
  struct summary *s;
  GHashTable *missing[SYMBOL_KINDS]; /* uint64_t address -> index + 1 of its symbol */
  struct symbols announced;          /* classes, which a vtable may be of, and images */
  struct mlpd_decoder decoder;
};

static void
miss (struct name_query *x, enum symbol_kind kind, guint index)
{
  const struct symbol *symbol = &g_array_index (x->s->symbols.all[kind], struct symbol, index);
  g_hash_table_replace (x->missing[kind], g_memdup2 (&symbol->address, sizeof symbol->address),
                        GUINT_TO_POINTER (index + 1));
}

static void
begin_search (struct name_query *x)
{
  for (int kind = 0; kind < SYMBOL_KINDS; kind++) {
    x->missing[kind] = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
    const GArray *all = x->s->symbols.all[kind];
    for (guint i = 0; i < all->len; i++) {
      const struct symbol *symbol = &g_array_index (all, struct symbol, i);
      if (kind == SYMBOL_VTABLE ? symbol->klass == 0 : symbol->name == NULL)
        miss (x, (enum symbol_kind) kind, i);
    }
  }
}

static bool
is_done (const struct name_query *x)
{
  guint missing = 0;
  for (int kind = 0; kind < SYMBOL_KINDS; kind++)
    missing += g_hash_table_size (x->missing[kind]);
  return missing == 0;
}

/* The symbol that waits for what is announced; NULL if none does. */
static struct symbol *
found (struct name_query *x, enum symbol_kind kind, uint64_t address)
{
  const guint place = GPOINTER_TO_UINT (g_hash_table_lookup (x->missing[kind], &address));
  g_hash_table_remove (x->missing[kind], &address);
  return place != 0 ? &g_array_index (x->s->symbols.all[kind], struct symbol, place - 1) : NULL;
}

static void
retain_name (struct name_query *x, enum symbol_kind kind, uint64_t address, const char *name)
{
  struct symbol *symbol = found (x, kind, address);
  if (symbol != NULL)
    symbol->name = g_string_chunk_insert_const (x->s->symbols.names, name);
}

/* A class was found to be of the image at this address. */
static void
set_image (struct name_query *x, struct symbol *klass, uint64_t address)
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
    retain_name (x, SYMBOL_IMAGE, address, name);
}

static void
handle_class (struct name_query *x, uint64_t address, const char *name, uint64_t image)
{
  struct symbol *symbol = found (x, SYMBOL_CLASS, address);
  if (symbol == NULL)
    return;
  symbol->name = g_string_chunk_insert_const (x->s->symbols.names, name);
  set_image (x, symbol, image);
}

/* The address of the image of a class that was announced; 0: unknown. */
static uint64_t
announced_image (struct name_query *x, uint64_t klass)
{
  const struct symbols *s = &x->announced;
  const guint index = symbols_use (&x->announced, SYMBOL_CLASS, klass);
  const guint image = g_array_index (s->all[SYMBOL_CLASS], struct symbol, index).image;
  return image != 0 ? g_array_index (s->all[SYMBOL_IMAGE], struct symbol, image - 1).address : 0;
}

static void
handle_vtable (struct name_query *x, uint64_t vtable, uint64_t address)
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
    handle_class (x, address, name, announced_image (x, address));
}

/* The first thread of this id, if it has events and no name. */
static struct thread *
nameless_thread (const struct name_query *x, uint64_t id)
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
handle_thread (struct name_query *x, const struct mlpd_metadata_thread *e)
{
  struct thread *t = nameless_thread (x, e->thread);
  if (t != NULL && e->action == MLPD_LOAD_NAME && e->name.text != NULL)
    t->name = g_strdup (e->name.text);
}

static void
handle_event (struct name_query *x, enum mlpd_kind kind, const union mlpd_payload *p)
{
  x->s->metadata.has_domains |= metadata_names_domain (kind, p);
  switch (kind) {
  case MLPD_METHOD_JIT:
    retain_name (x, SYMBOL_METHOD, p->method_jit.method, p->method_jit.name.text);
    break;
  case MLPD_METADATA_CLASS:
    symbols_announce_class (&x->announced, p->metadata_class.klass, p->metadata_class.name,
                            p->metadata_class.image);
    handle_class (x, p->metadata_class.klass, p->metadata_class.name.text, p->metadata_class.image);
    break;
  case MLPD_METADATA_IMAGE:
    symbols_announce (&x->announced, SYMBOL_IMAGE, p->metadata_image.image, p->metadata_image.name);
    retain_name (x, SYMBOL_IMAGE, p->metadata_image.image, p->metadata_image.name.text);
    break;
  case MLPD_METADATA_VTABLE:
    handle_vtable (x, p->metadata_vtable.vtable, p->metadata_vtable.klass);
    break;
  case MLPD_METADATA_THREAD:
    handle_thread (x, &p->metadata_thread);
    break;
  default:
    break;
  }
}

static void
search_buffer (struct name_query *x, const uint8_t *bytes, size_t length)
{
  struct cursor c = cursor_over (bytes, length);
  struct mlpd_buffer_header header;
  enum mlpd_kind kind;
  mlpd_decode_buffer_header (&c, &header);
  mlpd_decoder_start_buffer (&x->decoder, &header);
  while (c.at < c.end && mlpd_decode_event (&x->decoder, &c, &kind) == MLPD_DECODED)
    handle_event (x, kind, &x->decoder.payload);
}

static void
search_buffers (struct name_query *x, struct log_input *input, const struct buffer_filter *filter)
{
  const GArray *buffers = filter->index->buffers;
  GByteArray *bytes = g_byte_array_new ();
  for (guint i = 0; i < buffers->len; i++) {
    const struct indexed_buffer *buffer = &g_array_index (buffers, struct indexed_buffer, i);
    const bool may_name_thread = buffer->is_first && nameless_thread (x, buffer->thread) != NULL;
    if (is_done (x) && !may_name_thread)
      continue;
    if (buffer_index_knows (filter->index, i)
        && (buffer->flags & (BUFFER_HAS_NAMES | BUFFER_IS_DAMAGED)) == 0)
      continue;
    if (buffer_filter_use (filter, buffer->thread, buffer->time_base, buffer->offset)
        != BUFFER_SKIP)
      continue;
    g_byte_array_set_size (bytes, (guint) indexed_buffer_size (buffer));
    if (log_input_read_at (input, buffer->offset, bytes->data, bytes->len) == bytes->len)
      search_buffer (x, bytes->data, bytes->len);
  }
  g_byte_array_unref (bytes);
}

void
name_search (struct summary *s, struct log_input *input, const struct buffer_filter *filter)
{
  struct name_query x = { .s = s };
  symbols_init (&x.announced);
  begin_search (&x);
  mlpd_decoder_start_file (&x.decoder, &filter->index->header);
  search_buffers (&x, input, filter);
  mlpd_decoder_clear (&x.decoder);
  for (int kind = 0; kind < SYMBOL_KINDS; kind++)
    g_hash_table_destroy (x.missing[kind]);
  symbols_clear (&x.announced);
}
