/* ghc-chunks.c -- divides an eventlog into chunks with their times.
 *
 * The reader reads the header.  Then whole blocks are walked over, as long as each event is one
 * that the reader would give: its tag is declared, its time is one of its block's, it ends in it,
 * and so it is with those after it.  The reader goes on from the block before the first where that
 * is not so.
 */
#include "config.h"

#include "decoder/ghc/index/ghc-chunks.h"
#include "decoder/ghc/ghc-event.h"

enum {
  READ_BYTES = 1 << 20,
  CHUNK_LEAST = 64 << 10,
  CHUNK_MOST = 1 << 20,
  CHUNKS_WANTED = 1 << 14, /* so that the index stays small */
  HEAD_BYTES = GHC_EVENT_HEADER_SIZE + GHC_LENGTH_SIZE,
  EVENT_MOST = HEAD_BYTES + GHC_PAYLOAD_MAX,
};

static struct ghc_part *
last_part (const struct ghc_chunks_builder *b)
{
  return &g_array_index (b->chunks->parts, struct ghc_part, b->chunks->parts->len - 1);
}

void
ghc_chunks_end (struct ghc_chunks_builder *b)
{
  if (b->open.size == 0)
    return;
  g_array_append_val (b->chunks->chunks, b->open);
  last_part (b)->n_chunks++;
  b->open.size = 0;
}

/* Events that follow each other in the file. */
struct event_run {
  uint64_t offset;
  uint64_t first, last; /* times */
  size_t size;
  uint64_t events;
};

/* The next events of the file that are to be taken. */
static void
add_events (struct ghc_chunks_builder *b, const struct event_run *events)
{
  struct ghc_chunk *open = &b->open;
  if (open->size >= b->chunk_bytes || events->offset != open->offset + open->size)
    ghc_chunks_end (b);
  if (open->size == 0)
    *open = (struct ghc_chunk){ .offset = events->offset,
                                .first = events->first,
                                .last = events->last,
                                .block_end = b->block_end,
                                .cap = (uint16_t) b->cap };
  open->size += (uint32_t) events->size;
  open->first = MIN (open->first, events->first);
  open->last = MAX (open->last, events->last);
  last_part (b)->events += events->events;
}

static void
add_event (struct ghc_chunks_builder *b, uint64_t offset, size_t size, uint64_t time)
{
  const struct event_run event = { offset, time, time, size, 1 };
  add_events (b, &event);
}

/* A block's marker.  Chunks of some length end before it, as its times may be others. */
static void
add_marker (struct ghc_chunks_builder *b, uint64_t offset, size_t size, uint64_t time,
            uint64_t block_size, unsigned cap)
{
  if (b->open.size >= b->chunk_bytes / 4)
    ghc_chunks_end (b);
  add_event (b, offset, size, time);
  b->block_end = offset + block_size;
  b->cap = cap;
}

/* Files that a program went on in have the same header. */
static const struct ghc_types *
types_of (struct ghc_chunks_builder *b, const struct ghc_header *header)
{
  GPtrArray *all = b->chunks->types;
  const struct ghc_types *last = all->len != 0 ? g_ptr_array_index (all, all->len - 1) : NULL;
  if (last != NULL && ghc_header_equals (&last->header, header))
    return last;
  struct ghc_types *types = ghc_types_copy (header);
  ghc_types_pack (types);
  g_ptr_array_add (all, types);
  return types;
}

static void
add_header (struct ghc_chunks_builder *b, const struct ghc_header *header)
{
  ghc_chunks_end (b);
  const struct ghc_part part = { .types = types_of (b, header), .first = b->chunks->chunks->len };
  g_array_append_val (b->chunks->parts, part);
  b->block_end = 0;
  b->cap = GHC_NO_CAP;
  b->is_between = false;
}

/* Is an event of this tag reported? */
static bool
is_reported (const struct ghc_chunks_builder *b, unsigned tag)
{
  switch (tag) {
  case GHC_TAG_THREAD_LABEL:
  case GHC_TAG_WALL_CLOCK_TIME:
  case GHC_TAG_OSPROCESS_PID:
    return true;
  case GHC_TAG_IPE:
  case GHC_TAG_USER_BINARY_MSG:
    return b->watch->has_stacks;
  default:
    return false;
  }
}

