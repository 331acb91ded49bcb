/* doctor-target.h -- the checks of one process, or of one file. */
#ifndef PROFLOG_DOCTOR_TARGET_H
#define PROFLOG_DOCTOR_TARGET_H

#include <glib.h>

/* Adds the checks (doctor.h) of a process (a number), or of a program or library (a path): whether
 * it has a runtime of Mono that can be recorded, and the parts that will be missing. */
void doctor_target_check (GPtrArray *checks, const char *target);

#endif
