/* content-sum.h -- the sum that a frame of Zstandard ends with: XXH64 of its content (RFC 8878).
 *
 * The library has it, but returns it only by ending the frame.
 */
#ifndef PROFILER_CONTENT_SUM_H
#define PROFILER_CONTENT_SUM_H

#include <stddef.h>
#include <stdint.h>

struct content_sum {
  uint64_t lanes[4];
  uint64_t length;
  unsigned char rest[32]; /* of the length: what is no whole stripe yet */
};

/* Of no content. */
void content_sum_start (struct content_sum *sum);

void content_sum_add (struct content_sum *sum, const void *bytes, size_t length);

/* That of all that was added. */
uint64_t content_sum_get (const struct content_sum *sum);

#endif
