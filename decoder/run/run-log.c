/* run-log.c -- checks a log's path before the run and finds the logs after it. */
#include "config.h"

#include "decoder/run/run.h"
#include "decoder/system/processes.h"
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

/* The number of a file, as the module writes it. */
#define NUMBER_PATTERN "\\.[0-9]{4,}"

struct run_log {
  char *directory;  /* absolute */
  char *base;       /* the name in it, with %p and %% still in place and %t expanded */
  char *path;       /* of both, for messages */
  GRegex *names;    /* the possible base names; its groups are process ids */
  bool is_numbered; /* there are several files, with numbers before the last point of their names */
  GHashTable *old;  /* name -> struct stamp: the files that were there before */
  uint64_t began;
};

/* Reports a file that was written from the one that was there. */
struct stamp {
  dev_t device;
  ino_t inode;
  struct timespec modified;
  off_t size;
};

static struct stamp
make_stamp (const GStatBuf *st)
{
  return (struct stamp){
    .device = st->st_dev, .inode = st->st_ino, .modified = st->st_mtim, .size = st->st_size
  };
}

static bool
stamps_equal (const struct stamp *a, const struct stamp *b)
{
  return a->device == b->device && a->inode == b->inode && a->size == b->size
         && a->modified.tv_sec == b->modified.tv_sec && a->modified.tv_nsec == b->modified.tv_nsec;
}

/* Expands %t in `text`, and makes of it the pattern of the names that it may become. */
static bool
expand (struct run_log *log, const char *text, GError **error)
{
  g_autoptr (GString) base = g_string_new (NULL);
  g_autoptr (GString) pattern = g_string_new ("^");
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *time = g_date_time_format (now, "%Y%m%d%H%M%S");
  const char *last_point = strrchr (text, '.');
  const char *end = last_point != NULL && last_point != text ? last_point : text + strlen (text);
  for (const char *p = text;; p++) {
    if (p == end && log->is_numbered)
      g_string_append (pattern, NUMBER_PATTERN);
    if (*p == 0)
      break;
    if (*p != '%') {
      g_autofree char *literal = g_regex_escape_string (p, 1);
      g_string_append_c (base, *p);
      g_string_append (pattern, literal);
      continue;
    }
    p++;
    if (*p == 't') {
      g_string_append (base, time);
      g_string_append (pattern, time);
    } else if (*p == 'p') {
      g_string_append (base, "%p");
      g_string_append (pattern, "([0-9]+)");
    } else if (*p == '%') {
      g_string_append (base, "%%");
      g_string_append_c (pattern, '%');
    } else {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                   "'%s': %% must be followed by p (process id), t (time) or %%", text);
      return false;
    }
  }
  g_string_append (pattern, "$");
  log->base = g_string_free (g_steal_pointer (&base), FALSE);
  log->names = g_regex_new (pattern->str, G_REGEX_RAW | G_REGEX_DOLLAR_ENDONLY, 0, error);
  return log->names != NULL;
}

/* Is it a name that the log's may become, in process `pid` (0: in any)? */
static bool
is_candidate (const struct run_log *log, pid_t pid, const char *name)
{
  GMatchInfo *match = NULL;
  bool is = g_regex_match (log->names, name, 0, &match);
  for (int group = 1; is && pid != 0 && group < g_match_info_get_match_count (match); group++) {
    g_autofree char *digits = g_match_info_fetch (match, group);
    is = g_ascii_strtoull (digits, NULL, 10) == (guint64) pid;
  }
  g_match_info_free (match);
  return is;
}

/* Calls visit for each file of the directory that the log's name may become. */
static void
each_candidate (const struct run_log *log, pid_t pid,
                void (*visit) (const char *name, const char *path, void *data), void *data)
{
  g_autoptr (GDir) dir = g_dir_open (log->directory, 0, NULL);
  if (dir == NULL)
    return;
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir)) {
    if (!is_candidate (log, pid, name))
      continue;
    g_autofree char *path = g_build_filename (log->directory, name, NULL);
    visit (name, path, data);
  }
}

static void
remember (const char *name, const char *path, void *data)
{
  GStatBuf st;
  if (g_lstat (path, &st) == 0) {
    struct stamp stamp = make_stamp (&st);
    g_hash_table_insert (data, g_strdup (name), g_memdup2 (&stamp, sizeof stamp));
  }
}

