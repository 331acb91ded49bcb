/* ghc-order.c -- see ghc-order.h.
 *
 * Time is divided into windows that hold about as many bytes each.  For a window, whoever works on
 * it reads the chunks with times in it, sorts the events that are in it and makes text of them; the
 * texts are written in turn.  So chunks at the border of two windows are read twice, which is
 * cheap.
 *
 * Writers sort almost: the events of a capability come in order but for the end of a collection,
 * which was a little earlier.  So an event is moved a few places where that suffices, and what is
 * in order then is merged.
 *
 * If a window holds much more than was thought, as most events of a chunk are of a short time, it
 * is halved; events of a single time need no sorting.
 */
#include "decoder/analyses/ghc-order.h"
#include "config.h"
#include "decoder/formats/ghc-describe.h"
#include <pthread.h>

enum {
  WINDOW_BYTES = 768 << 10,
  WINDOW_MOST = 8 << 20, /* bytes of events; more is halved */
  MOVE_MOST = 32,        /* places that an event is moved */
  TEXT_BYTES = 1 << 20,  /* of texts that are written at once where that is free */
  SLOTS_MAX = GHC_ORDER_THREADS_MAX + 2,
};

struct window_of_time {
  uint64_t first, last;
  GArray *chunks; /* guint: which have events in it, in order of the file */
};

/* ---- windows ---- */

