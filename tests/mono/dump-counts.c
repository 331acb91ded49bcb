/* dump-counts.c -- reads `proflog dump --format json` on standard input and prints "key tab value"
 * lines with the keys of log-counts.cs, so that other readers can be compared with ours event by
 * event:
 *   count:KIND           events of a kind; metadata also count:KIND.load, .unload and .name
 *   backtraces:KIND      of which have a backtrace
 *   bytes:KIND           their bytes in the log, and the shortest and the longest of them
 *   min:KIND, max:KIND   metadata events: of all kinds, by what happened (metadata.load, ...)
 *   buffers, bytes       of the whole log
 *   sum:KIND.FIELD       numbers are added up modulo 2^64, so are the FNV-1a hashes of texts and
 * the bits of floating-point values; FIELD is a path in lists of objects items:KIND.FIELD     items
 * of lists damage               items that are no buffer, no event and no header
 *
 * It is strict: what is not JSON, or an object with a key twice, ends it with status 1. */
#include "config.h"

#include <glib.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 16 };

/* A line that is being read. */
struct line {
  const char *at;
  const char *start;
  unsigned long number;
};

static GHashTable *counts; /* uint64_t by key */

static void G_GNUC_NORETURN
fail (const struct line *l, const char *what)
{
  fprintf (stderr, "dump-counts: line %lu, byte %zu: %s\n", l->number, (size_t) (l->at - l->start),
           what);
  exit (1);
}

static uint64_t *
count_of (const char *key, uint64_t initial)
{
  uint64_t *value = g_hash_table_lookup (counts, key);
  if (value == NULL) {
    value = g_new (uint64_t, 1);
    *value = initial;
    g_hash_table_insert (counts, g_strdup (key), value);
  }
  return value;
}

static void
add (const char *what, const char *kind, const char *path, uint64_t value)
{
  g_autofree char *key = g_strconcat (what, kind, path[0] != 0 ? "." : "", path, NULL);
  *count_of (key, 0) += value;
}

static void
add_size (const char *group, uint64_t size)
{
  g_autofree char *min = g_strconcat ("min:", group, NULL);
  g_autofree char *max = g_strconcat ("max:", group, NULL);
  add ("bytes:", group, "", size);
  uint64_t *shortest = count_of (min, size);
  uint64_t *longest = count_of (max, size);
  *shortest = MIN (*shortest, size);
  *longest = MAX (*longest, size);
}

static bool
take (struct line *l, char c)
{
  if (*l->at != c)
    return false;
  l->at++;
  return true;
}

static void
need (struct line *l, char c)
{
  const char what[] = { '\'', c, '\'', ' ', 'e', 'x', 'p', 'e', 'c', 't', 'e', 'd', 0 };
  if (!take (l, c))
    fail (l, what);
}

static unsigned
take_hex4 (struct line *l)
{
  unsigned value = 0;
  for (int i = 0; i < 4; i++, l->at++) {
    if (!g_ascii_isxdigit (*l->at))
      fail (l, "four hexadecimal digits expected");
    value = value * 16 + (unsigned) g_ascii_xdigit_value (*l->at);
  }
  return value;
}

static void
take_escape (struct line *l, GString *text)
{
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  char c = *l->at++;
  const char *letter = c != 0 ? strchr (letters, c) : NULL;
  if (letter != NULL) {
    g_string_append_c (text, meanings[letter - letters]);
    return;
  }
  if (c != 'u')
    fail (l, "unknown escape");
  gunichar u = take_hex4 (l);
  if (u >= 0xd800 && u < 0xdc00) {
    need (l, '\\');
    need (l, 'u');
    u = 0x10000 + ((u - 0xd800) << 10) + (take_hex4 (l) - 0xdc00);
  }
  g_string_append_unichar (text, u);
}

static char *
take_string (struct line *l)
{
  GString *text = g_string_new (NULL);
  need (l, '"');
  while (!take (l, '"')) {
    if ((unsigned char) *l->at < 0x20)
      fail (l, "a control character, or the end, in a string");
    if (take (l, '\\'))
      take_escape (l, text);
    else
      g_string_append_c (text, *l->at++);
  }
  return g_string_free (text, FALSE);
}

static uint64_t
hash (const char *text)
{
  uint64_t value = UINT64_C (0xcbf29ce484222325);
  for (; *text != 0; text++)
    value = (value ^ (unsigned char) *text) * UINT64_C (0x100000001b3);
  return value;
}

/* A string: a number if it is an address, else a text. */
static uint64_t
value_of_string (const char *text)
{
  if (text[0] == '0' && text[1] == 'x' && text[2] != 0) {
    char *end;
    uint64_t value = strtoull (text, &end, 16);
    if (*end == 0)
      return value;
  }
  return hash (text);
}

static uint64_t
take_number (struct line *l, bool is_double)
{
  char *end;
  uint64_t value;
  if (is_double) {
    double number = g_ascii_strtod (l->at, &end);
    memcpy (&value, &number, sizeof value);
  } else if (*l->at == '-') {
    value = (uint64_t) g_ascii_strtoll (l->at, &end, 10);
  } else {
    value = g_ascii_strtoull (l->at, &end, 10);
  }
  if (end == l->at)
    fail (l, "a value expected");
  l->at = end;
  return value;
}

