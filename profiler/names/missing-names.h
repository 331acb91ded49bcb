/* missing-names.h -- counts the names that the log lacks since there was no memory for them.
 *
 * A name is tried again whenever an event needs it, so each is counted once, and not any more when
 * it was announced.
 */
#ifndef PROFILER_MISSING_NAMES_H
#define PROFILER_MISSING_NAMES_H

#include "profiler/names/name.h"

/* There is no memory for this name; it was announced.  Under the lock of names. */
void missing_names_add (enum name_type type, uint64_t address);
void missing_names_remove (enum name_type type, uint64_t address);

/* In the end: counts those that are still missing as lost events.  From the writer. */
void missing_names_count_as_lost (void);

/* In the child of a fork, whose log begins with all names. */
void missing_names_start_over (void);

#endif
