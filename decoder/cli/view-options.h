/* view-options.h -- the options that say how tables are shown, which several commands have. */
#ifndef PROFLOG_VIEW_OPTIONS_H
#define PROFLOG_VIEW_OPTIONS_H

#include "decoder/views/emitter.h"
#include "decoder/views/view.h"

struct view_options {
  char *limit, *sort, *fields;
  gboolean reverse, verbose;
};

/* Their entries; `help` is the text of view_options_limit_help. */
#define VIEW_OPTIONS_ROWS(o, help)                                                                 \
  { "limit", 'n', 0, G_OPTION_ARG_FILENAME, &(o)->limit, (help), "N" },                            \
      { "sort",     's',                                                                           \
        0,          G_OPTION_ARG_FILENAME,                                                         \
        &(o)->sort, "Order of rows, by the names of columns in JSON: numbers the largest first",   \
        "KEY,..." },                                                                               \
      { "reverse", 'r', 0, G_OPTION_ARG_NONE, &(o)->reverse, "The other way round", NULL },        \
  {                                                                                                \
    "fields", 0, 0, G_OPTION_ARG_FILENAME, &(o)->fields,                                           \
        "Columns to show, by their names in JSON", "KEY,..."                                       \
  }
#define VIEW_OPTIONS_VERBOSE(o)                                                                    \
  {                                                                                                \
    "verbose", 'v', 0, G_OPTION_ARG_NONE, &(o)->verbose, "Show everything", NULL                   \
  }

/* For --help (transfer full); `rows` are shown unless --limit says otherwise. */
char *view_options_limit_help (guint rows);

void view_options_clear (struct view_options *options);

/* Is the format made for people, who do not want to see everything? */
bool view_is_for_people (enum emitter_format format);

/* A number of things, 0 for all; `text` NULL leaves *number. */
bool view_parse_count (const char *option, const char *text, const char *needed, guint *number,
                       GError **error);

/* Takes them into a view (clear it with view_clear). */
bool view_options_apply (const struct view_options *options, enum emitter_format format, guint rows,
                         struct view *view, GError **error);
void view_clear (struct view *view);

#endif
