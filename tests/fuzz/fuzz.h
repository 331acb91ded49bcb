/* fuzz.h -- a fuzz target: one function that gets any bytes, in the process, without a file.
 *
 * With clang's libFuzzer (`make fuzz`) that selects the bytes by the code that they reach.  Without
 * it driver.c is the main function: it replays a corpus and mutates it. */
#ifndef PROFLOG_TESTS_FUZZ_H
#define PROFLOG_TESTS_FUZZ_H

#include <glib.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The target.  A finding ends the process: by a signal, a sanitizer, or g_error. */
int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* Slow targets define it: `make check` runs one of this many changes. */
extern const unsigned fuzz_weight __attribute__ ((weak));

/* Changes an input of a format with a structure (mutate-*.c): the new size.  Targets without this
 * function get changes that know no format. */
size_t LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* Such changes: libFuzzer's, or driver.c's. */
size_t LLVMFuzzerMutate (uint8_t *data, size_t size, size_t max_size);

/* ---- for targets ---- */

static inline uint64_t
fuzz_mix (uint64_t hash, uint64_t value)
{
  hash = (hash ^ value) * UINT64_C (0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

static inline uint64_t
fuzz_mix_bytes (uint64_t hash, const void *bytes, size_t length)
{
  const uint8_t *at = bytes;
  uint64_t word;
  for (; length >= sizeof word; at += sizeof word, length -= sizeof word) {
    memcpy (&word, at, sizeof word);
    hash = fuzz_mix (hash, word);
  }
  word = length;
  for (; length != 0; length--)
    word = word << 8 | *at++;
  return fuzz_mix (hash, word);
}

/* The next of a row of numbers that look random. */
static inline uint64_t
fuzz_next (uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

/* Lengths of pieces of an input, at random, by the input itself. */
struct fuzz_pieces {
  uint64_t state;
  size_t most;
};

static inline struct fuzz_pieces
fuzz_pieces_of (const uint8_t *data, size_t size)
{
  const size_t tail = size < 16 ? size : 16;
  struct fuzz_pieces p = { .state = fuzz_mix_bytes (size + 1, data + (size - tail), tail) | 1 };
  /* Very short pieces take the most time by far. */
  const unsigned bits = fuzz_next (&p.state) % 16 == 0 ? 0 : 3;
  p.most = (size_t) 1 << (bits + fuzz_next (&p.state) % 8);
  return p;
}

static inline size_t
fuzz_piece (struct fuzz_pieces *p, size_t left)
{
  const size_t length = 1 + fuzz_next (&p->state) % p->most;
  return length < left ? length : left;
}

/* The input as a text, for parsers of text: up to its first zero (g_free). */
static inline char *
fuzz_text (const uint8_t *data, size_t size)
{
  return g_strndup ((const char *) data, size);
}

#endif
