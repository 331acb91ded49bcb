/* info.h -- what a log holds, on one screen. */
#ifndef PROFLOG_INFO_H
#define PROFLOG_INFO_H

#include "decoder/analyses/summary.h"
#include "decoder/views/emitter.h"

/* Writes "proflog.info/1".  `limit`: threads at most, 0 for all. */
void info_write (struct emitter *emitter, const char *log_name, const struct summary *summary,
                 guint limit);

#endif