static void
report_event (const struct ghc_chunks_builder *b, const struct ghc_item *item)
{
  if (b->watch->event != NULL && is_reported (b, item->event_type->tag)
      && item->kind != GHC_UNKNOWN)
    b->watch->event (b->watch->data, item);
}

void
ghc_chunks_item (struct ghc_chunks_builder *b, const struct ghc_item *item)
{
  if (item->type == GHC_ITEM_HEADER)
    add_header (b, item->header);
  if (item->type == GHC_ITEM_END)
    b->is_between = true;
  else if (item->type == GHC_ITEM_DAMAGE) /* events may be found after it */
    b->is_between = b->chunks->parts->len == 0;
  if (item->type != GHC_ITEM_EVENT)
    b->watch->item (b->watch->data, item);
  else if (b->is_between)
    return;
  else if (item->kind == GHC_BLOCK_MARKER)
    add_marker (b, item->offset, item->size, item->time, item->payload->block_marker.block_size,
                item->payload->block_marker.cap);
  else {
    report_event (b, item);
    if (!item->in_block && item->offset < b->block_end) { /* that is another's */
      ghc_chunks_end (b);
      b->block_end = item->offset;
    }
    add_event (b, item->offset, item->size, item->time);
  }
}

void
ghc_chunks_span (struct ghc_chunks_builder *b, const struct ghc_span *span)
{
  const struct event_run run = { .offset = span->offset,
                                 .first = span->first_time,
                                 .last = span->last_time,
                                 .size = (size_t) (span->at - span->begin),
                                 .events = span->events };
  if (span->events != 0)
    add_events (b, &run);
}

/* ---- the quick walk ---- */

struct chunk_walk {
  struct ghc_chunks_builder *b;
  struct log_input *input;
  const struct ghc_types *types;
  uint8_t *bytes;            /* of the file */
  uint64_t offset;           /* of these bytes in the file */
  size_t held;               /* their number */
  size_t run_bytes;          /* that are walked over at once */
  uint64_t earliest, latest; /* times of the block */
  union ghc_payload payload;
};

/* Makes the `wanted` bytes from `offset` on be there, or as many as the file has. */
static const uint8_t *
see (struct chunk_walk *w, uint64_t offset, size_t wanted, size_t *seen)
{
  if (offset < w->offset || offset + wanted > w->offset + w->held) {
    w->held = log_input_read_at (w->input, offset, w->bytes, READ_BYTES);
    w->offset = offset;
  }
  *seen = (size_t) (w->offset + w->held - offset);
  return w->bytes + (offset - w->offset);
}

/* Would the reader call an event damaged, of which the head is good?  If not, it is reported. */
static bool
ends_early (struct chunk_walk *w, const uint8_t *event, struct ghc_event_head head)
{
  struct ghc_item item;
  if (head.start == GHC_EVENT_HEADER_SIZE && !ghc_event_has_sizes (head.tag)
      && !is_reported (w->b, head.tag))
    return false;
  if (!ghc_event_decode (ghc_types_find (w->types, head.tag), event, head.size, &w->payload, &item))
    return true;
  report_event (w->b, &item);
  return false;
}

/* Walks over events of a block that are there, up to some bytes; false if one of them is strange.
 */
static bool
walk_run (struct chunk_walk *w, const uint8_t *bytes, size_t length, struct event_run *run)
{
  const uint32_t *forms = w->types->forms;
  const uint64_t earliest = w->earliest, latest = w->latest;
  uint64_t first = UINT64_MAX, last = 0, events = 0;
  size_t done = 0;
  bool good = true;
  while (done < w->run_bytes) {
    struct ghc_event_head head;
    const uint8_t *event = bytes + done;
    const enum ghc_head read = ghc_event_head (event, length - done, forms, &head);
    good = read != GHC_HEAD_UNDECLARED;
    if (read != GHC_HEAD_READ)
      break;
    good = head.tag != GHC_TAG_BLOCK_MARKER && head.tag != GHC_HEADER_BEGIN >> 16
           && head.time >= earliest && head.time <= latest && head.time != 0;
    if (!good || head.size > length - done)
      break;
    good = !ends_early (w, event, head);
    if (!good)
      break;
    first = MIN (first, head.time);
    last = MAX (last, head.time);
    events++;
    done += head.size;
  }
  run->first = first;
  run->last = last;
  run->size = done;
  run->events = events;
  return good && done != 0; /* nothing fits: neither in the block nor in the file */
}

