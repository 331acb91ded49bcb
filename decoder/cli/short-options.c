/* short-options.c -- takes -n10 apart. */
#include "decoder/cli/short-options.h"
#include "config.h"
#include <stdbool.h>
#include <string.h>

static const GOptionEntry *
find_short (const GOptionEntry *const *entries, char name)
{
  for (; *entries != NULL; entries++)
    for (const GOptionEntry *e = *entries; e->long_name != NULL; e++)
      if (e->short_name != 0 && e->short_name == name)
        return e;
  return NULL;
}

static const GOptionEntry *
find_long (const GOptionEntry *const *entries, const char *name)
{
  for (; *entries != NULL; entries++)
    for (const GOptionEntry *e = *entries; e->long_name != NULL; e++)
      if (e->long_name[0] != 0 && strcmp (e->long_name, name) == 0)
        return e;
  return NULL;
}

static bool
takes_argument (const GOptionEntry *entry)
{
  return entry != NULL && entry->arg != G_OPTION_ARG_NONE;
}

/* How many characters of a word such as -qn10 are options; the argument of the last one of them
 * begins there.  0 if none takes any. */
static size_t
options_length (const GOptionEntry *const *entries, const char *word)
{
  for (size_t i = 1; word[i] != 0; i++) {
    const GOptionEntry *entry = find_short (entries, word[i]);
    if (entry == NULL)
      return 0;
    if (takes_argument (entry))
      return i + 1;
  }
  return 0;
}

char **
short_options_split (const GOptionEntry *const *entries, int argc, char **argv)
{
  GPtrArray *words = g_ptr_array_new ();
  bool verbatim = true, rest = false; /* the program's name; what is behind -- */
  for (int i = 0; i < argc; i++) {
    const char *word = argv[i];
    bool option = !verbatim && !rest && word[0] == '-' && word[1] != 0;
    bool is_long = option && word[1] == '-';
    size_t length = option && !is_long ? options_length (entries, word) : 0;
    rest |= is_long && word[2] == 0;
    verbatim = is_long ? takes_argument (find_long (entries, word + 2))
                       : length != 0 && word[length] == 0;
    if (length != 0 && word[length] != 0) {
      g_ptr_array_add (words, g_strndup (word, length));
      g_ptr_array_add (words, g_strdup (word + length));
    } else {
      g_ptr_array_add (words, g_strdup (word));
    }
  }
  g_ptr_array_add (words, NULL);
  return (char **) g_ptr_array_free (words, FALSE);
}
