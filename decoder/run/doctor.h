/* doctor.h -- the checks of `proflog doctor`. */
#ifndef PROFLOG_DOCTOR_H
#define PROFLOG_DOCTOR_H

#include <glib.h>

enum doctor_state {
  DOCTOR_OK,
  DOCTOR_MISSING,
  DOCTOR_NONE, /* not there, and not needed */
};

struct doctor_check {
  const char *name; /* static */
  enum doctor_state state;
  char *finding; /* a part of a sentence */
  char *mend;    /* the line that mends it; NULL: none is needed, or known */
};

/* The list of checks (struct doctor_check *).  Free with g_ptr_array_unref. */
GPtrArray *doctor_new (void);

/* Appends a check.  The texts become those of the list. */
void doctor_add (GPtrArray *checks, const char *name, enum doctor_state state, char *finding,
                 char *mend);

/* The number of checks in this state. */
guint doctor_count (const GPtrArray *checks, enum doctor_state state);

/* Adds the checks of the kernel, and of the user's directories.  Forks for one of them, so the
 * process must have one thread. */
void doctor_check_system (GPtrArray *checks);

/* Adds the checks of Mono, GHC and the module.  Runs each Mono and GHC in PATH for its version, and
 * the first Mono once more with the module. */
void doctor_check_programs (GPtrArray *checks);

#endif
