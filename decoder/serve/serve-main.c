/* serve-main.c -- proflog serve: live figures of a program, for a browser and for Prometheus.
 *
 * A program of its own, which `proflog` runs. */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/live/live-reading.h"
#include "decoder/serve/http-server.h"
#include "decoder/serve/http.h"
#include "decoder/serve/serve-values.h"
#include "decoder/live/live-flame.h"
#include "decoder/command/message.h"
#include "decoder/command/out-of-memory.h"
#include "decoder/system/processes.h"
#include "decoder/system/program-control.h"
#include "decoder/system/program-watch.h"
#include <glib/gstdio.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

/* ---- sources: their readings, figures and pages, in the same order ---- */

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

/* After the end of a process, until no more of its log is waited for. */
#define REST_NS UINT64_C (2000000000)

/* Intervals for which a process that has ended is shown. */
enum { ENDED_INTERVALS = 60 };

static struct shown *
serve_shown (const struct serve *s, guint i)
{
  return g_ptr_array_index (s->shown, i);
}

/* A source that is to be read (transfer full). */
static struct shown *
shown_new (char *name)
{
  struct shown *shown = g_new0 (struct shown, 1);
  shown->name = name;
  shown->since = live_reading_now ();
  shown->model = live_model_new ();
  shown->handler = (struct live_handler){ .mono = live_model_mono,
                                          .ghc = live_model_ghc,
                                          .buffers = live_model_buffers,
                                          .data = shown->model };
  return shown;
}

static void
shown_free (struct shown *shown)
{
  live_model_free (shown->model);
  g_free (shown->name);
  g_free (shown);
}

/* A zombie does not run. */
static bool
runs (long pid)
{
  struct process_usage usage;
  return process_usage_read (pid, &usage);
}

static void
remove_source (struct serve *s, guint i)
{
  http_server_remove (s->server, i);
  live_readings_remove (&s->readings, i);
  g_ptr_array_remove_index (s->shown, i);
}

static void
add_process (struct serve *s, long pid)
{
  struct shown *shown = shown_new (process_name (pid));
  live_model_set_process (shown->model, pid);
  if (!live_readings_add (&s->readings, pid, &s->values->live, &shown->handler)) {
    live_readings_remove (&s->readings, s->readings.count - 1);
    shown_free (shown);
    g_array_append_val (s->unreadable, pid);
    return;
  }
  g_ptr_array_add (s->shown, shown);
  http_server_add (s->server, &(struct http_server_source){
                                  .number = (uint64_t) pid, .name = shown->name, .pid = pid });
}

/* Whether the process is served, or cannot be.  Another one may have had its number. */
static bool
is_known (struct serve *s, long pid)
{
  for (guint i = 0; i < s->readings.count; i++) {
    if (s->readings.all[i].pid != pid)
      continue;
    if (serve_shown (s, i)->gone == 0 || !runs (pid))
      return true;
    remove_source (s, i);
    return false;
  }
  return process_list_has (s->unreadable, pid);
}

/* Adds the processes of a list (program-watch.h) that are new. */
static void
serve_add_processes (struct serve *s, const GArray *pids)
{
  for (guint i = 0; i < pids->len; i++) {
    const long pid = g_array_index (pids, long, i);
    if (!is_known (s, pid) && runs (pid))
      add_process (s, pid);
  }
}

/* The reading itself reads the spool of a killed process. */
static void
inspect_process (struct serve *s, guint i, uint64_t now)
{
  struct shown *const shown = serve_shown (s, i);
  if (shown->gone == 0 && !runs (s->readings.all[i].pid))
    shown->gone = now;
  if (shown->gone != 0 && now - shown->gone >= REST_NS)
    live_readings_end (&s->readings, i);
}

/* Ends the readings of processes that have ended, and removes them some time later. */
static void
serve_remove_processes (struct serve *s, uint64_t now)
{
  for (guint i = s->readings.count; i-- > 0;) {
    const struct shown *const shown = serve_shown (s, i);
    inspect_process (s, i, now);
    if (shown->gone != 0 && now - shown->gone >= REST_NS + ENDED_INTERVALS * s->interval_ns)
      remove_source (s, i);
  }
  for (guint i = s->unreadable->len; i-- > 0;)
    if (!runs (g_array_index (s->unreadable, long, i)))
      g_array_remove_index_fast (s->unreadable, i);
}