struct plan {
  const struct ghc_chunk *chunks;
  guint n_chunks;
  guint *by_first; /* all, ordered by their first time ... */
  guint next;      /* ... of which those before this one were taken */
  GArray *active;  /* of these, those that last to `from` or longer */
  uint64_t from, to;
  double bytes; /* of a window */
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

static void
plan_init (struct plan *p, const struct ghc_chunk *chunks, guint n_chunks,
           const struct ghc_order_options *options)
{
  *p = (struct plan){ .chunks = chunks,
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
plan_clear (struct plan *p)
{
  g_free (p->by_first);
  g_array_unref (p->active);
}

static const struct ghc_chunk *
active_chunk (const struct plan *p, guint i)
{
  return &p->chunks[g_array_index (p->active, guint, i)];
}

/* Bytes in a nanosecond at a time, if the events of each chunk were spread evenly; and until when
 * that is so. */
static double
density_at (const struct plan *p, uint64_t time, uint64_t *until)
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
activate (struct plan *p, uint64_t time)
{
  while (p->next < p->n_chunks && p->chunks[p->by_first[p->next]].first <= time) {
    const guint place = p->by_first[p->next++];
    if (p->chunks[place].last >= p->from)
      g_array_append_val (p->active, place);
  }
}

/* Forgets those that end before `from`. */
static void
deactivate (struct plan *p)
{
  guint kept = 0;
  for (guint i = 0; i < p->active->len; i++)
    if (active_chunk (p, i)->last >= p->from)
      g_array_index (p->active, guint, kept++) = g_array_index (p->active, guint, i);
  g_array_set_size (p->active, kept);
}

/* The next window; false at the end. */
static bool
plan_next (struct plan *p, struct window_of_time *window)
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
  window->first = p->from;
  window->last = until;
  g_array_set_size (window->chunks, 0);
  g_array_append_vals (window->chunks, p->active->data, p->active->len);
  g_array_sort (window->chunks, compare_places);
  p->at_end = until == p->to;
  p->from = until + 1;
  deactivate (p);
  return true;
}

/* ---- sorting ---- */

/* An event of a window. */
struct event {
  uint64_t time;
  uint64_t offset; /* in the file */
  uint32_t at;     /* in the worker's bytes */
  uint32_t cap;
};

/* Memory of whoever works on a window. */
struct worker {
  const struct ghc_chunk *chunks;
  const struct ghc_layout *layout;
  struct log_input *input;
  const struct ghc_order_sink *sink;
  size_t most;     /* bytes of events at once */
  unsigned marker; /* the tag of blocks' markers */
  GByteArray *bytes;
  GArray *events; /* struct event */
  GArray *other;  /* to merge them into */
  GArray *runs;   /* guint: where events begin that are in order */
  union ghc_payload payload;
};

static void
worker_init (struct worker *w)
{
  w->marker = ghc_describe (GHC_BLOCK_MARKER)->tag;
  w->bytes = g_byte_array_new ();
  w->events = g_array_new (FALSE, FALSE, sizeof (struct event));
  w->other = g_array_new (FALSE, FALSE, sizeof (struct event));
  w->runs = g_array_new (FALSE, FALSE, sizeof (guint));
}

static void
worker_clear (struct worker *w)
{
  g_byte_array_unref (w->bytes);
  g_array_unref (w->events);
  g_array_unref (w->other);
  g_array_unref (w->runs);
}

/* Puts an event behind `n` others, for whom there is room.  They are sorted by time as far as that
 * takes few moves; else a run begins. */
static inline void
add_event (struct worker *w, struct event *events, guint n, const struct event *event)
{
  if (n != 0 && events[n - 1].time <= event->time) {
    events[n] = *event;
    return;
  }
  const guint run = n != 0 ? g_array_index (w->runs, guint, w->runs->len - 1) : 0;
  guint to = n;
  while (to > run && n - to < MOVE_MOST && events[to - 1].time > event->time)
    to--;
  if (n == 0 || (to > run && events[to - 1].time > event->time)) {
    g_array_append_val (w->runs, n);
    to = n;
  }
  memmove (&events[to + 1], &events[to], (n - to) * sizeof *events);
  events[to] = *event;
}

/* Merges two runs that follow each other; of equal times those of the first come first. */
static void
merge_two (const struct event *a, const struct event *b, const struct event *end, struct event *to)
{
  const struct event *const middle = b;
  while (a < middle && b < end)
    *to++ = b->time < a->time ? *b++ : *a++;
  memcpy (to, a, (size_t) (middle - a) * sizeof *a);
  memcpy (to + (middle - a), b, (size_t) (end - b) * sizeof *b);
}

static void
sort_events (struct worker *w)
{
  const guint n = w->events->len;
  g_array_set_size (w->other, n);
  while (w->runs->len > 1) {
    const struct event *from = (const struct event *) (const void *) w->events->data;
    struct event *to = (struct event *) (void *) w->other->data;
    guint *runs = (guint *) (void *) w->runs->data;
    guint kept = 0;
    for (guint i = 0; i < w->runs->len; i += 2) {
      const guint begin = runs[i], middle = i + 1 < w->runs->len ? runs[i + 1] : n;
      const guint end = i + 2 < w->runs->len ? runs[i + 2] : n;
      merge_two (from + begin, from + middle, from + end, to + begin);
      runs[kept++] = begin;
    }
    g_array_set_size (w->runs, kept);
    GArray *sorted = w->other;
    w->other = w->events;
    w->events = sorted;
  }
}

/* ---- a window ---- */

/* Adds the events of a chunk that are in the window; their bytes come behind those that are there.
 * Of a file that is no longer what it was the rest of the chunk is left out. */
static void
add_chunk (struct worker *w, const struct ghc_chunk *chunk, uint64_t first, uint64_t last)
{
  const guint before = w->bytes->len;
  uint64_t block_end = chunk->block_end;
  unsigned cap = chunk->cap;
  g_byte_array_set_size (w->bytes, before + chunk->size + GHC_LENGTH_SIZE);
  uint8_t *const bytes = w->bytes->data + before;
  const size_t length = log_input_read_at (w->input, chunk->offset, bytes, chunk->size);
  uint8_t *kept = bytes;
  guint n = w->events->len;
  g_array_set_size (w->events, n + (guint) (length / GHC_EVENT_HEADER_SIZE));
  struct event *events = (struct event *) (void *) w->events->data;
  for (size_t at = 0, size; length - at >= GHC_EVENT_HEADER_SIZE; at += size) {
    const uint8_t *event = bytes + at;
    const uint64_t offset = chunk->offset + at;
    const uint64_t time = ghc_event_time (event);
    const bool is_marker = ghc_be16 (event) == w->marker;
    size = ghc_layout_size (w->layout, event);
    if (size == 0 || size > length - at)
      break;
    if (is_marker && size >= GHC_BLOCK_MARKER_SIZE) {
      block_end = offset + ghc_be32 (event + GHC_EVENT_HEADER_SIZE);
      cap = ghc_be16 (event + GHC_BLOCK_MARKER_SIZE - sizeof (uint16_t));
    }
    if (time < first || time > last)
      continue;
    const struct event e = { .time = time,
                             .offset = offset,
                             .at = (uint32_t) (kept - w->bytes->data),
                             .cap = offset < block_end && !is_marker ? cap : GHC_NO_CAP };
    add_event (w, events, n++, &e);
    if (kept != event)
      memmove (kept, event, size);
    kept += size;
  }
  g_byte_array_set_size (w->bytes, (guint) (kept - w->bytes->data));
  g_array_set_size (w->events, n);
}

static void
forget_events (struct worker *w)
{
  g_byte_array_set_size (w->bytes, 0);
  g_array_set_size (w->events, 0);
  g_array_set_size (w->runs, 0);
}

/* Makes text of the events. */
static void
put_events (struct worker *w, GString *text)
{
  struct ghc_item item = { .type = GHC_ITEM_EVENT };
  sort_events (w);
  for (guint i = 0; i < w->events->len; i++) {
    const struct event *e = &g_array_index (w->events, struct event, i);
    const uint8_t *bytes = w->bytes->data + e->at;
    item.offset = e->offset;
    item.cap = e->cap;
    ghc_layout_item (w->layout, bytes, ghc_layout_size (w->layout, bytes), &w->payload, &item);
    w->sink->item (w->sink->data, &item, text);
  }
  forget_events (w);
}

/* Makes text of a window; false if it holds too much. */
static bool
put_window (struct worker *w, const struct window_of_time *window, GString *text)
{
  for (guint i = 0; i < window->chunks->len; i++) {
    const guint place = g_array_index (window->chunks, guint, i);
    add_chunk (w, &w->chunks[place], window->first, window->last);
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
write_large (struct worker *w, const struct window_of_time *window, GString *text)
{
  if (window->first == window->last) {
    for (guint i = 0; i < window->chunks->len; i++) {
      const guint place = g_array_index (window->chunks, guint, i);
      add_chunk (w, &w->chunks[place], window->first, window->last);
      put_events (w, text);
      if (text->len > TEXT_BYTES && !w->sink->write (w->sink->data, text))
        return false;
    }
    return w->sink->write (w->sink->data, text);
  }
  const uint64_t middle = window->first + (window->last - window->first) / 2;
  const struct window_of_time halves[]
      = { { window->first, middle, window->chunks }, { middle + 1, window->last, window->chunks } };
  for (size_t i = 0; i < G_N_ELEMENTS (halves); i++)
    if (!(put_window (w, &halves[i], text) ? w->sink->write (w->sink->data, text)
                                           : write_large (w, &halves[i], text)))
      return false;
  return true;
}

/* ---- threads ---- */

enum slot_state {
  SLOT_FREE,
  SLOT_BUSY,
  SLOT_DONE,
};

struct slot {
  enum slot_state state;
  bool is_large;
  struct window_of_time window;
  GString *text;
};

struct ring {
  pthread_mutex_t lock; /* those of GLib are unknown to the thread sanitizer */
  pthread_cond_t changed;
  struct plan plan;
  struct slot slots[SLOTS_MAX]; /* used in turn */
  unsigned n_slots;
  unsigned next_taken, next_written;
  bool at_end; /* of the windows, or stopped */
  const struct worker *like;
};

/* Works on the next window, if there is a slot for it.  With the lock held, which is given up
 * meanwhile. */
static bool
work (struct ring *r, struct worker *w)
{
  struct slot *slot = &r->slots[r->next_taken % r->n_slots];
  if (r->at_end || slot->state != SLOT_FREE)
    return false;
  if (!plan_next (&r->plan, &slot->window)) {
    r->at_end = true;
    pthread_cond_broadcast (&r->changed);
    return false;
  }
  slot->state = SLOT_BUSY;
  r->next_taken++;
  pthread_mutex_unlock (&r->lock);
  slot->is_large = !put_window (w, &slot->window, slot->text);
  pthread_mutex_lock (&r->lock);
  slot->state = SLOT_DONE;
  pthread_cond_broadcast (&r->changed);
  return true;
}

static void *
help (void *data)
{
  struct ring *r = data;
  struct worker worker = *r->like;
  worker_init (&worker);
  pthread_mutex_lock (&r->lock);
  while (!r->at_end)
    if (!work (r, &worker) && !r->at_end)
      pthread_cond_wait (&r->changed, &r->lock);
  pthread_mutex_unlock (&r->lock);
  worker_clear (&worker);
  return NULL;
}

/* Writes all windows in turn, working on some where none is done; with the lock held. */
static bool
write_all (struct ring *r, struct worker *w)
{
  bool good = true;
  while (good) {
    struct slot *slot = &r->slots[r->next_written % r->n_slots];
    if (slot->state == SLOT_DONE) {
      pthread_mutex_unlock (&r->lock);
      good = slot->is_large ? write_large (w, &slot->window, slot->text)
                            : w->sink->write (w->sink->data, slot->text);
      pthread_mutex_lock (&r->lock);
      slot->state = SLOT_FREE;
      r->next_written++;
      pthread_cond_broadcast (&r->changed);
    } else if (!work (r, w)) {
      if (r->at_end && r->next_written == r->next_taken)
        break;
      pthread_cond_wait (&r->changed, &r->lock);
    }
  }
  r->at_end = true;
  pthread_cond_broadcast (&r->changed);
  return good;
}

bool
ghc_order_events (const struct ghc_chunks *chunks, const struct ghc_part *part,
                  struct log_input *input, const struct ghc_order_options *options,
                  const struct ghc_order_sink *sink)
{
  const struct worker like = {
    .chunks = (const struct ghc_chunk *) (const void *) chunks->chunks->data + part->first,
    .layout = part->layout,
    .input = input,
    .sink = sink,
    .most = options->window_most != 0 ? options->window_most : WINDOW_MOST,
  };
  struct worker worker = like;
  struct ring r = { .like = &like };
  const unsigned threads = MIN (options->threads != 0 ? options->threads : g_get_num_processors (),
                                GHC_ORDER_THREADS_MAX);
  r.n_slots = threads + 2;
  plan_init (&r.plan, worker.chunks, part->n_chunks, options);
  for (unsigned i = 0; i < r.n_slots; i++) {
    r.slots[i].text = g_string_new (NULL);
    r.slots[i].window.chunks = g_array_new (FALSE, FALSE, sizeof (guint));
  }
  pthread_mutex_init (&r.lock, NULL);
  pthread_cond_init (&r.changed, NULL);
  worker_init (&worker);

  pthread_t helpers[GHC_ORDER_THREADS_MAX];
  unsigned n_helpers = 0; /* fewer where the system has no more threads */
  while (n_helpers + 1 < threads && pthread_create (&helpers[n_helpers], NULL, help, &r) == 0)
    n_helpers++;
  pthread_mutex_lock (&r.lock);
  const bool good = write_all (&r, &worker);
  pthread_mutex_unlock (&r.lock);
  for (unsigned i = 0; i < n_helpers; i++)
    pthread_join (helpers[i], NULL);

  worker_clear (&worker);
  for (unsigned i = 0; i < r.n_slots; i++) {
    g_string_free (r.slots[i].text, TRUE);
    g_array_unref (r.slots[i].window.chunks);
  }
  plan_clear (&r.plan);
  pthread_mutex_destroy (&r.lock);
  pthread_cond_destroy (&r.changed);
  return good;
}
