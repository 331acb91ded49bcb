/* mprof-text.c -- addresses, numbers and rows. */
#include "config.h"

#include "decoder/views/mprof/mprof.h"

#define NS_PER_S 1e9

void
mprof_append_address (GString *out, uint64_t address)
{
  if (address != 0)
    g_string_append_printf (out, "0x%" G_GINT64_MODIFIER "x", address);
  else
    g_string_append (out, "(nil)");
}

void
mprof_append_real (GString *out, double value, int width, int digits)
{
  char format[16], text[G_ASCII_DTOSTR_BUF_SIZE + 320];
  g_snprintf (format, sizeof format, "%%.%df", digits);
  g_ascii_formatd (text, sizeof text, format, value);
  g_string_append_printf (out, "%*s", width, text);
}

void
mprof_append_seconds (GString *out, double ns, int digits)
{
  mprof_append_real (out, ns / NS_PER_S, 0, digits);
}

void
mprof_append_type_head (GString *out, const char *indent, const char *title)
{
  g_string_append_printf (out, "%s%10s %10s %8s %s\n", indent, "Bytes", "Count", "Average", title);
}

void
mprof_append_type_row (GString *out, const char *indent, uint64_t bytes, uint64_t count,
                       const char *name)
{
  g_string_append_printf (
      out, "%s%10" G_GUINT64_FORMAT " %10" G_GUINT64_FORMAT " %8" G_GUINT64_FORMAT " %s", indent,
      bytes, count, count != 0 ? bytes / count : 0, name);
}
