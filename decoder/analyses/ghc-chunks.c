/* ghc-chunks.c -- see ghc-chunks.h.
 *
 * The reader reads the header.  Then whole blocks are walked over, as long as each event is one
 * that the reader would give: its tag is declared, its time is one of its block's, it ends in it,
 * and so it is with those behind it.  The reader goes on from the block before the first where that
 * is not so.
 */
#include "decoder/analyses/ghc-chunks.h"
#include "config.h"
#include "decoder/formats/ghc-describe.h"

enum {
  READ_BYTES = 1 << 20,
  CHUNK_LEAST = 64 << 10,
  CHUNK_MOST = 1 << 20,
  CHUNKS_WANTED = 1 << 14, /* so that the index stays small */
  HEAD_BYTES = GHC_EVENT_HEADER_SIZE + GHC_LENGTH_SIZE,
  EVENT_MOST = HEAD_BYTES + GHC_PAYLOAD_MAX,
};

struct builder {
  struct ghc_chunks *chunks;
  struct log_input *input;
  const struct ghc_chunks_watch *watch;
  size_t chunk_bytes; /* so many a chunk has about */
  struct ghc_chunk open;
  /* The block that the next event is in. */
  uint64_t block_end;
  unsigned cap;
  bool is_between; /* logs: nothing but a marker that belongs to none may come */
};

static struct ghc_part *
last_part (const struct builder *b)
{
  return &g_array_index (b->chunks->parts, struct ghc_part, b->chunks->parts->len - 1);
}

static void
close_chunk (struct builder *b)
{
  if (b->open.size == 0)
    return;
  g_array_append_val (b->chunks->chunks, b->open);
  last_part (b)->n_chunks++;
  b->open.size = 0;
}

/* Events that follow each other in the file. */
struct stretch {
  uint64_t offset;
  uint64_t first, last; /* times */
  size_t size;
  uint64_t events;
};

