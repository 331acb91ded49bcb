/* html-page.c -- the policy of a page, its scripts and styles, and texts in it. */
#include "config.h"

#include "decoder/output/emitter-values.h"
#include "decoder/output/html.h"

#include <stdbool.h>
#include <string.h>

void
html_append_text (GString *bytes, const char *text)
{
  g_autofree char *printable = emitter_printable (text);
  g_autofree char *escaped = g_markup_escape_text (printable, -1);
  g_string_append (bytes, escaped);
}

void
html_append_json (GString *bytes, const char *json)
{
  for (const char *p = json; *p != 0; p++)
    if (*p == '<')
      g_string_append (bytes, "\\u003c");
    else
      g_string_append_c (bytes, *p);
}

void
html_append_json_string (GString *bytes, const char *text)
{
  g_autoptr (GString) json = g_string_new (NULL);
  g_autofree char *printable = emitter_printable (text);
  emitter_append_json_string (json, printable, strlen (printable));
  html_append_json (bytes, json->str);
}

static bool
is_style (const struct embedded_file *file)
{
  return g_str_has_prefix (file->type, "text/css");
}

/* 'sha256-...' of each of the styles, or scripts. */
static void
append_sources (GString *bytes, const struct embedded_file *const *files, bool of_styles)
{
  for (; *files != NULL; files++) {
    guint8 digest[32];
    gsize length = sizeof digest;
    if (is_style (*files) != of_styles)
      continue;
    g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
    g_checksum_update (checksum, (*files)->bytes, (gssize) (*files)->length);
    g_checksum_get_digest (checksum, digest, &length);
    g_autofree char *text = g_base64_encode (digest, length);
    g_string_append_printf (bytes, " 'sha256-%s'", text);
  }
}

static void
append_files (GString *bytes, const struct embedded_file *const *files, bool of_styles)
{
  const char *const element = of_styles ? "style" : "script";
  for (; *files != NULL; files++) {
    if (is_style (*files) != of_styles)
      continue;
    g_string_append_printf (bytes, "<%s>", element);
    g_string_append_len (bytes, (const char *) (*files)->bytes, (gssize) (*files)->length);
    g_string_append_printf (bytes, "</%s>\n", element);
  }
}

void
html_append_head (GString *bytes, const char *title, const struct embedded_file *const *files)
{
  g_string_append (bytes, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                          "<meta http-equiv=\"Content-Security-Policy\" "
                          "content=\"default-src 'none'; script-src");
  append_sources (bytes, files, false);
  g_string_append (bytes, "; style-src");
  append_sources (bytes, files, true);
  g_string_append (bytes, "; base-uri 'none'; form-action 'none'\">\n"
                          "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
  html_append_text (bytes, title);
  g_string_append (bytes, "</title>\n");
  append_files (bytes, files, true);
  g_string_append (bytes, "</head>\n<body>\n");
}

void
html_append_end (GString *bytes, const struct embedded_file *const *files)
{
  append_files (bytes, files, false);
  g_string_append (bytes, "</body>\n</html>\n");
}
