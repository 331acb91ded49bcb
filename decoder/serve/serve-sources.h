/* serve-sources.h -- the sources of proflog serve: their readings, figures and pages, in the same
 * order. */
#ifndef PROFLOG_SERVE_SOURCES_H
#define PROFLOG_SERVE_SOURCES_H

#include "decoder/serve/serve-values.h"
#include "decoder/live/live-readings.h"
#include "decoder/system/program-watch.h"
#include "decoder/live/live-model.h"
#include "decoder/serve/http-server.h"

/* A source that is served. */
struct shown {
  char *name; /* UTF-8 */
  struct live_model *model;
  struct live_handler handler; /* of the model */
  uint64_t since;
  bool has_ended;  /* its last figures were put */
  bool has_report; /* or cannot have one */
  uint64_t flame;  /* when the last graph was made */
  uint64_t gone;   /* of a process: when it was found to run no more; 0: it runs */
};

/* A command at work. */
struct serve {
  const struct serve_values *values;
  const struct cli_command *report; /* proflog report */
  struct live_readings readings;
  GPtrArray *shown; /* of struct shown */
  struct http_server *server;
  struct program_watch *watch; /* NULL: the sources are those of the command line */
  GArray *unreadable;          /* of long: processes whose logs cannot be read */
  uint64_t interval_ns;
  uint64_t last; /* when the figures were made */
  uint64_t beat;
};

struct shown *serve_shown (const struct serve *serve, guint source);

/* A source that is to be read (transfer full). */
struct shown *shown_new (char *name);
void shown_free (struct shown *shown);

/* Adds the processes of a list (program-watch.h) that are new. */
void serve_add_processes (struct serve *serve, const GArray *pids);

/* Ends the readings of processes that have ended, and removes them some time later. */
void serve_remove_processes (struct serve *serve, uint64_t now);

#endif
