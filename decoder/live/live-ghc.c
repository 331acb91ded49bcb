/* live-ghc.c -- adds up the events of an eventlog that is still being written.
 *
 * A collection counts, and stops the program, on the capability that led it.  Where no event states
 * which one that is, the parts of all capabilities have to be known: their blocks come in any
 * order, so such collections wait, and figures have those that there would be if nothing followed.
 */
#include "config.h"

#include "decoder/core/whole-number.h"
#include "decoder/ghc/ghc-describe.h"
#include "decoder/ghc/ghc-losses.h"
#include "decoder/live/live-model-private.h"

/* Capabilities that are inspected. */
#define CAPS_MAX 4096

/* Parts of collections that wait. */
#define PARTS_MAX 20000

/* Living threads that are known; the rest only make events. */
#define THREADS_MAX 100000

struct live_haskell {
  char *label; /* NULL: none */
  enum live_state state;
  struct live_count events, run_ns;
};

struct live_cap {
  struct live_count events, run_ns, bytes;
  uint64_t allocated;
  bool has_allocated, is_running, is_collecting;
  uint64_t thread, run_start;
};

static void
free_thread (void *data)
{
  struct live_haskell *t = data;
  g_free (t->label);
  g_free (t);
}

/* ---- collections ---- */

static unsigned
class_of (int generation)
{
  return (unsigned) MIN (MAX (generation, 0), LIVE_GENERATIONS - 1);
}

static void
count_collection (void *data, const struct ghc_cap *leader, const struct ghc_interval *main,
                  bool is_stated)
{
  struct live_ghc *g = data;
  const uint64_t ns = main->end - main->start;
  (void) leader;
  (void) is_stated;
  durations_add (&g->collections[class_of (main->generation)], ns);
  g->pause_max_ns = MAX (g->pause_max_ns, ns);
}

/* Figures of a collection whose start and end are missing count nevertheless. */
static void
count_untimed (struct live_ghc *g, const struct ghc_item *item)
{
  const GPtrArray *caps = g->collector.caps;
  const struct ghc_cap *cap = item->cap < caps->len ? g_ptr_array_index (caps, item->cap) : NULL;
  if (cap == NULL || (!cap->is_collecting && !cap->has_ended))
    g->untimed[class_of (item->payload->gc_stats_ghc.generation)]++;
}

/* Waiting collections as figures: since the last ones, and in all. */
struct preview {
  struct durations collections;
  uint64_t pause_max_ns, since, seen;
};

static void
preview_collection (void *data, const struct ghc_cap *leader, const struct ghc_interval *main,
                    bool is_stated)
{
  struct preview *p = data;
  const uint64_t ns = main->end - main->start;
  (void) leader;
  (void) is_stated;
  durations_add (&p->collections, ns);
  if (main->start >= p->since)
    p->pause_max_ns = MAX (p->pause_max_ns, ns);
  p->seen = MAX (p->seen, main->start + 1);
}

/* ---- the log ---- */

void
live_ghc_init (struct live_ghc *g)
{
  *g = (struct live_ghc){ 0 };
  ghc_collector_init (&g->collector, &(const struct ghc_collections_watch){ count_collection, g },
                      PARTS_MAX, false);
  ghc_heap_profiles_init (&g->profiles, 0, UINT64_MAX);
  ghc_time_profile_init (&g->samples, 0, UINT64_MAX, &g->profiles.provenances);
  g->frames_before = g_array_new (FALSE, FALSE, sizeof (struct ghc_time_frame));
  g->caps = g_ptr_array_new_with_free_func (g_free);
  g->threads = g_hash_table_new_full (NULL, NULL, NULL, free_thread);
}

void
live_ghc_clear (struct live_ghc *g)
{
  for (int i = 0; i < LIVE_GENERATIONS; i++)
    durations_clear (&g->collections[i]);
  ghc_collector_clear (&g->collector);
  ghc_time_profile_clear (&g->samples);
  g_array_unref (g->frames_before);
  ghc_heap_profiles_clear (&g->profiles);
  g_ptr_array_unref (g->caps);
  g_hash_table_destroy (g->threads);
  g_free (g->program);
}

static struct live_cap *
cap_of (struct live_ghc *g, unsigned number)
{
  if (number >= CAPS_MAX)
    return NULL;
  if (number >= g->caps->len)
    g_ptr_array_set_size (g->caps, (gint) number + 1);
  if (g_ptr_array_index (g->caps, number) == NULL)
    g_ptr_array_index (g->caps, number) = g_new0 (struct live_cap, 1);
  return g_ptr_array_index (g->caps, number);
}

