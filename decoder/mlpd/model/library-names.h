/* library-names.h -- names of Mono's class library: its namespaces and assemblies. */
#ifndef PROFLOG_LIBRARY_NAMES_H
#define PROFLOG_LIBRARY_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Is this the full name of a class of the library, or the simple name of one of its assemblies? */
bool is_library_name (const char *name, size_t length);

#endif
