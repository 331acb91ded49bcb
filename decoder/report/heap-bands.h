/* heap-bands.h -- proflog heap of an eventlog: its heap profiles. */
#ifndef PROFLOG_HEAP_BANDS_H
#define PROFLOG_HEAP_BANDS_H

#include "decoder/report/heap-query.h"

/* Reads the eventlog of a request and prints the result; returns the exit status. */
int heap_bands_run (struct log_command *command, const struct heap_request *request,
                    const struct view *view);

#endif
