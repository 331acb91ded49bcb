/* ghc-block-skip.c -- the marker of the first of several blocks that are passed is read, and then
 * the reader goes on at the block after the last of them. */
#include "config.h"

#include "decoder/ghc/index/ghc-block-skip.h"

enum {
  READ_BYTES = 256 << 10,
  /* Bytes of a block that is passed: its marker, and those that show that no zeros follow it. */
  PEEK_BYTES = GHC_BLOCK_MARKER_SIZE + 64,
};

void
ghc_block_skip_init (struct ghc_block_skip *s, const struct ghc_block_index *index,
                     struct log_input *input, struct ghc_reader *reader)
{
  *s = (struct ghc_block_skip){
    .index = index, .input = input, .reader = reader, .bytes = g_malloc (READ_BYTES)
  };
}

void
ghc_block_skip_clear (struct ghc_block_skip *s)
{
  g_clear_pointer (&s->bytes, g_free);
}

static const struct ghc_indexed_block *
nth_block (const struct ghc_block_skip *s, guint n)
{
  return &g_array_index (s->index->blocks, struct ghc_indexed_block, n);
}

static bool
is_passed (const struct ghc_block_skip *s, guint n)
{
  return s->is_passed (s->data, nth_block (s, n));
}

bool
ghc_block_skip_item (struct ghc_block_skip *s, const struct ghc_item *item)
{
  const guint n = s->index->blocks->len;
  if (item->kind != GHC_BLOCK_MARKER)
    return false;
  while (s->next < n && nth_block (s, s->next)->offset < item->offset)
    s->next++;
  if (s->next == n || nth_block (s, s->next)->offset != item->offset || !is_passed (s, s->next))
    return false;
  s->events += nth_block (s, s->next)->events - 1; /* without the marker */
  s->after = ++s->next;
  while (!s->one_by_one && s->after < n && is_passed (s, s->after))
    s->after++;
  s->jump = s->after < n ? nth_block (s, s->after)->offset : s->index->end;
  ghc_reader_skip_block (s->reader);
  return true;
}

/* If more was read than the marker, the blocks are skipped one by one. */
static void
take_jump (struct ghc_block_skip *s)
{
  if (s->jump > s->at && ghc_reader_skip_to (s->reader, s->jump)) {
    s->at = s->jump;
    for (; s->next < s->after; s->next++)
      s->events += nth_block (s, s->next)->events;
  }
  s->jump = 0;
}

/* Up to where the next bytes are read: some of a block that is passed. */
static uint64_t
run_end (struct ghc_block_skip *s)
{
  const guint n = s->index->blocks->len;
  s->unneeded = MAX (s->unneeded, s->next);
  while (s->unneeded < n && !is_passed (s, s->unneeded))
    s->unneeded++;
  const uint64_t end
      = s->unneeded < n ? nth_block (s, s->unneeded)->offset + PEEK_BYTES : UINT64_MAX;
  return end > s->at ? end : UINT64_MAX;
}

size_t
ghc_block_skip_read (struct ghc_block_skip *s)
{
  take_jump (s);
  const size_t room = (size_t) MIN (run_end (s) - s->at, READ_BYTES);
  const size_t n = log_input_read_at (s->input, s->at, s->bytes, room);
  s->at += n;
  return n;
}
