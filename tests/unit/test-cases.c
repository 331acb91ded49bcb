/* test-cases.c -- the hand-written bytes of tests/cases/ give the items written beside them,
 * however the reader is fed.  tests/cases/README tells how a case is written.  Without arguments
 * all of them run; else the files that are named. */
#include "tests/unit/log-items.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

struct byte_case {
  char *name;
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
new_case (const char *file, const char *name)
{
  struct byte_case *c = g_new0 (struct byte_case, 1);
  char *base = g_path_get_basename (file);
  c->name = g_strdup_printf ("%s: %s", base, name);
  c->bytes = g_byte_array_new ();
  c->lines = g_ptr_array_new_with_free_func (g_free);
  g_free (base);
  return c;
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
    g_ptr_array_add (cases, new_case (file, line + strlen ("case ")));
  } else if (g_str_has_prefix (line, "define ")) {
    char **words = g_strsplit (line, " ", 3);
    GByteArray *bytes = g_byte_array_new ();
    append_bytes (bytes, defined, words[2], file, number);
    g_hash_table_insert (defined, g_strdup (words[1]), bytes);
    g_strfreev (words);
  } else if (*line != 0 && c == NULL) {
    bad_case (file, number, "'%s' belongs to no case", line);
  } else if (g_str_has_prefix (line, "> ")) {
    g_ptr_array_add (c->lines, g_strdup (line + 2));
  } else if (strcmp (line, "end") == 0 || g_str_has_prefix (line, "error ")) {
    c->end = g_strdup (line);
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
  for (guint i = 0; i < items->items->len && i < c->lines->len; i++) {
    char **parts = g_strsplit (log_items_nth (items, i).line, " -- ", 2);
    assert_string_equal (parts[0], g_ptr_array_index (c->lines, i));
    g_strfreev (parts);
  }
  if (items->items->len > c->lines->len)
    fail_msg ("more than was expected: %s", log_items_nth (items, c->lines->len).line);
  if (items->items->len < c->lines->len)
    fail_msg ("missing: %s", (char *) g_ptr_array_index (c->lines, items->items->len));
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

static void
read_all (GPtrArray *cases)
{
  const char *srcdir = g_getenv ("srcdir");
  char *folder = g_build_filename (srcdir != NULL ? srcdir : ".", "tests", "cases", NULL);
  GError *error = NULL;
  GDir *dir = g_dir_open (folder, 0, &error);
  if (dir == NULL)
    bad_case (folder, 0, "%s", error->message);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    if (g_str_has_suffix (name, ".case")) {
      char *file = g_build_filename (folder, name, NULL);
      read_cases (cases, file);
      g_free (file);
    }
  g_dir_close (dir);
  g_free (folder);
}

int
main (int argc, char **argv)
{
  GPtrArray *cases = g_ptr_array_new_with_free_func (free_case);
  for (int i = 1; i < argc; i++)
    read_cases (cases, argv[i]);
  if (argc == 1)
    read_all (cases);
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
