/* check.h -- what a check of a log found. */
#ifndef PROFLOG_CHECK_H
#define PROFLOG_CHECK_H

#include "decoder/analyses/ghc-log-check.h"
#include "decoder/analyses/log-check.h"
#include "decoder/views/table.h"

#define CHECK_SCHEMA "proflog.check/1"

/* Writes it; the buffers that the check kept with it. */
void check_write (struct emitter *emitter, const char *log_name, const struct log_check *check,
                  const struct view *view);

/* The same of an eventlog, with its blocks. */
void ghc_check_write (struct emitter *emitter, const char *log_name,
                      const struct ghc_log_check *check, const struct view *view);

/* ---- for both ---- */

/* The table of findings: damages (of struct check_damage), then what was found of so many sorts, by
 * level. */
void check_put_findings (struct emitter *emitter, const struct view *view, const GArray *damages,
                         const struct check_finding *findings,
                         const struct check_finding_sort *sorts, guint n_sorts);

/* That of so many damages only some were told, with the parts of the log where they are. */
void check_put_more (struct emitter *emitter, uint64_t damages, guint told, const char *parts);

/* "damaged", "doubtful", "good" */
const char *check_state (enum check_level level);

#endif
