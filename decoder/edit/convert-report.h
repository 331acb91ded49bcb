/* convert-report.h -- reports what a conversion left out. */
#ifndef PROFLOG_CONVERT_REPORT_H
#define PROFLOG_CONVERT_REPORT_H

#include "decoder/log/log-command.h"
#include "decoder/convert/convert-losses.h"

/* A line for each kind, on standard error, unless the command is quiet.  `path` is the log that
 * was converted, `target` what cannot represent them: "data version 1". */
void convert_report_losses (const struct log_command *command, const char *path, const char *target,
                            const struct convert_losses *losses);

#endif
