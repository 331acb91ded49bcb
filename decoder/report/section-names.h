/* section-names.h -- names of --reports that are no sections of a log. */
#ifndef PROFLOG_SECTION_NAMES_H
#define PROFLOG_SECTION_NAMES_H

#include <glib.h>
#include <stdbool.h>

/* The part of a report on all logs. */
#define JOINT_SECTION "joint"

/* Takes a name from a list of names; true if it was there.  *rest (transfer full) is the others;
 * empty: there are none. */
bool section_names_take (const char *list, const char *name, char **rest);

#endif
