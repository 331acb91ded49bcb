/* test-table.c -- the rows and columns that a table shows, and their order. */
#include "config.h"

#include "decoder/filter/filter-options.h"
#include "decoder/output/table.h"
#include "tests/unit/test.h"

#include <string.h>

static const struct emitter_column columns[]
    = { { "bytes", "Bytes", EMIT_NUMBER },  { "wait_ns", "Wait", EMIT_NS },
        { "delta", "Change", EMIT_CHANGE }, { "when_ns", "When", EMIT_TIME },
        { NULL, "%", EMIT_SHARE },          { "name", "Name", EMIT_TEXT } };
static const struct table_shape shape = { .key = "t",
                                          TABLE_SHAPE_COLUMNS (columns),
                                          .order = TABLE_KEYS ("bytes", "wait_ns"),
                                          .name = "name",
                                          .time = "wait_ns",
                                          .bytes = "bytes" };
static const struct table_shape plain
    = { .key = "t", TABLE_SHAPE_COLUMNS (columns), .name = "name" };

/* Names by their number; how many were made. */
static const char *const names[] = { "alpha", "Beta.One", "gamma", NULL, "Beta.Two" };
static guint made;

/* Of the tables that are shown. */
static table_compare *ties;

static char *
name_of (const void *data, uint64_t number)
{
  made++;
  return g_strdup (((const char *const *) data)[number]);
}

/* The table, which is freed. */
static GString *
written (struct table *t, enum emitter_format format)
{
  GString *out = g_string_new (NULL);
  struct emitter *e = emitter_new (format, out);
  emitter_begin (e, "test/1");
  table_write (t, e);
  emitter_end (e);
  emitter_free (e);
  return out;
}

/* The keys of the columns, then the names of the rows, or all values if `whole`. */
static char *
show (const struct table_shape *s, const struct view *view, bool whole)
{
  static const struct {
    uint64_t bytes, wait;
    int64_t delta, when;
  } rows[] = { { 10, 5, -3, 40 },
               { 30, 1, 2, -7 },
               { 10, 9, INT64_MIN, 0 },
               { UINT64_MAX, 0, INT64_MAX, 8 },
               { 10, 5, 0, INT64_MAX } };
  made = 0;
  struct table *t = table_new (s, view);
  table_set_text (t, "name", name_of, names);
  if (ties != NULL)
    table_set_ties (t, ties, names);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    const union emitter_value values[] = { { .number = rows[i].bytes },
                                           { .number = rows[i].wait },
                                           { .change = rows[i].delta },
                                           { .change = rows[i].when },
                                           { .number = 0 },
                                           { .number = i } };
    table_add (t, values);
  }
  GString *out = written (t, EMITTER_JSON);
  if (whole)
    return g_string_free (out, FALSE);
  GString *shown = g_string_new (NULL);
  for (const char *p = out->str; (p = strstr (p, "\"name\": ")) != NULL;) {
    p += strlen ("\"name\": ");
    g_string_append_printf (shown, "%s%.*s", shown->len > 0 ? " " : "", (int) strcspn (p, " "), p);
  }
  g_string_free (out, TRUE);
  return g_string_free (shown, FALSE);
}

static void
expect_rows (const struct table_shape *s, const struct view *view, const char *expected)
{
  char *shown = show (s, view, false);
  assert_string_equal (shown, expected);
  g_free (shown);
}

/* By bytes, then wait, the largest first; equal rows as they came. */
TEST (test_own_order)
{
  struct view view = { 0 };
  expect_rows (&shape, &view, "null \"Beta.One\" \"gamma\" \"alpha\" \"Beta.Two\"");
  expect_rows (&plain, &view, "\"alpha\" \"Beta.One\" \"gamma\" null \"Beta.Two\"");
  view.reverse = true;
  expect_rows (&shape, &view, "\"Beta.Two\" \"alpha\" \"gamma\" \"Beta.One\" null");
  expect_rows (&plain, &view, "\"Beta.Two\" null \"gamma\" \"Beta.One\" \"alpha\"");
}

