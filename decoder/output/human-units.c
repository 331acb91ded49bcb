/* human-units.c -- sizes as people read them. */
#include "config.h"

#include "decoder/output/human-units.h"

/* What would be rounded to four digits has the next unit. */
#define UNIT_MAX 999.95

void
human_append_bytes (GString *out, uint64_t bytes)
{
  static const char *const units[] = { "kB", "MB", "GB", "TB", "PB", "EB" };
  double value = (double) bytes / 1000;
  guint unit = 0;
  if (bytes < 1000) {
    g_string_append_printf (out, "%u byte%s", (guint) bytes, bytes == 1 ? "" : "s");
    return;
  }
  for (; value >= UNIT_MAX && unit + 1 < G_N_ELEMENTS (units); unit++)
    value /= 1000;
  g_string_append_printf (out, "%.1f %s", value, units[unit]);
}

char *
human_bytes (uint64_t bytes)
{
  GString *text = g_string_new (NULL);
  human_append_bytes (text, bytes);
  return g_string_free (text, FALSE);
}
