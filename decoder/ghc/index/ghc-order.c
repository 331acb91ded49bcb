/* ghc-order.c -- sorts the events of slices of time, on all cores.
 *
 * Time is divided into slices of about as many bytes each.  For a slice, a worker reads the chunks
 * with times in it and sorts the events that are in it.  It makes text of them, and the texts are
 * written in turn; or the caller's thread takes the sorted events.  So chunks at the border of two
 * slices are read twice, which is cheap.
 *
 * If a slice holds much more than was thought, as most events of a chunk are of a short time, it
 * is halved; events of a single time need no sorting.
 */
#include "config.h"

#include "decoder/ghc/index/ghc-order.h"
#include "decoder/core/ordered-pool.h"
#include "decoder/ghc/ghc-event.h"

/* ---- slices of time, by how densely chunks fill it ---- */

enum { WINDOW_BYTES = 768 << 10 };

struct ghc_order_slice {
  uint64_t first, last;
  GArray *chunks; /* guint: which have events in it, in order of the file */
};

struct ghc_order_plan {
  const struct ghc_chunk *chunks;
  guint n_chunks;
  guint *by_first; /* all, ordered by their first time */
  guint next;      /* those before this one were taken */
  GArray *active;  /* of these, those that last to `from` or longer */
  uint64_t from, to;
  double bytes; /* of a slice */
  bool at_end;
};

static int
compare_first (const void *a, const void *b, void *data)
{
  const struct ghc_chunk *chunks = data;
  const uint64_t x = chunks[*(const guint *) a].first, y = chunks[*(const guint *) b].first;
  return x < y ? -1 : x > y;
}

static int
compare_places (const void *a, const void *b)
{
  const guint x = *(const guint *) a, y = *(const guint *) b;
  return x < y ? -1 : x > y;
}

/* Slices over these chunks, which are borrowed, from options->from to options->to.  Clear it with
 * ghc_order_plan_clear. */
static void
ghc_order_plan_init (struct ghc_order_plan *p, const struct ghc_chunk *chunks, guint n_chunks,
                     const struct ghc_order_options *options)
{
  *p = (struct ghc_order_plan){ .chunks = chunks,
                                .n_chunks = n_chunks,
                                .from = options->from,
                                .to = options->to,
                                .bytes = options->window_bytes != 0 ? (double) options->window_bytes
                                                                    : WINDOW_BYTES };
  p->by_first = g_new (guint, n_chunks);
  for (guint i = 0; i < n_chunks; i++)
    p->by_first[i] = i;
  g_qsort_with_data (p->by_first, (gint) n_chunks, sizeof *p->by_first, compare_first,
                     (gpointer) chunks);
  p->active = g_array_new (FALSE, FALSE, sizeof (guint));
  p->at_end = p->from > p->to;
}

static void
ghc_order_plan_clear (struct ghc_order_plan *p)
{
  g_free (p->by_first);
  g_array_unref (p->active);
}

static const struct ghc_chunk *
active_chunk (const struct ghc_order_plan *p, guint i)
{
  return &p->chunks[g_array_index (p->active, guint, i)];
}

/* Bytes in a nanosecond at a time, if the events of each chunk were spread evenly; and until when
 * that is so. */
static double
density_at (const struct ghc_order_plan *p, uint64_t time, uint64_t *until)
{
  double density = 0;
  *until = p->to;
  for (guint i = 0; i < p->active->len; i++) {
    const struct ghc_chunk *chunk = active_chunk (p, i);
    if (chunk->last < time)
      continue;
    density += chunk->size / ((double) (chunk->last - chunk->first) + 1);
    *until = MIN (*until, chunk->last);
  }
  if (p->next < p->n_chunks && p->chunks[p->by_first[p->next]].first > time)
    *until = MIN (*until, p->chunks[p->by_first[p->next]].first - 1);
  return density;
}

/* Takes the chunks that begin up to this time. */
static void
activate (struct ghc_order_plan *p, uint64_t time)
{
  while (p->next < p->n_chunks && p->chunks[p->by_first[p->next]].first <= time) {
    const guint place = p->by_first[p->next++];
    if (p->chunks[place].last >= p->from)
      g_array_append_val (p->active, place);
  }
}

/* Forgets those that end before `from`. */
static void
deactivate (struct ghc_order_plan *p)
{
  guint kept = 0;
  for (guint i = 0; i < p->active->len; i++)
    if (active_chunk (p, i)->last >= p->from)
      g_array_index (p->active, guint, kept++) = g_array_index (p->active, guint, i);
  g_array_set_size (p->active, kept);
}

