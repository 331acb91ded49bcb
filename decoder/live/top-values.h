/* top-values.h -- numbers of proflog top, as text. */
#ifndef PROFLOG_TOP_VALUES_H
#define PROFLOG_TOP_VALUES_H

#include "decoder/live/live-tables.h"

/* Appends a number; "-" if it is not known (NAN). */
void top_append_value (GString *out, enum live_value kind, double value);

/* The same between two texts. */
void top_append_labelled (GString *out, const char *label, enum live_value kind, double value,
                          const char *after);

#endif
