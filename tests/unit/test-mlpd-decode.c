/* test-mlpd-decode.c -- single events: those that change the decoder, and those that must not. */
#include "config.h"

#include "decoder/mlpd/mlpd-decode.h"
#include "decoder/mlpd/mlpd-object-unit.h"
#include "tests/unit/test.h"

#include <proflog/mlpd-encode.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static struct mlpd_decoder *
new_decoder (unsigned version)
{
  struct mlpd_decoder *d = test_calloc (1, sizeof *d);
  const struct mlpd_file_header file = { .data_version = (uint8_t) version, .pointer_size = 8 };
  const struct mlpd_buffer_header buffer
      = { .time_base = 1000, .ptr_base = 0x1000, .obj_base = 0x200, .method_base = 0x5000 };
  mlpd_decoder_start_file (d, &file);
  mlpd_decoder_start_buffer (d, &buffer);
  return d;
}

static void
free_decoder (struct mlpd_decoder *d)
{
  mlpd_decoder_clear (d);
  test_free (d);
}

#define DECODE(d, kind, ...)                                                                       \
  decode (d, kind, (const uint8_t[]){ __VA_ARGS__ }, sizeof (const uint8_t[]){ __VA_ARGS__ })

static enum mlpd_decode_result
decode (struct mlpd_decoder *d, enum mlpd_kind *kind, const uint8_t *bytes, size_t length)
{
  struct cursor c = cursor_over (bytes, length);
  const enum mlpd_decode_result result = mlpd_decode_event (d, &c, kind);
  if (result == MLPD_DECODED)
    assert_int_equal (cursor_left (&c), 0);
  return result;
}

TEST (test_state_moves_with_whole_events)
{
  struct mlpd_decoder *d = new_decoder (1);
  enum mlpd_kind kind;
  assert_int_equal (DECODE (d, &kind, 0x43, 0x05, 0x10, 0x00, 0x08, 'M'), MLPD_DECODE_SHORT);
  assert_int_equal (d->bases.time, 1000);
  assert_int_equal (d->bases.method, 0x5000);
  assert_int_equal (DECODE (d, &kind, 0x43, 0x05, 0x10, 0x00, 0x08, 'M', 0), MLPD_DECODED);
  assert_int_equal (kind, MLPD_METHOD_JIT);
  assert_int_equal (d->bases.time, 1005);
  assert_int_equal (d->bases.method, 0x5010);
  assert_int_equal (d->payload.method_jit.time, 1005);
  assert_int_equal (d->payload.method_jit.method, 0x5010);
  assert_int_equal (
      DECODE (d, &kind, 0x23, 0x05, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02),
      MLPD_DECODE_MALFORMED);
  assert_int_equal (d->bases.time, 1005);
  assert_int_equal (d->bases.method, 0x5010);
  free_decoder (d);
}

TEST (test_absent_fields_are_cleared)
{
  struct mlpd_decoder *d = new_decoder (1);
  enum mlpd_kind kind;
  assert_int_equal (DECODE (d, &kind, 0x10, 0x00, 0x00, 0x00, 0x08, 0x00, 0x02, 0x00, 0x01),
                    MLPD_DECODED);
  assert_int_equal (d->payload.alloc.backtrace.count, 2);
  assert_int_equal (d->payload.alloc.backtrace.items[1], 0x1001);
  assert_int_equal (DECODE (d, &kind, 0x00, 0x00, 0x00, 0x00, 0x08), MLPD_DECODED);
  assert_int_equal (d->payload.alloc.backtrace.count, 0);
  assert_null (d->payload.alloc.backtrace.items);
  free_decoder (d);
}

/* A count is believed only as far as there are bytes: nothing is allocated for it. */
TEST (test_counts_are_checked_first)
{
  struct mlpd_decoder *d = new_decoder (1);
  enum mlpd_kind kind;
  assert_int_equal (
      DECODE (d, &kind, 0x31, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x00),
      MLPD_DECODE_SHORT);
  assert_int_equal (DECODE (d, &kind, 0x26, 0x00, 0x00, 0x08, 0x80, 0x80, 0x80, 0x80, 0x04, 0x00),
                    MLPD_DECODE_SHORT);
  assert_int_equal (d->lists.objects.bytes, 0);
  assert_int_equal (DECODE (d, &kind, 0x31, 0x00, 0x02, 0x01, 0x02), MLPD_DECODED);
  assert_true (d->lists.objects.bytes >= 2 * sizeof (uint64_t));
  free_decoder (d);
}

