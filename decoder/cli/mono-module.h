/* mono-module.h -- the file of proflog's module, and the places in which Mono searches it. */
#ifndef PROFLOG_MONO_MODULE_H
#define PROFLOG_MONO_MODULE_H

#include <glib.h>

#define MONO_MODULE_FILE "libmono-profiler-proflog.so"

/* The directory of the module of this proflog (transfer full); NULL if it is in none of those that
 * it may be in, which *tried then lists (transfer full). */
char *mono_module_find (char **tried);

/* The module that this Mono (a path) would load for --profile=proflog (transfer full): in the
 * directories beside it, then where the dynamic linker searches.  NULL: none. */
char *mono_module_search (const char *mono);

#endif
