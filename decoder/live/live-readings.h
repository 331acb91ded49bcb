/* live-readings.h -- all sources of a command that reads logs which are being written, read by one
 * thread: when one ends, the others go on. */
#ifndef PROFLOG_LIVE_READINGS_H
#define PROFLOG_LIVE_READINGS_H

#include "decoder/live/live-reading.h"

struct live_readings {
  struct log_command *command;
  struct live_reading *all; /* of each source of the command, in their order */
  guint count;
  guint open;          /* sources that are not over */
  uint64_t timeout_ns; /* 0: none */
  uint64_t opened_at;
  bool output_is_closed; /* the output that was watched has no reader any more */
};

/* For the sources of a command.  Close it in any case. */
void live_readings_init (struct live_readings *readings, struct log_command *command);

/* Opens them, each for its handler (borrowed).  One that cannot be opened is over at once, with a
 * message.  False and the exit status if there is nothing to read. */
bool live_readings_open (struct live_readings *readings, const struct live_options *options,
                         const struct live_handler *handlers, int *status);
void live_readings_close (struct live_readings *readings);

/* Adds a process after the sources (live_reading_init_process).  One that cannot be opened is over
 * at once, with a message; false then. */
bool live_readings_add (struct live_readings *readings, long pid,
                        const struct live_options *options, const struct live_handler *handler);

/* Waits for no more of a source, which is over then. */
void live_readings_end (struct live_readings *readings, guint i);

/* Removes a source; those after it move up. */
void live_readings_remove (struct live_readings *readings, guint i);

/* Hands on some of each source.  Where none had anything, waits for that, or for input at the
 * descriptor `input`, for `ms` milliseconds at most; a signal ends waiting.  `output` is watched
 * meanwhile.  Both may be -1. LIVE_BYTES if anything came; LIVE_END when all are over. */
enum live_news live_readings_step (struct live_readings *readings, int ms, int input, int output);

/* Whether nothing has come from any source for the time that is allowed; a step ends them then. */
bool live_readings_have_timed_out (const struct live_readings *readings);

/* The exit status of the command: whether all could be read. */
int live_readings_status (const struct live_readings *readings);

/* Signals to end set this. */
bool live_readings_stopped (void);

/* How long is waited at most in one go, ms. */
#define LIVE_WAIT_MS 100

/* How long to wait until `due`, ms, so that signals and keys are inspected meanwhile. */
int live_readings_patience (uint64_t due, uint64_t now);

#endif
