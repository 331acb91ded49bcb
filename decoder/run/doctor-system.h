/* doctor-system.h -- checks of the kernel, and of the user's directories. */
#ifndef PROFLOG_DOCTOR_SYSTEM_H
#define PROFLOG_DOCTOR_SYSTEM_H

#include <glib.h>

/* Adds the checks.  Forks for one of them, so the process must have one thread. */
void doctor_check_system (GPtrArray *checks);

#endif
