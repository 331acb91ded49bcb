/* mprof-report.c -- the list of sections, and the report as a whole. */
#include "config.h"

#include "decoder/views/mprof/mprof.h"

static const struct mprof_section *const sections[] = {
#define MPROF_SECTION(name) &mprof_section_##name,
#include "decoder/views/mprof/mprof-sections.def"
};

static const struct mprof_section *
find_section (const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS (sections); i++)
    if (strcmp (sections[i]->name, name) == 0)
      return sections[i];
  return NULL;
}

GPtrArray *
mprof_sections_parse (const char *list)
{
  g_auto (GStrv) names = g_strsplit (list, ",", -1);
  GPtrArray *found = g_ptr_array_new ();
  for (guint i = 0; names[i] != NULL; i++) {
    const struct mprof_section *section = find_section (names[i]);
    if (section == NULL) {
      g_ptr_array_unref (found);
      return NULL;
    }
    g_ptr_array_add (found, (gpointer) section);
  }
  return found;
}

void
mprof_report_write (GString *out, const struct summary *summary, const struct mprof_view *view)
{
  const struct mprof_report report = { out, summary, view };
  if (mprof_put_objects (&report))
    return;
  for (guint i = 0; view->sections != NULL && i < view->sections->len; i++)
    ((const struct mprof_section *) g_ptr_array_index (view->sections, i))->put (&report);
  for (size_t i = 0; view->sections == NULL && i < G_N_ELEMENTS (sections); i++)
    if (sections[i]->is_usual)
      sections[i]->put (&report);
}
