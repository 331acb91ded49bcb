/* test-mlpd-encode.c -- the bytes that the encoder writes, computed by hand. */
#include "config.h"

#include "tests/unit/test.h"

#include <stdlib.h>
#include <proflog/mlpd-encode.h>

static uint8_t out[256];

#define CHECK(end, ...)                                                                            \
  do {                                                                                             \
    static const uint8_t expected[] = { __VA_ARGS__ };                                             \
    assert_int_equal ((end) -out, sizeof expected);                                                \
    assert_memory_equal (out, expected, sizeof expected);                                          \
  } while (0)

TEST (test_numbers)
{
  CHECK (mlpd_put_uleb (out, 0), 0x00);
  CHECK (mlpd_put_uleb (out, 127), 0x7f);
  CHECK (mlpd_put_uleb (out, 128), 0x80, 0x01);
  CHECK (mlpd_put_uleb (out, 624485), 0xe5, 0x8e, 0x26);
  CHECK (mlpd_put_uleb (out, UINT64_MAX), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
         0x01);
  CHECK (mlpd_put_sleb (out, 63), 0x3f);
  CHECK (mlpd_put_sleb (out, 64), 0xc0, 0x00);
  CHECK (mlpd_put_sleb (out, -64), 0x40);
  CHECK (mlpd_put_sleb (out, -65), 0xbf, 0x7f);
  CHECK (mlpd_put_sleb (out, -123456), 0xc0, 0xbb, 0x78);
  CHECK (mlpd_put_sleb (out, INT64_MIN), 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
         0x7f);
  CHECK (mlpd_put_little_endian (out, 0x04030201, 4), 1, 2, 3, 4);
}

TEST (test_first_addresses_are_the_bases)
{
  struct mlpd_encoder e;
  mlpd_encoder_start (&e, 1, 1000);
  const struct mlpd_alloc first = { .time = 1005, .klass = 0x5010, .object = 0x8010, .size = 24 };
  const struct mlpd_alloc second = { .time = 1006, .klass = 0x5000, .object = 0x8000, .size = 128 };
  CHECK (mlpd_put_alloc (&e, out, &first), 0x00, 0x05, 0x00, 0x00, 0x18);
  CHECK (mlpd_put_alloc (&e, out, &second), 0x00, 0x01, 0x70, 0x7e, 0x80, 0x01);
  const struct mlpd_method_enter enter = { .time = 1006, .method = 0x9000 };
  const struct mlpd_method_leave leave = { .time = 1007, .method = 0x9010 };
  CHECK (mlpd_put_method_enter (&e, out, &enter), 0x23, 0x00, 0x00);
  CHECK (mlpd_put_method_leave (&e, out, &leave), 0x13, 0x01, 0x10);
  const struct mlpd_buffer_header h = mlpd_encoder_header (&e, 7, 17);
  assert_int_equal (h.time_base, 1000);
  assert_int_equal (h.ptr_base, 0x5010);
  assert_int_equal (h.obj_base, 0x8010 / 8);
  assert_int_equal (h.method_base, 0x9000);
  assert_int_equal (h.thread, 7);
  assert_int_equal (h.length, 17);
}

/* Written as a difference of 0, a NULL would be read as the base that comes later. */
TEST (test_null_is_no_base)
{
  struct mlpd_encoder e;
  mlpd_encoder_start (&e, 1, 0);
  const struct mlpd_alloc nothing = { .time = 0 };
  const struct mlpd_method_enter enter = { .time = 0 };
  CHECK (mlpd_put_alloc (&e, out, &nothing), 0x00, 0x00, 0x7f, 0x7f, 0x00);
  CHECK (mlpd_put_method_enter (&e, out, &enter), 0x23, 0x00, 0x7f);
  assert_int_equal (e.ptr_base, 1);
  assert_int_equal (e.obj_base, 1);
  assert_int_equal (e.method_base, 1);
}

