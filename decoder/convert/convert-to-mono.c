/* convert-to-mono.c -- collections, threads, heap sizes and marks of eventlogs. */
#include "config.h"

#include "decoder/convert/convert-to-mono.h"

#include "decoder/convert/convert-cap-names.h"
#include "decoder/core/marks.h"
#include "decoder/ghc/ghc-decode.h"
#include "decoder/ghc/ghc-describe.h"
#include "decoder/ghc/ghc-losses.h"

#include <proflog/module-options.h>
#include <stdio.h>
#include <string.h>

enum {
  ALLOCATED_INDEX = 1, /* of the counters: that of the first capability */
  /* The first of live bytes, one of each, too: differences of one for all would be in the order of
   * the file. */
  LIVE_INDEX = 100000,
  NS_PER_S = 1000000000, /* a time of 0 would be none, so the clock begins at 1 s */
  NS_PER_MS = 1000000,
};

struct cap {
  uint64_t allocated;
  uint64_t last_live; /* bytes, by its last counter of them */
  bool is_named;
  bool is_collecting;
  bool leads; /* the collection */
  bool has_generation;
  uint64_t began;
  uint64_t generation;
  GArray *starts; /* of uint64_t: of collections that it leads, though no event states so; NULL */
  guint next;     /* of these */
  /* Reported in the collection; 0: none. */
  uint64_t heap_size, live;
  uint64_t sum; /* of allocated bytes */
};

static void
free_cap (void *data)
{
  struct cap *cap = data;
  if (cap->starts != NULL)
    g_array_unref (cap->starts);
  g_free (cap);
}

void
convert_to_mono_init (struct convert_to_mono *c)
{
  *c = (struct convert_to_mono){
    .writer = mlpd_writer_new (),
    .header = { .major = 3,
                .data_version = MLPD_VERSION_ALL_CLASSES,
                .pointer_size = 8,
                .start_ns = NS_PER_S,
                .arguments = { "", 0 },
                .architecture = { "", 0 },
                .operating_system = { "", 0 } },
    .caps = g_hash_table_new_full (NULL, NULL, NULL, free_cap),
    .marks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .end = NS_PER_S,
  };
  convert_losses_init (&c->losses);
}

void
convert_to_mono_clear (struct convert_to_mono *c)
{
  mlpd_writer_free (c->writer);
  convert_losses_clear (&c->losses);
  g_hash_table_unref (c->caps);
  g_hash_table_unref (c->marks);
  g_clear_error (&c->error);
}

static uint64_t
time_of (const struct ghc_item *item)
{
  return item->time + NS_PER_S;
}

/* ---- buffers ---- */

static void
write_header (struct convert_to_mono *c)
{
  if (!c->has_header)
    mlpd_writer_header (c->writer, &c->header, NULL);
  c->has_header = true;
}

/* Nothing follows an event that cannot be written. */
static void
put (struct convert_to_mono *c, enum mlpd_kind kind, union mlpd_payload payload)
{
  if (c->error == NULL)
    mlpd_writer_event (c->writer, kind, &payload, &c->error);
}

static void
name_cap (struct convert_to_mono *c, unsigned cap, uint64_t time)
{
  char name[CONVERT_CAP_NAME_SIZE];
  if (cap == GHC_NO_CAP)
    return;
  convert_cap_name (name, cap);
  put (c, MLPD_METADATA_THREAD,
       (union mlpd_payload){ .metadata_thread = { .action = MLPD_LOAD_NAME,
                                                  .time = time,
                                                  .thread = CONVERT_CAP_ID + cap,
                                                  .name = { name, strlen (name) } } });
}

static struct cap *
cap_of (struct convert_to_mono *c, unsigned number)
{
  struct cap *cap = g_hash_table_lookup (c->caps, GUINT_TO_POINTER (number));
  if (cap == NULL) {
    cap = g_new0 (struct cap, 1);
    g_hash_table_insert (c->caps, GUINT_TO_POINTER (number), cap);
  }
  return cap;
}

