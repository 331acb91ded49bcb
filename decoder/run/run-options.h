/* run-options.h -- the options of `proflog run`, and the module's options that come of them. */
#ifndef PROFLOG_RUN_OPTIONS_H
#define PROFLOG_RUN_OPTIONS_H

#include "decoder/command/command-table.h"
#include "decoder/run/run-log.h"

struct run_values {
  bool calls, allocs, children, force, paused;
  bool heap;              /* of a GHC program */
  bool is_version_1;      /* the log has the data version of 2010, which has no samples */
  bool samples;           /* were requested: without that they are recorded where they can be */
  bool lines;             /* source lines of samples */
  const char *calls_mode; /* of calls=; NULL: all */
  bool wall;              /* samples by the wall clock, of threads that wait, too */
  const char *rate;       /* of samples of either clock; NULL: the module's */
  const char *sampling;   /* of allocations; NULL: all */
  const char *heapshot;   /* NULL: none */
  const char *zip;        /* NULL: not compressed; "": as the module does it by default */
  const char *output;     /* NULL: made from the program's name */
  const char *rotate_size, *rotate_time, *flush, *duration, *max_size; /* NULL: not given */
  bool is_numbered; /* --rotate, or `rotate=` among the options of the module, divides the log */
  GPtrArray *with;  /* of const char *, options of the module; the caller's */
  char **command;
};

/* The tables of the options: those that a program must be started with, and those that a program
 * which runs already can be recorded with, too. */
extern const struct cli_option run_start_options[];
extern const struct cli_option run_options[];

/* Reads PROFLOG_OPTIONS, then the command line.  False with the exit status if that was all. */
bool run_options_parse (struct run_values *run, const struct cli_command *spec, int argc,
                        char **argv, int *status);

/* The option of Mono that loads the module.  The caller's. */
char *run_module_option (const struct run_values *run, const struct run_log *log);

/* Prints a message about the command line.  Returns the exit status. */
int run_usage_error (const char *format, ...) G_GNUC_PRINTF (1, 2);

#endif
