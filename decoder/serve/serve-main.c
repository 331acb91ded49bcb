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

/* A command at work. */
struct serve {
  struct live_readings readings;
  struct live_model *model;
  struct http_server *server;
  uint64_t interval_ns;
  uint64_t last; /* when the figures were made */
  uint64_t beat;
  uint64_t flame; /* when the last graph was made */
};

static void
put (struct serve *s, uint64_t now, bool ended)
{
  live_feed_flush (s->readings.all[0].feed);
  http_server_put (s->server, live_model_figures (s->model, now - s->last), ended);
  s->last = s->beat = now;
}

/* Not more often than once in an interval, and only if a page shows it. */
static void
put_flame (struct serve *s, uint64_t now, bool ended)
{
  if (!http_server_wants_flame (s->server) || (!ended && now - s->flame < s->interval_ns))
    return;
  http_server_set_flame (s->server, live_flame (s->model));
  s->flame = now;
}

/* ---- the report of a log that is complete ---- */

/* Runs `proflog report`, which takes signals for itself to remove what it writes. */
static int
run_report (int argc, char **argv)
{
  static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
  struct sigaction before[G_N_ELEMENTS (ends)];
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    sigaction (ends[i], NULL, &before[i]);
  const int status = command_report.run (&command_report, argc, argv);
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    sigaction (ends[i], &before[i], NULL);
  return status;
}

/* The page of the report of a file, NULL if there is none (transfer full). */
static GBytes *
make_report (const char *path)
{
  GBytes *page = NULL;
  char *name = NULL, *bytes = NULL;
  gsize length;
  const int fd = g_file_open_tmp ("proflog-report-XXXXXX", &name, NULL);
  if (fd < 0)
    return NULL;
  close (fd);
  char *arguments[] = { (char *) "report", (char *) "-q", (char *) "--force", (char *) "--format",
                        (char *) "html", (char *) "-o", name, (char *) "--", (char *) path, NULL };
  if (run_report (G_N_ELEMENTS (arguments) - 1, arguments) <= CLI_TRUE
      && g_file_get_contents (name, &bytes, &length, NULL))
    page = g_bytes_new_take (bytes, length);
  g_unlink (name);
  g_free (name);
  return page;
}

/* Of what has ended, if it is a file and not a process. */
static void
put_report (struct serve *s, uint64_t now)
{
  const char *path = s->readings.all[0].pid == 0 ? live_source_file (s->readings.all[0].source) : NULL;
  GBytes *page = path != NULL && g_file_test (path, G_FILE_TEST_IS_REGULAR) ? make_report (path) : NULL;
  if (page == NULL)
    return;
  http_server_set_report (s->server, page);
  put (s, now, true);
}

/* Until a signal: the figures of a source that has ended can still be inspected. */
static void
run (struct serve *s)
{
  enum live_news news = LIVE_QUIET;
  bool has_base = false; /* what was there at first is read */
  put (s, s->last = live_reading_now (), false);
  while (!live_readings_stopped ()) {
    const bool ended = news == LIVE_END;
    if (ended && live_readings_have_timed_out (&s->readings))
      break;
    if (ended)
      poll (NULL, 0, LIVE_WAIT_MS);
    else
      news = live_readings_step (
          &s->readings, live_readings_patience (s->last + s->interval_ns, live_reading_now ()), -1, -1);
    if (s->readings.all[0].failed)
      break;
    const uint64_t now = live_reading_now ();
    const bool is_base = !has_base && news == LIVE_QUIET;
    if (!ended && (is_base || news == LIVE_END || now - s->last >= s->interval_ns)) {
      put (s, now, news == LIVE_END);
      has_base = true;
      if (news == LIVE_END)
        put_report (s, now);
    }
    put_flame (s, now, ended);
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

static int
serve (struct serve_values *v, struct http_server_options *server)
{
  struct log_command *const command = &v->log;
  struct serve s = { .interval_ns = v->interval.value, .model = live_model_new () };
  const struct live_handler handler = {
    .mono = live_model_mono, .ghc = live_model_ghc, .buffers = live_model_buffers, .data = s.model
  };
  GError *error = NULL;
  int status;
  live_readings_init (&s.readings, command);
  if (live_readings_open (&s.readings, &v->live, &handler, &status)) {
    live_model_set_process (s.model, s.readings.all[0].pid);
    server->pid = s.readings.all[0].pid;
    server->ask = control_client_request;
    s.server = http_server_start (server, &error);
    if (s.server == NULL) {
      cli_message ("proflog serve: %s", error->message);
      g_error_free (error);
      status = CLI_INPUT;
    } else {
      if (print_address (command, http_server_port (s.server), server->token)) {
        run (&s);
        status = live_readings_status (&s.readings);
      } else {
        status = CLI_INPUT;
      }
      http_server_stop (s.server);
    }
  }
  live_readings_close (&s.readings);
  live_model_free (s.model);
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
  if (v.log.logs[1] != NULL) {
    cli_refuse (&error, "%s: one source at a time", v.log.logs[1]);
    return cli_end (log_command_refuse (&v.log, error));
  }
  char *token = make_token (&v, &error);
  if (token == NULL)
    return log_command_refuse (&v.log, error);
  if (log_command_open (&v.log, &status)) {
    char *source = g_filename_display_name (v.log.logs[0]);
    struct http_server_options server
        = { .port = (unsigned) v.port.value, .token = token, .source = source };
    status = log_command_finish (&v.log, serve (&v, &server));
    g_free (source);
  }
  g_free (token);
  return cli_end (status);
}
