/* command-line.h -- the one parser of command lines. */
#ifndef PROFLOG_COMMAND_LINE_H
#define PROFLOG_COMMAND_LINE_H

#include "decoder/command/command-table.h"

enum cli_parse {
  CLI_PARSE_DONE, /* help or the version was printed */
  CLI_PARSE_GO_ON,
  CLI_PARSE_ERROR,
};

/* Parses the words after argv[0] into `values`.  The arguments that are no options go to `words`
 * (borrowed from argv).  An error is of G_OPTION_ERROR. */
enum cli_parse cli_parse (const struct cli_command *command, int argc, char **argv, void *values,
                          GPtrArray *words, GError **error);

/* The same; an error is printed.  False with the exit status if there is nothing else to do. */
bool cli_parse_or_report (const struct cli_command *command, int argc, char **argv, void *values,
                          GPtrArray *words, int *status);

#endif
