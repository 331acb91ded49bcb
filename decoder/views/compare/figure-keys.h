/* figure-keys.h -- the keys of all figures that reports can have. */
#ifndef PROFLOG_FIGURE_KEYS_H
#define PROFLOG_FIGURE_KEYS_H

#include <glib.h>

/* Of char *, without doubles, those of Mono logs before those of eventlogs alone; cells of tables
 * are TABLE[NAME].COLUMN.  Free with g_ptr_array_unref. */
GPtrArray *figure_keys_new (void);

#endif
