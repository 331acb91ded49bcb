/* test-serve-connections.c -- the parts of the server that have connections, with a daemon that is
 * none: who is admitted, the texts for readers of events, the answers to commands. */
#include "config.h"

#include "decoder/serve/http.h"
#include "decoder/serve/served.h"
#include "tests/unit/test.h"

#include <arpa/inet.h>
#include <proflog/control.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- a daemon ---- */

struct MHD_Connection {
  int fd;
  void *context;
  unsigned timeout; /* s */
  int suspended;    /* times, less those that it was resumed */
};

struct MHD_Response {
  MHD_ContentReaderCallback read;
  MHD_ContentReaderFreeCallback free;
  void *data;
};

static bool has_no_responses;

void
MHD_suspend_connection (struct MHD_Connection *connection)
{
  __atomic_fetch_add (&connection->suspended, 1, __ATOMIC_SEQ_CST);
}

void
MHD_resume_connection (struct MHD_Connection *connection)
{
  __atomic_fetch_sub (&connection->suspended, 1, __ATOMIC_SEQ_CST);
}

static bool
is_suspended (struct MHD_Connection *connection)
{
  return __atomic_load_n (&connection->suspended, __ATOMIC_SEQ_CST) != 0;
}

const union MHD_ConnectionInfo *
MHD_get_connection_info (struct MHD_Connection *connection, enum MHD_ConnectionInfoType type, ...)
{
  static union MHD_ConnectionInfo info;
  if (type == MHD_CONNECTION_INFO_CONNECTION_FD)
    info.connect_fd = connection->fd;
  else
    info.socket_context = connection->context;
  return &info;
}

enum MHD_Result
MHD_set_connection_option (struct MHD_Connection *connection, enum MHD_CONNECTION_OPTION option,
                           ...)
{
  va_list args;
  va_start (args, option);
  if (option == MHD_CONNECTION_OPTION_TIMEOUT)
    connection->timeout = va_arg (args, unsigned);
  va_end (args);
  return MHD_YES;
}

struct MHD_Response *
MHD_create_response_from_callback (uint64_t size, size_t block, MHD_ContentReaderCallback read,
                                   void *data, MHD_ContentReaderFreeCallback end)
{
  assert_int_equal (size, MHD_SIZE_UNKNOWN);
  assert_true (block > 0);
  if (has_no_responses)
    return NULL;
  struct MHD_Response *response = g_new0 (struct MHD_Response, 1);
  *response = (struct MHD_Response){ read, end, data };
  return response;
}

/* ---- who connects ---- */

static uid_t next_user;
static gint64 now_us = 1;

/* In the place of GLib's: no test waits for seconds. */
gint64
g_get_monotonic_time (void)
{
  return now_us;
}

uid_t
loopback_user (unsigned from, unsigned to)
{
  assert_int_equal (from, 4444);
  assert_int_equal (to, 9700);
  return next_user;
}

static enum MHD_Result
admit (struct http_clients *clients, uid_t user)
{
  const struct sockaddr_in from = { .sin_family = AF_INET, .sin_port = htons (4444) };
  next_user = user;
  return http_clients_admit (clients, (const struct sockaddr *) &from, sizeof from);
}

static void
begin_connection (struct http_clients *clients, struct MHD_Connection *connection, uid_t user)
{
  assert_int_equal (admit (clients, user), MHD_YES);
  http_clients_notify (clients, connection, &connection->context, MHD_CONNECTION_NOTIFY_STARTED);
  assert_non_null (connection->context);
}

static void
end_connection (struct http_clients *clients, struct MHD_Connection *connection)
{
  http_clients_notify (clients, connection, &connection->context, MHD_CONNECTION_NOTIFY_CLOSED);
}

