/* mlpd-object-unit.c -- inspects the first differences of objects.
 *
 * Objects are aligned to 8 bytes.  So differences in bytes are all multiples of 8, which of
 * differences in units of 8 only an eighth are, or so: a real log has another one among the first
 * few.  It may have none if it has few objects, and these of one size.  Then objects would overlap
 * if their differences were bytes.
 */
#include "config.h"

#include "decoder/mlpd/mlpd-object-unit.h"

#include "decoder/mlpd/mlpd-decode.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/mlpd/mlpd-origin.h"

/* The number of differences other than 0 that decide; with fewer in the log, the least number. */
#define DIFFERENCES 4096
#define DIFFERENCES_MIN 16

/* Of the inspected events. */
struct evidence {
  uint64_t base; /* of the objects of the buffer */
  uint64_t differences;
  bool has_other; /* one is no multiple of 8 */
  /* Objects of the buffer, each with the one before. */
  bool has_last;
  uint64_t last, last_size;
  uint64_t pairs, overlaps;
};

static void
add_object (struct evidence *e, uint64_t object)
{
  const uint64_t difference = object - e->base;
  if (difference == 0 || e->differences == DIFFERENCES)
    return;
  e->differences++;
  e->has_other |= (difference & 7) != 0;
}

static void
add_number (const struct mlpd_field *field, uint64_t value, void *data)
{
  if (field->unit == MLPD_UNIT_OBJECT)
    add_object (data, value);
}

static void
add_list (const struct mlpd_field *field, struct mlpd_list list, void *data)
{
  if (field->unit == MLPD_UNIT_OBJECT)
    for (size_t i = 0; i < list.count; i++)
      add_object (data, list.items[i]);
}

/* Does the object overlap the one before, if addresses are as they were decoded? */
static void
add_place (struct evidence *e, uint64_t object, uint64_t size)
{
  if (e->has_last && object != e->last && size != 0) {
    e->pairs++;
    e->overlaps += object > e->last ? object - e->last < e->last_size : e->last - object < size;
  }
  e->has_last = true;
  e->last = object;
  e->last_size = size;
}

static void
add_event (struct evidence *e, enum mlpd_kind kind, const union mlpd_payload *p)
{
  static const struct mlpd_visitor visitor = { .number = add_number, .list = add_list };
  mlpd_visit (kind, p, 1, &visitor, e);
  if (kind == MLPD_ALLOC)
    add_place (e, p->alloc.object, p->alloc.size);
  else if (kind == MLPD_HEAP_OBJECT)
    add_place (e, p->heap_object.object, p->heap_object.size);
}

static enum mlpd_object_unit
judge (const struct evidence *e, bool is_all)
{
  if (e->has_other)
    return MLPD_OBJECT_UNIT_8;
  if (e->differences == DIFFERENCES)
    return MLPD_OBJECT_UNIT_BYTE;
  if (!is_all)
    return MLPD_OBJECT_UNIT_OPEN;
  const bool overlap = e->overlaps * 4 > e->pairs;
  return e->differences < DIFFERENCES_MIN || overlap ? MLPD_OBJECT_UNIT_8 : MLPD_OBJECT_UNIT_BYTE;
}

/* The events of a buffer, or as many as are here. */
static void
add_buffer (struct evidence *e, struct mlpd_decoder *decoder, struct cursor c)
{
  enum mlpd_kind kind;
  while (c.at < c.end && !e->has_other && e->differences < DIFFERENCES
         && mlpd_decode_event (decoder, &c, &kind) == MLPD_DECODED)
    add_event (e, kind, &decoder->payload);
}

enum mlpd_object_unit
mlpd_find_object_unit (const uint8_t *bytes, size_t length, bool is_all)
{
  struct cursor c = cursor_over (bytes, length);
  struct mlpd_file_header header;
  struct mlpd_decoder decoder = { 0 };
  struct evidence e = { 0 };
  mlpd_decode_file_header (&c, &header);
  /* Of another version, the header may go on. */
  if (length < MLPD_FILE_HEADER_SIZE || header.id != MLPD_FILE_ID || header.data_version != 1)
    return MLPD_OBJECT_UNIT_8;
  if (c.error != CURSOR_OK)
    return MLPD_OBJECT_UNIT_OPEN;
  if (mlpd_header_is_ours (&header))
    return MLPD_OBJECT_UNIT_8;
  header.has_byte_objects = true;
  mlpd_decoder_start_file (&decoder, &header);
  while (cursor_left (&c) >= MLPD_BUFFER_HEADER_SIZE
         && judge (&e, false) == MLPD_OBJECT_UNIT_OPEN) {
    struct mlpd_buffer_header buffer;
    mlpd_decode_buffer_header (&c, &buffer);
    if (buffer.id != MLPD_BUFFER_ID)
      break;
    const size_t n = MIN (cursor_left (&c), buffer.length);
    mlpd_decoder_start_buffer (&decoder, &buffer);
    decoder.is_cut = n < buffer.length;
    e.base = buffer.obj_base;
    e.has_last = false;
    add_buffer (&e, &decoder, cursor_over (c.at, n));
    c.at += n;
  }
  mlpd_decoder_clear (&decoder);
  return judge (&e, is_all);
}
