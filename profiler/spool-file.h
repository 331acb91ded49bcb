/* spool-file.h -- the memory of buffers, in a file where that can be (proflog/spool.h), so that
 * what was published outlives the process.
 *
 * Taking and giving memory may happen on any thread and while the world is stopped: no lock, no
 * malloc.
 */
#ifndef PROFLOG_SPOOL_FILE_H
#define PROFLOG_SPOOL_FILE_H

#include "profiler/sink.h"
#include <proflog/spool.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes the spool of a log: beside it, or in `directory` unless that is "".  Buffers have their
 * data at `data_offset`.  "none" for a directory, or a log that nobody can lose: no spool.  Where
 * it cannot be made one line says so, and memory is of the process alone.  Before there are
 * threads. */
void spool_start (const struct sink *sink, const char *directory, size_t slot_size,
                  size_t data_offset);

/* The bytes of a slot: a power of 2, large enough that handing a buffer over costs little per
 * event, small enough for thousands of threads. */
size_t spool_slot_size (void);

/* What the log begins with, before it is written, and the id of the thread that will write it. */
void spool_set_log_header (const void *bytes, size_t length);
void spool_set_writer (uint64_t thread);

/* Memory of at least `size` bytes, of which *mapped tells how many.  Its slot is of the state FREE;
 * nothing else is known of it.  NULL: none. */
struct proflog_spool_slot *spool_take (size_t size, size_t *mapped);

/* From then on the slot, with all that was set, counts. */
void spool_use (struct proflog_spool_slot *slot, enum proflog_spool_state state);

/* What is in the slot does not count any more; its memory stays the caller's. */
void spool_free (struct proflog_spool_slot *slot);

/* Takes memory back. */
void spool_give (struct proflog_spool_slot *slot, size_t mapped);

/* So many bytes the spool's file has; 0: there is none. */
uint64_t spool_file_size (void);

/* The next number of the order in which buffers and names are handed over. */
uint64_t spool_sequence (void);

static inline void
spool_publish (struct proflog_spool_slot *slot, uint64_t length)
{
  __atomic_store_n (&slot->published, length, __ATOMIC_RELEASE);
}

static inline uint64_t
spool_published (const struct proflog_spool_slot *slot)
{
  return __atomic_load_n (&slot->published, __ATOMIC_ACQUIRE);
}

/* ---- for the writer ---- */

/* The slot's events from the byte `from` up to `to`, with a buffer header before them, are going to
 * be written at this offset of the log, which has what is before them. */
void spool_begin_writing (struct proflog_spool_slot *slot, uint64_t log_offset, uint64_t from,
                          uint64_t to);

/* The log has the slot's events up to the byte `to`. */
void spool_end_writing (struct proflog_spool_slot *slot, uint64_t to);

/* The names up to `last` are going to be written to the log from `start` to `end`; they were. */
void spool_begin_names (uint64_t last, uint64_t start, uint64_t end);
void spool_end_names (uint64_t last);

/* The log has taken so many bytes; the last buffer has this time base. */
void spool_set_log_length (uint64_t length, uint64_t time);

/* From now on the spool belongs to another log that begins in the same way, in this file (NULL:
 * where the spool lies does not depend on it), of which so many bytes are there. */
void spool_change_log (const char *file, uint64_t length);

/* The log will be whole when it has come to this length. */
void spool_set_log_end (uint64_t length);

/* Says once what went wrong since the start. */
void spool_tell_trouble (void);

/* The name of the spool that is left if this process ends now; NULL: none. */
const char *spool_left (void);

/* Removes the file.  Memory stays. */
void spool_remove (void);

/* In the child of a fork, which uses no memory of its parent's any more: as before spool_start. */
void spool_start_over (void);

#endif