static struct live_haskell *
thread_of (struct live_ghc *g, uint64_t number)
{
  void *key = GUINT_TO_POINTER ((guint) number);
  struct live_haskell *t = g_hash_table_lookup (g->threads, key);
  if (t == NULL && g_hash_table_size (g->threads) < THREADS_MAX) {
    t = g_new0 (struct live_haskell, 1);
    g_hash_table_insert (g->threads, key, t);
  }
  return t;
}

static void
add (struct live_count *count, uint64_t n)
{
  count->now += n;
  count->all = saturated_sum (count->all, n);
}

static void
set_thread_state (struct live_ghc *g, uint64_t number, enum live_state state)
{
  struct live_haskell *t = thread_of (g, number);
  if (t == NULL)
    return;
  t->state = state;
  add (&t->events, 1);
}

/* The thread that ran on the capability runs no more, or its time up to now is needed. */
static void
count_run (struct live_ghc *g, struct live_cap *c, uint64_t time)
{
  if (!c->is_running || time < c->run_start)
    return;
  struct live_haskell *t = g_hash_table_lookup (g->threads, GUINT_TO_POINTER ((guint) c->thread));
  add (&c->run_ns, time - c->run_start);
  if (t != NULL)
    add (&t->run_ns, time - c->run_start);
  c->run_start = time;
}

static void
stop_thread (struct live_ghc *g, struct live_cap *c, const struct ghc_item *item)
{
  const struct ghc_stop_thread *e = &item->payload->stop_thread;
  const bool is_ready = e->status <= GHC_STOP_STATUS_YIELDING;
  set_thread_state (g, e->thread, is_ready ? LIVE_IDLE : LIVE_BLOCKED);
  if (c != NULL) {
    count_run (g, c, item->time);
    c->is_running = false;
  }
  if (e->status == GHC_STOP_STATUS_FINISHED)
    g_hash_table_remove (g->threads, GUINT_TO_POINTER (e->thread));
}

/* A first value has all since the program began, which is no rate of now. */
static void
handle_allocated (struct live_ghc *g, struct live_cap *c, uint64_t bytes)
{
  if (!c->has_allocated) {
    c->bytes.all = bytes;
    g->allocated_before = saturated_sum (g->allocated_before, bytes);
  } else if (bytes > c->allocated) {
    add (&c->bytes, bytes - c->allocated);
  }
  c->has_allocated = true;
  c->allocated = bytes;
}

static void
handle_cap_event (struct live_ghc *g, struct live_cap *c, const struct ghc_item *item)
{
  const union ghc_payload *p = item->payload;
  add (&c->events, 1);
  switch (item->kind) {
  case GHC_RUN_THREAD:
    set_thread_state (g, p->run_thread.thread, LIVE_RUNNING);
    c->is_running = true;
    c->thread = p->run_thread.thread;
    c->run_start = item->time;
    break;
  case GHC_GC_START:
  case GHC_GC_END:
    c->is_collecting = item->kind == GHC_GC_START;
    break;
  case GHC_HEAP_ALLOCATED:
    handle_allocated (g, c, p->heap_allocated.bytes);
    break;
  default:
    break;
  }
}

/* The first word is how the program was called. */
static void
set_program (struct live_ghc *g, struct ghc_texts arguments)
{
  struct ghc_text text;
  if (!ghc_texts_next (&arguments, &text) || text.length == 0)
    return;
  g_autofree char *path = g_strndup (text.text, text.length);
  g_free (g->program);
  g->program = g_path_get_basename (path);
}

