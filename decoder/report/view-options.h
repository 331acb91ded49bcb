/* view-options.h -- the options of tables, which several commands have. */
#ifndef PROFLOG_VIEW_OPTIONS_H
#define PROFLOG_VIEW_OPTIONS_H

#include "decoder/command/command-table.h"
#include "decoder/output/emitter.h"
#include "decoder/output/view.h"

struct view_options {
  struct cli_number limit;
  const char *sort, *fields;
  bool reverse, verbose;
  bool is_raw, has_clock;
};

/* Tables of options, with fields in struct view_options. */
extern const struct cli_option view_limit_8[], view_limit_30[]; /* --limit with its default */
extern const struct cli_option view_options[];

/* Sets the view by the options (clear it with view_clear); `rows` is the default of --limit. */
void view_options_apply (const struct view_options *options, enum emitter_format format, guint rows,
                         struct view *view);
void view_clear (struct view *view);

#endif
