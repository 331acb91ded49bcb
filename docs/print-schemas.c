/* print-schemas.c -- writes docs/schemas and docs/json.md: the JSON schemas of the command's
 * output, made of the JSON output of the commands, with its keys, types and labels, over the runs
 * of schema-runs.
 *
 *   print-schemas SOURCE FOLDER     SOURCE is the top of the source tree, FOLDER is that of docs
 *
 * A key that not each object of a place has is not required.  A value that is null once may be
 * null. */
#include "config.h"

#include "decoder/command/cli.h"
#include "decoder/cli/command-list.h"
#include "docs/schemas.h"
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- a line of proflog top ---- */

#define TOP_END_NONE ""
#define TOP_END_BYTES "_bytes"
#define TOP_END_NS "_ns"

#define TOP_COLLECTIONS                                                                            \
  "{\"type\": \"array\", \"items\": {\"type\": \"integer\", \"minimum\": 0}, \"description\": "    \
  "\"Collections by "                                                                              \
  "generation"

/* Members that are no figures; the first three only of several logs. */
static const struct {
  const char *key, *schema;
} top_extras[] = {
  { "log", "{\"type\": \"string\", \"description\": \"The name of the log, of several\"}" },
  { "pid", "{\"type\": [\"integer\", \"null\"], \"description\": \"The process; null: unknown\"}" },
  { "ended", "{\"type\": \"boolean\", \"description\": \"Whether the log has ended\"}" },
  { "mark_names", "{\"type\": \"array\", \"items\": {\"type\": \"string\"}, "
                  "\"description\": \"The names of the marks of the interval\"}" },
  { "collections", TOP_COLLECTIONS ", in the interval\"}" },
  { "collections_all", TOP_COLLECTIONS "\"}" },
};

static void
top_member (GString *out, GString *required, const char *key, const char *meaning)
{
  g_string_append_printf (
      out, "  \"%s\": {\"type\": \"integer\", \"minimum\": 0, \"description\": \"%s\"},\n", key,
      meaning);
  g_string_append_printf (required, ", \"%s\"", key);
}

/* Writes FOLDER/top-line.json; false if it cannot be written. */
static bool
schema_write_top (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "top-line.json", NULL);
  g_autoptr (GString) required = g_string_new ("\"format\""), out = g_string_new (NULL);
  g_string_append (
      out, "{ \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
           " \"$id\": \"urn:proflog:top-line\",\n"
           " \"title\": \"proflog.top-line\",\n"
           " \"description\": \"proflog top --format=json: a line, the figures of an interval\",\n"
           " \"type\": \"object\",\n"
           " \"properties\": {\n");
  for (gsize i = 0; i < G_N_ELEMENTS (top_extras); i++)
    g_string_append_printf (out, "  \"%s\": %s,\n", top_extras[i].key, top_extras[i].schema);