/* Which first bytes each data version knows, from the tables of the format, which end with version
 * 17.  tests/cases has the bytes that later versions add. */
enum { LISTED_HERE = 17 };

static bool
is_known (unsigned version, unsigned byte)
{
  const unsigned high = byte >> 4;
  switch (byte & 0x0f) {
  case 0: /* plain or with backtrace */
    return high <= 1;
  case 1: /* event, resize, move; handles; finalization */
    return (high >= 1 && high <= 3) || (version >= 2 && high >= 4 && high <= 7)
           || (version >= 13 && high >= 8 && high <= 11);
  case 2:
    return true;
  case 3: /* leave, enter, exception leave, JIT */
    return high >= 1 && high <= 4;
  case 4: /* throw or clause, and the backtrace flag */
    return (high & 7) <= 1;
  case 5:
    return true;
  case 6: /* start, end, object; root; registered roots */
    return high <= 2 || (version >= 3 && high == 3) || (version >= 15 && high <= 5);
  case 7: /* hit, symbol, binary; counters */
    return (version >= 4 && (high <= 1 || (high == 2 && version <= 15)))
           || (version >= 5 && (high == 3 || high == 4));
  case 8: /* JIT helper */
    return version >= 8 && high == 1;
  case 9: /* coverage of an assembly, method, statement, class */
    return version >= 10 && version <= 15 && high <= 3;
  case 10: /* sync point, AOT id */
    return (version >= 13 && high == 0) || (version >= 16 && high == 1);
  default:
    return false;
  }
}

/* Zeros after a first byte make an event of any kind: of no flags, empty lists and texts. */
TEST (test_every_first_byte)
{
  for (unsigned version = 1; version <= LISTED_HERE; version++) {
    struct mlpd_decoder *d = new_decoder (version);
    for (unsigned byte = 0; byte < 256; byte++) {
      enum mlpd_kind kind;
      const uint8_t bytes[16] = { (uint8_t) byte, 0x00, (byte & 0x0f) == 2 ? 0x01 : 0x00 };
      struct cursor c = cursor_over (bytes, sizeof bytes);
      const enum mlpd_decode_result result = mlpd_decode_event (d, &c, &kind);
      if (result != (is_known (version, byte) ? MLPD_DECODED : MLPD_DECODE_UNKNOWN))
        fail_msg ("byte 0x%02x in data version %u: %d", byte, version, (int) result);
    }
    free_decoder (d);
  }
}

TEST (test_mtypes)
{
  enum mlpd_kind kind;
  for (unsigned version = 1; version <= LISTED_HERE; version++) {
    struct mlpd_decoder *d = new_decoder (version);
    for (unsigned mtype = 0; mtype < 256; mtype++) {
      /* Contexts came with 11, vtables with 15. */
      const bool known = mtype >= 1 && mtype <= (version >= 15 ? 7 : version >= 11 ? 6 : 5);
      const uint8_t bytes[16] = { 0x22, 0x00, (uint8_t) mtype };
      struct cursor c = cursor_over (bytes, sizeof bytes);
      assert_int_equal (mlpd_decode_event (d, &c, &kind),
                        known ? MLPD_DECODED : MLPD_DECODE_UNKNOWN);
    }
    assert_int_equal (DECODE (d, &kind, 0x22, 0x00), MLPD_DECODE_SHORT);
    assert_int_equal (DECODE (d, &kind, 0x22), MLPD_DECODE_SHORT);
    free_decoder (d);
  }
  struct mlpd_decoder *d = new_decoder (1);
  assert_int_equal (DECODE (d, &kind, 0x22, 0x00, 0x03, 0, 0, 0), MLPD_DECODED);
  assert_int_equal (kind, MLPD_METADATA_ASSEMBLY);
  free_decoder (d);
}

