/* joint-section.h -- the part of a report on all logs, as one of the names of --reports. */
#ifndef PROFLOG_JOINT_SECTION_H
#define PROFLOG_JOINT_SECTION_H

#include <glib.h>
#include <stdbool.h>

#define JOINT_SECTION "joint"

/* Takes that name from a list of names; true if it was there.  *rest (transfer full) is the others,
 * which are sections of each log; empty: there are none. */
bool joint_section_take (const char *list, char **rest);

#endif
