/* log-command.h -- the options and the output of the commands that read logs.  log-open.h,
 * log-reads.h and log-summary.h read the logs. */
#ifndef PROFLOG_LOG_COMMAND_H
#define PROFLOG_LOG_COMMAND_H

#include "decoder/ghc/analyses/ghc-provenance.h"
#include "decoder/mlpd/index/buffer-filter.h"
#include "decoder/command/command-line.h"
#include "decoder/log/log-axis.h"
#include "decoder/command/output.h"
#include "decoder/command/progress.h"
#include "decoder/output/emitter.h"
#include <glib.h>

/* The options of the selection that a command has: its `selects`. */
enum log_selects {
  SELECTS_PARTS = 1, /* --thread, --time-range */
  SELECTS_NAMES = 2, /* --filter, --exclude */
  SELECTS_DEPTH = 4,
  SELECTS_TIMES = 8,  /* --min-time */
  SELECTS_BYTES = 16, /* --min-bytes */
  SELECTS_ALL = 31,
  SELECTS_CAPS = 32,       /* of eventlogs */
  SELECTS_TIME_RANGE = 64, /* --time-range without --thread */
};

/* Tables of options.  Their fields are in the struct log_command with which the values of a command
 * begin. */
extern const struct cli_option log_options[];           /* --output, --strict, ... */
extern const struct cli_option log_selection_options[]; /* --thread, --time-range, ... */
extern const struct cli_option log_format_option[]; /* text, json, csv, markdown, html; --color and
                                                       --no-pager */
extern const struct cli_option log_object_option[]; /* --object-unit */
extern const struct cli_option log_names_option[];  /* --names-from */
extern const struct cli_option log_lines_format_option[]; /* no Markdown: there are no tables */
extern const struct cli_option log_text_format_option[];  /* hidden: text only */
extern const struct cli_option log_no_format_option[];    /* refused: the output is a log */

/* --color */
enum log_color { LOG_COLOR_AUTO, LOG_COLOR_ALWAYS, LOG_COLOR_NEVER };

struct log_command {
  const char *name;
  /* The options. */
  enum emitter_format format;
  bool has_format;  /* --format was given */
  const char *path; /* of the output; NULL: standard output */
  bool is_page;     /* --html: the output is a page */
  bool opens;       /* --open: which a browser shows */
  char *page;       /* its name, where no option states it; NULL: none */
  bool force;
  bool strict;
  bool quiet;
  bool index;            /* --index */
  GHashTable *unindexed; /* names of logs that cannot have one, which was reported; NULL: none */
  enum log_color color;
  bool no_pager;
  struct selection selection;
  struct buffer_filter filter; /* its meaning in the log that is read, if it chooses events */
  bool needs_no_log;           /* an option requests something else */
  char **logs;        /* at least one; borrowed from argv, `found` or `joined`, but for the list */
  bool keeps_folders; /* one log is read, and other words may be names of folders by chance */
  bool keeps_files;   /* files of one log are not joined, nor folders replaced by their logs: the
                         command does so itself */
  GPtrArray *found;   /* of char *: logs in folders (log-join.h); NULL: there are none */
  struct log_axis axis; /* of several logs */
  GHashTable *ranges; /* log -> uint64_t: when it begins on that axis, for --time-range; NULL: times
                         count from the beginning of each log */
  GHashTable *joined; /* name of a log -> its files (log-join.h); NULL: there is no such log */
  const char *spool;  /* one of these, of the first; NULL: the one beside that */
  const char *other;  /* a log that an option names; NULL: none */
  const char *names_from;        /* another log of the same program; NULL: none */
  struct ghc_provenances *names; /* the provenances of info tables in it */
  struct output output;
  bool reports_damage;   /* in the output: no warnings are needed */
  bool damaged;          /* some log */
  bool selected_nothing; /* the options did, in some log */
  struct progress progress;
  unsigned object_unit;    /* 1, 8; 0: the log decides */
  struct log_input *input; /* that was inspected and is to be read; NULL: none */
};

/* In which order a command prints events. */
enum log_order {
  LOG_ORDER_FILE,
  LOG_ORDER_TIME,
};

/* Choices of --order. */
extern const struct cli_choice log_orders[];

/* Parses the command line into the values of the command, which begin with `command` and hold the
 * defaults.  False with the exit status if that was all: help was printed, or an error. */
bool log_command_parse (struct log_command *command, const struct cli_command *spec, int argc,
                        char **argv, int *status);

/* Replaces folders among the words (up to NULL, a list for g_free) by the logs in them, and files
 * of one log by its name.  For commands with `keeps_files`; of others the logs are so already. */
bool log_command_find_logs (struct log_command *command, char ***words, GError **error);

/* Is a word before the logs one of them?  Names of parts have neither dots, slashes nor blanks, and
 * are no files. */
bool log_command_is_log (const char *word);

/* Takes the first word, which is no log, from the logs.  False and an error if there are no others.
 */
bool log_command_drop_word (struct log_command *command, GError **error);

/* Is the file one of the logs?  It would be gone if it were written. */
bool log_command_reads (const struct log_command *command, const char *path);

/* Opens the output, after all options were checked.  False with a message and the exit status if it
 * cannot be written; the command is finished then. */
bool log_command_open (struct log_command *command, int *status);

/* An emitter of the command's format that appends to `out`, as emitter_new.  Text for a terminal
 * has its width, colours and a pager.  The output is open. */
struct emitter *log_command_new_emitter (struct log_command *command, GString *out);

/* Is the output text or Markdown, for a terminal or an editor? */
bool log_command_is_plain (const struct log_command *command);

/* Sets the text, whose report was written, to the beginning of the next: an empty line in text and
 * Markdown. */
void log_command_separate (const struct log_command *command, GString *text);

/* Reports a wrong option, or a folder without logs, and finishes the command; returns the exit
 * status.  Frees the error. */
int log_command_refuse (struct log_command *command, GError *error);

/* Ends the output and frees the command.  `status` is that of the logs; returns the exit status. */
int log_command_finish (struct log_command *command, int status);

#endif
