/* section.c -- which sections are written, and what they share. */
#include "decoder/views/section.h"
#include "config.h"
#include "decoder/views/report-log.h"
#include <string.h>

static bool
is_usual (const struct section *section, const struct view *view)
{
  return !section->extra || view->verbose;
}

/* The i-th section to be shown; NULL behind the last.  *at is the place to look from. */
static const struct section *
next_section (const struct view *view, const struct section *const *all, guint *at)
{
  if (view->sections != NULL)
    return *at < view->sections->len ? g_ptr_array_index (view->sections, (*at)++) : NULL;
  while (all[*at] != NULL && !is_usual (all[*at], view))
    ++*at;
  return all[*at] != NULL ? all[(*at)++] : NULL;
}

static bool
is_chosen (const struct view *view, const struct section *section)
{
  return view->sections == NULL || g_ptr_array_find (view->sections, section, NULL);
}

/* A report of one log among several tells whose it is: in JSON under the key that the log's section
 * has, for people at its beginning.  CSV has a column. */
static void
put_log_name (const struct report *r, const struct section *const *all)
{
  const enum emitter_format format = emitter_get_format (r->e);
  guint at = 0;
  if (!emitter_has_log (r->e) || format == EMITTER_CSV
      || next_section (r->view, all, &at) == &section_log
      || (format == EMITTER_JSON && is_chosen (r->view, &section_log)))
    return;
  emitter_open (r->e, "log", "Log");
  emitter_text (r->e, "name", "Name", r->log_name);
  emitter_close (r->e);
}

void
sections_write (struct emitter *e, const char *schema, const char *log_name,
                const struct summary *s, const struct view *view, const struct section *const *all)
{
  const struct report r = { e, log_name, s, view, g_string_new (NULL) };
  const struct section *section;
  emitter_begin (e, schema);
  put_log_name (&r, all);
  for (guint at = 0; (section = next_section (view, all, &at)) != NULL;)
    section->put (&r);
  if (!is_chosen (view, &section_damage) && s->log.damages != 0
      && emitter_get_format (e) != EMITTER_CSV)
    section_damage.put (&r);
  if (r.absent->len > 0) {
    g_string_prepend (r.absent, "Nothing in the log of: ");
    emitter_note (e, "");
    emitter_note (e, r.absent->str);
  }
  g_string_free (r.absent, TRUE);
  emitter_end (e);
}

static const struct section *
find_section (const struct section *const *all, const char *name)
{
  for (; *all != NULL; all++)
    if (strcmp ((*all)->key, name) == 0
        || ((*all)->alias != NULL && strcmp ((*all)->alias, name) == 0))
      return *all;
  return NULL;
}

static void
refuse_section (const struct section *const *all, const char *name, GError **error)
{
  GString *names = g_string_new (NULL);
  for (; *all != NULL; all++) {
    g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", (*all)->key);
    if ((*all)->alias != NULL)
      g_string_append_printf (names, " (%s)", (*all)->alias);
  }
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               "--reports %s: there is no such report; there are %s", name, names->str);
  g_string_free (names, TRUE);
}

GPtrArray *
sections_choose (const struct section *const *all, const char *list, GError **error)
{
  GPtrArray *chosen = g_ptr_array_new ();
  char **names = g_strsplit (list, ",", -1);
  bool good = names[0] != NULL;
  if (!good)
    refuse_section (all, list, error);
  for (char **name = names; good && *name != NULL; name++) {
    const struct section *section = find_section (all, *name);
    good = section != NULL;
    if (!good)
      refuse_section (all, *name, error);
    else if (!g_ptr_array_find (chosen, section, NULL))
      g_ptr_array_add (chosen, (gpointer) section);
  }
  g_strfreev (names);
  if (!good)
    g_clear_pointer (&chosen, g_ptr_array_unref);
  return chosen;
}

GPtrArray *
sections_shapes (const struct view *view, const struct section *const *all)
{
  GPtrArray *shapes = g_ptr_array_new ();
  const struct section *section;
  for (guint at = 0; (section = next_section (view, all, &at)) != NULL;)
    for (guint i = 0; section->tables != NULL && section->tables[i] != NULL; i++)
      g_ptr_array_add (shapes, (gpointer) section->tables[i]);
  return shapes;
}

bool
sections_show (const struct view *view, const struct section *const *all, const char *key)
{
  const struct section *section;
  for (guint at = 0; (section = next_section (view, all, &at)) != NULL;)
    if (strcmp (section->key, key) == 0)
      return true;
  return false;
}

void
section_absent (const struct report *r, const char *title)
{
  g_string_append_printf (r->absent, "%s%s", r->absent->len > 0 ? ", " : "", title);
}

void
section_open (const struct report *r, const char *key, const char *title, bool any)
{
  emitter_open (r->e, key, any ? title : NULL);
  if (!any)
    section_absent (r, title);
}

void
section_absent_rare (const struct report *r, const char *title)
{
  if (r->view->sections != NULL)
    section_absent (r, title);
}

bool
section_is_for_programs (const struct report *r)
{
  const enum emitter_format format = emitter_get_format (r->e);
  return format == EMITTER_JSON || format == EMITTER_CSV;
}

struct table *
section_table (const struct report *r, const struct table_shape *shape)
{
  return table_new (shape, r->view);
}

char *
section_class_name (const void *summary, uint64_t symbol)
{
  const struct summary *s = summary;
  return symbols_name (&s->symbols, SYMBOL_CLASS, (guint) symbol);
}

char *
section_class_image (const void *summary, uint64_t symbol)
{
  const struct summary *s = summary;
  return g_strdup (symbols_class_image (&s->symbols, (guint) symbol));
}

char *
section_method_name (const void *summary, uint64_t symbol)
{
  const struct summary *s = summary;
  return symbols_name (&s->symbols, SYMBOL_METHOD, (guint) symbol);
}

int
section_compare_classes (const void *summary, uint64_t a, uint64_t b)
{
  const struct summary *s = summary;
  return symbols_compare (&s->symbols, SYMBOL_CLASS, (guint) a, (guint) b);
}

int
section_compare_methods (const void *summary, uint64_t a, uint64_t b)
{
  const struct summary *s = summary;
  return symbols_compare (&s->symbols, SYMBOL_METHOD, (guint) a, (guint) b);
}
