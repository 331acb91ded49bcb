/* push-live.h -- profiles of programs that run, one each interval. */
#ifndef PROFLOG_PUSH_LIVE_H
#define PROFLOG_PUSH_LIVE_H

#include "decoder/push/push-session.h"

/* Until all programs have ended, or a signal ends it.  Returns the exit status. */
int push_live (struct push_session *session);

#endif
