/* name-journal.h -- announcements of names in the spool, until the writer has written them. */
#ifndef PROFILER_NAME_JOURNAL_H
#define PROFILER_NAME_JOURNAL_H

#include "profiler/names/name.h"

/* The event that announces a name; it is valid until the thread's next one. */
enum mlpd_kind name_event (const struct name_work *work, union mlpd_payload *event);

/* Gives an announcement its sequence number and notes it.  From one thread at a time (names.c has a
 * lock), in the order in which announcements are pushed into the writer's queue. */
void name_journal_add (struct name_work *work);

/* In the child of a fork: the noted names are the parent's. */
void name_journal_start_over (void);

#endif