/* The events of a block from `at` to its end; false if one of them is strange. */
static bool
walk_events (struct chunk_walk *w, uint64_t at, uint64_t end)
{
  while (at < end) {
    size_t seen;
    struct event_run run = { .offset = at };
    const uint8_t *bytes = see (w, at, (size_t) MIN (EVENT_MOST, end - at), &seen);
    if (!walk_run (w, bytes, (size_t) MIN (seen, end - at), &run))
      return false;
    add_events (w->b, &run);
    at += run.size;
  }
  return true;
}

/* The state before a block, to forget the block. */
struct mark {
  struct ghc_chunks_builder builder;
  struct ghc_part part;
  uint64_t at;
};

static struct mark
mark (const struct ghc_chunks_builder *b, uint64_t at)
{
  return (struct mark){ *b, *last_part (b), at };
}

static uint64_t
go_back (struct ghc_chunks_builder *b, const struct mark *to)
{
  g_array_set_size (b->chunks->chunks, to->part.first + to->part.n_chunks);
  *last_part (b) = to->part;
  *b = to->builder;
  return to->at;
}

/* Does the log end well after a block?  If not, the reader has to know the block, too. */
static bool
ends_well (const uint8_t *bytes, size_t seen)
{
  const unsigned tag = seen >= 2 ? proflog_be16 (bytes) : GHC_DATA_END;
  return tag == GHC_DATA_END || tag == GHC_HEADER_BEGIN >> 16;
}

/* Walks over whole blocks from `at` on; returns where it ends: where a block begins. */
static uint64_t
walk_blocks (struct chunk_walk *w, uint64_t at)
{
  struct ghc_chunks_builder *b = w->b;
  const uint64_t size = log_input_size (w->input);
  struct mark before = mark (b, at);
  for (;;) {
    size_t seen;
    const uint8_t *bytes = see (w, at, GHC_BLOCK_MARKER_SIZE, &seen);
    if (ends_well (bytes, seen))
      return at;
    struct ghc_event_head head;
    struct ghc_item item;
    if (ghc_event_head (bytes, seen, w->types->forms, &head) != GHC_HEAD_READ
        || head.tag != GHC_TAG_BLOCK_MARKER || head.size != GHC_BLOCK_MARKER_SIZE
        || head.size > seen)
      return go_back (b, &before);
    ghc_event_decode (ghc_types_find (w->types, head.tag), bytes, head.size, &w->payload, &item);
    const struct ghc_block_marker marker = w->payload.block_marker;
    if (marker.block_size < GHC_BLOCK_MARKER_SIZE || marker.block_size > GHC_BLOCK_MAX
        || marker.end_time < item.time || marker.block_size > size - at)
      return go_back (b, &before);

    const struct mark now = mark (b, at);
    add_marker (b, at, GHC_BLOCK_MARKER_SIZE, item.time, marker.block_size, marker.cap);
    w->earliest = ghc_time_floor (item.time);
    w->latest = ghc_time_ceiling (marker.end_time);
    if (!walk_events (w, at + GHC_BLOCK_MARKER_SIZE, b->block_end))
      return go_back (b, &before);
    before = now;
    at = b->block_end;
    b->watch->progress (b->watch->data, at);
  }
}

/* ---- the reader ---- */

/* Pulls the reader's items; true if that is a header, and `until_header`. */
static bool
drain_reader (struct ghc_chunks_builder *b, struct ghc_reader *reader, bool until_header,
              enum proflog_result *result, const struct ghc_item **item)
{
  while ((*result = ghc_reader_next (reader, item)) == PROFLOG_EVENT) {
    if (until_header && (*item)->type == GHC_ITEM_HEADER)
      return true;
    ghc_chunks_item (b, *item);
  }
  return false;
}

/* Reads up to the end of the first header, and adds the bytes to `header`.  False if there is none,
 * with the other items reported. */
