/* log-joint.h -- the common part of a report over several logs. */
#ifndef PROFLOG_LOG_JOINT_H
#define PROFLOG_LOG_JOINT_H

#include "decoder/cli/log-command.h"
#include "decoder/output/view.h"

/* Writes it, if the command has several logs that are files with a time of day.  They are read once
 * more: damage and errors are reported with each log's own report. */
void log_joint_write (struct log_command *command, struct emitter *emitter,
                      const struct view *view);

#endif
