/* ghc-block-index.c -- finds the blocks of an eventlog that can be passed, and writes and reads
 * them.
 *
 * The content of the file, in little-endian numbers:
 *
 *   u32       the kinds of events that there are: another program may number them otherwise
 *   u64       bytes of the log's header
 *   of each block, one after the other from there on:
 *     u64     earliest and latest time of its events
 *     u64 ...  kinds of its events
 *     u32     bytes with the marker, number of events, capability
 */
#include "config.h"

#include "decoder/ghc/index/ghc-block-index.h"

#include "decoder/core/cursor.h"
#include "decoder/ghc/ghc-describe.h"

enum {
  READ_BYTES = 1 << 20,
  RECORD_BYTES = (2 + GHC_KIND_WORDS) * 8 + 3 * 4,
  /* Markers that are witnesses, besides the last one. */
  WITNESSES = 16,
};

static const struct ghc_indexed_block *
nth_block (const struct ghc_block_index *index, guint n)
{
  return &g_array_index (index->blocks, struct ghc_indexed_block, n);
}

static struct ghc_block_index *
index_new (void)
{
  struct ghc_block_index *index = g_new0 (struct ghc_block_index, 1);
  index->blocks = g_array_new (FALSE, FALSE, sizeof (struct ghc_indexed_block));
  return index;
}

void
ghc_block_index_free (struct ghc_block_index *index)
{
  if (index == NULL)
    return;
  g_array_free (index->blocks, TRUE);
  g_free (index);
}

/* No two tables of kinds have the same. */
static uint32_t
sum_of_kinds (void)
{
  uint32_t sum = GHC_KINDS;
  for (unsigned kind = 0; kind < GHC_KINDS; kind++)
    sum = sum * 31 + g_str_hash (ghc_describe (kind)->name);
  return sum;
}

static void
add_block (struct ghc_block_index *index, const struct ghc_indexed_block *block)
{
  g_array_append_vals (index->blocks, block, 1);
  index->end = block->offset + block->size;
}

/* ---- the file ---- */

static struct ghc_indexed_block
get_block (struct cursor *c, uint64_t offset)
{
  struct ghc_indexed_block b = { .offset = offset };
  b.earliest = cursor_u64 (c);
  b.latest = cursor_u64 (c);
  for (guint i = 0; i < GHC_KIND_WORDS; i++)
    b.kinds[i] = cursor_u64 (c);
  b.size = cursor_u32 (c);
  b.events = cursor_u32 (c);
  b.cap = cursor_u32 (c);
  return b;
}

/* False if they are not those of a log of this size. */
static bool
get_blocks (struct cursor *c, uint64_t size, struct ghc_block_index *index)
{
  const uint32_t sum = cursor_u32 (c);
  index->header_length = index->end = cursor_u64 (c);
  if (sum != sum_of_kinds () || cursor_left (c) % RECORD_BYTES != 0 || c->error != CURSOR_OK
      || index->end == 0 || index->end > size)
    return false;
  while (cursor_left (c) != 0) {
    const struct ghc_indexed_block b = get_block (c, index->end);
    if (b.size < GHC_BLOCK_MARKER_SIZE || b.size > size - index->end || b.events == 0)
      return false;
    add_block (index, &b);
  }
  return index->blocks->len != 0;
}

struct ghc_block_index *
ghc_block_index_read (struct log_input *input)
{
  GByteArray *content;
  struct ghc_block_index *index = index_new ();
  index->cached = index_file_read (input, INDEX_KIND_GHC, &content);
  struct cursor c = cursor_over (content->data, content->len);
  if (index->cached == INDEX_NONE || !get_blocks (&c, log_input_size (input), index))
    g_clear_pointer (&index, ghc_block_index_free);
  g_byte_array_unref (content);
  return index;
}

static void
put_block (GByteArray *content, const struct ghc_indexed_block *b)
{
  index_put_u64 (content, b->earliest);
  index_put_u64 (content, b->latest);
  for (guint i = 0; i < GHC_KIND_WORDS; i++)
    index_put_u64 (content, b->kinds[i]);
  index_put_u32 (content, b->size);
  index_put_u32 (content, b->events);
  index_put_u32 (content, b->cap);
}

static void
add_witness (GArray *witnesses, const struct ghc_indexed_block *b)
{
  const struct index_witness witness = { b->offset, GHC_BLOCK_MARKER_SIZE };
  g_array_append_val (witnesses, witness);
}

