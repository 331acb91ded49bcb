/* push-secret.c -- reads credentials. */
#include "config.h"

#include "decoder/push/push-secret.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_BYTES = 1 << 16 };

/* The field of a name; NULL: there is none. */
static char **
field_of (struct push_secret *secret, const char *name)
{
  return strcmp (name, "user") == 0       ? &secret->user
         : strcmp (name, "password") == 0 ? &secret->password
         : strcmp (name, "token") == 0    ? &secret->token
         : strcmp (name, "key") == 0      ? &secret->key
                                          : NULL;
}

static bool
refuse (GError **error, const char *path, const char *problem)
{
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: %s", path, problem);
  return false;
}

/* Its value would break the header that it goes into. */
static bool
is_one_line (const char *text)
{
  for (; *text != 0; text++)
    if (g_ascii_iscntrl (*text))
      return false;
  return true;
}

static bool
parse_line (struct push_secret *secret, const char *path, guint number, char *line, GError **error)
{
  if (*g_strstrip (line) == 0 || *line == '#')
    return true;
  char *const value = strchr (line, '=');
  if (value != NULL)
    *value = 0;
  char **const field = field_of (secret, line);
  if (value == NULL || field == NULL || !is_one_line (value + 1)) {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                 "%s: line %u: user=, password=, token= or key= is needed", path, number);
    return false;
  }
  g_free (*field);
  *field = g_strdup (value + 1);
  return true;
}

static bool
parse (struct push_secret *secret, const char *path, char *text, GError **error)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (!parse_line (secret, path, i + 1, lines[i], error))
      return false;
  return true;
}

static bool
read_file (struct push_secret *secret, const char *path, GError **error)
{
  struct stat state;
  char text[FILE_BYTES];
  const int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0)
    return refuse (error, path, g_strerror (errno));
  const bool is_private
      = fstat (fd, &state) == 0 && (!S_ISREG (state.st_mode) || (state.st_mode & 077) == 0);
  const ssize_t length = read (fd, text, sizeof text - 1);
  const int read_errno = errno;
  close (fd);
  if (!is_private)
    return refuse (error, path, "other users can read it: chmod 600 is needed");
  if (length < 0)
    return refuse (error, path, g_strerror (read_errno));
  text[length] = 0;
  const bool good = parse (secret, path, text, error);
  memset (text, 0, sizeof text);
  return good;
}

static bool
read_environment (struct push_secret *secret, GError **error)
{
  static const char *const names[] = { "user", "password", "token", "key" };
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *upper = g_ascii_strup (names[i], -1);
    g_autofree char *variable = g_strconcat ("PROFLOG_PUSH_", upper, NULL);
    const char *value = g_getenv (variable);
    if (value != NULL && !is_one_line (value))
      return refuse (error, variable, "it has more than one line");
    *field_of (secret, names[i]) = g_strdup (value);
  }
  return true;
}

bool
push_secret_read (struct push_secret *secret, const char *path, GError **error)
{
  *secret = (struct push_secret){ NULL, NULL, NULL, NULL };
  if (!(path != NULL ? read_file (secret, path, error) : read_environment (secret, error)))
    return false;
  if (secret->token != NULL && *secret->token == 0)
    return refuse (error, path != NULL ? path : "PROFLOG_PUSH_TOKEN", "the token is empty");
  return true;
}

void
push_secret_clear (struct push_secret *secret)
{
  g_free (secret->user);
  g_free (secret->password);
  g_free (secret->token);
  g_free (secret->key);
}
