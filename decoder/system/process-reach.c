/* process-reach.c -- goes through /proc/PID/root. */
#include "config.h"

#include "decoder/input/log-writer.h"
#include "decoder/system/processes.h"
#include <errno.h>
#include <fcntl.h>
#include <proflog/control.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

enum { SEND_S = 60 }; /* a request is not tried longer */

/* ---- files ---- */

static bool
are_same (const struct stat *a, const struct stat *b)
{
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The files of a process. */
struct view {
  int root;   /* a descriptor of its root directory */
  int mounts; /* of its mount namespace, which ends with its last process and descriptor; -1: none
               */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static GHashTable *views; /* pid -> struct view, under the lock */

static void
close_view (gpointer data)
{
  struct view *view = data;
  close (view->root);
  if (view->mounts >= 0)
    close (view->mounts);
  g_free (view);
}

static struct view *
open_view (const char *root, long pid)
{
  g_autofree char *mounts = g_strdup_printf ("/proc/%ld/ns/mnt", pid);
  const int fd = open (root, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return NULL;
  struct view *view = g_new (struct view, 1);
  *view = (struct view){ .root = fd, .mounts = open (mounts, O_RDONLY | O_CLOEXEC) };
  return view;
}

/* A descriptor of the process's root directory, which is open until process_forget; -1. */
static int
find_root (long pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%ld/root", pid);
  struct stat known, now;
  pthread_mutex_lock (&lock);
  if (views == NULL)
    views = g_hash_table_new_full (NULL, NULL, NULL, close_view);
  struct view *view = g_hash_table_lookup (views, GSIZE_TO_POINTER (pid));
  /* Its number may be that of another process by now. */
  if (stat (path, &now) == 0
      && (view == NULL || fstat (view->root, &known) != 0 || !are_same (&known, &now))) {
    view = open_view (path, pid);
    if (view != NULL)
      g_hash_table_insert (views, GSIZE_TO_POINTER (pid), view);
  }
  const int root = view != NULL ? view->root : -1;
  pthread_mutex_unlock (&lock);
  return root;
}

void
process_forget (long pid)
{
  pthread_mutex_lock (&lock);
  if (views != NULL)
    g_hash_table_remove (views, GSIZE_TO_POINTER (pid));
  pthread_mutex_unlock (&lock);
}

char *
process_path (long pid, const char *path)
{
  struct stat here, there;
  const int root = find_root (pid);
  if (root < 0)
    return g_strdup (path);
  char *through = g_strdup_printf ("/proc/self/fd/%d%s", root, path);
  if (stat (through, &there) == 0 && (stat (path, &here) != 0 || !are_same (&here, &there)))
    return through;
  g_free (through);
  return g_strdup (path);
}

/* ---- sockets ---- */

/* A socket and the process that has to listen at it. */
struct listener {
  const char *folder, *name;
  long pid;
  bool can_be_unseen; /* its number is unknown here if it is outside of this container */
};

/* Is the listener the process, and of this user unless this is root? */
static bool
is_listener (int fd, const struct listener *l)
{
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt (fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0
         && (peer.uid == geteuid () || geteuid () == 0)
         && (peer.pid == l->pid || (peer.pid == 0 && l->can_be_unseen));
}

/* Sets the effective user of this thread alone, unlike seteuid. */
static void
become (uid_t user)
{
  if (syscall (SYS_setresuid, -1, user, -1) != 0)
    errno = EPERM;
}

/* Connects as the user, so that a process in a user namespace, which has no number for root, knows
 * the client. */
static int
connect_as (const struct listener *l, uid_t user)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  const struct timeval patience = { .tv_sec = SEND_S };
  /* However long its path is, and though another user may not read it. */
  const int dir = open (l->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (dir < 0)
    return -1;
  snprintf (address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s", dir, l->name);
  int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const uid_t own = geteuid ();
  if (fd >= 0) {
    setsockopt (fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (user != own)
      become (user);
    int error = connect (fd, (struct sockaddr *) &address, sizeof address) == 0 ? 0 : errno;
    if (user != own)
      become (own);
    if (error == 0 && !is_listener (fd, l))
      error = EPERM;
    if (error != 0) {
      close (fd);
      fd = -1;
      errno = error;
    }
  }
  const int error = errno;
  close (dir);
  errno = error;
  return fd;
}

int
process_connect_in (const char *folder, const char *name, long pid)
{
  const struct listener l = { folder, name, pid, .can_be_unseen = true };
  return connect_as (&l, geteuid ());
}

/* The folders in which the module would listen, as the process names them. */
static GPtrArray *
list_folders (long pid, const struct process_ids *ids)
{
  GPtrArray *folders = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *runtime = process_variable (pid, "XDG_RUNTIME_DIR");
  if (runtime != NULL && runtime[0] == '/')
    g_ptr_array_add (folders, g_strdup (runtime));
  g_ptr_array_add (folders, g_strdup_printf (PROFLOG_OWN_DIRECTORY, (long) ids->user_inside));
  return folders;
}

/* The folders that have a socket of this name in the process's network: its environment may have
 * changed since it was started. */
static GPtrArray *
list_socket_folders (long pid, const char *name)
{
  GPtrArray *folders = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *path = g_strdup_printf ("/proc/%ld/net/unix", pid);
  g_autofree char *end = g_strconcat ("/", name, NULL);
  g_autofree char *text = NULL;
  if (!g_file_get_contents (path, &text, NULL, NULL))
    return folders;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++) {
    const char *at = strchr (*line, '/');
    if (at != NULL && g_str_has_suffix (at, end))
      g_ptr_array_add (folders, g_strndup (at, MAX (strlen (at) - strlen (end), 1)));
  }
  return folders;
}

static int
connect_through_root (long pid, const GPtrArray *folders, const char *name, uid_t user)
{
  int fd = -1;
  for (guint i = 0; i < folders->len && fd < 0; i++) {
    g_autofree char *folder = g_strdup_printf ("/proc/%ld/root%s", pid, (char *) folders->pdata[i]);
    const struct listener l = { folder, name, pid, .can_be_unseen = false };
    fd = connect_as (&l, user);
  }
  return fd;
}

/* Has the process a user namespace of its own? */
static bool
has_other_users (long pid)
{
  struct stat own, other;
  g_autofree char *path = g_strdup_printf ("/proc/%ld/ns/user", pid);
  return stat ("/proc/self/ns/user", &own) == 0 && stat (path, &other) == 0
         && !are_same (&own, &other);
}

int
process_connect (long pid)
{
  struct process_ids ids;
  if (!process_read_ids (pid, &ids))
    return -1;
  const uid_t user = geteuid () == 0 && has_other_users (pid) ? ids.user : geteuid ();
  g_autofree char *name = g_strdup_printf (PROFLOG_CONTROL_NAME, ids.pid_inside);
  g_autoptr (GPtrArray) folders = list_folders (pid, &ids);
  const int fd = connect_through_root (pid, folders, name, user);
  if (fd >= 0)
    return fd;
  g_autoptr (GPtrArray) others = list_socket_folders (pid, name);
  return connect_through_root (pid, others, name, user);
}

/* ---- logs of programs that do not answer ---- */

/* Whether it begins as logs do, or as compressed files if it may be one. */
static bool
begins_as_log (const char *path, bool can_be_packed)
{
  const enum log_head head = log_head_of (path);
  return head == LOG_HEAD_LOG || (can_be_packed && head == LOG_HEAD_PACKED);
}

char *
process_log_find (long pid, bool can_be_packed)
{
  struct stat st;
  g_autofree char *folder = g_strdup_printf ("/proc/%ld/fd", pid);
  char *found = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *number;
  while (found == NULL && dir != NULL && (number = g_dir_read_name (dir)) != NULL) {
    g_autofree char *link = g_build_filename (folder, number, NULL);
    g_autofree char *name = g_file_read_link (link, NULL);
    g_autofree char *path = name != NULL && name[0] == '/' ? process_path (pid, name) : NULL;
    if (path != NULL && stat (path, &st) == 0 && S_ISREG (st.st_mode)
        && log_writer_writes (pid, number) && begins_as_log (path, can_be_packed))
      found = g_steal_pointer (&path);
  }
  return found;
}
