/* test-code-file.c -- a file in a folder that others may write to: a file there under its name is
 * not followed, and not removed if it is another's. */
#include "config.h"

#include "profiler/os/code-file.h"
#include "tests/unit/test.h"

#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static char *folder;

static void
begin (void)
{
  folder = g_dir_make_tmp ("code-file-XXXXXX", NULL);
}

static void
end (void)
{
  g_autofree char *command = g_strdup_printf ("rm -rf '%s'", folder);
  assert_int_equal (system (command), 0);
  g_free (folder);
}

static char *
path_of (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static int
append (struct code_file *file, const char *text)
{
  struct iovec part = { .iov_base = (void *) text, .iov_len = strlen (text) };
  return code_file_append (file, &part, 1);
}

static void
expect_contents (const char *path, const char *expected)
{
  g_autofree char *text = NULL;
  assert_true (g_file_get_contents (path, &text, NULL, NULL));
  assert_string_equal (text, expected);
}

TEST_WITH (test_own_file_is_replaced, begin, end)
{
  g_autofree char *path = path_of ("map");
  char why[256];
  struct code_file file;
  struct stat st;
  assert_true (g_file_set_contents (path, "of an earlier process", -1, NULL));
  assert_true (code_file_create (&file, path, why, sizeof why));
  assert_int_equal (append (&file, "one\n"), 0);
  assert_int_equal (append (&file, "two\n"), 0);
  assert_int_equal (file.size, 8);
  assert_int_equal (stat (path, &st), 0);
  assert_int_equal (st.st_mode & 07777, 0600);
  code_file_close (&file);
  assert_int_equal (append (&file, "after the end"), 0);
  expect_contents (path, "one\ntwo\n");
}

/* A hard link's other name keeps its bytes. */
TEST_WITH (test_hard_link, begin, end)
{
  g_autofree char *path = path_of ("map"), *other = path_of ("precious");
  char why[256];
  struct code_file file;
  assert_true (g_file_set_contents (other, "bytes", -1, NULL));
  assert_int_equal (link (other, path), 0);
  assert_true (code_file_create (&file, path, why, sizeof why));
  assert_int_equal (append (&file, "names"), 0);
  code_file_close (&file);
  expect_contents (other, "bytes");
  expect_contents (path, "names");
}

TEST_WITH (test_what_is_no_file, begin, end)
{
  g_autofree char *path = path_of ("map"), *other = path_of ("precious");
  char why[512];
  struct code_file file;
  assert_true (g_file_set_contents (other, "bytes", -1, NULL));
  assert_int_equal (symlink (other, path), 0);
  assert_false (code_file_create (&file, path, why, sizeof why));
  assert_true (g_str_has_prefix (why, path));
  assert_non_null (strstr (why, "is there and is no regular file"));
  assert_int_equal (file.fd, -1);
  assert_int_equal (unlink (path), 0);
  assert_int_equal (symlink ("/nowhere", path), 0);
  assert_false (code_file_create (&file, path, why, sizeof why));
  assert_int_equal (unlink (path), 0);
  assert_int_equal (g_mkdir (path, 0700), 0);
  assert_false (code_file_create (&file, path, why, sizeof why));
  assert_non_null (strstr (why, "is there and is no regular file"));
  expect_contents (other, "bytes");
}

/* Only root can make a file of another user. */
TEST_WITH (test_file_of_another_user, begin, end)
{
  g_autofree char *path = path_of ("map");
  char why[512];
  struct code_file file;
  assert_true (g_file_set_contents (path, "theirs", -1, NULL));
  if (chown (path, 1, (gid_t) -1) != 0)
    skip ();
  assert_false (code_file_create (&file, path, why, sizeof why));
  assert_non_null (strstr (why, "is there and belongs to another user"));
  expect_contents (path, "theirs");
}

/* The program closes the descriptor, and opens another file under its number. */
TEST_WITH (test_closed_by_the_program, begin, end)
{
  g_autofree char *path = path_of ("map"), *other = path_of ("precious");
  char why[256];
  struct code_file file;
  assert_true (code_file_create (&file, path, why, sizeof why));
  assert_int_equal (append (&file, "one\n"), 0);
  FILE *const theirs = fopen (other, "w");
  assert_non_null (theirs);
  assert_int_equal (dup2 (fileno (theirs), file.fd), file.fd);
  assert_int_equal (append (&file, "two\n"), EBADF);
  assert_int_equal (append (&file, "three\n"), 0);
  expect_contents (other, "");
  expect_contents (path, "one\n");
  fclose (theirs);
}

TEST_WITH (test_copy, begin, end)
{
  enum { PARTS = 3000 };
  g_autofree char *path = path_of ("map"), *child = path_of ("child");
  g_autoptr (GString) expected = g_string_new (NULL);
  char why[256];
  struct code_file file, copy;
  assert_true (code_file_create (&file, path, why, sizeof why));
  for (int i = 0; i < PARTS; i++) {
    g_autofree char *line = g_strdup_printf ("%x 10 a method with the number %d\n", i * 16, i);
    assert_int_equal (append (&file, line), 0);
    g_string_append (expected, line);
  }
  const struct code_file of_then = file;
  assert_int_equal (append (&file, "later\n"), 0);
  assert_true (code_file_create (&copy, child, why, sizeof why));
  assert_int_equal (code_file_copy (&copy, &of_then), 0);
  assert_int_equal (append (&copy, "of the child\n"), 0);
  g_string_append (expected, "of the child\n");
  expect_contents (child, expected->str);
  code_file_close (&file);
  code_file_close (&copy);
}

TEST_WITH (test_no_folder, begin, end)
{
  g_autofree char *path = path_of ("none/map");
  char why[512];
  struct code_file file;
  assert_false (code_file_create (&file, path, why, sizeof why));
  assert_non_null (strstr (why, "No such file"));
}

/* A limit of the size of files is an error of the file, and no signal that would end the program.
 */
TEST_WITH (test_size_limit, begin, end)
{
  g_autofree char *path = path_of ("map");
  char why[256];
  struct code_file file;
  struct rlimit before, small = { .rlim_cur = 9 };
  assert_true (code_file_create (&file, path, why, sizeof why));
  assert_int_equal (getrlimit (RLIMIT_FSIZE, &before), 0);
  small.rlim_max = before.rlim_max;
  assert_int_equal (setrlimit (RLIMIT_FSIZE, &small), 0);
  assert_int_equal (append (&file, "12345678\n"), 0);
  assert_int_equal (append (&file, "abc\n"), EFBIG);
  assert_int_equal (append (&file, "d"), 0);
  assert_int_equal (setrlimit (RLIMIT_FSIZE, &before), 0);
  expect_contents (path, "12345678\n");
}
