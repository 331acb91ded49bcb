/* suggest.h -- "did you mean": the known name that is nearest to a wrong one. */
#ifndef PROFLOG_SUGGEST_H
#define PROFLOG_SUGGEST_H

#include <glib.h>

/* The name (of `names`, const char *; borrowed) that `word` is a misspelling or the beginning of;
 * NULL if none is near. */
const char *suggest_name (const char *word, const GPtrArray *names);

/* The end of an error message: "; did you mean PREFIXNAME?", or "" if no name is near.  Free with
 * g_free. */
char *suggest_text (const char *prefix, const char *word, const GPtrArray *names);

#endif
