/* joint-section.c -- takes the name out of a list. */
#include "config.h"

#include "decoder/cli/joint-section.h"

#include <string.h>

bool
joint_section_take (const char *list, char **rest)
{
  g_auto (GStrv) names = g_strsplit (list, ",", -1);
  guint kept = 0, n = 0;
  for (; names[n] != NULL; n++) {
    if (strcmp (names[n], JOINT_SECTION) == 0)
      g_free (names[n]);
    else
      names[kept++] = names[n];
  }
  names[kept] = NULL;
  *rest = g_strjoinv (",", names);
  return kept != n;
}