/* Fields and events come and go with the data version: from 15 on an allocation names no class. */
TEST (test_versions)
{
  enum mlpd_kind kind;
  struct mlpd_decoder *d = new_decoder (0);
  for (unsigned byte = 0; byte < 256; byte++)
    assert_int_equal (DECODE (d, &kind, (uint8_t) byte, 0, 1, 0, 0, 0, 0), MLPD_DECODE_UNKNOWN);
  free_decoder (d);
  d = new_decoder (15);
  struct cursor c = cursor_over ((const uint8_t[]){ 0x00, 0x01, 0x02, 0x08, 0x08 }, 5);
  assert_int_equal (mlpd_decode_event (d, &c, &kind), MLPD_DECODED);
  assert_int_equal (d->payload.alloc.klass, 0);
  assert_int_equal (d->payload.alloc.vtable, 0x1002);
  free_decoder (d);
}

/* The published text of data version 1: objects differ in bytes, from a base that is an address. */
TEST (test_objects_in_bytes)
{
  struct mlpd_decoder d = { 0 };
  enum mlpd_kind kind;
  const struct mlpd_file_header file
      = { .data_version = 1, .pointer_size = 8, .has_byte_objects = true };
  const struct mlpd_buffer_header buffer = { .time_base = 1000, .obj_base = 0x7f0000000100 };
  mlpd_decoder_start_file (&d, &file);
  mlpd_decoder_start_buffer (&d, &buffer);
  assert_int_equal (DECODE (&d, &kind, 0x00, 0x01, 0x10, 0x18, 0x20), MLPD_DECODED);
  assert_int_equal (d.payload.alloc.object, 0x7f0000000118);
  assert_int_equal (d.payload.alloc.size, 32);
  assert_int_equal (DECODE (&d, &kind, 0x31, 0x01, 0x02, 0x78, 0x08), MLPD_DECODED); /* -8, 8 */
  assert_int_equal (d.payload.gc_move.objects.count, 2);
  assert_int_equal (d.payload.gc_move.objects.items[0], 0x7f00000000f8);
  assert_int_equal (d.payload.gc_move.objects.items[1], 0x7f0000000108);
  assert_int_equal (DECODE (&d, &kind, 0x26, 0x18, 0x10, 0x18, 0x01, 0x30), MLPD_DECODED);
  assert_int_equal (d.payload.heap_object.object, 0x7f0000000118);
  assert_int_equal (d.payload.heap_object.references.items[0], 0x7f0000000130);
  mlpd_decoder_clear (&d);
}

/* Where the bytes end in the name of an assembly, that is no reason to read its name as events: an
 * allocation, whose object would be 0x19 from its base, so no multiple of 8. */
TEST (test_object_unit_of_cut_bytes)
{
  static const uint8_t assembly[] = { 0x22, 0x01, 0x03, 0x10, 0x00, 0x01, 0x10, 0x19, 0x20 };
  const struct mlpd_file_header file = { .id = MLPD_FILE_ID, .data_version = 1, .pointer_size = 8 };
  struct mlpd_buffer_header buffer
      = { .id = MLPD_BUFFER_ID, .length = 4096, .time_base = 1000, .ptr_base = 0x1000 };
  uint8_t bytes[MLPD_FILE_HEADER_SIZE + MLPD_BUFFER_HEADER_SIZE + sizeof assembly];
  uint8_t *const at = mlpd_put_file_header (bytes, &file);
  memcpy (mlpd_put_buffer_header (at, &buffer), assembly, sizeof assembly);
  assert_int_equal (mlpd_find_object_unit (bytes, sizeof bytes, false), MLPD_OBJECT_UNIT_OPEN);
  buffer.length = sizeof assembly; /* it ends there: then it has no name */
  mlpd_put_buffer_header (at, &buffer);
  assert_int_equal (mlpd_find_object_unit (bytes, sizeof bytes, false), MLPD_OBJECT_UNIT_8);
}
