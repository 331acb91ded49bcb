/* ghc-order.c -- sorts the events of slices of time, on all cores.
 *
 * Time is divided into slices of about as many bytes each.  For a slice, a worker reads the chunks
 * with times in it, sorts the events that are in it and makes text of them; the texts are written
 * in turn.  So chunks at the border of two slices are read twice, which is cheap.
 *
 * Writers sort almost: the events of a capability come in order but for the end of a collection,
 * which was a little earlier.  So an event is moved a few places where that suffices, and what is
 * in order then is merged.
 *
 * If a slice holds much more than was thought, as most events of a chunk are of a short time, it
 * is halved; events of a single time need no sorting.
 */
#include "config.h"

#include "decoder/ghc/index/ghc-order.h"
#include "decoder/ghc/index/ghc-order-plan.h"
#include "decoder/ghc/index/ghc-order-sort.h"
#include "decoder/core/ordered-pool.h"
#include "decoder/ghc/ghc-event.h"

enum {
  WINDOW_MOST = 8 << 20, /* bytes of events; more is halved */
  TEXT_BYTES = 1 << 20,  /* of texts that are written at once where that is free */
};

/* Memory of a worker for a slice. */
struct worker {
  const struct ghc_chunk *chunks;
  const struct ghc_types *types;
  struct log_input *input;
  const struct ghc_order_sink *sink;
  size_t most; /* bytes of events at once */
  GByteArray *bytes;
  struct ghc_order_events sorted;
  union ghc_payload payload;
};

static void
worker_init (struct worker *w)
{
  w->bytes = g_byte_array_new ();
  ghc_order_events_init (&w->sorted);
}

static void
worker_clear (struct worker *w)
{
  g_byte_array_unref (w->bytes);
  ghc_order_events_clear (&w->sorted);
}

/* ---- a slice ---- */

/* Adds the events of a chunk that are in the slice; their bytes come after those that are there.
 * If the file was changed meanwhile, the rest of the chunk is left out. */
static void
add_chunk (struct worker *w, const struct ghc_chunk *chunk, uint64_t first, uint64_t last)
{
  const guint before = w->bytes->len;
  uint64_t block_end = chunk->block_end;
  unsigned cap = chunk->cap;
  g_byte_array_set_size (w->bytes, before + chunk->size);
  uint8_t *const bytes = w->bytes->data + before;
  const size_t length = log_input_read_at (w->input, chunk->offset, bytes, chunk->size);
  uint8_t *kept = bytes;
  guint n = w->sorted.events->len;
  g_array_set_size (w->sorted.events, n + (guint) (length / GHC_EVENT_HEADER_SIZE));
  struct ghc_order_event *events = (struct ghc_order_event *) (void *) w->sorted.events->data;
  struct ghc_event_head head;
  for (size_t at = 0;
       ghc_event_head (bytes + at, length - at, w->types->forms, &head) == GHC_HEAD_READ
       && head.size <= length - at;
       at += head.size) {
    const uint8_t *event = bytes + at;
    const uint64_t offset = chunk->offset + at;
    const bool is_marker = head.tag == GHC_TAG_BLOCK_MARKER;
    if (is_marker && head.size >= GHC_BLOCK_MARKER_SIZE) {
      block_end = offset + proflog_be32 (event + GHC_EVENT_HEADER_SIZE);
      cap = proflog_be16 (event + GHC_BLOCK_MARKER_SIZE - sizeof (uint16_t));
    }
    if (head.time < first || head.time > last)
      continue;
    const struct ghc_order_event e = { .time = head.time,
                                       .offset = offset,
                                       .at = (uint32_t) (kept - w->bytes->data),
                                       .cap = offset < block_end && !is_marker ? cap : GHC_NO_CAP };
    ghc_order_events_add (&w->sorted, events, n++, &e);
    if (kept != event)
      memmove (kept, event, head.size);
    kept += head.size;
  }
  g_byte_array_set_size (w->bytes, (guint) (kept - w->bytes->data));
  g_array_set_size (w->sorted.events, n);
}

static void
forget_events (struct worker *w)
{
  g_byte_array_set_size (w->bytes, 0);
  g_array_set_size (w->sorted.events, 0);
  g_array_set_size (w->sorted.runs, 0);
}

/* Makes text of the events. */
static void
put_events (struct worker *w, GString *text)
{
  struct ghc_item item = { .header = &w->types->header };
  if (w->sorted.events->len == 0)
    return;
  const uint8_t *end = w->bytes->data + w->bytes->len;
  ghc_order_events_sort (&w->sorted);
  for (guint i = 0; i < w->sorted.events->len; i++) {
    const struct ghc_order_event *e = &g_array_index (w->sorted.events, struct ghc_order_event, i);
    const uint8_t *bytes = w->bytes->data + e->at;
    item.offset = e->offset;
    item.cap = e->cap;
    struct ghc_event_head head;
    if (ghc_event_head (bytes, (size_t) (end - bytes), w->types->forms, &head) != GHC_HEAD_READ)
      continue; /* it was read when it was added */
    item.size = head.size;
    ghc_event_decode (ghc_types_find (w->types, head.tag), bytes, head.size, &w->payload, &item);
    w->sink->item (w->sink->data, &item, text);
  }
  forget_events (w);
}

