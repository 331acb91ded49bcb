/* test-summary.c -- all analyses together, over logs with random damage: figures stay consistent,
 * and nothing breaks. */
#include "config.h"

#include "decoder/mlpd/analyses/calls.h"
#include "decoder/mlpd/analyses/exceptions.h"
#include "decoder/mlpd/analyses/heapshots.h"
#include "decoder/views/mlpd/report.h"
#include "tests/unit/log-script.h"
#include "tests/unit/random-test.h"
#include "tests/unit/test.h"

enum { EVENTS = 60 };

/* Sanitizers take ten times as long. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
static guint64 seed = 1, count = 400;
#else
static guint64 seed = 1, count = 3000;
#endif
RANDOM_TEST (seed, count)

/* A log of random events of three threads, with few addresses, so that things meet. */
static GByteArray *
random_log (GRand *rand)
{
  struct script s;
  uint64_t time = 1000;
  script_begin (&s);
  for (int i = 0; i < EVENTS; i++) {
    uint64_t address = 0x1000 * (uint64_t) g_rand_int_range (rand, 1, 5);
    uint64_t size = 8 * (uint64_t) g_rand_int_range (rand, 0, 4);
    time += (uint64_t) g_rand_int_range (rand, 0, 50);
    if (i % 10 == 0)
      script_buffer (&s, (uint64_t) g_rand_int_range (rand, 1, 4), time);
    switch (g_rand_int_range (rand, 0, 13)) {
    case 0:
      script_enter (&s, time, address);
      break;
    case 1:
      script_leave (&s, time, address);
      break;
    case 2:
      script_exc_leave (&s, time, address);
      break;
    case 3:
      script_jit (&s, time, address, address, size, "method");
      break;
    case 4:
      script_class (&s, time, address, size == 0 ? "one" : "other");
      break;
    case 5:
      script_alloc (&s, time, address, address + size, size);
      break;
    case 6:
      script_gc (&s, time, (uint64_t) g_rand_int_range (rand, 0, 10), size / 8);
      break;
    case 7:
      script_move (&s, time, address, address + size);
      break;
    case 8:
      script_throw (&s, time, address);
      break;
    case 9:
      script_monitor (&s, time, (uint64_t) g_rand_int_range (rand, 1, 4), address);
      break;
    case 10:
      script_shot_start (&s, time);
      break;
    case 11:
      script_shot_object (&s, address, address, size, &address, 1);
      break;
    default:
      script_shot_end (&s, time);
      break;
    }
  }
  return script_end (&s);
}

static void
expect_sums (const GArray *types, uint64_t objects, uint64_t bytes)
{
  for (guint i = 0; i < types->len; i++) {
    objects -= g_array_index (types, struct type_sum, i).objects;
    bytes -= g_array_index (types, struct type_sum, i).bytes;
  }
  assert_int_equal (objects, 0);
  assert_int_equal (bytes, 0);
}

static void
expect_consistent (const struct summary *s)
{
  const struct heapshots *heapshots = SUMMARY_STATE (s, heapshots);
  uint64_t events = 0, calls = 0;
  for (guint i = 0; i < s->threads.all->len; i++) {
    const struct thread *t = g_ptr_array_index (s->threads.all, i);
    events += t->events;
    assert_true (t->start <= t->end);
    assert_true (t->frames == NULL || t->frames->len == 0);
  }
  assert_int_equal (events, s->log.events);
  for (guint i = 0; i < SUMMARY_STATE (s, calls)->methods->len; i++) {
    const struct method_sum *sum
        = &g_array_index (SUMMARY_STATE (s, calls)->methods, struct method_sum, i);
    calls += sum->calls;
    assert_true (sum->calls != 0 || (sum->total_ns == 0 && sum->self_ns == 0));
  }
  assert_int_equal (calls, SUMMARY_STATE (s, calls)->total);
  assert_int_equal (SUMMARY_STATE (s, calls)->total, s->log.kind_events[MLPD_METHOD_ENTER]);
  assert_int_equal (s->allocations.objects, s->log.kind_events[MLPD_ALLOC]);
  expect_sums (s->allocations.types.classes, s->allocations.objects, s->allocations.bytes);
  for (guint i = 0; i < heapshots->shots->len; i++) {
    const struct heapshot *shot = g_ptr_array_index (heapshots->shots, i);
    expect_sums (shot->types.classes, shot->objects, shot->bytes);
  }
  assert_int_equal (heapshots->shots->len, s->log.kind_events[MLPD_HEAP_START]);
  assert_int_equal (SUMMARY_STATE (s, exceptions)->throws,
                    s->log.kind_events[MLPD_EXCEPTION_THROW]);
}

static void
check (const GByteArray *log)
{
  struct summary s;
  summarize_bytes (log->data, log->len, &s);
  expect_consistent (&s);
  for (int format = EMITTER_TEXT; format <= EMITTER_HTML; format++) {
    GString *out = g_string_new (NULL);
    struct emitter *e = emitter_new ((enum emitter_format) format, out);
    const struct view view = { .limit = (guint) format };
    sections_write (e, REPORT_SCHEMA, "a.mlpd", &s, &view, report_sections);
    emitter_free (e);
    assert_true (g_utf8_validate (out->str, (gssize) out->len, NULL));
    g_string_free (out, TRUE);
  }
  summary_clear (&s);
}

TEST (test_random_damage)
{
  GRand *rand = g_rand_new_with_seed ((guint32) seed);
  for (guint64 round = 0; round < count; round++) {
    GByteArray *log = random_log (rand);
    check (log);
    /* The file header stays, so that it is a log. */
    for (int damages = g_rand_int_range (rand, 1, 6); damages > 0; damages--) {
      gint32 at = g_rand_int_range (rand, MLPD_FILE_HEADER_SIZE, (gint32) log->len);
      log->data[at] = (guint8) g_rand_int_range (rand, 0, 256);
    }
    g_byte_array_set_size (
        log, (guint) g_rand_int_range (rand, MLPD_FILE_HEADER_SIZE, (gint32) log->len + 1));
    check (log);
    g_byte_array_unref (log);
  }
  g_rand_free (rand);
}
