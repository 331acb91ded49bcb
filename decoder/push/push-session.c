/* push-session.c -- one log after the other, to the servers of the command line. */
#include "config.h"

#include "decoder/command/cli.h"
#include "decoder/command/command-table.h"
#include "decoder/input/log-writer.h"
#include "decoder/push/push.h"
#include "decoder/stacks/log-stacks.h"
#include "decoder/views/compare/runs.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a log that is sent ---- */

enum { READ_BYTES = 1 << 16 };

/* From this on, ClickHouse can no longer store days and seconds. */
#define LAST_SECOND UINT64_C (0xffffffff)

/* ---- the id ---- */

/* A log has to be a file whose bytes are all there: it is known by them. */
static bool
refuse_file (const char *path, int fd, GError **error)
{
  struct stat state;
  long writer;
  if (fd < 0 || fstat (fd, &state) != 0)
    g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (errno), g_strerror (errno));
  else if (!S_ISREG (state.st_mode))
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "it is no regular file");
  else if ((writer = log_writer_of (path)) != 0)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                 "process %ld is still writing it; send it when it is finished, or use --watch",
                 writer);
  else
    return false;
  return true;
}

static bool
find_id (const char *path, char id[PUSH_ID_LENGTH + 1], GError **error)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  unsigned char bytes[READ_BYTES];
  ssize_t n = -1;
  const int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const bool is_refused = refuse_file (path, fd, error);
  while (!is_refused && (n = read (fd, bytes, sizeof bytes)) > 0)
    g_checksum_update (sum, bytes, n);
  if (!is_refused && n < 0)
    g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (errno), g_strerror (errno));
  if (fd >= 0)
    close (fd);
  g_strlcpy (id, g_checksum_get_string (sum), PUSH_ID_LENGTH + 1);
  return n == 0;
}

/* ---- facts in the log ---- */

/* The value of a label of this name; "" if there is none. */
static const char *
push_log_label (const GPtrArray *labels, const char *name)
{
  for (guint i = 0; i < labels->len; i += 2)
    if (strcmp (labels->pdata[i], name) == 0)
      return labels->pdata[i + 1];
  return "";
}

/* Adds the labels of the command line, names and values in turn. */
static void
push_log_add_labels (GPtrArray *labels, const struct push_values *values)
{
  for (guint i = 0; values->labels != NULL && i < values->labels->len; i++) {
    const char *const label = values->labels->pdata[i], *const equals = strchr (label, '=');
    g_ptr_array_add (labels, g_strndup (label, (gsize) (equals - label)));
    g_ptr_array_add (labels, g_strdup (equals + 1));
  }
}

/* The host of the command line, or this one; "" where it is not to be stated. */
static const char *
push_log_host (const struct push_values *values)
{
  return values->host != NULL ? values->host : values->anonymize ? "" : g_get_host_name ();
}

/* The program of an eventlog, by its command line; else the name of the file, without the types of
 * logs (transfer full). */
static char *
find_program (const struct push_log *log, const struct run_figures *figures)
{
  const struct emitter_record_value *arguments
      = emitter_record_value (figures->record, "log.arguments");
  const bool is_command = figures->is_eventlog && arguments != NULL && arguments->type == EMIT_TEXT
                          && arguments->value.text != NULL && *arguments->value.text != 0;
  g_autofree char *word
      = is_command ? g_strndup (arguments->value.text, strcspn (arguments->value.text, " "))
                   : g_strdup (log->name);
  char *base = g_path_get_basename (word);
  if (!is_command)
    base[strcspn (base, ".")] = 0;
  return base;
}

/* As the command line states it, or as the log does, or this one. */
static char *
find_host (const struct push_values *values, const struct run_figures *figures)
{
  char *host = run_origin_host (figures);
  if (values->host == NULL && !values->anonymize && strcmp (host, RUN_ORIGIN_UNKNOWN) != 0)
    return host;
  g_free (host);
  return g_strdup (push_log_host (values));
}

static bool
read_figures (struct push_log *log, const struct push_values *values, GError **error)
{
  const struct run_figures *figures = sql_log_figures (log->sql, error);
  if (figures == NULL)
    return false;
  const char *const program = push_log_label (log->labels, "program");
  const char *const version = push_log_label (log->labels, "version");
  log->pid = run_origin_pid (figures);
  log->start_s = run_figures_number (figures, "log.start_time") / 1000;
  if (log->start_s > LAST_SECOND)
    log->start_s = 0;
  log->duration_ns = run_figures_number (figures, "log.duration_ns");
  log->host = find_host (values, figures);
  log->program = *program != 0 ? g_strdup (program) : find_program (log, figures);
  log->version = *version != 0 ? g_strdup (version) : run_origin_version (figures);
  return true;
}

/* ---- without texts ---- */

/* Writes a copy whose texts are replaced, as the command anonymize does. */
static bool
make_copy (struct push_log *log, const struct cli_command *anonymize, const char *key,
           const char *path, GError **error)
{
  log->copy = g_build_filename (g_get_tmp_dir (), "proflog-push-XXXXXX", NULL);
  const int fd = g_mkstemp_full (log->copy, O_RDWR | O_CLOEXEC, 0600);
  if (fd < 0) {
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", log->copy,
                 g_strerror (errno));
    g_clear_pointer (&log->copy, g_free);
    return false;
  }
  close (fd);
  char *argv[] = { (char *) "anonymize",
                   (char *) "--quiet",
                   (char *) "--force",
                   (char *) "-o",
                   log->copy,
                   (char *) path,
                   NULL };
  g_setenv ("PROFLOG_KEY", key, TRUE);
  if (anonymize->run (anonymize, G_N_ELEMENTS (argv) - 1, argv) <= CLI_TRUE)
    return true;
  g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "its texts cannot be replaced");
  return false;
}

