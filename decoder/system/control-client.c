/* control-client.c -- exchanges a line with the control socket of a program. */
#include "config.h"

#include "decoder/system/control-programs.h"
#include "decoder/core/process-state.h"
#include "decoder/system/program-control.h"
#include <errno.h>
#include <poll.h>
#include <proflog/control.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
  STEP_MS = 1000,
  STOPPED_S = 5, /* a program that is stopped that long is not waited for */
};

/* ---- requests ---- */

static int
connect_to (long pid, GError **error)
{
  g_autofree char *path = NULL;
  const int fd = control_folders_connect (pid, &path);
  if (fd >= 0)
    return fd;
  if (path != NULL) {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "process %ld: %s: %s", pid, path,
                 g_strerror (errno));
  } else {
    g_autofree char *reason = control_programs_explain (pid);
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s", reason);
  }
  return -1;
}

bool
control_client_is_stopped (long pid)
{
  const char state = process_state (pid);
  return state == 'T' || state == 't';
}

/* Waits for more of the reply: how many bytes came, 0 at its end, -1 with an error. */
static ssize_t
receive_piece (int fd, long pid, unsigned limit_ms, char *piece, size_t size, GError **error)
{
  unsigned stopped = 0;
  for (unsigned ms = 0; ms < limit_ms; ms += STEP_MS) {
    struct pollfd p = { .fd = fd, .events = POLLIN };
    if (poll (&p, 1, (int) MIN (limit_ms - ms, STEP_MS)) > 0) {
      const ssize_t n = recv (fd, piece, size, 0);
      if (n < 0)
        g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "process %ld: %s", pid,
                     g_strerror (errno));
      return n;
    }
    stopped = control_client_is_stopped (pid) ? stopped + 1 : 0;
    if (stopped == STOPPED_S) {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                   "process %ld does not answer: it is stopped; 'kill -CONT %ld' lets it go on",
                   pid, pid);
      return -1;
    }
  }
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
               "process %ld: it does not reply within %g s", pid, limit_ms / 1e3);
  return -1;
}

static char *
receive_reply (int fd, long pid, unsigned limit_ms, GError **error)
{
  GString *reply = g_string_new (NULL);
  char piece[4096];
  ssize_t n;
  while ((n = receive_piece (fd, pid, limit_ms, piece, sizeof piece, error)) > 0) {
    g_string_append_len (reply, piece, n);
    if (reply->len > PROFLOG_CONTROL_REPLY_MAX) {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                   "process %ld: its reply is longer than %d bytes", pid,
                   PROFLOG_CONTROL_REPLY_MAX);
      break;
    }
  }
  if (n == 0 && reply->len == 0)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                 "process %ld: it ended, or is too busy with other clients", pid);
  else if (n == 0 && strlen (reply->str) == reply->len)
    return g_string_free (reply, FALSE);
  else if (n == 0)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "process %ld: its reply is invalid",
                 pid);
  g_string_free (reply, TRUE);
  return NULL;
}

char *
control_client_request_within (long pid, const char *request, unsigned limit_ms, GError **error)
{
  char *reply = NULL;
  const int fd = connect_to (pid, error);
  if (fd < 0)
    return NULL;
  const size_t length = strlen (request);
  if (send (fd, request, length, MSG_NOSIGNAL) != (ssize_t) length)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "process %ld: %s", pid,
                 g_strerror (errno));
  else
    reply = receive_reply (fd, pid, limit_ms, error);
  close (fd);
  return reply;
}

char *
control_client_request (long pid, const char *request, GError **error)
{
  return control_client_request_within (pid, request, CONTROL_REPLY_MS, error);
}

char *
control_client_status (long pid, const char *key, unsigned limit_ms)
{
  g_autofree char *reply = control_client_request_within (pid, CONTROL_STATUS, limit_ms, NULL);
  g_autofree char *begin = g_strdup_printf ("\n%s: ", key);
  const char *at = reply != NULL ? strstr (reply, begin) : NULL;
  if (at == NULL)
    return NULL;
  at += strlen (begin);
  return g_strndup (at, strcspn (at, "\n"));
}
