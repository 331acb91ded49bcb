/* http-server.c -- routes requests to the page, the metrics, the events and the commands. */
#include "config.h"

#include "decoder/serve/http-server.h"
#include "decoder/live/live-outputs.h"
#include "decoder/output/html.h"
#include "decoder/serve/http.h"
#include "decoder/serve/served.h"
#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
  CONNECTIONS_MAX = 64, /* at a time, besides those of the owner that wait for a request */
  CONNECTION_BYTES = 32768,
  SENT_BYTES = 65536, /* that wait for slow readers, in the system */
};

enum { METRICS = LIVE_METRICS_OPEN + 1 };

struct http_server {
  struct MHD_Daemon *daemon;
  struct http_clients *clients;
  unsigned port;
  char *token;
  bool has_overview; /* and a page of each source, by number */
  char *(*ask) (long pid, const char *line, GError **error);
  GPtrArray
      *sources; /* of struct served_source; changed by the thread that reads, under the lock */
  pthread_mutex_t lock;
  GBytes *metrics[METRICS];
  GBytes *figures; /* of all sources, JSON */
  uint64_t puts;   /* how often figures were put */
  GBytes *report;  /* of several sources; NULL: there is none */
};

/* A request that was begun. */
struct request {
  struct served_source *source; /* a use of it; NULL: of all */
  GString *body;                /* of a command; NULL: it is none */
  struct control_job *job;      /* whose answer is waited for; NULL: none is */
};

/* ---- answers ---- */

static enum MHD_Result
answer_metrics (struct http_server *s, struct MHD_Connection *connection)
{
  const char *accepted = http_header (connection, MHD_HTTP_HEADER_ACCEPT);
  const bool is_open
      = accepted != NULL && strstr (accepted, "application/openmetrics-text") != NULL;
  gsize length = 0;
  pthread_mutex_lock (&s->lock);
  GBytes *bytes = s->metrics[is_open ? LIVE_METRICS_OPEN : LIVE_METRICS_TEXT];
  const void *text = g_bytes_get_data (bytes, &length);
  struct MHD_Response *response = http_copy_of (text, length);
  pthread_mutex_unlock (&s->lock);
  return http_answer (connection, MHD_HTTP_OK,
                      is_open ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                              : "text/plain; version=0.0.4; charset=utf-8",
                      response);
}

/* The graph of the last request's interval: the thread that reads makes the next one. */
static enum MHD_Result
answer_flame (struct served_source *source, struct MHD_Connection *connection)
{
  gsize length = 0;
  GBytes *flame = served_source_take_flame (source);
  const void *json = g_bytes_get_data (flame, &length);
  struct MHD_Response *response = http_copy_of (json, length);
  g_bytes_unref (flame);
  return http_answer (connection, MHD_HTTP_OK, "application/json", response);
}

/* The bytes live as long as the server.  NULL: there is no report. */
static enum MHD_Result
answer_report (struct MHD_Connection *connection, GBytes *report)
{
  gsize length = 0;
  if (report == NULL)
    return http_answer_text (connection, MHD_HTTP_NOT_FOUND, "There is no report of it yet.\n");
  const void *page = g_bytes_get_data (report, &length);
  return http_answer_report (
      connection, MHD_HTTP_OK, "text/html; charset=utf-8",
      MHD_create_response_from_buffer (length, (void *) page, MHD_RESPMEM_PERSISTENT));
}

static enum MHD_Result
answer_history (struct served_source *source, struct MHD_Connection *connection)
{
  GString *text = served_source_history (source);
  const enum MHD_Result result = http_answer_json (connection, MHD_HTTP_OK, text->str);
  g_string_free (text, TRUE);
  return result;
}

static enum MHD_Result
answer_figures (struct http_server *s, struct MHD_Connection *connection)
{
  gsize length = 0;
  pthread_mutex_lock (&s->lock);
  const void *json = g_bytes_get_data (s->figures, &length);
  struct MHD_Response *response = http_copy_of (json, length);
  pthread_mutex_unlock (&s->lock);
  return http_answer (connection, MHD_HTTP_OK, "application/json", response);
}

static enum MHD_Result
answer_events (struct served_source *source, struct MHD_Connection *connection, bool is_head)
{
  static const char type[] = "text/event-stream; charset=utf-8";
  if (is_head)
    return http_answer (connection, MHD_HTTP_OK, type, http_copy_of ("", 0));
  struct MHD_Response *response
      = event_hub_connect (source->hub, connection, http_header (connection, "Last-Event-ID"));
  if (response == NULL)
    return http_answer_text (connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                             "Too many readers of events; close some pages.\n");
  return http_answer (connection, MHD_HTTP_OK, type, response);
}

