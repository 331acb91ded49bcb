/* test-http-guard.c -- which requests are served. */
#include "config.h"

#include "decoder/serve/http.h"
#include "tests/unit/test.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char token[] = "0123456789abcdef0123456789abcdef";

TEST (test_tokens)
{
  char *a = http_token_new (NULL), *b = http_token_new (NULL);
  assert_int_equal (strlen (a), 32); /* 128 bits */
  assert_int_equal (strspn (a, "0123456789abcdef"), 32);
  assert_string_not_equal (a, b);
  g_free (a);
  g_free (b);
}

TEST (test_paths)
{
  static const char *const bad[] = { "",
                                     "/",
                                     "/metrics",
                                     "//",
                                     "/0123456789abcdef0123456789abcdef",
                                     "/0123456789abcdef0123456789abcdee/",
                                     "/1123456789abcdef0123456789abcdef/",
                                     "/0123456789abcdef0123456789abcdef0/",
                                     "/0123456789abcdef0123456789abcde/",
                                     "0123456789abcdef0123456789abcdef/",
                                     "//0123456789abcdef0123456789abcdef/",
                                     "/0123456789ABCDEF0123456789abcdef/" };
  assert_string_equal (http_guard_path ("/0123456789abcdef0123456789abcdef/", token), "");
  assert_string_equal (http_guard_path ("/0123456789abcdef0123456789abcdef/a/b", token), "a/b");
  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++)
    assert_null (http_guard_path (bad[i], token));
}

TEST (test_hosts)
{
  static const char *const bad[] = { "",
                                     "127.0.0.1",
                                     "127.0.0.1:",
                                     "127.0.0.1:970",
                                     "127.0.0.1:97001",
                                     "127.0.0.1:9700 ",
                                     "127.0.0.2:9700",
                                     "localhost",
                                     "localhost.:9700",
                                     "evil.example:9700",
                                     "[::1]:9700",
                                     "localhost.evil.example:9700",
                                     "0.0.0.0:9700",
                                     "a@127.0.0.1:9700",
                                     "127.1:9700" };
  assert_true (http_guard_host ("127.0.0.1:9700", 9700));
  assert_true (http_guard_host ("LocalHost:9700", 9700));
  assert_true (http_guard_host ("localhost", 80)); /* as browsers leave it out */
  assert_false (http_guard_host (NULL, 9700));
  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++)
    assert_false (http_guard_host (bad[i], 9700));
}

TEST (test_origins)
{
  static const char *const bad[] = { "",
                                     "null",
                                     "http://127.0.0.1",
                                     "https://127.0.0.1:9700",
                                     "127.0.0.1:9700",
                                     "http://127.0.0.1:9701",
                                     "http://127.0.0.1:9700/",
                                     "http://evil.example:9700",
                                     "http://evil.example/http://127.0.0.1:9700" };
  assert_true (http_guard_origin (NULL, 9700)); /* no browser */
  assert_true (http_guard_origin ("http://127.0.0.1:9700", 9700));
  assert_true (http_guard_origin ("http://localhost:9700", 9700));
  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++)
    assert_false (http_guard_origin (bad[i], 9700));
}

/* ---- the secret in a file ---- */

static char *folder;

static void
make_folder (void)
{
  folder = g_dir_make_tmp ("proflog-guard.XXXXXX", NULL);
  assert_non_null (folder);
}

static void
remove_folder (void)
{
  g_rmdir (folder);
  g_free (folder);
}

/* A file that is not there is made, for its owner alone; then it is read. */
TEST_WITH (test_new_file, make_folder, remove_folder)
{
  char *path = g_build_filename (folder, "secret", NULL);
  struct stat st;
  GError *error = NULL;
  char *made = http_token_of_file (path, &error);
  assert_non_null (made);
  assert_int_equal (stat (path, &st), 0);
  assert_int_equal (st.st_mode & 0777, 0600);
  char *again = http_token_of_file (path, &error);
  assert_string_equal (again, made);
  g_free (again);
  g_free (made);
  assert_int_equal (g_unlink (path), 0);
  g_free (path);
}