/* ---- reports of logs that are complete ---- */

/* Runs `proflog report`, which handles signals to remove its output: those that come meanwhile are
 * ours, afterwards. */
static int
run_report (const struct cli_command *report, int argc, char **argv)
{
  static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
  struct sigaction before[G_N_ELEMENTS (ends)];
  sigset_t held, mask;
  sigemptyset (&held);
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++) {
    sigaddset (&held, ends[i]);
    sigaction (ends[i], NULL, &before[i]);
  }
  pthread_sigmask (SIG_BLOCK, &held, &mask);
  const int status = report->run (report, argc, argv);
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    sigaction (ends[i], &before[i], NULL);
  pthread_sigmask (SIG_SETMASK, &mask, NULL);
  return status;
}

/* The page of the report of files, NULL if there is none (transfer full). */
static GBytes *
make_report (const struct serve *s, const char *const *paths, guint n)
{
  static const char *const options[] = { "report", "-q", "--force", "--format", "html", "-o" };
  GBytes *page = NULL;
  char *name = NULL, *bytes = NULL;
  gsize length;
  const int fd = g_file_open_tmp ("proflog-report-XXXXXX", &name, NULL);
  if (fd < 0)
    return NULL;
  close (fd);
  GPtrArray *arguments = g_ptr_array_new ();
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    g_ptr_array_add (arguments, (char *) options[i]);
  g_ptr_array_add (arguments, name);
  g_ptr_array_add (arguments, (char *) "--");
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (arguments, (char *) paths[i]);
  const int count = (int) arguments->len;
  g_ptr_array_add (arguments, NULL);
  if (run_report (s->report, count, (char **) arguments->pdata) <= CLI_TRUE
      && g_file_get_contents (name, &bytes, &length, NULL))
    page = g_bytes_new_take (bytes, length);
  g_ptr_array_unref (arguments);
  g_unlink (name);
  g_free (name);
  return page;
}

/* The path of a source that is a file and not a process; NULL: it is none. */
static const char *
file_of (const struct live_reading *r)
{
  const char *path = r->pid == 0 && r->source != NULL ? live_source_file (r->source) : NULL;
  return path != NULL && g_file_test (path, G_FILE_TEST_IS_REGULAR) ? path : NULL;
}

/* Of all sources, if all are files. */
static void
put_joint_report (struct serve *s)
{
  const guint n = s->readings.count;
  const char **paths = g_new0 (const char *, n);
  guint files = 0;
  while (files < n && (paths[files] = file_of (&s->readings.all[files])) != NULL)
    files++;
  GBytes *page = files == n ? make_report (s, paths, n) : NULL;
  if (page != NULL)
    http_server_set_joint_report (s->server, page);
  g_free (paths);
}

/* Serves the reports of sources that have ended, and at last of all.  True if there is any new one.
 */
static bool
serve_put_reports (struct serve *s)
{
  bool any = false;
  for (guint i = 0; i < s->readings.count; i++) {
    const char *path = s->readings.all[i].is_over && !serve_shown (s, i)->has_report
                           ? file_of (&s->readings.all[i])
                           : NULL;
    GBytes *page = path != NULL ? make_report (s, &path, 1) : NULL;
    serve_shown (s, i)->has_report |= s->readings.all[i].is_over;
    if (page == NULL)
      continue;
    http_server_set_report (s->server, i, page);
    any = true;
  }
  if (any && s->readings.open == 0 && s->readings.count > 1)
    put_joint_report (s);
  return any;
}

/* ---- the program ---- */

/* How long the first figures wait for earlier events. */
#define WHOLE_NS UINT64_C (2000000000)

/* Signs of life for browsers. */
#define BEAT_NS UINT64_C (15000000000)

/* Its earlier events are read, or that takes long. */
static bool
is_whole (const struct serve *s, guint i, uint64_t now)
{
  const struct live_reading *const r = &s->readings.all[i];
  return r->has_caught_up || r->is_over || now - serve_shown (s, i)->since >= WHOLE_NS;
}

