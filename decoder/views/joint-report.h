/* joint-report.h -- the common part of a report over several logs. */
#ifndef PROFLOG_JOINT_REPORT_H
#define PROFLOG_JOINT_REPORT_H

#include "decoder/core/joint.h"
#include "decoder/output/table.h"

#define JOINT_REPORT_SCHEMA "proflog.joint/1"

/* The parts of it.  Events are the processes with their sums, which pauses overlapped pauses and
 * waits of others, and the marks and messages of all in order. */
enum joint_parts {
  JOINT_EVENTS = 1,
  JOINT_SERIES = 2,   /* figures of each process in intervals of the common time */
  JOINT_TIMELINE = 4, /* lanes of all */
};

/* The shapes of its tables, up to NULL. */
extern const struct table_shape *const joint_report_shapes[];

/* `view`: with the timeline of all, if `parts` needs it. */
void joint_report_write (struct emitter *emitter, const struct joint *joint, unsigned parts,
                         const struct view *view);

#endif
