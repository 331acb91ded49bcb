/* check-log.c -- compares a log with the events of the fake host.
 *
 *   check-log LOG [EXPECTATION...]
 *
 *   more=LOG             goes on where the log before ended; they count together.  Before all
 *                        others
 *   truth=FILE           the host's truth; also checks the process id
 *   same=KIND,KIND,...   for each thread and subject as many events as in the truth
 *   KIND=N   KIND>=N     this many events of this kind in all; names that were announced before
 *                        are of the kind `again`
 *   KIND:SUBJECT=N       this many about this subject, all threads together; a subject is
 *                        written as in the truth
 *   frames:KIND:A;B=N    this many events of this kind with this backtrace, outermost first
 *   cut                  the log may lack its end, as after a kill
 *
 * The rules for every log are always checked: header, no damage, times that rise within each
 * thread, names before their first use, bases below 2^56, no leave without an enter.
 */
#include "config.h"

#include "tests/host/check-log.h"
#include "decoder/input/log-input.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned problems;

void
problem (const char *format, ...)
{
  if (++problems > 20)
    return;
  va_list args;
  va_start (args, format);
  fputs ("check-log: ", stderr);
  vfprintf (stderr, format, args);
  fputc ('\n', stderr);
  va_end (args);
}

static void fail (const char *format, ...) G_GNUC_PRINTF (1, 2) G_GNUC_NORETURN;

static void
fail (const char *format, ...)
{
  va_list args;
  va_start (args, format);
  fputs ("check-log: ", stderr);
  vfprintf (stderr, format, args);
  fputc ('\n', stderr);
  va_end (args);
  exit (2);
}

guint
hash_u64 (gconstpointer key)
{
  return g_int64_hash (key);
}

uint64_t *
copy_u64 (uint64_t value)
{
  return g_memdup2 (&value, sizeof value);
}

/* ---- counts ---- */

GHashTable *totals;
/* "KIND THREAD SUBJECT" -> seen_tally, of the log; of the truth, -> tally. */
static GHashTable *seen, *truth;
/* "KIND THREAD" -> tally: at least so much, of threads that ran on */
static GHashTable *running;

struct seen_tally {
  struct tally own; /* the first member: get() and the like take it for the whole */
  struct tally *of_subject, *of_kind; /* in `totals` */
};

static struct tally *
tally_of (GHashTable *table, const char *key)
{
  struct tally *t = g_hash_table_lookup (table, key);
  if (t == NULL) {
    t = g_new0 (struct tally, 1);
    g_hash_table_insert (table, g_strdup (key), t);
  }
  return t;
}

static void
add (struct tally *t, uint64_t count, uint64_t amount)
{
  t->count += count;
  t->amount += amount;
}

void
add_to (GHashTable *table, const char *key, uint64_t count, uint64_t amount)
{
  add (tally_of (table, key), count, amount);
}

static struct tally
get (GHashTable *table, const char *key)
{
  const struct tally *t = g_hash_table_lookup (table, key);
  return t != NULL ? *t : (struct tally){ 0, 0 };
}

void
count (const char *kind, uint64_t thread, uint64_t amount, const char *format, ...)
{
  static GString *key; /* used again: with a sanitizer, memory for each event takes long */
  char head[64];
  const int length = snprintf (head, sizeof head, "%s %" PRIx64 " ", kind, thread);
  if (key == NULL)
    key = g_string_new (NULL);
  g_string_assign (key, head);
  va_list args;
  va_start (args, format);
  g_string_append_vprintf (key, format, args);
  va_end (args);
  struct seen_tally *t = g_hash_table_lookup (seen, key->str);
  if (t == NULL) {
    char *subject = g_strdup_printf ("%s:%s", kind, key->str + length);
    t = g_new (struct seen_tally, 1);
    *t = (struct seen_tally){ .of_subject = tally_of (totals, subject),
                              .of_kind = tally_of (totals, kind) };
    g_hash_table_insert (seen, g_strdup (key->str), t);
    g_free (subject);
  }
  add (&t->own, 1, amount);
  add (t->of_subject, 1, amount);
  add (t->of_kind, 1, amount);
}

