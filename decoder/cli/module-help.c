/* module-help.c -- the options of the module. */
#include "config.h"

#include "decoder/cli/module-help.h"

const struct module_option module_help_options[] = {
#define OPTION(ID, name, argument, doc) { name, argument, doc, false },
#define NEGATABLE_WITH(ID, name, argument, doc) { name, argument, doc, true },
#include <proflog/module-options.def>
  { NULL, NULL, NULL, false },
};

char *
module_help_form (const struct module_option *option)
{
  return g_strconcat (option->is_negatable ? "[no]" : "", option->name, option->argument, NULL);
}

void
module_help_describe (const struct cli_command *command, GString *text)
{
  (void) command;
  for (const struct module_option *o = module_help_options; o->name != NULL; o++) {
    g_autofree char *form = module_help_form (o);
    g_string_append_printf (text, "  %-28s  %s\n", form, o->doc);
  }
}
