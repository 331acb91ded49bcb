/* buffer-choice.h -- which buffers of a log, and which of their events, are asked for.
 *
 * What is asked for is a selection of threads and times.  Names count wherever they are: what was
 * announced by another thread or at another time is called by its name all the same.
 *
 * Where a log can be read anywhere (it has an index), buffers that cannot hold what is asked for
 * are passed, unread, but for those of a thread that announces what all others met.  Headers do not
 * tell everything: samples stand in the buffers of a thread of the profiler's and tell whose they
 * are; counters, and the roots of heap shots, mean nothing without what was told earlier; threads
 * have names.  Where there may be any of these, the buffers of the index have to be marked with
 * what they hold, and those that hold nothing of the kind are passed.
 *
 * Once begun, a choice only reads and may be used by several threads at once.
 */
#ifndef PROFLOG_BUFFER_CHOICE_H
#define PROFLOG_BUFFER_CHOICE_H

#include "decoder/analyses/buffer-index.h"
#include "decoder/analyses/selection.h"

enum buffer_use {
  BUFFER_TAKE, /* all of it */
  BUFFER_LOOK, /* events that are asked for, and names */
  BUFFER_PASS, /* nothing */
};

struct buffer_choice {
  const struct selection *selection; /* borrowed */
  const struct buffer_index *index;  /* borrowed; NULL: none */
  GHashTable *threads; /* uint64_t id -> GArray of struct thread_life; NULL: names do not matter */
  bool begun;          /* the times are known */
  uint64_t last_time;  /* of the log; for times in percent */
  uint64_t from, to;   /* from <= time < to */
  bool names_only;     /* nothing is asked for but names */
  bool needs_marks;    /* the index does (buffer-marks.h), before buffers are chosen */
};

/* A choice; without an index no buffer is passed. */
void buffer_choice_init (struct buffer_choice *choice, const struct selection *selection,
                         const struct buffer_index *index);
void buffer_choice_clear (struct buffer_choice *choice);

/* A thread had this id in buffers from an offset on; its name may be NULL.  For selections that
 * need names of threads: those of an id in order. */
void buffer_choice_add_thread (struct buffer_choice *choice, uint64_t id, uint64_t offset,
                               const char *name);

/* The time base of the log's first buffer: times count from there.  Before any of the rest. */
void buffer_choice_begin (struct buffer_choice *choice, uint64_t first_time);

enum buffer_use buffer_choice_use (const struct buffer_choice *choice, uint64_t thread,
                                   uint64_t time_base, uint64_t offset);

/* Is the thread that has this id in a buffer at the offset asked for?  Is the time? */
bool buffer_choice_has_thread (const struct buffer_choice *choice, uint64_t id, uint64_t offset);
bool buffer_choice_has_time (const struct buffer_choice *choice, uint64_t time);

/* Is this event, in a buffer of this thread? */
bool buffer_choice_has_event (const struct buffer_choice *choice, uint64_t thread, uint64_t time,
                              uint64_t offset, unsigned version, enum mlpd_kind kind,
                              const union mlpd_payload *payload);

/* Does an event of this kind tell names? */
bool buffer_choice_is_name (enum mlpd_kind kind);

#endif
