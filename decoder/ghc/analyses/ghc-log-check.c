/* ghc-log-check.c -- finds damage and inconsistent events in an eventlog. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-log-check.h"
#include "decoder/ghc/ghc-describe.h"
#include "decoder/ghc/ghc-start.h"

const struct check_finding_type ghc_finding_types[] = {
#define FINDING(ID, name, level, text) { name, level, text },
#include "decoder/ghc/analyses/ghc-log-check.def"
};

/* The latest events of a capability. */
struct ghc_check_cap {
  bool has_block;
  uint64_t block_end;
  uint64_t time; /* the latest, but for ends of collections */
  bool is_collecting, has_collected;
  uint64_t collection; /* where it begins */
  uint64_t cut;        /* where the one ends that began before the first event of any; 0: none */
  uint64_t allocated;
};

static void
clear_damage (gpointer damage)
{
  g_free (((struct check_damage *) damage)->message);
}

void
ghc_log_check_init (struct ghc_log_check *c, bool keep_all)
{
  *c = (struct ghc_log_check){
    .keep_all = keep_all,
    .blocks = g_array_new (FALSE, FALSE, sizeof (struct ghc_check_block)),
    .damages = g_array_new (FALSE, FALSE, sizeof (struct check_damage)),
    .by_cap = g_hash_table_new_full (NULL, NULL, NULL, g_free),
  };
  g_array_set_clear_func (c->damages, clear_damage);
  ghc_log_init (&c->log);
}

void
ghc_log_check_clear (struct ghc_log_check *c)
{
  g_array_unref (c->blocks);
  g_array_unref (c->damages);
  g_hash_table_unref (c->by_cap);
  ghc_log_clear (&c->log);
}

static void
find (struct ghc_log_check *c, enum ghc_finding_kind kind, uint64_t offset)
{
  struct check_finding *f = &c->findings[kind];
  f->offset = f->count == 0 ? offset : MIN (f->offset, offset);
  f->count++;
}

static struct ghc_check_cap *
cap_of (struct ghc_log_check *c, unsigned number)
{
  if (c->recent != NULL && c->recent_number == number)
    return c->recent;
  struct ghc_check_cap *cap = g_hash_table_lookup (c->by_cap, GUINT_TO_POINTER (number));
  if (cap == NULL) {
    cap = g_new0 (struct ghc_check_cap, 1);
    g_hash_table_insert (c->by_cap, GUINT_TO_POINTER (number), cap);
    c->caps += number != GHC_NO_CAP;
  }
  c->recent_number = number;
  return c->recent = cap;
}

/* ---- blocks ---- */

static void
end_block (struct ghc_log_check *c)
{
  if (c->in_block && (c->keep_all || c->block.damage != 0 || c->block.skipped != 0)
      && (c->keep_all || c->blocks->len < CHECK_DAMAGES_MAX))
    g_array_append_val (c->blocks, c->block);
  c->in_block = false;
}

static void
begin_block (struct ghc_log_check *c, const struct ghc_item *item)
{
  const struct ghc_block_marker *marker = &item->payload->block_marker;
  struct ghc_check_cap *cap = cap_of (c, marker->cap);
  end_block (c);
  c->block = (struct ghc_check_block){
    .offset = item->offset,
    .size = marker->block_size,
    .cap = marker->cap,
    .start = item->time,
    .end = marker->end_time,
  };
  c->in_block = true;
  if (marker->end_time < item->time)
    find (c, GHC_CHECK_BLOCK_TIMES, item->offset);
  if (cap->has_block && item->time < cap->block_end)
    find (c, GHC_CHECK_BLOCK_ORDER, item->offset);
  cap->has_block = true;
  cap->block_end = marker->end_time;
}

/* After the last event of a recording. */
static void
end_recording (struct ghc_log_check *c)
{
  GHashTableIter i;
  gpointer value;
  g_hash_table_iter_init (&i, c->by_cap);
  while (g_hash_table_iter_next (&i, NULL, &value)) {
    const struct ghc_check_cap *cap = value;
    if (cap->cut != 0)
      find (c, c->has_start ? GHC_CHECK_GC_ENDS : GHC_CHECK_GC_CUT, cap->cut);
  }
  c->has_thread = c->has_start = false;
}

static void
set_types (struct ghc_log_check *c, const struct ghc_header *header)
{
  static const bool others[GHC_KINDS + 1] = {
    [GHC_CREATE_THREAD] = true, /* the first one may be the program's */
    [GHC_GC_START] = true,        [GHC_GC_END] = true,         [GHC_HEAP_ALLOCATED] = true,
    [GHC_LOG_MSG] = true,         [GHC_RTS_IDENTIFIER] = true, [GHC_PROGRAM_ARGS] = true,
    [GHC_WALL_CLOCK_TIME] = true, [GHC_STARTUP] = true,        [GHC_PROGRAM_INVOCATION] = true,
  };
  ghc_span_forms (c->forms, header, others);
  c->statuses = header->is_7_8_2 ? GHC_UNIT_STOP_STATUS_7_8_2 : GHC_UNIT_STOP_STATUS;
  c->sound_statuses = 0;
}