#define COUNTER(member, name, unit, help)                                                          \
  top_member (out, required, name TOP_END_##unit, help ", in the interval");                       \
  top_member (out, required, name TOP_END_##unit "_all", help);
#define GAUGE(member, name, unit, help) top_member (out, required, name TOP_END_##unit, help);
#include "decoder/live/live-figures.def"
  g_string_append_printf (
      out,
      "  \"format\": {\"enum\": [\"mono\", \"ghc\"], \"description\": \"The format of the "
      "log\"}},\n"
      " \"required\": [%s, \"mark_names\", \"collections\", \"collections_all\"],\n"
      " \"additionalProperties\": false}\n",
      required->str);
  return g_file_set_contents (path, out->str, (gssize) out->len, NULL);
}

static const char *source;
static char *work;
static GHashTable *sets; /* names of logs (char **) by the name of their set */

/* Messages go to the real standard error: the commands' are not shown. */
static FILE *messages;

static void
fail (const char *what, const char *detail)
{
  fprintf (messages, "print-schemas: %s: %s\n", what, detail);
  exit (1);
}

/* ---- logs ---- */

/* Bytes are overwritten at six places, after the head of a log. */
static void
overwrite (guint8 *bytes, gsize length)
{
  enum { PLACES = 7, BYTES = 8 };
  for (gsize i = 1; i < PLACES; i++) {
    const gsize at = i * length / PLACES;
    memset (bytes + at, 0xff, MIN (BYTES, length - at));
  }
}

/* The bytes of a log, not compressed (transfer full). */
static GByteArray *
read_plain (const char *path)
{
  GByteArray *const bytes = g_byte_array_new ();
  g_autofree char *quoted = g_shell_quote (path);
  g_autofree char *command = g_strdup_printf ("gzip -dcf %s", quoted);
  guint8 piece[4096];
  size_t n;
  FILE *const from = popen (command, "r");
  while (from != NULL && (n = fread (piece, 1, sizeof piece, from)) > 0)
    g_byte_array_append (bytes, piece, (guint) n);
  if (from == NULL || pclose (from) != 0)
    fail (path, "cannot be read");
  return bytes;
}

/* A log of several processes. */
static char *
merged_path (const char *name)
{
  static const char *const parts[]
      = { "small.eventlog", "ghc-sparks-all.eventlog.gz", "ghc-collect-N2.eventlog.gz" };
  char *const path = g_build_filename (work, name, NULL);
  char *words[] = { (char *) "merge", (char *) "-o", path, NULL, NULL, NULL, NULL };
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return path;
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    words[3 + i] = g_build_filename (source, "tests/logs", parts[i], NULL);
  const struct cli_command *const merge = cli_find_command (words[0]);
  if (merge->run (merge, G_N_ELEMENTS (words) - 1, words) != CLI_OK)
    fail (path, "cannot be merged");
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    g_free (words[3 + i]);
  return path;
}

/* The path of a log of a set (transfer full), which is made first if it is a damaged one. */
static char *
log_path (const char *name)
{
  const bool is_cut = g_str_has_prefix (name, "cut-"), is_bad = g_str_has_prefix (name, "bad-");
  if (strcmp (name, "merged.eventlog") == 0)
    return merged_path (name);
  if (!is_cut && !is_bad)
    return g_build_filename (source, "tests/logs", name, NULL);
  char *const path = g_build_filename (work, name, NULL);
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return path;
  g_autofree char *whole = g_build_filename (source, "tests/logs", name + 4, NULL);
  g_autoptr (GByteArray) bytes = read_plain (whole);
  if (is_bad)
    overwrite (bytes->data, bytes->len);
  else
    g_byte_array_set_size (bytes, bytes->len * 5 / 8);
  if (!g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL))
    fail (path, "cannot be written");
  return path;
}

static void
remove_logs (void)
{
  g_autoptr (GDir) dir = g_dir_open (work, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (work, name, NULL);
    g_unlink (path);
  }
  g_rmdir (work);
}

/* ---- runs ---- */

/* Runs the command that argv[0] names, with JSON as its output. */
static void
run_command (GPtrArray *words)
{
  const char *const name = words->pdata[0];
  const struct cli_command *const command = cli_find_command (name);
  g_autofree char *line = NULL;
  if (command == NULL)
    fail (name, "there is no such command");
  g_ptr_array_add (words, (char *) "--format=json");
  g_ptr_array_add (words, NULL);
  if (command->run (command, (int) words->len - 1, (char **) words->pdata) == CLI_USAGE) {
    line = g_strjoinv (" ", (char **) words->pdata);
    fail (line, "the command refuses this");
  }
}

/* Runs the line once, or for each log of the set that it names. */
static void
run_words (char **words)
{
  char **logs = NULL;
  for (char **w = words; *w != NULL && logs == NULL; w++)
    logs = g_hash_table_lookup (sets, *w);
  for (guint i = 0; i == 0 || (logs != NULL && logs[i] != NULL); i++) {
    g_autoptr (GPtrArray) line = g_ptr_array_new ();
    g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
    for (char **w = words; *w != NULL; w++) {
      const bool is_set = g_hash_table_contains (sets, *w);
      if (is_set || strstr (*w, ".mlpd") != NULL || strstr (*w, ".eventlog") != NULL) {
        g_ptr_array_add (paths, log_path (is_set ? logs[i] : *w));
        g_ptr_array_add (line, paths->pdata[paths->len - 1]);
      } else {
        g_ptr_array_add (line, *w);
      }
    }
    run_command (line);
  }
}

