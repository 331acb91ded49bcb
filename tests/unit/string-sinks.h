/* string-sinks.h -- for tests: sinks that append to a GString, which is their `data`. */
#ifndef PROFLOG_TESTS_STRING_SINKS_H
#define PROFLOG_TESTS_STRING_SINKS_H

#include <glib.h>
#include <stdbool.h>

/* For sinks that leave the text to its owner. */
bool append_text (void *data, const GString *text);

/* For sinks that empty the text. */
bool move_text (void *data, GString *text);

#endif
