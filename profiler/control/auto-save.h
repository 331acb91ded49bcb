/* auto-save.h -- saves the log by itself when something happens (the option save-on): soon, on a
 * thread of its own.
 *
 * The notes are taken from any thread, also while the world is stopped. */
#ifndef PROFILER_AUTO_SAVE_H
#define PROFILER_AUTO_SAVE_H

#include "agent/requests.h"
#include "profiler/options/options.h"

/* Once the log has begun, and these verbs can be run.  Both stay valid. */
void auto_save_start (const struct options *options, const struct control_verbs *verbs);

/* Saves the last request that was not saved yet, if it is due, and ends. */
void auto_save_finish (void);

/* Whether exceptions request it. */
bool auto_save_wants_types (void);

/* An exception of this class was thrown and recorded ("Namespace.Outer/Inner"), where they do. */
void auto_save_note_throw (const char *class_name);

/* The world is being stopped; it runs again.  On the thread that does that, one at a time. */
void auto_save_note_stop (void);
void auto_save_note_start (void);

/* The size of the heap. */
void auto_save_note_heap (uint64_t bytes);

/* How often the log was saved so, the name of the last one ("": none), and why the next one failed
 * ("": it did not).  From any thread. */
uint64_t auto_save_count (char *name, char *problem, size_t size);

/* In the child of a fork. */
void auto_save_after_fork (void);

#endif
