/* test-process-files.c -- the files in /proc of a process whose words and environment are known. */
#include "config.h"

#include "decoder/input/spool-logs.h"
#include "decoder/system/processes.h"
#include "tests/unit/test.h"

#include <proflog/control.h>
#include <proflog/spool.h>
#include <sys/wait.h>
#include <unistd.h>

/* No process has this number. */
#define NOBODY 4194303

static GPid child;
static int input;

/* It waits for its input. */
static void
begin (void)
{
  static const char *const words[]
      = { "/bin/sh", "mono", "-c", "read x; exit 0", "-lib.exe", "/a/b/app.exe", "tool",
          "",        "",     NULL };
  static const char *const variables[] = { "FOOL=1", "FOO=bar=2", "EMPTY=", NULL };
  assert_true (g_spawn_async_with_pipes (NULL, (char **) words, (char **) variables,
                                         G_SPAWN_FILE_AND_ARGV_ZERO | G_SPAWN_DO_NOT_REAP_CHILD,
                                         NULL, NULL, &child, &input, NULL, NULL, NULL));
}

static void
end (void)
{
  close (input);
  waitpid (child, NULL, 0);
}

TEST_WITH (test_words, begin, end)
{
  static const struct {
    const char *name;
    bool has;
  } names[] = { { "app", true },  { "app.exe", true },   { "tool", true }, { "mono", true },
                { "b", false },   { "app.ex", false },   { "-c", false },  { "-lib.exe", false },
                { "lib", false }, { "/a/b/app", false }, { "", false } };
  g_auto (GStrv) words = process_words (child);
  g_autofree char *command = process_command (child), *name = process_name (child);
  assert_int_equal (g_strv_length (words), 6);
  assert_string_equal (words[5], "tool");
  assert_string_equal (command, "mono -c read x; exit 0 -lib.exe /a/b/app.exe tool");
  assert_string_equal (name, "app.exe");
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    assert_int_equal (process_has_name (child, names[i].name), names[i].has);
}

TEST_WITH (test_variables, begin, end)
{
  static const char *const variables[][2]
      = { { "FOO", "bar=2" }, { "FOOL", "1" }, { "EMPTY", "" }, { "EMPT", NULL }, { "bar", NULL } };
  for (size_t i = 0; i < G_N_ELEMENTS (variables); i++) {
    g_autofree char *value = process_variable (child, variables[i][0]);
    assert_int_equal (g_strcmp0 (value, variables[i][1]), 0);
  }
}

TEST_WITH (test_numbers, begin, end)
{
  struct process_ids ids;
  g_autoptr (GArray) pids = process_list ();
  assert_true (process_list_has (pids, child));
  assert_true (process_list_has (pids, getpid ()));
  assert_false (process_list_has (pids, NOBODY));
  for (guint i = 1; i < pids->len; i++)
    assert_true (g_array_index (pids, long, i - 1) < g_array_index (pids, long, i));
  assert_true (process_read_ids (child, &ids));
  assert_int_equal (ids.user, geteuid ());
}

TEST (test_nobody)
{
  struct process_ids ids;
  g_auto (GStrv) words = process_words (NOBODY);
  g_autofree char *name = process_name (NOBODY);
  assert_int_equal (g_strv_length (words), 0);
  assert_string_equal (name, "");
  assert_null (process_variable (NOBODY, "PATH"));
  assert_false (process_read_ids (NOBODY, &ids));
  assert_false (process_has_name (NOBODY, "app"));
}

/* Names of crash buffers. */
TEST (test_spools)
{
  static const struct {
    const char *name;
    long pid;
  } names[] = { { "proflog-12" PROFLOG_SPOOL_SUFFIX, 12 },
                { "proflog-12-3" PROFLOG_SPOOL_SUFFIX, 12 },
                { "proflog-12", 0 },
                { "proflog-12" PROFLOG_SPOOL_SUFFIX "x", 0 },
                { "proflog-x" PROFLOG_SPOOL_SUFFIX, 0 },
                { "proflog-99999999999" PROFLOG_SPOOL_SUFFIX, 0 },
                { "other-12" PROFLOG_SPOOL_SUFFIX, 0 },
                { "", 0 } };
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    assert_int_equal (spool_search_pid (names[i].name), names[i].pid);
}