/* Of 40 connections the half is for others, and few for one of them; the owner gets all. */
TEST (test_users)
{
  enum { MOST = 40 };
  const uid_t own = geteuid (), other = own + 1, third = own + 2;
  struct http_clients *clients = http_clients_new (9700, MOST);
  struct MHD_Connection connections[2 * MOST] = { { .fd = -1 } };
  unsigned n = 0;
  for (int i = 0; i < 8; i++)
    begin_connection (clients, &connections[n++], other);
  assert_int_equal (admit (clients, other), MHD_NO);
  for (int i = 0; i < 8; i++)
    begin_connection (clients, &connections[n++], third);
  assert_int_equal (admit (clients, third), MHD_NO);
  /* Of users who are not known, who may be several, there are as many as have room. */
  for (int i = 0; i < 4; i++)
    begin_connection (clients, &connections[n++], LOOPBACK_NOBODY);
  assert_int_equal (admit (clients, LOOPBACK_NOBODY), MHD_NO);
  assert_int_equal (admit (clients, own + 3), MHD_NO);
  for (int i = 0; i < 20; i++)
    begin_connection (clients, &connections[n++], own);
  end_connection (clients, &connections[0]);
  begin_connection (clients, &connections[0], other);
  assert_int_equal (admit (clients, other), MHD_NO);
  for (unsigned i = 0; i < n; i++)
    end_connection (clients, &connections[i]);
  assert_int_equal (admit (clients, other), MHD_YES);
  http_clients_free (clients);
}

/* Addresses of another family are not of this machine's port. */
TEST (test_addresses)
{
  struct http_clients *clients = http_clients_new (9700, 4);
  const struct sockaddr_in6 six = { .sin6_family = AF_INET6 };
  const struct sockaddr_in four = { .sin_family = AF_INET };
  next_user = geteuid ();
  assert_int_equal (http_clients_admit (clients, (const struct sockaddr *) &six, sizeof six),
                    MHD_NO);
  assert_int_equal (http_clients_admit (clients, (const struct sockaddr *) &four, sizeof four - 1),
                    MHD_NO);
  http_clients_free (clients);
}

/* A connection has 2 s for the head of its request, then a minute at a time. */
TEST (test_late_clients)
{
  struct http_clients *clients = http_clients_new (9700, 4);
  struct MHD_Connection late = { 0 }, asked = { 0 };
  int late_fds[2], asked_fds[2];
  char byte;
  assert_int_equal (socketpair (AF_UNIX, SOCK_STREAM, 0, late_fds), 0);
  assert_int_equal (socketpair (AF_UNIX, SOCK_STREAM, 0, asked_fds), 0);
  late.fd = late_fds[0];
  asked.fd = asked_fds[0];
  begin_connection (clients, &late, geteuid ());
  begin_connection (clients, &asked, geteuid ());
  assert_int_equal (late.timeout, 2);
  http_clients_note_request (clients, &asked);
  assert_int_equal (asked.timeout, 60);
  asked.timeout = 0;
  http_clients_note_request (clients, &asked);
  assert_int_equal (asked.timeout, 0); /* not again */
  http_clients_expire (clients);
  assert_int_equal (recv (late_fds[1], &byte, 1, MSG_DONTWAIT), -1);
  now_us += 2 * G_USEC_PER_SEC + 1;
  http_clients_expire (clients);
  assert_int_equal (recv (late_fds[1], &byte, 1, MSG_DONTWAIT), 0); /* its end */
  assert_int_equal (recv (asked_fds[1], &byte, 1, MSG_DONTWAIT), -1);
  for (int i = 0; i < 2; i++) {
    close (late_fds[i]);
    close (asked_fds[i]);
  }
  http_clients_free (clients);
}

/* Of the owner's connections on which nothing is in work a number stay: with the next one, the
 * oldest ends. */
TEST (test_waiting_of_owner)
{
  enum { MOST = HTTP_CLIENTS_WAITING };
  struct http_clients *clients = http_clients_new (9700, 64);
  struct MHD_Connection connections[MOST + 3] = { 0 };
  int fds[MOST + 3][2];
  char byte;
  for (int i = 0; i < MOST + 3; i++) {
    assert_int_equal (socketpair (AF_UNIX, SOCK_STREAM, 0, fds[i]), 0);
    connections[i].fd = fds[i][0];
    begin_connection (clients, &connections[i], geteuid ());
    if (i < 2) /* the first is answered, the second for ever */
      http_clients_note_request (clients, &connections[i]);
    if (i == 0)
      http_clients_note_answer (clients, &connections[i]);
  }
  for (int i = 0; i < MOST + 3; i++)
    assert_int_equal (recv (fds[i][1], &byte, 1, MSG_DONTWAIT), i == 0 || i == 2 ? 0 : -1);
  for (int i = 0; i < MOST + 3; i++) {
    end_connection (clients, &connections[i]);
    close (fds[i][0]);
    close (fds[i][1]);
  }
  http_clients_free (clients);
}

