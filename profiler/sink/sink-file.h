/* sink-file.h -- which files an output may not overwrite. */
#ifndef PROFILER_SINK_FILE_H
#define PROFILER_SINK_FILE_H

#include <stdint.h>

/* Until sink_open has opened one, an existing file that was written after this time (ns since the
 * epoch) is not overwritten: an earlier program of the same `proflog run` may have written it. */
void sink_protect_newer (uint64_t ns);

#endif
