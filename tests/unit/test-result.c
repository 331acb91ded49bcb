/* test-result.c -- results.def refers to values, tables and columns that there are. */
#include "config.h"

#include "decoder/views/ghc/ghc-report.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/views/section-parts.h"
#include "tests/unit/test.h"

static const struct {
  const char *table, *column, *names;
} rows[] = {
#define ROWS(table, column, names, title) { table, column, names },
#define ROWS_ELSE(table, column, names, title) { table, column, names },
#include "decoder/views/results.def"
};

static const char *const conditions[] = {
#define CONDITION(key, tables) key,
#include "decoder/views/results.def"
};

/* The value of this key; RESULTS: there is none. */
static enum result
find_value (const char *key)
{
  enum result i = 0;
  while (i < RESULTS && g_strcmp0 (result_values[i].key, key) != 0)
    i++;
  return i;
}

static bool
has_column (const struct table_shape *shape, const char *key)
{
  for (size_t i = 0; i < shape->n_columns; i++)
    if (g_strcmp0 (shape->columns[i].key, key) == 0)
      return true;
  return false;
}

/* Has a section the table, or that column of it? */
static bool
has_table (const char *key, const char *column)
{
  const struct section *const *const reports[] = { report_sections, ghc_report_sections };
  bool found = false;
  for (const struct result_table *t = result_tables; t->section != NULL; t++)
    for (size_t r = 0; strcmp (t->key, key) == 0 && r < G_N_ELEMENTS (reports); r++)
      for (guint i = 0; reports[r][i] != NULL; i++) {
        g_autoptr (GPtrArray) shapes = section_shapes (reports[r][i], t);
        for (guint s = 0; s < shapes->len; s++)
          found |= column == NULL || has_column (shapes->pdata[s], column);
      }
  return found;
}

TEST (test_tables_are_those_of_sections)
{
  for (const struct result_table *t = result_tables; t->section != NULL; t++)
    if (!has_table (t->key, NULL))
      fail_msg ("the section %s has no table %s", t->section, t->key);
}

TEST (test_rows_are_those_of_tables)
{
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_auto (GStrv) names = g_strsplit (rows[i].names, ",", -1);
    if (!has_table (rows[i].table, rows[i].column))
      fail_msg ("no table %s has a column %s", rows[i].table, rows[i].column);
    for (char **name = names; *name != NULL; name++)
      if (!has_table (rows[i].table, *name))
        fail_msg ("no table %s has a column %s", rows[i].table, *name);
  }
}

TEST (test_values_are_declared)
{
  for (size_t i = 0; i < G_N_ELEMENTS (conditions); i++)
    assert_int_not_equal (find_value (conditions[i]), RESULTS);
  for (enum result i = 0; i < RESULTS; i++)
    if (result_values[i].rule == RESULT_SHARE) {
      assert_true (find_value (result_values[i].part) < i);
      assert_true (find_value (result_values[i].whole) < i);
    }
}

/* A key has a rule once, whatever heads it has. */
TEST (test_keys_have_one_rule)
{
  for (enum result i = 0; i < RESULTS; i++)
    if (result_values[i].rule != RESULT_NONE || result_values[i].is_compared)
      assert_int_equal (find_value (result_values[i].key), i);
}
