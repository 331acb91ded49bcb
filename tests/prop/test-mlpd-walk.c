/* test-mlpd-walk.c -- behind each random event the walk has the encoder's time and method; it ends
 * before an event that is cut, and takes any bytes.
 *
 * PROFLOG_TEST_SEED and PROFLOG_TEST_COUNT (buffers) override the defaults. */
#include "config.h"

#include "tests/prop/random-events.h"
#include "tests/unit/random-test.h"
#include "tests/unit/test.h"

#include <proflog/mlpd-encode.h>
#include <proflog/mlpd-walk.h>
#include <string.h>

enum { EVENTS = 12 };

static guint64 seed = 20261121, count = 20000;
RANDOM_TEST (seed, count)

/* A buffer of random events, with the state of the encoder after each. */
struct buffer {
  GByteArray *bytes;
  struct mlpd_buffer_header header;
  struct {
    size_t offset;
    uint64_t time, method;
  } states[EVENTS + 1];
};

static void
fill (struct buffer *b, struct random_events *random)
{
  struct mlpd_encoder e;
  mlpd_encoder_start (&e, random->version, random_number (random));
  e.ptr_base = e.obj_base = 4096;
  e.method = e.method_base = 1 + random_number (random) / 2;
  b->bytes = g_byte_array_new ();
  b->header = mlpd_encoder_header (&e, 7, 0);
  for (guint i = 0;; i++) {
    b->states[i].offset = b->bytes->len;
    b->states[i].time = e.time;
    b->states[i].method = e.method;
    if (i == EVENTS)
      break;
    union mlpd_payload payload;
    const enum mlpd_kind kind = random_event (random, &payload);
    guint8 *to = g_malloc (mlpd_bound_event (kind, &payload));
    const uint8_t *end = mlpd_put_event (&e, to, kind, &payload);
    g_byte_array_append (b->bytes, to, (guint) (end - to));
    g_free (to);
  }
}

/* Walks over the first `length` bytes, which hold `events` whole events. */
static void
expect_walk (const struct buffer *b, unsigned version, size_t length, guint events)
{
  struct mlpd_walk walk;
  mlpd_walk_start (&walk, version, &b->header);
  /* In memory of its own, so that a sanitizer sees reads beyond it. */
  guint8 *copy = g_memdup2 (b->bytes->data, length + (length == 0));
  assert_int_equal (mlpd_walk_over (&walk, copy, length), b->states[events].offset);
  g_free (copy);
  const struct mlpd_buffer_header header = mlpd_walk_header (&walk, &b->header);
  assert_true (header.time_base == b->states[events].time);
  assert_true (header.method_base == b->states[events].method);
  assert_true (header.ptr_base == 4096 && header.obj_base == 4096 && header.thread == 7);
  assert_int_equal (header.length, 0);
}

TEST (test_cuts)
{
  for (guint64 nth = 0; nth < count; nth++) {
    struct random_events random = { 0 };
    struct buffer b;
    random_events_init (&random, (guint32) (seed + nth));
    random.version = 1 + (unsigned) (nth % MLPD_VERSION_LAST);
    random.address_mask = UINT64_MAX;
    fill (&b, &random);
    const guint events = g_rand_int (random.rand) % (EVENTS + 1);
    expect_walk (&b, random.version, b.states[events].offset, events);
    if (events > 0)
      expect_walk (&b, random.version, b.states[events].offset - 1, events - 1);
    g_byte_array_unref (b.bytes);
    random_events_clear (&random);
  }
}

TEST (test_any_bytes)
{
  GRand *rand = g_rand_new_with_seed ((guint32) seed);
  size_t passed = 0;
  for (guint64 nth = 0; nth < count; nth++) {
    const size_t length = g_rand_int (rand) % 64;
    guint8 *bytes = g_malloc (length + 1);
    for (size_t i = 0; i < length; i++)
      bytes[i] = (guint8) g_rand_int (rand);
    guint8 *exact = g_memdup2 (bytes, length + (length == 0));
    struct mlpd_walk walk;
    const struct mlpd_buffer_header header = { 0 };
    mlpd_walk_start (&walk, 1 + (unsigned) (nth % MLPD_VERSION_LAST), &header);
    const size_t n = mlpd_walk_over (&walk, exact, length);
    assert_true (n <= length);
    passed += n;
    g_free (exact);
    g_free (bytes);
  }
  assert_true (passed > 0);
  g_rand_free (rand);
}

/* Worked out by hand: an enter 5 ns after 100 of the method 16 after 1000, then a leave of it. */
TEST (test_by_hand)
{
  static const uint8_t bytes[] = { 0x23, 0x05, 0x10, 0x13, 0x07, 0x00, 0x13 };
  const struct mlpd_buffer_header header = { .time_base = 100, .method_base = 1000 };
  struct mlpd_walk walk;
  mlpd_walk_start (&walk, 1, &header);
  assert_int_equal (mlpd_walk_over (&walk, bytes, sizeof bytes), 6);
  assert_int_equal (walk.time, 112);
  assert_int_equal (walk.method, 1016);
}
