/* log-check.c -- finds damage and inconsistent events in a Mono log. */
#include "config.h"

#include "decoder/mlpd/analyses/log-check.h"
#include "decoder/mlpd/analyses/check-frames.h"
#include "decoder/mlpd/mlpd-bulk.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/mlpd/mlpd-losses.h"
#include "decoder/mlpd/mlpd-sample-usage.h"

enum { CLASSES, METHODS, VTABLES };

struct check_thread {
  uint64_t id;
  bool has_time;
  uint64_t time; /* of its latest event */
  bool in_shot;
  uint64_t shot; /* where it begins */
  struct check_frames frames;
};

struct check_symbol {
  bool used, announced;
  uint64_t offset; /* of the first use */
};

/* Methods, classes and vtables that were used recently, by some bits of their addresses: most
 * events use one of these, which need not be searched for again. */
enum { RECENT = 1024 };

struct recent {
  uint64_t methods[RECENT], types[RECENT];
};

const struct check_finding_type check_finding_types[] = {
#define FINDING(ID, name, level, text) { name, level, text },
#include "decoder/mlpd/analyses/log-check.def"
};

static void
thread_free (void *data)
{
  struct check_thread *t = data;
  check_frames_clear (&t->frames);
  g_free (t);
}

static void
clear_damage (void *data)
{
  g_free (((struct check_damage *) data)->message);
}

void
log_check_init (struct log_check *c, bool keep_all)
{
  *c = (struct log_check){ .keep_all = keep_all };
  log_init (&c->log);
  c->buffers = g_array_new (FALSE, FALSE, sizeof (struct check_buffer));
  c->damages = g_array_new (FALSE, FALSE, sizeof (struct check_damage));
  g_array_set_clear_func (c->damages, clear_damage);
  threads_init (&c->lifetimes);
  c->threads = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, thread_free);
  for (guint i = 0; i < G_N_ELEMENTS (c->symbols); i++) {
    id_map_init (&c->symbols[i].numbers);
    c->symbols[i].all = g_array_new (FALSE, TRUE, sizeof (struct check_symbol));
  }
  c->recent = g_new0 (struct recent, 1);
  c->counters = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}

void
log_check_clear (struct log_check *c)
{
  log_clear (&c->log);
  g_array_free (c->buffers, TRUE);
  g_array_free (c->damages, TRUE);
  threads_clear (&c->lifetimes);
  g_hash_table_destroy (c->threads);
  for (guint i = 0; i < G_N_ELEMENTS (c->symbols); i++) {
    id_map_clear (&c->symbols[i].numbers);
    g_array_unref (c->symbols[i].all);
  }
  g_free (c->recent);
  g_hash_table_destroy (c->counters);
}

static void
find_many (struct log_check *c, enum check_finding_kind kind, uint64_t offset, uint64_t count)
{
  struct check_finding *f = &c->findings[kind];
  if (count != 0 && (f->count == 0 || offset < f->offset))
    f->offset = offset;
  f->count += count;
}

static void
find (struct log_check *c, enum check_finding_kind kind, uint64_t offset)
{
  find_many (c, kind, offset, 1);
}

/* ---- threads ---- */

static struct check_thread *
thread_of (struct log_check *c, uint64_t id)
{
  struct check_thread *t = g_hash_table_lookup (c->threads, &id);
  if (t == NULL) {
    t = g_new0 (struct check_thread, 1);
    t->id = id;
    g_hash_table_insert (c->threads, &t->id, t);
  }
  return t;
}

/* The calls and the snapshot that a thread leaves open. */
static void
end_thread (struct log_check *c, struct check_thread *t)
{
  if (t->frames.n > 0)
    find_many (c, CHECK_FRAMES, t->frames.all[0].offset, t->frames.n + t->frames.deeper);
  if (t->in_shot)
    find (c, CHECK_OPEN_SHOTS, t->shot);
  t->frames.n = 0;
  t->frames.deeper = 0;
  t->in_shot = t->has_time = false;
}

static void
leave (struct log_check *c, struct check_thread *t, uint64_t method, uint64_t offset)
{
  uint64_t unleft, first = 0;
  if (!check_frames_leave (&t->frames, method, &unleft, &first))
    find (c, CHECK_LEAVES, offset);
  else if (unleft != 0)
    find_many (c, CHECK_FRAMES, first, unleft);
}

/* ---- names ---- */

/* Valid until the next call. */
static struct check_symbol *
symbol_of (struct log_check *c, int table, uint64_t address)
{
  struct check_symbols *symbols = &c->symbols[table];
  const guint number = id_map_number (&symbols->numbers, address);
  if (G_UNLIKELY (number == symbols->all->len))
    g_array_set_size (symbols->all, number + 1);
  return &((struct check_symbol *) (void *) symbols->all->data)[number];
}

