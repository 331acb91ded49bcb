/* cmd-push.c -- proflog push: its options; the command is a program of its own (decoder/push). */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/push/push-values.h"
#include "decoder/command/cli.h"
#include "decoder/command/helper-program.h"
#include "decoder/stacks/log-stacks.h"
#include "decoder/command/message.h"
#include <proflog/units.h>
#include <string.h>

static int
run (const struct cli_command *command, int argc, char **argv)
{
  (void) command;
  (void) argc;
#if defined HAVE_SQLITE && defined HAVE_CURL
  return helper_program_run ("proflog-push", argv);
#else
  cli_message ("proflog %s: proflog was built without SQLite or without libcurl", argv[0]);
  return CLI_INPUT;
#endif
}

static void
add_text (GPtrArray **texts, const char *text)
{
  if (*texts == NULL)
    *texts = g_ptr_array_new ();
  g_ptr_array_add (*texts, (gpointer) text);
}

/* Passwords within a URL would be seen by all users of the machine. */
static bool
parse_url (void *field, const char *text, GError **error)
{
  const char *const host = strstr (text, "://");
  if (!g_str_has_prefix (text, "http://") && !g_str_has_prefix (text, "https://"))
    return cli_refuse (error, "--url %s: http://HOST:PORT or https://HOST:PORT is needed", text);
  const size_t length = strcspn (host + 3, "/?#");
  if (memchr (host + 3, '@', length) != NULL)
    return cli_refuse (error, "--url: no user and no password can be in it, as other users of this "
                              "machine see command lines; --credentials FILE reads them");
  if (length == 0 || strpbrk (text, "?#") != NULL)
    return cli_refuse (error, "--url %s: a host is needed, and there can be no '?' and no '#'",
                       text);
  add_text (field, text);
  return true;
}

/* A name is a letter, and letters, digits and '_'. */
static size_t
name_length (const char *text)
{
  size_t n = 0;
  while (g_ascii_isalnum (text[n]) || text[n] == '_')
    n++;
  return g_ascii_isdigit (text[0]) ? 0 : n;
}

static bool
parse_label (void *field, const char *text, GError **error)
{
  const size_t n = name_length (text);
  if (n == 0 || text[n] != '=')
    return cli_refuse (error, "--label %s: NAME=VALUE is needed, such as version=1.2", text);
  add_text (field, text);
  return true;
}

static bool
parse_name (void *field, const char *text, GError **error)
{
  const size_t n = name_length (text);
  if (n == 0 || text[n] != 0)
    return cli_refuse (error, "%s: a name of letters, digits and '_' is needed", text);
  *(const char **) field = text;
  return true;
}

static bool
parse_queue_size (void *field, const char *text, GError **error)
{
  uint64_t *bytes = field;
  if (proflog_parse_size (text, 1 << 20, G_MAXINT64, bytes))
    return true;
  return cli_refuse (error, "--queue-size %s: a size of at least 1M is needed", text);
}

static const struct cli_choice targets[] = {
  { "clickhouse", PUSH_CLICKHOUSE, false },
  { "pyroscope", PUSH_PYROSCOPE, false },
  { "parca", PUSH_PARCA, false },
  { "otlp", PUSH_OTLP, false },
  { NULL, 0, false },
};