/* Higher ids first. */
static int
compare_down (const void *data, uint64_t a, uint64_t b)
{
  assert_ptr_equal (data, names);
  return (a < b) - (a > b);
}

/* Rows that are equal by the sort key come by their ids, where a table states how; backwards if the
 * table's own order is. */
TEST (test_ties)
{
  struct view view = { 0 };
  ties = compare_down;
  expect_rows (&shape, &view, "null \"Beta.One\" \"gamma\" \"Beta.Two\" \"alpha\"");
  view.reverse = true;
  expect_rows (&shape, &view, "\"alpha\" \"Beta.Two\" \"gamma\" \"Beta.One\" null");
  char *by_bytes[] = { "bytes", NULL };
  view = (struct view){ .sort = by_bytes };
  expect_rows (&plain, &view, "null \"Beta.One\" \"Beta.Two\" \"gamma\" \"alpha\"");
  ties = NULL;
}

/* Numbers fall, texts and times rise; ties are in the table's own order. */
TEST (test_sort)
{
  static const struct {
    const char *keys;
    bool reverse;
    const char *expected;
  } cases[] = {
    { "wait_ns", false, "\"gamma\" \"alpha\" \"Beta.Two\" \"Beta.One\" null" },
    { "wait", false, "\"gamma\" \"alpha\" \"Beta.Two\" \"Beta.One\" null" },
    { "wait", true, "null \"Beta.One\" \"alpha\" \"Beta.Two\" \"gamma\"" },
    { "delta", false, "null \"Beta.One\" \"Beta.Two\" \"alpha\" \"gamma\"" },
    { "when_ns", false, "\"Beta.One\" \"gamma\" null \"alpha\" \"Beta.Two\"" },
    { "name", false, "\"Beta.One\" \"Beta.Two\" \"alpha\" \"gamma\" null" },
    { "name", true, "null \"gamma\" \"alpha\" \"Beta.Two\" \"Beta.One\"" },
    { "bytes", true, "\"gamma\" \"alpha\" \"Beta.Two\" \"Beta.One\" null" },
    { "wait,name", false, "\"gamma\" \"Beta.Two\" \"alpha\" \"Beta.One\" null" },
    { "nothing,wait,name", false, "\"gamma\" \"Beta.Two\" \"alpha\" \"Beta.One\" null" },
    { "nothing", false, "null \"Beta.One\" \"gamma\" \"alpha\" \"Beta.Two\"" },
    { "nothing", true, "null \"Beta.One\" \"gamma\" \"alpha\" \"Beta.Two\"" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    struct view view = { .sort = g_strsplit (cases[i].keys, ",", -1), .reverse = cases[i].reverse };
    expect_rows (&shape, &view, cases[i].expected);
    g_strfreev (view.sort);
  }
}

/* Names cost only where they are shown or needed. */
TEST (test_limit)
{
  struct view view = { .limit = 2 };
  expect_rows (&shape, &view, "null \"Beta.One\"");
  assert_int_equal (made, 2);
  /* A table that is short by nature is not cut, unless that is requested. */
  const struct table_shape whole
      = { .key = "t", TABLE_SHAPE_COLUMNS (columns), .whole = true, .name = "name" };
  expect_rows (&whole, &view, "\"alpha\" \"Beta.One\" \"gamma\" null \"Beta.Two\"");
  view.limit_whole = true;
  expect_rows (&whole, &view, "\"alpha\" \"Beta.One\"");
  view.limit = 5;
  expect_rows (&shape, &view, "null \"Beta.One\" \"gamma\" \"alpha\" \"Beta.Two\"");
  view.limit = 2;
  view.sort = g_strsplit ("name", ",", -1);
  expect_rows (&shape, &view, "\"Beta.One\" \"Beta.Two\"");
  assert_int_equal (made, 5);
  g_strfreev (view.sort);
}

TEST (test_fields)
{
  struct view view = { .limit = 1, .fields = g_strsplit ("name,bytes,name,other", ",", -1) };
  char *text = show (&plain, &view, true);
  assert_non_null (strstr (text, "\n    { \"name\": \"alpha\", \"bytes\": 10 }\n"));
  g_free (text);
  g_strfreev (view.fields);
  /* Names are not made when they are not shown. */
  view.fields = g_strsplit ("wait", ",", -1);
  text = show (&plain, &view, true);
  assert_non_null (strstr (text, "\n    { \"wait_ns\": 5 }\n"));
  assert_int_equal (made, 0);
  g_free (text);
  g_strfreev (view.fields);
  /* Of a table that has none of them all columns are shown. */
  view.fields = g_strsplit ("other", ",", -1);
  text = show (&plain, &view, true);
  assert_non_null (strstr (text, "{ \"bytes\": 10, \"wait_ns\": 5, \"delta\": -3, \"when_ns\": 40, "
                                 "\"name\": \"alpha\" }\n"));
  g_free (text);
  g_strfreev (view.fields);
}

TEST (test_dropping)
{
  struct selection selection = { .min_bytes = 11 };
  struct view view = { .selection = &selection };
  expect_rows (&shape, &view, "null \"Beta.One\"");
  expect_rows (&plain, &view, "\"alpha\" \"Beta.One\" \"gamma\" null \"Beta.Two\"");
  selection.min_bytes = 10;
  selection.min_ns = 5;
  expect_rows (&shape, &view, "\"gamma\" \"alpha\" \"Beta.Two\"");
  selection = (struct selection){ 0 };
  assert_true (selection_filter (&selection, "^Beta", NULL));
  assert_true (selection_filter (&selection, "mm", NULL));
  expect_rows (&shape, &view, "\"Beta.One\" \"gamma\" \"Beta.Two\"");
  assert_true (selection_exclude (&selection, "One$", NULL));
  expect_rows (&plain, &view, "\"gamma\" \"Beta.Two\"");
  selection_clear (&selection);
}

TEST (test_keys)
{
  GPtrArray *shapes = g_ptr_array_new ();
  g_ptr_array_add (shapes, (gpointer) &shape);
  g_ptr_array_add (shapes, (gpointer) &plain);
  struct view view = { 0 };
  assert_true (table_check_keys (&view, shapes, NULL));
  view.sort = g_strsplit ("wait,name", ",", -1);
  assert_true (table_check_keys (&view, shapes, NULL));
  view.fields = g_strsplit ("name,size", ",", -1);
  GError *error = NULL;
  assert_false (table_check_keys (&view, shapes, &error));
  assert_string_equal (error->message, "--fields size: no table has a column of this name; there "
                                       "are bytes, wait_ns, delta, when_ns, name");
  g_clear_error (&error);
  g_strfreev (view.fields);
  view.fields = g_strsplit ("", ",", -1);
  g_strfreev (view.sort);
  view.sort = g_strsplit ("wait,", ",", -1);
  assert_false (table_check_keys (&view, shapes, &error));
  assert_true (g_str_has_prefix (error->message, "--sort : no table"));
  g_clear_error (&error);
  g_strfreev (view.sort);
  g_strfreev (view.fields);
  g_ptr_array_unref (shapes);
}

static void
put_id (const void *data, uint64_t id, struct emitter *e)
{
  emitter_number (e, data, NULL, id);
}

/* The contents of a row are read for the rows that are shown only, by their ids. */
TEST (test_detail)
{
  static const struct emitter_column one[] = { { "n", "N", EMIT_NUMBER } };
  const struct table_shape numbers
      = { .key = "t", TABLE_SHAPE_COLUMNS (one), .order = TABLE_KEYS ("n") };
  const struct view view = { .limit = 2 };
  const union emitter_value rows[] = { { .number = 5 }, { .number = 7 }, { .number = 6 } };
  struct table *t = table_new (&numbers, &view);
  table_set_detail (t, put_id, "id");
  table_add (t, &rows[0]);
  table_add (t, &rows[1]);
  table_add_id (t, UINT64_MAX, &rows[2]);
  GString *out = written (t, EMITTER_JSON);
  assert_non_null (strstr (out->str, "  \"t\": [\n"
                                     "    { \"n\": 7,\n"
                                     "      \"id\": 1\n"
                                     "    },\n"
                                     "    { \"n\": 6,\n"
                                     "      \"id\": 18446744073709551615\n"
                                     "    }\n"
                                     "  ]\n"));
  g_string_free (out, TRUE);
}

/* Reals, and cells of a type each: the largest number first, cells without a number last. */
TEST (test_sort_any)
{
  static const struct emitter_column any_columns[] = { { "real", "Real", EMIT_REAL },
                                                       { "last", "Last", EMIT_ANY },
                                                       { "name", "Name", EMIT_TEXT } };
  static const struct table_shape any_shape = { .key = "t", TABLE_SHAPE_COLUMNS (any_columns) };
  static const struct emitter_any any[] = { { EMIT_TEXT, { .text = "9" }, NULL },
                                            { EMIT_CHANGE, { .change = -5 }, NULL },
                                            { EMIT_NUMBER, { .number = UINT64_MAX }, NULL },
                                            { EMIT_REAL, { .real = 0.5 }, NULL } };
  static const double reals[] = { 0.25, -1e9, 0.5, 1 };
  static const struct {
    const char *key, *expected;
  } cases[] = { { "last", "2 3 1 0 " }, { "real", "3 2 0 1 " } };
  for (size_t c = 0; c < G_N_ELEMENTS (cases); c++) {
    char *keys[] = { (char *) cases[c].key, NULL };
    char *fields[] = { (char *) "name", NULL };
    const struct view view = { .sort = keys, .fields = fields };
    struct table *t = table_new (&any_shape, &view);
    for (guint i = 0; i < G_N_ELEMENTS (any); i++) {
      const char name[] = { (char) ('0' + i), 0 };
      const union emitter_value values[]
          = { { .real = reals[i] }, { .any = &any[i] }, { .text = name } };
      table_add (t, values);
    }
    GString *out = written (t, EMITTER_CSV), *shown = g_string_new (NULL);
    for (const char *p = strchr (out->str, '\n') + 1; *p != 0; p += 2)
      g_string_append_printf (shown, "%c ", *p);
    assert_string_equal (shown->str, cases[c].expected);
    g_string_free (out, TRUE);
    g_string_free (shown, TRUE);
  }
}

static char *
name_of_number (const void *data, uint64_t number)
{
  (void) data;
  return number % 7 == 0 ? NULL
                         : g_strdup_printf ("%s%" G_GUINT64_FORMAT, number % 3 == 0 ? "Beta." : "x",
                                            number % 5000);
}

/* A table of 50,000 rows, whose third column has a value in one row alone. */
static char *
show_many (const struct table_shape *s, const struct view *view, enum emitter_format format)
{
  struct table *t = table_new (s, view);
  table_set_text (t, "name", name_of_number, NULL);
  uint64_t random = 1;
  for (guint i = 0; i < 50000; i++) {
    random = random * UINT64_C (6364136223846793005) + 1;
    const union emitter_value values[] = { { .number = random >> 52 },
                                           { .number = random >> 40 & 7 },
                                           { .change = i == 10000 },
                                           { .change = (int64_t) (random >> 20 & 1023) },
                                           { .number = 0 },
                                           { .number = i } };
    table_add (t, values);
  }
  return g_string_free (written (t, format), FALSE);
}

/* Rows behind the limit are removed while others are added: the rest is the beginning of the whole
 * table. */
TEST (test_limit_of_many)
{
  static const struct {
    const char *sort;
    bool reverse;
    const char *filter;
    uint64_t min_ns;
  } cases[]
      = { { NULL, false, NULL, 0 },     { NULL, true, NULL, 0 },      { "name", false, NULL, 0 },
          { "when_ns", true, NULL, 0 }, { "wait", false, "Beta", 0 }, { NULL, false, "Beta", 5 } };
  static const struct table_shape *const shapes[] = { &shape, &plain };
  for (size_t c = 0; c < 2 * G_N_ELEMENTS (cases); c++) {
    char *keys[] = { (char *) cases[c / 2].sort, NULL };
    struct selection selection = { .min_ns = cases[c / 2].min_ns };
    if (cases[c / 2].filter != NULL)
      assert_true (selection_filter (&selection, cases[c / 2].filter, NULL));
    struct view_rows counted[2] = { { 0 } };
    struct view view = { .selection = &selection,
                         .sort = keys[0] != NULL ? keys : NULL,
                         .reverse = cases[c / 2].reverse,
                         .rows = &counted[0] };
    g_autofree char *all = show_many (shapes[c % 2], &view, EMITTER_CSV);
    view.limit = 1500;
    view.rows = &counted[1];
    g_autofree char *some = show_many (shapes[c % 2], &view, EMITTER_CSV);
    const char *end = all;
    for (guint i = 0; i <= view.limit; i++)
      end = strchr (end, '\n') + 1;
    assert_int_equal (strlen (some), end - all);
    assert_memory_equal (all, some, strlen (some));
    assert_int_equal (counted[0].seen, counted[1].seen);
    assert_int_equal (counted[0].shown, counted[1].shown);
    selection_clear (&selection);
  }
  const struct view view = { .limit = 3 };
  g_autofree char *text = show_many (&shape, &view, EMITTER_TEXT);
  assert_non_null (strstr (text, "and 49997 more"));
}

/* A column has a heading for a value in a row that is behind the limit, and was removed. */
TEST (test_zeros_behind_limit)
{
  struct table_shape hiding = plain;
  hiding.hides_zeros = true;
  const struct view view = { .limit = 3 };
  for (guint row = 5000; row <= 10000;
       row += 5000) { /* one that there is, and one that there is not */
    struct table *t = table_new (&hiding, &view);
    for (guint i = 0; i < 10000; i++) {
      const union emitter_value values[]
          = { { .number = 1 }, { .number = i == row }, { .change = 0 },
              { .change = 0 }, { .number = 0 },        { .text = "x" } };
      table_add (t, values);
    }
    GString *text = written (t, EMITTER_TEXT);
    assert_true ((strstr (text->str, "Wait") != NULL) == (row < 10000));
    g_string_free (text, TRUE);
  }
}

/* Names that compilers made are there as words, too: in JSON beside the name, for people, but with
 * --raw, in its place; programs that read CSV have the name alone. */
TEST (test_words)
{
  static const struct emitter_column named[] = { { "calls", "Calls", EMIT_NUMBER },
                                                 { "name", "Name", EMIT_TEXT },
                                                 { "depth", "Depth", EMIT_NUMBER } };
  static const struct table_shape methods
      = { .key = "t", TABLE_SHAPE_COLUMNS (named), .method = "name" };
  static const struct {
    enum emitter_format format;
    bool is_raw;
    const char *expected;
  } cases[] = {
    { EMITTER_JSON, false,
      "{ \"calls\": 1, \"name\": \"A:Main ()\", \"depth\": 0 },\n"
      "    { \"calls\": 2, \"name\": \"A/<>c:<Main>b__0_1 (int)\", "
      "\"words\": \"lambda 2 in A:Main (int)\", \"depth\": 1 },\n"
      "    { \"calls\": 3, \"name\": null, \"depth\": 0 }\n" },
    { EMITTER_TEXT, false, "lambda 2 in A:Main (int)" },
    { EMITTER_TEXT, true, "A/<>c:<Main>b__0_1 (int)" },
    { EMITTER_CSV, false, "calls,name,depth\n1,A:Main (),0\n2,A/<>c:<Main>b__0_1 (int),1\n3,,0\n" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const struct view view = { .is_raw = cases[i].is_raw };
    struct table *t = table_new (&methods, &view);
    table_add (t, (const union emitter_value[]){ { 1 }, { .text = "A:Main ()" }, { 0 } });
    table_add (
        t, (const union emitter_value[]){ { 2 }, { .text = "A/<>c:<Main>b__0_1 (int)" }, { 1 } });
    table_add (t, (const union emitter_value[]){ { 3 }, { .text = NULL }, { 0 } });
    GString *out = written (t, cases[i].format);
    if (strstr (out->str, cases[i].expected) == NULL)
      fail_msg ("case %u: %s", i, out->str);
    g_string_free (out, TRUE);
  }
}
