/* module-help.h -- the options of the module, in the help of `proflog run`. */
#ifndef PROFLOG_MODULE_HELP_H
#define PROFLOG_MODULE_HELP_H

#include "decoder/command/command-table.h"

struct module_option {
  const char *name; /* NULL ends the list */
  const char *argument, *doc;
  bool is_negatable;
};

extern const struct module_option module_help_options[];

/* "[no]alloc[=SIZE]" (transfer full) */
char *module_help_form (const struct module_option *option);

/* Appends all of them: the `describe` of a command. */
void module_help_describe (const struct cli_command *command, GString *text);

#endif
