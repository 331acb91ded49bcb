/* test-lines.c -- source lines of samples. */
#include "config.h"

#include "decoder/mlpd/analyses/lines.h"
#include "tests/unit/test.h"
#include <string.h>

enum { MAIN = 1, WORK, SORT };

static struct lines lines;

static void
begin (void)
{
  lines_init (&lines);
}

static void
end (void)
{
  lines_clear (&lines);
}

/* A hit in Sort, called by Work, called by Main, with this text. */
static void
hit (const char *text)
{
  static const guint methods[] = { SORT, WORK, MAIN };
  lines_hit (&lines, methods, 3, (struct mlpd_string){ text, strlen (text) });
}

static void
expect (guint method, const char *file, guint line, uint64_t hits, uint64_t total)
{
  for (guint i = 0; i < lines.all->len; i++) {
    const struct line_sum *sum = &g_array_index (lines.all, struct line_sum, i);
    if (sum->method != method || strcmp (sum->file, file) != 0 || sum->line != line)
      continue;
    assert_int_equal (sum->hits, hits);
    assert_int_equal (sum->total, total);
    return;
  }
  fail_msg ("nothing hit %s:%u", file, line);
}

TEST_WITH (test_lines, begin, end)
{
  hit ("/src/a.cs:7\n12\n/src/b.cs:3");
  hit ("/src/a.cs:8\n/src/a.cs:12\n/src/b.cs:3");
  hit ("\nC:\\src\\a.cs:12\n13"); /* without a line in Sort */
  assert_int_equal (lines.hits, 3);
  assert_int_equal (lines.with_lines, 3);
  assert_int_equal (lines.all->len, 6);
  expect (SORT, "/src/a.cs", 7, 1, 1);
  expect (SORT, "/src/a.cs", 8, 1, 1);
  expect (WORK, "/src/a.cs", 12, 0, 2);
  expect (MAIN, "/src/b.cs", 3, 0, 2);
  expect (WORK, "C:\\src\\a.cs", 12, 1, 1);
  expect (MAIN, "C:\\src\\a.cs", 13, 0, 1);
}

/* More lines than frames, lines without a file, numbers that are none, nothing at all. */
TEST_WITH (test_damaged, begin, end)
{
  static const char *const texts[]
      = { "",        "\n\n\n\n\n",  "7\n8", "a.cs:",
          "a.cs:x7", "a.cs:0",      ":7",   "a.cs:99999999999999999999999",
          "a.cs",    "\n\n\na.cs:7" };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    hit (texts[i]);
  assert_int_equal (lines.hits, sizeof texts / sizeof *texts);
  assert_int_equal (lines.with_lines, 0);
  assert_int_equal (lines.all->len, 0);
  hit ("a.cs:7\nx\n8");
  expect (SORT, "a.cs", 7, 1, 1);
  expect (MAIN, "a.cs", 8, 0, 1);
}

/* A line of a recursion has one hit. */
TEST_WITH (test_recursion, begin, end)
{
  static const guint methods[] = { WORK, WORK, MAIN };
  lines_hit (&lines, methods, 3, (struct mlpd_string){ "a.cs:7\n7\n9", 10 });
  expect (WORK, "a.cs", 7, 1, 1);
  expect (MAIN, "a.cs", 9, 0, 1);
}