/* A header begins a log: a marker right before it has no block, and times may begin anew. */
static void
handle_header (struct ghc_log_check *c, uint64_t offset, const struct ghc_header *header)
{
  if (c->in_block && c->log.headers != 0 && c->block.events == 0)
    find (c, GHC_CHECK_STRAY_BLOCK, c->block.offset);
  c->header = offset;
  set_types (c, header);
  c->log.overlaps = false; /* found of each */
  end_block (c);
  end_recording (c);
  g_hash_table_remove_all (c->by_cap);
  c->recent = NULL;
  c->caps = 0;
}

/* ---- events ---- */

static void
check_collection (struct ghc_log_check *c, struct ghc_check_cap *cap, const struct ghc_item *item)
{
  if (item->kind == GHC_GC_START) {
    if (cap->is_collecting)
      find (c, GHC_CHECK_GC_STARTS, cap->collection);
    cap->is_collecting = cap->has_collected = true;
    cap->collection = item->offset;
  } else if (item->kind == GHC_GC_END) {
    if (!cap->has_collected)
      cap->cut = item->offset;
    else if (!cap->is_collecting)
      find (c, GHC_CHECK_GC_ENDS, item->offset);
    cap->is_collecting = false;
    cap->has_collected = true;
  } else if (item->kind == GHC_HEAP_ALLOCATED) {
    if (item->payload->heap_allocated.bytes < cap->allocated)
      find (c, GHC_CHECK_COUNTERS, item->offset);
    cap->allocated = item->payload->heap_allocated.bytes;
  }
}

static void
check_times (struct ghc_log_check *c, struct ghc_check_cap *cap, const struct ghc_item *item)
{
  if (item->kind == GHC_GC_END)
    return;
  if (item->time < c->block.start || item->time > c->block.end) {
    find (c, GHC_CHECK_EVENT_TIME, item->offset);
    return;
  }
  if (item->time < cap->time)
    find (c, GHC_CHECK_EVENT_ORDER, item->offset);
  cap->time = MAX (cap->time, item->time);
}

static void
note_thread (struct ghc_log_check *c, const struct ghc_item *item)
{
  if (item->kind != GHC_CREATE_THREAD && item->kind != GHC_RUN_THREAD
      && item->kind != GHC_STOP_THREAD)
    return;
  if (!c->has_thread || item->time < c->first_thread)
    c->has_start = ghc_is_first_of_program (item->kind, item->payload);
  c->first_thread = c->has_thread ? MIN (c->first_thread, item->time) : item->time;
  c->has_thread = true;
}

static bool
is_in_block (const struct ghc_log_check *c, const struct ghc_item *item)
{
  return c->in_block && item->offset < c->block.offset + c->block.size;
}

static void
check_event (struct ghc_log_check *c, const struct ghc_item *item)
{
  c->has_program |= item->kind == GHC_RTS_IDENTIFIER || item->kind == GHC_PROGRAM_ARGS
                    || item->kind == GHC_WALL_CLOCK_TIME || item->kind == GHC_STARTUP
                    || item->kind == GHC_PROGRAM_INVOCATION;
  if (item->kind == GHC_UNKNOWN)
    find (c, GHC_CHECK_UNKNOWN, item->offset);
  if (item->extra != 0)
    find (c, GHC_CHECK_MORE, item->offset);
  if (item->kind == GHC_STOP_THREAD
      && ghc_value_name (c->statuses, item->payload->stop_thread.status) == NULL)
    find (c, GHC_CHECK_STATUS, item->offset);
  if (!is_in_block (c, item)) {
    find (c, GHC_CHECK_NO_BLOCK, item->offset);
    return;
  }
  struct ghc_check_cap *cap = cap_of (c, item->cap);
  c->block.events++;
  note_thread (c, item);
  check_times (c, cap, item);
  check_collection (c, cap, item);
}

static void
note_times (struct ghc_log_check *c, uint64_t first, uint64_t last)
{
  const bool overlaps = c->log.overlaps;
  ghc_log_span (&c->log, first, last);
  if (c->log.overlaps && !overlaps)
    find (c, GHC_CHECK_OVERLAP, c->header);
}

static void
handle_event (struct ghc_log_check *c, const struct ghc_item *item)
{
  ghc_log_count (&c->log, item->event_type->tag, 1, item->size);
  if (item->kind == GHC_BLOCK_MARKER) {
    begin_block (c, item);
    return;
  }
  note_times (c, item->time, item->time);
  ghc_log_note_loss (&c->log, item);
  check_event (c, item);
}