/* Makes text of a slice; false if it holds too much. */
static bool
put_window (struct worker *w, const struct ghc_order_slice *slice, GString *text)
{
  for (guint i = 0; i < slice->chunks->len; i++) {
    const guint place = g_array_index (slice->chunks, guint, i);
    add_chunk (w, &w->chunks[place], slice->first, slice->last);
    if (w->bytes->len > w->most) {
      forget_events (w);
      return false;
    }
  }
  put_events (w, text);
  return true;
}

/* Writes what holds too much for a text. */
static bool
write_large (struct worker *w, const struct ghc_order_slice *slice, GString *text)
{
  if (slice->first == slice->last) {
    for (guint i = 0; i < slice->chunks->len; i++) {
      const guint place = g_array_index (slice->chunks, guint, i);
      add_chunk (w, &w->chunks[place], slice->first, slice->last);
      put_events (w, text);
      if (text->len > TEXT_BYTES && !w->sink->write (w->sink->data, text))
        return false;
    }
    return w->sink->write (w->sink->data, text);
  }
  const uint64_t middle = slice->first + (slice->last - slice->first) / 2;
  const struct ghc_order_slice halves[]
      = { { slice->first, middle, slice->chunks }, { middle + 1, slice->last, slice->chunks } };
  for (size_t i = 0; i < G_N_ELEMENTS (halves); i++)
    if (!(put_window (w, &halves[i], text) ? w->sink->write (w->sink->data, text)
                                           : write_large (w, &halves[i], text)))
      return false;
  return true;
}

/* ---- threads ---- */

/* Data of the pool. */
struct order_context {
  struct ghc_order_plan plan;
  const struct worker *like;
};

/* A slice and its text. */
struct window_slot {
  bool is_large;
  struct ghc_order_slice slice;
  GString *text;
};

static void *
worker_new (void *data)
{
  const struct order_context *o = data;
  struct worker *w = g_memdup2 (o->like, sizeof *w);
  worker_init (w);
  return w;
}

static void
worker_free (void *worker)
{
  worker_clear (worker);
  g_free (worker);
}

static bool
next_window (void *data, void *item)
{
  struct order_context *o = data;
  struct window_slot *slot = item;
  return ghc_order_plan_next (&o->plan, &slot->slice);
}

static void
work (void *data G_GNUC_UNUSED, void *item, void *worker)
{
  struct window_slot *slot = item;
  slot->is_large = !put_window (worker, &slot->slice, slot->text);
}

static bool
write_slot (void *data G_GNUC_UNUSED, void *item, void *worker)
{
  struct window_slot *slot = item;
  struct worker *w = worker;
  return slot->is_large ? write_large (w, &slot->slice, slot->text)
                        : w->sink->write (w->sink->data, slot->text);
}

bool
ghc_order_events (const struct ghc_chunks *chunks, const struct ghc_part *part,
                  struct log_input *input, const struct ghc_order_options *options,
                  const struct ghc_order_sink *sink)
{
  static const struct ordered_pool pool = { .worker_new = worker_new,
                                            .worker_free = worker_free,
                                            .produce = next_window,
                                            .work = work,
                                            .consume = write_slot };
  if (part->n_chunks == 0)
    return true;
  struct ghc_types *types = ghc_types_copy (&part->types->header);
  const struct worker like = {
    .chunks = (const struct ghc_chunk *) (const void *) chunks->chunks->data + part->first,
    .types = types,
    .input = input,
    .sink = sink,
    .most = options->window_most != 0 ? options->window_most : WINDOW_MOST,
  };
  struct order_context o = { .like = &like };
  struct window_slot slots[ORDERED_POOL_ITEMS_MAX];
  const unsigned threads = ordered_pool_threads (options->threads), n_slots = threads + 2;
  ghc_order_plan_init (&o.plan, like.chunks, part->n_chunks, options);
  for (unsigned i = 0; i < n_slots; i++) {
    slots[i].text = g_string_new (NULL);
    slots[i].slice.chunks = g_array_new (FALSE, FALSE, sizeof (guint));
  }
  const bool good = ordered_pool_run (&pool, &o, slots, sizeof *slots, n_slots, threads);
  for (unsigned i = 0; i < n_slots; i++) {
    g_string_free (slots[i].text, TRUE);
    g_array_unref (slots[i].slice.chunks);
  }
  ghc_order_plan_clear (&o.plan);
  ghc_types_free (types);
  return good;
}
