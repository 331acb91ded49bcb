/* ghc-fields.h -- what an item of an eventlog states, as text or as members of an object of JSON.
 */
#ifndef PROFLOG_GHC_FIELDS_H
#define PROFLOG_GHC_FIELDS_H

#include <proflog/ghc-reader.h>

/* What an item is called: "create-thread", "unknown", "header". */
const char *ghc_fields_name (const struct ghc_item *item);

/* What damage is. */
const char *ghc_fields_reason (const struct ghc_damage *damage);

/* Appends the fields: " name=value ..."; in JSON "name":value,... */
void ghc_fields_append (GString *out, const struct ghc_item *item, bool json);

/* Appends the value of one field of an event of a known kind, as JSON; nothing if the event lacks
 * it. */
void ghc_fields_append_value (GString *out, const struct ghc_item *item, const char *field);

/* Appends of an event time in seconds, capability and name, of other items the name, and the
 * fields; no line's end. */
void ghc_fields_append_line (GString *out, const struct ghc_item *item);

#endif
