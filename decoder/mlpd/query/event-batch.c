/* event-batch.c -- copies events, and hands the copies over. */
#include "config.h"

#include "decoder/mlpd/query/event-batch.h"
#include <string.h>

/* Bytes of a batch that no large event is in: they stay in a core's cache. */
#define BATCH_BYTES (256u << 10)

/* An event in the batch; its payload follows, then the lists and texts of that. */
struct copied_event {
  uint64_t offset, time;
  const struct mlpd_buffer_header *buffer;
  uint64_t bytes; /* of the copy, up to the next one */
  uint32_t size;  /* in the log */
  uint16_t kind;
};

void
event_batch_empty (struct event_batch *b)
{
  b->used = 0;
  b->source = NULL;
}

void
event_batch_free (struct event_batch *b)
{
  g_free (b->bytes);
  *b = (struct event_batch){ .bytes = NULL };
}

/* ---- lists and texts ---- */

/* Where the copies go: NULL `at` where their bytes are counted only. */
struct copying {
  uint8_t *at;
  size_t bytes;
};

static size_t
aligned (size_t bytes)
{
  return (bytes + 7) & ~(size_t) 7;
}

static const void *
copy_bytes (struct copying *c, const void *from, size_t length)
{
  uint8_t *const to = c->at;
  const size_t bytes = aligned (length);
  c->bytes += bytes;
  if (to == NULL || from == NULL)
    return from;
  memcpy (to, from, length);
  c->at += bytes;
  return to;
}

static void
copy_number (struct copying *c, const void *field)
{
  (void) c, (void) field;
}

static void
copy_string (struct copying *c, struct mlpd_string *s)
{
  /* With its NUL, which some readers of it go up to. */
  s->text = copy_bytes (c, s->text, s->text != NULL ? s->length + 1 : 0);
}

static void
copy_list (struct copying *c, struct mlpd_list *l)
{
  l->items = copy_bytes (c, l->items, l->count * sizeof *l->items);
}

static void
copy_references (struct copying *c, struct mlpd_references *l)
{
  l->items = copy_bytes (c, l->items, l->count * sizeof *l->items);
  l->offsets = copy_bytes (c, l->offsets, l->offsets != NULL ? l->count * sizeof *l->offsets : 0);
}

static void
copy_roots (struct copying *c, struct mlpd_roots *l)
{
  l->items = copy_bytes (c, l->items, l->count * sizeof *l->items);
}

static void
copy_frames (struct copying *c, struct mlpd_frames *l)
{
  l->items = copy_bytes (c, l->items, l->count * sizeof *l->items);
}

static void
copy_counters (struct copying *c, struct mlpd_counters *l)
{
  struct mlpd_counter *items
      = (struct mlpd_counter *) copy_bytes (c, l->items, l->count * sizeof *l->items);
  for (size_t i = 0; i < l->count; i++) {
    struct mlpd_counter counter = items[i];
    copy_string (c, &counter.section_name);
    copy_string (c, &counter.name);
    if (c->at != NULL)
      items[i] = counter;
  }
  l->items = items;
}

static void
copy_counter_values (struct copying *c, struct mlpd_counter_values *l)
{
  struct mlpd_counter_value *items
      = (struct mlpd_counter_value *) copy_bytes (c, l->items, l->count * sizeof *l->items);
  for (size_t i = 0; i < l->count; i++) {
    struct mlpd_counter_value value = items[i];
    copy_string (c, &value.text);
    if (c->at != NULL)
      items[i] = value;
  }
  l->items = items;
}

/* By the type of the field. */
#define COPY(c, field)                                                                             \
  _Generic((field), struct mlpd_string                                                             \
           : copy_string, struct mlpd_list                                                         \
           : copy_list, struct mlpd_references                                                     \
           : copy_references, struct mlpd_roots                                                    \
           : copy_roots, struct mlpd_frames                                                        \
           : copy_frames, struct mlpd_counters                                                     \
           : copy_counters, struct mlpd_counter_values                                             \
           : copy_counter_values, default                                                          \
           : copy_number) (c, &(field))

