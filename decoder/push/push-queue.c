/* push-queue.c -- names of files are times and a number, so that their order is that of the logs.
 */
#include "config.h"

#include "decoder/push/push.h"
#include <errno.h>
#include <fcntl.h>
#include <proflog/spool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Digits of the time and of the inode in front of a name, and a character after each. */
enum { DIGITS = 20, PREFIX = 2 * (DIGITS + 1) };

enum { COPY_BYTES = 1 << 16 };

bool
push_queue_open (struct push_queue *queue, const char *folder, uint64_t bytes_max, GError **error)
{
  *queue = (struct push_queue){ .folder = g_strdup (folder), .bytes_max = bytes_max };
  if (g_mkdir_with_parents (folder, 0700) == 0)
    return true;
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", folder,
               g_strerror (errno));
  return false;
}

void
push_queue_close (struct push_queue *queue)
{
  g_free (queue->folder);
}

/* ---- waiting logs ---- */

static void
clear_waiting (void *data)
{
  struct push_waiting *waiting = data;
  g_free (waiting->path);
  g_free (waiting->name);
}

static gint
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (((const struct push_waiting *) a)->path, ((const struct push_waiting *) b)->path);
}

GArray *
push_queue_list (const struct push_queue *queue)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (struct push_waiting));
  g_autoptr (GDir) dir = g_dir_open (queue->folder, 0, NULL);
  const char *name;
  g_array_set_clear_func (list, clear_waiting);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    struct stat state;
    g_autofree char *path = g_build_filename (queue->folder, name, NULL);
    if (strlen (name) <= PREFIX || g_str_has_suffix (name, PROFLOG_SPOOL_SUFFIX)
        || lstat (path, &state) != 0 || !S_ISREG (state.st_mode))
      continue;
    const struct push_waiting waiting
        = { g_steal_pointer (&path), g_uri_unescape_string (name + PREFIX, NULL),
            (uint64_t) state.st_size };
    if (waiting.name == NULL) { /* it is not the queue's */
      g_free (waiting.path);
      continue;
    }
    g_array_append_val (list, waiting);
  }
  g_array_sort (list, compare_paths);
  return list;
}

void
push_queue_remove (const struct push_waiting *waiting)
{
  g_autofree char *spool = g_strconcat (waiting->path, PROFLOG_SPOOL_SUFFIX, NULL);
  unlink (waiting->path);
  unlink (spool);
}

/* ---- adding ---- */

/* 0, or the number of the system's error. */
static int
copy_bytes (int from, int to)
{
  char bytes[COPY_BYTES];
  ssize_t n;
  while ((n = read (from, bytes, sizeof bytes)) > 0)
    for (ssize_t written = 0, part; written < n; written += part)
      if ((part = write (to, bytes + written, (size_t) (n - written))) < 0)
        return errno;
  return n < 0 ? errno : 0;
}

/* A copy has its name once it is whole. */
static int
copy_file (const char *path, const char *to)
{
  g_autofree char *folder = g_path_get_dirname (to);
  g_autofree char *part = g_build_filename (folder, ".new", NULL);
  const int in = open (path, O_RDONLY | O_CLOEXEC);
  const int out = open (part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  int problem = in < 0 || out < 0 ? errno : copy_bytes (in, out);
  if (in >= 0)
    close (in);
  if (out >= 0 && close (out) != 0 && problem == 0)
    problem = errno;
  if (problem == 0 && rename (part, to) != 0)
    problem = errno;
  if (problem != 0)
    unlink (part);
  return problem;
}

/* A link takes no room; between file systems there is none. */
static bool
keep_file (const char *path, const char *to, GError **error)
{
  int problem = link (path, to) == 0 || errno == EEXIST ? 0 : errno;
  if (problem != 0 && problem != ENOENT)
    problem = copy_file (path, to);
  if (problem != 0)
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (problem), "%s: %s", to,
                 g_strerror (problem));
  return problem == 0;
}

/* The rest of the log of a program that was killed is beside it. */
static bool
keep_log (const char *path, const char *to, GError **error)
{
  g_autofree char *spool = g_strconcat (path, PROFLOG_SPOOL_SUFFIX, NULL);
  g_autofree char *to_spool = g_strconcat (to, PROFLOG_SPOOL_SUFFIX, NULL);
  return (access (spool, F_OK) != 0 || keep_file (spool, to_spool, error))
         && keep_file (path, to, error);
}

static guint
drop_oldest (struct push_queue *queue)
{
  g_autoptr (GArray) list = push_queue_list (queue);
  uint64_t bytes = 0;
  guint dropped = 0;
  for (guint i = 0; i < list->len; i++)
    bytes += g_array_index (list, struct push_waiting, i).bytes;
  for (guint i = 0; i < list->len && bytes > queue->bytes_max; i++, dropped++) {
    const struct push_waiting *waiting = &g_array_index (list, struct push_waiting, i);
    bytes -= waiting->bytes;
    push_queue_remove (waiting);
  }
  return dropped;
}

bool
push_queue_add (struct push_queue *queue, const char *path, const char *log_name, guint *dropped,
                GError **error)
{
  struct stat state;
  *dropped = 0;
  if (stat (path, &state) != 0) {
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", path,
                 g_strerror (errno));
    return false;
  }
  const uint64_t time
      = (uint64_t) state.st_mtim.tv_sec * 1000000000 + (uint64_t) state.st_mtim.tv_nsec;
  g_autofree char *escaped = g_uri_escape_string (log_name, NULL, TRUE);
  g_autofree char *name = g_strdup_printf ("%0*" G_GUINT64_FORMAT "-%0*" G_GUINT64_FORMAT "-%s",
                                           DIGITS, time, DIGITS, (uint64_t) state.st_ino, escaped);
  g_autofree char *to = g_build_filename (queue->folder, name, NULL);
  if (!keep_log (path, to, error))
    return false;
  *dropped = drop_oldest (queue);
  return true;
}
