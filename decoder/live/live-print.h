/* live-print.h -- figures for other programs, as JSON. */
#ifndef PROFLOG_LIVE_PRINT_H
#define PROFLOG_LIVE_PRINT_H

#include "decoder/live/live-figures.h"

/* Appends the figures that are single numbers as an object of JSON.  Counters are those of the
 * interval, and with _all after their name those of the whole log. */
void live_print_json (const struct live_figures *figures, GString *out);

/* The same of one source among several: the object also has `log`, its name, `pid` and `ended`. */
void live_print_json_of (const struct live_named *source, const char *log, GString *out);

/* Appends the tables as an array of JSON, of each the rows that have most in any column, this many
 * of a column at most. */
void live_print_tables (const struct live_figures *figures, guint rows, GString *out);

#endif