static void
handle (struct live_ghc *g, const struct ghc_item *item)
{
  const union ghc_payload *p = item->payload;
  struct live_cap *c = item->cap != GHC_NO_CAP ? cap_of (g, item->cap) : NULL;
  g->events++;
  g->bytes += item->size;
  if (item->kind == GHC_UNKNOWN)
    return;
  uint64_t lost;
  if (ghc_losses_of (item, &lost))
    g->lost_events += lost;
  g->first = g->has_time ? MIN (g->first, item->time) : item->time;
  g->has_time = true;
  g->last = MAX (g->last, item->time);
  if (c != NULL)
    handle_cap_event (g, c, item);
  if (item->kind == GHC_GC_STATS_GHC && c != NULL)
    count_untimed (g, item);
  ghc_heap_profiles_item (&g->profiles, item);
  ghc_time_profile_item (&g->samples, item);
  if (c != NULL || item->cap == GHC_NO_CAP)
    ghc_collector_event (&g->collector, item);
  switch (item->kind) {
  case GHC_CREATE_THREAD:
    set_thread_state (g, p->create_thread.thread, LIVE_IDLE);
    break;
  case GHC_STOP_THREAD:
    stop_thread (g, c, item);
    break;
  case GHC_THREAD_LABEL: {
    struct live_haskell *t = thread_of (g, p->thread_label.thread);
    if (t != NULL) {
      g_free (t->label);
      t->label = g_strndup (p->thread_label.label.text, p->thread_label.label.length);
    }
    break;
  }
  case GHC_HEAP_SIZE:
    g->heap = p->heap_size.bytes;
    g->heap_max = MAX (g->heap_max, g->heap);
    break;
  case GHC_HEAP_LIVE:
    g->live = p->heap_live.bytes;
    break;
  case GHC_PROGRAM_ARGS:
    set_program (g, p->program_args.arguments);
    break;
  case GHC_OSPROCESS_PID:
    g->pid = p->osprocess_pid.pid;
    break;
  default:
    break;
  }
}

void
live_ghc_item (struct live_ghc *g, const struct ghc_item *item)
{
  if (item->type == GHC_ITEM_HEADER) { /* another log */
    const uint64_t damages = g->damages, lost_events = g->lost_events;
    live_ghc_clear (g);
    live_ghc_init (g);
    g->damages = damages;
    g->lost_events = lost_events;
  } else if (item->type == GHC_ITEM_DAMAGE) {
    g->damages++;
  } else if (item->type == GHC_ITEM_END) {
    ghc_heap_profiles_end_sample (&g->profiles);
  } else if (item->type == GHC_ITEM_EVENT && item->kind != GHC_BLOCK_MARKER) {
    handle (g, item);
  }
}

/* ---- figures ---- */

static void
put_caps (struct live_ghc *g, struct live_figures *f)
{
  for (guint i = 0; i < g->caps->len; i++) {
    struct live_cap *c = g_ptr_array_index (g->caps, i);
    if (c == NULL)
      continue;
    count_run (g, c, g->last);
    const struct live_thread row = { .id = i,
                                     .is_cap = true,
                                     .state = c->is_collecting ? LIVE_COLLECTING
                                              : c->is_running  ? LIVE_RUNNING
                                                               : LIVE_IDLE,
                                     .events = c->events,
                                     .run_ns = c->run_ns,
                                     .has_bytes = true,
                                     .bytes = c->bytes,
                                     .thread = c->is_running ? c->thread + 1 : 0 };
    g_array_append_val (f->threads, row);
    f->alloc_bytes.all = saturated_sum (f->alloc_bytes.all, c->bytes.all);
    c->events.now = c->run_ns.now = c->bytes.now = 0;
  }
}

static void
put_threads (struct live_ghc *g, struct live_figures *f)
{
  GHashTableIter iter;
  void *key, *value;
  g_hash_table_iter_init (&iter, g->threads);
  while (g_hash_table_iter_next (&iter, &key, &value)) {
    struct live_haskell *t = value;
    const struct live_thread row = { .id = GPOINTER_TO_UINT (key),
                                     .name = live_figures_name (f, t->label),
                                     .state = t->state,
                                     .events = t->events,
                                     .run_ns = t->run_ns };
    g_array_append_val (f->threads, row);
    t->events.now = t->run_ns.now = 0;
  }
  f->living = g_hash_table_size (g->threads);
}

/* Those that wait state no generation. */
static void
put_collections (struct live_ghc *g, struct live_figures *f)
{
  struct preview waiting = { .since = g->seen, .seen = g->seen };
  ghc_collector_preview (&g->collector,
                         &(const struct ghc_collections_watch){ preview_collection, &waiting });
  for (int i = 0; i < LIVE_GENERATIONS; i++) {
    struct durations pauses = { .count = 0 };
    durations_merge (&pauses, &g->collections[i]);
    if (i == 0)
      durations_merge (&pauses, &waiting.collections);
    f->collections[i].all = pauses.count + g->untimed[i];
    f->pauses.all += pauses.count;
    f->pause_ns.all += pauses.total_ns;
    f->pause_max_ever_ns = MAX (f->pause_max_ever_ns, pauses.max_ns);
    f->pause_durations[i] = live_durations_of (&pauses);
    durations_clear (&pauses);
  }
  f->pause_max_ns = MAX (g->pause_max_ns, waiting.pause_max_ns);
  g->pause_max_ns = 0;
  g->seen = waiting.seen;
  durations_clear (&waiting.collections);
}

