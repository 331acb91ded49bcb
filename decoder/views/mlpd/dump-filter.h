/* dump-filter.h -- buffers that a dump does not need. */
#ifndef PROFLOG_DUMP_FILTER_H
#define PROFLOG_DUMP_FILTER_H

#include "decoder/views/mlpd/dump.h"

/* Has a marked buffer without damage (buffer-flags.c) neither a line nor a name? */
bool dump_passes_buffer (const struct dump *dump, const struct indexed_buffer *buffer);

#endif
