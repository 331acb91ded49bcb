/* check.h -- what a check of a log found. */
#ifndef PROFLOG_CHECK_H
#define PROFLOG_CHECK_H

#include "decoder/analyses/log-check.h"
#include "decoder/views/table.h"

#define CHECK_SCHEMA "proflog.check/1"

/* Writes it; the buffers that the check kept with it. */
void check_write (struct emitter *emitter, const char *log_name, const struct log_check *check,
                  const struct view *view);

#endif