/* The next slice; false at the end. */
static bool
ghc_order_plan_next (struct ghc_order_plan *p, struct ghc_order_slice *slice)
{
  double bytes = 0;
  uint64_t time = p->from, until = p->to;
  if (p->at_end)
    return false;
  for (;;) {
    activate (p, time);
    const double density = density_at (p, time, &until);
    const double most = (p->bytes - bytes) / MAX (density, 1e-30);
    if ((double) (until - time) + 1 >= most) {
      if (most < (double) (until - time))
        until = time + (uint64_t) most;
      break;
    }
    bytes += density * ((double) (until - time) + 1);
    if (until == p->to)
      break;
    time = until + 1;
  }
  slice->first = p->from;
  slice->last = until;
  g_array_set_size (slice->chunks, 0);
  g_array_append_vals (slice->chunks, p->active->data, p->active->len);
  g_array_sort (slice->chunks, compare_places);
  p->at_end = until == p->to;
  p->from = until + 1;
  deactivate (p);
  return true;
}

/* ---- events of a slice, by time; those of one time as they were added ---- */

/* The events of each capability's block are in order but for a few, which ghc_order_sorter_add
 * moves; so as many runs as there are blocks have to be merged.  qsort does not see that: a slice
 * of 43,000 events in 20 runs takes it 4.4 ms, this 0.9 ms (on the machine of 2026). */

/* Places that an event is moved. */
#define GHC_ORDER_MOVE_MOST 32

/* An event of a slice. */
struct ghc_order_event {
  uint64_t time;
  uint64_t offset; /* in the file */
  uint32_t at;     /* in the bytes of the slice */
  uint32_t cap;
};

/* The events of a slice. */
struct ghc_order_events {
  GByteArray *bytes; /* of all */
  GArray *events;    /* struct ghc_order_event */
};

/* Events while they are sorted. */
struct ghc_order_sorter {
  struct ghc_order_events of;
  GArray *other; /* to merge them into */
  GArray *runs;  /* guint: where events begin that are in order */
};

/* Puts an event after `n` others, for whom there is room.  They are sorted by time as far as that
 * takes few moves; else a run begins. */
static inline void
ghc_order_sorter_add (struct ghc_order_sorter *o, struct ghc_order_event *events, guint n,
                      const struct ghc_order_event *event)
{
  if (n != 0 && events[n - 1].time <= event->time) {
    events[n] = *event;
    return;
  }
  const guint run = n != 0 ? g_array_index (o->runs, guint, o->runs->len - 1) : 0;
  guint to = n;
  while (to > run && n - to < GHC_ORDER_MOVE_MOST && events[to - 1].time > event->time)
    to--;
  if (n == 0 || (to > run && events[to - 1].time > event->time)) {
    g_array_append_val (o->runs, n);
    to = n;
  }
  memmove (&events[to + 1], &events[to], (n - to) * sizeof *events);
  events[to] = *event;
}

static void
ghc_order_events_init (struct ghc_order_events *e)
{
  e->bytes = g_byte_array_new ();
  e->events = g_array_new (FALSE, FALSE, sizeof (struct ghc_order_event));
}

static void
ghc_order_events_clear (struct ghc_order_events *e)
{
  g_byte_array_unref (e->bytes);
  g_array_unref (e->events);
}

static void
ghc_order_events_forget (struct ghc_order_events *e)
{
  g_byte_array_set_size (e->bytes, 0);
  g_array_set_size (e->events, 0);
}

/* Merges two runs that follow each other; of equal times those of the first come first. */
static void
merge_two (const struct ghc_order_event *a, const struct ghc_order_event *b,
           const struct ghc_order_event *end, struct ghc_order_event *to)
{
  const struct ghc_order_event *const middle = b;
  while (a < middle && b < end)
    *to++ = b->time < a->time ? *b++ : *a++;
  memcpy (to, a, (size_t) (middle - a) * sizeof *a);
  memcpy (to + (middle - a), b, (size_t) (end - b) * sizeof *b);
}

/* Sorts all that were added. */
static void
ghc_order_sorter_sort (struct ghc_order_sorter *o)
{
  const guint n = o->of.events->len;
  g_array_set_size (o->other, n);
  while (o->runs->len > 1) {
    const struct ghc_order_event *from
        = (const struct ghc_order_event *) (const void *) o->of.events->data;
    struct ghc_order_event *to = (struct ghc_order_event *) (void *) o->other->data;
    guint *runs = (guint *) (void *) o->runs->data;
    guint kept = 0;
    for (guint i = 0; i < o->runs->len; i += 2) {
      const guint begin = runs[i], middle = i + 1 < o->runs->len ? runs[i + 1] : n;
      const guint end = i + 2 < o->runs->len ? runs[i + 2] : n;
      merge_two (from + begin, from + middle, from + end, to + begin);
      runs[kept++] = begin;
    }
    g_array_set_size (o->runs, kept);
    GArray *sorted = o->other;
    o->other = o->of.events;
    o->of.events = sorted;
  }
}