/* ---- events ---- */

static void
add_frame (struct frames *frames, const char *text)
{
  GString *frame = g_string_new (text);
  frames_add (frames, frame);
  g_string_free (frame, TRUE);
}

/* The next text of the reader, `most` bytes at a time, up to its waiting or its end. */
static char *
read_all (struct MHD_Response *response, size_t most, bool *ends)
{
  GString *text = g_string_new (NULL);
  char bytes[256];
  ssize_t n;
  while ((n = response->read (response->data, text->len, bytes, most)) > 0)
    g_string_append_len (text, bytes, n);
  assert_true (n == 0 || n == MHD_CONTENT_READER_END_OF_STREAM);
  *ends = n != 0;
  return g_string_free (text, FALSE);
}

static void
check_read (struct MHD_Response *response, size_t most, bool ends, const char *expected)
{
  bool has_ended;
  char *text = read_all (response, most, &has_ended);
  assert_string_equal (text, expected);
  assert_int_equal (has_ended, ends);
  g_free (text);
}

static void
end_response (struct MHD_Response *response)
{
  response->free (response->data);
  g_free (response);
}

TEST (test_readers)
{
  struct MHD_Connection a = { 0 }, b = { 0 }, c = { 0 };
  struct frames *frames = frames_new (3);
  struct event_hub *hub = event_hub_new (frames);
  struct MHD_Response *early = event_hub_connect (hub, &a, NULL);
  check_read (early, 100, false, "");
  assert_true (is_suspended (&a));
  for (int i = 0; i < 5; i++)
    add_frame (frames, (const char *[]){ "zero ", "one ", "two ", "three ", "four " }[i]);
  /* From the newest on, or from after the one that it had, of which there is none in the future. */
  struct MHD_Response *newest = event_hub_connect (hub, &b, NULL);
  check_read (newest, 2, false, "four ");
  static const char *const last[] = { "2", "4", "5", "99", "x", "" };
  static const char *const expected[] = { "three four ", "", "four ", "four ", "four ", "four " };
  for (size_t i = 0; i < G_N_ELEMENTS (last); i++) {
    struct MHD_Connection own = { 0 };
    struct MHD_Response *again = event_hub_connect (hub, &own, last[i]);
    check_read (again, 100, false, expected[i]);
    end_response (again);
  }
  /* The losses of a reader are a word before the others; it is read in small parts, too. */
  event_hub_wake (hub);
  assert_false (is_suspended (&a));
  check_read (early, 7, false, "event: lost\ndata: {\"frames\":2}\n\ntwo three four ");
  /* Without news, a sign of life. */
  assert_false (is_suspended (&b));
  check_read (newest, 100, false, ":\n\n");
  assert_true (is_suspended (&b));
  /* The end: those that wait, one that does not yet, and one that comes too late. */
  struct MHD_Response *last_one = event_hub_connect (hub, &c, "4");
  event_hub_close (hub);
  assert_false (is_suspended (&b));
  check_read (newest, 100, true, "");
  check_read (last_one, 100, true, "");
  assert_null (event_hub_connect (hub, &c, NULL));
  event_hub_unref (hub);
  end_response (early);
  end_response (newest);
  end_response (last_one); /* frees the hub */
}

TEST (test_too_many_readers)
{
  struct MHD_Connection connection = { 0 };
  struct MHD_Response *responses[EVENT_READERS_MAX];
  struct event_hub *hub = event_hub_new (frames_new (3));
  has_no_responses = true;
  assert_null (event_hub_connect (hub, &connection, NULL));
  has_no_responses = false;
  for (int i = 0; i < EVENT_READERS_MAX; i++)
    assert_non_null (responses[i] = event_hub_connect (hub, &connection, NULL));
  assert_null (event_hub_connect (hub, &connection, NULL));
  end_response (responses[0]);
  assert_non_null (responses[0] = event_hub_connect (hub, &connection, NULL));
  for (int i = 0; i < EVENT_READERS_MAX; i++)
    end_response (responses[i]);
  event_hub_unref (hub);
}

/* ---- commands ---- */