/* ---- control ---- */

static enum MHD_Result
answer_job (struct MHD_Connection *connection, struct control_job *job)
{
  const char *text = control_job_answer (job);
  if (text == NULL)
    return MHD_NO;
  return http_answer_json (
      connection, g_str_has_prefix (text, "{\"ok\":true") ? MHD_HTTP_OK : MHD_HTTP_CONFLICT, text);
}

static enum MHD_Result
answer_no_control (struct MHD_Connection *connection)
{
  return http_answer_text (connection, MHD_HTTP_NOT_FOUND, "The source accepts no commands.\n");
}

/* Takes the line. */
static enum MHD_Result
submit (struct MHD_Connection *connection, struct request *r, char *line)
{
  r->job = control_desk_submit (r->source->desk, connection, line);
  if (r->job != NULL)
    return MHD_YES; /* this is called again */
  return http_answer_text (connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                           "Too many requests are waiting.\n");
}

static enum MHD_Result
command (struct MHD_Connection *connection, struct request *r)
{
  char *line = control_desk_line (r->body->str, r->body->len);
  if (line == NULL)
    return http_answer_json (
        connection, MHD_HTTP_BAD_REQUEST,
        "{\"ok\":false,\"error\":\"usage\",\"message\":\"there are start, stop, "
        "flush, sync, heapshot, enable CLASS, disable CLASS\"}");
  return submit (connection, r, line);
}

/* The body of a command comes, or has come: then *size is 0. */
static enum MHD_Result
append_body (struct MHD_Connection *connection, struct request *r, const char *bytes, size_t *size)
{
  if (*size == 0)
    return command (connection, r);
  if (r->body->len + *size > CONTROL_COMMAND_MAX)
    return MHD_NO; /* longer than it stated */
  g_string_append_len (r->body, bytes, (gssize) *size);
  *size = 0;
  return MHD_YES;
}

/* Whether a command may come from there, and how long it is; else that is answered. */
static bool
may_command (struct http_server *s, struct MHD_Connection *connection, enum MHD_Result *result)
{
  const char *length = http_header (connection, MHD_HTTP_HEADER_CONTENT_LENGTH);
  guint64 bytes = 0;
  if (http_header (connection, HTTP_COMMAND_HEADER) == NULL
      || !http_guard_origin (http_header (connection, MHD_HTTP_HEADER_ORIGIN), s->port))
    *result = http_answer_text (connection, MHD_HTTP_FORBIDDEN,
                                "Commands need the header " HTTP_COMMAND_HEADER
                                ", from no other page.\n");
  else if (length != NULL
           && (!g_ascii_string_to_unsigned (length, 10, 0, G_MAXUINT64, &bytes, NULL)
               || bytes > CONTROL_COMMAND_MAX))
    *result
        = http_answer_text (connection, MHD_HTTP_CONTENT_TOO_LARGE, "The command is too long.\n");
  else
    return true;
  return false;
}

static enum MHD_Result
begin_command (struct http_server *s, struct MHD_Connection *connection,
               struct served_source *source, const char *method, void **context)
{
  enum MHD_Result result;
  if (source->desk == NULL)
    return answer_no_control (connection);
  if (strcmp (method, MHD_HTTP_METHOD_POST) != 0)
    return http_refuse_method (connection, "GET, HEAD, POST");
  if (!may_command (s, connection, &result))
    return result;
  struct request *r = g_new0 (struct request, 1);
  r->source = served_source_ref (source);
  r->body = g_string_new (NULL);
  *context = r;
  return MHD_YES;
}

static enum MHD_Result
answer_status (struct MHD_Connection *connection, struct request *r)
{
  return r->source->desk != NULL ? submit (connection, r, g_strdup ("json status\n"))
                                 : answer_no_control (connection);
}

static void
end_request (void *data, struct MHD_Connection *connection, void **context,
             enum MHD_RequestTerminationCode code)
{
  struct request *r = *context;
  (void) code;
  http_clients_note_answer (data, connection);
  if (r == NULL)
    return;
  if (r->body != NULL)
    g_string_free (r->body, TRUE);
  if (r->job != NULL)
    control_job_free (r->job);
  if (r->source != NULL)
    served_source_unref (r->source);
  g_free (r);
}

