/* filter-options.h -- parses the options that select part of a log.
 *
 * Each function fails with G_OPTION_ERROR and the text that makes no sense.
 */
#ifndef PROFLOG_FILTER_OPTIONS_H
#define PROFLOG_FILTER_OPTIONS_H

#include "decoder/filter/filter.h"

/* The options.  Those that may be repeated add to the earlier ones; lists are separated by commas.
 */
bool selection_thread (struct selection *selection, const char *text, GError **error);
bool selection_time_range (struct selection *selection, const char *text, GError **error);
bool selection_span (struct selection *selection, const char *text, GError **error);
bool selection_slowest (struct selection *selection, const char *text, GError **error);
bool selection_not_slowest (struct selection *selection, const char *text, GError **error);
bool selection_filter (struct selection *selection, const char *text, GError **error);
bool selection_exclude (struct selection *selection, const char *text, GError **error);
bool selection_depth (struct selection *selection, const char *text, GError **error);
bool selection_min_time (struct selection *selection, const char *text, GError **error);
bool selection_min_bytes (struct selection *selection, const char *text, GError **error);
bool selection_find (struct selection *selection, const char *text, GError **error);
bool selection_track (struct selection *selection, const char *text, GError **error);
bool selection_cap (struct selection *selection, const char *text, GError **error);

#endif
