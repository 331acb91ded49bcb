/* json-paths.c -- reads one JSON value on standard input and prints a line for each number, string,
 * boolean and null in it: its path, a tab, its value.  So shell tests look figures up by name.
 *
 * An element of an array is named by its member "name", "kind", "generation", "index" or "object",
 * else by its place: allocations.types[System.String].objects<TAB>12, damage.messages[0]<TAB>...
 * With --places all elements are named by their places.
 * It is strict: what is not JSON ends it with status 1. */
#include "config.h"

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64 };

static bool by_places;

struct reader {
  const char *at, *start;
};

/* A scalar, its path counted from the value that is being read. */
struct line {
  char *path, *value;
};

static void
line_free (void *data)
{
  struct line *line = data;
  g_free (line->path);
  g_free (line->value);
  g_free (line);
}

static void G_GNUC_NORETURN
fail (const struct reader *r, const char *what)
{
  fprintf (stderr, "json-paths: at byte %zu: %s\n", (size_t) (r->at - r->start), what);
  exit (1);
}

static void
skip_space (struct reader *r)
{
  r->at += strspn (r->at, " \t\r\n");
}

static bool
take (struct reader *r, char c)
{
  skip_space (r);
  if (*r->at != c)
    return false;
  r->at++;
  return true;
}

static unsigned
read_hex4 (struct reader *r)
{
  unsigned value = 0;
  for (int i = 0; i < 4; i++, r->at++) {
    if (!g_ascii_isxdigit (*r->at))
      fail (r, "four hexadecimal digits expected");
    value = value * 16 + (unsigned) g_ascii_xdigit_value (*r->at);
  }
  return value;
}

static void
read_escape (struct reader *r, GString *text)
{
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  char c = *r->at++;
  const char *letter = c != 0 ? strchr (letters, c) : NULL;
  if (letter != NULL) {
    g_string_append_c (text, meanings[letter - letters]);
  } else if (c == 'u') {
    gunichar u = read_hex4 (r);
    if (u >= 0xd800 && u < 0xdc00) {
      if (r->at[0] != '\\' || r->at[1] != 'u')
        fail (r, "half a surrogate pair");
      r->at += 2;
      u = 0x10000 + ((u - 0xd800) << 10) + (read_hex4 (r) - 0xdc00);
    }
    g_string_append_unichar (text, u);
  } else {
    fail (r, "unknown escape");
  }
}

static char *
read_string (struct reader *r)
{
  if (!take (r, '"'))
    fail (r, "a string expected");
  GString *text = g_string_new (NULL);
  while (*r->at != '"') {
    if ((unsigned char) *r->at < 0x20)
      fail (r, "a control character, or the end, in a string");
    if (*r->at == '\\') {
      r->at++;
      read_escape (r, text);
    } else {
      g_string_append_c (text, *r->at++);
    }
  }
  r->at++;
  if (!g_utf8_validate (text->str, (gssize) text->len, NULL))
    fail (r, "a string that is not UTF-8");
  return g_string_free (text, FALSE);
}

/* -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?, or true, false, null */
static char *
read_bare (struct reader *r)
{
  static GRegex *regex;
  if (regex == NULL)
    regex = g_regex_new ("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?(?![-+.0-9A-Za-z])"
                         "|(true|false|null)\\b",
                         G_REGEX_ANCHORED | G_REGEX_RAW, 0, NULL);
  GMatchInfo *match;
  g_autofree char *window = g_strndup (r->at, 64); /* may end within a character */
  if (!g_regex_match (regex, window, 0, &match))
    fail (r, "a value expected");
  char *text = g_match_info_fetch (match, 0);
  g_match_info_free (match);
  r->at += strlen (text);
  return text;
}

static GPtrArray *read_value (struct reader *r, int depth);

static void
add_with_prefix (GPtrArray *to, GPtrArray *from, const char *prefix)
{
  for (guint i = 0; i < from->len; i++) {
    const struct line *line = from->pdata[i];
    struct line *longer = g_new (struct line, 1);
    bool dot = line->path[0] != 0 && line->path[0] != '[' && prefix[strlen (prefix) - 1] != '.';
    longer->path = g_strconcat (prefix, dot ? "." : "", line->path, NULL);
    longer->value = g_strdup (line->value);
    g_ptr_array_add (to, longer);
  }
}

static GPtrArray *
read_object (struct reader *r, int depth)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (line_free);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (take (r, '}'))
    return lines;
  do {
    skip_space (r);
    char *key = read_string (r);
    if (!g_hash_table_add (seen, key))
      fail (r, "a member that is there twice");
    if (!take (r, ':'))
      fail (r, "':' expected");
    g_autoptr (GPtrArray) value = read_value (r, depth);
    add_with_prefix (lines, value, key);
  } while (take (r, ','));
  if (!take (r, '}'))
    fail (r, "',' or '}' expected");
  return lines;
}

static char *
name_of_element (const GPtrArray *element, int place)
{
  static const char *const keys[] = { "name", "kind", "generation", "index", "object" };
  for (size_t k = 0; k < G_N_ELEMENTS (keys) && !by_places; k++)
    for (guint i = 0; i < element->len; i++) {
      const struct line *line = element->pdata[i];
      if (strcmp (line->path, keys[k]) == 0)
        return g_strdup_printf ("[%s]", line->value);
    }
  return g_strdup_printf ("[%d]", place);
}

static GPtrArray *
read_array (struct reader *r, int depth)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (line_free);
  if (take (r, ']'))
    return lines;
  int place = 0;
  do {
    g_autoptr (GPtrArray) element = read_value (r, depth);
    g_autofree char *name = name_of_element (element, place++);
    add_with_prefix (lines, element, name);
  } while (take (r, ','));
  if (!take (r, ']'))
    fail (r, "',' or ']' expected");
  return lines;
}

static GPtrArray *
read_value (struct reader *r, int depth)
{
  if (depth == DEPTH_MAX)
    fail (r, "nested too deep");
  if (take (r, '{'))
    return read_object (r, depth + 1);
  if (take (r, '['))
    return read_array (r, depth + 1);
  struct line *line = g_new (struct line, 1);
  skip_space (r);
  line->path = g_strdup ("");
  line->value = *r->at == '"' ? read_string (r) : read_bare (r);
  GPtrArray *lines = g_ptr_array_new_with_free_func (line_free);
  g_ptr_array_add (lines, line);
  return lines;
}

int
main (int argc, char **argv)
{
  by_places = argc > 1 && strcmp (argv[1], "--places") == 0;
  g_autoptr (GString) text = g_string_new (NULL);
  char block[65536];
  for (size_t n; (n = fread (block, 1, sizeof block, stdin)) > 0;)
    g_string_append_len (text, block, (gssize) n);
  struct reader r = { text->str, text->str };
  g_autoptr (GPtrArray) lines = read_value (&r, 0);
  skip_space (&r);
  if (*r.at != 0 || r.at != text->str + text->len)
    fail (&r, "something after the value");
  for (guint i = 0; i < lines->len; i++) {
    const struct line *line = lines->pdata[i];
    g_autofree char *value = g_strdelimit (g_strdup (line->value), "\t\n", ' ');
    printf ("%s\t%s\n", line->path, value);
  }
  return 0;
}
