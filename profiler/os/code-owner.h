/* code-owner.h -- which file a function of native code is in.
 *
 * Only one thread may call these.
 */
#ifndef PROFILER_CODE_OWNER_H
#define PROFILER_CODE_OWNER_H

#include <stdbool.h>
#include <stdint.h>
#include "profiler/os/thread-wait.h"

/* Reads the list of files that are mapped now.  `in_runtime` is an address in the runtime. */
void code_owner_refresh (const void *in_runtime);

/* Whether the C library was called by the runtime, as the innermost other code on the stack of a
 * thread that waits in it.  False if that is not known. */
bool code_owner_is_runtime (const struct thread_wait *wait);

#endif
