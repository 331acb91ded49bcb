/* log-command.h -- what the commands that read logs share: their options, the way of the items,
 * the output. */
#ifndef PROFLOG_LOG_COMMAND_H
#define PROFLOG_LOG_COMMAND_H

#include "decoder/views/emitter.h"
#include <glib.h>
#include <proflog/mlpd-reader.h>
#include <stdio.h>

struct log_command {
  const char *name;
  /* The options. */
  enum emitter_format format;
  char *output; /* NULL: standard output */
  gboolean force;
  gboolean strict;
  gboolean quiet;
  char **logs; /* at least one */
  /* The output: a file beside `output` that takes its place at the end. */
  FILE *out;
  char *temporary;
  bool damaged;
};

/* Reads the command line; `own` are options of the command itself (or NULL).  False with the exit
 * status in *status if that was all: help, or a mistake that was told. */
bool log_command_parse (struct log_command *command, const char *name, const char *summary,
                        const char *description, const GOptionEntry *own, int argc, char **argv,
                        int *status);

/* What reading a log calls for every item, and, if there is any, for damage of the compression.
 * `text` is for output: what it holds is written out after the call.  False stops. */
struct log_handler {
  void (*item) (void *data, const struct mlpd_item *item, GString *text);
  void (*damage) (void *data, bool truncated, const char *message, GString *text);
};

/* Reads one log and warns of damage on stderr.  Returns the exit status so far. */
int log_command_read (struct log_command *command, const char *path,
                      const struct log_handler *handler, void *data);

/* Writes to the output; false with a message when that fails. */
bool log_command_write (struct log_command *command, const GString *text);

/* Ends the output and frees the command.  `status` is what the logs came to. */
int log_command_finish (struct log_command *command, int status);

#endif
