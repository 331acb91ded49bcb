/* top-sources.h -- the programs that proflog top reads, a line each. */
#ifndef PROFLOG_TOP_SOURCES_H
#define PROFLOG_TOP_SOURCES_H

#include "decoder/live/live-figures.h"

/* Columns of names that are shown at most. */
enum { TOP_NAME_COLUMNS = 24 };

/* Appends the titles of the columns, and the line of a source; without the end. */
void top_sources_append_titles (GString *out);
void top_sources_append_line (GString *out, const struct live_named *source);

/* Appends the source's name, in this many columns; of a long one the end. */
void top_sources_append_name (GString *out, const char *name, int columns);

#endif
