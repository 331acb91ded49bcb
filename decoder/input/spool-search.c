/* spool-search.c -- compares the header of a log with the spools in the user's directories. */
#include "config.h"

#include "decoder/input/log-file.h"
#include "decoder/input/log-parts.h"
#include "decoder/input/spool-reader.h"
#include "decoder/input/spool-search.h"

#include <glib/gstdio.h>
#include <proflog/control.h>
#include <string.h>
#include <unistd.h>

/* Names of spools begin with this there. */
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

char **
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
