/* serve-main.c -- proflog serve: what goes on in a program, for a browser and for Prometheus.
 *
 * A program of its own, which `proflog` runs. */
#include "config.h"

#include "decoder/cli/cli.h"
#include "decoder/cli/cmd-serve.h"
#include "decoder/cli/control-client.h"
#include "decoder/cli/live-flame.h"
#include "decoder/cli/live-readings.h"
#include "decoder/cli/message.h"
#include "decoder/live/live-model.h"
#include "decoder/serve/http-guard.h"
#include "decoder/serve/http-server.h"
#include <glib/gstdio.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

/* Signs of life for browsers. */
#define BEAT_NS UINT64_C (15000000000)

/* A source that is served. */
struct shown {
  struct live_model *model;
  bool has_ended;  /* its last figures were put */
  bool has_report; /* or cannot have one */
  uint64_t flame;  /* when the last graph was made */
};

/* A command at work. */
struct serve {
  struct live_readings readings;
  struct shown *shown;        /* of each of the readings */
  struct live_named *figures; /* likewise */
  struct http_server *server;
  uint64_t interval_ns;
  uint64_t last; /* when the figures were made */
  uint64_t beat;
};

static void
put (struct serve *s, uint64_t now)
{
  for (guint i = 0; i < s->readings.count; i++) {
    const struct live_reading *const r = &s->readings.all[i];
    if (r->feed != NULL)
      live_feed_flush (r->feed);
    s->figures[i]
        = (struct live_named){ .name = s->figures[i].name,
                               .figures = live_model_figures (s->shown[i].model, now - s->last),
                               .is_over = r->is_over,
                               .failed = r->failed };
  }
  http_server_put (s->server, s->figures);
  s->last = s->beat = now;
}

/* Of each source not more often than once in an interval, and only if a page shows it. */
static void
put_flames (struct serve *s, uint64_t now)
{
  for (guint i = 0; i < s->readings.count; i++) {
    struct shown *const shown = &s->shown[i];
    if (!http_server_wants_flame (s->server, i)
        || (!s->readings.all[i].is_over && now - shown->flame < s->interval_ns))
      continue;
    http_server_set_flame (s->server, i, live_flame (shown->model));
    shown->flame = now;
  }
}

/* ---- the report of a log that is complete ---- */

/* Runs `proflog report`, which takes signals for itself to remove what it writes: those that come
 * meanwhile are ours, afterwards. */
static int
run_report (int argc, char **argv)
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
  const int status = command_report.run (&command_report, argc, argv);
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    sigaction (ends[i], &before[i], NULL);
  pthread_sigmask (SIG_SETMASK, &mask, NULL);
  return status;
}

/* The page of the report of files, NULL if there is none (transfer full). */
static GBytes *
make_report (const char *const *paths, guint n)
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
  if (run_report (count, (char **) arguments->pdata) <= CLI_TRUE
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
  GBytes *page = files == n ? make_report (paths, n) : NULL;
  if (page != NULL)
    http_server_set_joint_report (s->server, page);
  g_free (paths);
}

/* Of what has ended.  True if there is any new one. */
static bool
put_reports (struct serve *s)
{
  bool any = false;
  for (guint i = 0; i < s->readings.count; i++) {
    const char *path = s->readings.all[i].is_over && !s->shown[i].has_report
                           ? file_of (&s->readings.all[i])
                           : NULL;
    GBytes *page = path != NULL ? make_report (&path, 1) : NULL;
    s->shown[i].has_report |= s->readings.all[i].is_over;
    if (page == NULL)
      continue;
    http_server_set_report (s->server, i, page);
    any = true;
  }
  if (any && s->readings.open == 0 && s->readings.count > 1)
    put_joint_report (s);
  return any;
}

/* Whether a source has ended since the figures were put. */
static bool
has_news_of_end (struct serve *s)
{
  bool any = false;
  for (guint i = 0; i < s->readings.count; i++) {
    any |= s->readings.all[i].is_over && !s->shown[i].has_ended;
    s->shown[i].has_ended = s->readings.all[i].is_over;
  }
  return any;
}

/* The only source could not be read on. */
static bool
has_failed (const struct serve *s)
{
  return s->readings.count == 1 && s->readings.all[0].failed;
}

