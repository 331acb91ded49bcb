/* top-values.c -- formats numbers by their kind. */
#include "config.h"

#include "decoder/live/top.h"
#include "decoder/output/figure.h"
#include "decoder/core/whole-number.h"
#include <math.h>

static void
append_figure (GString *out, enum figure_unit unit, double value)
{
  g_autofree char *text = figure_text (unit, value > 0 ? whole_number (value + 0.5) : 0);
  g_string_append (out, text);
}

void
top_append_value (GString *out, enum live_value kind, double value)
{
  if (isnan (value)) {
    g_string_append_c (out, '-');
    return;
  }
  switch (kind) {
  case LIVE_VALUE_RATE:
    if (value > 0 && value < 10)
      g_string_append_printf (out, "%.1f", value);
    else
      append_figure (out, FIGURE_COUNT, value);
    break;
  case LIVE_VALUE_COUNT:
    append_figure (out, FIGURE_COUNT, value);
    break;
  case LIVE_VALUE_BYTES:
  case LIVE_VALUE_BYTE_RATE:
    append_figure (out, FIGURE_BYTES, value);
    break;
  case LIVE_VALUE_SHARE:
    g_string_append_printf (out, "%.1f%%", value * 100);
    break;
  case LIVE_VALUE_MS:
    g_string_append_printf (out, "%.1f", value);
    break;
  case LIVE_VALUE_NONE:
    break;
  }
}

void
top_append_labelled (GString *out, const char *label, enum live_value kind, double value,
                     const char *after)
{
  g_string_append (out, label);
  top_append_value (out, kind, value);
  g_string_append (out, after);
}