/* ---- requests ---- */

static const struct embedded_file *
find_file (const char *name)
{
  for (const struct embedded_file *file = page_files; file->name != NULL; file++)
    if (strcmp (file->name, name) == 0)
      return file;
  return NULL;
}

static enum MHD_Result
answer_file (struct MHD_Connection *connection, const char *name)
{
  const struct embedded_file *file = find_file (name);
  if (file == NULL)
    return http_answer_text (connection, MHD_HTTP_NOT_FOUND, "There is no such page.\n");
  return http_answer (
      connection, MHD_HTTP_OK, file->type,
      MHD_create_response_from_buffer (file->length, (void *) file->bytes, MHD_RESPMEM_PERSISTENT));
}

/* The answers for several sources together. */
static enum MHD_Result
answer_of_all (struct http_server *s, struct MHD_Connection *connection, const char *name)
{
  if (strcmp (name, "metrics") == 0)
    return answer_metrics (s, connection);
  if (strcmp (name, "figures") == 0)
    return answer_figures (s, connection);
  if (strcmp (name, "report") == 0) {
    pthread_mutex_lock (&s->lock);
    GBytes *report = s->report;
    pthread_mutex_unlock (&s->lock);
    return answer_report (connection, report);
  }
  return answer_file (connection, *name == 0 ? "overview.html" : name);
}

/* A relative link of the page would miss its number without the slash. */
static enum MHD_Result
answer_moved (struct MHD_Connection *connection, const struct served_source *source)
{
  g_autofree char *location = g_strdup_printf ("%" G_GUINT64_FORMAT "/", source->number);
  return http_answer_moved (connection, location);
}

static enum MHD_Result
answer_read (struct http_server *s, struct MHD_Connection *connection, const char *name,
             bool is_head, struct request *r)
{
  struct served_source *const source = r->source;
  if (source == NULL)
    return answer_of_all (s, connection, name);
  if (name == NULL)
    return answer_moved (connection, source);
  if (strcmp (name, "control") == 0)
    return answer_status (connection, r);
  if (strcmp (name, "events") == 0)
    return answer_events (source, connection, is_head);
  if (strcmp (name, "history") == 0)
    return answer_history (source, connection);
  if (strcmp (name, "flame") == 0)
    return answer_flame (source, connection);
  if (strcmp (name, "report") == 0)
    return answer_report (connection, served_source_report (source));
  if (strcmp (name, "metrics") == 0 && !s->has_overview)
    return answer_metrics (s, connection);
  return answer_file (connection, name);
}

/* The source of the number (transfer full); 0: the first one.  NULL if there is none. */
static struct served_source *
get_source (struct http_server *s, uint64_t number)
{
  struct served_source *found = NULL;
  pthread_mutex_lock (&s->lock);
  for (guint i = 0; i < s->sources->len && found == NULL; i++) {
    struct served_source *source = g_ptr_array_index (s->sources, i);
    if (number == 0 || source->number == number)
      found = served_source_ref (source);
  }
  pthread_mutex_unlock (&s->lock);
  return found;
}

/* The source that a path below the token is of (transfer full); NULL: all.  *name is the rest, NULL
 * if the slash is missing. */
static struct served_source *
find_source (struct http_server *s, const char **name)
{
  guint64 number;
  if (!s->has_overview)
    return get_source (s, 0);
  const char *end = *name + strcspn (*name, "/");
  g_autofree char *digits = g_strndup (*name, (gsize) (end - *name));
  if (!g_ascii_string_to_unsigned (digits, 10, 1, G_MAXUINT64, &number, NULL))
    return NULL;
  struct served_source *source = get_source (s, number);
  if (source != NULL)
    *name = *end == '/' ? end + 1 : NULL;
  return source;
}

/* An answer before the request was read whole ends the connection. */
static enum MHD_Result
begin_request (struct http_server *s, struct MHD_Connection *connection, const char *path,
               const char *method, bool is_read, void **context)
{
  if (path == NULL)
    return http_answer_text (connection, MHD_HTTP_NOT_FOUND, "There is no such page.\n");
  const char *name = path;
  if (!is_read) {
    struct served_source *source = find_source (s, &name);
    const bool is_command = source != NULL && g_strcmp0 (name, "control") == 0;
    const enum MHD_Result result = is_command
                                       ? begin_command (s, connection, source, method, context)
                                       : http_refuse_method (connection, "GET, HEAD");
    if (source != NULL)
      served_source_unref (source);
    return result;
  }
  *context = g_new0 (struct request, 1);
  return MHD_YES;
}

