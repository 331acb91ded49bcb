/* view-options.c -- the tables of these options, and the view that they describe. */
#include "config.h"

#include "decoder/report/report-commands.h"

#define LIMIT(rows)                                                                                \
  {                                                                                                \
    .name = "limit", .letter = 'n', .kind = CLI_NUMBER, .argument = "N",                           \
    .offset = offsetof (struct view_options, limit), .max = G_MAXINT,                              \
    .needed = "a number of rows is needed, 0 for all",                                             \
    .help = "Rows of a table at most, 0 for all (default: " rows                                   \
            " in text and Markdown, 200 in HTML, else all)"                                        \
  }

const struct cli_option view_limit_8[] = { LIMIT ("8"), { .name = NULL } };
const struct cli_option view_limit_30[] = { LIMIT ("30"), { .name = NULL } };

const struct cli_option view_options[] = {
  { .name = "sort",
    .letter = 's',
    .kind = CLI_STRING,
    .argument = "KEY,...",
    .offset = offsetof (struct view_options, sort),
    .help = "Sort rows by columns, named as in JSON: numbers in descending order, texts in "
            "ascending order" },
  { .name = "reverse",
    .letter = 'r',
    .kind = CLI_FLAG,
    .offset = offsetof (struct view_options, reverse),
    .help = "Reverse the order of rows" },
  { .name = "fields",
    .kind = CLI_STRING,
    .argument = "KEY,...",
    .offset = offsetof (struct view_options, fields),
    .help = "Columns to show, named as in JSON" },
  { .name = "verbose",
    .letter = 'v',
    .kind = CLI_FLAG,
    .offset = offsetof (struct view_options, verbose),
    .help = "Show everything" },
  { .name = "clock",
    .kind = CLI_FLAG,
    .offset = offsetof (struct view_options, has_clock),
    .help
    = "Show times of day (UTC) instead of offsets from the beginning in text, Markdown and HTML" },
  { .name = "raw",
    .kind = CLI_FLAG,
    .offset = offsetof (struct view_options, is_raw),
    .help = "Show exact figures in text, Markdown and HTML, bytes and times in ms, and methods by "
            "the names that the runtime has" },
  { .name = NULL },
};

/* Rows of a table in a page, which are searched and sorted there. */
#define HTML_ROWS 200

void
view_options_apply (const struct view_options *o, enum emitter_format format, guint rows,
                    struct view *view)
{
  if (emitter_format_is_for_people (format) && !o->verbose)
    view->limit = format == EMITTER_HTML ? HTML_ROWS : rows;
  if (o->limit.is_set)
    view->limit = (guint) o->limit.value;
  view->limit_whole = o->limit.is_set;
  view->sort = o->sort != NULL ? g_strsplit (o->sort, ",", -1) : NULL;
  view->fields = o->fields != NULL ? g_strsplit (o->fields, ",", -1) : NULL;
  view->reverse = o->reverse;
  view->verbose = o->verbose;
  view->is_raw = o->is_raw;
  view->has_clock = o->has_clock;
}

void
view_clear (struct view *view)
{
  g_strfreev (view->sort);
  g_strfreev (view->fields);
  g_clear_pointer (&view->sections, g_ptr_array_unref);
  g_clear_pointer (&view->ghc_sections, g_ptr_array_unref);
}