/* ---- a worker ---- */

enum {
  WINDOW_MOST = 8 << 20, /* bytes of events; more is halved */
  TEXT_BYTES = 1 << 20,  /* of texts that are written at once where that is free */
};

/* Memory of a worker for a slice. */
struct worker {
  const struct ghc_chunk *chunks;
  const struct ghc_types *types;
  const bool *wanted; /* by tag: the sink takes such events; NULL: all */
  struct log_input *input;
  const struct ghc_order_sink *sink;
  size_t most; /* bytes of events at once */
  struct ghc_order_sorter sorter;
  union ghc_payload payload;
};

static void
worker_init (struct worker *w)
{
  ghc_order_events_init (&w->sorter.of);
  w->sorter.other = g_array_new (FALSE, FALSE, sizeof (struct ghc_order_event));
  w->sorter.runs = g_array_new (FALSE, FALSE, sizeof (guint));
}

static void
worker_clear (struct worker *w)
{
  ghc_order_events_clear (&w->sorter.of);
  g_array_unref (w->sorter.other);
  g_array_unref (w->sorter.runs);
}

/* ---- a slice ---- */

/* Moves the bytes of events down; returns the place after them. */
static uint8_t *
move_down (uint8_t *to, const uint8_t *from, const uint8_t *end)
{
  const size_t length = (size_t) (end - from);
  if (to != from)
    memmove (to, from, length);
  return to + length;
}

/* Adds the events of a chunk that are in the slice; their bytes come after those that are there.
 * If the file was changed meanwhile, the rest of the chunk is left out. */
static void
add_chunk (struct worker *w, const struct ghc_chunk *chunk, uint64_t first, uint64_t last)
{
  struct ghc_order_events *of = &w->sorter.of;
  const guint before = of->bytes->len;
  uint64_t block_end = chunk->block_end;
  unsigned cap = chunk->cap;
  g_byte_array_set_size (of->bytes, before + chunk->size);
  uint8_t *const bytes = of->bytes->data + before;
  const size_t length = log_input_read_at (w->input, chunk->offset, bytes, chunk->size);
  /* Events that are taken move down together, when one that is not follows them. */
  uint8_t *kept = bytes;
  const uint8_t *taken = bytes;
  guint n = of->events->len;
  g_array_set_size (of->events, n + (guint) (length / GHC_EVENT_HEADER_SIZE));
  struct ghc_order_event *events = (struct ghc_order_event *) (void *) of->events->data;
  struct ghc_event_head head;
  size_t at = 0;
  for (; ghc_event_head (bytes + at, length - at, w->types->forms, &head) == GHC_HEAD_READ
         && head.size <= length - at;
       at += head.size) {
    const uint8_t *event = bytes + at;
    const uint64_t offset = chunk->offset + at;
    const bool is_marker = head.tag == GHC_TAG_BLOCK_MARKER;
    if (is_marker && head.size >= GHC_BLOCK_MARKER_SIZE) {
      block_end = offset + proflog_be32 (event + GHC_EVENT_HEADER_SIZE);
      cap = proflog_be16 (event + GHC_BLOCK_MARKER_SIZE - sizeof (uint16_t));
    }
    if (head.time < first || head.time > last || (w->wanted != NULL && !w->wanted[head.tag])) {
      kept = move_down (kept, taken, event);
      taken = event + head.size;
      continue;
    }
    const struct ghc_order_event e = { .time = head.time,
                                       .offset = offset,
                                       .at = (uint32_t) (kept + (event - taken) - of->bytes->data),
                                       .cap = offset < block_end && !is_marker ? cap : GHC_NO_CAP };
    ghc_order_sorter_add (&w->sorter, events, n++, &e);
  }
  kept = move_down (kept, taken, bytes + at);
  g_byte_array_set_size (of->bytes, (guint) (kept - of->bytes->data));
  g_array_set_size (of->events, n);
}

static void
forget_events (struct worker *w)
{
  ghc_order_events_forget (&w->sorter.of);
  g_array_set_size (w->sorter.runs, 0);
}

