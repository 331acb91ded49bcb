/* push-main.c -- proflog push: logs to servers, or profiles of programs that run.
 *
 * A program of its own, which `proflog` runs, as other commands need not load SQLite and libcurl.
 */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/live/live-model.h"
#include "decoder/live/live-reading.h"
#include "decoder/log/log-join.h"
#include "decoder/command/message.h"
#include "decoder/command/out-of-memory.h"
#include "decoder/push/push.h"
#include <locale.h>
#include <string.h>

/* ---- logs that are still written ---- */

struct live_push {
  struct push_session *session;
  struct live_readings readings;
  struct live_model **models;
  struct export_stacks *sent; /* of each: the stacks that the server has */
  uint64_t *since;            /* of each: when that was, ns since 1970 */
  bool *has_base;             /* of each: earlier events are read */
  uint64_t start_ns;          /* of all, since 1970: their counts were 0 */
  bool is_down;               /* that there is no server was reported */
};

static uint64_t
now_ns (void)
{
  return (uint64_t) g_get_real_time () * 1000;
}

static char *
program_of (const struct live_reading *r)
{
  char *name = r->program != NULL ? g_strdup (r->program) : g_path_get_basename (r->name);
  if (*name != 0)
    return name;
  g_free (name);
  return g_strdup (r->name);
}

/* The profile, if it has stacks, and the figures of the runtime.  False, with a message the first
 * time, if there is no server. */
static bool
send_profile (struct live_push *p, guint i, const struct export_stacks *stacks)
{
  const struct live_reading *const r = &p->readings.all[i];
  const struct live_figures *const f = live_model_figures (p->models[i], stacks->duration_ns);
  g_autofree char *program = program_of (r);
  GError *error = NULL;
  const struct push_process process
      = { program, r->pid > 0 ? (uint64_t) r->pid : 0, f->format == LIVE_GHC };
  const bool good = (stacks->total == 0
                     || push_session_send_stacks (p->session, stacks, "cpu", &process, &error))
                    && push_session_send_figures (p->session, f, p->start_ns, &process, &error);
  if (!good && !p->is_down)
    cli_message ("proflog push: %s: %s", r->name, error->message);
  p->is_down = !good;
  g_clear_error (&error);
  return good;
}

static void
read_stacks (struct live_model *model, struct export_stacks *stacks)
{
  export_stacks_init (stacks);
  live_model_add_stacks (model, stacks);
}

/* Sends the stacks since the last profile. */
static void
send_source (struct live_push *p, guint i)
{
  const struct live_reading *const r = &p->readings.all[i];
  const uint64_t now = now_ns ();
  struct export_stacks all, part;
  if (!r->is_over)
    live_feed_flush (r->feed);
  read_stacks (p->models[i], &all);
  read_stacks (p->models[i], &part);
  export_stacks_subtract (&part, &p->sent[i]);
  part.start_ns = p->since[i];
  part.duration_ns = now - p->since[i];
  if (send_profile (p, i, &part)) {
    export_stacks_clear (&p->sent[i]);
    p->sent[i] = all;
    p->since[i] = now;
  } else
    export_stacks_clear (&all);
  export_stacks_clear (&part);
}

/* Events before this program came are in no profile. */
static void
store_bases (struct live_push *p)
{
  const unsigned start = p->session->values->live.start;
  for (guint i = 0; i < p->readings.count; i++) {
    struct live_reading *const r = &p->readings.all[i];
    if (p->has_base[i] || live_reading_is_past (r))
      continue;
    p->has_base[i] = true;
    if (start == LIVE_START_BEGINNING || (start == LIVE_START_DEFAULT && r->pid == 0))
      continue;
    live_feed_flush (r->feed);
    export_stacks_clear (&p->sent[i]);
    read_stacks (p->models[i], &p->sent[i]);
    p->since[i] = now_ns ();
  }
}

static void
send_all (struct live_push *p)
{
  store_bases (p);
  for (guint i = 0; i < p->readings.count; i++)
    if (p->has_base[i] && !p->readings.all[i].failed)
      send_source (p, i);
}

static void
follow (struct live_push *p, uint64_t interval)
{
  enum live_news news = LIVE_QUIET;
  uint64_t last = live_reading_now ();
  while (news != LIVE_END && !live_readings_stopped ()) {
    news = live_readings_step (
        &p->readings, live_readings_patience (last + interval, live_reading_now ()), -1, -1);
    live_readings_warn (&p->readings);
    store_bases (p);
    if (live_reading_now () - last < interval)
      continue;
    send_all (p);
    last = live_reading_now ();
  }
  send_all (p);
}

/* Until all programs have ended, or a signal ends it.  Returns the exit status. */
static int
push_live (struct push_session *session)
{
  struct push_values *const v = session->values;
  const guint n = g_strv_length (v->query.log.logs);
  g_autofree struct live_handler *handlers = g_new0 (struct live_handler, n);
  struct live_push p = { .session = session,
                         .models = g_new0 (struct live_model *, n),
                         .sent = g_new0 (struct export_stacks, n),
                         .since = g_new0 (uint64_t, n),
                         .has_base = g_new0 (bool, n),
                         .start_ns = now_ns () };
  int status;
  for (guint i = 0; i < n; i++) {
    p.models[i] = live_model_new ();
    p.since[i] = now_ns ();
    export_stacks_init (&p.sent[i]);
    handlers[i] = (struct live_handler){ .mono = live_model_mono,
                                         .ghc = live_model_ghc,
                                         .buffers = live_model_buffers,
                                         .data = p.models[i] };
  }
  live_readings_init (&p.readings, &v->query.log);
  p.readings.names_damage = true;
  if (live_readings_open (&p.readings, &v->live, handlers, &status)) {
    follow (&p, v->every.value);
    status = live_readings_status (&p.readings);
  }
  live_readings_close (&p.readings);
  for (guint i = 0; i < n; i++) {
    live_model_free (p.models[i]);
    export_stacks_clear (&p.sent[i]);
  }
  g_free (p.models);
  g_free (p.sent);
  g_free (p.since);
  g_free (p.has_base);
  return p.is_down ? CLI_INPUT : status;
}

/* ---- the program ---- */

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
  if (v->urls == NULL && v->otel.profiles.url == NULL)
    return cli_refuse (error,
                       "--url is needed: the address of the server, such as http://localhost:8123"
                       "%s",
                       v->to == PUSH_OTLP ? ", or the variable OTEL_EXPORTER_OTLP_ENDPOINT" : "");
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
  if ((v->to == PUSH_OTLP && !push_otel_read (&v->otel, &error)) || !find_logs (v, &error)
      || !check (v, &error))
    return log_command_refuse (c, error);
  if (v->otel.is_disabled) {
    cli_message ("proflog push: OTEL_SDK_DISABLED is true, so nothing is sent");
    return CLI_OK;
  }
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
  push_otel_clear (&v.otel);
  g_clear_pointer (&v.urls, g_ptr_array_unref);
  g_clear_pointer (&v.labels, g_ptr_array_unref);
  return cli_end (status);
}
