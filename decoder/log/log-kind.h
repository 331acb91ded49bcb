/* log-kind.h -- the two formats of logs, and which of them a command reads. */
#ifndef PROFLOG_LOG_KIND_H
#define PROFLOG_LOG_KIND_H

#include "decoder/log/log-command.h"

/* Of a format, in arrays. */
enum log_kind_index { LOG_MONO, LOG_GHC, LOG_KINDS };

/* A format; a file that is not a log counts as one of Mono. */
struct log_kind {
  enum log_kind_index index;
  const char *name;   /* for messages: "a log of Mono" */
  const char *suffix; /* of the names of files */
  /* Why a log has nothing that these options could choose from; NULL: it has. */
  const char *(*find_lack) (const struct selection *selection);
  /* Reports why the command does not read the log that was opened, and closes it.  Returns the exit
   * status. */
  int (*refuse) (struct log_command *command, const char *path, const char *why);
};

extern const struct log_kind log_kind_mono, log_kind_ghc;

/* The kind of an eventlog, or else of a log of Mono. */
static inline const struct log_kind *
log_kind_of (bool is_eventlog)
{
  return is_eventlog ? &log_kind_ghc : &log_kind_mono;
}

/* The kind that the name of a file states; NULL: none. */
const struct log_kind *log_kind_of_name (const char *path);

/* Why a log of Mono is refused with --names-from. */
extern const char log_kind_lacks_names[];

/* Opens a log and detects its format; the log is to be read next.  NULL if it cannot be opened, or
 * the options of the selection do not apply to it (`selects`): that was reported. */
const struct log_kind *log_kind_detect (struct log_command *command, const char *path,
                                        bool selects);

/* The action of a command for a log of a format. */
struct log_action {
  int (*run) (void *data, const char *path); /* returns the exit status; NULL: it is refused */
  const char *lack;                          /* the reason of the refusal */
};

/* Detects the format of a log, and runs the command's action for it.  Returns the exit status. */
int log_kind_run (struct log_command *command, const char *path, bool selects,
                  const struct log_action actions[LOG_KINDS], void *data);

#endif
