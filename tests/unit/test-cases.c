/* test-cases.c -- the hand-written bytes of tests/cases/ give the items written beside them,
 * however the reader is fed.  tests/cases/README states how a case is written.  Without arguments
 * all of them run; else the files that are named. */
#include "config.h"

#include "tests/unit/fixtures.h"
#include "tests/unit/log-items.h"
#include "tests/unit/test.h"

#include <stdio.h>
#include <string.h>

struct byte_case {
  char *name;
  unsigned since, until; /* data versions of a case that has but events; else 0 */
  unsigned pointer_size;
  guint skip; /* items that no line states */
  GByteArray *bytes;
  GPtrArray *lines;
  char *end; /* "end" or "error CODE" */
};

static void G_GNUC_NORETURN G_GNUC_PRINTF (3, 4)
    bad_case (const char *file, unsigned line, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  char *message = g_strdup_vprintf (format, args);
  va_end (args);
  g_printerr ("%s:%u: %s\n", file, line, message);
  exit (99);
}

/* Bytes in hex, and @NAME for bytes defined before. */
static void
append_bytes (GByteArray *bytes, GHashTable *defined, const char *text, const char *file,
              unsigned line)
{
  char **words = g_strsplit_set (text, " \t", -1);
  for (char **word = words; *word != NULL; word++) {
    if (**word == 0)
      continue;
    if (**word == '@') {
      const GByteArray *other = g_hash_table_lookup (defined, *word + 1);
      if (other == NULL)
        bad_case (file, line, "%s is not defined", *word);
      g_byte_array_append (bytes, other->data, other->len);
      continue;
    }
    for (const char *digits = *word; *digits != 0; digits += 2) {
      const int high = g_ascii_xdigit_value (digits[0]);
      const int low = high < 0 ? -1 : g_ascii_xdigit_value (digits[1]);
      if (low < 0)
        bad_case (file, line, "%s are no hex bytes", *word);
      const guint8 byte = (guint8) (high << 4 | low);
      g_byte_array_append (bytes, &byte, 1);
    }
  }
  g_strfreev (words);
}

static char *
collapse (const char *line)
{
  char **words = g_strsplit_set (line, " \t", -1);
  GString *text = g_string_new (NULL);
  for (char **word = words; *word != NULL; word++)
    if (**word != 0)
      g_string_append_printf (text, "%s%s", text->len != 0 ? " " : "", *word);
  g_strfreev (words);
  return g_string_free (text, FALSE);
}

static void
free_case (gpointer data)
{
  struct byte_case *c = data;
  g_free (c->name);
  g_byte_array_unref (c->bytes);
  g_ptr_array_unref (c->lines);
  g_free (c->end);
  g_free (c);
}

static struct byte_case *
new_case (char *name)
{
  struct byte_case *c = g_new0 (struct byte_case, 1);
  c->name = name;
  c->bytes = g_byte_array_new ();
  c->lines = g_ptr_array_new_with_free_func (g_free);
  return c;
}

static char *
name_of (const char *file, const char *name)
{
  char *base = g_path_get_basename (file);
  char *whole = g_strdup_printf ("%s: %s", base, name);
  g_free (base);
  return whole;
}

/* ---- cases of events alone ---- */

#define APPEND(bytes, ...)                                                                         \
  g_byte_array_append (bytes, (const guint8[]){ __VA_ARGS__ },                                     \
                       sizeof (const guint8[]){ __VA_ARGS__ })
#define ZEROS_8 0, 0, 0, 0, 0, 0, 0, 0

/* The header that a log of this data version had: its kind, times, pid, port, and the other fields
 * of the major version. */
static void
append_file_header (GByteArray *bytes, unsigned version, unsigned pointer_size)
{
  const guint8 major = version <= 11 ? 0 : version <= 13 ? 1 : version <= 16 ? 2 : 3;
  APPEND (bytes, 0x01, 0x5a, 0x50, 0x4d, major, 0, (guint8) version, (guint8) pointer_size);
  APPEND (bytes, ZEROS_8);
  if (major == 3)
    APPEND (bytes, ZEROS_8);
  APPEND (bytes, ZEROS_8, 0, 0, 0, 0, 0, 0);
  if (major == 0)
    APPEND (bytes, 0, 0);
  else
    APPEND (bytes, 4, 0, 0, 0, 'l', 'o', 'g', 0, 2, 0, 0, 0, 'm', 0, 1, 0, 0, 0, 0);
}

