/* suggest.c -- the nearest name, in words. */
#include "config.h"

#include "decoder/core/suggest.h"
#include <proflog/nearest-name.h>

const char *
suggest_name (const char *word, const GPtrArray *names)
{
  return proflog_nearest_name (word, (const char *const *) names->pdata, names->len);
}

char *
suggest_text (const char *prefix, const char *word, const GPtrArray *names)
{
  const char *name = suggest_name (word, names);
  return name != NULL ? g_strconcat ("; did you mean ", prefix, name, "?", NULL) : g_strdup ("");
}
