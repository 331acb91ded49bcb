/* fuzz-ghc-writer.c -- a good eventlog that is written again from its items has the same events and
 * as many bytes: the sizes of blocks are the writer's.  A damaged one can be written. */
#include "config.h"

#include "decoder/ghc/edit/ghc-rewrite.h"
#include "tests/fuzz/fuzz.h"

/* The read events and their bytes as one number. */
struct reading {
  guint events, damages;
  uint64_t hash;
};

/* Sizes of blocks are the writer's. */
static void
note (struct reading *r, const struct ghc_item *item)
{
  r->damages += item->type == GHC_ITEM_DAMAGE;
  if (item->type != GHC_ITEM_EVENT)
    return;
  r->events++;
  r->hash = fuzz_mix (r->hash, item->event_type->tag ^ item->time);
  if (item->kind != GHC_BLOCK_MARKER)
    r->hash = fuzz_mix_bytes (r->hash, item->bytes.text, item->bytes.length);
}

/* With a rewrite, or NULL. */
static struct reading
read_log (const uint8_t *data, size_t size, struct ghc_rewrite *rewrite)
{
  const struct ghc_item *item;
  struct reading r = { 0 };
  struct ghc_reader *reader = ghc_reader_new ();
  ghc_reader_push (reader, data, size);
  ghc_reader_finish (reader);
  while (ghc_reader_next (reader, &item) == PROFLOG_EVENT) {
    note (&r, item);
    if (rewrite != NULL && !ghc_rewrite_item (rewrite, item, NULL))
      g_error ("an item of type %d that was read cannot be written", item->type);
  }
  r.damages += ghc_reader_error (reader) != NULL;
  ghc_reader_free (reader);
  return r;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  struct ghc_rewrite rewrite;
  size_t length;
  ghc_rewrite_init (&rewrite);
  const struct reading first = read_log (data, size, &rewrite);
  if (!ghc_rewrite_end (&rewrite, NULL))
    g_error ("the log cannot be ended");
  const uint8_t *bytes = ghc_writer_take (rewrite.writer, &length);
  /* After damage, events may be such as a reader doubts. */
  if (first.damages == 0) {
    const struct reading second = read_log (bytes, length, NULL);
    if (length != size || second.events != first.events || second.hash != first.hash)
      g_error ("%u events of %" G_GSIZE_FORMAT " bytes are written as %u of %" G_GSIZE_FORMAT,
               first.events, size, second.events, length);
  }
  ghc_rewrite_clear (&rewrite);
  return 0;
}
