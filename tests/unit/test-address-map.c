/* test-address-map.c -- numbers of addresses, against those of a map of any keys. */
#include "config.h"

#include "decoder/core/address-map.h"
#include "tests/unit/test.h"

/* Near each other, far from each other, and where no object can be. */
static uint64_t
address_at (GRand *random)
{
  const uint64_t near = UINT64_C (0x7f0000000000) + (g_rand_int (random) & 0x3fff);
  switch (g_rand_int_range (random, 0, 8)) {
  case 0:
    return near;
  case 1:
    return (uint64_t) g_rand_int (random) << 32 | g_rand_int (random);
  default:
    return near & ~UINT64_C (7);
  }
}

TEST (test_numbers)
{
  struct address_map map;
  struct id_map expected;
  GRand *random = g_rand_new_with_seed (1);
  address_map_init (&map);
  id_map_init (&expected);
  for (int i = 0; i < 100000; i++) {
    const uint64_t address = address_at (random);
    assert_int_equal (address_map_find (&map, address), id_map_find (&expected, address));
    assert_int_equal (address_map_number (&map, address), id_map_number (&expected, address));
    assert_int_equal (address_map_find (&map, address), id_map_find (&expected, address));
    assert_int_equal (map.count, expected.count);
  }
  assert_true (map.strangers->len > 1000 && map.count > 10000);
  address_map_clear (&map);
  id_map_clear (&expected);
  g_rand_free (random);
}

TEST (test_ends)
{
  static const uint64_t addresses[] = { 0, 8, 504, 512, 7, UINT64_MAX, UINT64_MAX - 7 };
  struct address_map map;
  address_map_init (&map);
  for (guint i = 0; i < G_N_ELEMENTS (addresses); i++) {
    assert_int_equal (address_map_find (&map, addresses[i]), ID_MAP_NONE);
    assert_int_equal (address_map_number (&map, addresses[i]), i);
  }
  for (guint i = 0; i < G_N_ELEMENTS (addresses); i++)
    assert_int_equal (address_map_find (&map, addresses[i]), i);
  address_map_clear (&map);
}
