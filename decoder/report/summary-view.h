/* summary-view.h -- the view that the options of a report request. */
#ifndef PROFLOG_SUMMARY_VIEW_H
#define PROFLOG_SUMMARY_VIEW_H

#include "decoder/report/summary-values.h"

/* Choices of --by. */
extern const struct cli_choice summary_bys[];

/* Are there sums over logs in the place of a report of each? */
bool summary_view_has_sums (const struct view *view);

/* Is there a part on all logs? */
bool summary_view_has_joint (const struct summary_command *own, const struct log_command *command);

/* Sets the view (clear it with view_clear in any case).  Fails with G_OPTION_ERROR if options do
 * not fit each other, or name what the report does not have. */
bool summary_view_make (const struct summary_command *own, const struct summary_values *values,
                        struct view *view, GError **error);

#endif
