/* push-session.c -- one log after the other, to the servers of the command line. */
#include "config.h"

#include "decoder/command/command-table.h"
#include "decoder/stacks/log-stacks.h"
#include "decoder/push/push-profiles.h"
#include "decoder/push/push-session.h"
#include <string.h>

/* With a short one, texts could be found by trying. */
enum { KEY_LENGTH_MIN = 16 };

bool
push_session_begin (struct push_session *s, struct push_values *values, struct query *query,
                    GError **error)
{
  *s = (struct push_session){ .values = values, .query = query };
  if (!push_secret_read (&s->secret, values->credentials, error))
    return false;
  s->http = push_http_new (&s->secret, values->patience.value);
  if (!values->anonymize || (s->secret.key != NULL && strlen (s->secret.key) >= KEY_LENGTH_MIN))
    return true;
  return cli_refuse (error,
                     "--anonymize needs a key of at least %d characters, from which the words "
                     "for texts are made: key= in the file of --credentials, or PROFLOG_PUSH_KEY",
                     KEY_LENGTH_MIN);
}

void
push_session_end (struct push_session *s)
{
  if (s->is_open)
    clickhouse_push_clear (&s->clickhouse);
  g_clear_pointer (&s->http, push_http_free);
  push_secret_clear (&s->secret);
}

/* Connects to the servers, unless that was done.  False with an error. */
static bool
connect_servers (struct push_session *s, GError **error)
{
  if (s->is_open)
    return true;
  s->is_open = clickhouse_push_init (&s->clickhouse, s->values, s->http, error);
  if (!s->is_open)
    clickhouse_push_clear (&s->clickhouse);
  return s->is_open;
}

/* A line for people. */
static void G_GNUC_PRINTF (2, 3) report (struct push_session *s, const char *format, ...)
{
  struct log_command *const c = &s->query->values->log;
  g_autoptr (GString) line = g_string_new (NULL);
  va_list words;
  progress_clear (&c->progress);
  if (c->quiet)
    return;
  va_start (words, format);
  g_string_append_vprintf (line, format, words);
  va_end (words);
  output_write (&c->output, line);
  output_flush (&c->output);
}

/* ---- tables ---- */

static enum push_fate
send_tables (struct push_session *s, const struct push_log *log, GError **error)
{
  struct clickhouse_result result;
  const uint64_t before = push_http_sent (s->http);
  if (!clickhouse_push_log (&s->clickhouse, s->query, log, &result, error))
    return result.is_no_log ? PUSH_NO_LOG : PUSH_NO_SERVER;
  if (result.rows == 0 && result.tables_before != 0)
    report (s, "%s: was sent before\n", log->name);
  else
    report (s, "%s: %" G_GUINT64_FORMAT " rows of %u tables, %" G_GUINT64_FORMAT " bytes\n",
            log->name, result.rows, result.tables, push_http_sent (s->http) - before);
  return PUSH_SENT;
}

/* ---- profiles ---- */

/* The labels of the command line (transfer full). */
static GPtrArray *
labels_of (const struct push_values *values)
{
  GPtrArray *labels = g_ptr_array_new_with_free_func (g_free);
  push_log_add_labels (labels, values);
  return labels;
}

bool
push_session_send_stacks (struct push_session *s, const struct export_stacks *stacks,
                          const char *kind, const char *program, GError **error)
{
  g_autoptr (GPtrArray) labels = labels_of (s->values);
  const char *const given = push_log_label (labels, "program");
  const struct push_profile profile = { .program = *given != 0 ? given : program,
                                        .kind = kind,
                                        .host = push_log_host (s->values),
                                        .labels = labels,
                                        .stacks = stacks };
  return push_profile_send (&profile, s->values, s->http, error);
}

static const char *
kind_of (enum stacks_cost cost)
{
  for (const struct cli_choice *choice = log_stacks_costs; choice->name != NULL; choice++)
    if (choice->value == cost)
      return cost == STACKS_TIME ? "cpu" : choice->name;
  return "cpu";
}

static enum push_fate
send_log_stacks (struct push_session *s, const struct push_log *log, GError **error)
{
  struct export_stacks stacks;
  enum stacks_cost cost = s->values->cost;
  enum push_fate fate = PUSH_NO_LOG;
  log_stacks_read (&s->query->values->log, log->sql->name, &cost, &stacks);
  stacks.start_ns = log->start_s * 1000000000;
  stacks.duration_ns = log->duration_ns;
  if (stacks.total == 0)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "it has no such stacks");
  else {
    fate = push_session_send_stacks (s, &stacks, kind_of (cost), log->program, error)
               ? PUSH_SENT
               : PUSH_NO_SERVER;
  }
  if (fate == PUSH_SENT)
    report (s, "%s: %s of %u stacks\n", log->name, kind_of (cost), stacks.nodes->len - 1);
  export_stacks_clear (&stacks);
  return fate;
}

/* ---- a log ---- */

enum push_fate
push_session_send (struct push_session *s, const char *path, const char *name, GError **error)
{
  struct push_log log;
  const bool has_tables = s->values->to == PUSH_CLICKHOUSE;
  enum push_fate fate = PUSH_NO_LOG;
  if (has_tables && !connect_servers (s, error))
    return PUSH_NO_SERVER;
  if (push_log_open (&log, s->query, s->values, s->secret.key, path, name, error))
    fate = has_tables ? send_tables (s, &log, error) : send_log_stacks (s, &log, error);
  progress_clear (&s->query->values->log.progress);
  push_log_close (&log, s->query);
  return fate;
}