/* A header for `length` bytes of events: time base 1000, pointer base 0x7f0000001000, object base
 * 0xfe000000200 (times 8: 0x7f0000001000), thread 0x1234, method base 0x5000; with pointers of 4
 * bytes 0x7f001000 and 0xfe00200. */
static void
append_buffer_header (GByteArray *bytes, unsigned pointer_size, guint length)
{
  g_assert (length < 0x10000);
  APPEND (bytes, 0x01, 0x4c, 0x50, 0x4d, (guint8) length, (guint8) (length >> 8), 0, 0);
  APPEND (bytes, 0xe8, 0x03, 0, 0, 0, 0, 0, 0);
  if (pointer_size == 4)
    APPEND (bytes, 0, 0x10, 0, 0x7f, 0, 0, 0, 0, 0, 0x02, 0xe0, 0x0f, 0, 0, 0, 0);
  else
    APPEND (bytes, 0, 0x10, 0, 0, 0, 0x7f, 0, 0, 0, 0x02, 0, 0, 0xe0, 0x0f, 0, 0);
  APPEND (bytes, 0x34, 0x12, 0, 0, 0, 0, 0, 0, 0, 0x50, 0, 0, 0, 0, 0, 0);
}

/* The line with its offset, which counts from the first event, as one in the file. */
static char *
shift_line (const char *line, guint from)
{
  char *rest;
  const guint64 offset = g_ascii_strtoull (line + 1, &rest, 10);
  return g_strdup_printf ("@%" G_GUINT64_FORMAT "%s", from + offset, rest);
}

/* A case of one data version: the events with the headers around them. */
static struct byte_case *
case_of_version (const struct byte_case *events, unsigned version)
{
  struct byte_case *c = new_case (g_strdup_printf ("%s (data version %u)", events->name, version));
  append_file_header (c->bytes, version, events->pointer_size);
  append_buffer_header (c->bytes, events->pointer_size, events->bytes->len);
  for (guint i = 0; i < events->lines->len; i++)
    g_ptr_array_add (c->lines, shift_line (g_ptr_array_index (events->lines, i), c->bytes->len));
  g_byte_array_append (c->bytes, events->bytes->data, events->bytes->len);
  c->skip = 2;
  c->end = g_strdup (events->end);
  return c;
}

/* Puts a case for each of its data versions in the place of the last one. */
static void
expand_last (GPtrArray *cases)
{
  struct byte_case *events = g_ptr_array_index (cases, cases->len - 1);
  if (events->since == 0)
    return;
  g_ptr_array_steal_index (cases, cases->len - 1);
  for (unsigned version = events->since; version <= events->until; version++)
    g_ptr_array_add (cases, case_of_version (events, version));
  free_case (events);
}

/* ---- files ---- */

/* "log 5", "log 5-9", "log 5-9 4" */
static void
read_versions (struct byte_case *c, const char *line, const char *file, unsigned number)
{
  const int found = sscanf (line, "log %u-%u %u", &c->since, &c->until, &c->pointer_size);
  if (found == 1) {
    c->until = c->since;
    sscanf (line, "log %*u %u", &c->pointer_size);
  }
  if (c->pointer_size == 0)
    c->pointer_size = 8;
  if (found < 1 || c->since < 1 || c->until > MLPD_VERSION_LAST || c->since > c->until)
    bad_case (file, number, "'%s' names no data versions", line);
}

static void
read_line (GPtrArray *cases, GHashTable *defined, char *text, const char *file, unsigned number)
{
  struct byte_case *c = cases->len != 0 ? g_ptr_array_index (cases, cases->len - 1) : NULL;
  char *comment = strchr (text, '#');
  if (comment != NULL)
    *comment = 0;
  char *line = collapse (text);
  if (g_str_has_prefix (line, "case ")) {
    g_ptr_array_add (cases, new_case (name_of (file, line + strlen ("case "))));
  } else if (g_str_has_prefix (line, "define ")) {
    char **words = g_strsplit (line, " ", 3);
    GByteArray *bytes = g_byte_array_new ();
    append_bytes (bytes, defined, words[2], file, number);
    g_hash_table_insert (defined, g_strdup (words[1]), bytes);
    g_strfreev (words);
  } else if (*line != 0 && c == NULL) {
    bad_case (file, number, "'%s' belongs to no case", line);
  } else if (g_str_has_prefix (line, "log ")) {
    read_versions (c, line, file, number);
  } else if (g_str_has_prefix (line, "> ")) {
    g_ptr_array_add (c->lines, g_strdup (line + 2));
  } else if (strcmp (line, "end") == 0 || g_str_has_prefix (line, "error ")) {
    c->end = g_strdup (line);
    expand_last (cases);
  } else if (*line != 0) {
    append_bytes (c->bytes, defined, line, file, number);
  }
  g_free (line);
}

