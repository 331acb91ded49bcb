/* ctl-status.c -- leaves out what is zero, and writes sizes and times with units. */
#include "config.h"

#include "decoder/cli/ctl-status.h"
#include "decoder/output/emitter.h"
#include "decoder/output/figure.h"
#include <stdbool.h>
#include <string.h>

#define NS_PER_S UINT64_C (1000000000)

static bool
is_nothing (const char *value)
{
  return *value == 0 || strcmp (value, "0") == 0;
}

/* What holds for nearly every program says nothing about this one. */
static bool
is_usual (const char *key, const char *value)
{
  return (strcmp (key, "events are estimated") == 0 && strcmp (value, "no") == 0)
         || (strcmp (key, "files") == 0 && strcmp (value, "1") == 0);
}

static void
append_line (GString *out, const char *key, const char *value)
{
  guint64 number = 0;
  const bool is_number = g_ascii_string_to_unsigned (value, 10, 0, G_MAXUINT64, &number, NULL);
  if (is_nothing (value) || is_usual (key, value))
    return;
  const bool is_time = strcmp (key, "seconds") == 0;
  const enum figure_unit unit = is_time                         ? FIGURE_NS
                                : strstr (key, "bytes") != NULL ? FIGURE_BYTES
                                : strcmp (key, "pid") != 0      ? FIGURE_COUNT
                                                                : FIGURE_NONE;
  g_autofree char *text = is_time && number < 60 ? g_strconcat (value, " s", NULL)
                          : is_time              ? figure_text (unit, number * NS_PER_S)
                          : is_number            ? figure_text (unit, number)
                                                 : g_strdup (value);
  g_string_append_printf (out, "%s: %s\n", is_time ? "for" : key, text);
}

/* A row of a list: "  id 0x7f00, name Main, lives yes, lost bytes 0". */
static void
append_row (GString *out, const char *row)
{
  g_auto (GStrv) cells = g_strsplit (row, ", ", -1);
  for (char **cell = cells; *cell != NULL; cell++) {
    const bool is_name = g_str_has_prefix (*cell, "name ");
    const char *value = is_name ? *cell + strlen ("name") : strrchr (*cell, ' ');
    if (value == NULL || (is_name ? value[1] == 0 : is_nothing (value + 1))
        || strcmp (*cell, "lives yes") == 0)
      continue;
    g_string_append_printf (out, "  %s", is_name ? value + 1 : *cell);
  }
  g_string_append_c (out, '\n');
}

/* The only file of a log is the log. */
static bool
is_hidden_list (char **lines, const char *head)
{
  return g_str_has_prefix (head, "last files:")
         && g_strv_contains ((const char *const *) lines, "files: 1");
}

static bool
is_row (const char *line)
{
  return line != NULL && g_str_has_prefix (line, "  ");
}

void
ctl_status_append (GString *out, char **lines)
{
  bool hides_rows = false;
  for (char **line = lines; *line != NULL; line++) {
    const char *colon = strstr (*line, ": ");
    if (is_row (*line)) {
      if (!hides_rows)
        append_row (out, *line + strspn (*line, " "));
    } else if (is_row (line[1])) {
      hides_rows = is_hidden_list (lines, *line);
      if (!hides_rows)
        g_string_append_printf (out, "%s\n", *line);
    } else if (colon != NULL) {
      g_autofree char *key = g_strndup (*line, (gsize) (colon - *line));
      append_line (out, key, colon + 2);
    }
  }
}
