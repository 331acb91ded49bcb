/* mprof-objects.h -- the objects of --find and --track. */
#ifndef PROFLOG_MPROF_OBJECTS_H
#define PROFLOG_MPROF_OBJECTS_H

#include "decoder/views/mprof/mprof-section.h"

/* Appends what happened to the objects that are requested, if any are.  Returns whether any were:
 * then there is nothing else. */
bool mprof_put_objects (const struct mprof_report *report);

#endif
