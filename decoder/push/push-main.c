/* push-main.c -- proflog push: logs to servers.
 *
 * A program of its own, which `proflog` runs, as other commands need not load SQLite and libcurl.
 */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/log/log-folders.h"
#include "decoder/command/message.h"
#include "decoder/command/out-of-memory.h"
#include "decoder/push/push-live.h"
#include "decoder/push/push-session.h"
#include "decoder/push/push-watch.h"
#include <locale.h>
#include <string.h>

#define QUEUE_BYTES (UINT64_C (1) << 30)
#define PATIENCE_NS (UINT64_C (30) * 1000000000)

/* An option that would have no effect is refused: its user expects one. */
static bool
check_use (const struct push_values *v, GError **error)
{
  static const char watch[] = "--watch", tables[] = "--to clickhouse",
                    profiles[] = "--to pyroscope, parca or otlp";
  const struct {
    bool given, used;
    const char *option, *of;
  } uses[] = {
    { v->queue != NULL, v->watch != NULL, "--queue", watch },
    { v->queue_bytes != 0, v->watch != NULL, "--queue-size", watch },
    { v->tables != NULL, v->to == PUSH_CLICKHOUSE, "--tables", tables },
    { v->database != NULL, v->to == PUSH_CLICKHOUSE, "--database", tables },
    { v->cluster != NULL, v->to == PUSH_CLICKHOUSE, "--cluster", tables },
    { v->cost != STACKS_ANY, v->to != PUSH_CLICKHOUSE, "--cost", profiles },
    { v->every.is_set, v->to != PUSH_CLICKHOUSE, "--every", profiles },
    { v->tenant != NULL, v->to == PUSH_PYROSCOPE, "--tenant", "--to pyroscope" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (uses); i++)
    if (uses[i].given && !uses[i].used)
      return cli_refuse (error, "%s has no effect without %s", uses[i].option, uses[i].of);
  return true;
}

static bool
check (const struct push_values *v, GError **error)
{
  char *const *logs = v->query.log.logs;
  if (v->to == PUSH_NOWHERE)
    return cli_refuse (error, "--to is needed: clickhouse, pyroscope, parca or otlp");
  if (v->urls == NULL)
    return cli_refuse (error, "--url is needed: the address of the server, such as "
                              "http://localhost:8123");
  if (!check_use (v, error))
    return false;
  if (v->every.is_set && (v->watch != NULL || v->cost != STACKS_ANY || v->anonymize))
    return cli_refuse (error,
                       "--every sends the processor time of running programs: --watch, --cost "
                       "and --anonymize cannot be given with it");
  if (v->to == PUSH_CLICKHOUSE && v->urls->len > 1 && v->cluster == NULL)
    return cli_refuse (error, "--cluster is needed for several servers: its name in their "
                              "configuration");
  if (v->watch == NULL && logs[0] == NULL)
    return cli_refuse (error, "no log given");
  if (v->watch != NULL && logs[0] != NULL)
    return cli_refuse (error, "--watch sends the logs in a folder: no other log is needed");
  for (; *logs != NULL; logs++)
    if (strcmp (*logs, "-") == 0)
      return cli_refuse (error, "standard input cannot be sent: a log is known by its file");
  return true;
}

/* Folders stand for the logs in them, but of programs that run. */
static bool
find_logs (struct push_values *v, GError **error)
{
  struct log_command *const c = &v->query.log;
  GPtrArray *words = g_ptr_array_new ();
  for (char **word = c->logs; *word != NULL; word++)
    g_ptr_array_add (words, *word);
  const bool good = v->every.is_set || log_folders_expand (&c->found, words, error);
  g_ptr_array_add (words, NULL);
  g_free (c->logs);
  c->logs = (char **) g_ptr_array_free (words, FALSE);
  return good;
}

static int
push_logs (struct push_session *s)
{
  int status = CLI_OK;
  for (char **path = s->values->query.log.logs; *path != NULL; path++) {
    GError *error = NULL;
    const enum push_fate fate = push_session_send (s, *path, *path, &error);
    if (fate == PUSH_SENT)
      continue;
    cli_message ("proflog push: %s: %s", *path, error->message);
    g_error_free (error);
    status = CLI_INPUT;
    if (fate == PUSH_NO_SERVER)
      break; /* it would not take the others either */
  }
  return status;
}

static int
run_session (struct push_session *s, struct push_values *v, struct query *q, GError **error)
{
  if (!push_session_begin (s, v, q, error) || !clickhouse_push_check (v, q, error))
    return CLI_INPUT;
  const int status = v->every.is_set    ? push_live (s)
                     : v->watch != NULL ? push_watch (s)
                                        : push_logs (s);
  return MAX (status, q->status);
}

static int
run (struct push_values *v)
{
  static char *no_logs[] = { NULL };
  struct query q;
  struct push_session s;
  GError *error = NULL;
  int status = CLI_INPUT;
  if (query_open (&q, &v->query, no_logs)) {
    status = run_session (&s, v, &q, &error);
    push_session_end (&s);
  }
  query_close (&q);
  if (error == NULL)
    return status;
  cli_message ("proflog push: %s", error->message);
  status = error->domain == G_OPTION_ERROR ? CLI_USAGE : CLI_INPUT;
  g_error_free (error);
  return status;
}

/* Options and logs that were parsed: the exit status. */
static int
push (struct push_values *v)
{
  struct log_command *const c = &v->query.log;
  GError *error = NULL;
  int status;
  if (!find_logs (v, &error) || !check (v, &error))
    return log_command_refuse (c, error);
  if (v->database == NULL)
    v->database = "proflog";
  if (v->queue_bytes == 0)
    v->queue_bytes = QUEUE_BYTES;
  if (!log_command_open (c, &status))
    return status;
  status = run (v);
  return log_command_finish (c, status);
}

int
main (int argc, char **argv)
{
  struct push_values v = { .query = { .log = { .keeps_files = true, .needs_no_log = true } },
                           .live = LIVE_DEFAULTS,
                           .patience = { .value = PATIENCE_NS },
                           .anonymizer = &command_anonymize };
  int status;
  out_of_memory_start (NULL);
  setlocale (LC_ALL, "");
  if (log_command_parse (&v.query.log, &command_push, argc, argv, &status))
    status = push (&v);
  g_clear_pointer (&v.urls, g_ptr_array_unref);
  g_clear_pointer (&v.labels, g_ptr_array_unref);
  return cli_end (status);
}
