/* short-paths.h -- paths, shortened as long as they differ. */
#ifndef PROFLOG_SHORT_PATHS_H
#define PROFLOG_SHORT_PATHS_H

#include <glib.h>

/* For each of these paths (of const char *) its base name if no other of them has that, else the
 * path (transfer full). */
GPtrArray *short_paths (const GPtrArray *paths);

#endif
