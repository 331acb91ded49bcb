/* heap-records.h -- objects of a heap snapshot with their references, packed.
 *
 * What a scan saw is retained like this until the snapshot is whole and all names are known: a few
 * bytes an object and reference, as in the log itself.
 */
#ifndef PROFLOG_HEAP_RECORDS_H
#define PROFLOG_HEAP_RECORDS_H

#include "decoder/core/cursor.h"
#include <glib.h>
#include <proflog/mlpd.h>

struct heap_records {
  GByteArray *bytes;
  uint64_t last; /* object that was added */
};

/* Adds an event; its type is a number of the scan's. */
void heap_records_add (struct heap_records *records, guint type,
                       const struct mlpd_heap_object *event);

struct heap_record {
  uint64_t object;
  uint64_t bytes; /* 0: more references of an object that is described elsewhere */
  guint type;
  uint8_t generation;
  bool has_offsets; /* of references */
  uint64_t n_references;
};

/* Reading: from the first record on, with a cursor over the bytes and `object` 0 before the first.
 * The references follow and are to be read, or passed, before the next record. */
bool heap_records_next (struct cursor *cursor, struct heap_record *record);
void heap_records_skip (struct cursor *cursor, const struct heap_record *record);

/* A reference: the next one's target; adds to *offset, which is 0 before the first. */
static inline uint64_t
heap_records_reference (struct cursor *c, const struct heap_record *r, uint64_t *offset)
{
  if (r->has_offsets)
    *offset += cursor_uleb (c);
  return r->object + ((uint64_t) cursor_sleb (c) << 3);
}

#endif