/* ---- all ---- */

/* Opens a log as the only one of the connection; its texts are replaced by words of the key, if
 * that is requested.  False with an error, which does not name the log; it is to be closed in any
 * case. */
static bool
push_log_open (struct push_log *log, struct query *query, const struct push_values *values,
               const char *key, const char *path, const char *name, GError **error)
{
  *log = (struct push_log){ .labels = g_ptr_array_new_with_free_func (g_free) };
  push_log_add_labels (log->labels, values);
  if (!find_id (path, log->id, error)
      || (values->anonymize && !make_copy (log, values->anonymizer, key, path, error)))
    return false;
  log->name = g_strdup (values->anonymize ? log->id : name);
  log->sql = sql_log_new (log->copy != NULL ? log->copy : path, &query->source, error);
  if (log->sql == NULL)
    return false;
  g_ptr_array_add (query->module->logs, log->sql);
  return read_figures (log, values, error);
}

static void
push_log_close (struct push_log *log, struct query *query)
{
  if (log->sql != NULL)
    g_ptr_array_remove (query->module->logs, log->sql);
  if (log->copy != NULL)
    unlink (log->copy);
  g_free (log->copy);
  g_free (log->name);
  g_free (log->host);
  g_free (log->program);
  g_free (log->version);
  g_ptr_array_unref (log->labels);
}

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

/* Of a process, with these labels. */
static struct push_profile
profile_of (const struct push_session *s, const struct push_process *process,
            const GPtrArray *labels)
{
  const char *const given = push_log_label (labels, "program");
  return (struct push_profile){ .program = *given != 0 ? given : process->program,
                                .kind = "cpu",
                                .host = push_log_host (s->values),
                                .pid = process->pid,
                                .runtime = process->is_ghc ? "ghc" : "mono",
                                .labels = labels };
}

bool
push_session_send_stacks (struct push_session *s, const struct export_stacks *stacks,
                          const char *kind, const struct push_process *process, GError **error)
{
  g_autoptr (GPtrArray) labels = labels_of (s->values);
  struct push_profile profile = profile_of (s, process, labels);
  profile.kind = kind;
  profile.stacks = stacks;
  return push_profile_send (&profile, s->values, s->http, error);
}

bool
push_session_send_figures (struct push_session *s, const struct live_figures *figures,
                           uint64_t start_ns, const struct push_process *process, GError **error)
{
  g_autoptr (GPtrArray) labels = labels_of (s->values);
  const struct push_profile profile = profile_of (s, process, labels);
  return s->values->to != PUSH_OTLP
         || push_otlp_send_figures (&profile, figures, start_ns, s->values, s->http, error);
}

static const char *
cost_kind (enum stacks_cost cost)
{
  for (const struct cli_choice *choice = log_stacks_costs; choice->name != NULL; choice++)
    if (choice->value == cost)
      return cost == STACKS_TIME ? "cpu" : choice->name;
  return "cpu";
}

/* The samples of a log, with their times. */
static enum push_fate
send_log_samples (struct push_session *s, const struct push_log *log, uint64_t *samples,
                  GError **error)
{
  const struct push_profile profile
      = { .program = log->program,
          .kind = "cpu",
          .host = log->host,
          .pid = log->pid,
          .runtime = sql_log_figures (log->sql, NULL)->is_eventlog ? "ghc" : "mono",
          .labels = log->labels };
  if (!push_otlp_send_log (&s->query->values->log, log->sql->name, &profile, s->values, s->http,
                           samples, error))
    return PUSH_NO_SERVER;
  if (*samples != 0)
    report (s, "%s: %" G_GUINT64_FORMAT " samples\n", log->name, *samples);
  return PUSH_SENT;
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
    const struct push_process process
        = { log->program, log->pid, sql_log_figures (log->sql, NULL)->is_eventlog };
    fate = push_session_send_stacks (s, &stacks, cost_kind (cost), &process, error)
               ? PUSH_SENT
               : PUSH_NO_SERVER;
  }
  if (fate == PUSH_SENT)
    report (s, "%s: %s of %u stacks\n", log->name, cost_kind (cost), stacks.nodes->len - 1);
  export_stacks_clear (&stacks);
  return fate;
}

/* Collectors of OpenTelemetry get the times of samples; stacks of a log without samples, or of
 * another cost, have sums. */
static enum push_fate
send_profiles (struct push_session *s, const struct push_log *log, GError **error)
{
  uint64_t samples = 0;
  if (s->values->to == PUSH_OTLP && s->values->cost == STACKS_ANY) {
    const enum push_fate fate = send_log_samples (s, log, &samples, error);
    if (fate != PUSH_SENT || samples != 0)
      return fate;
  }
  return send_log_stacks (s, log, error);
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
    fate = has_tables ? send_tables (s, &log, error) : send_profiles (s, &log, error);
  progress_clear (&s->query->values->log.progress);
  push_log_close (&log, s->query);
  return fate;
}