/* A block is a buffer. */
static struct cap *
begin (struct convert_to_mono *c, const struct ghc_item *item)
{
  struct cap *cap = cap_of (c, item->cap);
  const uint64_t time = time_of (item);
  c->end = MAX (c->end, time);
  write_header (c);
  if (!c->has_buffer || c->cap != item->cap) {
    mlpd_writer_begin_buffer (c->writer, CONVERT_CAP_ID + item->cap, time, NULL);
    c->has_buffer = true;
    c->cap = item->cap;
  }
  if (!cap->is_named)
    name_cap (c, item->cap, time);
  cap->is_named = true;
  return cap;
}

/* ---- counters ---- */

/* The counter goes up by a number, which may be below 0.  It is described each time, as readers
 * ignore repeated descriptions. */
static void
put_counter (struct convert_to_mono *c, const char *name, uint64_t index, unsigned unit,
             unsigned variance, uint64_t change, uint64_t time)
{
  const unsigned type = variance == MLPD_COUNTER_VARIANCE_MONOTONIC ? MLPD_COUNTER_TYPE_ULONG
                                                                    : MLPD_COUNTER_TYPE_LONG;
  const struct mlpd_counter counter = { .section = MLPD_COUNTER_SECTION_PROFILER,
                                        .name = { name, strlen (name) },
                                        .type = type,
                                        .unit = unit,
                                        .variance = variance,
                                        .index = index };
  const struct mlpd_counter_value value = { .index = index, .type = type, .number = change };
  put (c, MLPD_SAMPLE_COUNTERS_DESC,
       (union mlpd_payload){ .sample_counters_desc
                             = { .time = time, .counters = { &counter, 1 } } });
  put (c, MLPD_SAMPLE_COUNTERS,
       (union mlpd_payload){ .sample_counters = { .time = time, .values = { &value, 1 } } });
}

static void
put_allocated (struct convert_to_mono *c, struct cap *cap, uint64_t sum, uint64_t time)
{
  char name[64];
  const uint64_t change = sum - cap->allocated;
  cap->sum = cap->is_collecting ? sum : 0;
  if (cap->is_collecting || sum <= cap->allocated)
    return;
  cap->allocated = sum;
  snprintf (name, sizeof name, CONVERT_ALLOCATED "%u", c->cap);
  put_counter (c, name, ALLOCATED_INDEX + c->cap, MLPD_COUNTER_UNIT_BYTES,
               MLPD_COUNTER_VARIANCE_MONOTONIC, change, time);
}

static void
put_mark (struct convert_to_mono *c, struct ghc_text marker, uint64_t time)
{
  g_autofree char *text = marks_text (marker.text, marker.length);
  g_autofree char *name = g_strconcat (MLPD_MARK, text, NULL);
  const guint known = g_hash_table_size (c->marks);
  gpointer number;
  if (!g_hash_table_lookup_extended (c->marks, name, NULL, &number)) {
    number = GUINT_TO_POINTER (known);
    g_hash_table_insert (c->marks, g_strdup (name), number);
  }
  put_counter (c, name, MLPD_MARKS_INDEX + GPOINTER_TO_UINT (number), MLPD_COUNTER_UNIT_COUNT,
               MLPD_COUNTER_VARIANCE_MONOTONIC, 1, time);
}

/* ---- the heap ---- */

static void
put_heap (struct convert_to_mono *c, struct cap *cap, uint64_t time)
{
  char name[64];
  const uint64_t size = cap->heap_size, live = cap->live, change = live - cap->last_live;
  cap->heap_size = cap->live = 0;
  put_allocated (c, cap, cap->sum, time);
  if (size != 0)
    put (c, MLPD_GC_RESIZE, (union mlpd_payload){ .gc_resize = { .time = time, .size = size } });
  if (live == 0)
    return;
  cap->last_live = live;
  snprintf (name, sizeof name, CONVERT_LIVE "%u", c->cap);
  put_counter (c, name, LIVE_INDEX + c->cap, MLPD_COUNTER_UNIT_BYTES,
               MLPD_COUNTER_VARIANCE_VARIABLE, change, time);
}

