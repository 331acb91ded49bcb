/* validate-log.h -- the beginning of the verdicts on a log, of either format. */
#ifndef PROFLOG_VALIDATE_LOG_H
#define PROFLOG_VALIDATE_LOG_H

#include "decoder/output/emitter.h"

#define VALIDATE_SCHEMA "proflog.validate/1"

/* Begins the output of a log; emitter_end is the caller's. */
void validate_begin_log (struct emitter *emitter, const char *log_name, bool is_valid);

#endif
