/* export-joint.h -- a trace of several logs as what their processes did (joint.h). */
#ifndef PROFLOG_EXPORT_JOINT_H
#define PROFLOG_EXPORT_JOINT_H

#include "decoder/core/joint.h"
#include "decoder/exports/export-trace.h"

/* What the `data` of a trace of this format is. */
struct export_joint {
  struct joint *joint;
  GArray *tracks; /* of struct joint_track, by number of the track less 1 */
};

extern const struct trace_format export_joint_format;

/* Into these processes, which are borrowed. */
void export_joint_init (struct export_joint *export, struct joint *joint);
void export_joint_clear (struct export_joint *export);

#endif
