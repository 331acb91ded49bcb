/* content-sum.h -- XXH64 with the seed 0 (as in RFC 8878), in stripes of 32 bytes: the sum of a
 * frame of Zstandard, whose library returns it only by ending the frame, and of check marks.
 */
#ifndef PROFLOG_CONTENT_SUM_H
#define PROFLOG_CONTENT_SUM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CONTENT_SUM_P1 UINT64_C (0x9e3779b185ebca87)
#define CONTENT_SUM_P2 UINT64_C (0xc2b2ae3d27d4eb4f)
#define CONTENT_SUM_P3 UINT64_C (0x165667b19e3779f9)
#define CONTENT_SUM_P4 UINT64_C (0x85ebca77c2b2ae63)
#define CONTENT_SUM_P5 UINT64_C (0x27d4eb2f165667c5)
enum { CONTENT_SUM_STRIPE = 32 };

struct content_sum {
  uint64_t lanes[4];
  uint64_t length;
  unsigned char rest[32]; /* of the length: the bytes that are no whole stripe yet */
};

static inline uint64_t
content_sum_rotate (uint64_t value, unsigned bits)
{
  return value << bits | value >> (64 - bits);
}

/* Little-endian; compilers make one load of it. */
static inline uint64_t
content_sum_read_32 (const unsigned char *p)
{
  return (uint64_t) p[0] | (uint64_t) p[1] << 8 | (uint64_t) p[2] << 16 | (uint64_t) p[3] << 24;
}

static inline uint64_t
content_sum_read_64 (const unsigned char *p)
{
  return content_sum_read_32 (p) | content_sum_read_32 (p + 4) << 32;
}

static inline uint64_t
content_sum_mix (uint64_t lane, uint64_t input)
{
  return content_sum_rotate (lane + input * CONTENT_SUM_P2, 31) * CONTENT_SUM_P1;
}

/* Of no content. */
static inline void
content_sum_start (struct content_sum *s)
{
  memset (s, 0, sizeof *s);
  s->lanes[0] = CONTENT_SUM_P1 + CONTENT_SUM_P2;
  s->lanes[1] = CONTENT_SUM_P2;
  s->lanes[3] = 0 - CONTENT_SUM_P1;
}

static inline void
content_sum_add_stripe (struct content_sum *s, const unsigned char *stripe)
{
  for (int i = 0; i < 4; i++)
    s->lanes[i] = content_sum_mix (s->lanes[i], content_sum_read_64 (stripe + 8 * i));
}

static inline void
content_sum_add (struct content_sum *s, const void *from, size_t length)
{
  const unsigned char *bytes = (const unsigned char *) from;
  const size_t had = s->length % CONTENT_SUM_STRIPE;
  s->length += length;
  if (had != 0) {
    const size_t n = length < CONTENT_SUM_STRIPE - had ? length : CONTENT_SUM_STRIPE - had;
    memcpy (s->rest + had, bytes, n);
    if (had + n < CONTENT_SUM_STRIPE)
      return;
    content_sum_add_stripe (s, s->rest);
    bytes += n;
    length -= n;
  }
  for (; length >= CONTENT_SUM_STRIPE; bytes += CONTENT_SUM_STRIPE, length -= CONTENT_SUM_STRIPE)
    content_sum_add_stripe (s, bytes);
  memcpy (s->rest, bytes, length);
}

/* That of all that was added. */
static inline uint64_t
content_sum_get (const struct content_sum *s)
{
  static const unsigned turns[] = { 1, 7, 12, 18 };
  const unsigned char *p = s->rest, *const end = s->rest + s->length % CONTENT_SUM_STRIPE;
  uint64_t sum = s->length < CONTENT_SUM_STRIPE ? CONTENT_SUM_P5 : 0;
  for (int i = 0; i < 4 && s->length >= CONTENT_SUM_STRIPE; i++)
    sum += content_sum_rotate (s->lanes[i], turns[i]);
  for (int i = 0; i < 4 && s->length >= CONTENT_SUM_STRIPE; i++)
    sum = (sum ^ content_sum_mix (0, s->lanes[i])) * CONTENT_SUM_P1 + CONTENT_SUM_P4;
  sum += s->length;
  for (; end - p >= 8; p += 8)
    sum = content_sum_rotate (sum ^ content_sum_mix (0, content_sum_read_64 (p)), 27)
              * CONTENT_SUM_P1
          + CONTENT_SUM_P4;
  for (; end - p >= 4; p += 4)
    sum = content_sum_rotate (sum ^ content_sum_read_32 (p) * CONTENT_SUM_P1, 23) * CONTENT_SUM_P2
          + CONTENT_SUM_P3;
  for (; p < end; p++)
    sum = content_sum_rotate (sum ^ *p * CONTENT_SUM_P5, 11) * CONTENT_SUM_P1;
  sum = (sum ^ sum >> 33) * CONTENT_SUM_P2;
  sum = (sum ^ sum >> 29) * CONTENT_SUM_P3;
  return sum ^ sum >> 32;
}

#endif