static void
put_gc (struct convert_to_mono *c, uint64_t event, uint64_t generation, uint64_t time)
{
  put (c, MLPD_GC_EVENT,
       (union mlpd_payload){ .gc_event
                             = { .time = time, .event = event, .generation = generation } });
}

/* ---- the capability that leads a collection ---- */

void
convert_to_mono_lead (struct convert_to_mono *c, unsigned number, uint64_t start)
{
  struct cap *cap = cap_of (c, number);
  const uint64_t time = start + NS_PER_S;
  if (cap->starts == NULL)
    cap->starts = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  g_array_append_val (cap->starts, time);
}

static bool
is_leading (struct cap *cap, uint64_t time)
{
  const guint n = cap->starts != NULL ? cap->starts->len : 0;
  while (cap->next < n && g_array_index (cap->starts, uint64_t, cap->next) < time)
    cap->next++;
  if (cap->next == n || g_array_index (cap->starts, uint64_t, cap->next) != time)
    return false;
  cap->next++;
  return true;
}

static void
list_unended (struct convert_to_mono *c, const struct cap *cap)
{
  if (cap->is_collecting)
    convert_losses_add (&c->losses, "starts of collections without an end");
}

static void
begin_collection (struct convert_to_mono *c, struct cap *cap, uint64_t time)
{
  list_unended (c, cap);
  cap->is_collecting = true;
  cap->leads = is_leading (cap, time);
  cap->has_generation = false;
  cap->generation = 0;
  cap->began = time;
}

static void
set_generation (struct convert_to_mono *c, struct cap *cap, uint64_t generation)
{
  if (!cap->is_collecting)
    convert_losses_add (&c->losses, "figures of collections without start and end");
  cap->leads = cap->has_generation = cap->is_collecting;
  cap->generation = MIN (generation, 255);
}

/* The size of the heap after the collection was reported within it. */
static void
end_collection (struct convert_to_mono *c, struct cap *cap, uint64_t end)
{
  const uint64_t generation = cap->generation, began = cap->began;
  const bool leads = cap->leads;
  cap->is_collecting = cap->leads = false;
  if (!leads) {
    convert_losses_add (&c->losses, "parts of capabilities in collections that others lead");
    put_heap (c, cap, end);
    return;
  }
  if (!cap->has_generation)
    convert_losses_add (&c->losses, "generations of collections, which are not known: 0 there");
  put_gc (c, MLPD_GC_EVENT_PRE_STOP_WORLD, generation, began);
  put_gc (c, MLPD_GC_EVENT_POST_STOP_WORLD, generation, began);
  put_gc (c, MLPD_GC_EVENT_START, generation, began);
  put_gc (c, MLPD_GC_EVENT_END, generation, end);
  put_heap (c, cap, end);
  put_gc (c, MLPD_GC_EVENT_PRE_START_WORLD, generation, end);
  put_gc (c, MLPD_GC_EVENT_POST_START_WORLD, generation, end);
}

static void
note_heap (struct convert_to_mono *c, struct cap *cap, uint64_t size, uint64_t live, uint64_t time)
{
  cap->heap_size = size != 0 ? size : cap->heap_size;
  cap->live = live != 0 ? live : cap->live;
  if (!cap->is_collecting)
    put_heap (c, cap, time);
}

/* ---- events ---- */

static void
put_thread (struct convert_to_mono *c, uint64_t action, uint64_t thread, struct ghc_text name,
            uint64_t time)
{
  g_autofree char *text = g_strndup (name.text != NULL ? name.text : "", name.length);
  put (c, MLPD_METADATA_THREAD,
       (union mlpd_payload){ .metadata_thread = { .action = action,
                                                  .time = time,
                                                  .thread = thread,
                                                  .name = { text, strlen (text) } } });
}

