/* control-client.c -- finds the control sockets of programs, and exchanges a line with one. */
#include "config.h"

#include "decoder/cli/control-client.h"
#include "decoder/cli/run-ghc.h"
#include "decoder/output/emitter.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <proflog/control.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

enum {
  REPLY_S = 60,
  STOPPED_S = 5, /* a program that is stopped that long is not waited for */
};

/* ---- where sockets are ---- */

/* Adds the directories of `parent` whose names are `prefix` and a user's number. */
static void
add_all_users (GPtrArray *folders, const char *parent, const char *prefix)
{
  GDir *dir = g_dir_open (parent, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, prefix)
        && g_ascii_string_to_unsigned (name + strlen (prefix), 10, 0, G_MAXUINT32, NULL, NULL))
      g_ptr_array_add (folders, g_build_filename (parent, name, NULL));
  if (dir != NULL)
    g_dir_close (dir);
}

/* The directories in which sockets of ours, or for root of anybody's, can be. */
static GPtrArray *
find_folders (void)
{
  GPtrArray *folders = g_ptr_array_new_with_free_func (g_free);
  const char *runtime = g_getenv ("XDG_RUNTIME_DIR");
  if (runtime != NULL && runtime[0] == '/')
    g_ptr_array_add (folders, g_strdup (runtime));
  if (geteuid () == 0) {
    add_all_users (folders, "/run/user", "");
    add_all_users (folders, "/tmp", "proflog-");
  } else {
    g_ptr_array_add (folders, g_strdup_printf (PROFLOG_RUNTIME_DIRECTORY, (long) geteuid ()));
    g_ptr_array_add (folders, g_strdup_printf (PROFLOG_OWN_DIRECTORY, (long) geteuid ()));
  }
  return folders;
}

/* ---- one of them ---- */

/* A connection to the process, which has to be ours, or we root.  -1 with errno. */
static int
connect_to (const char *path, long pid)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  const struct timeval patience = { .tv_sec = REPLY_S };
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (g_strlcpy (address.sun_path, path, sizeof address.sun_path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  const int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0)
    return -1;
  setsockopt (fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  if (connect (fd, (struct sockaddr *) &address, sizeof address) == 0) {
    if (getsockopt (fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0
        && (peer.uid == geteuid () || geteuid () == 0) && (peer.pid == 0 || peer.pid == pid))
      return fd;
    errno = EPERM;
  }
  const int error = errno;
  close (fd);
  errno = error;
  return -1;
}

/* The process id in the name of a socket; 0: it is none. */
static long
pid_of_name (const char *name)
{
  if (!g_str_has_prefix (name, PROFLOG_CONTROL_PREFIX)
      || !g_str_has_suffix (name, PROFLOG_CONTROL_SUFFIX))
    return 0;
  const size_t first = strlen (PROFLOG_CONTROL_PREFIX);
  const size_t length = strlen (name) - first - strlen (PROFLOG_CONTROL_SUFFIX);
  g_autofree char *digits = g_strndup (name + first, length);
  guint64 pid;
  return g_ascii_string_to_unsigned (digits, 10, 1, G_MAXINT, &pid, NULL) ? (long) pid : 0;
}

static gint
compare_pids (gconstpointer a, gconstpointer b)
{
  const long p = *(const long *) a, q = *(const long *) b;
  return p < q ? -1 : p > q;
}

static bool
has_pid (const GArray *pids, long pid)
{
  for (guint i = 0; i < pids->len; i++)
    if (g_array_index (pids, long, i) == pid)
      return true;
  return false;
}

static void
list_folder (GArray *pids, const char *folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    const long pid = pid_of_name (name);
    if (pid == 0 || has_pid (pids, pid))
      continue;
    g_autofree char *path = g_build_filename (folder, name, NULL);
    const int fd = connect_to (path, pid);
    if (fd < 0) {
      /* That of a process which was killed is of no use to anybody. */
      if (errno == ECONNREFUSED && kill ((pid_t) pid, 0) != 0 && errno == ESRCH)
        unlink (path);
      continue;
    }
    close (fd);
    g_array_append_val (pids, pid);
  }
  if (dir != NULL)
    g_dir_close (dir);
}

GArray *
control_client_list (void)
{
  GArray *pids = g_array_new (FALSE, FALSE, sizeof (long));
  g_autoptr (GPtrArray) folders = find_folders ();
  for (guint i = 0; i < folders->len; i++)
    list_folder (pids, g_ptr_array_index (folders, i));
  g_array_sort (pids, compare_pids);
  return pids;
}

char *
control_client_command (long pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%ld/cmdline", pid);
  char *text;
  gsize length;
  if (!g_file_get_contents (path, &text, &length, NULL))
    return g_strdup ("");
  while (length > 0 && text[length - 1] == 0)
    length--;
  for (gsize i = 0; i < length; i++)
    if (text[i] == 0)
      text[i] = ' ';
  char *valid = g_utf8_make_valid (text, (gssize) length);
  g_free (text);
  return valid;
}

static const char *
without_directory (const char *path)
{
  const char *slash = strrchr (path, '/');
  return slash != NULL ? slash + 1 : path;
}

char *
control_client_name (long pid)
{
  g_autofree char *command = control_client_command (pid);
  g_auto (GStrv) words = g_strsplit (command, " ", -1);
  for (char **word = words; *word != NULL; word++)
    if (**word != '-' && g_str_has_suffix (*word, ".exe"))
      return g_strdup (without_directory (*word));
  return g_strdup (words[0] != NULL ? without_directory (words[0]) : "");
}

/* Options name files and modules, not the program. */
static bool
has_name (long pid, const char *name)
{
  g_autofree char *command = control_client_command (pid);
  g_auto (GStrv) words = g_strsplit (command, " ", -1);
  g_autofree char *assembly = g_strconcat (name, ".exe", NULL);
  for (char **word = words; *word != NULL; word++) {
    const char *base = without_directory (*word);
    if (**word != '-' && (strcmp (base, name) == 0 || strcmp (base, assembly) == 0))
      return true;
  }
  return false;
}

long
control_client_find (const char *name, GError **error)
{
  g_autoptr (GArray) pids = control_client_list ();
  g_autoptr (GString) found = g_string_new (NULL);
  long pid = 0;
  unsigned n = 0;
  for (guint i = 0; i < pids->len; i++) {
    const long candidate = g_array_index (pids, long, i);
    if (!has_name (candidate, name))
      continue;
    g_string_append_printf (found, "%s%ld", n++ > 0 ? ", " : "", candidate);
    pid = candidate;
  }
  if (n < 2)
    return pid;
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
               "%u programs have the name '%s': processes %s; name one by its number", n, name,
               found->str);
  return 0;
}

