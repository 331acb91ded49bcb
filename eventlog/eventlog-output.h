/* eventlog-output.h -- the destination of an eventlog: a file, a descriptor or a function; and the
 * policy for times when it accepts nothing.
 *
 * Functions may be called from any threads; pieces are written whole and in order.
 */
#ifndef PROFLOG_EVENTLOG_OUTPUT_H
#define PROFLOG_EVENTLOG_OUTPUT_H

#include <proflog/eventlog-writer.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

/* A thread is in a callback of the user's: it holds locks. */
extern _Thread_local bool eventlog_is_in_callback;

struct eventlog_piece;

struct eventlog_output {
  pthread_mutex_t lock;
  /* One of these is set. */
  char *path;
  eventlog_take take;
  void *data;
  int fd; /* also of the path, when it is open; -1: none */
  bool owns_fd;
  bool is_socket, may_be_full;
  pid_t process; /* the one that may write */
  _Atomic int policy;
  _Atomic uint64_t limit;
  uint8_t *rest; /* of a piece of which a descriptor accepted a part */
  size_t rest_at, rest_length;
  bool owes_end;                       /* an end mark comes before anything else */
  struct eventlog_piece *first, *last; /* the spool */
  _Atomic int error;
  _Atomic uint64_t blocks, bytes, dropped_blocks, dropped_events, dropped_bytes, spooled;
};

void eventlog_output_init (struct eventlog_output *output);
/* Offers waiting data once more, and closes the file if it was opened here. */
void eventlog_output_clear (struct eventlog_output *output);

/* Set another destination.  A previous error is cleared, and data that waited for the old
 * destination are dropped.  `path` is copied; false without memory. */
bool eventlog_output_set_file (struct eventlog_output *output, const char *path);
void eventlog_output_set_descriptor (struct eventlog_output *output, int fd);
void eventlog_output_set_callback (struct eventlog_output *output, eventlog_take take, void *data);

/* Opens the file, if it is not open.  OK or OUTPUT. */
enum eventlog_result eventlog_output_open (struct eventlog_output *output);

/* OK, BUSY or OUTPUT.  After BUSY a header may be put again; a block was dropped; an end mark is
 * put before the next piece. */
enum eventlog_result eventlog_output_header (struct eventlog_output *output, const uint8_t *bytes,
                                             size_t length);
enum eventlog_result eventlog_output_block (struct eventlog_output *output, const uint8_t *bytes,
                                            size_t length, uint64_t events);
enum eventlog_result eventlog_output_end (struct eventlog_output *output);

/* Offers waiting data. */
enum eventlog_result eventlog_output_flush (struct eventlog_output *output);

#endif
