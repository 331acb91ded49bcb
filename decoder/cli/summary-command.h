/* summary-command.h -- commands that read each log whole and print one report of it. */
#ifndef PROFLOG_SUMMARY_COMMAND_H
#define PROFLOG_SUMMARY_COMMAND_H

#include "decoder/analyses/summary.h"
#include "decoder/views/emitter.h"

struct summary_command {
  const char *name;
  const char *summary;
  const char *description;
  guint rows; /* of a table in text, unless --limit says otherwise */
  void (*write) (struct emitter *emitter, const char *log_name, const struct summary *summary,
                 guint limit);
};

/* Runs it; returns the exit status. */
int summary_command_run (const struct summary_command *command, int argc, char **argv);

#endif
