/* module-file.h -- where the module for Mono is. */
#ifndef PROFLOG_MODULE_FILE_H
#define PROFLOG_MODULE_FILE_H

#define MODULE_FILE "libmono-profiler-proflog.so"

/* The directory of the module (the caller's): PROFLOG_MODULE_DIR, or else beside this program or
 * where it was installed.  NULL if it is in none of those, which *tried (the caller's) then lists.
 */
char *module_file_find (char **tried);

#endif
