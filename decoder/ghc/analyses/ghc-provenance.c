/* ghc-provenance.c -- stores the provenances of info tables.
 *
 * A program may have a million of them: each is one piece of memory, with its texts. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-provenance.h"
#include <string.h>

void
ghc_provenances_init (struct ghc_provenances *all, const struct ghc_provenances *others)
{
  all->others = others;
  all->by_table = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
}

void
ghc_provenances_clear (struct ghc_provenances *all)
{
  g_hash_table_unref (all->by_table);
}

/* Moves the place for the next text on. */
static const char *
put (char **at, const struct ghc_text *text)
{
  char *start = *at;
  if (text->length != 0)
    memcpy (start, text->text, text->length);
  start[text->length] = '\0';
  *at += text->length + 1;
  return start;
}

void
ghc_provenances_add (struct ghc_provenances *all, const struct ghc_ipe *event)
{
  const size_t texts = event->table_name.length + event->closure_description.length
                       + event->type_description.length + event->label.length + event->module.length
                       + event->location.length + 6;
  struct ghc_provenance *p = g_malloc (sizeof *p + texts);
  char *at = (char *) (p + 1);
  p->info_table = event->info_table;
  p->name = put (&at, &event->table_name);
  p->closure = put (&at, &event->closure_description);
  p->type = put (&at, &event->type_description);
  p->label = put (&at, &event->label);
  p->module = put (&at, &event->module);
  p->location = put (&at, &event->location);
  g_hash_table_replace (all->by_table, &p->info_table, p);
}

const struct ghc_provenance *
ghc_provenances_find (const struct ghc_provenances *all, uint64_t info_table)
{
  const struct ghc_provenance *found = g_hash_table_lookup (all->by_table, &info_table);
  return found == NULL && all->others != NULL ? ghc_provenances_find (all->others, info_table)
                                              : found;
}

/* The event has the number of the closure's type, as decimal digits.  The first ones are the same
 * in all versions of GHC that write the event; a family has a number for each shape. */
const char *
ghc_provenance_closure (const struct ghc_provenance *provenance)
{
  static const struct {
    guint64 last;
    const char *family;
  } families[] = { { 7, "CONSTR" }, { 14, "FUN" }, { 22, "THUNK" },   { 23, "BCO" },
                   { 24, "AP" },    { 25, "PAP" }, { 26, "AP_STACK" } };
  guint64 number;
  if (!g_ascii_string_to_unsigned (provenance->closure, 10, 1, G_MAXUINT64, &number, NULL))
    return provenance->closure[0] != '\0' ? provenance->closure : NULL;
  for (gsize i = 0; i < G_N_ELEMENTS (families); i++)
    if (number <= families[i].last)
      return families[i].family;
  return provenance->closure;
}
