/* eventlog-private.h -- a writer of eventlogs from the inside.
 *
 * Order of locks: `life` of the writer, its memory, a capability, the output.
 */
#ifndef PROFLOG_EVENTLOG_PRIVATE_H
#define PROFLOG_EVENTLOG_PRIVATE_H

#include "eventlog/event-memory.h"
#include "eventlog/eventlog-output.h"
#include "eventlog/eventlog-parts.h"
#include <proflog/eventlog-writer.h>
#include <pthread.h>
#include <stdatomic.h>

enum eventlog_state { EVENTLOG_SETUP, EVENTLOG_HEADER, EVENTLOG_RUNS, EVENTLOG_STOPPED };

/* A capability's buffer: a marker, which gets its figures when the block is closed, and events. */
struct eventlog_cap {
  struct eventlog_cap *next; /* does not change */
  pthread_mutex_t lock;
  unsigned cap;
  uint8_t *bytes;
  size_t size, used;    /* used: with the marker; 0: nothing is in it */
  uint64_t events;      /* in it, without the marker */
  uint64_t start, last; /* times: of the block's first event, of any event */
};

struct eventlog_timer;

struct eventlog_writer {
  pthread_mutex_t life;      /* of the state, from one call to the next */
  enum eventlog_state state; /* with `life` */
  bool was_started;
  _Atomic bool runs;
  size_t buffer_size;
  uint64_t (*clock) (void *data); /* NULL: the system's */
  void *clock_data;
  uint64_t born;
  _Atomic bool enabled[GHC_KINDS];
  _Atomic uint64_t events;
  pthread_mutex_t caps_lock; /* to make one */
  struct eventlog_cap *_Atomic caps[GHC_NO_CAP + 1];
  struct eventlog_cap *_Atomic first_cap;
  pthread_mutex_t memory_lock;
  struct event_memory *memory;
  _Atomic uint64_t remembered, forgotten;
  struct eventlog_output output;
  struct eventlog_timer *timer; /* NULL: none was requested; with `timer_lock` */
  pthread_mutex_t timer_lock;
};

/* ---- eventlog-caps.c ---- */

/* Writes the buffers of all capabilities as blocks.  The result is the first failure. */
enum eventlog_result eventlog_close_blocks (struct eventlog_writer *writer);

/* Frees all buffers. */
void eventlog_free_caps (struct eventlog_writer *writer);

/* An event on its way into the log. */
struct eventlog_event {
  struct eventlog_writer *writer;
  enum ghc_kind kind;
  unsigned cap;
  uint16_t size;               /* as the header declares it */
  uint8_t *payload;            /* where it is to be written */
  struct eventlog_cap *locked; /* it is written into the buffer at once; else it is in memory of its
                                * own, to be remembered first */
};

/* Makes room for a payload of `bound` bytes.  If `payload` is set then it has to be written and
 * eventlog_end_event called, whatever the result is. */
enum eventlog_result eventlog_begin_event (struct eventlog_event *event, size_t bound,
                                           bool is_remembered);
enum eventlog_result eventlog_end_event (struct eventlog_event *event, const uint8_t *end,
                                         enum eventlog_result so_far);

/* The time of the log, in ns. */
uint64_t eventlog_now (struct eventlog_writer *writer);

/* Posts an event that is encoded. */
enum eventlog_result eventlog_put_payload (struct eventlog_writer *writer, unsigned cap,
                                           enum ghc_kind kind, const uint8_t *payload,
                                           size_t length);

/* ---- eventlog-classes.c ---- */

/* Sets `chosen` of each kind: all of a class, or those that the text names.  False if it names one
 * that the class does not have. */
bool eventlog_choose (enum eventlog_class which, const char *argument, bool *chosen);

#endif