static enum MHD_Result
handle (void *data, struct MHD_Connection *connection, const char *path, const char *method,
        const char *version, const char *bytes, size_t *size, void **context)
{
  struct http_server *s = data;
  struct request *r = *context;
  if (r != NULL && r->job != NULL)
    return answer_job (connection, r->job);
  if (r != NULL && r->body != NULL)
    return append_body (connection, r, bytes, size);
  http_clients_note_request (s->clients, connection);
  if (*size != 0) { /* the body of a request that needs none */
    *size = 0;
    return MHD_YES;
  }
  if (!http_guard_host (http_host (connection), s->port))
    return http_answer_text (
        connection, MHD_HTTP_FORBIDDEN,
        "The request names another host: use http://127.0.0.1:PORT/ or localhost.\n");
  if (!http_is_all_seen (connection, method, version))
    return http_answer_text (connection, MHD_HTTP_BAD_REQUEST,
                             "The head of the request has bytes of 0, or blanks that it does not "
                             "need.\n");
  const char *name = http_guard_path (path, s->token);
  const bool is_head = strcmp (method, MHD_HTTP_METHOD_HEAD) == 0;
  const bool is_read = is_head || strcmp (method, MHD_HTTP_METHOD_GET) == 0;
  if (r == NULL)
    return begin_request (s, connection, name, method, is_read, context);
  r->source = find_source (s, &name);
  return answer_read (s, connection, name, is_head, r);
}

/* ---- sources ---- */

static struct served_source *
source_at (const struct http_server *s, guint i)
{
  return g_ptr_array_index (s->sources, i);
}

void
http_server_add (struct http_server *s, const struct http_server_source *source)
{
  struct served_source *served
      = served_source_new (source->number, source->name, source->pid, s->ask);
  pthread_mutex_lock (&s->lock);
  g_ptr_array_add (s->sources, served);
  pthread_mutex_unlock (&s->lock);
}

void
http_server_remove (struct http_server *s, guint i)
{
  pthread_mutex_lock (&s->lock);
  struct served_source *source = g_ptr_array_steal_index (s->sources, i);
  pthread_mutex_unlock (&s->lock);
  served_source_close (source);
  served_source_unref (source);
}

/* ---- the server ---- */

/* A socket that listens on this machine alone; -1 with an error. */
static int
listen_at (unsigned *port, GError **error)
{
  struct sockaddr_in address = { .sin_family = AF_INET,
                                 .sin_port = htons ((uint16_t) *port),
                                 .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  socklen_t size = sizeof address;
  const int on = 1, sent = SENT_BYTES; /* connections have it of this socket */
  const int fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && setsockopt (fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0
      && setsockopt (fd, SOL_SOCKET, SO_SNDBUF, &sent, sizeof sent) == 0
      && bind (fd, (struct sockaddr *) &address, sizeof address) == 0 && listen (fd, SOMAXCONN) == 0
      && getsockname (fd, (struct sockaddr *) &address, &size) == 0) {
    *port = ntohs (address.sin_port);
    return fd;
  }
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "127.0.0.1:%u: %s", *port,
               g_strerror (errno));
  if (fd >= 0)
    close (fd);
  return -1;
}

static void
start_daemon (struct http_server *s, int fd)
{
  sigset_t all, before;
  /* Signals are for the thread that reads. */
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  s->daemon = MHD_start_daemon (
      MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, http_clients_admit, s->clients,
      handle, s, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT,
      (unsigned) (CONNECTIONS_MAX + HTTP_CLIENTS_WAITING), MHD_OPTION_CONNECTION_MEMORY_LIMIT,
      (size_t) CONNECTION_BYTES, MHD_OPTION_NOTIFY_CONNECTION, http_clients_notify, s->clients,
      MHD_OPTION_URI_LOG_CALLBACK, http_clients_note_target, s->clients,
      MHD_OPTION_NOTIFY_COMPLETED, end_request, s->clients, MHD_OPTION_END);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
}

static void
free_server (struct http_server *s)
{
  for (int i = 0; i < METRICS; i++)
    g_bytes_unref (s->metrics[i]);
  g_bytes_unref (s->figures);
  g_bytes_unref (s->report);
  g_ptr_array_unref (s->sources);
  pthread_mutex_destroy (&s->lock);
  http_clients_free (s->clients);
  g_free (s->token);
  g_free (s);
}

