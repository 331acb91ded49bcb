/* ghc-block-index.h -- the blocks of an eventlog, with the times and kinds of their events, in the
 * file beside it (index-file.h).
 *
 * It has the blocks from the header on that can be passed unread: all events are in them, nothing
 * in them is damaged, and another block follows.
 */
#ifndef PROFLOG_GHC_BLOCK_INDEX_H
#define PROFLOG_GHC_BLOCK_INDEX_H

#include "decoder/input/index-file.h"

#include <proflog/ghc-reader.h>

/* A bit for each kind, and one for those that are unknown. */
#define GHC_KIND_WORDS ((GHC_KINDS + 1 + 63) / 64)

struct ghc_indexed_block {
  uint64_t offset;   /* of its marker */
  uint64_t earliest; /* time of its events, with the marker */
  uint64_t latest;
  uint64_t kinds[GHC_KIND_WORDS]; /* likewise */
  uint32_t size;                  /* with the marker */
  uint32_t events;                /* with the marker */
  uint32_t cap;                   /* or GHC_NO_CAP */
};

struct ghc_block_index {
  uint64_t header_length;
  GArray *blocks; /* of struct ghc_indexed_block, one after the other from the header on */
  uint64_t end;   /* of the last of them */
  enum index_state cached;
};

/* The index of a log; NULL if no file holds.  Free it with ghc_block_index_free, which takes NULL,
 * too. */
struct ghc_block_index *ghc_block_index_read (struct log_input *input);
void ghc_block_index_free (struct ghc_block_index *index);

/* Makes the file state all such blocks.  Writes nothing if it does, or if the log has none.  False
 * and an error if it cannot be written. */
bool ghc_block_index_store (struct log_input *input, GError **error);

static inline bool
ghc_indexed_block_has (const struct ghc_indexed_block *block, unsigned kind)
{
  return (block->kinds[kind / 64] >> kind % 64 & 1) != 0;
}

#endif
