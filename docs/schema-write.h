/* schema-write.h -- JSON schemas of what was recorded, and the page docs/json.md. */
#ifndef PROFLOG_SCHEMA_WRITE_H
#define PROFLOG_SCHEMA_WRITE_H

#include "docs/schema-record.h"

/* Writes FOLDER/NAME-VERSION.json for each schema (of struct schema *, by name).  The path of a
 * file that cannot be written (transfer full); NULL: all are. */
char *schema_write_all (GPtrArray *schemas, const char *folder);

/* Appends the keys of each as tables for people. */
void schema_append_page (GPtrArray *schemas, GString *page);

#endif
