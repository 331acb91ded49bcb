/* run-report.h -- what `proflog run` reports of the log: while it grows, and at the end. */
#ifndef PROFLOG_RUN_REPORT_H
#define PROFLOG_RUN_REPORT_H

#include "decoder/run/run-options.h"

/* Reports on standard error what came of the log: what was recorded, how large it is, and commands
 * that read it.  `pid` 0: of any process.  `no_log`: why there may be none.  Returns whether there
 * is a log. */
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

/* Reports once that the log is large, or grows fast, and what would record less.  Looks at it once
 * in a second. */
void run_report_growth (struct run_growth *growth, pid_t pid);

#endif
