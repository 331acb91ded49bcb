/* ghc-check.h -- the findings of a check of an eventlog. */
#ifndef PROFLOG_GHC_CHECK_H
#define PROFLOG_GHC_CHECK_H

#include "decoder/ghc/analyses/ghc-log-check.h"
#include "decoder/output/emitter.h"
#include "decoder/output/view.h"

/* Writes it; the blocks that the check kept with it. */
void ghc_check_write (struct emitter *emitter, const char *log_name,
                      const struct ghc_log_check *check, const struct view *view);

#endif