/* The next events of the file that are to be taken. */
static void
add_events (struct builder *b, const struct stretch *events)
{
  struct ghc_chunk *open = &b->open;
  if (open->size >= b->chunk_bytes || events->offset != open->offset + open->size)
    close_chunk (b);
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
add_event (struct builder *b, uint64_t offset, size_t size, uint64_t time)
{
  const struct stretch event = { offset, time, time, size, 1 };
  add_events (b, &event);
}

/* A block's marker.  Chunks of some length end before it, as its times may be others. */
static void
add_marker (struct builder *b, uint64_t offset, size_t size, uint64_t time, uint64_t block_size,
            unsigned cap)
{
  if (b->open.size >= b->chunk_bytes / 4)
    close_chunk (b);
  add_event (b, offset, size, time);
  b->block_end = offset + block_size;
  b->cap = cap;
}

static void
add_header (struct builder *b, const struct ghc_header *header)
{
  close_chunk (b);
  const struct ghc_part part
      = { .layout = ghc_layout_new (header), .first = b->chunks->chunks->len };
  g_array_append_val (b->chunks->parts, part);
  b->block_end = 0;
  b->cap = GHC_NO_CAP;
  b->is_between = false;
}

static void
add_item (struct builder *b, const struct ghc_item *item)
{
  if (item->type == GHC_ITEM_HEADER)
    add_header (b, item->header);
  if (item->type == GHC_ITEM_END)
    b->is_between = true;
  else if (item->type == GHC_ITEM_DAMAGE) /* events may be found behind it */
    b->is_between = b->chunks->parts->len == 0;
  if (item->type != GHC_ITEM_EVENT)
    b->watch->item (b->watch->data, item);
  else if (b->is_between)
    return;
  else if (item->kind == GHC_BLOCK_MARKER)
    add_marker (b, item->offset, item->size, item->time, item->payload->block_marker.block_size,
                item->payload->block_marker.cap);
  else {
    if (!item->in_block && item->offset < b->block_end) { /* that is another's */
      close_chunk (b);
      b->block_end = item->offset;
    }
    add_event (b, item->offset, item->size, item->time);
  }
}

/* ---- the quick walk ---- */

struct walk {
  struct builder *b;
  const struct ghc_layout *layout;
  unsigned marker;           /* the tag of blocks' markers */
  uint8_t *bytes;            /* of the file ... */
  uint64_t offset;           /* ... from here ... */
  size_t held;               /* ... so many */
  size_t stretch_bytes;      /* that are walked over at once */
  uint64_t earliest, latest; /* times of the block */
  union ghc_payload payload;
};

/* Makes the `wanted` bytes from `offset` on be there, or as many as the file has. */
static const uint8_t *
see (struct walk *w, uint64_t offset, size_t wanted, size_t *seen)
{
  if (offset < w->offset || offset + wanted > w->offset + w->held) {
    w->held = log_input_read_at (w->b->input, offset, w->bytes, READ_BYTES);
    w->offset = offset;
  }
  *seen = (size_t) (w->offset + w->held - offset);
  return w->bytes + (offset - w->offset);
}

/* Would the reader call an event of variable size damaged? */
static bool
ends_early (struct walk *w, const uint8_t *event, size_t size)
{
  struct ghc_item item;
  return w->layout->sizes[ghc_be16 (event)] == 0
         && !ghc_layout_item (w->layout, event, size, &w->payload, &item);
}

/* Walks over events of a block that are there, up to some bytes; false if one of them is strange.
 */
static bool
walk_stretch (struct walk *w, const uint8_t *bytes, size_t length, struct stretch *stretch)
{
  const struct ghc_layout *layout = w->layout;
  const uint64_t earliest = w->earliest, latest = w->latest;
  uint64_t first = UINT64_MAX, last = 0, events = 0;
  size_t done = 0;
  bool good = true;
  while (done < w->stretch_bytes
         && (length - done >= HEAD_BYTES || length - done == GHC_EVENT_HEADER_SIZE)) {
    const uint8_t *event = bytes + done;
    const unsigned tag = ghc_be16 (event);
    const uint64_t time = ghc_event_time (event);
    const size_t size = ghc_layout_size (layout, event);
    good = size != 0 && tag != w->marker && tag != GHC_HEADER_BEGIN >> 16 && time >= earliest
           && time <= latest && time != 0;
    if (!good || size > length - done)
      break;
    good = !ends_early (w, event, size);
    if (!good)
      break;
    first = MIN (first, time);
    last = MAX (last, time);
    events++;
    done += size;
  }
  stretch->first = first;
  stretch->last = last;
  stretch->size = done;
  stretch->events = events;
  return good && done != 0; /* nothing fits: neither in the block nor in the file */
}

/* The events of a block from `at` to its end; false if one of them is strange. */
static bool
walk_events (struct walk *w, uint64_t at, uint64_t end)
{
  while (at < end) {
    size_t seen;
    struct stretch stretch = { .offset = at };
    const uint8_t *bytes = see (w, at, (size_t) MIN (EVENT_MOST, end - at), &seen);
    if (!walk_stretch (w, bytes, (size_t) MIN (seen, end - at), &stretch))
      return false;
    add_events (w->b, &stretch);
    at += stretch.size;
  }
  return true;
}

/* What was known before a block, to forget it. */
struct mark {
  struct builder builder;
  struct ghc_part part;
  uint64_t at;
};

static struct mark
mark (const struct builder *b, uint64_t at)
{
  return (struct mark){ *b, *last_part (b), at };
}

static uint64_t
go_back (struct builder *b, const struct mark *to)
{
  g_array_set_size (b->chunks->chunks, to->part.first + to->part.n_chunks);
  *last_part (b) = to->part;
  *b = to->builder;
  return to->at;
}

/* Does the log end well behind a block?  If not, the reader has to know the block, too. */
static bool
ends_well (const uint8_t *bytes, size_t seen)
{
  const unsigned tag = seen >= 2 ? ghc_be16 (bytes) : GHC_DATA_END;
  return tag == GHC_DATA_END || tag == GHC_HEADER_BEGIN >> 16;
}

/* Walks over whole blocks from `at` on; returns where it ends: where a block begins. */
static uint64_t
walk_blocks (struct walk *w, uint64_t at)
{
  struct builder *b = w->b;
  const uint64_t size = log_input_size (b->input);
  struct mark before = mark (b, at);
  for (;;) {
    size_t seen;
    const uint8_t *bytes = see (w, at, GHC_BLOCK_MARKER_SIZE, &seen);
    const struct ghc_event_type *type = seen >= GHC_BLOCK_MARKER_SIZE
                                            ? ghc_types_find (&w->layout->types, ghc_be16 (bytes))
                                            : NULL;
    if (ends_well (bytes, seen))
      return at;
    if (type == NULL || type->kind != GHC_BLOCK_MARKER
        || type->real_size != GHC_BLOCK_MARKER_SIZE - GHC_EVENT_HEADER_SIZE)
      return go_back (b, &before);
    struct ghc_item item;
    ghc_layout_item (w->layout, bytes, GHC_BLOCK_MARKER_SIZE, &w->payload, &item);
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

/* Pulls what the reader has; true if that is a header, and `until_header`. */
static bool
pull (struct builder *b, struct ghc_reader *reader, bool until_header, enum proflog_result *result,
      const struct ghc_item **item)
{
  while ((*result = ghc_reader_next (reader, item)) == PROFLOG_EVENT) {
    if (until_header && (*item)->type == GHC_ITEM_HEADER)
      return true;
    add_item (b, *item);
  }
  return false;
}

/* Reads up to the first header and gives its end; 0 if there is none, with what comes told. */
static uint64_t
read_header (struct builder *b, uint8_t *bytes, struct ghc_reader *reader)
{
  const struct ghc_item *item;
  enum proflog_result result = PROFLOG_NEED_MORE;
  for (uint64_t at = 0; result == PROFLOG_NEED_MORE;) {
    const size_t n = log_input_read_at (b->input, at, bytes, CHUNK_LEAST);
    if (n == 0)
      return 0;
    ghc_reader_push (reader, bytes, n);
    at += n;
    if (pull (b, reader, true, &result, &item)) {
      add_item (b, item);
      return item->offset + item->size;
    }
  }
  return 0;
}

/* A reader that has read the first `length` bytes, of which nothing is told again. */
static struct ghc_reader *
read_again (struct builder *b, uint8_t *bytes, uint64_t length)
{
  struct ghc_reader *reader = ghc_reader_new ();
  const struct ghc_item *item;
  for (uint64_t at = 0; at < length;) {
    const size_t n
        = log_input_read_at (b->input, at, bytes, (size_t) MIN (READ_BYTES, length - at));
    if (n == 0)
      break;
    ghc_reader_push (reader, bytes, n);
    at += n;
    while (ghc_reader_next (reader, &item) == PROFLOG_EVENT)
      continue;
  }
  return reader;
}

/* The reader reads from `at` to the end. */
static bool
read_rest (struct builder *b, uint8_t *bytes, struct ghc_reader *reader, uint64_t at,
           GError **error)
{
  const struct ghc_item *item;
  enum proflog_result result;
  do {
    const size_t n = log_input_read_at (b->input, at, bytes, READ_BYTES);
    if (n == 0)
      ghc_reader_finish (reader);
    else
      ghc_reader_push (reader, bytes, n);
    at += n;
    pull (b, reader, false, &result, &item);
    b->watch->progress (b->watch->data, at);
  } while (result == PROFLOG_NEED_MORE);
  if (result == PROFLOG_ERROR && error != NULL)
    *error = g_error_copy (ghc_reader_error (reader));
  close_chunk (b);
  return result != PROFLOG_ERROR;
}

bool
ghc_chunks_init (struct ghc_chunks *chunks, struct log_input *input, size_t chunk_bytes,
                 const struct ghc_chunks_watch *watch, GError **error)
{
  const uint64_t size = log_input_size (input);
  chunks->chunks = g_array_new (FALSE, FALSE, sizeof (struct ghc_chunk));
  chunks->parts = g_array_new (FALSE, FALSE, sizeof (struct ghc_part));
  struct builder b = { .chunks = chunks,
                       .input = input,
                       .watch = watch,
                       .chunk_bytes = chunk_bytes,
                       .cap = GHC_NO_CAP,
                       .is_between = true };
  if (chunk_bytes == 0)
    b.chunk_bytes = (size_t) CLAMP (size / CHUNKS_WANTED, CHUNK_LEAST, CHUNK_MOST);
  uint8_t *bytes = g_malloc (READ_BYTES + GHC_LENGTH_SIZE);
  struct ghc_reader *reader = ghc_reader_new ();
  const uint64_t header_end = read_header (&b, bytes, reader);
  ghc_reader_free (reader);
  uint64_t at = 0;
  if (header_end != 0) {
    struct walk walk = { .b = &b,
                         .layout = last_part (&b)->layout,
                         .marker = ghc_describe (GHC_BLOCK_MARKER)->tag,
                         .bytes = bytes,
                         .stretch_bytes = MAX (b.chunk_bytes / 8, 1) };
    at = walk_blocks (&walk, header_end);
    reader = read_again (&b, bytes, header_end);
    ghc_reader_pass (reader, at - header_end);
  } else {
    reader = ghc_reader_new ();
  }
  const bool good = read_rest (&b, bytes, reader, at, error);
  ghc_reader_free (reader);
  g_free (bytes);
  return good;
}

void
ghc_chunks_clear (struct ghc_chunks *chunks)
{
  for (guint i = 0; i < chunks->parts->len; i++)
    ghc_layout_free (g_array_index (chunks->parts, struct ghc_part, i).layout);
  g_array_unref (chunks->parts);
  g_array_unref (chunks->chunks);
}
