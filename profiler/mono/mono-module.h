/* mono-module.h -- the module's start in a running program. */
#ifndef PROFILER_MONO_MODULE_H
#define PROFILER_MONO_MODULE_H

#include <stdbool.h>
#include <stddef.h>

/* Starts recording with the options ("proflog:OPTION,..."), at any time after the runtime's start
 * and once only.  `why` has a message then: the reason if false, else the events that are not
 * recorded ("" for none); nothing is printed.  From one thread at a time, of any kind. */
bool module_attach (const char *options, char *why, size_t size);

#endif
