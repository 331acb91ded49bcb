/* library-names.h -- names of Mono's class library: its namespaces and assemblies. */
#ifndef PROFLOG_LIBRARY_NAMES_H
#define PROFLOG_LIBRARY_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Is this the full name of a class of the library, or the simple name of one of its assemblies? */
bool is_library_name (const char *name, size_t length);

/* Is this the full name of a method of the program, and neither of the library nor a wrapper, which
 * the runtime makes? */
bool library_names_is_program (const char *method);

/* Is this the full name of one of the runtime's methods that allocate?  Samples in collections that
 * an allocation begins are in it, too. */
bool library_names_allocates (const char *method);

#endif
