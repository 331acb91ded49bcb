/* process-state.h -- whether a process runs. */
#ifndef PROFLOG_PROCESS_STATE_H
#define PROFLOG_PROCESS_STATE_H

/* The letter that /proc/PID/stat has for the state: 'T' stopped, 't' stopped by a debugger, others
 * as in proc(5).  0: there is no such process, or it cannot be inspected.  Thread safe. */
char process_state (long pid);

#endif