/* ---- the log ---- */

static void
read_log (const char *path, void (*each) (const struct mlpd_item *))
{
  GError *error = NULL;
  struct log_input *input = log_input_open (path, &error);
  if (input == NULL)
    fail ("%s", error->message);
  struct mlpd_reader *reader = mlpd_reader_new ();
  for (;;) {
    const struct mlpd_item *item;
    enum proflog_result result = mlpd_reader_next (reader, &item);
    if (result == PROFLOG_EVENT) {
      each (item);
    } else if (result == PROFLOG_NEED_MORE) {
      const uint8_t *bytes;
      size_t length;
      if (!log_input_read (input, &bytes, &length, &error))
        fail ("%s", error->message);
      if (length != 0)
        mlpd_reader_push (reader, bytes, length);
      else
        mlpd_reader_finish (reader);
    } else if (result == PROFLOG_ERROR) {
      fail ("%s: %s", path, mlpd_reader_error (reader)->message);
    } else {
      break;
    }
  }
  if (log_input_damage (input) != NULL)
    problem ("%s", log_input_damage (input)->message);
  mlpd_reader_free (reader);
  log_input_close (input);
}

/* ---- expectations ---- */

static void
read_truth_line (const char *line)
{
  char **word = g_strsplit (line, " ", 6);
  guint n = g_strv_length (word);
  if (n == 6 && strcmp (word[0], "tally") == 0) {
    char *key = g_strdup_printf ("%s %s %s", word[1], word[2], word[5]);
    add_to (truth, key, strtoull (word[3], NULL, 10), strtoull (word[4], NULL, 10));
    g_free (key);
  } else if (n == 4 && strcmp (word[0], "running") == 0) {
    char *key = g_strdup_printf ("%s %s", word[1], word[2]);
    add_to (running, key, strtoull (word[3], NULL, 10), 0);
    g_free (key);
  } else if (n == 2 && strcmp (word[0], "pid") == 0
             && get (totals, "pid").count != strtoull (word[1], NULL, 10)) {
    problem ("file header: the process id is %" PRIu64 ", not %s", get (totals, "pid").count,
             word[1]);
  } else if (n == 2 && strcmp (word[0], "strings-in-use") == 0 && strcmp (word[1], "0") != 0) {
    problem ("the module did not free %s strings of the runtime", word[1]);
  }
  g_strfreev (word);
}

static void
read_truth (const char *path)
{
  FILE *file = fopen (path, "re");
  char *line = NULL;
  size_t size = 0;
  ssize_t length;
  if (file == NULL)
    fail ("cannot read %s", path);
  while ((length = getline (&line, &size, file)) > 0) {
    line[length - 1] = 0; /* a newline */
    read_truth_line (line);
  }
  free (line);
  fclose (file);
}

static bool
has_kind (const char *key, const char *kind)
{
  size_t length = strlen (kind);
  return strncmp (key, kind, length) == 0 && key[length] == ' ';
}

/* Whether the thread of a key "KIND THREAD SUBJECT" ran on when the truth was written. */
static bool
ran_on (const char *key)
{
  const char *space = strchr (strchr (key, ' ') + 1, ' ');
  char *thread = g_strndup (key, (gsize) (space - key));
  bool found = g_hash_table_contains (running, thread);
  g_free (thread);
  return found;
}

/* A loaded entity is announced at least once: also when used, after its address was reused. */
static bool
may_be_more (const char *kind, const char *key)
{
  if (strcmp (kind, "method_jit") == 0)
    return strstr (key, " 0x0 0 ") != NULL;
  return g_str_has_prefix (kind, "metadata_") && strstr (key, " load ") != NULL;
}

