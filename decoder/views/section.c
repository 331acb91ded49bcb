/* section.c -- the choice of sections, and their common parts. */
#include "config.h"

#include "decoder/core/method-words.h"
#include "decoder/core/suggest.h"
#include "decoder/views/result.h"
#include "decoder/views/section.h"
#include <string.h>

static bool
is_usual (const struct section *section, const struct view *view)
{
  return !section->extra || view->verbose || (section->in_pages && view->is_page);
}

/* The i-th section to be shown; NULL after the last.  *at is the place to look from. */
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
is_selected (const struct view *view, const struct section *section)
{
  return view->sections == NULL || g_ptr_array_find (view->sections, section, NULL);
}

/* The section of a key, of those that there are. */
static const struct section *
section_of (const struct section *const *all, const char *key)
{
  while (*all != NULL && strcmp ((*all)->key, key) != 0)
    all++;
  return *all;
}

/* A report of one log among several names its log: in JSON under the key that the log's section
 * has, for people at its beginning.  CSV has a column, and HTML a heading. */
static void
put_log_name (const struct report *r, const struct section *const *all)
{
  const enum emitter_format format = emitter_get_format (r->e);
  const struct section *log = section_of (all, "log");
  guint at = 0;
  if (!emitter_has_log (r->e) || format == EMITTER_CSV || format == EMITTER_HTML
      || (log != NULL && next_section (r->view, all, &at) == log)
      || (format == EMITTER_JSON && log != NULL && is_selected (r->view, log)))
    return;
  emitter_open (r->e, "log", "Log");
  result_text (r->e, LOG_NAME, r->log_name);
  emitter_close (r->e);
}

/* Moments are times of day if the view wants that and the log states one. */
static void
set_clock (const struct report *r)
{
  uint64_t zero = 0;
  bool is_known = false;
  if (r->ghc != NULL) {
    const struct ghc_capset *clock = ghc_processes_clock (&r->ghc->processes);
    is_known = clock != NULL && clock->wall_clock >= clock->wall_clock_at;
    zero = is_known ? clock->wall_clock - clock->wall_clock_at : 0;
  } else {
    is_known = log_clock (&r->s->log, &zero);
  }
  emitter_set_clock (r->e, r->view->has_clock && is_known ? &zero : NULL);
}

static void
write_all (const struct report *r, const char *schema, uint64_t damages,
           const struct section *const *all)
{
  const struct section *section, *damage = section_of (all, "damage");
  set_clock (r);
  emitter_begin (r->e, schema);
  put_log_name (r, all);
  for (guint at = 0; (section = next_section (r->view, all, &at)) != NULL;)
    section->put (r);
  if (r->view->sections != NULL && r->view->sections->len == 0)
    emitter_note (r->e, r->ghc != NULL ? "No requested section is one of eventlogs."
                                       : "No requested section is one of logs of Mono.");
  if (damage != NULL && !is_selected (r->view, damage) && damages != 0
      && emitter_get_format (r->e) != EMITTER_CSV)
    damage->put (r);
  if (r->absent->len > 0) {
    g_string_prepend (r->absent, selection_is_partial (r->view->selection)
                                     ? "Nothing in the chosen part of: "
                                     : "Nothing in the log of: ");
    emitter_note (r->e, "");
    emitter_note (r->e, r->absent->str);
  }
  g_string_free (r->absent, TRUE);
  emitter_end (r->e);
}

void
sections_write (struct emitter *e, const char *schema, const char *log_name,
                const struct summary *s, const struct view *view, const struct section *const *all)
{
  const bool has_stacks = view->traces || view->by == VIEW_BY_METHOD || view->by == VIEW_BY_STACK;
  guint *by_name = has_stacks ? symbols_by_name (&s->symbols, SYMBOL_METHOD) : NULL;
  const struct report r = { .e = e,
                            .log_name = log_name,
                            .s = s,
                            .view = view,
                            .by_name = by_name,
                            .absent = g_string_new (NULL) };
  write_all (&r, schema, s->log.damages, all);
  g_free (by_name);
}

void
sections_write_eventlog (struct emitter *e, const char *schema, const char *log_name,
                         const struct ghc_summary *s, const struct view *view,
                         const struct section *const *all)
{
  const struct report r
      = { .e = e, .log_name = log_name, .ghc = s, .view = view, .absent = g_string_new (NULL) };
  write_all (&r, schema, s->log.damages, all);
}

void
sections_write_heap (struct emitter *e, const char *schema, const char *log_name,
                     const struct summary *s, const struct heap_result *heap,
                     const struct view *view, const struct section *const *all)
{
  const struct report r = {
    .e = e, .log_name = log_name, .s = s, .heap = heap, .view = view, .absent = g_string_new (NULL)
  };
  write_all (&r, schema, s->log.damages, all);
}