TEST (test_backtrace)
{
  static const uint64_t frames[] = { 0x5010, 0x5020 };
  struct mlpd_encoder e;
  mlpd_encoder_start (&e, 1, 0);
  const struct mlpd_exception_throw event
      = { .time = 2, .object = 0x8000, .backtrace = { frames, 2 } };
  CHECK (mlpd_put_exception_throw (&e, out, &event), 0x84, 0x02, 0x00, 0x00, 0x02, 0x00, 0x10);
  const struct mlpd_monitor wait
      = { .event = MLPD_MONITOR_EVENT_CONTENTION, .time = 3, .object = 0x8008 };
  CHECK (mlpd_put_monitor (&e, out, &wait), 0x15, 0x01, 0x01);
}

TEST (test_metadata)
{
  struct mlpd_encoder e;
  mlpd_encoder_start (&e, 1, 0);
  const struct mlpd_metadata_class event = {
    .action = MLPD_LOAD_END_LOAD_ERROR, .time = 1, .klass = 0x10, .image = 0x20, .name = { "C", 1 }
  };
  CHECK (mlpd_put_metadata_class (&e, out, &event), 0xa2, 0x01, 0x01, 0x00, 0x10, 0x00, 'C', 0x00);
  const struct mlpd_metadata_domain load
      = { .action = MLPD_LOAD_END_LOAD, .time = 1, .domain = 0x10 };
  CHECK (mlpd_put_metadata_domain (&e, out, &load), 0x22, 0x00, 0x04, 0x00, 0x00);
  const struct mlpd_metadata_domain name
      = { .action = MLPD_LOAD_NAME, .time = 1, .domain = 0x10, .name = { "d", 1 } };
  CHECK (mlpd_put_metadata_domain (&e, out, &name), 0x02, 0x00, 0x04, 0x00, 0x00, 'd', 0x00);
}

TEST (test_heap_object)
{
  static const uint64_t references[] = { 0x8008, 0x7ff8 };
  struct mlpd_encoder e;
  mlpd_encoder_start (&e, 1, 0);
  const struct mlpd_heap_object event
      = { .object = 0x8000, .klass = 0x10, .size = 24, .references = { references, NULL, 2 } };
  CHECK (mlpd_put_heap_object (&e, out, &event), 0x26, 0x00, 0x00, 0x18, 0x02, 0x01, 0x7f);
}

TEST (test_headers)
{
  const struct mlpd_file_header file = { .id = MLPD_FILE_ID,
                                         .major = 0,
                                         .minor = 4,
                                         .data_version = 1,
                                         .pointer_size = 8,
                                         .start_ms = 0x0102030405060708,
                                         .timer_overhead_ns = 21,
                                         .pid = 0x11223344,
                                         .system = 0x0201 };
  CHECK (mlpd_put_file_header (out, &file), 0x01, 0x5a, 0x50, 0x4d, 0, 4, 1, 8, 8, 7, 6, 5, 4, 3, 2,
         1, 21, 0, 0, 0, 0, 0, 0, 0, 0x44, 0x33, 0x22, 0x11, 0, 0, 1, 2);
  const struct mlpd_buffer_header buffer = { .id = MLPD_BUFFER_ID,
                                             .length = 0x0a0b,
                                             .time_base = 1,
                                             .ptr_base = 2,
                                             .obj_base = 3,
                                             .thread = 4,
                                             .method_base = 0x0102030405060708 };
  CHECK (mlpd_put_buffer_header (out, &buffer), 0x01, 0x4c, 0x50, 0x4d, 0x0b, 0x0a, 0, 0, 1, 0, 0,
         0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 8,
         7, 6, 5, 4, 3, 2, 1);
}

TEST (test_bounds)
{
  const struct mlpd_alloc alloc = { .backtrace = { NULL, 16 } };
  const struct mlpd_method_enter enter = { .time = 0 };
  const struct mlpd_metadata_image image = { .name = { NULL, 100 } };
  assert_int_equal (mlpd_bound_method_enter (&enter), 1 + 2 * 10);
  /* time, class, vtable, object, size; flags and count; frames */
  assert_int_equal (mlpd_bound_alloc (&alloc), 1 + 5 * 10 + 2 * 10 + 16 * 10);
  /* time, mtype, image, flags, name, mvid */
  assert_int_equal (mlpd_bound_metadata_image (&image), 1 + 10 + 1 + 10 + 10 + 101 + 1);
  const union mlpd_payload payload = { .alloc = alloc };
  assert_int_equal (mlpd_bound_event (MLPD_ALLOC, &payload), mlpd_bound_alloc (&alloc));
}