static void
compare (const char *kind, const char *key)
{
  struct tally log = get (seen, key), fired = get (truth, key);
  if (ran_on (key))
    return;
  if (strcmp (kind, "gc_move") == 0)
    log.count = fired.count; /* pairs matter, not in how many events they are */
  if (may_be_more (kind, key) && log.count > fired.count)
    return;
  if (log.count != fired.count || log.amount != fired.amount)
    problem ("%s: %" PRIu64 " (%" PRIu64 ") in the log, %" PRIu64 " (%" PRIu64 ") were fired", key,
             log.count, log.amount, fired.count, fired.amount);
}

static void
expect_same (const char *kinds)
{
  char **each = g_strsplit (kinds, ",", -1);
  GHashTableIter i;
  gpointer key, value;
  for (char **kind = each; *kind != NULL; kind++) {
    bool any = false;
    g_hash_table_iter_init (&i, truth);
    while (g_hash_table_iter_next (&i, &key, NULL))
      if (has_kind (key, *kind)) {
        any = true;
        compare (*kind, key);
      }
    g_hash_table_iter_init (&i, seen);
    while (g_hash_table_iter_next (&i, &key, NULL))
      if (has_kind (key, *kind) && !g_hash_table_contains (truth, key))
        compare (*kind, key);
    g_hash_table_iter_init (&i, running);
    while (g_hash_table_iter_next (&i, &key, &value))
      if (has_kind (key, *kind)) {
        any = true;
        uint64_t logged = 0;
        GHashTableIter k;
        gpointer seen_key, seen_value;
        g_hash_table_iter_init (&k, seen);
        while (g_hash_table_iter_next (&k, &seen_key, &seen_value))
          if (has_kind (seen_key, key))
            logged += ((struct tally *) seen_value)->count;
        if (logged < ((struct tally *) value)->count)
          problem ("%s: %" PRIu64 " in the log, %" PRIu64 " were fired before the shutdown",
                   (char *) key, logged, ((struct tally *) value)->count);
      }
    if (!any)
      problem ("nothing of the kind %s was fired: the test proves nothing", *kind);
  }
  g_strfreev (each);
}

static void
expect_count (const char *expectation)
{
  const char *equals = strrchr (expectation, '=');
  if (equals == NULL || equals == expectation)
    fail ("what is %s?", expectation);
  bool at_least = equals[-1] == '>';
  char *key = g_strndup (expectation, (gsize) (equals - expectation - at_least));
  uint64_t wanted = strtoull (equals + 1, NULL, 0), found = get (totals, key).count;
  if (at_least ? found < wanted : found != wanted)
    problem ("%s: found %" PRIu64, expectation, found);
  g_free (key);
}

/* Returns whether the log has an end. */
static bool
check_log (const char *path)
{
  names_init ();
  read_log (path, names_collect);
  names_sort ();
  read_log (path, items_check);
  const bool complete = items_end ();
  names_free ();
  return complete;
}

int
main (int argc, char **argv)
{
  if (argc < 2)
    fail ("no log given");
  GHashTable **tables[] = { &seen, &truth, &totals, &running };
  for (size_t i = 0; i < G_N_ELEMENTS (tables); i++)
    *tables[i] = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  bool complete = check_log (argv[1]);

  bool cut = false;
  for (int i = 2; i < argc; i++) {
    if (g_str_has_prefix (argv[i], "truth="))
      read_truth (argv[i] + 6);
    else if (g_str_has_prefix (argv[i], "same="))
      expect_same (argv[i] + 5);
    else if (g_str_has_prefix (argv[i], "more="))
      complete = check_log (argv[i] + 5) && complete;
    else if (strcmp (argv[i], "cut") == 0)
      cut = true;
    else
      expect_count (argv[i]);
  }
  if (!complete && !cut)
    problem ("the log has no end");
  if (get (totals, "truncated").count != 0 && !cut)
    problem ("the log is truncated");
  if (problems != 0)
    fprintf (stderr, "check-log: %s: %u problems\n", argv[1], problems);

  for (size_t i = 0; i < G_N_ELEMENTS (tables); i++)
    g_hash_table_unref (*tables[i]);
  return problems != 0;
}
