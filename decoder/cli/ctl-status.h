/* ctl-status.h -- the status of a program, for people. */
#ifndef PROFLOG_CTL_STATUS_H
#define PROFLOG_CTL_STATUS_H

#include <glib.h>

/* Appends the lines of a status as text ("key: value", rows of lists indented) without what is zero
 * or empty, and with units. */
void ctl_status_append (GString *out, char **lines);

#endif
