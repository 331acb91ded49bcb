/* test-log-parts.c -- which files of a log are missing, by the names of those that are there. */
#include "config.h"

#include "decoder/input/log-parts.h"
#include "tests/unit/test.h"

static size_t
read_nothing (void *data, uint64_t offset, uint8_t *to, size_t length)
{
  (void) data;
  (void) offset;
  (void) to;
  (void) length;
  return 0;
}

/* Two empty files, and their damage. */
static void
expect_notes (const char *first, const char *second, const char *notes)
{
  struct log_parts *parts = log_parts_new ();
  g_autofree char *expected = g_strdup_printf (
      "%s has no end mark: how much is missing there is unknown%s", first, notes);
  log_parts_add (parts, &(struct log_part_bytes){ .name = first, .read_at = read_nothing }, false);
  log_parts_add (parts, &(struct log_part_bytes){ .name = second, .read_at = read_nothing }, true);
  assert_string_equal (log_parts_notes (parts), expected);
  log_parts_free (parts);
}

TEST (test_missing_files)
{
  expect_notes ("a.0001.mlpd", "a.0002.mlpd", "");
  expect_notes ("a.0001.mlpd", "a.0003.mlpd", "; a.0002.mlpd is missing");
  expect_notes ("a.0009.mlpd", "a.0013.mlpd", "; a.0010.mlpd to a.0012.mlpd are missing");
  expect_notes ("a.0001.mlpd", "b.0003.mlpd", "");
  expect_notes ("a.1.mlpd", "a.3.mlpd", "");
}

/* Not in turn; 0 has none before it, and the largest number none after it. */
TEST (test_names_not_in_turn)
{
  expect_notes ("a.0003.mlpd", "a.0001.mlpd", "");
  expect_notes ("a.0001.mlpd", "a.0000.mlpd", "");
  expect_notes ("a.18446744073709551615.mlpd", "a.0005.mlpd", "");
}
