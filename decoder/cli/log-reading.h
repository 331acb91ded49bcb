/* log-reading.h -- a log that a command reads: opened, what is wrong with it told, closed. */
#ifndef PROFLOG_LOG_READING_H
#define PROFLOG_LOG_READING_H

#include "decoder/analyses/ghc-choice.h"
#include "decoder/cli/log-command.h"
#include "decoder/formats/log-input.h"

struct log_reading {
  struct log_command *command;
  const char *name; /* of the log, for messages */
  guint warnings;
  bool has_header;
};

/* Opens a log, or takes the one that was looked at.  NULL if that fails, which was told. */
struct log_input *log_reading_open (struct log_reading *reading, const char *path);

/* The same for an eventlog: makes ready what the command's selection takes of it, with
 * ghc_choice_clear, and what `prepare` does before the reading (NULL: nothing). */
struct log_input *
log_reading_open_eventlog (struct log_reading *reading, const char *path, struct ghc_choice *choice,
                           bool (*prepare) (struct log_input *input, GError **error));

/* After its end: tells what is wrong with its compression, and how much damage was not told.  The
 * former, the caller's, or NULL. */
char *log_reading_tell (struct log_reading *reading, struct log_input *input, int status,
                        bool *truncated);

/* The same, and closes it. */
char *log_reading_close (struct log_reading *reading, struct log_input *input, int status,
                         bool *truncated);

/* Tells of an error that the log cannot be read for; false. */
bool log_reading_error (struct log_reading *reading, const GError *error);

/* The same, and closes the log; returns the exit status.  Takes the error. */
int log_reading_refuse (struct log_reading *reading, struct log_input *input, GError *error);

/* Takes notice of damage and warns of it.  Of a log that ends in its header nothing can be told:
 * that is an error, and *status becomes CLI_INPUT. */
void log_reading_damage (struct log_reading *reading, const char *damage, uint64_t skipped,
                         int *status);

/* Takes notice of an item of a Mono log, damage or its header. */
void log_reading_look_at (struct log_reading *reading, const struct mlpd_item *item, int *status);

#endif
