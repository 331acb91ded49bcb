/* push-watch.h -- sends the logs of a folder as they are finished. */
#ifndef PROFLOG_PUSH_WATCH_H
#define PROFLOG_PUSH_WATCH_H

#include "decoder/push/push-session.h"

/* Until a signal ends it (SIGINT, SIGTERM).  Returns the exit status. */
int push_watch (struct push_session *session);

#endif
