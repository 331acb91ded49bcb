/* push-session.c -- one log after the other, to the servers of the command line. */
#include "config.h"

#include "decoder/push/push-session.h"
#include "decoder/cli/command-table.h"

bool
push_session_begin (struct push_session *s, struct push_values *values, struct query *query,
                    GError **error)
{
  *s = (struct push_session){ .values = values, .query = query };
  if (!push_secret_read (&s->secret, values->credentials, error))
    return false;
  s->http = push_http_new (&s->secret, values->patience.value);
  return !values->anonymize || s->secret.key != NULL
         || cli_refuse (error, "--anonymize needs a key, from which the words for texts are made: "
                               "key= in the file of --credentials, or PROFLOG_PUSH_KEY");
}

void
push_session_end (struct push_session *s)
{
  if (s->is_open)
    clickhouse_push_clear (&s->clickhouse);
  g_clear_pointer (&s->http, push_http_free);
  push_secret_clear (&s->secret);
}

bool
push_session_connect (struct push_session *s, GError **error)
{
  if (s->is_open)
    return true;
  s->is_open = clickhouse_push_init (&s->clickhouse, s->values, s->http, error);
  if (!s->is_open)
    clickhouse_push_clear (&s->clickhouse);
  return s->is_open;
}

/* A line for people. */
static void
report (struct push_session *s, const char *name, const struct clickhouse_result *result)
{
  struct log_command *const c = &s->query->values->log;
  g_autoptr (GString) line = g_string_new (NULL);
  progress_clear (&c->progress);
  if (c->quiet)
    return;
  if (result->rows == 0 && result->tables_before != 0)
    g_string_printf (line, "%s: was sent before\n", name);
  else
    g_string_printf (line, "%s: %" G_GUINT64_FORMAT " rows\n", name, result->rows);
  output_write (&c->output, line);
}

enum push_fate
push_session_send (struct push_session *s, const char *path, const char *name, GError **error)
{
  struct push_log log;
  struct clickhouse_result result;
  enum push_fate fate = PUSH_NO_LOG;
  if (!push_session_connect (s, error))
    return PUSH_NO_SERVER;
  if (push_log_open (&log, s->query, s->values, s->secret.key, path, name, error)) {
    fate = clickhouse_push_log (&s->clickhouse, s->query, &log, &result, error) ? PUSH_SENT
                                                                                : PUSH_NO_SERVER;
    if (fate == PUSH_SENT)
      report (s, log.name, &result);
  }
  progress_clear (&s->query->values->log.progress);
  push_log_close (&log, s->query);
  return fate;
}
