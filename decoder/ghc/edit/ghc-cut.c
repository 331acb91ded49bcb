/* ghc-cut.c -- selects events, and the announcements that they need. */
#include "config.h"

#include "decoder/ghc/edit/ghc-cut.h"
#include "decoder/ghc/ghc-describe.h"
#include "decoder/ghc/ghc-losses.h"

#define TAGS (UINT16_MAX + 1)

void
ghc_cut_clear (struct ghc_cut *cut)
{
  g_free (cut->wanted);
  g_free (cut->unwanted);
}

/* ---- options ---- */

/* Marks a tag, or the kinds that match; false if there are none. */
static bool
mark (bool *tags, const char *term)
{
  guint64 tag;
  bool found = g_ascii_string_to_unsigned (term, 10, 0, GHC_DATA_END - 1, &tag, NULL);
  if (found) {
    tags[tag] = true;
    return true;
  }
  for (unsigned kind = 0; kind < GHC_KINDS; kind++) {
    const struct ghc_description *description = ghc_describe (kind);
    if (!g_pattern_match_simple (term, description->name))
      continue;
    tags[description->tag] = true;
    found = true;
  }
  return found;
}

static bool
mark_all (bool **tags, const char *option, const char *text, GError **error)
{
  char **terms = g_strsplit (text, ",", -1);
  bool good = terms[0] != NULL;
  if (*tags == NULL)
    *tags = g_new0 (bool, TAGS);
  for (char **term = terms; good && *term != NULL; term++) {
    good = mark (*tags, *term);
    if (!good)
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   "%s %s: there is no such event; names are those of 'proflog dump'", option,
                   *term);
  }
  if (terms[0] == NULL)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 "%s: a name or tag of events is needed", option);
  g_strfreev (terms);
  return good;
}

bool
ghc_cut_events (struct ghc_cut *cut, const char *text, GError **error)
{
  return mark_all (&cut->wanted, "--event", text, error);
}

bool
ghc_cut_no_events (struct ghc_cut *cut, const char *text, GError **error)
{
  return mark_all (&cut->unwanted, "--no-event", text, error);
}

/* ---- events ---- */

bool
ghc_cut_includes (struct ghc_cut *cut, const struct ghc_item *item)
{
  const uint16_t tag = item->event_type->tag;
  if (item->kind == GHC_BLOCK_MARKER)
    return true;
  const bool is_unwanted = cut->unwanted != NULL && cut->unwanted[tag];
  const bool is_needed = !is_unwanted && (cut->wanted == NULL || cut->wanted[tag]);
  const bool is_selected = ghc_filter_accepts (cut->filter, item) && is_needed;
  cut->events++;
  cut->taken += is_selected;
  if (is_selected || cut->is_bare || is_unwanted)
    return is_selected;
  return ghc_announces (item->kind) || ghc_is_of_writer (item);
}
