/* http-guard.c -- checks tokens, hosts and origins of requests. */
#include "config.h"

#include "decoder/serve/http.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TOKEN_BYTES = 16 };

/* ---- the secret ---- */

char *
http_token_new (GError **error)
{
  unsigned char bytes[TOKEN_BYTES];
  if (getrandom (bytes, sizeof bytes, 0) != (ssize_t) sizeof bytes) {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "no random numbers: %s",
                 g_strerror (errno));
    return NULL;
  }
  GString *text = g_string_new (NULL);
  for (size_t i = 0; i < sizeof bytes; i++)
    g_string_append_printf (text, "%02x", bytes[i]);
  return g_string_free (text, FALSE);
}

static bool
is_token (const char *text)
{
  const size_t length = strlen (text);
  for (const char *p = text; *p != 0; p++)
    if (!g_ascii_isalnum (*p) && *p != '-' && *p != '_')
      return false;
  return length >= HTTP_TOKEN_MIN && length <= HTTP_TOKEN_MAX;
}

static char *
make_file (const char *path, GError **error)
{
  char *token = http_token_new (error);
  if (token == NULL)
    return NULL;
  const int fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  const size_t length = strlen (token);
  const bool good
      = fd >= 0 && write (fd, token, length) == (ssize_t) length && write (fd, "\n", 1) == 1;
  if (!good)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: %s", path, g_strerror (errno));
  if (fd >= 0)
    close (fd);
  if (good)
    return token;
  g_free (token);
  return NULL;
}

char *
http_token_of_file (const char *path, GError **error)
{
  char text[HTTP_TOKEN_MAX + 2]; /* with the end of the line, and one more */
  struct stat st;
  const int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 && errno == ENOENT)
    return make_file (path, error);
  const ssize_t n = fd >= 0 && fstat (fd, &st) == 0 ? read (fd, text, sizeof text) : -1;
  if (n < 0)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: %s", path, g_strerror (errno));
  if (fd >= 0)
    close (fd);
  if (n < 0)
    return NULL;
  if (st.st_uid != geteuid () && st.st_uid != 0) {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                 "%s: it belongs to another user (user id %u), who can change it", path,
                 (unsigned) st.st_uid);
    return NULL;
  }
  if ((st.st_mode & (S_IROTH | S_IWOTH | S_IWGRP)) != 0) {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                 "%s: others may read it, or write it: its mode is %03o, and should be 600", path,
                 (unsigned) (st.st_mode & 0777));
    return NULL;
  }
  char *token = g_strchomp (g_strndup (text, (gsize) n));
  if (is_token (token))
    return token;
  g_free (token);
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
               "%s: it has to hold %d to %d letters, digits, - or _, in one line", path,
               HTTP_TOKEN_MIN, HTTP_TOKEN_MAX);
  return NULL;
}

const char *
http_guard_path (const char *path, const char *token)
{
  const size_t length = strlen (token);
  unsigned char difference = 0;
  if (path[0] != '/' || strlen (path) < length + 2)
    return NULL;
  for (size_t i = 0; i < length; i++)
    difference |= (unsigned char) (path[i + 1] ^ token[i]);
  return difference == 0 && path[length + 1] == '/' ? path + length + 2 : NULL;
}

/* ---- where it comes from ---- */

/* "127.0.0.1:PORT"; browsers leave the usual port out. */
static bool
is_here (const char *text, unsigned port)
{
  static const char *const names[] = { "127.0.0.1", "localhost" };
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    char whole[32];
    g_snprintf (whole, sizeof whole, "%s:%u", names[i], port);
    if (g_ascii_strcasecmp (text, whole) == 0
        || (port == 80 && g_ascii_strcasecmp (text, names[i]) == 0))
      return true;
  }
  return false;
}

bool
http_guard_host (const char *host, unsigned port)
{
  return host != NULL && is_here (host, port);
}

bool
http_guard_origin (const char *origin, unsigned port)
{
  static const char scheme[] = "http://";
  return origin == NULL
         || (g_str_has_prefix (origin, scheme) && is_here (origin + strlen (scheme), port));
}
