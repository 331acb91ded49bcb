/* test-http-guard.c -- which requests are served. */
#include "config.h"

#include "decoder/serve/http-guard.h"
#include "tests/unit/test.h"

#include <string.h>

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
