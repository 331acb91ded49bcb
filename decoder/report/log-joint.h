/* log-joint.h -- the common part of a report over several logs. */
#ifndef PROFLOG_LOG_JOINT_H
#define PROFLOG_LOG_JOINT_H

#include "decoder/log/log-command.h"
#include "decoder/output/view.h"

/* What it has: enum joint_parts, and how its time is divided (0: by its length into so many
 * intervals at most). */
struct log_joint_options {
  unsigned parts;
  uint64_t interval_ns;
  guint intervals;
};

/* Writes it, if the command has several logs that are files with a time of day.  They are read once
 * or twice more: damage and errors are reported with each log's own report.  Returns whether all
 * logs are in it. */
bool log_joint_write (struct log_command *command, struct emitter *emitter,
                      const struct log_joint_options *options, const struct view *view);

#endif