bool
convert_to_mono_find (struct convert_to_mono *c, const struct ghc_item *item)
{
  if (item->type == GHC_ITEM_EVENT && item->kind == GHC_WALL_CLOCK_TIME)
    c->header.start_ms = item->payload->wall_clock_time.seconds * 1000
                         + item->payload->wall_clock_time.nanoseconds / NS_PER_MS
                         - item->time / NS_PER_MS;
  else if (item->type == GHC_ITEM_EVENT && item->kind == GHC_OSPROCESS_PID)
    c->header.pid = item->payload->osprocess_pid.pid;
  return c->header.start_ms != 0 && c->header.pid != 0;
}

/* Facts that the header and the buffers state. */
static bool
is_stated (const struct ghc_item *item)
{
  switch (item->kind) {
  case GHC_WALL_CLOCK_TIME:
  case GHC_OSPROCESS_PID:
  case GHC_CAPSET_CREATE:
  case GHC_CAPSET_ASSIGN_CAP:
  case GHC_CAP_CREATE:
  case GHC_HACK_BUG_T9003:
    return true;
  default:
    return false;
  }
}

/* Without a number it is damage of which nobody knows one. */
static bool
note_loss (struct convert_to_mono *c, const struct ghc_item *item)
{
  uint64_t lost;
  if (!ghc_losses_of (item, &lost))
    return false;
  c->lost += lost;
  c->has_hole |= lost == 0;
  return true;
}

/* Of others the log has nothing, not even a buffer. */
static bool
is_represented (const struct ghc_item *item)
{
  switch (item->kind) {
  case GHC_CREATE_THREAD:
  case GHC_THREAD_LABEL:
  case GHC_GC_START:
  case GHC_GC_GLOBAL_SYNC:
  case GHC_GC_STATS_GHC:
  case GHC_GC_END:
  case GHC_HEAP_ALLOCATED:
  case GHC_HEAP_SIZE:
  case GHC_HEAP_LIVE:
  case GHC_USER_MARKER:
    return true;
  case GHC_LOG_MSG: /* others were noted */
    return ghc_is_of_writer (item);
  case GHC_STOP_THREAD:
    return item->payload->stop_thread.status == GHC_STOP_STATUS_FINISHED;
  default:
    return false;
  }
}

/* A message that is a mark in a log of Mono. */
static void
put_limit (struct convert_to_mono *c, const struct ghc_item *item, uint64_t time)
{
  g_autofree char *limit = ghc_limit_of (item);
  g_autofree char *name = g_strconcat (PROFLOG_LIMIT_MARK, limit, NULL);
  put_mark (c, (struct ghc_text){ name, strlen (name) }, time);
}

static void
convert_event (struct convert_to_mono *c, const struct ghc_item *item)
{
  static const struct ghc_text none = { "", 0 };
  const union ghc_payload *p = item->payload;
  const uint64_t time = time_of (item);
  struct cap *cap = begin (c, item);
  switch (item->kind) {
  case GHC_CREATE_THREAD:
    put_thread (c, MLPD_LOAD_END_LOAD, p->create_thread.thread, none, time);
    break;
  case GHC_THREAD_LABEL:
    put_thread (c, MLPD_LOAD_NAME, p->thread_label.thread, p->thread_label.label, time);
    break;
  case GHC_STOP_THREAD:
    put_thread (c, MLPD_LOAD_END_UNLOAD, p->stop_thread.thread, none, time);
    break;
  case GHC_GC_START:
    begin_collection (c, cap, time);
    break;
  case GHC_GC_STATS_GHC:
    set_generation (c, cap, p->gc_stats_ghc.generation);
    break;
  case GHC_GC_GLOBAL_SYNC:
    cap->leads = cap->is_collecting;
    break;
  case GHC_GC_END:
    if (cap->is_collecting)
      end_collection (c, cap, time);
    else
      convert_losses_add (&c->losses, "ends of collections that did not begin");
    break;
  case GHC_HEAP_ALLOCATED:
    put_allocated (c, cap, p->heap_allocated.bytes, time);
    break;
  case GHC_HEAP_SIZE:
    note_heap (c, cap, p->heap_size.bytes, 0, time);
    break;
  case GHC_HEAP_LIVE:
    note_heap (c, cap, 0, p->heap_live.bytes, time);
    break;
  case GHC_USER_MARKER:
    put_mark (c, p->user_marker.marker, time);
    break;
  case GHC_LOG_MSG:
    put_limit (c, item, time);
    break;
  default: /* no other is represented */
    break;
  }
}

