/* log-join.c -- walks folders for logs, and compares the beginnings of files. */
#include "config.h"

#include "decoder/log/log-join.h"
#include "decoder/command/message.h"
#include "decoder/input/log-parts.h"
#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>

/* ---- folders ---- */

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

/* ---- the files of one log ---- */

/* Files of a log that are open at the same time, beside others. */
#define OPEN_FILES 64

struct word {
  char *text;
  struct log_part_head head;
  guint place; /* in the command line */
  guint log;   /* the place of the first file of its log */
};

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  const struct word *const *x = a, *const *y = b;
  const uint64_t one = (*x)->head.first_time, other = (*y)->head.first_time;
  return one != other ? (one < other ? -1 : 1) : (*x)->place < (*y)->place ? -1 : 1;
}

/* The words of each file header: GBytes -> GPtrArray of struct word, in order of time. */
static GHashTable *
group_by_program (struct word *words, guint n)
{
  GHashTable *programs = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, NULL,
                                                (GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < n; i++) {
    if (words[i].head.header == NULL)
      continue;
    GPtrArray *same = g_hash_table_lookup (programs, words[i].head.header);
    if (same == NULL) {
      same = g_ptr_array_new ();
      g_hash_table_insert (programs, words[i].head.header, same);
    }
    g_ptr_array_add (same, &words[i]);
  }
  return programs;
}

/* Of these words, those that are the log which begins with the first of them; the others are logs
 * by themselves, such as copies. */
static GPtrArray *
files_of_log (const GPtrArray *same)
{
  GPtrArray *files = g_ptr_array_new ();
  for (guint i = 0; i < same->len; i++) {
    struct word *const word = g_ptr_array_index (same, i);
    const struct word *const last
        = files->len != 0 ? g_ptr_array_index (files, files->len - 1) : NULL;
    if (last == NULL || log_part_head_precedes (&last->head, &word->head))
      g_ptr_array_add (files, word);
  }
  return files;
}

/* Each file of a joined log stays open. */
static void
allow_open_files (guint n)
{
  struct rlimit limit;
  if (getrlimit (RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= n + OPEN_FILES)
    return;
  limit.rlim_cur = MIN (limit.rlim_max, n + OPEN_FILES);
  setrlimit (RLIMIT_NOFILE, &limit);
}

/* Bytes that all paths begin with, but for the digits at the end of these. */
static size_t
count_common (const GPtrArray *paths)
{
  const char *const first = paths->pdata[0];
  size_t n = strlen (first);
  for (guint i = 1; i < paths->len; i++) {
    const char *const path = paths->pdata[i];
    size_t at = 0;
    while (at < n && first[at] == path[at])
      at++;
    n = at;
  }
  while (n != 0 && g_ascii_isdigit (first[n - 1]))
    n--;
  return n;
}

/* app.0001.mlpd, app.0002.mlpd -> app.*.mlpd, as a shell reads it (transfer full). */
static char *
name_of (const GPtrArray *paths)
{
  const char *const first = paths->pdata[0];
  const size_t before = count_common (paths);
  const char *const rest = first + before + strspn (first + before, G_CSET_DIGITS);
  for (guint i = 0; i < paths->len; i++) {
    const char *const number = (const char *) paths->pdata[i] + before;
    const size_t digits = strspn (number, G_CSET_DIGITS);
    if (digits == 0 || strcmp (number + digits, rest) != 0)
      return g_strdup_printf ("%s and %u more", first, paths->len - 1);
  }
  return g_strdup_printf ("%.*s*%s", (int) before, first, rest);
}

/* The log gets a name, at the place of the first of its files in the command line. */
static void
add_log (GHashTable **joined, const GPtrArray *files, struct word *words)
{
  GPtrArray *paths = g_ptr_array_new ();
  guint place = G_MAXUINT;
  for (guint i = 0; i < files->len; i++) {
    const struct word *const word = g_ptr_array_index (files, i);
    place = MIN (place, word->place);
    g_ptr_array_add (paths, word->text);
  }
  for (guint i = 0; i < files->len; i++)
    words[((const struct word *) g_ptr_array_index (files, i))->place].log = place;
  char *name = name_of (paths);
  g_ptr_array_add (paths, NULL);
  if (*joined == NULL)
    *joined = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (g_hash_table_contains (*joined, name)) { /* files of two runs */
    char *other = g_strdup_printf ("%s from %s", name, (const char *) paths->pdata[0]);
    g_free (name);
    name = other;
  }
  g_hash_table_replace (*joined, name, g_ptr_array_free (paths, FALSE));
  words[place].text = name;
  allow_open_files (files->len);
}

static void
join (GHashTable **joined, struct word *words, GPtrArray *same)
{
  g_ptr_array_sort (same, compare_times);
  GPtrArray *files = files_of_log (same);
  if (files->len > 1)
    add_log (joined, files, words);
  g_ptr_array_unref (files);
  g_ptr_array_set_size (same, 0); /* they are not inspected again */
}

/* Do the paths differ in numbers only? */
static bool
differ_in_numbers (const char *a, const char *b)
{
  while (*a != '\0' && *b != '\0') {
    const size_t of_a = strspn (a, G_CSET_DIGITS), of_b = strspn (b, G_CSET_DIGITS);
    if ((of_a != 0) != (of_b != 0) || (of_a == 0 && *a != *b))
      return false;
    a += MAX (of_a, 1);
    b += MAX (of_b, 1);
  }
  return *a == *b;
}

/* Is it the file that a program had just begun when it was killed, beside the others of its log? */
static bool
is_begun (const struct word *words, guint n, const struct word *word)
{
  GStatBuf st;
  if (word->head.header != NULL || g_stat (word->text, &st) != 0 || !S_ISREG (st.st_mode)
      || st.st_size != 0)
    return false;
  for (guint i = 0; i < n; i++)
    if (words[i].head.header != NULL && differ_in_numbers (words[i].text, word->text))
      return true;
  return false;
}

static void
leave_out_begun (struct word *words, guint n)
{
  for (guint i = 0; i < n; i++) {
    if (!is_begun (words, n, &words[i]))
      continue;
    cli_message ("proflog: %s: is empty, as the program ended when it began this file; it is left "
                 "out",
                 words[i].text);
    words[i].log = G_MAXUINT;
  }
}

guint
log_join_files (GHashTable **joined, char **texts, guint n)
{
  guint kept = 0;
  if (n < 2)
    return n;
  struct word *words = g_new0 (struct word, n);
  for (guint i = 0; i < n; i++) {
    words[i] = (struct word){ .text = texts[i], .place = i, .log = i };
    log_part_head_read (&words[i].head, texts[i]);
  }
  leave_out_begun (words, n);
  GHashTable *programs = group_by_program (words, n);
  for (guint i = 0; i < n; i++) { /* in order of the words, as names depend on it */
    GPtrArray *same = words[i].head.header != NULL
                          ? g_hash_table_lookup (programs, words[i].head.header)
                          : NULL;
    if (same != NULL && same->len > 1)
      join (joined, words, same);
  }
  g_hash_table_unref (programs);
  for (guint i = 0; i < n; i++) {
    log_part_head_clear (&words[i].head);
    if (words[i].log == i)
      texts[kept++] = words[i].text;
  }
  g_free (words);
  return kept;
}

bool
log_join_is_file (GHashTable *joined, const char *log)
{
  return log_joined_files (joined, log) != NULL || g_file_test (log, G_FILE_TEST_IS_REGULAR);
}

char *const *
log_joined_files (GHashTable *joined, const char *log)
{
  return joined != NULL ? g_hash_table_lookup (joined, log) : NULL;
}
