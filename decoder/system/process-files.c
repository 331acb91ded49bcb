/* process-files.c -- reads files of /proc/PID. */
#include "config.h"

#include "decoder/system/processes.h"
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The contents of a file of the process (transfer full); NULL: none can be read. */
static char *
read_file (long pid, const char *name, gsize *length)
{
  g_autofree char *path = g_strdup_printf ("/proc/%ld/%s", pid, name);
  char *text = NULL;
  return g_file_get_contents (path, &text, length, NULL) ? text : NULL;
}

static gint
compare_pids (gconstpointer a, gconstpointer b)
{
  const long p = *(const long *) a, q = *(const long *) b;
  return p < q ? -1 : p > q;
}

GArray *
process_list (void)
{
  GArray *pids = g_array_new (FALSE, FALSE, sizeof (long));
  g_autoptr (GDir) dir = g_dir_open ("/proc", 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    guint64 number;
    struct stat st;
    g_autofree char *path = g_build_filename ("/proc", name, NULL);
    if (!g_ascii_string_to_unsigned (name, 10, 1, G_MAXINT, &number, NULL) || stat (path, &st) != 0
        || (st.st_uid != geteuid () && geteuid () != 0))
      continue;
    const long pid = (long) number;
    g_array_append_val (pids, pid);
  }
  g_array_sort (pids, compare_pids);
  return pids;
}

/* The number of a user in the process's user namespace: the same one unless its map has another. */
static uid_t
user_inside (long pid, uid_t user)
{
  gsize length;
  g_autofree char *map = read_file (pid, "uid_map", &length);
  g_auto (GStrv) lines = g_strsplit (map != NULL ? map : "", "\n", -1);
  for (char **line = lines; *line != NULL; line++) {
    unsigned inside, outside, count;
    if (sscanf (*line, "%u %u %u", &inside, &outside, &count) == 3 && user >= outside
        && user - outside < count)
      return inside + (user - outside);
  }
  return user;
}

bool
process_list_has (const GArray *pids, long pid)
{
  for (guint i = 0; i < pids->len; i++)
    if (g_array_index (pids, long, i) == pid)
      return true;
  return false;
}

bool
process_read_ids (long pid, struct process_ids *ids)
{
  static const char users[] = "\nUid:", numbers[] = "\nNSpid:";
  gsize length;
  g_autofree char *status = read_file (pid, "status", &length);
  const char *at = status != NULL ? strstr (status, users) : NULL;
  if (at == NULL || sscanf (at + strlen (users), "%*u %u", &ids->user) != 1)
    return false;
  ids->user_inside = user_inside (pid, ids->user);
  ids->pid_inside = pid;
  /* From the outermost namespace to its own one. */
  at = strstr (status, numbers);
  for (at = at != NULL ? at + strlen (numbers) : ""; *at == '\t' || *at == ' ';)
    ids->pid_inside = (long) g_ascii_strtoull (at, (char **) &at, 10);
  return true;
}

char **
process_words (long pid)
{
  GPtrArray *words = g_ptr_array_new ();
  gsize length = 0;
  g_autofree char *text = read_file (pid, "cmdline", &length);
  for (gsize at = 0; text != NULL && at < length; at += strlen (text + at) + 1)
    g_ptr_array_add (words, g_strdup (text + at));
  /* A program may have overwritten the bytes after its words. */
  while (words->len > 0 && *(char *) words->pdata[words->len - 1] == 0)
    g_free (g_ptr_array_remove_index (words, words->len - 1));
  g_ptr_array_add (words, NULL);
  return (char **) g_ptr_array_free (words, FALSE);
}

char *
process_variable (long pid, const char *name)
{
  gsize length = 0;
  g_autofree char *text = read_file (pid, "environ", &length);
  const size_t prefix = strlen (name);
  for (gsize at = 0; text != NULL && at < length; at += strlen (text + at) + 1)
    if (strncmp (text + at, name, prefix) == 0 && text[at + prefix] == '=')
      return g_strdup (text + at + prefix + 1);
  return NULL;
}

char *
process_command (long pid)
{
  g_auto (GStrv) words = process_words (pid);
  g_autofree char *text = g_strjoinv (" ", words);
  return g_utf8_make_valid (text, -1);
}

static const char *
without_directory (const char *path)
{
  const char *slash = strrchr (path, '/');
  return slash != NULL ? slash + 1 : path;
}

char *
process_name (long pid)
{
  g_auto (GStrv) words = process_words (pid);
  for (char **word = words; *word != NULL; word++)
    if (**word != '-' && g_str_has_suffix (*word, ".exe"))
      return g_utf8_make_valid (without_directory (*word), -1);
  return g_utf8_make_valid (words[0] != NULL ? without_directory (words[0]) : "", -1);
}

/* Options name files and modules, not the program. */
bool
process_has_name (long pid, const char *name)
{
  g_auto (GStrv) words = process_words (pid);
  g_autofree char *assembly = g_strconcat (name, ".exe", NULL);
  for (char **word = words; *word != NULL; word++) {
    const char *base = without_directory (*word);
    if (**word != '-' && (strcmp (base, name) == 0 || strcmp (base, assembly) == 0))
      return true;
  }
  return false;
}

/* ---- processor time and memory ---- */

bool
process_usage_read (long pid, struct process_usage *usage)
{
  g_autofree char *path = g_strdup_printf ("/proc/%ld/stat", pid);
  g_autofree char *text = NULL;
  uint64_t user, system;
  int64_t pages;
  if (!g_file_get_contents (path, &text, NULL, NULL))
    return false;
  /* The name may have spaces and brackets.  After it: utime and stime are fields 14 and 15, rss is
   * field 24. */
  const char *rest = strrchr (text, ')');
  if (rest == NULL
      || sscanf (rest + 1,
                 " %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %" SCNu64 " %" SCNu64
                 " %*s %*s %*s %*s %*s %*s %*s %*s %" SCNd64,
                 &user, &system, &pages)
             != 3
      || pages <= 0)
    return false;
  const uint64_t ticks = (uint64_t) sysconf (_SC_CLK_TCK);
  usage->cpu_ns = (user + system) * (UINT64_C (1000000000) / ticks);
  usage->memory_bytes = (uint64_t) pages * (uint64_t) sysconf (_SC_PAGESIZE);
  return true;
}
