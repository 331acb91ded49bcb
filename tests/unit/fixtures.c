/* fixtures.c -- files that tests read. */
#include "config.h"

#include "tests/unit/fixtures.h"

#include "decoder/input/log-input.h"
#include "tests/unit/test.h"
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

char *
fixture_path (const char *folder, const char *name)
{
  const char *srcdir = g_getenv ("srcdir");
  return g_build_filename (srcdir != NULL ? srcdir : ".", "tests", folder, name, NULL);
}

static gint
compare_paths (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

GPtrArray *
fixture_paths (const char *folder, const char *suffix, guint least)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  char *path = fixture_path (folder, NULL);
  GDir *dir = g_dir_open (path, 0, NULL);
  for (const char *name; dir != NULL && (name = g_dir_read_name (dir)) != NULL;)
    if (g_str_has_suffix (name, suffix))
      g_ptr_array_add (paths, g_build_filename (path, name, NULL));
  if (paths->len < least)
    g_error ("%u files *%s in %s", paths->len, suffix, path);
  g_clear_pointer (&dir, g_dir_close);
  g_free (path);
  g_ptr_array_sort (paths, compare_paths);
  return paths;
}

GByteArray *
fixture_log (const char *path)
{
  GByteArray *log = g_byte_array_new ();
  GError *error = NULL;
  struct log_input *input = log_input_open (path, &error);
  const uint8_t *bytes;
  size_t length = 0;
  while (input != NULL && log_input_read (input, &bytes, &length, &error) && length != 0)
    g_byte_array_append (log, bytes, (guint) length);
  if (error != NULL)
    g_error ("%s: %s", path, error->message);
  log_input_close (input);
  return log;
}

struct log_input *
fixture_input (const guint8 *bytes, gsize length)
{
  char *path = NULL;
  const int fd = g_file_open_tmp ("proflog-test-XXXXXX", &path, NULL);
  if (fd < 0 || write (fd, bytes, length) != (ssize_t) length)
    g_error ("a file cannot be written");
  close (fd);
  struct log_input *input = log_input_open (path, NULL);
  if (input == NULL)
    g_error ("%s cannot be read", path);
  g_unlink (path);
  g_free (path);
  return input;
}

/* The descriptor that has the file open, as a path (transfer full). */
static char *
descriptor_path (const struct log_input *input, int *fd)
{
  const char *name = log_input_name (input);
  char *removed = g_strconcat (name, " (deleted)", NULL);
  for (*fd = 3; *fd < 64; ++*fd) {
    char *path = g_strdup_printf ("/proc/self/fd/%d", *fd);
    char *target = g_file_read_link (path, NULL);
    const gboolean is_it = g_strcmp0 (target, name) == 0 || g_strcmp0 (target, removed) == 0;
    g_free (target);
    if (is_it) {
      g_free (removed);
      return path;
    }
    g_free (path);
  }
  g_error ("%s is not open", name);
}

void
fixture_fail_reads (const struct log_input *input)
{
  int fd;
  const int folder = open ("/", O_RDONLY | O_DIRECTORY);
  g_free (descriptor_path (input, &fd));
  if (folder < 0 || dup2 (folder, fd) < 0)
    g_error ("descriptor %d cannot be replaced", fd);
  close (folder);
}

void
fixture_truncate (const struct log_input *input, gsize length)
{
  int fd;
  char *path = descriptor_path (input, &fd);
  if (truncate (path, (off_t) length) != 0)
    g_error ("%s cannot be truncated", path);
  g_free (path);
}

struct proflog_log *
fixture_open_log (const char *name)
{
  g_autofree char *path = fixture_path ("logs", name);
  GError *error = NULL;
  struct proflog_log *log = proflog_log_open (path, &error);
  assert_non_null (log);
  return log;
}