static const struct cli_option own[] = {
  { .name = "to",
    .kind = CLI_CHOICE,
    .argument = "SERVER",
    .offset = offsetof (struct push_values, to),
    .choices = targets,
    .help = "The kind of server, needed: clickhouse, pyroscope, parca or otlp" },
  { .name = "url",
    .kind = CLI_PARSED,
    .argument = "URL",
    .offset = offsetof (struct push_values, urls),
    .parse = parse_url,
    .help
    = "Its address, needed but for OTEL_EXPORTER_OTLP_ENDPOINT: http://HOST:PORT; repeated, the "
      "servers of a cluster" },
  { .name = "credentials",
    .kind = CLI_STRING,
    .argument = "FILE",
    .offset = offsetof (struct push_values, credentials),
    .help = "Lines user=, password=, token=, key= (default: the variables PROFLOG_PUSH_USER, "
            "_PASSWORD, _TOKEN, _KEY)" },
  { .name = "label",
    .kind = CLI_PARSED,
    .argument = "NAME=VALUE",
    .offset = offsetof (struct push_values, labels),
    .parse = parse_label,
    .help = "Label all rows; version and program replace those of the log" },
  { .name = "host",
    .kind = CLI_STRING,
    .argument = "NAME",
    .offset = offsetof (struct push_values, host),
    .help = "The host of the logs (default: this one)" },
  { .name = "tables",
    .kind = CLI_STRING,
    .argument = "LIST",
    .offset = offsetof (struct push_values, tables),
    .help
    = "Tables to send: reports (default), all, or names with '*', as proflog query has them" },
  { .name = "database",
    .kind = CLI_PARSED,
    .argument = "NAME",
    .offset = offsetof (struct push_values, database),
    .parse = parse_name,
    .help = "Database of ClickHouse (default proflog)" },
  { .name = "cluster",
    .kind = CLI_PARSED,
    .argument = "NAME",
    .offset = offsetof (struct push_values, cluster),
    .parse = parse_name,
    .help
    = "The cluster, as the servers' configuration names it: tables are spread over all --url" },
  { .name = "anonymize",
    .kind = CLI_FLAG,
    .offset = offsetof (struct push_values, anonymize),
    .help = "Replace texts by words, as proflog anonymize does, and leave out names of files and "
            "the host; this needs a key" },
  { .name = "watch",
    .kind = CLI_STRING,
    .argument = "DIR",
    .offset = offsetof (struct push_values, watch),
    .help = "Go on: send each log in DIR when it is finished" },
  { .name = "queue",
    .kind = CLI_STRING,
    .argument = "DIR",
    .offset = offsetof (struct push_values, queue),
    .help = "Folder of --watch for logs that could not be sent (default: .proflog-push in DIR of "
            "--watch)" },
  { .name = "queue-size",
    .kind = CLI_PARSED,
    .argument = "SIZE",
    .offset = offsetof (struct push_values, queue_bytes),
    .parse = parse_queue_size,
    .help = "Size of that folder, above which the oldest logs are dropped (default 1G)" },
  { .name = "cost",
    .kind = CLI_CHOICE,
    .argument = "COST",
    .offset = offsetof (struct push_values, cost),
    .choices = log_stacks_costs,
    .help = "Of profiles: the cost of stacks, as of proflog flame (default: time, or self of a log "
            "without samples)" },
  { .name = "every",
    .kind = CLI_TIME,
    .argument = "TIME",
    .offset = offsetof (struct push_values, every),
    .min = UINT64_C (1000000000),
    .max = UINT64_C (3600000000000),
    .needed = "from 1s to 1h",
    .help = "Send a profile of programs that run each TIME: LOG is a process id, a name, or as in "
            "proflog top" },
  { .name = "tenant",
    .kind = CLI_PARSED,
    .argument = "NAME",
    .offset = offsetof (struct push_values, tenant),
    .parse = parse_name,
    .help = "The tenant of Pyroscope" },
  { .name = "retry",
    .kind = CLI_TIME,
    .argument = "TIME",
    .offset = offsetof (struct push_values, patience),
    .min = 0,
    .max = G_MAXINT64,
    .needed = "a time such as 30s is needed",
    .help = "Repeat a request for this time if the server does not answer (default 30s)" },
  { .name = NULL },
};

const struct cli_command command_push = {
  .name = "push",
  .group = CLI_CONVERT,
  .summary = "send logs to a database or a server of profiles",
  .parameters = "LOG...\n--watch DIR",
  .description
  = "Sends the tables of logs to ClickHouse, which are those of proflog query: by default the "
    "tables of reports, with --tables also events.  Tables that are missing are created.\n\n"
    "A log that was sent before adds nothing: each row states the id of its log, which is a "
    "checksum of the file, and the table ledger lists what is finished.  After an interruption, "
    "the same command sends the rest.\n\n"
    "Profiles, which are stacks with one cost, go to Pyroscope, Parca or OpenTelemetry (otlp): of "
    "logs, or each --every of programs that run.  These servers add up all profiles that arrive: a "
    "log that is sent twice counts twice.\n\n"
    "Passwords come from a file or the environment, never from the command line.",
  .examples = CLI_EXAMPLES (
      { "Send logs to ClickHouse",
        "proflog push --to clickhouse --url http://db:8123 app.mlpd server.eventlog" },
      { "Send the logs of a folder, with a label",
        "proflog push --to clickhouse --url http://db:8123 --label version=1.4 logs/" },
      { "Send them to a cluster",
        "proflog push --to clickhouse --cluster c --url http://a --url http://b logs/" },
      { "Send each log of a folder when it is finished",
        "proflog push --to clickhouse --url https://db --credentials me --watch logs" },
      { "Send a profile to Pyroscope",
        "proflog push --to pyroscope --url http://localhost:4040 app.mlpd" },
      { "Send profiles of a program that runs",
        "proflog push --to otlp --url http://collector:4318 --every 15s 4711" }),
  .options = { { own, 0 },
               { live_options, offsetof (struct push_values, live) },
               { log_no_format_option, 0 },
               { log_names_option, 0 },
               { log_options, 0 } },
  .run = run,
};