struct http_server *
http_server_start (const struct http_server_options *o, GError **error)
{
  struct http_server *s = g_new0 (struct http_server, 1);
  s->port = o->port;
  const int fd = listen_at (&s->port, error);
  if (fd < 0) {
    g_free (s);
    return NULL;
  }
  s->token = g_strdup (o->token);
  s->has_overview = o->has_overview;
  s->ask = o->ask;
  s->sources = g_ptr_array_new_with_free_func ((GDestroyNotify) served_source_unref);
  pthread_mutex_init (&s->lock, NULL);
  for (int i = 0; i < METRICS; i++)
    s->metrics[i] = g_bytes_new_static ("", 0);
  s->figures = g_bytes_new_static ("null", 4);
  s->clients = http_clients_new (s->port, CONNECTIONS_MAX);
  start_daemon (s, fd);
  if (s->daemon != NULL)
    return s;
  close (fd);
  free_server (s);
  g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "the server does not start");
  return NULL;
}

void
http_server_stop (struct http_server *s)
{
  for (guint i = 0; i < s->sources->len; i++)
    served_source_close (source_at (s, i));
  MHD_stop_daemon (s->daemon);
  free_server (s);
}

void
http_server_expire (struct http_server *s)
{
  http_clients_expire (s->clients);
}

unsigned
http_server_port (const struct http_server *s)
{
  return s->port;
}

/* ---- figures ---- */

/* Takes the text. */
static void
set_bytes (struct http_server *s, GBytes **place, GString *text)
{
  GBytes *bytes = g_string_free_to_bytes (text);
  pthread_mutex_lock (&s->lock);
  GBytes *old = *place;
  *place = bytes;
  pthread_mutex_unlock (&s->lock);
  g_bytes_unref (old);
}

static void
put_metrics (struct http_server *s, const struct live_named *sources)
{
  g_autoptr (GArray) whole = g_array_new (FALSE, FALSE, sizeof *sources);
  for (guint i = 0; i < s->sources->len; i++)
    if (!sources[i].is_partial)
      g_array_append_val (whole, sources[i]);
  for (int i = 0; i < METRICS; i++) {
    GString *text = g_string_new (NULL);
    live_metrics_append ((const struct live_named *) (const void *) whole->data, whole->len,
                         (enum live_metrics) i, text);
    set_bytes (s, &s->metrics[i], text);
  }
}

static void
put_figures (struct http_server *s, const struct live_named *sources)
{
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "{\"id\":%" G_GUINT64_FORMAT ",\"report\":%s,\"numbers\":[",
                          s->puts, s->report != NULL ? "true" : "false");
  g_autoptr (GString) whole = g_string_new (NULL);
  for (guint i = 0; i < s->sources->len; i++) {
    const char *separator = whole->len != 0 ? "," : "";
    if (sources[i].is_partial)
      continue;
    g_string_append_printf (text, "%s%" G_GUINT64_FORMAT, separator, source_at (s, i)->number);
    g_string_append (whole, separator);
    live_print_json_of (&sources[i], sources[i].name, whole);
  }
  g_string_append_printf (text, "],\"sources\":[%s]}", whole->str);
  set_bytes (s, &s->figures, text);
}

void
http_server_put (struct http_server *s, const struct live_named *sources)
{
  put_metrics (s, sources);
  if (s->has_overview)
    put_figures (s, sources);
  for (guint i = 0; i < s->sources->len; i++)
    if (!source_at (s, i)->has_ended && !sources[i].is_partial)
      served_source_put (source_at (s, i), s->puts, sources[i].figures, sources[i].is_over,
                         s->has_overview);
  s->puts++;
}

void
http_server_set_report (struct http_server *s, guint source, GBytes *page)
{
  served_source_set_report (source_at (s, source), page);
}

void
http_server_set_joint_report (struct http_server *s, GBytes *page)
{
  pthread_mutex_lock (&s->lock);
  s->report = page;
  pthread_mutex_unlock (&s->lock);
}

bool
http_server_wants_flame (const struct http_server *s, guint source)
{
  return atomic_load (&source_at (s, source)->wants_flame);
}

void
http_server_set_flame (struct http_server *s, guint source, GBytes *flame)
{
  served_source_set_flame (source_at (s, source), flame);
}

void
http_server_beat (struct http_server *s)
{
  for (guint i = 0; i < s->sources->len; i++)
    event_hub_wake (source_at (s, i)->hub);
}
