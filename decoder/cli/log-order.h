/* log-order.h -- the events of an eventlog that is being read, in order of time. */
#ifndef PROFLOG_LOG_ORDER_H
#define PROFLOG_LOG_ORDER_H

#include "decoder/cli/log-reading.h"

/* Gives a handler the events of an eventlog that was read to its end, in order of time; its
 * `choice` is not called.  `text` is for output and is left empty.  Returns the exit status. */
int log_order_again (struct log_reading *reading, struct log_input *input,
                     const struct ghc_order_handler *handler, const struct ghc_choice *choice,
                     GString *text, void *data);

#endif
