/* report-log.h -- the sections about the log itself, for report and info. */
#ifndef PROFLOG_REPORT_LOG_H
#define PROFLOG_REPORT_LOG_H

#include "decoder/analyses/log.h"
#include "decoder/analyses/threads.h"
#include "decoder/views/emitter.h"

/* The object "log". */
void report_log (struct emitter *emitter, const char *name, const struct log *log);

/* The object "damage"; in text nothing if there is none. */
void report_damage (struct emitter *emitter, const struct log *log);

/* The table "threads", those of most events first; at most `limit` of them, 0 for all. */
void report_threads (struct emitter *emitter, const struct threads *threads, const struct log *log,
                     guint limit);

#endif
