/* doctor-programs.h -- checks of Mono, GHC and the module. */
#ifndef PROFLOG_DOCTOR_PROGRAMS_H
#define PROFLOG_DOCTOR_PROGRAMS_H

#include <glib.h>

/* Adds the checks.  Runs each Mono and GHC in PATH for its version, and the first Mono once more
 * with the module. */
void doctor_check_programs (GPtrArray *checks);

#endif
