/* joint-report.h -- the common part of a report over several logs. */
#ifndef PROFLOG_JOINT_REPORT_H
#define PROFLOG_JOINT_REPORT_H

#include "decoder/core/joint.h"
#include "decoder/output/table.h"

#define JOINT_REPORT_SCHEMA "proflog.joint/1"

/* The processes with their sums, which pauses met pauses and waits of others, and the marks and
 * messages of all in order. */
void joint_report_write (struct emitter *emitter, const struct joint *joint,
                         const struct view *view);

#endif
