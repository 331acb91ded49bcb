/* attach-module.h -- loads the module into a Mono program that runs. */
#ifndef PROFLOG_ATTACH_MODULE_H
#define PROFLOG_ATTACH_MODULE_H

#include <glib.h>
#include <stdbool.h>

/* Loads the module (an absolute path) into a process and starts it with options
 * ("proflog:OPTION,...").  Returns when the program is being profiled; *note (transfer full) states
 * the events that are not recorded then, NULL for nothing.  Fails with G_FILE_ERROR and a message
 * without the process's number; the program keeps running as before.  A process with another file
 * system gets a copy of the module in its /tmp, until it has loaded that. */
bool attach_module (long pid, const char *module, const char *options, char **note, GError **error);

/* Whether attach_module can load this module into the process, as far as its files and its state
 * show that; nothing in it is changed.  Fails as attach_module does. */
bool attach_module_check (long pid, const char *module, GError **error);

#endif
