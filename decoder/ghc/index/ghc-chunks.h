/* ghc-chunks.h -- an index of an eventlog that can be read anywhere: chunks of events that follow
 * each other in the file, with the times that they span.
 *
 * Every event is inspected for it, so damage is known before the log is used.  Where all is in
 * order that is a quick walk; the rest is left to the reader.
 */
#ifndef PROFLOG_GHC_CHUNKS_H
#define PROFLOG_GHC_CHUNKS_H

#include "decoder/ghc/ghc-span.h"
#include "decoder/input/log-input.h"

#include <proflog/ghc-reader.h>

struct ghc_chunk {
  uint64_t offset;    /* in the file */
  uint64_t first;     /* times of its events: the earliest */
  uint64_t last;      /* the latest time */
  uint64_t block_end; /* before its first event: where its block ends */
  uint32_t size;
  uint16_t cap; /* the capability of the block */
};

/* A log within the file: the bytes after a header up to another one. */
struct ghc_part {
  const struct ghc_types *types; /* that it declares, packed; the chunks' */
  guint first;                   /* of its chunks */
  guint n_chunks;
  uint64_t events;
};

struct ghc_chunks {
  GArray *chunks;   /* struct ghc_chunk, in the order of the file */
  GArray *parts;    /* struct ghc_part */
  GPtrArray *types; /* struct ghc_types: of parts that differ */
};

/* Callbacks while the log is inspected. */
struct ghc_chunks_watch {
  void (*item) (void *data, const struct ghc_item *item); /* headers, damage, ends */
  void (*progress) (void *data, uint64_t bytes);          /* that were read */
  /* In the order of the file: labels of threads, the facts about a log's start (ghc-start.h), and
   * the messages of call stacks, if requested.  NULL: not called. */
  void (*event) (void *data, const struct ghc_item *item);
  void *data;
  bool has_stacks;
};

/* Inspects a log that can be read anywhere (log_input_make_seekable).  Chunks have about
 * `chunk_bytes`; 0: as many as suit the log's size.  False and an error when it is none or cannot
 * be read; it is to be cleared in any case. */
bool ghc_chunks_init (struct ghc_chunks *chunks, struct log_input *input, size_t chunk_bytes,
                      const struct ghc_chunks_watch *watch, GError **error);
void ghc_chunks_clear (struct ghc_chunks *chunks);

/* ---- the same while a reader reads the log ---- */

struct ghc_chunks_builder {
  struct ghc_chunks *chunks;
  const struct ghc_chunks_watch *watch;
  size_t chunk_bytes; /* this many a chunk has about */
  struct ghc_chunk open;
  /* The block that the next event is in. */
  uint64_t block_end;
  unsigned cap;
  bool is_between; /* logs: nothing but a marker that belongs to none may come */
};

/* Begins with none; `size`: bytes of the log, 0: not known.  `progress` of the watch is not called.
 * Both are borrowed. */
void ghc_chunks_begin (struct ghc_chunks_builder *builder, struct ghc_chunks *chunks, uint64_t size,
                       size_t chunk_bytes, const struct ghc_chunks_watch *watch);

/* The next item that the reader gave, or the events of a span that were passed instead. */
void ghc_chunks_item (struct ghc_chunks_builder *builder, const struct ghc_item *item);
void ghc_chunks_span (struct ghc_chunks_builder *builder, const struct ghc_span *span);

/* Nothing follows. */
void ghc_chunks_end (struct ghc_chunks_builder *builder);

#endif
