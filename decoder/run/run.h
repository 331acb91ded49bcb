/* run.h -- 'proflog run': its options, the program, the log, the report at the end. */
#ifndef PROFLOG_RUN_H
#define PROFLOG_RUN_H

#include "decoder/command/command-table.h"
#include "decoder/system/run-ghc.h"
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- the module for Mono ---- */

#define MODULE_FILE "libmono-profiler-proflog.so"

/* The directory of the module (the caller's): PROFLOG_MODULE_DIR, or else beside this program or
 * where it was installed.  NULL if it is in none of those, which *tried (the caller's) then lists.
 */
char *module_file_find (char **tried);

/* Loads the module into a running program, as attach_module does, whose arguments these are; also
 * fails if there is no module. */
bool module_file_attach (long pid, const char *options, char **note, GError **error);

/* ---- the log's path and files ---- */

/* A log's path as it was requested: %p is the process id, %t the time of the start, %% a %. */
struct run_log;

/* Checks that a log can be written to `path`: its directory is there and can be written; the file
 * is not there, or is a regular one that is empty or, with `force`, a profiler log.  NULL and
 * *error otherwise.  `is_numbered`: of several files, which have a number in their names.  Free
 * with run_log_free. */
struct run_log *run_log_new (const char *path, bool is_numbered, bool force, GError **error);
void run_log_free (struct run_log *log);

/* The text with %% for each % (the caller's). */
char *run_log_escape (const char *text);

/* The path of a log that none was requested for, in the current directory: the name of the program
 * without its ending, .%p and the suffix.  The caller's. */
char *run_log_default (const char *program, const char *suffix);

/* The value of the module's option output=, with the characters of the option parser and of the
 * expansion of % made safe.  The caller's. */
char *run_log_option (const struct run_log *log);

/* The path of the log of this process.  The caller's. */
char *run_log_expand (const struct run_log *log, pid_t pid);

/* The path to name in messages; %p stands for the process id.  The log's. */
const char *run_log_path (const struct run_log *log);

/* Bytes that are free on the disk of the log for this user. */
uint64_t run_log_free_space (const struct run_log *log);

/* The time of run_log_new, in ns since the epoch by the clock of the log's file system; not before
 * that of a log that was there. */
uint64_t run_log_began (const struct run_log *log);

/* Bytes of the files that process `pid` (0: any) has written up to now. */
uint64_t run_log_size (const struct run_log *log, pid_t pid);

/* Paths of the files that process `pid` (0: any) wrote since run_log_new, in the order of their
 * names; empty if there is none.  A name without %p is anyone's.  The caller's. */
GPtrArray *run_log_written (const struct run_log *log, pid_t pid);

/* Where the number of a file begins in its path; 0: it has none, as there is only one file. */
size_t run_log_number_at (const struct run_log *log, const char *path);

/* ---- options ---- */

struct run_values {
  bool calls, allocs, children, force, paused;
  bool heap;              /* of a GHC program */
  uint64_t heap_period;   /* interval of its samples, ns; 0: the runtime's own */
  bool is_version_1;      /* the log has the data version of 2010, which has no samples */
  bool samples;           /* were requested: without that they are recorded where they can be */
  bool lines;             /* source lines of samples */
  bool native;            /* memory that native libraries allocate */
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
 * which is running can be recorded with, too. */
extern const struct cli_option run_start_options[];
extern const struct cli_option run_options[];

/* Reads PROFLOG_OPTIONS, then the command line.  False with the exit status if that was all. */
bool run_options_parse (struct run_values *run, const struct cli_command *spec, int argc,
                        char **argv, int *status);

/* The option of Mono that loads the module.  The caller's. */
char *run_module_option (const struct run_values *run, const struct run_log *log);

/* Prints a message about the command line.  Returns the exit status. */
int run_usage_error (const char *format, ...) G_GNUC_PRINTF (1, 2);

/* ---- the program ---- */

/* The work in the child before the program starts, which may change the words of its arguments and
 * environment, and at least each second while it runs; NULL: nothing. */
struct run_child_watch {
  void (*begin) (void *data);
  void (*look) (void *data, pid_t pid);
  void *data;
};

/* Runs `executable` with these arguments and this environment until it ends.  Meanwhile SIGINT
 * and SIGQUIT are left to it, SIGTERM and SIGHUP are passed on.  Sets *pid.  Returns its exit
 * status, 128+N if signal N ended it; -1 and *error if it could not be started.  Once in a
 * process. */
int run_child (const char *executable, char **arguments, char **environment,
               const struct run_child_watch *watch, pid_t *pid, GError **error);

/* Where this process cannot go on: waits until the program has ended, if one was started.  Returns
 * its status, as run_child does; 0 if there is no program.  Allocates nothing. */
int run_child_outlast (void);

/* ---- reports about the log ---- */

/* Reports on standard error the recorded events, the size of the log, and commands that read it.
 * `pid` 0: of any process.  `no_log`: why there may be none.  Returns whether there is a log. */
bool run_report_logs (const struct run_log *log, pid_t pid, const char *no_log);

/* The log while the program runs. */
struct run_growth {
  const struct run_values *run;
  const struct run_log *log;
  bool is_any_process; /* and not only the one that was started */
  bool is_reported;
  uint64_t bytes;
  int64_t time; /* of the last look, us; 0: there was none */
};

/* Reports once that the log is large, or grows fast, and options that would record less.  Looks at
 * it once in a second. */
void run_report_growth (struct run_growth *growth, pid_t pid);

/* ---- a program of GHC ---- */

/* Has the program's runtime write its eventlog, and runs it.  Returns the exit status of the
 * program, or that of a problem, which is reported; -1 and *error if the program could not be
 * started. */
int run_ghc_program (const struct run_values *run, const char *executable,
                     const struct run_ghc *ghc, const char *output, GError **error);

#endif
