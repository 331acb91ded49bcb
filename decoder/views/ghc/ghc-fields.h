/* ghc-fields.h -- the fields of an item of an eventlog, as text or as members of an object of JSON.
 */
#ifndef PROFLOG_GHC_FIELDS_H
#define PROFLOG_GHC_FIELDS_H

#include <proflog/ghc-reader.h>

/* The name of an item: "create-thread", "unknown", "header". */
const char *ghc_fields_name (const struct ghc_item *item);

/* The reason of damage. */
const char *ghc_fields_reason (const struct ghc_damage *damage);

/* Appends the fields: " name=value ..."; in JSON "name":value,... */
void ghc_fields_append (GString *out, const struct ghc_item *item, bool json);

/* Appends the value of a field that is a list, as JSON. */
void ghc_fields_append_texts (GString *out, struct ghc_texts texts);
void ghc_fields_append_stack (GString *out, const struct ghc_stack *stack);

/* Appends of an event time in seconds, capability and name, of other items the name, and the
 * fields; no line's end. */
void ghc_fields_append_line (GString *out, const struct ghc_item *item);

#endif
