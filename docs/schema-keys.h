/* schema-keys.h -- what no label states about the keys of JSON, from schema-keys.def. */
#ifndef PROFLOG_SCHEMA_KEYS_H
#define PROFLOG_SCHEMA_KEYS_H

#include <stdbool.h>

/* The meaning of the key at this place, "gc.pauses.count", of a key anywhere, or of a schema by its
 * name; NULL: it is not listed. */
const char *schema_key_meaning (const char *place);

/* May the value at this place be null, though none of the runs has shown that? */
bool schema_key_is_nullable (const char *path, const char *key);

/* May it be missing in the object at this place? */
bool schema_key_is_optional (const char *object, const char *key);

#endif