static void
put (struct serve *s, uint64_t now)
{
  g_autoptr (GArray) figures = g_array_new (FALSE, FALSE, sizeof (struct live_named));
  for (guint i = 0; i < s->readings.count; i++) {
    const struct live_reading *const r = &s->readings.all[i];
    struct shown *const shown = serve_shown (s, i);
    if (r->feed != NULL)
      live_feed_flush (r->feed);
    const bool is_partial = !is_whole (s, i, now);
    const struct live_named named
        = { .name = shown->name,
            .is_process = s->watch != NULL,
            .figures = is_partial ? NULL : live_model_figures (shown->model, now - s->last),
            .is_partial = is_partial,
            .is_over = r->is_over,
            .failed = r->failed };
    g_array_append_val (figures, named);
  }
  http_server_put (s->server, (const struct live_named *) (const void *) figures->data);
  s->last = s->beat = now;
}

/* Of each source not more often than once in an interval, and only if a page shows it. */
static void
put_flames (struct serve *s, uint64_t now)
{
  for (guint i = 0; i < s->readings.count; i++) {
    struct shown *const shown = serve_shown (s, i);
    if (!http_server_wants_flame (s->server, i)
        || (!s->readings.all[i].is_over && now - shown->flame < s->interval_ns))
      continue;
    http_server_set_flame (s->server, i, live_flame (shown->model));
    shown->flame = now;
  }
}

/* Whether a source has ended since the figures were put. */
static bool
has_news_of_end (struct serve *s)
{
  bool any = false;
  for (guint i = 0; i < s->readings.count; i++) {
    struct shown *const shown = serve_shown (s, i);
    any |= s->readings.all[i].is_over && !shown->has_ended;
    shown->has_ended = s->readings.all[i].is_over;
  }
  return any;
}

/* The only source could not be read on. */
static bool
has_failed (const struct serve *s)
{
  return s->watch == NULL && s->readings.count == 1 && s->readings.all[0].failed;
}

/* Whether the first figures can be put. */
static bool
are_whole (const struct serve *s, uint64_t now)
{
  for (guint i = 0; i < s->readings.count; i++)
    if (!is_whole (s, i, now))
      return false;
  return true;
}

static void
update_processes (struct serve *s)
{
  g_autoptr (GArray) pids = program_watch_take (s->watch);
  if (pids != NULL)
    serve_add_processes (s, pids);
  serve_remove_processes (s, live_reading_now ());
}

/* Until a signal: the figures of sources that have ended can still be inspected. */
static void
run (struct serve *s)
{
  bool has_base = false; /* the first figures were put */
  s->last = s->beat = live_reading_now ();
  while (!live_readings_stopped ()) {
    const bool ended = s->readings.open == 0;
    if (ended && live_readings_have_timed_out (&s->readings))
      break;
    if (ended)
      poll (NULL, 0, LIVE_WAIT_MS);
    else
      live_readings_step (&s->readings,
                          live_readings_patience (s->last + s->interval_ns, live_reading_now ()),
                          -1, -1);
    live_readings_warn (&s->readings);
    if (has_failed (s))
      break;
    if (s->watch != NULL)
      update_processes (s);
    const uint64_t now = live_reading_now ();
    const bool is_base = !has_base && are_whole (s, now), ends = has_news_of_end (s);
    const bool is_due = has_base && (s->watch != NULL || !ended) && now - s->last >= s->interval_ns;
    if (ends || is_base || is_due) {
      put (s, now);
      has_base = true;
      if (ends && serve_put_reports (s))
        put (s, now);
    }
    put_flames (s, now);
    http_server_expire (s->server);
    if (now - s->beat >= BEAT_NS) {
      http_server_beat (s->server);
      s->beat = now;
    }
  }
}

/* Where the page is, on standard output or in a file, which is whole then. */
static bool
print_address (struct log_command *command, unsigned port, const char *token)
{
  GString *text = g_string_new (NULL);
  g_string_printf (text, "http://127.0.0.1:%u/%s/\n", port, token);
  const bool good = output_write (&command->output, text) && output_close (&command->output);
  g_string_free (text, TRUE);
  return good;
}

