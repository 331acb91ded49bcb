/* spool-file.h -- the memory of buffers, in a file where that can be (proflog/spool.h), so that
 * published events outlive the process.
 *
 * Memory may be taken and returned on any thread and while the world is stopped: no lock, no
 * malloc.
 */
#ifndef PROFILER_SPOOL_FILE_H
#define PROFILER_SPOOL_FILE_H

#include <proflog/spool.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Creates the spool of a log: beside its file `log` (NULL: it is not a file), or in `directory`
 * unless that is "".  Buffers have their data at `data_offset`.  There is no spool if the directory
 * is "none", or if the log is neither a file nor has a reader (and no directory is given).  If it
 * cannot be created, one line reports that, and memory is of the process alone.  Before there are
 * threads. */
void spool_start (const char *log, bool has_reader, const char *directory, size_t slot_size,
                  size_t data_offset);

/* The bytes of a slot: a power of 2, large enough that handing a buffer over costs little per
 * event, small enough for thousands of threads. */
size_t spool_slot_size (void);

/* The header of the log, before it is written, and the id of the thread that will write it. */
void spool_set_log_header (const void *bytes, size_t length);
void spool_set_writer (uint64_t thread);

/* Memory of at least `size` bytes; *mapped is its size.  Its slot has the state FREE, and all else
 * in it is undefined.  NULL: there is none. */
struct proflog_spool_slot *spool_allocate (size_t size, size_t *mapped);

/* From then on the slot is in use, with all that was set. */
void spool_use (struct proflog_spool_slot *slot, enum proflog_spool_state state);

/* The slot is no longer in use; its memory stays the caller's. */
void spool_free (struct proflog_spool_slot *slot);

/* Returns memory. */
void spool_release (struct proflog_spool_slot *slot, size_t mapped);

/* The bytes of the spool's file; 0: there is none. */
uint64_t spool_file_size (void);

/* The next number of the order in which buffers and names are handed over. */
uint64_t spool_sequence (void);

/* The events up to `length` are whole.  The release pairs with spool_published in this process, and
 * keeps the bytes before the length for readers of the file after a sudden end. */
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

/* This many events more were dropped; likewise, were stated in the log. */
void spool_add_lost (uint64_t events);
void spool_subtract_lost (uint64_t events);

/* ---- for the writer ---- */

/* The slot's events from the byte `from` up to `to`, with a buffer header before them, are going to
 * be written at this offset of the log, which has the events before them. */
void spool_begin_writing (struct proflog_spool_slot *slot, uint64_t log_offset, uint64_t from,
                          uint64_t to);

/* The log has the slot's events up to the byte `to`. */
void spool_end_writing (struct proflog_spool_slot *slot, uint64_t to);

/* The names up to `last` are going to be written to the log from `start` to `end`; they were. */
void spool_begin_names (uint64_t last, uint64_t start, uint64_t end);
void spool_end_names (uint64_t last);

/* The log was truncated to where these names were to begin. */
void spool_cancel_names (void);

/* The log has taken this many bytes; the last buffer has this time base. */
void spool_set_log_length (uint64_t length, uint64_t time);

/* The program lives at this time of the log's clock, and its log, which has no later events of the
 * writer, ends no earlier; 0: that is not stated. */
void spool_set_seen_time (uint64_t time);

/* From now on the spool belongs to another log that begins in the same way, in this file (NULL: in
 * none), of which this many bytes are there.  A spool that lies beside its log goes there, or,
 * where that is no file, to the user's directory or under the process's name. */
void spool_change_log (const char *file, uint64_t length);

/* The log will be whole when it has come to this length. */
void spool_set_log_end (uint64_t length);

/* The disk is full (`error`), and the log's end needs room: the spool no longer grows, and
 * frees the blocks that no slot uses. */
void spool_yield_room (int error);

/* The log goes no further, because of this error number (0: it does). */
void spool_set_log_error (int error);

/* All that the spool does not have is counted (spool_add_lost). */
void spool_set_complete (void);

/* The name of the spool that is left if this process ends now; NULL: none. */
const char *spool_path (void);

/* Removes the file.  Memory stays. */
void spool_remove (void);

/* In the child of a fork, which no longer uses memory of its parent: as before spool_start. */
void spool_start_over (void);

#endif
