/* fuzz-http-guard.c -- any lines as path, Host and Origin of a request of `proflog serve`: only one
 * that begins with the token passes, only names of this machine do. */
#include "config.h"

#include "decoder/serve/http.h"
#include "tests/fuzz/fuzz.h"

static const char token[] = "0123456789abcdef0123456789abcdef";

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = fuzz_text (data, size);
  g_auto (GStrv) lines = g_strsplit (text, "\n", 3);
  if (g_strv_length (lines) != 3)
    return 0;
  const char *rest = http_guard_path (lines[0], token);
  if ((rest != NULL)
      != (lines[0][0] == '/' && g_str_has_prefix (lines[0] + 1, token) && lines[0][33] == '/'))
    g_error ("the path '%s' passes: %d", lines[0], rest != NULL);
  if (rest != NULL && rest != lines[0] + 34)
    g_error ("the rest of '%s' is '%s'", lines[0], rest);
  const bool is_here = g_ascii_strcasecmp (lines[1], "127.0.0.1:9700") == 0
                       || g_ascii_strcasecmp (lines[1], "localhost:9700") == 0;
  if (http_guard_host (lines[1], 9700) != is_here)
    g_error ("the host '%s' passes: %d", lines[1], !is_here);
  if (http_guard_origin (lines[2], 9700) && !g_str_has_prefix (lines[2], "http://"))
    g_error ("the origin '%s' passes", lines[2]);
  http_guard_host (lines[1], 80);
  return 0;
}
