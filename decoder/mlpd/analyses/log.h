/* log.h -- the log as such: headers, sizes, time span, damage. */
#ifndef PROFLOG_LOG_H
#define PROFLOG_LOG_H

#include "decoder/mlpd/scan/scan.h"

#include <glib.h>
#include <proflog/mlpd-reader.h>
#include <stdbool.h>

/* Messages that are retained; more are counted only. */
#define LOG_MESSAGES_MAX 100

/* Whether anything is missing at the end. */
enum log_completeness {
  LOG_UNKNOWN, /* nothing states */
  LOG_COMPLETE,
  LOG_INCOMPLETE,
};

/* The program's main thread, as the stock profiler names it before the program can name another. */
struct log_main {
  bool named;
  uint64_t id;
  uint64_t named_at;
  bool ended;
};

struct log {
  bool has_header;
  struct mlpd_file_header header;          /* the first one */
  char *arguments, *architecture, *system; /* its texts */
  uint64_t bytes;                          /* of the log, uncompressed */
  uint64_t blocks;
  uint64_t events;
  uint64_t kind_events[MLPD_KINDS];
  uint64_t kind_bytes[MLPD_KINDS];
  uint64_t kind_min[MLPD_KINDS]; /* shortest event in bytes, if there is any */
  uint64_t kind_max[MLPD_KINDS];
  bool has_time;
  uint64_t first_time; /* time base of the first buffer: times count from here */
  uint64_t last_time;  /* of the last event */
  uint64_t latest;     /* of the last event whether it counts or not, where all are inspected */

  struct log_main main;
  bool is_part;         /* only a part of it was requested */
  uint64_t selected_ns; /* the range of time of this part, where the log has it */
  /* Of the whole log, where the selection has nothing of it. */
  guint all_threads;
  uint64_t all_ns; /* from the first buffer to the last event, or nearly so */

  uint64_t threads_ns; /* processor time of the module's own threads; 0: unknown */

  long writer; /* the process that is still writing the log; 0: none */
  bool truncated;
  uint64_t missing_bytes; /* that should have followed; 0 where it cannot be determined */
  uint64_t skipped_bytes;
  uint64_t skipped_blocks; /* of which a part or all was skipped */
  uint64_t lost_events;    /* that the log states */
  uint64_t damages;
  GPtrArray *messages; /* of char * */
};

/* The first major version whose header states the start on the clock of the events. */
enum { LOG_MAJOR_WITH_START_NS = 3 };

void log_init (struct log *log);
void log_clear (struct log *log);

/* Counts an item, but for buffers and events: they come in scans. */
void log_item (struct log *log, const struct mlpd_item *item);

/* The time base of the first buffer. */
void log_begin (struct log *log, uint64_t first_time);

/* Adds a scan; then `end` bytes of the log are known. */
void log_merge (struct log *log, const struct scan *scan, uint64_t end);

/* Notes damage outside the items: a compressed log that ends early. */
void log_damage (struct log *log, bool truncated, const char *message);

/* The log ends where it does because this process is still writing it: that is no damage. */
void log_set_writer (struct log *log, long pid);

/* Notes events that are lost by their counter, if there are any.  Returns the message; NULL: there
 * are none. */
char *log_damage_by_losses (struct log *log, uint64_t lost);

/* A thread's start, end or name was logged. */
void log_thread (struct log *log, const struct mlpd_metadata_thread *event);

/* Is the log there up to its end?  Our writer marks that.  The stock profiler's last act is to log
 * the end of the main thread; other writers leave it open, and so does a program that is killed. */
enum log_completeness log_completeness (const struct log *log);

/* When a time was, in ns from the time base of the first buffer.  Negative for earlier events of
 * other threads. */
int64_t log_when (const struct log *log, uint64_t time);

/* The time of day of the time base of the first buffer, in ns since 1970: as exact as the header
 * states the start, which is in milliseconds.  False if it states none. */
bool log_clock (const struct log *log, uint64_t *ns);

/* Time span of the log in ns. */
uint64_t log_duration (const struct log *log);

/* The same of the selected times, where only a part of the log was requested. */
uint64_t log_selected_ns (const struct log *log);

/* The header's system: "x86-64", "linux"; "unknown" where the system id of major version 0 states
 * nothing.  The header's or static strings. */
const char *log_architecture (const struct mlpd_file_header *header);
const char *log_operating_system (const struct mlpd_file_header *header);

#endif
