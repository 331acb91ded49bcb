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

/* "Space.Outer/Inner`1<T>:Method (Type,Type) [image]" */
struct method_name {
  const char *class, *colon; /* the class, and its end */
  const char *arguments;     /* at the blank before them */
  const char *end;           /* their ')' */
};

/* False: the text is no method. */
static bool
divide_method (const char *text, struct method_name *name)
{
  int depth = 0;
  name->arguments = g_strrstr (text, " (");
  name->end = name->arguments != NULL ? strrchr (name->arguments, ')') : NULL;
  name->class = name->colon = text;
  if (name->end == NULL)
    return false;
  for (; name->colon < name->arguments && (*name->colon != ':' || depth > 0); name->colon++) {
    depth += *name->colon == '<';
    depth -= *name->colon == '>';
    if (*name->colon == ' ' && depth <= 0)
      name->class = name->colon + 1;
  }
  return name->colon < name->arguments && name->colon[1] != ' ';
}

/* The parts of a method that are left out, one after the other: namespaces say least, the class and
 * the method most. */
enum shorter {
  SHORTER_ARGUMENTS, /* no namespaces in them */
  SHORTER_CLASS,     /* nor of the class */
  SHORTER_GENERICS,  /* nor types in <> */
  SHORTER_DOTS,      /* "(...)" */
  SHORTER_BARE,      /* no arguments */
  SHORTER_NESTED,    /* no class that the method's class is in */
  SHORTER_WRAPPER,   /* no "(wrapper KIND)" in front */
  SHORTER_STEPS
};

/* Appends types without their namespaces. */
static void
append_types (GString *to, const char *at, const char *end)
{
  while (at < end) {
    const size_t length = MIN (strcspn (at, " ,<>()[]&*"), (size_t) (end - at));
    const char *dot = g_strrstr_len (at, (gssize) length, ".");
    const char *type = dot != NULL && dot > at && dot + 1 < at + length ? dot + 1 : at;
    g_string_append_len (to, type, at + length - type);
    at += length;
    if (at < end)
      g_string_append_c (to, *at++);
  }
}

/* Removes the types from List`1<int>; names that compilers make have their <> elsewhere. */
static void
remove_generics (GString *class)
{
  char *to = class->str;
  int depth = 0;
  for (const char *at = class->str; *at != 0; at++) {
    const bool is_outer = depth == 0;
    if (*at == '<' && (depth > 0 || (to > class->str && g_ascii_isalnum (to[-1]))))
      depth++;
    else if (*at == '>' && depth > 0)
      depth--;
    if (is_outer && *at == '`')
      at += strspn (at + 1, "0123456789");
    else if (is_outer || depth == 0)
      *to++ = *at;
  }
  g_string_truncate (class, (gsize) (to - class->str));
}

/* Removes what the innermost type is in. */
static void
remove_outer (GString *class)
{
  const char *nested = strrchr (class->str, '/');
  if (nested != NULL)
    g_string_erase (class, 0, nested + 1 - class->str);
}

static char *
shorter_method (const char *text, const struct method_name *name, enum shorter step)
{
  GString *to = g_string_new (NULL);
  g_autoptr (GString) class = g_string_new (NULL);
  const char *front = text + strspn (text, " ");
  if (step >= SHORTER_WRAPPER && g_str_has_prefix (front, "(wrapper "))
    g_string_append_len (to, text, front - text);
  else
    g_string_append_len (to, text, name->class - text);
  if (step >= SHORTER_CLASS)
    append_types (class, name->class, name->colon);
  else
    g_string_append_len (class, name->class, name->colon - name->class);
  if (step >= SHORTER_GENERICS)
    remove_generics (class);
  if (step >= SHORTER_NESTED)
    remove_outer (class);
  g_string_append_len (to, class->str, (gssize) class->len);
  g_string_append_len (to, name->colon, name->arguments - name->colon);
  if (step == SHORTER_DOTS)
    g_string_append (to, " (...)");
  else if (step < SHORTER_DOTS)
    append_types (to, name->arguments, name->end + 1);
  return g_string_free (g_string_append (to, name->end + 1), FALSE);
}

/* As long as the width allows: at last its beginning goes, too.  NULL if the text is no method
 * (transfer full). */
static char *
shorten_method (const char *text, glong width)
{
  struct method_name name;
  char *shorter = NULL;
  if (!divide_method (text, &name))
    return NULL;
  for (int step = 0; step < SHORTER_STEPS; step++) {
    g_free (shorter);
    shorter = shorter_method (text, &name, (enum shorter) step);
    if (g_utf8_strlen (shorter, -1) <= width)
      return shorter;
  }
  const glong rest = g_utf8_strlen (shorter, -1) - (width - 3);
  char *end = g_strconcat ("...", g_utf8_offset_to_pointer (shorter, rest), NULL);
  g_free (shorter);
  return end;
}

/* "Space.Outer/Inner`1[]", as no name of a file is: each part after a dot begins as types do. */
static bool
is_type (const char *text)
{
  bool has_dot = false;
  for (const char *at = text; *at != 0; at++) {
    if (*at == '/' && (at == text || at[1] == 0))
      return false;
    if (*at == ' ' && (at == text || at[-1] != ','))
      return false;
    if (*at == '.' && !g_ascii_isupper (at[1]) && at[1] != '_' && at[1] != '<')
      return false;
    has_dot |= *at == '.';
  }
  return has_dot;
}

/* Without namespaces, then without the types of generics, then the innermost type alone.  NULL: the
 * text is no type, or is too long still (transfer full). */
static char *
shorten_type (const char *text, glong width)
{
  if (!is_type (text))
    return NULL;
  GString *type = g_string_new (NULL);
  append_types (type, text, text + strlen (text));
  if (g_utf8_strlen (type->str, -1) > width)
    remove_generics (type);
  if (g_utf8_strlen (type->str, -1) > width)
    remove_outer (type);
  return g_string_free (type, g_utf8_strlen (type->str, -1) > width);
}

char *
text_shorten (const char *text, size_t width)
{
  const glong length = g_utf8_strlen (text, -1), kept = MAX ((glong) width, SHORT_MIN) - 3;
  if (length <= kept + 3)
    return g_strdup (text);
  char *name = shorten_method (text, kept + 3);
  if (name == NULL)
    name = shorten_type (text, kept + 3);
  if (name != NULL)
    return name;
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