static void
use (struct log_check *c, int table, uint64_t address, uint64_t offset)
{
  if (address == 0)
    return;
  struct check_symbol *s = symbol_of (c, table, address);
  if (!s->used)
    s->offset = offset;
  s->used = true;
}

struct using
{
  struct log_check *check;
  uint64_t offset;
};

static void
use_number (const struct mlpd_field *field, uint64_t value, void *data)
{
  const struct using *u = data;
  if (field->unit == MLPD_UNIT_CLASS)
    use (u->check, CLASSES, value, u->offset);
  else if (field->unit == MLPD_UNIT_METHOD)
    use (u->check, METHODS, value, u->offset);
  else if (field->unit == MLPD_UNIT_VTABLE)
    use (u->check, VTABLES, value, u->offset);
}

static void
use_list (const struct mlpd_field *field, struct mlpd_list list, void *data)
{
  for (size_t i = 0; i < list.count && field->unit == MLPD_UNIT_METHOD; i++)
    use_number (field, list.items[i], data);
}

/* ---- events ---- */

static void
handle_counters (struct log_check *c, const struct mlpd_item *item)
{
  if (item->kind == MLPD_SAMPLE_COUNTERS_DESC) {
    const struct mlpd_counters described = item->payload->sample_counters_desc.counters;
    for (size_t i = 0; i < described.count; i++)
      g_hash_table_add (c->counters,
                        g_memdup2 (&described.items[i].index, sizeof described.items[i].index));
  } else if (item->kind == MLPD_SAMPLE_COUNTERS) {
    if (!mlpd_is_context (item->buffer))
      c->lost_events += mlpd_losses_of (item->kind, item->payload);
    const struct mlpd_counter_values values = item->payload->sample_counters.values;
    for (size_t i = 0; i < values.count; i++)
      if (!mlpd_is_sample_usage (values.items[i].index)
          && !g_hash_table_contains (c->counters, &values.items[i].index))
        find (c, CHECK_COUNTERS, item->offset);
  }
}

/* The event's facts about threads, snapshots, names. */
static void
handle_kind (struct log_check *c, const struct mlpd_item *item)
{
  const union mlpd_payload *p = item->payload;
  struct check_thread *t = c->thread;
  c->lifetime->events++;
  switch (item->kind) {
  case MLPD_METHOD_ENTER:
    check_frames_enter (&t->frames, p->method_enter.method, item->offset);
    break;
  case MLPD_METHOD_LEAVE:
    leave (c, t, p->method_leave.method, item->offset);
    break;
  case MLPD_METHOD_EXC_LEAVE:
    leave (c, t, p->method_exc_leave.method, item->offset);
    break;
  case MLPD_HEAP_START:
    if (mlpd_is_context (item->buffer)) /* its number only */
      break;
    if (t->in_shot)
      find (c, CHECK_OPEN_SHOTS, t->shot);
    t->in_shot = true;
    t->shot = item->offset;
    break;
  case MLPD_HEAP_END:
    t->in_shot = false;
    break;
  case MLPD_HEAP_OBJECT:
    if (!t->in_shot)
      find (c, CHECK_STRAY_OBJECTS, item->offset);
    break;
  case MLPD_METADATA_CLASS:
    symbol_of (c, CLASSES, p->metadata_class.klass)->announced = true;
    break;
  case MLPD_METADATA_VTABLE:
    symbol_of (c, VTABLES, p->metadata_vtable.vtable)->announced = true;
    break;
  case MLPD_METHOD_JIT:
    symbol_of (c, METHODS, p->method_jit.method)->announced = true;
    break;
  case MLPD_METADATA_THREAD:
    log_thread (&c->log, &p->metadata_thread);
    threads_metadata (&c->lifetimes, &p->metadata_thread, p->metadata_thread.thread == t->id);
    if (p->metadata_thread.action == MLPD_LOAD_END_UNLOAD && p->metadata_thread.thread == t->id)
      end_thread (c, t); /* the id may be used again */
    break;
  default:
    handle_counters (c, item);
    break;
  }
}

static void
add_time (struct log_check *c, uint64_t time, uint64_t offset)
{
  struct check_buffer *b = &c->buffer;
  if ((int64_t) (time - b->base) < 0)
    find (c, CHECK_EVENT_TIME, offset);
  b->start = b->events == 0 ? time : MIN (b->start, time);
  b->end = b->events == 0 ? time : MAX (b->end, time);
  if (!c->thread->has_time || time > c->thread->time)
    c->thread->time = time;
  c->thread->has_time = true;
  c->log.last_time = MAX (c->log.last_time, time);
}

