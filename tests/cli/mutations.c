/* mutations.c -- the ways in which a log is damaged. */
#include "config.h"

#include "tests/cli/mutations.h"
#include <stdbool.h>
#include <string.h>

uint64_t
mutation_number (struct mutation_random *random, uint64_t below)
{
  uint64_t z = random->state += UINT64_C (0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C (0x94d049bb133111eb);
  return (z ^ z >> 31) % below;
}

/* ---- places ---- */

/* The first bytes of buffers, headers, types and blocks. */
static const struct {
  const char *bytes;
  size_t length;
} marks[] = { { "\x01LPM", 4 }, { "\x01ZPM", 4 }, { "\0\x12\0\0", 4 }, { "etb", 3 }, { "hdr", 3 } };

/* Any place, or one where a part of the format begins, or a few bytes after that. */
static guint
choose_place (const GByteArray *log, struct mutation_random *random)
{
  const guint from = (guint) mutation_number (random, log->len);
  if (mutation_number (random, 2) == 0)
    return from;
  const guint mark = (guint) mutation_number (random, G_N_ELEMENTS (marks));
  const guint after = (guint) mutation_number (random, 2) * (guint) mutation_number (random, 60);
  for (guint i = from; i + marks[mark].length <= log->len; i++)
    if (memcmp (log->data + i, marks[mark].bytes, marks[mark].length) == 0)
      return MIN (i + after, log->len - 1);
  return from;
}

/* The length of a part from this place on: mostly a short one. */
static guint
choose_length (const GByteArray *log, struct mutation_random *random, guint at)
{
  const uint64_t most = UINT64_C (1) << mutation_number (random, 17);
  const uint64_t length = 1 + mutation_number (random, most);
  return (guint) MIN (length, log->len - at);
}

/* ---- changes ---- */

static void
insert (GByteArray *log, guint at, const guint8 *bytes, guint length)
{
  const guint rest = log->len - at;
  g_byte_array_set_size (log, log->len + length);
  memmove (log->data + at + length, log->data + at, rest);
  memcpy (log->data + at, bytes, length);
}

static void
overwrite (GByteArray *log, guint at, const guint8 *bytes, guint length)
{
  memcpy (log->data + at, bytes, MIN (length, log->len - at));
}

static void
truncate_log (GByteArray *log, struct mutation_random *random, guint at)
{
  (void) random;
  g_byte_array_set_size (log, MAX (at, 1));
}

static void
flip_bits (GByteArray *log, struct mutation_random *random, guint at)
{
  for (uint64_t n = 1 + mutation_number (random, 8); n > 0; n--) {
    log->data[at] ^= (guint8) (1 << mutation_number (random, 8));
    if (mutation_number (random, 2) == 0)
      at = choose_place (log, random);
  }
}

static void
overwrite_run (GByteArray *log, struct mutation_random *random, guint at)
{
  static const guint8 fills[] = { 0x00, 0xff, 0x80, 0x7f, 0x01 };
  const uint64_t fill = mutation_number (random, G_N_ELEMENTS (fills) + 1);
  const guint end = at + choose_length (log, random, at);
  for (guint i = at; i < end; i++)
    log->data[i]
        = fill < G_N_ELEMENTS (fills) ? fills[fill] : (guint8) mutation_number (random, 256);
}

static const uint64_t extremes[] = { 0,
                                     1,
                                     0x7f,
                                     0x80,
                                     0xffff,
                                     0x10000,
                                     0x7fffffff,
                                     0x80000000,
                                     0xffffffff,
                                     0x100000000,
                                     INT64_MAX,
                                     UINT64_C (1) << 63,
                                     UINT64_MAX - 1,
                                     UINT64_MAX };

/* In LEB128, in the place of a number or before it; or one that does not end. */
static void
put_leb128 (GByteArray *log, struct mutation_random *random, guint at)
{
  guint8 bytes[12];
  guint length = 0;
  uint64_t value = extremes[mutation_number (random, G_N_ELEMENTS (extremes))];
  if (mutation_number (random, 6) == 0) {
    length = sizeof bytes;
    memset (bytes, 0xff, sizeof bytes);
  } else {
    for (; value > 0x7f; value >>= 7)
      bytes[length++] = (guint8) (value | 0x80);
    bytes[length++] = (guint8) value;
  }
  if (mutation_number (random, 2) == 0)
    insert (log, at, bytes, length);
  else
    overwrite (log, at, bytes, length);
}

/* Of 2, 4 or 8 bytes, of either order. */
static void
put_fixed (GByteArray *log, struct mutation_random *random, guint at)
{
  guint8 bytes[8];
  const guint length = 2u << mutation_number (random, 3);
  const uint64_t value = extremes[mutation_number (random, G_N_ELEMENTS (extremes))];
  const bool is_big = mutation_number (random, 2) == 0;
  for (guint i = 0; i < length; i++)
    bytes[i] = (guint8) (value >> (8 * (is_big ? length - 1 - i : i)));
  overwrite (log, at, bytes, length);
}

static void
delete_part (GByteArray *log, struct mutation_random *random, guint at)
{
  const guint length = choose_length (log, random, at);
  if (length < log->len)
    g_byte_array_remove_range (log, at, length);
}

static void
insert_part (GByteArray *log, struct mutation_random *random, guint at)
{
  guint8 bytes[256];
  const guint length = 1 + (guint) mutation_number (random, sizeof bytes);
  const bool is_zero = mutation_number (random, 2) == 0;
  for (guint i = 0; i < length; i++)
    bytes[i] = is_zero ? 0 : (guint8) mutation_number (random, 256);
  insert (log, at, bytes, length);
}

static void
repeat_part (GByteArray *log, struct mutation_random *random, guint at)
{
  const guint length = choose_length (log, random, at);
  g_autofree guint8 *part = g_memdup2 (log->data + at, length);
  insert (log, choose_place (log, random), part, length);
}

/* A part changes places with the one that follows it. */
static void
exchange_parts (GByteArray *log, struct mutation_random *random, guint at)
{
  const guint first = choose_length (log, random, at);
  if (at + first >= log->len)
    return;
  const guint second = choose_length (log, random, at + first);
  g_autofree guint8 *part = g_memdup2 (log->data + at, first);
  memmove (log->data + at, log->data + at + first, second);
  memcpy (log->data + at + second, part, first);
}

static const struct {
  const char *name;
  void (*change) (GByteArray *log, struct mutation_random *random, guint at);
} changes[] = {
  { "truncate", truncate_log }, { "flip", flip_bits },     { "overwrite", overwrite_run },
  { "leb128", put_leb128 },     { "fixed", put_fixed },    { "delete", delete_part },
  { "insert", insert_part },    { "repeat", repeat_part }, { "exchange", exchange_parts },
};

void
mutate (GByteArray *log, struct mutation_random *random, GString *text)
{
  for (uint64_t n = 1 + mutation_number (random, 3); n > 0; n--) {
    const uint64_t i = mutation_number (random, G_N_ELEMENTS (changes));
    const guint at = choose_place (log, random);
    g_string_append_printf (text, " %s@%u", changes[i].name, at);
    changes[i].change (log, random, at);
  }
}
