/* test-convert-to-mono.c -- an eventlog as a Mono log, and the losses. */
#include "config.h"

#include "decoder/convert/convert-cap-names.h"
#include "decoder/convert/convert-to-mono.h"
#include "tests/unit/eventlog-test.h"
#include "tests/unit/log-items.h"

#include <string.h>

#define N GHC_NUMBER

/* Converts the log; false with an error. */
static bool
convert (struct convert_to_mono *c, GError **error)
{
  struct ghc_reader *reader = ghc_reader_new ();
  const struct ghc_item *item;
  bool good = true;
  ghc_reader_push (reader, log_bytes->data, log_bytes->len);
  ghc_reader_finish (reader);
  while (good && ghc_reader_next (reader, &item) == PROFLOG_EVENT)
    good = convert_to_mono_item (c, item, error);
  ghc_reader_free (reader);
  return good;
}

/* Names of the events of the result. */
static void
expect_converted (struct convert_to_mono *c, const char *expected)
{
  size_t length;
  GString *names = g_string_new (NULL);
  assert_true (convert (c, NULL));
  convert_to_mono_end (c);
  const uint8_t *bytes = mlpd_writer_take (c->writer, &length);
  struct log_items *items = log_items_read (bytes, length, length, 0);
  assert_int_equal (items->result, PROFLOG_END);
  for (guint i = 0; i < items->items->len; i++) {
    const struct log_item *item = &log_items_nth (items, i);
    if (item->type != MLPD_ITEM_EVENT)
      continue;
    const char *name = strchr (item->line, ' ') + 1;
    g_string_append_printf (names, "%s%.*s", names->len != 0 ? " " : "", (int) strcspn (name, " "),
                            name);
  }
  assert_string_equal (names->str, expected);
  log_items_free (items);
  convert_to_mono_clear (c);
  g_string_free (names, TRUE);
}

static void
expect_events (const char *expected)
{
  struct convert_to_mono c;
  convert_to_mono_init (&c);
  expect_converted (&c, expected);
}

/* No program has 2^49 bytes, and a Mono log has no place for them: docs/mlpd-format.md, sizes. */
#define TOO_LARGE (MLPD_SIZE_MAX + 1)

static void
expect_refused_size (void)
{
  struct convert_to_mono c;
  GError *error = NULL;
  convert_to_mono_init (&c);
  assert_false (convert (&c, &error));
  assert_true (g_error_matches (error, MLPD_WRITER_ERROR, MLPD_WRITER_ERROR_VALUE));
  assert_non_null (strstr (error->message, "is 562949953421312"));
  g_error_free (error);
  convert_to_mono_clear (&c);
}

static void
put_heap_size (uint64_t time, uint64_t size)
{
  ghc_put_kind (block, GHC_HEAP_SIZE, time, N (4, 0), N (8, size), 0);
}

EVENTLOG_TEST (refused_size)
{
  put_heap_size (1000, TOO_LARGE);
  put_heap_size (1100, 4096);
  put_block (0, 900, 2000);
  expect_refused_size ();
}

static void
put_gc_start (uint64_t time)
{
  ghc_put_kind (block, GHC_GC_START, time, 0);
}

static void
put_gc_end (uint64_t time)
{
  ghc_put_kind (block, GHC_GC_END, time, 0);
}

/* The size that a collection reports is written at its end. */
EVENTLOG_TEST (refused_size_of_collection)
{
  put_gc_start (1000);
  put_heap_size (1100, TOO_LARGE);
  put_gc_end (1200);
  put_block (0, 900, 2000);
  expect_refused_size ();
}

#define STOP "gc-event gc-event gc-event gc-event "
#define GO " gc-event gc-event"
#define STOP_AND_GO "gc-event gc-event gc-event gc-event gc-event gc-event"

/* Where no event states who leads a collection, the caller does.  That the header declares such
 * events means nothing. */
EVENTLOG_TEST (leaders)
{
  struct convert_to_mono c;
  put_gc_start (1010);
  put_heap_size (1020, 4096);
  put_gc_end (1030);
  put_gc_start (1040); /* another one leads it */
  put_gc_end (1050);
  put_gc_start (1060);
  put_gc_end (1070);
  put_block (0, 900, 2000);
  convert_to_mono_init (&c);
  convert_to_mono_lead (&c, 0, 1010);
  convert_to_mono_lead (&c, 0, 1060);
  expect_converted (&c, "metadata-thread " STOP "gc-resize" GO " " STOP_AND_GO);
}

/* All stand still is an event of the leading capability. */
EVENTLOG_TEST (leader_by_sync)
{
  put_gc_start (1010);
  ghc_put_kind (block, GHC_GC_GLOBAL_SYNC, 1025, 0);
  put_gc_end (1020);
  put_block (0, 900, 2000);
  expect_events ("metadata-thread " STOP_AND_GO);
}

/* An event beside the blocks is of no capability, which has a name. */
EVENTLOG_TEST (no_capability)
{
  put_heap_size (1000, 4096);
  g_byte_array_append (log_bytes, block->data, block->len);
  expect_events ("gc-resize");
}

EVENTLOG_TEST (counters)
{
  ghc_put_kind (block, GHC_HEAP_ALLOCATED, 1000, N (4, 0), N (8, 100), 0);
  ghc_put_kind (block, GHC_HEAP_ALLOCATED, 1010, N (4, 0), N (8, 100), 0); /* as before */
  ghc_put_kind (block, GHC_HEAP_LIVE, 1020, N (4, 0), N (8, 50), 0);
  ghc_put_kind (block, GHC_HEAP_LIVE, 1030, N (4, 0), N (8, 0), 0); /* not known */
  put_gc_end (1040);                                                /* did not begin */
  put_block (0, 900, 2000);
  expect_events ("metadata-thread sample-counters-desc sample-counters "
                 "sample-counters-desc sample-counters");
}
