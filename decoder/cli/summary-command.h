/* summary-command.h -- commands that read each log whole and print one report of it. */
#ifndef PROFLOG_SUMMARY_COMMAND_H
#define PROFLOG_SUMMARY_COMMAND_H

#include "decoder/views/section.h"

struct summary_command {
  const char *name;
  const char *summary;
  const char *description;
  unsigned selects; /* of log-command.h */
  guint rows;       /* of a table in text, unless --limit says otherwise */
  const char *schema;
  const struct section *const *sections;     /* up to NULL, of logs of Mono; NULL: it reads none */
  const struct section *const *ghc_sections; /* the same of eventlogs */
  const struct section *objects;             /* of them, that of --find and --track; NULL: none */
};

/* Runs it; returns the exit status. */
int summary_command_run (const struct summary_command *command, int argc, char **argv);

#endif
