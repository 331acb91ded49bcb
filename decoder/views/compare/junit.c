/* junit.c -- results of budgets as JUnit XML. */
#include "config.h"

#include "decoder/output/emitter-values.h"
#include "decoder/views/compare/compare.h"

/* XML has no control characters, nor these two, even escaped. */
static void
append_attribute (GString *out, const char *name, const char *text)
{
  g_autofree char *printable = emitter_printable (text);
  g_autofree char *escaped = g_markup_escape_text (printable, -1);
  g_string_append_printf (out, " %s=\"", name);
  for (const char *p = escaped; *p != 0; p = g_utf8_next_char (p)) {
    const gunichar u = g_utf8_get_char (p);
    g_string_append_unichar (out, u == 0xfffe || u == 0xffff ? '?' : u);
  }
  g_string_append_c (out, '"');
}

static guint
count (const struct budget_results *results, enum budget_verdict verdict)
{
  guint n = 0;
  for (guint i = 0; i < results->all->len; i++)
    n += ((const struct budget_result *) g_ptr_array_index (results->all, i))->verdict == verdict;
  return n;
}

static void
append_counts (GString *out, const struct budget_results *results)
{
  g_string_append_printf (
      out, " name=\"proflog budgets\" tests=\"%u\" failures=\"%u\" errors=\"%u\"",
      results->all->len, count (results, BUDGET_EXCEEDED), count (results, BUDGET_UNKNOWN));
}

static void
append_case (GString *out, const struct budget_result *r)
{
  g_string_append (out, "    <testcase");
  append_attribute (out, "classname", r->log);
  append_attribute (out, "name", r->budget->text);
  if (budget_result_is_good (r)) {
    g_string_append (out, "/>\n");
    return;
  }
  g_string_append_printf (out, ">\n      <%s type=\"budget\"",
                          r->verdict == BUDGET_EXCEEDED ? "failure" : "error");
  append_attribute (out, "message", r->sentence);
  g_string_append (out, "/>\n    </testcase>\n");
}

GString *
junit_new (const struct budget_results *results)
{
  GString *out = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
  append_counts (out, results);
  g_string_append (out, ">\n  <testsuite");
  append_counts (out, results);
  g_string_append (out, ">\n");
  for (guint i = 0; i < results->all->len; i++)
    append_case (out, g_ptr_array_index (results->all, i));
  g_string_append (out, "  </testsuite>\n</testsuites>\n");
  return out;
}
