/* spool-remains.c -- finds crash buffers in the user's directories: that of a log by the log's
 * header, all by their names, and whether they are in use by their locks. */
#include "config.h"

#include "decoder/input/log-file.h"
#include "decoder/input/log-parts.h"
#include "decoder/input/spool-logs.h"
#include "decoder/mlpd/mlpd-decode.h"
#include <errno.h>
#include <glib/gstdio.h>
#include <proflog/control.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the crash buffer of a log ---- */

/* Names of spools in these directories begin with this. */
#define PREFIX "proflog-"

/* Another user's file could have any contents. */
static bool
is_own_file (const char *path)
{
  GStatBuf st;
  return g_lstat (path, &st) == 0 && S_ISREG (st.st_mode) && st.st_uid == geteuid ();
}

static bool
is_spool_of (const char *spool_path, const char *log_path)
{
  uint8_t start[PROFLOG_SPOOL_LOG_HEADER_MAX];
  struct log_file *log = log_file_open (log_path, NULL);
  struct spool *spool = is_own_file (spool_path) ? spool_open (spool_path, NULL) : NULL;
  bool is_its_own = false;
  if (log != NULL && spool != NULL) {
    size_t length, read;
    const uint8_t *header = spool_log_header (spool, &length);
    is_its_own = log_file_peek (log, start, length, &read, NULL) && read == length
                 && memcmp (start, header, length) == 0;
  }
  spool_close (spool);
  log_file_close (log);
  return is_its_own;
}

long
spool_search_pid (const char *name)
{
  if (!g_str_has_prefix (name, PREFIX))
    return 0;
  const char *const number = name + strlen (PREFIX);
  const guint64 pid = g_ascii_strtoull (number, NULL, 10);
  const char *const end = number + strspn (number, "0123456789-");
  return strcmp (end, PROFLOG_SPOOL_SUFFIX) == 0 && pid <= G_MAXINT ? (long) pid : 0;
}

static char *
search_in (const char *directory, const char *log_path)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  char *found = NULL;
  const char *name;
  while (dir != NULL && found == NULL && (name = g_dir_read_name (dir)) != NULL)
    if (spool_search_pid (name) != 0) {
      char *path = g_build_filename (directory, name, NULL);
      if (is_spool_of (path, log_path))
        found = g_steal_pointer (&path);
      g_free (path);
    }
  return found;
}

/* Where such spools lie, in this order.  Free with g_strfreev. */
static char **
spool_search_directories (void)
{
  const char *runtime = g_getenv ("XDG_RUNTIME_DIR");
  g_autoptr (GStrvBuilder) directories = g_strv_builder_new ();
  g_autofree char *own = g_strdup_printf (PROFLOG_OWN_DIRECTORY, (long) geteuid ());
  if (runtime != NULL && runtime[0] == '/')
    g_strv_builder_add (directories, runtime);
  g_strv_builder_add (directories, own);
  return g_strv_builder_end (directories);
}

/* The program went on with another log, whose spool has the same header. */
static bool
is_whole (const char *log_path)
{
  struct log_part_head head;
  log_part_head_read (&head, log_path);
  const bool has_end = head.has_end;
  log_part_head_clear (&head);
  return has_end;
}

char *
spool_search (const char *log_path)
{
  g_auto (GStrv) directories = spool_search_directories ();
  char *found = NULL;
  if (is_whole (log_path))
    return NULL;
  for (char **d = directories; *d != NULL && found == NULL; d++)
    found = search_in (*d, log_path);
  return found;
}

/* ---- crash buffers that are left ---- */

enum { OLD_S = 30 * 24 * 60 * 60 };

static void
free_remain (void *data)
{
  struct spool_remain *remain = data;
  g_free (remain->path);
  g_free (remain->options);
  g_free (remain);
}

/* The process is there.  (Another one may have its number by now: the file stays, then.) */
static bool
is_there (long pid)
{
  return kill ((pid_t) pid, 0) == 0 || errno == EPERM;
}

/* Only the header of a Mono log has them. */
static char *
read_options (const char *path)
{
  size_t length;
  struct mlpd_file_header header = { 0 };
  struct spool *spool = spool_open (path, NULL);
  if (spool == NULL)
    return NULL;
  const uint8_t *bytes = spool_log_header (spool, &length);
  struct cursor c = cursor_over (bytes, length);
  char *options = NULL;
  if (!spool_is_of_eventlog (spool)) {
    mlpd_decode_file_header (&c, &header);
    if (header.arguments.length != 0)
      options = g_strndup (header.arguments.text, header.arguments.length);
  }
  spool_close (spool);
  return options;
}

/* Another user's file could have any contents. */
static void
add_file (GPtrArray *remains, const char *directory, const char *name)
{
  struct stat st;
  const long pid = spool_search_pid (name);
  g_autofree char *path = g_build_filename (directory, name, NULL);
  if (pid == 0 || lstat (path, &st) != 0 || !S_ISREG (st.st_mode) || st.st_uid != geteuid ()
      || !spool_is_at (path))
    return;
  struct spool_remain *remain = g_new0 (struct spool_remain, 1);
  remain->pid = pid;
  remain->is_running = spool_writer_of (path) != 0 || is_there (pid);
  remain->bytes = (uint64_t) st.st_blocks * 512;
  remain->age = MAX (1, g_get_real_time () / G_USEC_PER_SEC - st.st_mtime);
  if (!remain->is_running)
    remain->options = read_options (path);
  remain->path = g_steal_pointer (&path);
  g_ptr_array_add (remains, remain);
}

static void
add_directory (GPtrArray *remains, const char *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    add_file (remains, directory, name);
}

static int
compare_paths (const void *a, const void *b)
{
  const struct spool_remain *const *x = a, *const *y = b;
  return strcmp ((*x)->path, (*y)->path);
}

GPtrArray *
spool_remains_list (const char *directory)
{
  GPtrArray *remains = g_ptr_array_new_with_free_func (free_remain);
  g_auto (GStrv) directories = spool_search_directories ();
  if (directory != NULL)
    add_directory (remains, directory);
  else
    for (char **d = directories; *d != NULL; d++)
      add_directory (remains, *d);
  g_ptr_array_sort (remains, compare_paths);
  return remains;
}

int
spool_remain_remove (const struct spool_remain *remain)
{
  return unlink (remain->path) == 0 ? 0 : errno;
}

void
spool_remains_remove_old (void)
{
  g_autoptr (GPtrArray) remains = spool_remains_list (NULL);
  for (guint i = 0; i < remains->len; i++) {
    const struct spool_remain *remain = remains->pdata[i];
    if (!remain->is_running && remain->age > OLD_S)
      spool_remain_remove (remain);
  }
}
