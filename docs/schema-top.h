/* schema-top.h -- the JSON schema of a line of `proflog top`. */
#ifndef PROFLOG_SCHEMA_TOP_H
#define PROFLOG_SCHEMA_TOP_H

#include <stdbool.h>

/* Writes FOLDER/top-line.json; false if it cannot be written. */
bool schema_write_top (const char *folder);

#endif
