/* mono-module.h -- the places in which Mono searches the module. */
#ifndef PROFLOG_MONO_MODULE_H
#define PROFLOG_MONO_MODULE_H

/* The module that this Mono (a path) would load for --profile=proflog (transfer full): in the
 * directories beside it, then where the dynamic linker searches.  NULL: none. */
char *mono_module_search (const char *mono);

#endif