static uint64_t take_value (struct line *l, const char *kind, const char *path, bool is_double,
                            int depth);

static void
take_list (struct line *l, const char *kind, const char *path, int depth)
{
  uint64_t items = 0;
  if (!take (l, ']')) {
    do {
      take_value (l, kind, path, false, depth);
      items++;
    } while (take (l, ','));
    need (l, ']');
  }
  add ("items:", kind, path, items);
  if (items > 0 && strcmp (path, "backtrace") == 0)
    add ("backtraces:", kind, "", 1);
}

/* Names beside numbers are for people: `klass_name` after `klass`. */
static bool
is_name_of (const char *key, const char *before)
{
  size_t length = strlen (before);
  return strncmp (key, before, length) == 0
         && (strcmp (key + length, "_name") == 0 || strcmp (key + length, "_names") == 0);
}

static void
skip_value (struct line *l)
{
  if (take (l, '[')) {
    do
      if (!take (l, 'n'))
        g_free (take_string (l));
      else
        l->at += strlen ("ull");
    while (take (l, ','));
    need (l, ']');
  } else {
    g_free (take_string (l));
  }
}

static void
take_members (struct line *l, const char *kind, const char *path, int depth)
{
  g_autoptr (GPtrArray) seen = g_ptr_array_new_with_free_func (g_free);
  uint64_t type = 0;
  if (take (l, '}'))
    return;
  do {
    char *key = take_string (l);
    const char *before = seen->len > 0 ? seen->pdata[seen->len - 1] : "";
    for (guint i = 0; i < seen->len; i++)
      if (strcmp (key, seen->pdata[i]) == 0)
        fail (l, "a member that is there twice");
    bool is_name = seen->len > 0 && is_name_of (key, before);
    g_ptr_array_add (seen, key);
    need (l, ':');
    if (is_name) {
      skip_value (l);
      continue;
    }
    g_autofree char *longer = g_strconcat (path, path[0] != 0 ? "." : "", key, NULL);
    /* A counter's value of type 5 is a floating-point number. */
    uint64_t value = take_value (l, kind, longer, type == 5 && strcmp (key, "value") == 0, depth);
    if (strcmp (key, "type") == 0)
      type = value;
  } while (take (l, ','));
  need (l, '}');
}

/* Adds a value to the sums; returns it if it is a number. */
static uint64_t
take_value (struct line *l, const char *kind, const char *path, bool is_double, int depth)
{
  if (depth > DEPTH_MAX)
    fail (l, "too deep");
  if (take (l, '{')) {
    take_members (l, kind, path, depth + 1);
    return 0;
  }
  if (take (l, '[')) {
    take_list (l, kind, path, depth + 1);
    return 0;
  }
  uint64_t value;
  if (*l->at == '"') {
    g_autofree char *text = take_string (l);
    value = value_of_string (text);
  } else {
    value = take_number (l, is_double);
  }
  add ("sum:", kind, path, value);
  return value;
}

/* The value of a member of the outer object that is a string or a number; "" if it has none. */
static char *
member (const char *line, const char *key)
{
  g_autofree char *quoted = g_strdup_printf ("\"%s\":", key);
  const char *found = strstr (line, quoted);
  if (found == NULL)
    return g_strdup ("");
  found += strlen (quoted);
  found += *found == '"';
  return g_strndup (found, strcspn (found, "\","));
}

static void
add_line (struct line *l)
{
  g_autofree char *type = member (l->start, "item");
  g_autofree char *size_text = member (l->start, "size");
  g_autofree char *kind = member (l->start, "kind");
  const uint64_t size = g_ascii_strtoull (size_text, NULL, 10);
  add ("bytes", "", "", size);
  if (strcmp (type, "buffer") == 0)
    add ("buffers", "", "", 1);
  else if (strcmp (type, "event") != 0 && strcmp (type, "file-header") != 0)
    add ("damage", "", "", 1);
  if (strcmp (type, "event") != 0)
    return;
  const char *fields = strstr (l->start, "\"fields\":{");
  if (fields == NULL)
    fail (l, "no fields");
  l->at = fields + strlen ("\"fields\":{");
  take_members (l, kind, "", 0);
  if (strcmp (l->at, "}") != 0)
    fail (l, "the end of the line expected");
  add ("count:", kind, "", 1);
  if (!g_str_has_prefix (kind, "metadata-")) {
    add_size (kind, size);
    return;
  }
  g_autofree char *action = member (fields, "action_name");
  g_autofree char *group = g_strconcat ("metadata.", action, NULL);
  add_size (group, size);
  add ("count:", kind, action, 1);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  return strcmp (a, b);
}

int
main (void)
{
  char *text = NULL;
  size_t room = 0;
  ssize_t length;
  unsigned long number = 0;
  counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  while ((length = getline (&text, &room, stdin)) > 0) {
    if (text[length - 1] == '\n')
      text[length - 1] = 0;
    struct line line = { text, text, ++number };
    add_line (&line);
  }
  free (text);
  g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (counts), compare);
  for (const GList *key = keys; key != NULL; key = key->next)
    printf ("%s\t%" PRIu64 "\n", (const char *) key->data,
            *(const uint64_t *) g_hash_table_lookup (counts, key->data));
  g_hash_table_destroy (counts);
  return 0;
}
