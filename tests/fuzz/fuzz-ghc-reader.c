/* fuzz-ghc-reader.c -- any bytes through the reader: it ends, every byte is in an item, and the
 * items are the same however the bytes are pushed. */
#include "config.h"

#include "tests/fuzz/fuzz.h"
#include <proflog/ghc-reader.h>

struct sum {
  guint64 items;
  guint64 end;
  guint64 hash;
  enum proflog_result result;
};

static void
note (struct sum *sum, const struct ghc_item *item)
{
  /* An item of no bytes may be about earlier ones. */
  if (item->size == 0 ? item->offset > sum->end : item->offset != sum->end)
    g_error ("an item at %" G_GUINT64_FORMAT " follows one that ends at %" G_GUINT64_FORMAT,
             item->offset, sum->end);
  sum->items++;
  sum->end += item->size;
  sum->hash = fuzz_mix (sum->hash, item->type ^ item->size << 8);
  if (item->type == GHC_ITEM_EVENT)
    sum->hash = fuzz_mix (sum->hash, item->kind);
  else if (item->type == GHC_ITEM_DAMAGE)
    sum->hash = fuzz_mix (sum->hash, item->damage->missing ^ item->damage->skipped << 8);
}

static void
drain (struct ghc_reader *reader, struct sum *sum)
{
  const struct ghc_item *item;
  while ((sum->result = ghc_reader_next (reader, &item)) == PROFLOG_EVENT)
    note (sum, item);
}

/* With pieces; NULL: all at once. */
static struct sum
read_log (const guint8 *data, gsize size, struct fuzz_pieces *pieces)
{
  struct sum sum = { .result = PROFLOG_NEED_MORE };
  struct ghc_reader *reader = ghc_reader_new ();
  for (gsize at = 0; at < size && sum.result == PROFLOG_NEED_MORE;) {
    const gsize length = pieces != NULL ? fuzz_piece (pieces, size - at) : size;
    ghc_reader_push (reader, data + at, length);
    drain (reader, &sum);
    at += length;
  }
  ghc_reader_finish (reader);
  if (sum.result == PROFLOG_NEED_MORE)
    drain (reader, &sum);
  ghc_reader_free (reader);
  return sum;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  struct fuzz_pieces pieces = fuzz_pieces_of (data, size);
  const struct sum whole = read_log (data, size, NULL);
  const struct sum parts = read_log (data, size, &pieces);
  if (whole.result == PROFLOG_END ? whole.end != size : whole.result != PROFLOG_ERROR)
    g_error ("%" G_GUINT64_FORMAT " of %" G_GSIZE_FORMAT " bytes are in items", whole.end, size);
  if (whole.items != parts.items || whole.end != parts.end || whole.hash != parts.hash
      || whole.result != parts.result)
    g_error ("pieces of up to %" G_GSIZE_FORMAT " bytes yield other items than the whole",
             pieces.most);
  return 0;
}
