/* ghc-cost-centres.c -- stores cost centres by number, and names their stacks. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-cost-centres.h"

static void
free_centre (gpointer data)
{
  struct ghc_cost_centre *centre = data;
  g_free (centre->label);
  g_free (centre->module);
  g_free (centre->location);
  g_free (centre);
}

void
ghc_cost_centres_init (struct ghc_cost_centres *centres)
{
  centres->by_id = g_hash_table_new_full (NULL, NULL, NULL, free_centre);
}

void
ghc_cost_centres_clear (struct ghc_cost_centres *centres)
{
  g_hash_table_unref (centres->by_id);
}

static char *
copy (struct ghc_text text)
{
  return g_strndup (text.text, text.length);
}

void
ghc_cost_centres_add (struct ghc_cost_centres *centres,
                      const struct ghc_heap_prof_cost_centre *event)
{
  struct ghc_cost_centre *centre = g_new0 (struct ghc_cost_centre, 1);
  centre->id = event->cost_centre;
  centre->is_caf = (event->flags & 1) != 0;
  centre->label = copy (event->label);
  centre->module = copy (event->module);
  centre->location = copy (event->location);
  g_hash_table_insert (centres->by_id, GUINT_TO_POINTER (centre->id), centre);
}

const struct ghc_cost_centre *
ghc_cost_centres_find (const struct ghc_cost_centres *centres, uint32_t id)
{
  return g_hash_table_lookup (centres->by_id, GUINT_TO_POINTER (id));
}

bool
ghc_cost_centres_is_idle (const struct ghc_cost_centres *centres, uint32_t id)
{
  const struct ghc_cost_centre *found = ghc_cost_centres_find (centres, id);
  return found != NULL && g_strcmp0 (found->module, "IDLE") == 0
         && g_strcmp0 (found->label, "IDLE") == 0;
}

char *
ghc_cost_centres_name (const struct ghc_cost_centres *centres, uint32_t id)
{
  const struct ghc_cost_centre *centre = ghc_cost_centres_find (centres, id);
  if (centre == NULL)
    return g_strdup_printf ("#%u", id);
  if (centre->is_caf)
    return g_strdup_printf ("%s.%s", centre->module, centre->label);
  return g_strdup (centre->label);
}

char *
ghc_cost_centres_stack (const struct ghc_cost_centres *centres, const uint32_t *ids, size_t n)
{
  GString *name = g_string_new (n == 0 ? "MAIN" : NULL);
  for (size_t i = 0; i < n; i++) {
    char *one = ghc_cost_centres_name (centres, ids[i]);
    g_string_append_printf (name, "%s%s", i != 0 ? "/" : "", one);
    g_free (one);
  }
  return g_string_free (name, FALSE);
}
