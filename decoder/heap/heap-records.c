/* heap-records.c -- packs and unpacks objects with their references.
 *
 * A record: object, from the one before, in units of 8 bytes; type, twice, with a bit for
 * has_offsets; size; generation; number of references.  Of each reference the offset, from the one
 * before, if there are any, and the target, from the object, in units of 8 bytes. */
#include "config.h"

#include "decoder/heap/heap-records.h"
#include <proflog/mlpd-encode.h>

/* References of a record at most: of more there are several records, as in logs. */
#define PART_MAX ((size_t) 1 << 20)

static void
add_part (struct heap_records *r, guint type, const struct mlpd_heap_object *e, size_t from,
          size_t end)
{
  const struct mlpd_references *references = &e->references;
  const guint before = r->bytes->len;
  const size_t most = 4 * MLPD_LEB128_MAX + 1 + 2 * MLPD_LEB128_MAX * (end - from);
  /* As many bytes as it may need; then as many as it does. */
  g_byte_array_set_size (r->bytes, before + (guint) most);
  uint8_t *p = r->bytes->data + before;
  p = mlpd_put_sleb (p, (int64_t) (e->object - r->last) >> 3);
  p = mlpd_put_uleb (p, (uint64_t) type << 1 | (references->offsets != NULL));
  p = mlpd_put_uleb (p, from == 0 ? e->size : 0);
  *p++ = e->generation;
  p = mlpd_put_uleb (p, end - from);
  uint64_t offset = 0;
  for (size_t i = from; i < end; i++) {
    if (references->offsets != NULL) {
      p = mlpd_put_uleb (p, references->offsets[i] - offset);
      offset = references->offsets[i];
    }
    p = mlpd_put_sleb (p, (int64_t) (references->items[i] - e->object) >> 3);
  }
  r->last = e->object;
  g_byte_array_set_size (r->bytes, (guint) (p - r->bytes->data));
}

void
heap_records_add (struct heap_records *r, guint type, const struct mlpd_heap_object *e)
{
  const size_t count = e->references.count;
  size_t at = 0;
  do {
    const size_t end = MIN (count, at + PART_MAX);
    add_part (r, type, e, at, end);
    at = end;
  } while (at < count);
}

bool
heap_records_next (struct cursor *c, struct heap_record *r)
{
  if (cursor_left (c) == 0)
    return false;
  r->object += (uint64_t) cursor_sleb (c) << 3;
  const uint64_t type = cursor_uleb (c);
  r->type = (guint) (type >> 1);
  r->has_offsets = (type & 1) != 0;
  r->bytes = cursor_uleb (c);
  r->generation = cursor_u8 (c);
  r->n_references = cursor_uleb (c);
  return c->error == CURSOR_OK;
}

void
heap_records_skip (struct cursor *c, const struct heap_record *r)
{
  const size_t numbers = (size_t) r->n_references << r->has_offsets;
  for (size_t i = cursor_skip_many (c, numbers); i < numbers; i++)
    cursor_uleb (c);
}
