/* name-lists.c -- divides names into those of the program and of the library. */
#include "config.h"

#include "decoder/output/name-lists.h"
#include "decoder/core/library-names.h"
#include "decoder/core/method-words.h"
#include "decoder/output/html.h"
#include <string.h>

void
name_lists_init (struct name_lists *lists)
{
  *lists = (struct name_lists){ .library = g_string_new (NULL), .words = g_string_new (NULL) };
}

void
name_lists_clear (struct name_lists *lists)
{
  g_string_free (lists->library, TRUE);
  g_string_free (lists->words, TRUE);
}

void
name_lists_add (struct name_lists *lists, guint place, const char *name)
{
  if (!library_names_is_program (name) || g_str_has_suffix (name, "[native]"))
    g_string_append_printf (lists->library, "%s%u", lists->library->len != 0 ? "," : "", place);
  g_autofree char *words = method_words (name, true);
  if (strcmp (words, name) == 0)
    return;
  g_string_append_printf (lists->words, "%s\"%u\":", lists->words->len != 0 ? ",\n" : "", place);
  html_append_json_string (lists->words, words);
}

void
name_lists_append (const struct name_lists *lists, GString *json)
{
  g_string_append_printf (json, ",\n\"library\":[%s],\n\"words\":{%s}", lists->library->str,
                          lists->words->str);
}
