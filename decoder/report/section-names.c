/* section-names.c -- takes a name out of a list. */
#include "config.h"

#include "decoder/report/summary-parts.h"

#include <string.h>

bool
section_names_take (const char *list, const char *name, char **rest)
{
  g_auto (GStrv) names = g_strsplit (list, ",", -1);
  guint kept = 0, n = 0;
  for (; names[n] != NULL; n++) {
    if (strcmp (names[n], name) == 0)
      g_free (names[n]);
    else
      names[kept++] = names[n];
  }
  names[kept] = NULL;
  *rest = g_strjoinv (",", names);
  return kept != n;
}
