/* check-findings.h -- the parts of `proflog check` that logs of both formats share. */
#ifndef PROFLOG_CHECK_FINDINGS_H
#define PROFLOG_CHECK_FINDINGS_H

#include "decoder/core/check-level.h"
#include "decoder/output/table.h"

#define CHECK_SCHEMA "proflog.check/1"

/* The table of findings: damages (of struct check_damage), then the findings of `n_types` kinds, by
 * level. */
void check_put_findings (struct emitter *emitter, const struct view *view, const GArray *damages,
                         const struct check_finding *findings,
                         const struct check_finding_type *types, guint n_types);

/* That of this many damages only some were reported, with the parts of the log where they are. */
void check_put_more (struct emitter *emitter, uint64_t damages, guint reported, const char *parts);

/* "damaged", "doubtful", "good" */
const char *check_state (enum check_level level);

#endif
