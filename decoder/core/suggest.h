/* suggest.h -- "did you mean": the known name that is nearest to a wrong one. */
#ifndef PROFLOG_SUGGEST_H
#define PROFLOG_SUGGEST_H

#include <glib.h>

/* The end of an error message: "; did you mean PREFIXNAME?", with the name (of `names`, const char
 * *) that `word` is a misspelling or the beginning of, or "" if none is near.  Free with g_free. */
char *suggest_text (const char *prefix, const char *word, const GPtrArray *names);

#endif