/* A line of schema-runs: a set, or a run. */
static void
read_line (const char *line)
{
  g_auto (GStrv) words = NULL;
  if (line[0] == 0 || line[0] == '#')
    return;
  if (!g_shell_parse_argv (line, NULL, &words, NULL))
    fail (line, "cannot be parsed");
  if (words[1] != NULL && strcmp (words[1], "=") == 0) {
    g_hash_table_insert (sets, g_strdup (words[0]), g_strdupv (words + 2));
    return;
  }
  const gsize length = strlen (words[0]);
  if (length < 2 || words[0][length - 1] != ':')
    fail (line, "begins with no variant");
  g_autofree char *variant = g_strndup (words[0], length - 1);
  schema_record_variant (strcmp (variant, "-") == 0 ? "" : g_intern_string (variant));
  run_words (words + 1);
}

static void
read_runs (void)
{
  g_autofree char *path = g_build_filename (source, "docs/schema-runs", NULL);
  g_autofree char *text = NULL;
  if (!g_file_get_contents (path, &text, NULL, NULL))
    fail (path, "cannot be read");
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    read_line (*line);
}

static void
add_members (void)
{
  static const struct {
    const char *schema, *variant, *object, *key;
    enum emitter_type type;
  } members[] = {
#define MEMBER(schema, variant, object, key, type) { schema, variant, object, key, type },
#include "docs/schema-keys.def"
  };
  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    if (!schema_record_member (members[i].schema, members[i].variant, members[i].object,
                               members[i].key, NULL, members[i].type))
      fail (members[i].object, "schema-keys.def: there is no such object");
}

/* The output of commands goes nowhere. */
static void
silence (void)
{
  const int null = open ("/dev/null", O_WRONLY);
  messages = fdopen (dup (STDERR_FILENO), "w");
  if (null < 0 || messages == NULL || dup2 (null, STDOUT_FILENO) < 0
      || dup2 (null, STDERR_FILENO) < 0)
    abort ();
}

/* docs/json.md: an introduction by hand, and the tables. */
static bool
write_page (GPtrArray *schemas, const char *folder)
{
  g_autofree char *from = g_build_filename (source, "docs/json-introduction.md", NULL);
  g_autofree char *to = g_build_filename (folder, "json.md", NULL);
  g_autofree char *introduction = NULL;
  if (!g_file_get_contents (from, &introduction, NULL, NULL))
    fail (from, "cannot be read");
  g_autoptr (GString) page = g_string_new (introduction);
  schema_append_page (schemas, page);
  return g_file_set_contents (to, page->str, (gssize) page->len, NULL);
}

int
main (int argc, char **argv)
{
  silence ();
  cli_commands = cli_command_list;
  if (argc != 3)
    fail ("usage", "print-schemas SOURCE FOLDER");
  source = argv[1];
  work = g_dir_make_tmp ("print-schemas-XXXXXX", NULL);
  sets = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_strfreev);
  read_runs ();
  remove_logs ();
  g_autofree char *fault = schema_results_check (schema_record_all ());
  if (fault != NULL)
    fail ("results.def", fault);
  schema_results_add_rare ();
  add_members ();
  g_autofree char *schemas = g_build_filename (argv[2], "schemas", NULL);
  g_mkdir_with_parents (schemas, 0777);
  g_autofree char *error = schema_write_all (schema_record_all (), schemas);
  if (error != NULL)
    fail (error, "cannot be written");
  if (!schema_write_top (schemas))
    fail (schemas, "top-line.json cannot be written there");
  if (!write_page (schema_record_all (), argv[2]))
    fail (argv[2], "json.md cannot be written there");
  g_hash_table_unref (sets);
  return 0;
}
