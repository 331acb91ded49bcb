/* push.h -- logs and profiles on their way to servers. */
#ifndef PROFLOG_PUSH_H
#define PROFLOG_PUSH_H

#include "decoder/exports/export.h"
#include "decoder/live/live-figures.h"
#include "decoder/push/clickhouse.h"
#include "decoder/push/push-http.h"
#include "decoder/push/push-values.h"
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- stacks with their weights, for servers of continuous profiles ---- */

struct push_profile {
  const char *program;                /* the service that it is of */
  const char *kind;                   /* the counted things: "cpu", "alloc", ... */
  const char *host;                   /* "": unknown */
  uint64_t pid;                       /* of the process; 0: unknown */
  const char *runtime;                /* "mono" or "ghc" */
  const GPtrArray *labels;            /* of const char *: names and values in turn */
  const struct export_stacks *stacks; /* with their time */
};

/* Whose stacks are sent. */
struct push_process {
  const char *program;
  uint64_t pid; /* 0: unknown */
  bool is_ghc;
};

/* ---- profiles to servers ---- */

/* Reads the variables OTEL_*.  False with an error; to be cleared in any case. */
bool push_otel_read (struct push_otel *otel, GError **error);
void push_otel_clear (struct push_otel *otel);

/* Where a collector at this URL takes profiles, and metrics (transfer full). */
char *push_otlp_profiles_place (const char *url);
char *push_otlp_metrics_place (const char *url);

/* Sends the stacks with their sums to collectors.  False with an error. */
bool push_otlp_send_stacks (const struct push_profile *profile, const struct push_values *values,
                            struct push_http *http, GError **error);

/* Sends the samples of a log with their times, and metrics of its runtime; *samples is the number
 * of samples.  The profile has no stacks.  False with an error. */
bool push_otlp_send_log (struct log_command *command, const char *path,
                         const struct push_profile *profile, const struct push_values *values,
                         struct push_http *http, uint64_t *samples, GError **error);

/* Sends it to each server of the command line.  A profile that is sent twice counts twice.  False
 * with an error. */
bool push_profile_send (const struct push_profile *profile, const struct push_values *values,
                        struct push_http *http, GError **error);

/* Sends metrics of a running program of the profile; counts were 0 at `start_ns`.  False with an
 * error. */
bool push_otlp_send_figures (const struct push_profile *profile, const struct live_figures *figures,
                             uint64_t start_ns, const struct push_values *values,
                             struct push_http *http, GError **error);

/* ---- the connection to the servers, and logs on their way to them ---- */

enum push_fate {
  PUSH_SENT,
  PUSH_NO_LOG,    /* it cannot be read: another try would not help */
  PUSH_NO_SERVER, /* it may be sent later */
};

struct push_session {
  struct push_values *values;
  struct query *query;
  struct push_secret secret;
  struct push_http *http;
  struct clickhouse_push clickhouse;
  bool is_open; /* clickhouse is there */
};

/* Reads the credentials.  False with an error; to be ended in any case. */
bool push_session_begin (struct push_session *session, struct push_values *values,
                         struct query *query, GError **error);
void push_session_end (struct push_session *session);

/* Sends stacks of a program, whose time they state. */
bool push_session_send_stacks (struct push_session *session, const struct export_stacks *stacks,
                               const char *kind, const struct push_process *process,
                               GError **error);

/* Sends metrics of a running program, if the servers accept such; counts were 0 at `start_ns`.
 * False with an error. */
bool push_session_send_figures (struct push_session *session, const struct live_figures *figures,
                                uint64_t start_ns, const struct push_process *process,
                                GError **error);

/* Sends a file, under this name.  With an error unless it was sent. */
enum push_fate push_session_send (struct push_session *session, const char *path, const char *name,
                                  GError **error);

/* ---- a folder of logs that could not be sent yet ---- */

/* They are links to the logs, where that is possible, and stay when a program deletes its old
 * files. */

struct push_queue {
  char *folder;
  uint64_t bytes_max;
};

struct push_waiting {
  char *path; /* in the queue */
  char *name; /* of the log */
  uint64_t bytes;
};

/* False with an error if there can be no such folder. */
bool push_queue_open (struct push_queue *queue, const char *folder, uint64_t bytes_max,
                      GError **error);
void push_queue_close (struct push_queue *queue);

/* Keeps a log of this name.  Drops the oldest ones beyond the bound: *dropped is how many, this one
 * included if it is larger than all of the queue.  False with an error. */
bool push_queue_add (struct push_queue *queue, const char *path, const char *name, guint *dropped,
                     GError **error);

/* All that wait, the oldest first (of struct push_waiting; g_array_unref). */
GArray *push_queue_list (const struct push_queue *queue);

void push_queue_remove (const struct push_waiting *waiting);

/* ---- finished logs of a folder ---- */

/* Until a signal ends it (SIGINT, SIGTERM).  Returns the exit status. */
int push_watch (struct push_session *session);

#endif
