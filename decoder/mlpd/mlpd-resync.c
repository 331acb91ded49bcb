/* mlpd-resync.c -- recognizes headers where none has to be, and searches for one after damage. */
#include "config.h"

#include "decoder/mlpd/mlpd-reader-private.h"

/* Limits of a header where none was expected. */
#define PLAUSIBLE_LENGTH_MAX (256u << 20)
#define PLAUSIBLE_MAJOR_MAX 9
#define PLAUSIBLE_DATA_VERSION_MAX 99

uint32_t
mlpd_id_at (const uint8_t *bytes)
{
  struct cursor c = cursor_over (bytes, ID_SIZE);
  return cursor_u32 (&c);
}

/* Whether a buffer begins here though it need not: what is written has addresses and ids below
 * 2^56 and buffers of no great length, while a chance find or text with the magic number in it
 * hardly has. */
static bool
is_buffer_header (const uint8_t *bytes)
{
  struct cursor c = cursor_over (bytes, MLPD_BUFFER_HEADER_SIZE);
  struct mlpd_buffer_header h;
  mlpd_decode_buffer_header (&c, &h);
  return h.id == MLPD_BUFFER_ID && h.length <= PLAUSIBLE_LENGTH_MAX && h.ptr_base < MLPD_BASE_LIMIT
         && h.obj_base < MLPD_BASE_LIMIT && h.thread < MLPD_BASE_LIMIT
         && h.method_base < MLPD_BASE_LIMIT;
}

bool
mlpd_is_file_header (const uint8_t *bytes)
{
  struct cursor c = cursor_over (bytes, MLPD_FILE_HEADER_SIZE);
  struct mlpd_file_header h;
  mlpd_decode_file_header (&c, &h);
  return h.id == MLPD_FILE_ID && h.major <= PLAUSIBLE_MAJOR_MAX && h.data_version >= 1
         && h.data_version <= PLAUSIBLE_DATA_VERSION_MAX
         && (h.pointer_size == 4 || h.pointer_size == 8);
}

enum mlpd_found
mlpd_find_header (const struct mlpd_reader *r)
{
  static const uint8_t ids[][ID_SIZE] = { { 0x01, 0x4c, 0x50, 0x4d }, { 0x01, 0x5a, 0x50, 0x4d } };
  static const size_t sizes[] = { MLPD_BUFFER_HEADER_SIZE, MLPD_FILE_HEADER_SIZE };
  for (unsigned i = 0; i < G_N_ELEMENTS (ids); i++) {
    if (memcmp (r->input.at, ids[i], MIN (mlpd_reader_left (r), ID_SIZE)) != 0)
      continue;
    if (mlpd_reader_left (r) < sizes[i]) {
      if (!input_buffer_is_last (&r->input))
        return FOUND_SHORT;
    } else if (i == 0 ? is_buffer_header (r->input.at) : mlpd_is_file_header (r->input.at)) {
      return FOUND_HEADER;
    }
  }
  return FOUND_NOTHING;
}

/* Passes bytes up to an id, or to the last ones, which may begin one. */
static void
pass_to_id (struct mlpd_reader *r)
{
  const uint8_t *at = r->input.at;
  for (; r->input.end - at >= ID_SIZE; at++) {
    const uint32_t id = mlpd_id_at (at);
    if (id == MLPD_BUFFER_ID || id == MLPD_FILE_ID)
      break;
  }
  mlpd_reader_consume (r, (size_t) (at - r->input.at));
}

enum step
mlpd_search_header (struct mlpd_reader *r)
{
  while (mlpd_reader_left (r) != 0) {
    pass_to_id (r);
    const enum mlpd_found header = mlpd_find_header (r);
    if (header == FOUND_SHORT)
      break;
    if (header == FOUND_HEADER) {
      r->state = STATE_BORDER;
      return mlpd_reader_emit_damage (r, false);
    }
    mlpd_reader_consume (r, 1);
  }
  return STEP_NEED_MORE;
}