/* Copies the fields, and lets them point to copies of their contents. */
static void
copy_payload (struct copying *c, enum mlpd_kind kind, const union mlpd_payload *from,
              union mlpd_payload *to)
{
  switch (kind) {
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc)                                \
  case MLPD_##ID:                                                                                  \
    to->id = from->id;
#define FIELD(id, field, wire, unit, when, doc) COPY (c, to->id.field);
#define END_EVENT(id) break;
#include <proflog/mlpd-events.def>
  default:
    break;
  }
}

/* Of each kind: the bytes of its payload, and whether that points to anything. */
#define IS_NUMBER(id, field)                                                                       \
  _Generic(((union mlpd_payload *) 0)->id.field, uint64_t                                          \
           : true, uint32_t                                                                        \
           : true, uint16_t                                                                        \
           : true, uint8_t                                                                         \
           : true, default                                                                         \
           : false)

static const struct {
  uint16_t bytes;
  bool has_contents;
} payloads[MLPD_KINDS] = {
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc)                                \
  [MLPD_##ID] = { .bytes = sizeof (struct mlpd_##id), .has_contents = !(true
#define FIELD(id, field, wire, unit, when, doc) &&IS_NUMBER (id, field)
#define END_EVENT(id) )                                                                            \
  }                                                                                                \
  ,
#include <proflog/mlpd-events.def>
};

/* ---- events ---- */

/* A place for `bytes` bytes; NULL if the batch is full. */
static void *
reserve (struct event_batch *b, size_t bytes)
{
  if (b->room - b->used < bytes) {
    if (b->used != 0)
      return NULL;
    b->room = MAX (bytes, BATCH_BYTES);
    g_free (b->bytes);
    b->bytes = g_malloc (b->room);
  }
  return b->bytes + b->used;
}

static size_t
contents_bytes (const struct mlpd_item *item)
{
  union mlpd_payload payload;
  struct copying counted = { .at = NULL };
  if (!payloads[item->kind].has_contents)
    return 0;
  copy_payload (&counted, item->kind, item->payload, &payload);
  return counted.bytes;
}

bool
event_batch_add (struct event_batch *b, const struct mlpd_item *item, uint64_t offset,
                 uint64_t time)
{
  const size_t payload = aligned (payloads[item->kind].bytes);
  const bool is_other_buffer = b->source != item->buffer;
  const size_t bytes = sizeof (struct copied_event) + payload + contents_bytes (item)
                       + (is_other_buffer ? aligned (sizeof *item->buffer) : 0);
  uint8_t *const at = reserve (b, bytes);
  if (at == NULL)
    return false;
  struct copied_event *const e = (void *) at;
  struct copying copying = { .at = at + sizeof *e + payload };
  copy_payload (&copying, item->kind, item->payload, (void *) (e + 1));
  if (is_other_buffer)
    b->buffer = copy_bytes (&copying, item->buffer, sizeof *item->buffer);
  b->source = item->buffer;
  e->offset = offset;
  e->time = time;
  e->buffer = b->buffer;
  e->bytes = bytes;
  e->size = (uint32_t) item->size;
  e->kind = (uint16_t) item->kind;
  b->used += bytes;
  return true;
}

void
event_batch_end_buffer (struct event_batch *b)
{
  b->source = NULL;
}

bool
event_batch_each (const struct event_batch *b, const struct mlpd_file_header *header,
                  bool (*take) (void *data, const struct mlpd_item *item, uint64_t time),
                  void *data)
{
  struct mlpd_item item = { .type = MLPD_ITEM_EVENT, .header = header };
  const uint8_t *const end = b->bytes + b->used;
  for (const uint8_t *at = b->bytes; at != end;) {
    const struct copied_event *e = (const void *) at;
    item.offset = e->offset;
    item.size = e->size;
    item.buffer = e->buffer;
    item.kind = e->kind;
    item.payload = (const void *) (e + 1);
    if (!take (data, &item, e->time))
      return false;
    at += e->bytes;
  }
  return true;
}
