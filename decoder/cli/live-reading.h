/* live-reading.h -- a log that is being written, as a command reads it: from its source to the
 * feed, from one log of a program to the next, to the end.
 */
#ifndef PROFLOG_LIVE_READING_H
#define PROFLOG_LIVE_READING_H

#include "decoder/cli/live-process.h"
#include "decoder/cli/log-command.h"
#include "decoder/live/live-feed.h"
#include "decoder/live/live-source.h"

/* The options of the commands that read such logs. */
struct live_options {
  gboolean reconnect;
  char *from;    /* "start", "now" or NULL */
  char *flush;   /* TIME or NULL */
  char *give_up; /* TIME or NULL */
};

/* Their entries, for `own` of a command's sort: so many. */
#define LIVE_OPTION_ENTRIES(options)                                                               \
  { "reconnect",                                                                                   \
    0,                                                                                             \
    0,                                                                                             \
    G_OPTION_ARG_NONE,                                                                             \
    &(options).reconnect,                                                                          \
    "Behind the end of a log wait for the next one; wait for a socket that is not there yet",      \
    NULL },                                                                                        \
      { "from",                                                                                    \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_FILENAME,                                                                     \
        &(options).from,                                                                           \
        "Begin at the start of a file, or now (the default for a process)",                        \
        "start|now" },                                                                             \
      { "flush",                                                                                   \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_FILENAME,                                                                     \
        &(options).flush,                                                                          \
        "Ask a process to write out what it has that often (default 1s; 0: never)",                \
        "TIME" },                                                                                  \
  {                                                                                                \
    "give-up", 0, 0, G_OPTION_ARG_FILENAME, &(options).give_up,                                    \
        "End when nothing has come for so long", "TIME"                                            \
  }

/* How often figures are made, without --interval. */
#define LIVE_INTERVAL_NS UINT64_C (1000000000)
#define LIVE_INTERVAL_MIN_NS UINT64_C (100000000)
#define LIVE_INTERVAL_MAX_NS UINT64_C (3600000000000)

/* How long is waited at most in one go, ms. */
#define LIVE_WAIT_MS 100

struct live_reading {
  struct log_command *command;
  struct live_source *source;
  struct live_feed *feed;
  bool reconnect;
  long pid;                      /* 0: the source is no process */
  char *log;                     /* of the process: what is read of it now */
  uint64_t file;                 /* the number of that; 0: it is not known, or no file */
  struct live_process_log files; /* of the process, as far as it told */
  bool is_stopped;               /* the process, when it was looked at last */
  uint64_t given;                /* bytes of the log, inflated, that the feed got */
  uint64_t from; /* what the file has before this offset passed before this reader came */
  uint64_t give_up_ns;
  uint64_t last_came;
  uint64_t looked_at; /* when it was looked whether the writer still lives */
  uint64_t logs;      /* that began */
  unsigned breaks;    /* of the connection, behind which it is tried to connect again */
  bool failed;
};

/* Opens the command's source.  False when that cannot be, which was told; *status is set. */
bool live_reading_open (struct live_reading *reading, struct log_command *command,
                        const struct live_options *options, const struct live_handler *handler,
                        int *status);
void live_reading_close (struct live_reading *reading);

/* Waits for something at most `ms` milliseconds, and hands it on.  LIVE_END and LIVE_FAILED (told)
 * are the last. */
enum live_news live_reading_step (struct live_reading *reading, int ms);

/* Whether what comes now passed before this reader came. */
bool live_reading_is_past (const struct live_reading *reading);

/* Signals to end set this. */
bool live_reading_stopped (void);

/* Now, in ns, on a clock that does not jump. */
uint64_t live_reading_now (void);

/* How long to wait until `due`, ms, so that signals and keys are looked at meanwhile. */
int live_reading_patience (uint64_t due, uint64_t now);

/* Takes a TIME (seconds, or with a unit); false with an error. */
bool live_reading_parse_time (const char *option, const char *text, uint64_t *ns, GError **error);

/* The same of --interval, NULL if it was not given; *ns stays as it is then. */
bool live_reading_parse_interval (const char *text, uint64_t *ns, GError **error);

#endif
