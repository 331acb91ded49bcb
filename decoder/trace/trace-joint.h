/* trace-joint.h -- a trace of several logs as a timeline of their processes (joint.h). */
#ifndef PROFLOG_TRACE_JOINT_H
#define PROFLOG_TRACE_JOINT_H

#include "decoder/core/joint.h"
#include "decoder/exports/export-trace.h"

/* The `data` of a trace of this format. */
struct trace_joint {
  struct joint *joint;
  GArray *tracks; /* of struct joint_track, by number of the track less 1 */
};

extern const struct trace_format trace_joint_format;

/* Into these processes, which are borrowed. */
void trace_joint_init (struct trace_joint *export, struct joint *joint);
void trace_joint_clear (struct trace_joint *export);

#endif
