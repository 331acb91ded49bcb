/* mprof-options.c -- options of mprof-report as those of proflog report. */
#include "config.h"

#include "decoder/report/report-commands.h"

#include "decoder/log/log-command.h"
#include "decoder/filter/filter-options.h"

#include <string.h>

/* FROM-TO in seconds */
static bool
parse_time (void *selection, const char *text, GError **error)
{
  const char *const dash = strchr (text, '-');
  if (dash == NULL || dash == text || dash[1] == 0)
    return cli_refuse (error, "--time %s: FROM-TO in seconds is needed, or --time-range A~B", text);
  g_autofree char *range = g_strdup (text);
  range[dash - text] = '~';
  return selection_time_range (selection, range, error);
}

/* A word of mprof-report, and the column that has it here. */
struct sort_word {
  const char *word, *column;
};

static bool
parse_sort (const char *option, const struct sort_word *words, void *field, const char *text,
            GError **error)
{
  const char **const column = field;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (; words->word != NULL; words++) {
    g_ptr_array_add (names, (gpointer) words->word);
    if (strcmp (words->word, text) == 0) {
      *column = words->column;
      return true;
    }
  }
  return cli_refuse_value (error, option, text, names);
}

static bool
parse_method_sort (void *field, const char *text, GError **error)
{
  static const struct sort_word words[]
      = { { "total", "total_ns" }, { "self", "self_ns" }, { "calls", "calls" }, { NULL, NULL } };
  return parse_sort ("--method-sort", words, field, text, error);
}

static bool
parse_alloc_sort (void *field, const char *text, GError **error)
{
  static const struct sort_word words[]
      = { { "bytes", "bytes" }, { "count", "objects" }, { NULL, NULL } };
  return parse_sort ("--alloc-sort", words, field, text, error);
}

static bool
parse_counters_sort (void *field, const char *text, GError **error)
{
  static const struct sort_word words[]
      = { { "time", "time_ns" }, { "category", "section" }, { NULL, NULL } };
  return parse_sort ("--counters-sort", words, field, text, error);
}

const struct cli_option mprof_log_options[] = {
  { .name = "out",
    .kind = CLI_STRING,
    .argument = "FILE",
    .offset = offsetof (struct log_command, path),
    .is_hidden = true },
  { .name = "time",
    .kind = CLI_PARSED,
    .argument = "FROM-TO",
    .offset = offsetof (struct log_command, selection),
    .parse = parse_time,
    .is_hidden = true },
  { .name = NULL },
};

#define SORT(what)                                                                                 \
  .kind = CLI_PARSED, .argument = "MODE", .offset = offsetof (struct mprof_options, what),         \
  .parse = parse_##what, .is_hidden = true

const struct cli_option mprof_sort_options[] = {
  { .name = "method-sort", SORT (method_sort) },
  { .name = "alloc-sort", SORT (alloc_sort) },
  { .name = "counters-sort", SORT (counters_sort) },
  { .name = NULL },
};

void
mprof_options_apply (const struct mprof_options *o, const char *reports, struct view_options *view)
{
  const struct {
    const char *column, *section;
    bool is_shown;
  } all[] = { { o->method_sort, "call", true },
              { o->alloc_sort, "alloc", true },
              { o->counters_sort, "counters", view->verbose } };
  for (size_t i = 0; i < G_N_ELEMENTS (all); i++) {
    if (all[i].column == NULL || !all[i].is_shown
        || (reports != NULL && strstr (reports, all[i].section) == NULL))
      continue;
    g_autofree char *columns = view->sort != NULL
                                   ? g_strconcat (view->sort, ",", all[i].column, NULL)
                                   : g_strdup (all[i].column);
    view->sort = g_intern_string (columns);
  }
}