static void
read_cases (GPtrArray *cases, const char *file)
{
  char *text = NULL;
  GError *error = NULL;
  if (!g_file_get_contents (file, &text, NULL, &error))
    bad_case (file, 0, "%s", error->message);
  GHashTable *defined = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                               (GDestroyNotify) g_byte_array_unref);
  char **lines = g_strsplit (text, "\n", -1);
  for (unsigned i = 0; lines[i] != NULL; i++)
    read_line (cases, defined, lines[i], file, i + 1);
  g_strfreev (lines);
  g_hash_table_unref (defined);
  g_free (text);
}

static const char *
end_of (const struct log_items *items)
{
  if (items->result == PROFLOG_END)
    return "end";
  switch (items->error->code) {
  case PROFLOG_READ_ERROR_NOT_A_LOG:
    return "error not-a-log";
  case PROFLOG_READ_ERROR_VERSION:
    return "error version";
  default:
    return "error";
  }
}

static void
check_case (const struct byte_case *c, const struct log_items *items)
{
  const guint expected = c->skip + c->lines->len;
  for (guint i = c->skip; i < items->items->len && i < expected; i++) {
    char **parts = g_strsplit (log_items_nth (items, i).line, " -- ", 2);
    assert_string_equal (parts[0], g_ptr_array_index (c->lines, i - c->skip));
    g_strfreev (parts);
  }
  if (items->items->len > expected)
    fail_msg ("more than was expected: %s", log_items_nth (items, expected).line);
  if (items->items->len < expected)
    fail_msg ("missing: %s",
              items->items->len < c->skip
                  ? "the headers"
                  : (char *) g_ptr_array_index (c->lines, items->items->len - c->skip));
  assert_non_null (c->end);
  assert_string_equal (end_of (items), c->end);
  log_items_check (items, c->bytes->len);
}

static void
test_case (void **state)
{
  const struct byte_case *c = *state;
  struct log_items *whole = log_items_read (c->bytes->data, c->bytes->len, 0, 0);
  check_case (c, whole);
  for (gsize split = 1; split < c->bytes->len; split++) {
    struct log_items *items = log_items_read (c->bytes->data, c->bytes->len, split, 0);
    log_items_check_equal (whole, items);
    log_items_free (items);
  }
  for (gsize piece = 1; piece <= 7; piece++) {
    struct log_items *items = log_items_read (c->bytes->data, c->bytes->len, 0, piece);
    log_items_check_equal (whole, items);
    log_items_free (items);
  }
  log_items_free (whole);
}

int
main (int argc, char **argv)
{
  GPtrArray *cases = g_ptr_array_new_with_free_func (free_case);
  GPtrArray *paths = fixture_paths ("cases", ".case", 1);
  for (int i = 1; i < argc; i++)
    read_cases (cases, argv[i]);
  for (guint i = 0; argc == 1 && i < paths->len; i++)
    read_cases (cases, g_ptr_array_index (paths, i));
  g_ptr_array_unref (paths);
  if (cases->len == 0)
    bad_case ("tests/cases", 0, "there is no case");
  struct CMUnitTest *tests = g_new0 (struct CMUnitTest, cases->len);
  for (guint i = 0; i < cases->len; i++) {
    struct byte_case *c = g_ptr_array_index (cases, i);
    tests[i] = (struct CMUnitTest){ .name = c->name, .test_func = test_case, .initial_state = c };
  }
  const int failed = _cmocka_run_group_tests ("cases", tests, cases->len, NULL, NULL);
  g_free (tests);
  g_ptr_array_unref (cases);
  return failed != 0;
}