/* Text, mode and owner of a file, and whether it holds a secret. */
TEST_WITH (test_files, make_folder, remove_folder)
{
  static const struct {
    const char *text;
    mode_t mode;
    bool is_other, is_good;
    const char *why;
  } cases[] = {
    { "0123456789abcdefghijkl", 0600, false, true, NULL },
    { "0123456789ABCDEF-_ijklmn\n", 0400, false, true, NULL },
    { "0123456789abcdefghijkl \r\n", 0640, false, true, NULL },
    { "0123456789abcdefghijk\n", 0600, false, false, "it has to hold 22 to 128 letters" },
    { "0123456789abcdef 0123456789abcdef", 0600, false, false, "it has to hold" },
    { "0123456789abcdef/0123456789abcdef", 0600, false, false, "it has to hold" },
    { "0123456789abcdef0123456789abcdef\nx\n", 0600, false, false, "it has to hold" },
    { "", 0600, false, false, "it has to hold" },
    { "0123456789abcdefghijkl", 0604, false, false, "its mode is 604, and should be 600" },
    { "0123456789abcdefghijkl", 0620, false, false, "others may read it, or write it" },
    { "0123456789abcdefghijkl", 0602, false, false, "others may read it, or write it" },
    { "0123456789abcdefghijkl", 0600, true, false, "it belongs to another user (user id 12345)" },
  };
  char *path = g_build_filename (folder, "secret", NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    GError *error = NULL;
    if (cases[i].is_other && geteuid () != 0)
      continue; /* only root gives files away */
    assert_true (g_file_set_contents (path, cases[i].text, -1, NULL));
    assert_int_equal (chmod (path, cases[i].mode), 0);
    if (cases[i].is_other)
      assert_int_equal (chown (path, 12345, (gid_t) -1), 0);
    char *read = http_token_of_file (path, &error);
    if (cases[i].is_good) {
      assert_non_null (read);
      assert_int_equal (strncmp (read, cases[i].text, strlen (read)), 0);
      assert_int_equal (strcspn (read, " \r\n"), strlen (read));
    } else {
      assert_null (read);
      assert_non_null (strstr (error->message, cases[i].why));
      assert_true (g_str_has_prefix (error->message, path));
      g_error_free (error);
    }
    g_free (read);
    assert_int_equal (g_unlink (path), 0);
  }
  /* The longest, and one more. */
  for (int more = 0; more < 2; more++) {
    char *text = g_strnfill (HTTP_TOKEN_MAX + (gsize) more, 'x');
    assert_true (g_file_set_contents (path, text, -1, NULL));
    assert_int_equal (chmod (path, 0600), 0);
    char *read = http_token_of_file (path, NULL);
    assert_int_equal (read != NULL, more == 0);
    g_free (read);
    g_free (text);
  }
  assert_int_equal (g_unlink (path), 0);
  g_free (path);
}

/* A path that is no file, and a folder that is not there. */
TEST_WITH (test_no_files, make_folder, remove_folder)
{
  char *path = g_build_filename (folder, "no", "secret", NULL);
  GError *error = NULL;
  assert_null (http_token_of_file (path, &error));
  assert_non_null (strstr (error->message, "No such file or directory"));
  g_clear_error (&error);
  assert_null (http_token_of_file (folder, &error));
  assert_non_null (strstr (error->message, "Is a directory"));
  g_clear_error (&error);
  char *link = g_build_filename (folder, "link", NULL);
  assert_int_equal (symlink ("nowhere", link), 0);
  assert_null (http_token_of_file (link, &error)); /* no file is made where a link leads */
  g_clear_error (&error);
  assert_int_equal (g_unlink (link), 0);
  g_free (link);
  g_free (path);
}
