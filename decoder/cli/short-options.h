/* short-options.h -- short options with their argument in the same word, as in -n10. */
#ifndef PROFLOG_SHORT_OPTIONS_H
#define PROFLOG_SHORT_OPTIONS_H

#include <glib.h>

/* A copy of the command line (free with g_strfreev) in which such words are two, for GOption, which
 * does not know them.  `entries`: the lists of options, up to NULL.  What stands behind "--", and
 * arguments of other options, stay as they are. */
char **short_options_split (const GOptionEntry *const *entries, int argc, char **argv);

#endif