/* Serves the sources that were opened, from 1 on, or the processes that there are. */
static bool
add_sources (struct serve *s)
{
  for (guint i = 0; i < s->readings.count; i++) {
    const long pid = s->readings.all[i].pid;
    live_model_set_process (serve_shown (s, i)->model, pid);
    http_server_add (s->server, &(struct http_server_source){ .number = i + 1,
                                                              .name = serve_shown (s, i)->name,
                                                              .pid = pid });
  }
  if (!s->values->log.needs_no_log)
    return true;
  s->watch = program_watch_start ();
  if (s->watch == NULL)
    cli_message ("proflog serve: cannot create a thread that watches processes");
  return s->watch != NULL;
}

/* Starts the server, and serves. */
static int
start (struct serve *s, const char *token)
{
  GError *error = NULL;
  int status = CLI_INPUT;
  const struct http_server_options options
      = { .port = (unsigned) s->values->port.value,
          .token = token,
          .has_overview = s->values->log.needs_no_log || s->readings.count > 1,
          .ask = control_client_request };
  s->server = http_server_start (&options, &error);
  if (s->server == NULL) {
    cli_message ("proflog serve: %s", error->message);
    g_error_free (error);
    return status;
  }
  if (add_sources (s) && print_address (s->readings.command, http_server_port (s->server), token)) {
    run (s);
    status = s->watch != NULL ? CLI_OK : live_readings_status (&s->readings);
  }
  http_server_stop (s->server);
  return status;
}

static int
serve (struct serve_values *v, const char *token)
{
  struct serve s = { .values = v,
                     .report = &command_report,
                     .shown = g_ptr_array_new_with_free_func ((GDestroyNotify) shown_free),
                     .unreadable = g_array_new (FALSE, FALSE, sizeof (long)),
                     .interval_ns = v->interval.value };
  int status;
  live_readings_init (&s.readings, &v->log);
  s.readings.names_damage = true;
  const guint n = s.readings.count;
  struct live_handler *handlers = g_new0 (struct live_handler, n);
  for (guint i = 0; i < n; i++) {
    g_ptr_array_add (s.shown, shown_new (g_filename_display_name (v->log.logs[i])));
    handlers[i] = serve_shown (&s, i)->handler;
  }
  if (live_readings_open (&s.readings, &v->live, handlers, &status) || v->log.needs_no_log)
    status = start (&s, token);
  live_readings_close (&s.readings);
  g_ptr_array_unref (s.shown);
  g_array_unref (s.unreadable);
  g_free (handlers);
  return status;
}

static bool
check_sources (const struct serve_values *v, GError **error)
{
  return !v->log.needs_no_log || v->log.logs[0] == NULL
         || cli_refuse (error, "--all serves all processes that are recorded; '%s' is one source",
                        v->log.logs[0]);
}

/* The token of the address (g_free); NULL with the exit status. */
static char *
make_token (struct serve_values *v, int *status)
{
  GError *error = NULL;
  const char *file = v->token_file;
  char *token = file != NULL ? http_token_of_file (file, &error) : http_token_new (&error);
  if (token != NULL)
    return token;
  if (file != NULL) {
    g_prefix_error (&error, "--token-file ");
    *status = log_command_refuse (&v->log, error);
  } else {
    cli_message ("proflog serve: %s", error->message);
    g_error_free (error);
    *status = CLI_INPUT;
  }
  return NULL;
}

int
main (int argc, char **argv)
{
  struct serve_values v = { .live = LIVE_DEFAULTS, .interval = { .value = LIVE_INTERVAL_NS } };
  int status;
  GError *error = NULL;
  out_of_memory_start (NULL);
  setlocale (LC_ALL, "");
  if (!log_command_parse (&v.log, &command_serve, argc, argv, &status))
    return cli_end (status);
  if (!check_sources (&v, &error))
    return cli_end (log_command_refuse (&v.log, error));
  char *token = make_token (&v, &status);
  if (token == NULL)
    return cli_end (status);
  if (log_command_open (&v.log, &status))
    status = log_command_finish (&v.log, serve (&v, token));
  g_free (token);
  return cli_end (status);
}