static bool
check_directory (const char *directory, GError **error)
{
  int code = 0;
  if (access (directory, F_OK) != 0)
    code = errno;
  else if (!g_file_test (directory, G_FILE_TEST_IS_DIR))
    code = ENOTDIR;
  else if (access (directory, W_OK | X_OK) != 0)
    code = errno;
  if (code != 0)
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "directory '%s': %s",
                 directory, g_strerror (code));
  return code == 0;
}

static uint64_t
timespec_ns (struct timespec time)
{
  return (uint64_t) time.tv_sec * 1000000000 + (uint64_t) time.tv_nsec;
}

/* By the clock of the file system: a file server has one of its own.  The file has no name. */
static uint64_t
time_in (const char *directory)
{
  const int fd = open (directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  struct timespec now;
  struct stat st;
  clock_gettime (CLOCK_REALTIME_COARSE, &now);
  if (fd >= 0 && fstat (fd, &st) == 0)
    now = st.st_mtim;
  if (fd >= 0)
    close (fd);
  return timespec_ns (now);
}

/* The logs that are there are older than this run, whatever the clocks are. */
static uint64_t
begin_time (const struct run_log *log)
{
  uint64_t latest = time_in (log->directory);
  GHashTableIter iter;
  gpointer stamp;
  g_hash_table_iter_init (&iter, log->old);
  while (g_hash_table_iter_next (&iter, NULL, &stamp))
    latest = MAX (latest, timespec_ns (((const struct stamp *) stamp)->modified));
  return latest;
}

uint64_t
run_log_began (const struct run_log *log)
{
  return log->began;
}

uint64_t
run_log_free_space (const struct run_log *log)
{
  struct statvfs fs;
  return statvfs (log->directory, &fs) == 0 ? (uint64_t) fs.f_bavail * fs.f_frsize : 0;
}

/* The obstacle to a log at `path`; NULL if there is none. */
static const char *
obstacle (const char *path, bool force)
{
  GStatBuf st;
  if (g_lstat (path, &st) != 0)
    return errno == ENOENT ? NULL : g_strerror (errno);
  if (S_ISLNK (st.st_mode))
    return "is a symbolic link, which is not followed";
  if (S_ISDIR (st.st_mode))
    return "is a directory";
  if (!S_ISREG (st.st_mode))
    return "is not a regular file";
  if (access (path, R_OK | W_OK) != 0)
    return g_strerror (errno);
  const enum log_head head = log_head_of (path);
  if (head == LOG_HEAD_OTHER)
    return "is there and is no profiler log; it is not overwritten";
  return head != LOG_HEAD_EMPTY && !force ? "is there (--force overwrites it)" : NULL;
}

struct search_obstacle {
  bool force;
  char *path; /* NULL: there is no obstacle */
  const char *problem;
};

static void
note_obstacle (const char *name, const char *path, void *data)
{
  struct search_obstacle *search = data;
  (void) name;
  const char *problem = search->path == NULL ? obstacle (path, search->force) : NULL;
  if (problem == NULL)
    return;
  search->path = g_strdup (path);
  search->problem = problem;
}

/* A name with a process id cannot be known yet; of one without, the file, or a file with a number.
 */
static bool
check_files (struct run_log *log, bool force, GError **error)
{
  if (strstr (log->base, "%p") != NULL)
    return true;
  g_auto (GStrv) parts = g_strsplit (log->base, "%%", -1);
  g_autofree char *plain = g_strjoinv ("%", parts);
  g_free (log->path);
  log->path = g_build_filename (log->directory, plain, NULL);
  struct search_obstacle search = { .force = force };
  if (log->is_numbered)
    each_candidate (log, 0, note_obstacle, &search);
  else
    note_obstacle (plain, log->path, &search);
  if (search.path != NULL)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_EXIST, "'%s': %s", search.path, search.problem);
  g_free (search.path);
  return search.problem == NULL;
}