static void
handle_event (struct log_check *c, const struct mlpd_item *item)
{
  static const struct mlpd_visitor visitor = { .number = use_number, .list = use_list };
  struct using u = { c, item->offset };
  uint64_t time;
  if (mlpd_event_time (item->kind, item->payload, &time) && !mlpd_is_context (item->buffer))
    add_time (c, time, item->offset);
  c->buffer.events++;
  c->log.events++;
  mlpd_visit (item->kind, item->payload, item->header->data_version, &visitor, &u);
  handle_kind (c, item);
}

/* ---- many events at once ---- */

static inline bool
is_recent (uint64_t *recent, uint64_t address)
{
  uint64_t *const slot = &recent[(address >> 3 ^ address >> 13) % RECENT];
  const bool is_there = *slot == address;
  *slot = address;
  return is_there;
}

/* The figures of the events of a span, whose kinds come in bulk. */
struct bulk {
  uint64_t events, first, last; /* times */
};

static inline void
count_event (struct log_check *c, struct bulk *bulk, uint64_t time, uint64_t offset)
{
  if (G_UNLIKELY ((int64_t) (time - c->buffer.base) < 0))
    find (c, CHECK_EVENT_TIME, offset);
  bulk->first = MIN (bulk->first, time);
  bulk->last = MAX (bulk->last, time);
  bulk->events++;
}

static void
add_bulk (struct log_check *c, const struct bulk *bulk)
{
  struct check_buffer *b = &c->buffer;
  if (bulk->events == 0)
    return;
  b->start = b->events == 0 ? bulk->first : MIN (b->start, bulk->first);
  b->end = b->events == 0 ? bulk->last : MAX (b->end, bulk->last);
  if (!c->thread->has_time || bulk->last > c->thread->time)
    c->thread->time = bulk->last;
  c->thread->has_time = true;
  c->log.last_time = MAX (c->log.last_time, bulk->last);
  b->events += bulk->events;
  c->log.events += bulk->events;
  c->lifetime->events += bulk->events;
}

/* Handles the event at the cursor if it is of a kind that comes in bulk; false if it is not, or not
 * whole. */
static inline bool
consume_event (struct log_check *c, struct mlpd_decoder *d, struct mlpd_bases *b, struct bulk *bulk,
               struct cursor *cursor, uint64_t offset)
{
  struct check_frames *const frames = &c->thread->frames;
  union mlpd_payload p = { .alloc = { 0 } }; /* in registers; else GCC 14 warns */
  const enum mlpd_kind kind = mlpd_get_bulk (b, d, cursor, &p);
  if (kind == MLPD_KINDS)
    return false;
  count_event (c, bulk, mlpd_bulk_time (kind, &p), offset);
  switch (kind) {
  case MLPD_METHOD_ENTER:
    if (!is_recent (c->recent->methods, p.method_enter.method))
      use (c, METHODS, p.method_enter.method, offset);
    check_frames_enter (frames, p.method_enter.method, offset);
    break;
  case MLPD_METHOD_LEAVE:
    if (G_LIKELY (check_frames_leave_top (frames, p.method_leave.method)))
      break; /* its enter has used the method */
    use (c, METHODS, p.method_leave.method, offset);
    leave (c, c->thread, p.method_leave.method, offset);
    break;
  default:
    /* An allocation has the one or the other. */
    if (!is_recent (c->recent->types, p.alloc.klass | p.alloc.vtable)) {
      use (c, CLASSES, p.alloc.klass, offset);
      use (c, VTABLES, p.alloc.vtable, offset);
    }
    for (size_t i = 0; i < p.alloc.backtrace.count; i++)
      if (!is_recent (c->recent->methods, p.alloc.backtrace.items[i]))
        use (c, METHODS, p.alloc.backtrace.items[i], offset);
    break;
  }
  return true;
}

void
log_check_span (struct log_check *c, struct mlpd_span *span)
{
  struct mlpd_decoder *const d = span->decoder;
  const uint8_t *const begin = span->at;
  struct mlpd_bases b = d->bases;
  struct bulk bulk = { .first = UINT64_MAX };
  while (span->at < span->end && c->thread != NULL) {
    struct cursor cursor = cursor_over (span->at, (size_t) (span->end - span->at));
    if (!consume_event (c, d, &b, &bulk, &cursor, span->offset + (uint64_t) (span->at - begin)))
      break;
    d->bases.time = b.time;
    d->bases.method = b.method;
    span->at = cursor.at;
  }
  add_bulk (c, &bulk);
  c->log.bytes = MAX (c->log.bytes, span->offset + (uint64_t) (span->at - begin));
}

/* ---- buffers, headers, damage ---- */

static void
end_buffer (struct log_check *c)
{
  if (c->in_buffer && (c->keep_all || c->buffer.damage != 0))
    g_array_append_val (c->buffers, c->buffer);
  c->in_buffer = false;
}

