/* test-cursor.c -- numbers and strings within bounds.  Encoded bytes by hand. */
#include "config.h"

#include "decoder/core/cursor.h"
#include "tests/unit/test.h"

#include <stdlib.h>

#define OVER(...)                                                                                  \
  cursor_over ((const uint8_t[]){ __VA_ARGS__ }, sizeof (const uint8_t[]){ __VA_ARGS__ })

TEST (test_fixed_width)
{
  struct cursor c = OVER (0x01, 0x03, 0x02, 0x07, 0x06, 0x05, 0x04, 0x88, 0x77, 0x66, 0x55, 0x44,
                          0x33, 0x22, 0x11);
  assert_int_equal (cursor_u8 (&c), 0x01);
  assert_int_equal (cursor_u16 (&c), 0x0203);
  assert_int_equal (cursor_u32 (&c), 0x04050607);
  assert_int_equal (cursor_u64 (&c), UINT64_C (0x1122334455667788));
  assert_int_equal (c.error, CURSOR_OK);
  assert_int_equal (cursor_left (&c), 0);
  assert_int_equal (cursor_u8 (&c), 0);
  assert_int_equal (c.error, CURSOR_SHORT);
}

TEST (test_short_takes_nothing)
{
  struct cursor c = OVER (1, 2, 3);
  const uint8_t *const start = c.at;
  assert_int_equal (cursor_u32 (&c), 0);
  assert_int_equal (c.error, CURSOR_SHORT);
  assert_ptr_equal (c.at, start);
}

TEST (test_first_error_stays)
{
  struct cursor c
      = OVER (0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x05, 0x06);
  const uint8_t *const start = c.at;
  size_t length;
  assert_int_equal (cursor_uleb (&c), 0);
  assert_int_equal (c.error, CURSOR_MALFORMED);
  assert_int_equal (cursor_u8 (&c), 0);
  assert_int_equal (cursor_sleb (&c), 0);
  assert_int_equal (cursor_count (&c), 0);
  assert_null (cursor_strz (&c, &length));
  assert_int_equal (length, 0);
  assert_int_equal (c.error, CURSOR_MALFORMED);
  assert_ptr_equal (c.at, start);
}

struct number {
  uint8_t bytes[12];
  size_t length;
  uint64_t value;
};

TEST (test_uleb)
{
  static const struct number numbers[] = {
    { { 0x00 }, 1, 0 },
    { { 0x7f }, 1, 127 },
    { { 0x80, 0x01 }, 2, 128 },
    { { 0xe5, 0x8e, 0x26 }, 3, 624485 },
    { { 0x80, 0x00 }, 2, 0 }, /* longer than needed is no harm */
    { { 0xff, 0xff, 0xff, 0xff, 0x0f }, 5, UINT32_MAX },
    { { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f }, 9, INT64_MAX },
    { { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01 }, 10, UINT64_C (1) << 63 },
    { { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01 }, 10, UINT64_MAX },
  };
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    struct cursor c = cursor_over (numbers[i].bytes, numbers[i].length + 1);
    assert_true (cursor_uleb (&c) == numbers[i].value);
    assert_int_equal (c.error, CURSOR_OK);
    assert_int_equal (cursor_left (&c), 1);
    for (size_t cut = 0; cut < numbers[i].length; cut++) {
      c = cursor_over (numbers[i].bytes, cut);
      assert_int_equal (cursor_uleb (&c), 0);
      assert_int_equal (c.error, CURSOR_SHORT);
    }
  }
}

TEST (test_sleb)
{
  static const struct number numbers[] = {
    { { 0x00 }, 1, 0 },
    { { 0x3f }, 1, 63 },
    { { 0x40 }, 1, (uint64_t) -64 },
    { { 0x7f }, 1, (uint64_t) -1 },
    { { 0xc0, 0x00 }, 2, 64 },
    { { 0xbf, 0x7f }, 2, (uint64_t) -65 },
    { { 0x80, 0x7f }, 2, (uint64_t) -128 },
    { { 0xc0, 0xbb, 0x78 }, 3, (uint64_t) -123456 },
    { { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00 }, 10, INT64_MAX },
    { { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f }, 10, UINT64_C (1) << 63 },
    { { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f }, 10, UINT64_MAX },
  };
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    struct cursor c = cursor_over (numbers[i].bytes, numbers[i].length + 1);
    assert_true ((uint64_t) cursor_sleb (&c) == numbers[i].value);
    assert_int_equal (c.error, CURSOR_OK);
    assert_int_equal (cursor_left (&c), 1);
    for (size_t cut = 0; cut < numbers[i].length; cut++) {
      c = cursor_over (numbers[i].bytes, cut);
      assert_int_equal (cursor_sleb (&c), 0);
      assert_int_equal (c.error, CURSOR_SHORT);
    }
  }
}

TEST (test_too_large)
{
  struct cursor c = OVER (0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02);
  cursor_uleb (&c);
  assert_int_equal (c.error, CURSOR_MALFORMED);
  c = OVER (0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80);
  cursor_uleb (&c);
  assert_int_equal (c.error, CURSOR_MALFORMED);
  c = OVER (0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01);
  cursor_sleb (&c);
  assert_int_equal (c.error, CURSOR_MALFORMED);
  c = OVER (0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);
  cursor_sleb (&c);
  assert_int_equal (c.error, CURSOR_MALFORMED);
}

TEST (test_strz)
{
  struct cursor c = OVER ('a', 'b', 0, 0, 'c');
  size_t length;
  assert_string_equal (cursor_strz (&c, &length), "ab");
  assert_int_equal (length, 2);
  assert_string_equal (cursor_strz (&c, &length), "");
  assert_int_equal (length, 0);
  assert_int_equal (c.error, CURSOR_OK);
  assert_null (cursor_strz (&c, &length));
  assert_int_equal (c.error, CURSOR_SHORT);
}

TEST (test_count)
{
  struct cursor c = OVER (0x02, 0xaa, 0xbb);
  assert_int_equal (cursor_count (&c), 2);
  c = OVER (0x03, 0xaa, 0xbb);
  assert_int_equal (cursor_count (&c), 0);
  assert_int_equal (c.error, CURSOR_SHORT);
  c = OVER (0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01);
  assert_int_equal (cursor_count (&c), 0);
  assert_int_equal (c.error, CURSOR_SHORT);
}
