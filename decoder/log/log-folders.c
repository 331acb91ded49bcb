/* log-folders.c -- walks folders for logs. */
#include "config.h"

#include "decoder/log/log-folders.h"
#include "decoder/command/message.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

struct walk {
  GPtrArray *logs; /* of char * */
  guint files;     /* that were seen */
};

static bool
is_log_name (const char *name)
{
  static const char *const packed[] = { ".gz", ".zst" };
  static const char *const logs[] = { ".mlpd", ".eventlog" };
  size_t length = strlen (name);
  for (size_t i = 0; i < G_N_ELEMENTS (packed); i++)
    if (g_str_has_suffix (name, packed[i])) {
      length -= strlen (packed[i]);
      break;
    }
  for (size_t i = 0; i < G_N_ELEMENTS (logs); i++) {
    const size_t end = strlen (logs[i]);
    if (length > end && memcmp (name + length - end, logs[i], end) == 0)
      return true;
  }
  return false;
}

static bool walk_folder (struct walk *w, const char *folder, GError **error);

/* Takes the path. */
static void
walk_entry (struct walk *w, char *path)
{
  g_autofree char *own = path;
  GStatBuf st;
  if (g_lstat (path, &st) != 0) {
    if (errno != ENOENT) /* it was removed */
      cli_message ("proflog: %s: %s; it is left out", path, g_strerror (errno));
  } else if (S_ISDIR (st.st_mode)) {
    if (!walk_folder (w, path, NULL))
      cli_message ("proflog: %s: this folder cannot be read; it is left out", path);
  } else {
    w->files++;
    if (is_log_name (path) && g_stat (path, &st) == 0 && S_ISREG (st.st_mode))
      g_ptr_array_add (w->logs, g_steal_pointer (&own));
  }
}

static bool
walk_folder (struct walk *w, const char *folder, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, error);
  const char *name;
  if (dir == NULL)
    return false;
  while ((name = g_dir_read_name (dir)) != NULL)
    if (name[0] != '.')
      walk_entry (w, g_build_filename (folder, name, NULL));
  return true;
}

static gint
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The logs of a folder, at least one (of char *, transfer container); NULL with an error. */
static GPtrArray *
logs_of (const char *folder, GError **error)
{
  struct walk w = { .logs = g_ptr_array_new () };
  const bool is_read = walk_folder (&w, folder, error);
  g_ptr_array_sort (w.logs, compare_paths);
  if (is_read && w.logs->len == 0)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
                 "%s: no log in this folder (files seen: %u): names of logs end in .mlpd or "
                 ".eventlog, or in that and .gz or .zst",
                 folder, w.files);
  if (is_read && w.logs->len != 0)
    return w.logs;
  g_ptr_array_set_free_func (w.logs, g_free);
  g_ptr_array_unref (w.logs);
  return NULL;
}

G_DEFINE_QUARK (proflog - log - folders - error - quark, log_folders_error)

bool
log_folders_expand (GPtrArray **found, GPtrArray *words, GError **error)
{
  for (guint i = 0; i < words->len; i++) {
    const char *word = g_ptr_array_index (words, i);
    if (!g_file_test (word, G_FILE_TEST_IS_DIR))
      continue;
    GError *problem = NULL;
    GPtrArray *logs = logs_of (word, &problem);
    if (logs == NULL) {
      g_set_error_literal (error, LOG_FOLDERS_ERROR, 0, problem->message);
      g_error_free (problem);
      return false;
    }
    if (*found == NULL)
      *found = g_ptr_array_new_with_free_func (g_free);
    g_ptr_array_remove_index (words, i);
    for (guint n = 0; n < logs->len; n++) {
      g_ptr_array_insert (words, (gint) (i + n), logs->pdata[n]);
      g_ptr_array_add (*found, logs->pdata[n]);
    }
    i += logs->len - 1;
    g_ptr_array_unref (logs);
  }
  return true;
}
