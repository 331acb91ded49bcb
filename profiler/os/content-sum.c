/* content-sum.c -- XXH64, in stripes of 32 bytes. */
#include "config.h"

#ifdef HAVE_ZSTD

#include "profiler/os/content-sum.h"
#include <endian.h>
#include <string.h>

enum { STRIPE = 32 };

static const uint64_t P1 = 0x9e3779b185ebca87, P2 = 0xc2b2ae3d27d4eb4f, P3 = 0x165667b19e3779f9,
                      P4 = 0x85ebca77c2b2ae63, P5 = 0x27d4eb2f165667c5;

static uint64_t
rotate (uint64_t value, unsigned bits)
{
  return value << bits | value >> (64 - bits);
}

static uint64_t
read_64 (const unsigned char *from)
{
  uint64_t value;
  memcpy (&value, from, sizeof value);
  return le64toh (value);
}

static uint64_t
read_32 (const unsigned char *from)
{
  uint32_t value;
  memcpy (&value, from, sizeof value);
  return le32toh (value);
}

static uint64_t
mix (uint64_t lane, uint64_t input)
{
  return rotate (lane + input * P2, 31) * P1;
}

void
content_sum_start (struct content_sum *s)
{
  *s = (struct content_sum){ .lanes = { P1 + P2, P2, 0, 0 - P1 } };
}

static void
add_stripe (struct content_sum *s, const unsigned char *stripe)
{
  for (int i = 0; i < 4; i++)
    s->lanes[i] = mix (s->lanes[i], read_64 (stripe + 8 * i));
}

void
content_sum_add (struct content_sum *s, const void *from, size_t length)
{
  const unsigned char *bytes = from;
  const size_t had = s->length % STRIPE;
  s->length += length;
  if (had != 0) {
    const size_t n = length < STRIPE - had ? length : STRIPE - had;
    memcpy (s->rest + had, bytes, n);
    if (had + n < STRIPE)
      return;
    add_stripe (s, s->rest);
    bytes += n;
    length -= n;
  }
  for (; length >= STRIPE; bytes += STRIPE, length -= STRIPE)
    add_stripe (s, bytes);
  memcpy (s->rest, bytes, length);
}

uint64_t
content_sum_get (const struct content_sum *s)
{
  static const unsigned turns[] = { 1, 7, 12, 18 };
  const unsigned char *p = s->rest, *const end = s->rest + s->length % STRIPE;
  uint64_t sum = s->length < STRIPE ? P5 : 0;
  for (int i = 0; i < 4 && s->length >= STRIPE; i++)
    sum += rotate (s->lanes[i], turns[i]);
  for (int i = 0; i < 4 && s->length >= STRIPE; i++)
    sum = (sum ^ mix (0, s->lanes[i])) * P1 + P4;
  sum += s->length;
  for (; end - p >= 8; p += 8)
    sum = rotate (sum ^ mix (0, read_64 (p)), 27) * P1 + P4;
  for (; end - p >= 4; p += 4)
    sum = rotate (sum ^ read_32 (p) * P1, 23) * P2 + P3;
  for (; p < end; p++)
    sum = rotate (sum ^ *p * P5, 11) * P1;
  sum = (sum ^ sum >> 33) * P2;
  sum = (sum ^ sum >> 29) * P3;
  return sum ^ sum >> 32;
}

#endif
