/* test-mlpd-roundtrip.c -- the reader reads the output of the encoder, for random events; and
 * random damage never does more than damage.
 *
 * PROFLOG_TEST_SEED and PROFLOG_TEST_COUNT (logs for each property) override the defaults. */
#include "config.h"

#include "tests/prop/random-events.h"
#include "tests/unit/log-items.h"
#include "tests/unit/random-test.h"
#include "tests/unit/test.h"

#include <proflog/mlpd-writer.h>
#include <string.h>

static guint64 seed = 20100701, count = 8000;
RANDOM_TEST (seed, count)

/* Each log has a seed of its own, so that a failure is repeated with it and a count of 1. */
static guint32
seed_of (guint64 nth)
{
  return (guint32) (seed + nth);
}

static void
print_seed_on_failure (guint64 nth, gboolean failed)
{
  if (failed)
    print_error ("repeat it with PROFLOG_TEST_SEED=%u PROFLOG_TEST_COUNT=1\n", seed_of (nth));
}

static gboolean
holds_events (const struct log_items *items, const GPtrArray *lines)
{
  guint events = 0;
  for (guint i = 0; i < items->items->len; i++) {
    const struct log_item *item = &log_items_nth (items, i);
    if (item->type == MLPD_ITEM_DAMAGE)
      return FALSE;
    if (item->type != MLPD_ITEM_EVENT)
      continue;
    if (events == lines->len
        || strcmp (strchr (item->line, ' '), g_ptr_array_index (lines, events)) != 0) {
      print_error ("read  %s\nwrote %s\n", item->line,
                   events < lines->len ? (char *) g_ptr_array_index (lines, events) : "nothing");
      return FALSE;
    }
    events++;
  }
  return events == lines->len && items->result == PROFLOG_END;
}

TEST (test_round_trip)
{
  for (guint64 nth = 0; nth < count; nth++) {
    struct random_events random = { 0 };
    random_events_init (&random, seed_of (nth));
    GByteArray *log = g_byte_array_new ();
    GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);
    random_log (&random, log, 3, 20, lines);
    struct log_items *whole = log_items_read (log->data, log->len, 0, 0);
    const gboolean same = holds_events (whole, lines);
    print_seed_on_failure (nth, !same);
    assert_true (same);
    log_items_check (whole, log->len);
    const gsize piece = 1 + g_rand_int (random.rand) % 200;
    struct log_items *pieces = log_items_read (log->data, log->len, 0, piece);
    log_items_check_equal (whole, pieces);
    log_items_free (pieces);
    log_items_free (whole);
    g_ptr_array_unref (lines);
    g_byte_array_unref (log);
    random_events_clear (&random);
  }
}

/* Writes random events of a data version as those of another one: events that the writer accepts
 * are read back as they were written.  Returns how many it accepted. */
static guint
write_log (struct random_events *random, struct mlpd_writer *writer, GPtrArray *lines)
{
  const unsigned version = 1 + g_rand_int (random->rand) % MLPD_VERSION_LAST;
  const struct mlpd_file_header header
      = { .data_version = (uint8_t) version,
          .major = g_rand_boolean (random->rand) ? 3 : 0,
          .pointer_size = random->address_mask == UINT32_MAX ? 4 : 8 };
  union mlpd_payload payload;
  assert_true (mlpd_writer_header (writer, &header, NULL));
  for (guint i = 0; i < 40; i++) {
    GError *error = NULL;
    const enum mlpd_kind kind = random_event (random, &payload);
    if (version == 1)
      random_event_make_plausible (kind, &payload);
    if (kind == MLPD_METADATA_IMAGE && payload.metadata_image.mvid.text == NULL)
      payload.metadata_image.mvid = (struct mlpd_string){ "", 0 }; /* as it is read back */
    if (i % 10 == 0)
      assert_true (mlpd_writer_begin_buffer (writer, i, random_number (random), NULL));
    if (mlpd_writer_event (writer, kind, &payload, &error))
      g_ptr_array_add (lines, log_items_event_text (kind, &payload, version));
    else
      assert_true (version != random->version && error->domain == MLPD_WRITER_ERROR);
    g_clear_error (&error);
  }
  assert_true (mlpd_writer_end (writer, 0, 0, NULL));
  return lines->len;
}

TEST (test_writer)
{
  guint accepted = 0;
  for (guint64 nth = 0; nth < count / 4; nth++) {
    struct random_events random = { 0 };
    random_events_init (&random, seed_of (nth));
    random.version = 1 + g_rand_int (random.rand) % MLPD_VERSION_LAST;
    random.address_mask = g_rand_boolean (random.rand) ? UINT64_MAX : UINT32_MAX;
    struct mlpd_writer *writer = mlpd_writer_new ();
    GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);
    size_t length;
    accepted += write_log (&random, writer, lines);
    const uint8_t *bytes = mlpd_writer_take (writer, &length);
    struct log_items *items = log_items_read (bytes, length, 0, 0);
    const gboolean same = holds_events (items, lines);
    print_seed_on_failure (nth, !same);
    assert_true (same);
    log_items_free (items);
    g_ptr_array_unref (lines);
    mlpd_writer_free (writer);
    random_events_clear (&random);
  }
  assert_true (count < 100 || accepted > count / 4 * 20); /* half of them */
}

/* Changes, drops, doubles or puts in some bytes. */
static void
damage (struct random_events *random, GByteArray *log)
{
  GRand *rand = random->rand;
  for (guint i = 1 + g_rand_int (rand) % 4; i > 0 && log->len > 1; i--) {
    const guint at = g_rand_int (rand) % log->len;
    const guint wanted = 1 + g_rand_int (rand) % 60;
    const guint length = MIN (wanted, log->len - at);
    guint8 *copy = g_memdup2 (log->data + at, length);
    switch (g_rand_int (rand) % 5) {
    case 0:
      log->data[at] = (guint8) g_rand_int (rand);
      break;
    case 1:
      log->data[at] ^= (guint8) (1 << g_rand_int (rand) % 8);
      break;
    case 2:
      g_byte_array_remove_range (log, at, length);
      break;
    case 3:
      g_byte_array_append (log, copy, length);
      break;
    default:
      memset (log->data + at, g_rand_boolean (rand) ? 0xff : 0x01, length);
      break;
    }
    g_free (copy);
  }
}

TEST (test_damage)
{
  guint damaged = 0;
  for (guint64 nth = 0; nth < count; nth++) {
    struct random_events random = { 0 };
    random_events_init (&random, seed_of (nth));
    GByteArray *log = g_byte_array_new ();
    random_log (&random, log, 1 + g_rand_int (random.rand) % 4, 10, NULL);
    damage (&random, log);
    struct log_items *whole = log_items_read (log->data, log->len, 0, 0);
    log_items_check (whole, log->len);
    const gsize first = g_rand_int (random.rand) % (log->len + 1);
    const gsize piece = 1 + g_rand_int (random.rand) % 80;
    struct log_items *pieces = log_items_read (log->data, log->len, first, piece);
    log_items_check_equal (whole, pieces);
    damaged += whole->result == PROFLOG_ERROR;
    for (guint i = 0; i < whole->items->len; i++)
      damaged += log_items_nth (whole, i).type == MLPD_ITEM_DAMAGE;
    log_items_free (pieces);
    log_items_free (whole);
    g_byte_array_unref (log);
    random_events_clear (&random);
  }
  /* Changed bytes often make other events, yet damage must have been seen. */
  assert_true (count < 100 || damaged > count / 2);
}
