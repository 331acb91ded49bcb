/* serve-main.c -- proflog serve: what goes on in a program, for a browser and for Prometheus.
 *
 * A program of its own, which `proflog` runs. */
#include "config.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/control-client.h"
#include "decoder/cli/live-reading.h"
#include "decoder/cli/tell.h"
#include "decoder/live/live-model.h"
#include "decoder/serve/http-guard.h"
#include "decoder/serve/http-server.h"
#include <locale.h>
#include <poll.h>

/* Signs of life for browsers. */
#define BEAT_NS UINT64_C (15000000000)

/* A command at work. */
struct serve {
  struct live_reading reading;
  struct live_model *model;
  struct http_server *server;
  uint64_t interval_ns;
  uint64_t last; /* when the figures were made */
  uint64_t beat;
};

static void
put (struct serve *s, uint64_t now, bool ended)
{
  live_feed_flush (s->reading.feed);
  http_server_put (s->server, live_model_figures (s->model, now - s->last), ended);
  s->last = s->beat = now;
}

/* Until a signal: the figures of a source that has ended can still be looked at. */
static enum live_news
run (struct serve *s)
{
  enum live_news news = LIVE_QUIET;
  bool has_base = false; /* what was there at first is read */
  put (s, s->last = live_reading_now (), false);
  while (news != LIVE_FAILED && !live_reading_stopped ()) {
    const bool ended = news == LIVE_END;
    if (ended)
      poll (NULL, 0, LIVE_WAIT_MS);
    else
      news = live_reading_step (
          &s->reading, live_reading_patience (s->last + s->interval_ns, live_reading_now ()));
    const uint64_t now = live_reading_now ();
    const bool is_base = !has_base && news == LIVE_QUIET;
    if (!ended && (is_base || news == LIVE_END || now - s->last >= s->interval_ns)) {
      put (s, now, news == LIVE_END);
      has_base = true;
    }
    if (now - s->beat >= BEAT_NS) {
      http_server_beat (s->server);
      s->beat = now;
    }
  }
  return news;
}

/* Where the page is, on standard output or in a file, which is whole then. */
static bool
tell_address (struct log_command *command, unsigned port, const char *token)
{
  GString *text = g_string_new (NULL);
  g_string_printf (text, "http://127.0.0.1:%u/%s/\n", port, token);
  const bool good = output_write (&command->output, text) && output_close (&command->output);
  g_string_free (text, TRUE);
  return good;
}

static int
serve (struct log_command *command, const struct live_options *options, uint64_t interval_ns,
       struct http_server_options *server)
{
  struct serve s = { .interval_ns = interval_ns, .model = live_model_new () };
  const struct live_handler handler = {
    .mono = live_model_mono, .ghc = live_model_ghc, .buffers = live_model_buffers, .data = s.model
  };
  GError *error = NULL;
  int status;
  if (live_reading_open (&s.reading, command, options, &handler, &status)) {
    server->pid = s.reading.pid;
    server->ask = control_client_ask;
    s.server = http_server_start (server, &error);
    if (s.server == NULL) {
      cli_tell ("proflog serve: %s", error->message);
      g_error_free (error);
      status = CLI_INPUT;
    } else {
      if (!tell_address (command, http_server_port (s.server), server->token)
          || run (&s) == LIVE_FAILED)
        status = CLI_INPUT;
      http_server_stop (s.server);
    }
  }
  live_reading_close (&s.reading);
  live_model_free (s.model);
  return status;
}

/* What the options mean; false with an error. */
static bool
parse (const char *interval, uint64_t *interval_ns, const char *port, const char *token_file,
       struct http_server_options *server, GError **error)
{
  guint64 number = 0;
  if (!live_reading_parse_interval (interval, interval_ns, error))
    return false;
  if (port != NULL && !g_ascii_string_to_unsigned (port, 10, 0, G_MAXUINT16, &number, NULL)) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 "--port %s: a number up to 65535 is needed; 0 takes any that is free", port);
    return false;
  }
  server->port = (unsigned) number;
  server->token
      = token_file != NULL ? http_token_of_file (token_file, error) : http_token_new (error);
  if (server->token == NULL && token_file != NULL)
    g_prefix_error (error, "--token-file ");
  return server->token != NULL;
}

int
main (int argc, char **argv)
{
  static struct live_options options;
  static char *interval, *port, *token_file;
  static const GOptionEntry own[]
      = { { "interval", 'i', 0, G_OPTION_ARG_FILENAME, &interval,
            "How often figures are made, and what rates are of (default 1s)", "TIME" },
          { "port", 'p', 0, G_OPTION_ARG_FILENAME, &port,
            "Listen at this port of 127.0.0.1 (default 0: any that is free)", "PORT" },
          { "token-file", 0, 0, G_OPTION_ARG_FILENAME, &token_file,
            "Take the token of the address from FILE, which is made if it is not there", "FILE" },
          LIVE_OPTION_ENTRIES (options),
          G_OPTION_ENTRY_NULL };
  static const struct log_command_sort sort = {
    .name = "serve",
    .summary = "show in a browser what goes on in a program",
    .parameters = "SOURCE",
    .description
    = "SOURCE is as in 'proflog follow': a file that grows, a FIFO, -, unix:PATH,\n"
      "unix-listen:PATH, or the process id of a program under the module.\n"
      "Prints the address of a page, which only this machine can open and only who knows it,\n"
      "since a random token is a part of it: with the figures of 'proflog top' as plots, and for\n"
      "a process buttons that start and stop recording, switch classes of events and take heap\n"
      "shots.  Below the same address are metrics, for Prometheus, and events, the figures of\n"
      "each interval as server-sent events.  It ends with Ctrl-C.\n\n"
      "Examples:\n"
      "  proflog serve 4711\n"
      "  proflog serve --port 9700 --token-file ~/.proflog-token 4711\n"
      "  mono --profile=proflog:calls,output=#1 app.exe | proflog serve -",
    .own = own,
    .is_text = true,
  };
  struct log_command command;
  struct http_server_options server = { 0 };
  int status;
  uint64_t interval_ns = LIVE_INTERVAL_NS;
  GError *error = NULL;
  setlocale (LC_ALL, "");
  if (!log_command_parse (&command, &sort, argc, argv, &status))
    return cli_end (status);
  if (!parse (interval, &interval_ns, port, token_file, &server, &error))
    return log_command_refuse (&command, error);
  if (log_command_open (&command, &status)) {
    char *source = g_filename_display_name (command.logs[0]);
    server.source = source;
    status = log_command_finish (&command, serve (&command, &options, interval_ns, &server));
    g_free (source);
  }
  g_free ((char *) server.token);
  return cli_end (status);
}
