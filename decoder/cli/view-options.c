/* view-options.c -- see view-options.h. */
#include "decoder/cli/view-options.h"
#include "config.h"

char *
view_options_limit_help (guint rows)
{
  return g_strdup_printf ("Rows of a table at most, 0 for all (text and markdown: %u, else all)",
                          rows);
}

void
view_options_clear (struct view_options *o)
{
  g_free (o->limit);
  g_free (o->sort);
  g_free (o->fields);
}

bool
view_is_for_people (enum emitter_format format)
{
  return format == EMITTER_TEXT || format == EMITTER_MARKDOWN;
}

bool
view_parse_count (const char *option, const char *text, const char *needed, guint *number,
                  GError **error)
{
  guint64 parsed;
  if (text == NULL)
    return true;
  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT, &parsed, NULL)) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s %s: %s", option, text,
                 needed);
    return false;
  }
  *number = (guint) parsed;
  return true;
}

bool
view_options_apply (const struct view_options *o, enum emitter_format format, guint rows,
                    struct view *view, GError **error)
{
  view->limit = view_is_for_people (format) && !o->verbose ? rows : 0;
  view->limit_whole = o->limit != NULL;
  view->sort = o->sort != NULL ? g_strsplit (o->sort, ",", -1) : NULL;
  view->fields = o->fields != NULL ? g_strsplit (o->fields, ",", -1) : NULL;
  view->reverse = o->reverse;
  view->verbose = o->verbose;
  return view_parse_count ("--limit", o->limit, "a number of rows is needed, 0 for all",
                           &view->limit, error);
}

void
view_clear (struct view *view)
{
  g_strfreev (view->sort);
  g_strfreev (view->fields);
  g_clear_pointer (&view->sections, g_ptr_array_unref);
  g_clear_pointer (&view->ghc_sections, g_ptr_array_unref);
}