char *
control_client_describe (void)
{
  g_autoptr (GArray) pids = control_client_list ();
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < pids->len; i++) {
    const long pid = g_array_index (pids, long, i);
    g_autofree char *command = control_client_command (pid);
    g_autofree char *safe = emitter_printable (command);
    g_string_append_printf (text, "%7ld  %s\n", pid, safe);
  }
  return g_string_free (text, FALSE);
}

/* ---- asking ---- */

static void G_GNUC_PRINTF (2, 3) fail (GError **error, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, message);
}

static int
find_process (long pid, GError **error)
{
  g_autoptr (GPtrArray) folders = find_folders ();
  g_autofree char *name = g_strdup_printf (PROFLOG_CONTROL_NAME, pid);
  for (guint i = 0; i < folders->len; i++) {
    g_autofree char *path = g_build_filename (g_ptr_array_index (folders, i), name, NULL);
    const int fd = connect_to (path, pid);
    if (fd >= 0)
      return fd;
    if (errno != ENOENT && errno != ECONNREFUSED && errno != ENOTDIR) {
      fail (error, "process %ld: %s: %s", pid, path, g_strerror (errno));
      return -1;
    }
  }
  g_autofree char *process = g_strdup_printf ("/proc/%ld", pid);
  g_autofree char *executable = g_strdup_printf ("/proc/%ld/exe", pid);
  const struct run_ghc ghc = run_ghc_inspect (executable);
  struct stat st;
  if (stat (process, &st) != 0)
    fail (error, "there is no process %ld", pid);
  else if (st.st_uid != geteuid () && geteuid () != 0)
    fail (error, "process %ld is of another user, of number %ld", pid, (long) st.st_uid);
  else if (ghc.is_ghc && !ghc.is_live)
    fail (error,
          "process %ld cannot be controlled: it is a GHC program that is not linked with "
          "libproflog-ghc; see "
          "proflog-ghc(7)",
          pid);
  else
    fail (error,
          "process %ld cannot be controlled: it does not run under proflog's module, or with "
          "nocontrol, or with another XDG_RUNTIME_DIR",
          pid);
  return -1;
}

bool
control_client_is_stopped (long pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%ld/stat", pid);
  g_autofree char *text = NULL;
  if (!g_file_get_contents (path, &text, NULL, NULL))
    return false;
  const char *state = strrchr (text, ')'); /* of its name, which may be anything */
  return state != NULL && (g_str_has_prefix (state, ") T") || g_str_has_prefix (state, ") t"));
}

/* Waits for more of the reply: how many bytes came, 0 at its end, -1 with an error. */
static ssize_t
receive_piece (int fd, long pid, char *piece, size_t size, GError **error)
{
  unsigned stopped = 0;
  for (unsigned s = 0; s < REPLY_S; s++) {
    struct pollfd p = { .fd = fd, .events = POLLIN };
    if (poll (&p, 1, 1000) > 0) {
      const ssize_t n = recv (fd, piece, size, 0);
      if (n < 0)
        fail (error, "process %ld: %s", pid, g_strerror (errno));
      return n;
    }
    stopped = control_client_is_stopped (pid) ? stopped + 1 : 0;
    if (stopped == STOPPED_S) {
      fail (error, "process %ld does not answer: it is stopped; 'kill -CONT %ld' lets it go on",
            pid, pid);
      return -1;
    }
  }
  fail (error, "the program does not reply within a minute");
  return -1;
}

static char *
receive_reply (int fd, long pid, GError **error)
{
  GString *reply = g_string_new (NULL);
  char piece[4096];
  ssize_t n;
  while ((n = receive_piece (fd, pid, piece, sizeof piece, error)) > 0) {
    g_string_append_len (reply, piece, n);
    if (reply->len > PROFLOG_CONTROL_REPLY_MAX) {
      fail (error, "the reply is longer than %d bytes", PROFLOG_CONTROL_REPLY_MAX);
      break;
    }
  }
  if (n == 0 && reply->len == 0)
    fail (error, "the program ended, or is too busy with other clients");
  else if (n == 0 && strlen (reply->str) == reply->len)
    return g_string_free (reply, FALSE);
  else if (n == 0)
    fail (error, "the program's reply is invalid");
  g_string_free (reply, TRUE);
  return NULL;
}

char *
control_client_request (long pid, const char *request, GError **error)
{
  char *reply = NULL;
  const int fd = find_process (pid, error);
  if (fd < 0)
    return NULL;
  const size_t length = strlen (request);
  if (send (fd, request, length, MSG_NOSIGNAL) != (ssize_t) length)
    fail (error, "process %ld: %s", pid, g_strerror (errno));
  else
    reply = receive_reply (fd, pid, error);
  close (fd);
  return reply;
}
