/* process-memory.h -- sizes of the process's memory, as the kernel counts it. */
#ifndef PROFILER_PROCESS_MEMORY_H
#define PROFILER_PROCESS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* Sets the bytes that are resident, and those of them that are pages of files or shared.  False if
 * the kernel does not state them.  The kernel has these sums: it walks over no pages, and takes no
 * lock of the memory. */
bool process_memory_read (uint64_t *resident, uint64_t *files);

/* The resident bytes of a thread's stack, whose end (its highest address) this is: from there down
 * to the first 128 KiB that are not used. The thread may end meanwhile. */
uint64_t process_memory_of_stack (uint64_t end);

/* The end of the stack of the process's first thread. */
uint64_t process_memory_first_stack (void);

#endif
