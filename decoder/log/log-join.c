/* log-join.c -- compares what files begin with. */
#include "config.h"

#include "decoder/log/log-join.h"
#include "decoder/input/log-parts.h"

#include <string.h>
#include <sys/resource.h>

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