/* Is nothing to be found in this event, which has a form?  The status of a thread is mostly that of
 * the one before. */
static bool
is_sound (struct ghc_log_check *c, const uint8_t *event, const struct ghc_event_head *head)
{
  if (head->tag != GHC_TAG_RUN_THREAD && head->tag != GHC_TAG_STOP_THREAD)
    return true;
  if (!c->has_thread || head->time < c->first_thread)
    return false;
  if (head->tag == GHC_TAG_RUN_THREAD)
    return true;
  const uint64_t status = GHC_WALK_FIELD (event + head->start, stop_thread, status);
  if (status >= 64 || (c->sound_statuses >> status & 1) == 0) {
    if (ghc_value_name (c->statuses, status) == NULL)
      return false;
    c->sound_statuses |= status < 64 ? UINT64_C (1) << status : 0;
  }
  return true;
}

void
ghc_log_check_span (struct ghc_log_check *c, struct ghc_span *span)
{
  if (!c->in_block || span->offset >= c->block.offset + c->block.size)
    return;
  struct ghc_check_cap *cap = cap_of (c, span->cap);
  const uint8_t *at = span->at;
  uint64_t events = 0, first = UINT64_MAX, last = 0;
  struct ghc_event_head head;
  while (span->end - at >= GHC_EVENT_HEADER_SIZE) {
    head.tag = proflog_be16 (at);
    if (head.tag >= GHC_SPAN_TAGS
        || !ghc_span_head (span, at, c->forms[head.tag], span->last, &head)
        || head.time < c->block.start || head.time > c->block.end || head.time < cap->time
        || !is_sound (c, at, &head))
      break;
    at += head.size;
    span->before = span->last;
    span->last = cap->time = head.time;
    c->log.tags[head.tag].events++;
    c->log.tags[head.tag].bytes += head.size;
    first = MIN (first, head.time);
    last = head.time;
    events++;
  }
  span->at = at;
  if (events == 0)
    return;
  c->log.events += events;
  c->log.bytes = MAX (c->log.bytes, span->offset + (uint64_t) (at - span->begin));
  c->block.events += events;
  note_times (c, first, last);
}

/* ---- damage ---- */

static void
store_damage (struct ghc_log_check *c, uint64_t offset, uint64_t skipped, const char *message)
{
  const struct check_damage damage
      = { .offset = offset, .skipped = skipped, .message = g_strdup (message) };
  g_array_append_val (c->damages, damage);
}

static void
handle_damage (struct ghc_log_check *c, const struct ghc_item *item)
{
  const bool in_block = is_in_block (c, item);
  if (in_block) {
    c->damaged_blocks += c->block.damage == 0 && c->block.skipped == 0;
    c->block.skipped += item->damage->skipped;
  }
  if (c->damages->len < CHECK_DAMAGES_MAX) {
    store_damage (c, item->offset, item->damage->skipped, item->damage->message);
    if (in_block && c->block.damage == 0)
      c->block.damage = c->damages->len;
  }
}

void
ghc_log_check_damage (struct ghc_log_check *c, bool truncated, const char *message)
{
  ghc_log_damage (&c->log, truncated, message);
  store_damage (c, c->log.bytes, 0, message);
}

void
ghc_log_check_item (struct ghc_log_check *c, const struct ghc_item *item)
{
  switch (item->type) {
  case GHC_ITEM_HEADER:
    handle_header (c, item->offset, item->header);
    break;
  case GHC_ITEM_EVENT:
    handle_event (c, item);
    break;
  case GHC_ITEM_END:
    break;
  case GHC_ITEM_DAMAGE:
    handle_damage (c, item);
    break;
  }
  ghc_log_item (&c->log, item);
}

void
ghc_log_check_finish (struct ghc_log_check *c)
{
  GHashTableIter i;
  gpointer value;
  end_block (c);
  end_recording (c);
  g_hash_table_iter_init (&i, c->by_cap);
  while (g_hash_table_iter_next (&i, NULL, &value)) {
    const struct ghc_check_cap *cap = value;
    if (cap->is_collecting)
      find (c, GHC_CHECK_GC_STARTS, cap->collection);
  }
  if (!c->has_program && c->log.events != 0)
    find (c, GHC_CHECK_NO_PROGRAM, c->log.bytes);
  const char *const loss = ghc_log_damage_by_losses (&c->log);
  if (loss != NULL)
    store_damage (c, c->log.bytes, 0, loss);
}

enum check_level
ghc_log_check_level (const struct ghc_log_check *c)
{
  enum check_level worst = c->log.damages != 0 ? CHECK_ERROR : CHECK_NOTE;
  for (guint i = 0; i < GHC_FINDINGS; i++)
    if (c->findings[i].count != 0)
      worst = MAX (worst, ghc_finding_types[i].level);
  return worst;
}
