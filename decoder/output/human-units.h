/* human-units.h -- sizes as people read them. */
#ifndef PROFLOG_HUMAN_UNITS_H
#define PROFLOG_HUMAN_UNITS_H

#include <glib.h>
#include <stdint.h>

/* "960 bytes", "12.6 MB", "3.0 GB": units of 1000. */
void human_append_bytes (GString *out, uint64_t bytes);
char *human_bytes (uint64_t bytes);

#endif