/* Until a signal: the figures of sources that have ended can still be inspected. */
static void
run (struct serve *s)
{
  enum live_news news = LIVE_QUIET;
  bool has_base = false; /* what was there at first is read */
  put (s, s->last = live_reading_now ());
  while (!live_readings_stopped ()) {
    const bool ended = news == LIVE_END;
    if (ended && live_readings_have_timed_out (&s->readings))
      break;
    if (ended)
      poll (NULL, 0, LIVE_WAIT_MS);
    else
      news = live_readings_step (
          &s->readings, live_readings_patience (s->last + s->interval_ns, live_reading_now ()), -1,
          -1);
    if (has_failed (s))
      break;
    const uint64_t now = live_reading_now ();
    const bool is_base = !has_base && news == LIVE_QUIET, ends = has_news_of_end (s);
    if (ends || (!ended && (is_base || now - s->last >= s->interval_ns))) {
      put (s, now);
      has_base = true;
      if (ends && put_reports (s))
        put (s, now);
    }
    put_flames (s, now);
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

/* Starts the server for what was opened, and serves. */
static int
start (struct serve *s, const struct serve_values *v, const char *token)
{
  GError *error = NULL;
  int status = CLI_INPUT;
  const guint n = s->readings.count;
  struct http_server_source *sources = g_new0 (struct http_server_source, n);
  for (guint i = 0; i < n; i++) {
    sources[i]
        = (struct http_server_source){ .name = s->figures[i].name, .pid = s->readings.all[i].pid };
    live_model_set_process (s->shown[i].model, s->readings.all[i].pid);
  }
  const struct http_server_options options = { .port = (unsigned) v->port.value,
                                               .token = token,
                                               .sources = sources,
                                               .n_sources = n,
                                               .ask = control_client_request };
  s->server = http_server_start (&options, &error);
  if (s->server == NULL) {
    cli_message ("proflog serve: %s", error->message);
    g_error_free (error);
  } else {
    if (print_address (s->readings.command, http_server_port (s->server), token)) {
      run (s);
      status = live_readings_status (&s->readings);
    }
    http_server_stop (s->server);
  }
  g_free (sources);
  return status;
}

static int
serve (struct serve_values *v, const char *token)
{
  struct serve s = { .interval_ns = v->interval.value };
  int status;
  live_readings_init (&s.readings, &v->log);
  const guint n = s.readings.count;
  struct live_handler *handlers = g_new0 (struct live_handler, n);
  s.shown = g_new0 (struct shown, n);
  s.figures = g_new0 (struct live_named, n);
  for (guint i = 0; i < n; i++) {
    s.shown[i].model = live_model_new ();
    s.figures[i].name = g_filename_display_name (v->log.logs[i]);
    handlers[i] = (struct live_handler){ .mono = live_model_mono,
                                         .ghc = live_model_ghc,
                                         .buffers = live_model_buffers,
                                         .data = s.shown[i].model };
  }
  if (live_readings_open (&s.readings, &v->live, handlers, &status))
    status = start (&s, v, token);
  live_readings_close (&s.readings);
  for (guint i = 0; i < n; i++) {
    live_model_free (s.shown[i].model);
    g_free ((char *) s.figures[i].name);
  }
  g_free (handlers);
  g_free (s.shown);
  g_free (s.figures);
  return status;
}

/* The token of the address (g_free); NULL with an error. */
static char *
make_token (const struct serve_values *v, GError **error)
{
  if (v->token_file == NULL)
    return http_token_new (error);
  char *token = http_token_of_file (v->token_file, error);
  if (token == NULL)
    g_prefix_error (error, "--token-file ");
  return token;
}

int
main (int argc, char **argv)
{
  struct serve_values v = { .live = LIVE_DEFAULTS, .interval = { .value = LIVE_INTERVAL_NS } };
  int status;
  GError *error = NULL;
  setlocale (LC_ALL, "");
  if (!log_command_parse (&v.log, &command_serve, argc, argv, &status))
    return cli_end (status);
  char *token = make_token (&v, &error);
  if (token == NULL)
    return log_command_refuse (&v.log, error);
  if (log_command_open (&v.log, &status))
    status = log_command_finish (&v.log, serve (&v, token));
  g_free (token);
  return cli_end (status);
}
