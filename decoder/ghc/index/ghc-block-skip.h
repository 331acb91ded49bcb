/* ghc-block-skip.h -- reads an eventlog with an index forward, without the blocks that are of no
 * concern. */
#ifndef PROFLOG_GHC_BLOCK_SKIP_H
#define PROFLOG_GHC_BLOCK_SKIP_H

#include "decoder/ghc/index/ghc-block-index.h"

struct ghc_block_skip {
  const struct ghc_block_index *index; /* borrowed, as all here */
  struct log_input *input;
  struct ghc_reader *reader;
  /* Is the block of no concern?  The markers of some such blocks are read nevertheless. */
  bool (*is_passed) (const void *data, const struct ghc_indexed_block *block);
  const void *data;
  bool one_by_one; /* the markers of all such blocks are */
  uint64_t at;     /* the offset that is read next */
  uint8_t *bytes;  /* that the reader has */
  guint next;      /* the first block whose marker was not read */
  guint unneeded;  /* the first from there on that is passed, if it is not before that */
  guint after;     /* where reading goes on, in a block that is passed: from this block on */
  uint64_t jump;   /* the offset of that block; 0: after the bytes that were read */
  uint64_t events; /* that were passed */
};

void ghc_block_skip_init (struct ghc_block_skip *skip, const struct ghc_block_index *index,
                          struct log_input *input, struct ghc_reader *reader);
void ghc_block_skip_clear (struct ghc_block_skip *skip);

/* The reader gave an event.  If it is the marker of a block that is passed, the reader skips the
 * block: true then. */
bool ghc_block_skip_item (struct ghc_block_skip *skip, const struct ghc_item *item);

/* When the reader needs more: the next bytes, to be pushed, valid until the next call; 0 at the
 * end.
 */
size_t ghc_block_skip_read (struct ghc_block_skip *skip);

#endif