/* Hands sorted events over, or makes text of them; false if they were to stop. */
static bool
put_sorted (struct worker *w, const struct ghc_order_events *of, GString *text)
{
  const struct ghc_order_sink *sink = w->sink;
  const struct ghc_order_event *events
      = (const struct ghc_order_event *) (const void *) of->events->data;
  struct ghc_item item = { .header = &w->types->header };
  for (guint i = 0; i < of->events->len; i++) {
    const uint8_t *bytes = of->bytes->data + events[i].at;
    item.offset = events[i].offset;
    item.cap = events[i].cap;
    struct ghc_event_head head;
    if (ghc_event_head (bytes, of->bytes->len - events[i].at, w->types->forms, &head)
        != GHC_HEAD_READ)
      continue; /* it was read when it was added */
    item.size = head.size;
    const struct ghc_event_type *type = ghc_types_find (w->types, head.tag);
    ghc_event_decode (type, bytes, head.size, &w->payload, &item);
    if (sink->take == NULL)
      sink->item (sink->data, &item, text);
    else if ((item.kind == type->kind || sink->wants (sink->data, item.kind))
             && !sink->take (sink->data, &item))
      return false;
  }
  return true;
}

static bool
put_events (struct worker *w, GString *text)
{
  ghc_order_sorter_sort (&w->sorter);
  const bool go_on = put_sorted (w, &w->sorter.of, text);
  forget_events (w);
  return go_on;
}

/* Sorts the events of a slice; false if it holds too much. */
static bool
sort_window (struct worker *w, const struct ghc_order_slice *slice)
{
  for (guint i = 0; i < slice->chunks->len; i++) {
    const guint place = g_array_index (slice->chunks, guint, i);
    add_chunk (w, &w->chunks[place], slice->first, slice->last);
    if (w->sorter.of.bytes->len > w->most) {
      forget_events (w);
      return false;
    }
  }
  ghc_order_sorter_sort (&w->sorter);
  return true;
}

/* Writes the text, if the sink has texts. */
static bool
write_text (const struct worker *w, GString *text)
{
  return w->sink->take != NULL || w->sink->write (w->sink->data, text);
}

/* Writes a slice that is too large for a text. */
static bool
write_large (struct worker *w, const struct ghc_order_slice *slice, GString *text)
{
  if (slice->first == slice->last) {
    for (guint i = 0; i < slice->chunks->len; i++) {
      const guint place = g_array_index (slice->chunks, guint, i);
      add_chunk (w, &w->chunks[place], slice->first, slice->last);
      if (!put_events (w, text) || (text->len > TEXT_BYTES && !write_text (w, text)))
        return false;
    }
    return write_text (w, text);
  }
  const uint64_t middle = slice->first + (slice->last - slice->first) / 2;
  const struct ghc_order_slice halves[]
      = { { slice->first, middle, slice->chunks }, { middle + 1, slice->last, slice->chunks } };
  for (size_t i = 0; i < G_N_ELEMENTS (halves); i++)
    if (!(sort_window (w, &halves[i]) ? put_events (w, text) && write_text (w, text)
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

/* A slice, and its events or their text. */
struct window_slot {
  bool is_large;
  struct ghc_order_slice slice;
  struct ghc_order_events events;
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
  struct worker *w = worker;
  slot->is_large = !sort_window (w, &slot->slice);
  if (w->sink->take != NULL) {
    const struct ghc_order_events sorted = w->sorter.of;
    w->sorter.of = slot->events;
    slot->events = sorted;
  } else {
    put_sorted (w, &w->sorter.of, slot->text);
  }
  forget_events (w);
}

static bool
write_slot (void *data G_GNUC_UNUSED, void *item, void *worker)
{
  struct window_slot *slot = item;
  struct worker *w = worker;
  if (slot->is_large)
    return write_large (w, &slot->slice, slot->text);
  const bool go_on = put_sorted (w, &slot->events, slot->text) && write_text (w, slot->text);
  ghc_order_events_forget (&slot->events);
  return go_on;
}

/* By tag, whether the sink takes such events (transfer full). */
static bool *
wanted_tags (const struct ghc_header *header, const struct ghc_order_sink *sink)
{
  bool *wanted = g_new0 (bool, GHC_DATA_END + 1);
  for (size_t i = 0; i < header->n_types; i++)
    wanted[header->types[i].tag] = sink->wants (sink->data, header->types[i].kind);
  return wanted;
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
  g_autofree bool *wanted = sink->take != NULL ? wanted_tags (&types->header, sink) : NULL;
  const struct worker like = {
    .chunks = (const struct ghc_chunk *) (const void *) chunks->chunks->data + part->first,
    .types = types,
    .wanted = wanted,
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
    ghc_order_events_init (&slots[i].events);
    slots[i].slice.chunks = g_array_new (FALSE, FALSE, sizeof (guint));
  }
  const bool good = ordered_pool_run (&pool, &o, slots, sizeof *slots, n_slots, threads);
  for (unsigned i = 0; i < n_slots; i++) {
    g_string_free (slots[i].text, TRUE);
    ghc_order_events_clear (&slots[i].events);
    g_array_unref (slots[i].slice.chunks);
  }
  ghc_order_plan_clear (&o.plan);
  ghc_types_free (types);
  return good;
}