struct run_log *
run_log_new (const char *path, bool is_numbered, bool force, GError **error)
{
  g_autofree char *full = g_canonicalize_filename (path, NULL);
  g_autofree char *base = g_path_get_basename (full);
  struct run_log *log = g_new0 (struct run_log, 1);
  log->directory = g_path_get_dirname (full);
  log->is_numbered = is_numbered;
  log->old = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  bool good = path[0] != 0 && !g_str_has_suffix (path, "/") && strcmp (path, "-") != 0;
  if (strcmp (path, "-") == 0)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                 "standard output is the program's own; name a file (./- is one called '-')");
  else if (!good)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "'%s' is not the name of a file", path);
  good = good && expand (log, base, error) && check_directory (log->directory, error);
  if (good) {
    log->path = g_build_filename (log->directory, log->base, NULL);
    good = check_files (log, force, error);
  }
  if (!good) {
    run_log_free (log);
    return NULL;
  }
  each_candidate (log, 0, remember, log->old);
  log->began = begin_time (log);
  return log;
}

void
run_log_free (struct run_log *log)
{
  if (log == NULL)
    return;
  g_free (log->directory);
  g_free (log->base);
  g_free (log->path);
  g_clear_pointer (&log->names, g_regex_unref);
  g_hash_table_unref (log->old);
  g_free (log);
}

char *
run_log_escape (const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, "%", -1);
  return g_strjoinv ("%%", parts);
}

char *
run_log_default (const char *program, const char *suffix)
{
  g_autofree char *base = g_path_get_basename (program);
  char *dot = strrchr (base, '.');
  if (dot != NULL && dot != base)
    *dot = 0;
  g_autofree char *name = run_log_escape (base);
  return g_strconcat (name, ".%p", suffix, NULL);
}

char *
run_log_option (const struct run_log *log)
{
  /* In the directory every % is meant as one; in the base name they are marked already. */
  g_autofree char *directory = run_log_escape (log->directory);
  g_autofree char *path = g_build_filename (directory, log->base, NULL);
  GString *option = g_string_new (NULL);
  for (const char *p = path; *p != 0; p++) {
    if (strchr ("\\,'\"", *p) != NULL)
      g_string_append_c (option, '\\');
    g_string_append_c (option, *p);
  }
  return g_string_free (option, FALSE);
}

char *
run_log_expand (const struct run_log *log, pid_t pid)
{
  GString *base = g_string_new (NULL);
  for (const char *p = log->base; *p != 0; p++)
    if (*p == '%' && *++p == 'p')
      g_string_append_printf (base, "%ld", (long) pid);
    else
      g_string_append_c (base, *p);
  char *path = g_build_filename (log->directory, base->str, NULL);
  g_string_free (base, TRUE);
  return path;
}

const char *
run_log_path (const struct run_log *log)
{
  return log->path;
}

struct log_search {
  GHashTable *old;
  uint64_t size; /* of the files */
  GPtrArray *found;
};

static void
note_if_written (const char *name, const char *path, void *data)
{
  struct log_search *search = data;
  GStatBuf st;
  if (g_lstat (path, &st) != 0 || !S_ISREG (st.st_mode))
    return;
  struct stamp now = make_stamp (&st);
  const struct stamp *before = g_hash_table_lookup (search->old, name);
  if (before == NULL || !stamps_equal (before, &now))
    g_ptr_array_add (search->found, g_strdup (path));
}

static int
compare_paths (const void *a, const void *b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

GPtrArray *
run_log_written (const struct run_log *log, pid_t pid)
{
  struct log_search search = { .old = log->old, .found = g_ptr_array_new_with_free_func (g_free) };
  each_candidate (log, pid, note_if_written, &search);
  g_ptr_array_sort (search.found, compare_paths);
  return search.found;
}

static void
add_size (const char *name, const char *path, void *data)
{
  struct log_search *search = data;
  GStatBuf st;
  const guint before = search->found->len;
  note_if_written (name, path, data);
  if (search->found->len != before && g_stat (path, &st) == 0)
    search->size += (uint64_t) st.st_size;
}

uint64_t
run_log_size (const struct run_log *log, pid_t pid)
{
  struct log_search search = { .old = log->old, .found = g_ptr_array_new_with_free_func (g_free) };
  each_candidate (log, pid, add_size, &search);
  g_ptr_array_unref (search.found);
  return search.size;
}

size_t
run_log_number_at (const struct run_log *log, const char *path)
{
  const char *pattern_point = strrchr (log->base, '.');
  const bool has_rest = pattern_point != NULL && pattern_point != log->base;
  const char *end = has_rest ? strrchr (path, '.') : path + strlen (path);
  while (end != NULL && end > path && g_ascii_isdigit (end[-1]))
    end--;
  return log->is_numbered && end != NULL ? (size_t) (end - path) : 0;
}
