/* flame-change.c -- changes of costs as words and colours; flame-graph.js has the same of pages. */
#include "config.h"

#include "decoder/exports/flame-change.h"
#include <stdbool.h>

/* Of the larger cost: what changed less is the same. */
#define SHARE_SAME 0.005

/* The change, of the larger of both: from -1 to 1. */
static double
share_of_change (uint64_t now, uint64_t before)
{
  const double change = (double) now - (double) before;
  return change / (double) MAX (MAX (now, before), 1);
}

static bool
is_same (uint64_t now, uint64_t before)
{
  const double share = share_of_change (now, before);
  return share > -SHARE_SAME && share < SHARE_SAME;
}

void
flame_change_append_text (GString *bytes, uint64_t now, uint64_t before)
{
  if (is_same (now, before))
    g_string_append_c (bytes, '=');
  else if (before == 0)
    g_string_append (bytes, "new");
  else if (now == 0)
    g_string_append (bytes, "gone");
  else
    g_string_append_printf (bytes, "%+.0f %%",
                            100 * ((double) now - (double) before) / (double) before);
}

void
flame_change_append_colour (GString *bytes, uint64_t now, uint64_t before)
{
  const double share = share_of_change (now, before);
  if (is_same (now, before))
    g_string_append (bytes, "hsl(215,13%,81%)");
  else if (before == 0)
    g_string_append (bytes, "hsl(48,95%,62%)");
  else
    g_string_append_printf (bytes, "hsl(%d,85%%,%.0f%%)", share > 0 ? 4 : 215,
                            90 - 24 * (share > 0 ? share : -share));
}