/* The beginning of the header, and markers of some blocks and of the last one. */
static GArray *
witnesses_of (const struct ghc_block_index *index)
{
  GArray *witnesses = g_array_new (FALSE, FALSE, sizeof (struct index_witness));
  const struct index_witness header
      = { 0, (uint32_t) MIN (index->header_length, INDEX_WITNESS_BYTES_MAX) };
  const guint n = index->blocks->len;
  g_array_append_val (witnesses, header);
  for (guint i = 0; i < n; i += n / WITNESSES + 1)
    add_witness (witnesses, nth_block (index, i));
  add_witness (witnesses, nth_block (index, n - 1));
  return witnesses;
}

static bool
write_index (const struct ghc_block_index *index, struct log_input *input, GError **error)
{
  GByteArray *content = g_byte_array_new ();
  GArray *witnesses = witnesses_of (index);
  index_put_u32 (content, sum_of_kinds ());
  index_put_u64 (content, index->header_length);
  for (guint i = 0; i < index->blocks->len; i++)
    put_block (content, nth_block (index, i));
  const bool good = index_file_write (input, INDEX_KIND_GHC, witnesses, content, error);
  g_array_free (witnesses, TRUE);
  g_byte_array_unref (content);
  return good;
}

/* ---- the log ---- */

/* Events as the reader gives them, as long as they are in blocks that follow each other. */
struct block_walk {
  struct ghc_block_index *index;
  struct ghc_indexed_block open; /* the block that is read; size 0: none */
  uint64_t at;                   /* of the next event */
};

static void
add_event (struct ghc_indexed_block *block, const struct ghc_item *item)
{
  block->kinds[item->kind / 64] |= UINT64_C (1) << item->kind % 64;
  block->events++;
  block->earliest = MIN (block->earliest, item->time);
  block->latest = MAX (block->latest, item->time);
}

/* A block begins: that before it is over. */
static void
begin_block (struct block_walk *w, const struct ghc_item *item)
{
  const struct ghc_block_marker *marker = &item->payload->block_marker;
  if (w->open.size != 0)
    add_block (w->index, &w->open);
  w->open = (struct ghc_indexed_block){
    .offset = item->offset, .size = marker->block_size, .cap = marker->cap, .earliest = UINT64_MAX
  };
}

/* False where the blocks that can be passed end. */
static bool
take_item (struct block_walk *w, const struct ghc_item *item)
{
  const uint64_t block_end = w->open.offset + w->open.size;
  if (item->type == GHC_ITEM_HEADER && w->index->header_length == 0) {
    w->at = w->index->header_length = w->index->end = item->offset + item->size;
    return true;
  }
  if (item->type != GHC_ITEM_EVENT || item->offset != w->at || w->index->header_length == 0)
    return false;
  const bool begins = item->kind == GHC_BLOCK_MARKER;
  if (begins ? w->open.size != 0 && item->offset != block_end
             : !item->in_block || item->offset + item->size > block_end)
    return false;
  if (begins)
    begin_block (w, item);
  add_event (&w->open, item);
  w->at = item->offset + item->size;
  return true;
}

/* Gives the reader the log from `at` on. */
static void
walk_from (struct block_walk *w, struct log_input *input, struct ghc_reader *reader, uint64_t at)
{
  g_autofree uint8_t *bytes = g_malloc (READ_BYTES);
  const struct ghc_item *item;
  enum proflog_result result;
  size_t n;
  while ((n = log_input_read_at (input, at, bytes, READ_BYTES)) != 0) {
    ghc_reader_push (reader, bytes, n);
    at += n;
    while ((result = ghc_reader_next (reader, &item)) == PROFLOG_EVENT)
      if (!take_item (w, item))
        return;
    if (result != PROFLOG_NEED_MORE)
      return;
  }
}

/* Adds the blocks that the index does not have yet. */
static void
read_blocks (struct ghc_block_index *index, struct log_input *input)
{
  struct block_walk w = { .index = index, .at = index->end };
  struct ghc_reader *reader = ghc_reader_new ();
  uint64_t at = 0;
  if (index->header_length != 0) {
    const struct ghc_item *item;
    g_autofree uint8_t *header = g_malloc (index->header_length);
    at = log_input_read_at (input, 0, header, index->header_length);
    ghc_reader_push (reader, header, at);
    while (ghc_reader_next (reader, &item) == PROFLOG_EVENT)
      continue;
    if (ghc_reader_is_at_border (reader)) {
      ghc_reader_pass (reader, index->end - at);
      at = index->end;
    }
  }
  if (at == index->end)
    walk_from (&w, input, reader, at);
  ghc_reader_free (reader);
}

bool
ghc_block_index_store (struct log_input *input, GError **error)
{
  struct ghc_block_index *index = ghc_block_index_read (input);
  bool good = true;
  if (index == NULL)
    index = index_new ();
  if (index->cached != INDEX_WHOLE) {
    read_blocks (index, input);
    if (index->blocks->len != 0)
      good = write_index (index, input, error);
  }
  ghc_block_index_free (index);
  return good;
}
