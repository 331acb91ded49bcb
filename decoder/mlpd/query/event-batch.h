/* event-batch.h -- copies of events, with all that belongs to them, for another thread to read.
 *
 * An event of a reader is valid until the reader's next; those of a batch are until the batch is
 * emptied.
 */
#ifndef PROFLOG_EVENT_BATCH_H
#define PROFLOG_EVENT_BATCH_H

#include <proflog/mlpd-reader.h>

/* Zeroed at first.  Neighbours in an array belong to different threads at a time, which write them
 * for each event: none shares a line of a cache, nor a pair that is fetched at once. */
struct event_batch {
  _Alignas(128) uint8_t *bytes;
  size_t used, room;
  const struct mlpd_buffer_header *source; /* the header of the event added last */
  const struct mlpd_buffer_header *buffer; /* the copy of that header in the batch */
};

void event_batch_empty (struct event_batch *batch);
void event_batch_free (struct event_batch *batch);

/* Adds a copy of the event, which is at this offset of the log and of this time.  False if the
 * batch is full; one that is empty never is. */
bool event_batch_add (struct event_batch *batch, const struct mlpd_item *item, uint64_t offset,
                      uint64_t time);

/* The header of the buffer of the events that were added is about to be freed or changed. */
void event_batch_end_buffer (struct event_batch *batch);

/* Hands over the events in the order in which they were added, as items of a log with this header.
 * Returns false if the caller wants no more. */
bool event_batch_each (const struct event_batch *batch, const struct mlpd_file_header *header,
                       bool (*take) (void *data, const struct mlpd_item *item, uint64_t time),
                       void *data);

#endif
