/* heap-shots.h -- heap shots on demand. */
#ifndef PROFLOG_HEAP_SHOTS_H
#define PROFLOG_HEAP_SHOTS_H

#include <proflog/module-options.h>
#include <stdint.h>

/* When they are taken without being asked for.  From any thread. */
void heap_shots_set (const struct proflog_heapshot_mode *mode);

/* Has a major collection begin soon, and a heap shot taken at it, or at one that begins before.
 * From any thread. */
void heap_shot_ask (void);

/* Collects and takes one, on this thread, which the runtime knows. */
void heap_shot_take (void);

/* How many there were. */
uint64_t heap_shots_taken (void);

#endif