/* Samples of heap profiles that are retained; only the last is shown. */
#define SAMPLES_MAX 1024

/* The bands of the last complete sample of a profile. */
static void
put_bands_of (struct live_ghc *g, const struct ghc_heap_profile *profile, struct live_figures *f)
{
  const guint complete = profile->samples->len - (profile->is_in_sample ? 1 : 0);
  for (guint i = 0; i < profile->bands->len && complete != 0; i++) {
    const struct ghc_band *band = g_ptr_array_index (profile->bands, i);
    if (band->sample != complete - 1 || band->last_bytes == 0)
      continue;
    g_autofree char *name = ghc_band_name (&g->profiles, band);
    const struct live_row row
        = { .name = live_figures_name (f, name), .bytes = { band->last_bytes, band->max_bytes } };
    g_array_append_val (f->bands, row);
    f->band_bytes += band->last_bytes;
  }
}

static void
put_bands (struct live_ghc *g, struct live_figures *f)
{
  bool is_long = false;
  for (guint i = 0; i < g->profiles.all->len; i++) {
    const struct ghc_heap_profile *profile = g_ptr_array_index (g->profiles.all, i);
    put_bands_of (g, profile, f);
    is_long |= profile->samples->len > SAMPLES_MAX;
  }
  if (is_long)
    ghc_heap_profiles_forget (&g->profiles);
}

/* Frames that are shown: those of most samples. */
#define FRAMES_MAX 4096

static gint
compare_frames (gconstpointer a, gconstpointer b)
{
  const struct live_row *x = a, *y = b;
  return x->count.all < y->count.all ? 1 : x->count.all > y->count.all ? -1 : 0;
}

/* Those that the last figures had are among the frames, in the same order. */
static void
put_frames (struct live_ghc *g, struct live_figures *f)
{
  const struct ghc_time_profile *p = &g->samples;
  guint before = 0;
  if (p->samples == 0)
    return;
  ghc_time_profile_finish (&g->samples);
  GArray *frames = ghc_time_profile_frames (p);
  for (guint i = 0; i < frames->len; i++) {
    const struct ghc_time_frame *frame = &g_array_index (frames, struct ghc_time_frame, i);
    struct ghc_time_frame last = { 0 };
    if (before < g->frames_before->len
        && g_array_index (g->frames_before, struct ghc_time_frame, before).frame == frame->frame)
      last = g_array_index (g->frames_before, struct ghc_time_frame, before++);
    const struct live_row row
        = { .address = frame->frame,
            .count = { frame->total - MIN (last.total, frame->total), frame->total },
            .self = { frame->self - MIN (last.self, frame->self), frame->self } };
    if (!ghc_time_profile_is_idle (p, frame->frame))
      g_array_append_val (f->frames, row);
  }
  g_array_sort (f->frames, compare_frames);
  g_array_set_size (f->frames, MIN (f->frames->len, FRAMES_MAX));
  for (guint i = 0; i < f->frames->len; i++) {
    struct live_row *row = &g_array_index (f->frames, struct live_row, i);
    g_autofree char *name = ghc_time_profile_name (p, (uint32_t) row->address);
    row->name = live_figures_name (f, name);
  }
  f->samples = (struct live_count){ p->samples - g->samples_before, p->samples };
  g->samples_before = p->samples;
  g_array_unref (g->frames_before);
  g->frames_before = frames;
}

uint64_t
live_ghc_figures (struct live_ghc *g, struct live_figures *f)
{
  const uint64_t allocated_before = g->allocated_before;
  f->format = LIVE_GHC;
  f->pid = g->pid;
  f->program = live_figures_name (f, g->program);
  f->log_ns = g->last - g->first;
  f->events.all = g->events;
  f->log_bytes.all = g->bytes;
  f->heap_bytes = g->heap;
  f->heap_max_bytes = g->heap_max;
  f->live_bytes = g->live;
  put_collections (g, f);
  f->lost_events.all = g->lost_events;
  f->damages.all = g->damages;
  g->allocated_before = 0;
  put_caps (g, f);
  put_threads (g, f);
  put_bands (g, f);
  put_frames (g, f);
  return allocated_before;
}
