/* dump-names.h -- names of values and of addresses, as the log has announced them so far. */
#ifndef PROFLOG_DUMP_NAMES_H
#define PROFLOG_DUMP_NAMES_H

#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/mlpd/model/symbols.h"
#include <proflog/mlpd-reader.h>

struct dump_names {
  struct symbols symbols;      /* as far as they were announced */
  const struct symbols *later; /* of addresses that were not announced yet (borrowed); NULL: none */
};

/* Can numbers of this unit have a name? */
bool dump_has_names (enum mlpd_unit unit);

/* The name that a number has now: of a value or of an address; NULL if none. */
const char *dump_name (const struct dump_names *names, enum mlpd_unit unit, uint64_t value);

/* Retains the name that the item states, if it is an event that does; the same with names of the
 * caller's. */
void dump_store_name (struct dump_names *names, const struct mlpd_item *item);
void dump_announce_name (struct symbols *symbols, enum mlpd_kind kind,
                         const union mlpd_payload *payload);

#endif
