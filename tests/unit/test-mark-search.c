/* test-mark-search.c -- time ranges between marks; expected times are chosen by hand. */
#include "config.h"

#include "decoder/filter/filter-options.h"
#include "decoder/filter/mark-search.h"
#include "tests/unit/test.h"
#include <string.h>

#define FIRST UINT64_C (1000)
#define LAST UINT64_C (2000)

/* Marks of a log, in an order that is not that of time. */
static const struct {
  const char *name;
  uint64_t time;
} log_marks[] = { { "b", 1300 }, { "a", 1500 }, { "a", 1200 }, { "b", 1100 },
                  { "b", 1700 }, { "c", 1900 }, { "aa", 1010 } };

/* The occurrence that is requested; the number of all. */
static guint occurrence, occurrences;

static bool
search (const char *range, uint64_t *from, uint64_t *to, GError **error)
{
  struct selection s = { .occurrence = occurrence, .occurrences = &occurrences };
  struct mark_search m;
  if (!selection_time_range (&s, range, error)) {
    selection_clear (&s);
    return false;
  }
  assert_true (selection_has_marks (&s) && selection_needs_survey (&s) && selection_has_times (&s));
  mark_search_init (&m, &s);
  for (size_t i = 0; i < G_N_ELEMENTS (log_marks); i++)
    mark_search_add (&m, log_marks[i].name, strlen (log_marks[i].name), log_marks[i].time, 0);
  const bool good = mark_search_bounds (&m, FIRST, LAST, from, to, error);
  mark_search_clear (&m);
  selection_clear (&s);
  return good;
}

static void
check (const char *range, uint64_t from, uint64_t to)
{
  uint64_t got_from, got_to;
  GError *error = NULL;
  if (!search (range, &got_from, &got_to, &error))
    fail_msg ("%s: %s", range, error->message);
  if (got_from != from || got_to != to)
    fail_msg ("%s: %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, range, got_from, got_to);
}

static void
check_refused (const char *range, const char *message)
{
  uint64_t from, to;
  GError *error = NULL;
  assert_false (search (range, &from, &to, &error));
  if (strstr (error->message, message) == NULL)
    fail_msg ("%s: %s", range, error->message);
  g_error_free (error);
}

TEST (test_mark_ranges)
{
  check ("mark:a~mark:b", 1200, 1300);
  check ("mark:b~mark:a", 1100, 1200);
  check ("mark:b~mark:b", 1100, 1300);
  check (" mark:a ~ mark:c ", 1200, 1900);
  check ("mark:a~", 1200, G_MAXUINT64);
  check ("~mark:b", 0, 1100);
  check ("0~mark:b", 0, 1100);
  check ("300ns~mark:b", 1300, 1700);
  check ("60%~mark:b", 1600, 1700);
  check ("mark:a~50%", 1200, 1500);
  check ("mark:a~1us", 1200, 2000);
}

static void
check_occurrence (guint number, const char *range, uint64_t from, uint64_t to, guint all)
{
  occurrence = number;
  check (range, from, to);
  assert_int_equal (occurrences, all);
  occurrence = 0;
}

/* They do not overlap; one that does not end is none. */
TEST (test_occurrences)
{
  check_occurrence (0, "mark:a~mark:b", 1200, 1300, 2);
  check_occurrence (1, "mark:a~mark:b", 1500, 1700, 2);
  check_occurrence (0, "mark:b~mark:b", 1100, 1300, 2);
  check_occurrence (1, "mark:b~mark:b", 1300, 1700, 2);
  check_occurrence (1, "mark:b~mark:a", 1300, 1500, 2);
  check_occurrence (0, "mark:a~mark:c", 1200, 1900, 1);
}

TEST (test_mark_range_errors)
{
  check_refused ("mark:x~", "the log has no mark 'x'; there are 'aa', 'b', 'a', 'c'");
  check_refused ("mark:a~mark:y", "the log has no mark 'y'");
  check_refused ("mark:c~mark:a", "no mark 'a' is after the beginning of the range, 0.001 ms");
  check_refused ("mark:c~mark:c", "no mark 'c' is after the beginning of the range");
  check_refused ("mark:c~10ns",
                 "the first mark 'c' is at 0.001 ms, and the range ends at 0.000 ms");
  check_refused ("mark:~1", "the name of a mark is needed after mark:");
  check_refused ("mark:a", "a range A~B is needed");
  check_refused ("mark:a-mark:b", "a range A~B is needed");
  check_refused ("mark:a~0", "the time range is empty");
  check_refused ("Mark:a~", "mark:NAME");
}

TEST (test_mark_names_are_few)
{
  struct selection s = { 0 };
  struct mark_search m;
  uint64_t from, to;
  GError *error = NULL;
  assert_true (selection_time_range (&s, "mark:none~", NULL));
  mark_search_init (&m, &s);
  assert_false (mark_search_bounds (&m, FIRST, LAST, &from, &to, &error));
  assert_string_equal (error->message,
                       "--time-range: the log has no mark 'none' and no other mark");
  g_clear_error (&error);
  for (const char *name = "abcdefghijklm"; *name != 0; name++)
    mark_search_add (&m, name, 1, FIRST + (uint64_t) *name, 0);
  assert_false (mark_search_bounds (&m, FIRST, LAST, &from, &to, &error));
  assert_non_null (strstr (error->message, "'j' and 3 more"));
  g_clear_error (&error);
  mark_search_clear (&m);
  selection_clear (&s);
}
