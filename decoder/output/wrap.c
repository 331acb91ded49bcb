/* wrap.c -- lines of text in a width. */
#include "config.h"

#include "decoder/output/wrap.h"
#include <stdbool.h>
#include <string.h>

#define HANGING 2

void
wrap_append (GString *out, const char *text, unsigned indent, unsigned columns)
{
  g_string_append_printf (out, "%*s", (int) indent, "");
  glong used = indent;
  for (bool first = true; *text != 0; first = false) {
    const size_t blanks = strspn (text, " ");
    const size_t bytes = blanks + strcspn (text + blanks, " ");
    const glong width = g_utf8_strlen (text, (gssize) bytes);
    if (columns != 0 && !first && used + width > (glong) columns) {
      g_string_append_printf (out, "\n%*s", (int) indent + HANGING, "");
      g_string_append_len (out, text + blanks, (gssize) (bytes - blanks));
      used = (glong) (indent + HANGING) + width - (glong) blanks;
    } else {
      g_string_append_len (out, text, (gssize) bytes);
      used += width;
    }
    text += bytes;
  }
  g_string_append_c (out, '\n');
}

/* Less is no use. */
#define SHORT_MIN 8

/* "...Class:Method" of "Space.Class:Method (Type,Type)": arguments go first, then the beginning of
 * the namespace.  NULL if the text is no method (transfer full). */
static char *
shorten_method (const char *text, glong width)
{
  const char *begin = g_strrstr (text, " ("), *colon = strchr (text, ':');
  const char *end = begin != NULL ? strrchr (begin, ')') : NULL;
  if (end == NULL || colon == NULL || colon > begin)
    return NULL;
  const int length = (int) (begin - text);
  g_autofree char *dots = g_strdup_printf ("%.*s (...%s", length, text, end);
  if (g_utf8_strlen (dots, -1) <= width && end > begin + 2)
    return g_steal_pointer (&dots);
  g_autofree char *bare = g_strdup_printf ("%.*s%s", length, text, end + 1);
  const glong rest = g_utf8_strlen (bare, -1) - (width - 3);
  return rest <= 3 ? g_steal_pointer (&bare)
                   : g_strconcat ("...", g_utf8_offset_to_pointer (bare, rest), NULL);
}

char *
text_shorten (const char *text, size_t width)
{
  const glong length = g_utf8_strlen (text, -1), kept = MAX ((glong) width, SHORT_MIN) - 3;
  if (length <= kept + 3)
    return g_strdup (text);
  char *method = shorten_method (text, kept + 3);
  if (method != NULL)
    return method;
  /* Names of files and types differ at their ends, sentences do not. */
  const glong before = (kept + 1) / (strchr (text, ' ') == NULL ? 3 : 2);
  const char *front = g_utf8_offset_to_pointer (text, before);
  const char *back = g_utf8_offset_to_pointer (text, length - (kept - before));
  return g_strdup_printf ("%.*s...%s", (int) (front - text), text, back);
}

size_t
text_append_words (GString *out, const char *text, size_t at, size_t indent, unsigned columns)
{
  if (columns == 0) {
    g_string_append (out, text);
    return at + (size_t) g_utf8_strlen (text, -1);
  }
  for (bool is_first = true; *text != 0; is_first = false) {
    const size_t length = strcspn (text, " ");
    g_autofree char *whole = g_strndup (text, length);
    g_autofree char *word = text_shorten (whole, columns - MIN (indent, columns));
    const size_t width = (size_t) g_utf8_strlen (word, -1);
    if (!is_first && at + 1 + width > columns) {
      g_string_append_printf (out, "\n%*s", (int) indent, "");
      at = indent;
    } else if (!is_first) {
      g_string_append_c (out, ' ');
      at++;
    }
    g_string_append (out, word);
    at += width;
    text += length;
    text += *text == ' ';
  }
  return at;
}
