/* suggest.c -- the nearest name, in words. */
#include "config.h"

#include "decoder/core/suggest.h"
#include <proflog/nearest-name.h>

char *
suggest_text (const char *prefix, const char *word, const GPtrArray *names)
{
  const char *name = proflog_nearest_name (word, (const char *const *) names->pdata, names->len);
  return name != NULL ? g_strconcat ("; did you mean ", prefix, name, "?", NULL) : g_strdup ("");
}
