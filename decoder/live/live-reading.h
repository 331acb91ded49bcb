/* live-reading.h -- a log that is being written, as a command reads it: from its source to the
 * feed, from one log of a program to the next, to the end.
 */
#ifndef PROFLOG_LIVE_READING_H
#define PROFLOG_LIVE_READING_H

#include "decoder/live/live-damage.h"
#include "decoder/live/live-process.h"
#include "decoder/log/log-command.h"
#include "decoder/live/live-feed.h"
#include "decoder/live/live-source.h"

/* The options of the commands that read such logs. */
struct live_options {
  bool reconnect;
  unsigned start; /* enum live_start */
  struct cli_number flush, timeout;
};

enum live_start { LIVE_START_DEFAULT, LIVE_START_BEGINNING, LIVE_START_NOW };

#define LIVE_DEFAULTS                                                                              \
  {                                                                                                \
    .flush = {.value = UINT64_C (1000000000) }                                                     \
  }

/* Their table, in struct live_options. */
extern const struct cli_option live_options[];

/* How often figures are made, without --interval. */
#define LIVE_INTERVAL_NS UINT64_C (1000000000)
#define LIVE_INTERVAL_MIN_NS UINT64_C (100000000)
#define LIVE_INTERVAL_MAX_NS UINT64_C (3600000000000)

/* A row of --interval, for the field of a struct. */
#define LIVE_INTERVAL_OPTION(type, field)                                                          \
  {                                                                                                \
    .name = "interval", .letter = 'i', .kind = CLI_TIME, .argument = "TIME",                       \
    .offset = offsetof (type, field), .min = LIVE_INTERVAL_MIN_NS, .max = LIVE_INTERVAL_MAX_NS,    \
    .needed = "from 100ms to 1h", .help = "Interval of the figures and their rates (default 1s)"   \
  }

struct live_reading {
  struct log_command *command;
  const char *name; /* of the source, as it was given */
  struct live_source *source;
  struct live_feed *feed;
  struct live_damage damage;
  bool reconnect;
  bool needs_file;               /* a socket is left to others */
  long pid;                      /* 0: the source is no process */
  char *program;                 /* its name as it was opened; NULL: not opened, or no process */
  char *log;                     /* of the process: its log that is read now */
  uint64_t file;                 /* the number of that; 0: it is not known, or no file */
  struct live_process_log files; /* of the process, as far as it reported them */
  struct live_flusher *flusher;  /* of the process; NULL: it is not requested to flush */
  bool is_stopped;               /* the process, when it was inspected last */
  uint64_t given;                /* bytes of the log, inflated, that the feed got */
  uint64_t from; /* bytes of the file before this offset are of before this reader came */
  uint64_t last_came;
  uint64_t quiet_since; /* nothing came but a header at most; 0: not known */
  bool is_slow;         /* that lasted, which was said */
  uint64_t checked_at;  /* when the writer was last checked to run */
  uint64_t logs;        /* that began */
  unsigned breaks;      /* of the connection, after which it is tried to connect again */
  bool has_caught_up;   /* events from before it was opened have been handed on */
  bool failed;          /* it could not be opened, or read on */
  bool is_over;         /* nothing more comes of it */
  bool is_left;         /* it goes on, and is not read on */
  bool is_timed_out;    /* it is over for the reader, and may go on */
};

/* Whether the present events are of before this reader came. */
bool live_reading_is_past (const struct live_reading *reading);

/* Now, in ns, on a clock that does not jump. */
uint64_t live_reading_now (void);

/* ---- the logs of a command ---- */

struct live_readings {
  struct log_command *command;
  struct live_reading *all; /* of each source of the command, in their order */
  guint count;
  guint open;          /* sources that are not over */
  uint64_t timeout_ns; /* 0: none */
  uint64_t opened_at;
  bool names_damage;     /* in warnings: set it before they are opened */
  bool output_is_closed; /* the output that was watched no longer has a reader */
};

/* For the sources of a command.  Close it in any case. */
void live_readings_init (struct live_readings *readings, struct log_command *command);

/* Opens them, each for its handler (borrowed).  One that cannot be opened is over at once, with a
 * message.  False and the exit status if there is nothing to read. */
bool live_readings_open (struct live_readings *readings, const struct live_options *options,
                         const struct live_handler *handlers, int *status);
void live_readings_close (struct live_readings *readings);

/* Adds a process after the sources.  One that cannot be opened is over
 * at once, with a message; false then. */
bool live_readings_add (struct live_readings *readings, long pid,
                        const struct live_options *options, const struct live_handler *handler);

/* Reads the present bytes of a source as other commands do, though there may be more to come: those
 * that wait for more are read, or are damage.  Nothing of it is read after. */
void live_readings_read_rest (struct live_readings *readings, guint i);

/* Warns of damage that was found since. */
void live_readings_warn (struct live_readings *readings);

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
