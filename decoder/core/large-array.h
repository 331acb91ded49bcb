/* large-array.h -- arrays of many items that are accessed in no order. */
#ifndef PROFLOG_LARGE_ARRAY_H
#define PROFLOG_LARGE_ARRAY_H

#include <stddef.h>

/* Memory for `n` items of `size` bytes, in large pages where there are many: accesses need half the
 * time then.  Not cleared; free it with free.  Without memory the process ends, as with GLib. */
void *large_array (size_t n, size_t size);

/* The same, with all bytes 0. */
void *large_array_zeroed (size_t n, size_t size);

#endif
