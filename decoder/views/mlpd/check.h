/* check.h -- the findings of a check of a log. */
#ifndef PROFLOG_CHECK_H
#define PROFLOG_CHECK_H

#include "decoder/mlpd/analyses/log-check.h"
#include "decoder/output/emitter.h"
#include "decoder/output/view.h"

/* Writes it; the buffers that the check kept with it. */
void check_write (struct emitter *emitter, const char *log_name, const struct log_check *check,
                  const struct view *view);

#endif
