/* ghc-provenance.h -- the provenances of info tables, as the program states them
 * (-finfo-table-map). */
#ifndef PROFLOG_GHC_PROVENANCE_H
#define PROFLOG_GHC_PROVENANCE_H

#include <glib.h>
#include <proflog/ghc.h>

struct ghc_provenance {
  uint64_t info_table;
  const char *name, *closure, *type, *label, *module, *location;
};

struct ghc_provenances {
  GHashTable *by_table; /* struct ghc_provenance */
  const struct ghc_provenances
      *others; /* of another log: for those that are not here; NULL: none */
};

/* `others` is borrowed. */
void ghc_provenances_init (struct ghc_provenances *all, const struct ghc_provenances *others);
void ghc_provenances_clear (struct ghc_provenances *all);

/* Adds the provenance of an event; it replaces a former one of the same info table. */
void ghc_provenances_add (struct ghc_provenances *all, const struct ghc_ipe *event);

/* The name of the kind of its closures, such as "THUNK" (valid as long as it is); NULL: unknown. */
const char *ghc_provenance_closure (const struct ghc_provenance *provenance);

/* That of an info table, or NULL. */
const struct ghc_provenance *ghc_provenances_find (const struct ghc_provenances *all,
                                                   uint64_t info_table);

#endif