static bool
read_header (struct ghc_chunks_builder *b, struct log_input *input, GByteArray *header)
{
  struct ghc_reader *reader = ghc_reader_new ();
  const struct ghc_item *item;
  enum proflog_result result = PROFLOG_NEED_MORE;
  bool found = false;
  while (!found && result == PROFLOG_NEED_MORE) {
    const guint at = header->len;
    g_byte_array_set_size (header, at + CHUNK_LEAST);
    const size_t n = log_input_read_at (input, at, header->data + at, CHUNK_LEAST);
    g_byte_array_set_size (header, at + (guint) n);
    if (n == 0)
      break;
    ghc_reader_push (reader, header->data + at, n);
    found = drain_reader (b, reader, true, &result, &item);
  }
  if (found) {
    ghc_chunks_item (b, item);
    g_byte_array_set_size (header, (guint) (item->offset + item->size));
  }
  ghc_reader_free (reader);
  return found;
}

/* Makes a reader that has read the header, of which nothing is reported again.  Its bytes are those
 * that were read before: the file may fail to give them again. */
static struct ghc_reader *
pass_header (const GByteArray *header)
{
  struct ghc_reader *reader = ghc_reader_new ();
  const struct ghc_item *item;
  ghc_reader_push (reader, header->data, header->len);
  while (ghc_reader_next (reader, &item) == PROFLOG_EVENT)
    continue;
  return reader;
}

/* The reader reads from `at` to the end. */
static bool
read_rest (struct ghc_chunks_builder *b, struct log_input *input, uint8_t *bytes,
           struct ghc_reader *reader, uint64_t at, GError **error)
{
  const struct ghc_item *item;
  enum proflog_result result;
  do {
    const size_t n = log_input_read_at (input, at, bytes, READ_BYTES);
    if (n == 0)
      ghc_reader_finish (reader);
    else
      ghc_reader_push (reader, bytes, n);
    at += n;
    drain_reader (b, reader, false, &result, &item);
    b->watch->progress (b->watch->data, at);
  } while (result == PROFLOG_NEED_MORE);
  if (result == PROFLOG_ERROR && error != NULL)
    *error = g_error_copy (ghc_reader_error (reader));
  ghc_chunks_end (b);
  return result != PROFLOG_ERROR;
}

static void
free_types (void *types)
{
  ghc_types_free (types);
}

void
ghc_chunks_begin (struct ghc_chunks_builder *b, struct ghc_chunks *chunks, uint64_t size,
                  size_t chunk_bytes, const struct ghc_chunks_watch *watch)
{
  chunks->chunks = g_array_new (FALSE, FALSE, sizeof (struct ghc_chunk));
  chunks->parts = g_array_new (FALSE, FALSE, sizeof (struct ghc_part));
  chunks->types = g_ptr_array_new_with_free_func (free_types);
  *b = (struct ghc_chunks_builder){
    .chunks = chunks,
    .watch = watch,
    .chunk_bytes = chunk_bytes != 0
                       ? chunk_bytes
                       : (size_t) CLAMP (size / CHUNKS_WANTED, CHUNK_LEAST, CHUNK_MOST),
    .cap = GHC_NO_CAP,
    .is_between = true,
  };
}

bool
ghc_chunks_init (struct ghc_chunks *chunks, struct log_input *input, size_t chunk_bytes,
                 const struct ghc_chunks_watch *watch, GError **error)
{
  struct ghc_chunks_builder b;
  uint8_t *bytes = g_malloc (READ_BYTES);
  GByteArray *header = g_byte_array_new ();
  struct ghc_reader *reader;
  uint64_t at = 0;
  ghc_chunks_begin (&b, chunks, log_input_size (input), chunk_bytes, watch);
  if (read_header (&b, input, header)) {
    struct ghc_types *types = ghc_types_copy (&last_part (&b)->types->header);
    struct chunk_walk walk = { .b = &b,
                               .input = input,
                               .types = types,
                               .bytes = bytes,
                               .run_bytes = MAX (b.chunk_bytes / 8, 1) };
    at = walk_blocks (&walk, header->len);
    ghc_types_free (types);
    reader = pass_header (header);
    ghc_reader_pass (reader, at - header->len);
  } else {
    reader = ghc_reader_new ();
  }
  const bool good = read_rest (&b, input, bytes, reader, at, error);
  ghc_reader_free (reader);
  g_byte_array_unref (header);
  g_free (bytes);
  return good;
}

void
ghc_chunks_clear (struct ghc_chunks *chunks)
{
  g_array_unref (chunks->parts);
  g_ptr_array_unref (chunks->types);
  g_array_unref (chunks->chunks);
}
