/* log-names.h -- names for a log from another one of the same program: --names-from. */
#ifndef PROFLOG_LOG_NAMES_H
#define PROFLOG_LOG_NAMES_H

#include "decoder/ghc/analyses/ghc-provenance.h"

/* Reads the provenances of info tables from an eventlog; to be freed with log_names_free.  NULL and
 * an error if it cannot be read, is no eventlog, or names none. */
struct ghc_provenances *log_names_read (const char *path, GError **error);

/* NULL: nothing. */
void log_names_free (struct ghc_provenances *names);

#endif
