/* budgets.c -- parses budgets. */
#include "config.h"

#include "decoder/core/suggest.h"
#include "decoder/views/compare/budgets.h"
#include <errno.h>
#include <math.h>
#include <proflog/units.h>
#include <string.h>

static void
free_budget (void *data)
{
  struct budget *b = data;
  g_free (b->text);
  g_free (b->key);
  g_free (b->row);
  g_free (b->column);
  g_free (b);
}

GPtrArray *
budgets_new (void)
{
  return g_ptr_array_new_with_free_func (free_budget);
}

enum figure_unit
budget_unit (const struct budget *b)
{
  const char *dot = strrchr (b->key, '.');
  const char *name = b->column != NULL ? b->column : dot != NULL ? dot + 1 : b->key;
  return g_str_has_suffix (name, "_ns")   ? FIGURE_NS
         : strstr (name, "bytes") != NULL ? FIGURE_BYTES
                                          : FIGURE_COUNT;
}

static bool
refuse (GError **error, const char *text, const char *why)
{
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "budget '%s': %s", text, why);
  return false;
}

/* A number of at least 0 that is the whole text. */
static bool
parse_number (const char *text, double *number)
{
  char *end;
  *number = g_ascii_strtod (text, &end);
  return end != text && *end == 0 && isfinite (*number) && g_ascii_isdigit (*text);
}

static bool
parse_amount (const struct budget *b, const char *text, double *limit, GError **error)
{
  uint64_t amount;
  switch (budget_unit (b)) {
  case FIGURE_NS:
    if (proflog_parse_any_time (text, false, &amount) != PROFLOG_PARSED)
      return refuse (error, b->text, "a time is needed: a number with ns, us, ms, s, m or h");
    *limit = (double) amount;
    return true;
  case FIGURE_BYTES:
    if (proflog_parse_bytes (text, &amount) != PROFLOG_PARSED)
      return refuse (
          error, b->text,
          "a size is needed: a number of bytes, or with K, M or G (1024 of the one before)");
    *limit = (double) amount;
    return true;
  default:
    return parse_number (text, limit) || refuse (error, b->text, "a number is needed");
  }
}

static bool
parse_limit (struct budget *b, GError **error)
{
  const char *text = b->limit_text;
  b->is_relative = *text == '+';
  text += b->is_relative;
  b->is_percent = g_str_has_suffix (text, "%");
  if (b->is_percent && !b->is_relative)
    return refuse (error, b->text, "percents are relative to the base: +5%");
  if (!b->is_percent)
    return parse_amount (b, text, &b->limit, error);
  g_autofree char *number = g_strndup (text, strlen (text) - 1);
  return parse_number (number, &b->limit)
         || refuse (error, b->text, "a number of percents is needed");
}

/* TABLE[ROW].COLUMN, where ROW may have brackets of its own, or the key of a value. */
static void
parse_key (struct budget *b, const char *key)
{
  const char *open = strchr (key, '['), *close = g_strrstr (key, "].");
  if (open == NULL || close == NULL || close < open) {
    b->key = g_strdup (key);
    return;
  }
  b->key = g_strndup (key, (gsize) (open - key));
  b->row = g_strndup (open + 1, (gsize) (close - open - 1));
  b->column = g_strdup (close + 2);
}

static bool
check_key (const struct budget *b, const GPtrArray *keys, GError **error)
{
  g_autofree char *key
      = b->row != NULL ? g_strdup_printf ("%s[NAME].%s", b->key, b->column) : g_strdup (b->key);
  if (g_ptr_array_find_with_equal_func ((GPtrArray *) keys, key, g_str_equal, NULL))
    return true;
  g_autofree char *near = suggest_text ("", key, keys);
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               "budget '%s': no report has the figure %s%s; '--fail-above help' lists the figures",
               b->text, key, near);
  return false;
}

/* The last '=': names of rows may have others. */
bool
budgets_add (GPtrArray *budgets, const char *text, const GPtrArray *keys, GError **error)
{
  struct budget *b = g_new0 (struct budget, 1);
  b->text = g_strstrip (g_strdup (text));
  const char *equals = strrchr (b->text, '=');
  g_autofree char *key = equals != NULL ? g_strndup (b->text, (gsize) (equals - b->text)) : NULL;
  bool good = false;
  if (equals == NULL) {
    refuse (error, b->text, "KEY=LIMIT is needed, such as exceptions.throws=100");
  } else {
    b->limit_text = equals + 1 + strspn (equals + 1, " \t");
    parse_key (b, g_strstrip (key));
    good = check_key (b, keys, error) && parse_limit (b, error);
  }
  if (good)
    g_ptr_array_add (budgets, b);
  else
    free_budget (b);
  return good;
}

/* Cuts off what follows a '#' that begins the line, or a word. */
static void
cut_comment (char *line)
{
  for (char *p = line; *p != 0; p++)
    if (*p == '#' && (p == line || g_ascii_isspace (p[-1])))
      *p = 0;
  g_strstrip (line);
}

bool
budgets_add_file (GPtrArray *budgets, const char *path, const GPtrArray *keys, GError **error)
{
  g_autofree char *contents = NULL;
  const guint before = budgets->len;
  gsize length;
  errno = 0;
  if (!g_file_get_contents (path, &contents, &length, NULL)) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s: %s", path,
                 g_strerror (errno));
    return false;
  }
  g_auto (GStrv) lines = g_strsplit (contents, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    cut_comment (lines[i]);
    if (lines[i][0] != 0 && !budgets_add (budgets, lines[i], keys, error)) {
      g_prefix_error (error, "%s:%u: ", path, i + 1);
      return false;
    }
  }
  if (budgets->len == before || strlen (contents) != length) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s: %s", path,
                 budgets->len == before ? "there is no budget in it" : "it has a byte 0");
    return false;
  }
  return true;
}

bool
budgets_need_base (const GPtrArray *budgets)
{
  for (guint i = 0; i < budgets->len; i++)
    if (((const struct budget *) g_ptr_array_index (budgets, i))->is_relative)
      return true;
  return false;
}
