/* test-wide.c -- products of more than 64 bits, as machines without a type for them have them. */
#include "config.h"

#define WIDE_BY_HALVES
#include "decoder/core/wide.h"
#include "tests/unit/test.h"

/* The results are Python's. */
static const struct {
  uint64_t a, b, more, divisor, scaled, upper;
} cases[] = {
  { UINT64_C (0x1), UINT64_C (0x1), UINT64_C (0x0), UINT64_C (0x1), UINT64_C (0x1),
    UINT64_C (0x0) },
  { UINT64_C (0xffffffffffffffff), UINT64_C (0xffffffffffffffff), UINT64_C (0xffffffffffffffff),
    UINT64_C (0xffffffffffffffff), UINT64_C (0x0), UINT64_C (0xfffffffffffffffe) },
  { UINT64_C (0xffffffffffffffff), UINT64_C (0xffffffffffffffff), UINT64_C (0x0), UINT64_C (0x1),
    UINT64_C (0x1), UINT64_C (0xfffffffffffffffe) },
  { UINT64_C (0xffffffffffffffff), UINT64_C (0x3e8), UINT64_C (0x7fffffffffffffff),
    UINT64_C (0xffffffffffffffff), UINT64_C (0x3e8), UINT64_C (0x3e7) },
  { UINT64_C (0x0), UINT64_C (0x5), UINT64_C (0x7), UINT64_C (0x3), UINT64_C (0x2),
    UINT64_C (0x0) },
  { UINT64_C (0x100000000), UINT64_C (0x100000000), UINT64_C (0x0), UINT64_C (0x3),
    UINT64_C (0x5555555555555555), UINT64_C (0x1) },
  { UINT64_C (0xffffffffffffffff), UINT64_C (0x2), UINT64_C (0x1), UINT64_C (0xffffffffffffffff),
    UINT64_C (0x2), UINT64_C (0x1) },
  { UINT64_C (0xffffffffffffffff), UINT64_C (0xffffffffffffffff), UINT64_C (0x0),
    UINT64_C (0x8000000000000001), UINT64_C (0xfffffffffffffff8), UINT64_C (0xfffffffffffffffe) },
  { UINT64_C (0x8000000000000000), UINT64_C (0x8000000000000000), UINT64_C (0xffffffffffffffff),
    UINT64_C (0xfffffffffffffffe), UINT64_C (0x4000000000000001), UINT64_C (0x4000000000000000) },
  { UINT64_C (0xf2a74de452e6b438), UINT64_C (0x194), UINT64_C (0xc5c7fd0a6a3a450),
    UINT64_C (0xd23f1), UINT64_C (0x1d254bd77bab9a), UINT64_C (0x17e) },
  { UINT64_C (0x1818e811892f902b), UINT64_C (0x9531985d), UINT64_C (0x81e74ef5e8e25d94),
    UINT64_C (0x9995), UINT64_C (0xa4700cee55783dec), UINT64_C (0xe0b2a2e) },
  { UINT64_C (0x6f03675a1600a35a), UINT64_C (0x11e20b8f), UINT64_C (0x8d116ece1738f7d9),
    UINT64_C (0xd30f21ddb7), UINT64_C (0x967f82b7c37e0), UINT64_C (0x7c13fe1) },
  { UINT64_C (0x1fb17c2390c192cf), UINT64_C (0x285), UINT64_C (0x953f48f1a09f76b5),
    UINT64_C (0x93bd1), UINT64_C (0x8b60a3b2c6c05), UINT64_C (0x4f) },
  { UINT64_C (0x658cda1495e60af5), UINT64_C (0x3e7), UINT64_C (0xbecd7b03898d190),
    UINT64_C (0x2217beaddbc496cb), UINT64_C (0xba0), UINT64_C (0x18c) },
  { UINT64_C (0x6b4cb2424a23d596), UINT64_C (0x229), UINT64_C (0x922766581e27a1c0),
    UINT64_C (0xd08f6d0559), UINT64_C (0x11d34f921), UINT64_C (0xe7) },
  { UINT64_C (0x2e44158bae97ba94), UINT64_C (0x253), UINT64_C (0xa38fd547923a7369),
    UINT64_C (0x5f557), UINT64_C (0x12278e4369d558), UINT64_C (0x6b) },
  { UINT64_C (0x8c38fb2918f135d2), UINT64_C (0x907a70c31012f037), UINT64_C (0x9e7769b10f4205b4),
    UINT64_C (0x7f151), UINT64_C (0xd6c2c4fca278c432), UINT64_C (0x4f231e3295b4cbb9) },
};

TEST (test_cases)
{
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_int_equal (wide_scale (cases[i].a, cases[i].b, cases[i].more, cases[i].divisor),
                      cases[i].scaled);
    assert_int_equal (wide_upper (cases[i].a, cases[i].b), cases[i].upper);
  }
}

/* As the compiler does it, where it does. */
TEST (test_all_sizes)
{
#ifdef __SIZEOF_INT128__
  uint64_t at = 1;
  for (unsigned i = 0; i < 100000; i++) {
    uint64_t n[4];
    for (unsigned k = 0; k < 4; k++) {
      at = at * UINT64_C (6364136223846793005) + UINT64_C (1442695040888963407);
      n[k] = at >> (at >> 32) % 64;
    }
    n[3] += n[3] == 0;
    const unsigned __int128 product = (unsigned __int128) n[0] * n[1];
    assert_int_equal (wide_upper (n[0], n[1]), product >> 64);
    assert_int_equal (wide_scale (n[0], n[1], n[2], n[3]), (uint64_t) ((product + n[2]) / n[3]));
  }
#endif
}
