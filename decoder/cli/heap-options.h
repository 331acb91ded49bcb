/* heap-options.h -- the options and arguments of proflog heap. */
#ifndef PROFLOG_HEAP_OPTIONS_H
#define PROFLOG_HEAP_OPTIONS_H

#include "decoder/report/heap-query.h"
#include "decoder/report/view-options.h"

/* The values of the options. */
struct heap_values {
  struct log_command log;
  struct view_options view;
  struct cli_number shot;
  unsigned by; /* enum heap_by, or HEAP_BY_DEFAULT */
  struct heap_threshold fail_above;
  bool exit_code;
  bool dot;
};

#define HEAP_BY_DEFAULT UINT_MAX

extern const struct cli_option heap_options[];

/* `parse` of the subcommands: [N]; ADDRESS [N]; ADDRESS|CLASS [N]; N M. */
bool heap_parse_shot (struct heap_request *request, char ***words, GError **error);
bool heap_parse_object (struct heap_request *request, char ***words, GError **error);
bool heap_parse_subject (struct heap_request *request, char ***words, GError **error);
bool heap_parse_pair (struct heap_request *request, char ***words, GError **error);

/* The request of a command line: [SUBCOMMAND] LOG [ARGUMENT...], or LOG SUBCOMMAND [ARGUMENT...]
 * with the log at any place.  The subcommands are those up to one without a name; the first is the
 * default.  Fails with G_OPTION_ERROR. */
bool heap_options_parse (const struct heap_values *values,
                         const struct heap_subcommand *subcommands, struct heap_request *request,
                         GError **error);

#endif
