/* log-losses.h -- events that are not in the log: counted, and recorded where the format can.
 *
 * On the writer's thread.
 */
#ifndef PROFILER_LOG_LOSSES_H
#define PROFILER_LOG_LOSSES_H

#include "profiler/record/buffer.h"

/* Records in the current file the losses that are not recorded yet, and, unless the spool has all
 * that is missing, the errno number with which writing ended (0: none).  The writer's events are
 * not before `time` from then on. */
void log_put_losses (int reason, uint64_t time);

/* The events of a buffer up to `length` bytes that are not in the log could be written nowhere. */
void log_count_loss (const struct buffer *buffer, size_t length);

/* The process ends, and the log has failed: the same, unless the spool stays and has them. */
void log_abandon_buffer (const struct buffer *buffer, size_t length);

/* Threads run on, and the spool stays for what they record. */
void log_leave_rest (void);

/* Whether the spool stays because of either. */
bool log_rest_is_left (void);

/* In the child of a fork. */
void log_losses_start_over (void);

#endif
