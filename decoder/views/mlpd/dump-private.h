/* dump-private.h -- declarations for the parts of the dump. */
#ifndef PROFLOG_DUMP_PRIVATE_H
#define PROFLOG_DUMP_PRIVATE_H

#include "decoder/views/mlpd/dump-fields.h"

/* Is a line to be written of the item?  Each is requested once, in order. */
bool dump_accepts (struct dump *dump, const struct mlpd_item *item);

/* The time of the item, in seconds from the first buffer. */
void dump_append_time (const struct dump *dump, GString *out);

#endif