static void
begin_buffer (struct log_check *c, const struct mlpd_item *item)
{
  const struct mlpd_buffer_header *h = item->buffer;
  end_buffer (c);
  c->in_buffer = true;
  c->buffer = (struct check_buffer){ .offset = item->offset,
                                     .length = h->length,
                                     .thread = h->thread,
                                     .base = h->time_base,
                                     .start = h->time_base,
                                     .end = h->time_base,
                                     .is_loss_mark = mlpd_is_loss_mark (h),
                                     .is_check_mark = mlpd_is_check_mark (h) };
  c->is_part |= mlpd_is_context (h);
  c->log.blocks++;
  if (!c->log.has_time)
    c->log.first_time = c->log.last_time = h->time_base;
  c->log.has_time = true;
  if (h->length == 0) { /* a mark is of no thread */
    c->thread = NULL;
    return;
  }
  c->thread = thread_of (c, h->thread);
  c->lifetime = threads_get (&c->lifetimes, h->thread);
  if (c->thread->has_time && h->time_base < c->thread->time)
    find (c, CHECK_BUFFER_TIME, item->offset);
}

static void
handle_header (struct log_check *c, const struct mlpd_item *item)
{
  if (item->header->pid == 0)
    find (c, CHECK_NO_PROCESS, item->offset);
  if (item->header->flags != 0)
    find (c, CHECK_FLAGS, item->offset);
}

static void
store_damage (struct log_check *c, uint64_t offset, uint64_t skipped, const char *message)
{
  const struct check_damage damage
      = { .offset = offset, .skipped = skipped, .message = g_strdup (message) };
  g_array_append_val (c->damages, damage);
}

static void
handle_damage (struct log_check *c, const struct mlpd_item *item)
{
  const bool in_buffer = c->in_buffer && item->buffer != NULL;
  if (in_buffer) {
    c->damaged_buffers += c->buffer.skipped == 0 && c->buffer.damage == 0;
    c->buffer.skipped += item->damage->skipped;
  }
  if (c->damages->len < CHECK_DAMAGES_MAX) {
    store_damage (c, item->offset, item->damage->skipped, item->damage->message);
    if (in_buffer && c->buffer.damage == 0)
      c->buffer.damage = c->damages->len;
  }
}

void
log_check_item (struct log_check *c, const struct mlpd_item *item)
{
  switch (item->type) {
  case MLPD_ITEM_FILE_HEADER:
    handle_header (c, item);
    break;
  case MLPD_ITEM_BUFFER:
    begin_buffer (c, item);
    break;
  case MLPD_ITEM_EVENT:
    handle_event (c, item);
    break;
  case MLPD_ITEM_DAMAGE:
    handle_damage (c, item);
    break;
  }
  log_item (&c->log, item);
}

void
log_check_damage (struct log_check *c, bool truncated, const char *message)
{
  log_damage (&c->log, truncated, message);
  store_damage (c, c->log.bytes, 0, message);
}

static void
find_unknown (struct log_check *c, int table, enum check_finding_kind kind)
{
  const GArray *all = c->symbols[table].all;
  for (guint i = 0; i < all->len; i++) {
    const struct check_symbol *s = &g_array_index (all, struct check_symbol, i);
    if (s->used && !s->announced)
      find (c, kind, s->offset);
  }
}

/* A part may have cut one buffer into several, whose events may have been in another order. */
static void
find_cut_buffers (struct log_check *c)
{
  c->findings[CHECK_CUT_BUFFERS] = c->findings[CHECK_BUFFER_TIME];
  c->findings[CHECK_BUFFER_TIME] = (struct check_finding){ .count = 0 };
}

void
log_check_finish (struct log_check *c)
{
  GHashTableIter iter;
  gpointer thread;
  end_buffer (c);
  if (c->is_part)
    find_cut_buffers (c);
  g_hash_table_iter_init (&iter, c->threads);
  while (g_hash_table_iter_next (&iter, NULL, &thread))
    end_thread (c, thread);
  if (log_completeness (&c->log) == LOG_UNKNOWN)
    find (c, CHECK_NO_END, c->log.bytes);
  char *const losses = log_damage_by_losses (&c->log, c->lost_events);
  if (losses != NULL)
    store_damage (c, c->log.bytes, 0, losses);
  g_free (losses);
  find_unknown (c, CLASSES, CHECK_CLASSES);
  find_unknown (c, METHODS, CHECK_METHODS);
  find_unknown (c, VTABLES, CHECK_VTABLES);
}

enum check_level
log_check_level (const struct log_check *c)
{
  enum check_level worst = c->log.damages != 0 ? CHECK_ERROR : CHECK_NOTE;
  for (guint i = 0; i < CHECK_FINDINGS; i++)
    if (c->findings[i].count != 0)
      worst = MAX (worst, check_finding_types[i].level);
  return worst;
}
