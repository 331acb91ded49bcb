/* push-queue.c -- names of files are times and a number, so that their order is that of the logs. */
#include "config.h"

#include "decoder/push/push-queue.h"
#include <errno.h>
#include <gio/gio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Digits of the time and of the inode in front of a name, and the signs behind each. */
enum { DIGITS = 20, PREFIX = 2 * (DIGITS + 1) };

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

/* ---- what waits ---- */

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
  GDir *dir = g_dir_open (queue->folder, 0, NULL);
  const char *name;
  g_array_set_clear_func (list, clear_waiting);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    struct stat state;
    g_autofree char *path = g_build_filename (queue->folder, name, NULL);
    if (strlen (name) <= PREFIX || name[0] == '.' || lstat (path, &state) != 0
        || !S_ISREG (state.st_mode))
      continue;
    const struct push_waiting waiting
        = { g_steal_pointer (&path), g_strdup (name + PREFIX), (uint64_t) state.st_size };
    g_array_append_val (list, waiting);
  }
  if (dir != NULL)
    g_dir_close (dir);
  g_array_sort (list, compare_paths);
  return list;
}

void
push_queue_remove (struct push_queue *queue, const struct push_waiting *waiting)
{
  (void) queue;
  unlink (waiting->path);
}

/* ---- adding ---- */

static bool
link_or_copy (const char *path, const char *to, GError **error)
{
  if (link (path, to) == 0 || errno == EEXIST)
    return true;
  g_autofree char *part = g_strconcat (to, ".new", NULL);
  g_autoptr (GFile) from = g_file_new_for_path (path);
  g_autoptr (GFile) copy = g_file_new_for_path (part);
  if (g_file_copy (from, copy, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, error)
      && rename (part, to) == 0)
    return true;
  if (error != NULL && *error == NULL)
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", to,
                 g_strerror (errno));
  unlink (part);
  return false;
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
    push_queue_remove (queue, waiting);
  }
  return dropped;
}

bool
push_queue_add (struct push_queue *queue, const char *path, guint *dropped, GError **error)
{
  struct stat state;
  *dropped = 0;
  if (stat (path, &state) != 0) {
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", path,
                 g_strerror (errno));
    return false;
  }
  const uint64_t time = (uint64_t) state.st_mtim.tv_sec * 1000000000 + (uint64_t) state.st_mtim.tv_nsec;
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *name = g_strdup_printf ("%0*" G_GUINT64_FORMAT "-%0*" G_GUINT64_FORMAT "-%s",
                                           DIGITS, time, DIGITS, (uint64_t) state.st_ino, base);
  g_autofree char *to = g_build_filename (queue->folder, name, NULL);
  if (!link_or_copy (path, to, error))
    return false;
  *dropped = drop_oldest (queue);
  return true;
}