static void
set_types (struct convert_to_mono *c, const struct ghc_header *header)
{
  static const union ghc_payload none;
  bool others[GHC_KINDS + 1] = { false };
  for (unsigned kind = 0; kind < GHC_KINDS; kind++) {
    const struct ghc_item item = { .kind = (enum ghc_kind) kind, .payload = &none };
    others[kind] = is_stated (&item) || kind == GHC_LOG_MSG || is_represented (&item);
  }
  ghc_span_forms (c->forms, header, others);
  memset (c->places, 0, sizeof c->places);
}

void
convert_to_mono_span (struct convert_to_mono *c, struct ghc_span *span)
{
  const uint8_t *at = span->at;
  struct ghc_event_head head;
  while (span->end - at >= GHC_EVENT_HEADER_SIZE) {
    head.tag = proflog_be16 (at);
    if (head.tag >= GHC_SPAN_TAGS
        || !ghc_span_head (span, at, c->forms[head.tag], span->last, &head)
        || (head.tag == GHC_TAG_STOP_THREAD
            && GHC_WALK_FIELD (at + head.start, stop_thread, status) == GHC_STOP_STATUS_FINISHED))
      break;
    at += head.size;
    span->before = span->last;
    span->last = head.time;
    guint *place = &c->places[head.tag];
    if (*place == 0)
      *place = convert_losses_place (&c->losses,
                                     ghc_describe (ghc_kind_of_tag ((uint16_t) head.tag))->name)
               + 1;
    g_array_index (c->losses.counts, uint64_t, *place - 1)++;
  }
  span->at = at;
}

bool
convert_to_mono_item (struct convert_to_mono *c, const struct ghc_item *item, GError **error)
{
  c->has_hole |= ghc_damage_is_left_out (item);
  if (item->type == GHC_ITEM_HEADER)
    set_types (c, item->header);
  if (item->type != GHC_ITEM_EVENT)
    return true;
  if (item->kind == GHC_BLOCK_MARKER) {
    c->has_buffer = false;
    return true;
  }
  if (item->payload == NULL) {
    convert_losses_add (&c->losses, "unknown events");
    return true;
  }
  if (is_stated (item) || note_loss (c, item))
    return true;
  if (is_represented (item))
    convert_event (c, item);
  else
    convert_losses_add (&c->losses, ghc_describe (item->kind)->name);
  if (c->error == NULL)
    return true;
  g_propagate_error (error, g_steal_pointer (&c->error));
  return false;
}

void
convert_to_mono_end (struct convert_to_mono *c)
{
  GHashTableIter iter;
  gpointer cap;
  g_hash_table_iter_init (&iter, c->caps);
  while (g_hash_table_iter_next (&iter, NULL, &cap))
    list_unended (c, cap);
  write_header (c);
  if (c->lost != 0)
    mlpd_writer_loss (c->writer, c->end, CONVERT_CAP_ID, c->lost, 0, NULL);
  if (c->has_hole)
    mlpd_writer_loss (c->writer, c->end, CONVERT_CAP_ID, 0, MLPD_LOSS_BY_DAMAGE, NULL);
  mlpd_writer_end (c->writer, c->end, CONVERT_CAP_ID, NULL);
}
