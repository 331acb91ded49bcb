/* import-tables.h -- replaces the functions that libraries import, in their import tables.
 *
 * The table of a library (its global offset table) has the address of each function that it calls
 * in another library.  Only that word is changed, and only where it has the function that is to be
 * replaced: or where it is not bound yet, and could be bound to nothing else.  It is never changed
 * back: the replacements remain valid to the end of the process.
 */
#ifndef PROFILER_IMPORT_TABLES_H
#define PROFILER_IMPORT_TABLES_H

#include <stdbool.h>
#include <stddef.h>

struct import {
  const char *name;
  void *original, *replacement;
};

/* Notes the libraries that are loaded now: they are left alone. */
void import_tables_begin (void);

/* Replaces `imports` in the libraries that were loaded since, if any was loaded or unloaded since
 * the last call.  From any thread; it takes the lock of the list of libraries only, so the loader
 * cannot unload one meanwhile.  After the load of a library that matters. */
void import_tables_update (const struct import *imports, size_t count);

/* The same at intervals, on one thread, for those that are loaded at other times: a library that
 * is in the list may not be relocated yet, so each waits for the next call. */
void import_tables_update_late (const struct import *imports, size_t count);

/* Replaces one in the library with the code at `code`, also where it is a word of its data. */
void import_tables_replace_in (const void *code, const struct import *import);

#endif