TEST (test_lines)
{
  static const char *const good[] = { "start",    "stop",      "flush",       "sync",
                                      "heapshot", "enable gc", "disable a-b", "enable a_1 b 2" };
  static const char *const bad[]
      = { "",          " ",        "start ",         " start",    "status",
          "start now", "enable",   "enable  gc",     "enable GC", "enable g.c",
          "start\n",   "output x", "enable \xc3\xa4" };
  for (size_t i = 0; i < G_N_ELEMENTS (good); i++) {
    char *line = control_desk_line (good[i], strlen (good[i]));
    char *expected = g_strconcat ("json ", good[i], "\n", NULL);
    assert_string_equal (line, expected);
    g_free (expected);
    g_free (line);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++)
    assert_null (control_desk_line (bad[i], strlen (bad[i])));
  assert_null (control_desk_line ("start\0", 6));
  /* The longest, and one more. */
  g_autofree char *class = g_strnfill (CONTROL_COMMAND_MAX + 1 - strlen ("enable "), 'a');
  char *longest = g_strconcat ("enable ", class, NULL);
  char *line = control_desk_line (longest, CONTROL_COMMAND_MAX);
  assert_non_null (line);
  assert_null (control_desk_line (longest, CONTROL_COMMAND_MAX + 1));
  g_free (line);
  g_free (longest);
}

static _Atomic bool may_answer = true;

static char *
answer (long pid, const char *line, GError **error)
{
  while (!may_answer)
    g_usleep (1000);
  if (strcmp (line, "json fail\n") == 0) {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "process %ld is \"gone\"", pid);
    return NULL;
  }
  if (strcmp (line, "json nonsense\n") == 0)
    return g_strdup ("nonsense\n");
  return g_strdup ("{\"ok\":true,\"text\":\"\xff\"}\n");
}

static struct control_job *
submit (struct control_desk *desk, struct MHD_Connection *connection, const char *line)
{
  return control_desk_submit (desk, connection, g_strdup (line));
}

TEST (test_answers)
{
  static const struct {
    const char *line, *answer;
  } cases[] = {
    { "json start\n", "{\"ok\":true,\"text\":\"\xef\xbf\xbd\"}" },
    { "json nonsense\n", "{\"ok\":false,\"error\":\"" PROFLOG_CONTROL_FAILED
                         "\",\"message\":\"the program's reply is invalid\"}" },
    { "json fail\n", "{\"ok\":false,\"error\":\"" PROFLOG_CONTROL_FAILED
                     "\",\"message\":\"process 4711 is \\\"gone\\\"\"}" },
  };
  struct control_desk *desk = control_desk_new (4711, answer);
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    struct MHD_Connection connection = { 0 };
    struct control_job *job = submit (desk, &connection, cases[i].line);
    while (is_suspended (&connection))
      g_usleep (1000);
    assert_string_equal (control_job_answer (job), cases[i].answer);
    control_job_free (job);
  }
  control_desk_close (desk);
  struct MHD_Connection late = { 0 };
  assert_null (submit (desk, &late, "json start\n"));
  assert_false (is_suspended (&late));
  control_desk_unref (desk);
}

/* One is being answered, some wait, and one more is too many; at the end none gets an answer. */
TEST (test_waiting_commands)
{
  struct MHD_Connection connections[CONTROL_WAITING_MAX + 2] = { { 0 } };
  struct control_job *jobs[CONTROL_WAITING_MAX + 1];
  struct control_desk *desk = control_desk_new (1, answer);
  may_answer = false;
  jobs[0] = submit (desk, &connections[0], "json start\n");
  for (int i = 1; i <= CONTROL_WAITING_MAX; i++)
    /* The first one waits no more once the thread has it. */
    while ((jobs[i] = submit (desk, &connections[i], "json start\n")) == NULL)
      g_usleep (1000);
  assert_null (submit (desk, &connections[CONTROL_WAITING_MAX + 1], "json start\n"));
  /* One whose client is gone. */
  control_job_free (jobs[1]);
  control_desk_close (desk);
  for (int i = 0; i <= CONTROL_WAITING_MAX; i++) {
    if (i == 1)
      continue;
    assert_false (is_suspended (&connections[i]));
    assert_null (control_job_answer (jobs[i]));
    control_job_free (jobs[i]);
  }
  control_desk_unref (desk);
  may_answer = true;
}
