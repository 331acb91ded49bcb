/* buffer-filter.h -- which buffers of a log, and which of their events, are requested.
 *
 * The request is a selection of threads and times.  Names count wherever they are: announcements by
 * another thread or at another time count, too.
 *
 * Where a log can be read anywhere (it has an index), buffers that cannot hold requested events are
 * passed, unread, but for those of a thread that announces names for all others.  Headers do not
 * state everything: samples stand in the buffers of a thread of the profiler's and state whose they
 * are; counters, and the roots of heap snapshots, mean nothing without earlier events; threads have
 * names.  Where there may be any of these, the buffers of the index have to be marked with their
 * contents, and those that hold nothing of the kind are passed.
 *
 * Once begun, a filter only reads and may be used by several threads at once.
 */
#ifndef PROFLOG_BUFFER_FILTER_H
#define PROFLOG_BUFFER_FILTER_H

#include "decoder/filter/filter.h"
#include "decoder/mlpd/index/buffers.h"
#include "decoder/mlpd/index/span-places.h"

enum buffer_use {
  BUFFER_INCLUDE, /* all of it */
  BUFFER_INSPECT, /* events that are requested, and names */
  BUFFER_SKIP,    /* nothing */
};

struct buffer_filter {
  const struct selection *selection; /* borrowed */
  const struct buffer_index *index;  /* borrowed; NULL: none */
  GHashTable
      *threads; /* uint64_t id -> GArray of struct thread_lifetime; NULL: names do not matter */
  struct span_places *places; /* of the spans that are requested; owned; NULL: everywhere */
  bool begun;                 /* the times are known */
  uint64_t last_time;         /* of the log; for times in percent */
  uint64_t from, to;          /* from <= time < to */
  bool names_only;            /* nothing is requested but names */
  bool needs_flags;           /* the index does (buffer-flags.c), before buffers are chosen */
};

/* A filter; without an index no buffer is passed. */
void buffer_filter_init (struct buffer_filter *filter, const struct selection *selection,
                         const struct buffer_index *index);
void buffer_filter_clear (struct buffer_filter *filter);

/* A thread had this id in buffers from an offset on; its name may be NULL.  For selections that
 * need names of threads: those of an id in order. */
void buffer_filter_add_thread (struct buffer_filter *filter, uint64_t id, uint64_t offset,
                               const char *name);

/* The time base of the log's first buffer: times count from there.  Before any of the rest. */
void buffer_filter_begin (struct buffer_filter *filter, uint64_t first_time);

enum buffer_use buffer_filter_use (const struct buffer_filter *filter, uint64_t thread,
                                   uint64_t time_base, uint64_t offset);

/* Is the thread that has this id in a buffer at the offset requested?  Is the time? */
bool buffer_filter_has_thread (const struct buffer_filter *filter, uint64_t id, uint64_t offset);
bool buffer_filter_has_time (const struct buffer_filter *filter, uint64_t time);

/* Is this event, in a buffer of this thread? */
bool buffer_filter_has_event (const struct buffer_filter *filter, uint64_t thread, uint64_t time,
                              uint64_t offset, unsigned version, enum mlpd_kind kind,
                              const union mlpd_payload *payload);

/* Does an event of this kind state names? */
bool buffer_filter_is_name (enum mlpd_kind kind);

#endif
