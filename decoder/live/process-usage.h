/* process-usage.h -- the processor time and memory of a running process. */
#ifndef PROFLOG_PROCESS_USAGE_H
#define PROFLOG_PROCESS_USAGE_H

#include <stdbool.h>
#include <stdint.h>

struct process_usage {
  uint64_t cpu_ns;       /* of all its threads, those that ended included */
  uint64_t memory_bytes; /* resident */
};

/* From proc(5).  False if there is no such process, or it is a zombie. */
bool process_usage_read (long pid, struct process_usage *usage);

#endif