void
sections_write_bands (struct emitter *e, const char *schema, const char *log_name,
                      const struct ghc_summary *s, const struct ghc_sample_query *samples,
                      const struct view *view, const struct section *const *all)
{
  const struct report r = { .e = e,
                            .log_name = log_name,
                            .ghc = s,
                            .samples = samples,
                            .view = view,
                            .absent = g_string_new (NULL) };
  write_all (&r, schema, s->log.damages, all);
}

static const struct section *
find_section (const struct section *const *all, const char *name)
{
  for (; *all != NULL; all++)
    if (strcmp ((*all)->key, name) == 0 || g_strcmp0 ((*all)->alias, name) == 0
        || g_strcmp0 ((*all)->other, name) == 0)
      return *all;
  return NULL;
}

static void
append_name (GString *names, GPtrArray *known, const struct section *section)
{
  g_ptr_array_add (known, (gpointer) section->key);
  g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", section->key);
  if (section->alias != NULL)
    g_string_append_printf (names, " (%s)", section->alias);
}

/* `more`: sections besides, or NULL. */
static void
refuse_section (const struct section *const *all, const struct section *const *more,
                const char *name, GError **error)
{
  GString *names = g_string_new (NULL);
  g_autoptr (GPtrArray) known = g_ptr_array_new ();
  for (const struct section *const *one = all; *one != NULL; one++)
    append_name (names, known, *one);
  for (; more != NULL && *more != NULL; more++)
    if (section_of (all, (*more)->key) == NULL)
      append_name (names, known, *more);
  g_autofree char *near = suggest_text ("", name, known);
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               "--reports %s: there is no such report; there are %s%s", name, names->str, near);
  g_string_free (names, TRUE);
}

static bool
add_section (GPtrArray *chosen, const struct section *section)
{
  if (section != NULL && !g_ptr_array_find (chosen, section, NULL))
    g_ptr_array_add (chosen, (gpointer) section);
  return section != NULL;
}

bool
sections_parse_both (const struct section *const *mono, const struct section *const *ghc,
                     const char *list, GPtrArray **mono_chosen, GPtrArray **ghc_chosen,
                     GError **error)
{
  char **names = g_strsplit (list, ",", -1);
  bool good = names[0] != NULL;
  *mono_chosen = g_ptr_array_new ();
  *ghc_chosen = g_ptr_array_new ();
  if (!good)
    refuse_section (mono, ghc, list, error);
  for (char **name = names; good && *name != NULL; name++) {
    const bool is_mono = add_section (*mono_chosen, find_section (mono, *name));
    good = add_section (*ghc_chosen, find_section (ghc, *name)) || is_mono;
    if (!good)
      refuse_section (mono, ghc, *name, error);
  }
  g_strfreev (names);
  return good;
}

GPtrArray *
sections_parse (const struct section *const *all, const char *list, GError **error)
{
  static const struct section *const none[] = { NULL };
  GPtrArray *chosen, *no_others;
  if (!sections_parse_both (all, none, list, &chosen, &no_others, error))
    g_clear_pointer (&chosen, g_ptr_array_unref);
  g_ptr_array_unref (no_others);
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

bool
sections_have_rows_by (const struct view *view, const struct section *const *all)
{
  const struct section *section;
  for (guint at = 0; (section = next_section (view, all, &at)) != NULL;)
    if ((section->by & 1u << view->by) != 0)
      return true;
  return false;
}

unsigned
sections_features (const struct view *view, const struct section *const *all)
{
  const struct section *section;
  unsigned features = 0;
  for (guint at = 0; (section = next_section (view, all, &at)) != NULL;)
    features |= section->features;
  return features;
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

void
section_put_shot_state (struct emitter *e, enum heapshot_state state)
{
  const char *reason = heapshot_state_reason (state);
  emitter_truth (e, "complete", reason != NULL ? "Complete" : NULL, reason == NULL);
  result_text_if (e, HEAPSHOTS_REASON, reason != NULL, reason);
}

bool
section_is_machine_readable (const struct report *r)
{
  return !emitter_format_is_for_people (emitter_get_format (r->e));
}

char *
section_words (const struct report *r, const char *name)
{
  return section_is_machine_readable (r) || r->view->is_raw ? g_strdup (name)
                                                            : method_words (name, true);
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

char *
section_frame_name (const void *summary, uint64_t symbol)
{
  return symbols_frame_name (section_method_name (summary, symbol));
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
