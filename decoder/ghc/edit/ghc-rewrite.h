/* ghc-rewrite.h -- writes an eventlog from the items that were read of one: all of them, or the
 * requested ones, with other contents.
 */
#ifndef PROFLOG_GHC_REWRITE_H
#define PROFLOG_GHC_REWRITE_H

#include <proflog/ghc-writer.h>

struct ghc_rewrite {
  struct ghc_writer *writer;
  /* May make another event of one, with a payload of its own; false leaves the event out.  NULL:
   * all stay as they are. */
  bool (*change) (void *data, const struct ghc_item *item, struct ghc_event *event);
  void *data;
  bool drops_blocks; /* that came to be empty */
  bool completes;    /* adds end marks that are missing, and leaves out those that others follow */

  bool has_blocks, has_messages; /* the header declares them */
  bool has_hole;                 /* damaged bytes were left out, and no message states that */
  uint64_t latest;               /* time of an event */

  bool is_begun;  /* there was a header */
  bool is_ended;  /* and its end mark */
  bool holds_end; /* its end mark is written when a header follows, or nothing */
  bool end_in_block;
  uint64_t block_end; /* of the block that is read */
  /* A marker that is written with the first event of its block. */
  bool is_pending;
  struct ghc_event marker;
  union ghc_payload marker_payload;
};

/* Sets the rewrite up, with all of the above but the writer zero. */
void ghc_rewrite_init (struct ghc_rewrite *rewrite);
void ghc_rewrite_clear (struct ghc_rewrite *rewrite);

/* Adds the next item of the log; damage is left out, and a message states that at the end.  False
 * on errors of the writer. */
bool ghc_rewrite_item (struct ghc_rewrite *rewrite, const struct ghc_item *item, GError **error);

/* After the last item.  False on errors of the writer. */
bool ghc_rewrite_end (struct ghc_rewrite *rewrite, GError **error);

#endif
