/* live-reading.h -- a log that is being written, as a command reads it: from its source to the
 * feed, from one log of a program to the next, to the end.
 */
#ifndef PROFLOG_LIVE_READING_H
#define PROFLOG_LIVE_READING_H

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
  bool reconnect;
  bool needs_file;               /* a socket is left to others */
  long pid;                      /* 0: the source is no process */
  char *program;                 /* its name as it was opened; NULL: not opened, or no process */
  char *log;                     /* of the process: what is read of it now */
  uint64_t file;                 /* the number of that; 0: it is not known, or no file */
  struct live_process_log files; /* of the process, as far as it reported them */
  struct live_flusher *flusher;  /* of the process; NULL: it is not requested to flush */
  bool is_stopped;               /* the process, when it was inspected last */
  uint64_t given;                /* bytes of the log, inflated, that the feed got */
  uint64_t from; /* what the file has before this offset passed before this reader came */
  uint64_t last_came;
  uint64_t checked_at; /* when the writer was last checked to run */
  uint64_t logs;       /* that began */
  unsigned breaks;     /* of the connection, after which it is tried to connect again */
  bool has_caught_up;  /* what was recorded when it was opened has been handed on */
  bool failed;         /* it could not be opened, or read on */
  bool is_over;        /* nothing more comes of it */
};

/* Finds what a source of the command is; the name is borrowed.  False with an error if several
 * programs have it. */
bool live_reading_init (struct live_reading *reading, struct log_command *command, const char *name,
                        const struct live_options *options, GError **error);

/* The same for a process that was not named.  The reading goes on from each of its logs to the
 * next, until it is ended (live_reading_end).  It does not connect to a socket, which has one
 * reader.
 */
void live_reading_init_process (struct live_reading *reading, struct log_command *command,
                                long pid);

/* Opens the source.  False with a message. */
bool live_reading_open (struct live_reading *reading, const struct live_options *options,
                        const struct live_handler *handler);
void live_reading_close (struct live_reading *reading);

/* Hands on what is there, without waiting.  LIVE_END and LIVE_FAILED (reported) are the last. */
enum live_news live_reading_step (struct live_reading *reading);

/* No more is waited for: what came is handed on. */
void live_reading_end (struct live_reading *reading);

/* Whether what comes now passed before this reader came. */
bool live_reading_is_past (const struct live_reading *reading);

/* Now, in ns, on a clock that does not jump. */
uint64_t live_reading_now (void);

#endif
